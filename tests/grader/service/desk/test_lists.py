"""Long lists, a part at a time."""

from __future__ import annotations

from typing import Any

import pytest

from grader.service.features.members.queries import Person
from grader.service.http.rendering import SHOWN, list_people


class Asked:
    """A call of which only the query counts."""

    def __init__(self, **asked: str) -> None:
        self._asked = asked

    def query(self, name: str) -> str | None:
        return self._asked.get(name)


PEOPLE = [Person(f"m{n}", f"s{n:03}", f"Student {n}", f"{n}@example.org", "student") for n in range(1, 251)]


def shown(by_id: bool = False, **asked: str) -> Any:
    return list_people(Asked(**asked), PEOPLE, by_id)  # type: ignore[arg-type]


def test_parts_follow_each_other_and_none_is_left_out() -> None:
    first, last = shown(), shown(page="3")
    assert (first.first, first.last, first.previous, first.next) == (1, SHOWN, None, "?page=2")
    assert (last.first, last.last, last.previous, last.next) == (201, 250, "?page=2", None)


@pytest.mark.parametrize("page", ["0", "-1", "x", "²", "9" * 7, "999999"])
def test_a_page_that_is_not_there_is_one_that_is(page: str) -> None:
    assert shown(page=page).items


def test_people_are_found_by_name_id_and_address_but_by_id_alone_without_names() -> None:
    assert [each.code for each in shown(find="STUDENT 77").items] == ["s077"]
    assert [each.code for each in shown(find="77@").items] == ["s077", "s177"]
    assert shown(by_id=True, find="Student").found == 0
    assert shown(find="s1 & <b>").next is None
