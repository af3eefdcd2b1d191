"""Long lists: a part of them at a time, and a box to find somebody in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlencode

from grader.service.web.calls import PageCall

SHOWN = 100
LONGEST_WORD = 100
MOST_DIGITS = 6
T = TypeVar("T")


class Listed(Protocol):
    """Somebody of a course."""

    @property
    def code(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def email(self) -> str | None: ...


P = TypeVar("P", bound=Listed)


@dataclass(frozen=True, slots=True)
class ListPart(Generic[T]):
    """A page of a list, and how to come to the others."""

    items: Sequence[T]
    first: int
    """Of those that are shown, counted from 1."""
    found: int
    """That fit what is looked for."""
    all: int
    find: str
    previous: str | None
    """Queries of the pages before and after."""
    next: str | None

    @property
    def last(self) -> int:
        return self.first + len(self.items) - 1

    @property
    def long(self) -> bool:
        return self.all > SHOWN or bool(self.find)


def people_shown(call: PageCall, people: Sequence[P], by_id: bool = False) -> ListPart[P]:
    """Where names are off, people are found by their ids alone."""
    return part_shown(call, people, lambda each: (each.code,) if by_id else (each.code, each.name, each.email or ""))


def part_shown(
    call: PageCall, items: Sequence[T], texts: Callable[[T], Iterable[str]], **asked: str | None
) -> ListPart[T]:
    """Those in whose texts `?find=` is, a hundred at a time; `asked` is what else the address asks for."""
    find = (call.query("find") or "").strip()[:LONGEST_WORD]
    found = [each for each in items if any(find.casefold() in text.casefold() for text in texts(each))]
    written = call.query("page") or ""
    wanted = int(written) if written.isascii() and written.isdigit() and len(written) <= MOST_DIGITS else 1
    page = min(max(wanted, 1), max(1, -(-len(found) // SHOWN)))
    start = (page - 1) * SHOWN

    def query(number: int) -> str:
        kept = {name: value for name, value in {**asked, "find": find or None}.items() if value is not None}
        return "?" + urlencode({**kept, "page": number})

    return ListPart(
        found[start : start + SHOWN],
        start + 1,
        len(found),
        len(items),
        find,
        query(page - 1) if page > 1 else None,
        query(page + 1) if start + SHOWN < len(found) else None,
    )
