"""Every page of the desk at the width of a phone and of a desk, light and dark, in English and Persian."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from solver.languages import LANGUAGES
from tests.grader.service.desk.class_scene import Desk
from tests.grader.service.web.scenes import look_from
from tests.grader.service.web.site import Visit
from tests.grader.service.web.test_look import JUDGED, LOOK, PLACES


@pytest.fixture(scope="module")
def axe() -> Any:
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


def each_page(opened: Visit, desk: Desk) -> Iterator[str]:
    """Goes to one page after the other; those that only a form makes come last."""
    course, at = f"/teach/c/{desk.course}", f"/teach/a/{desk.assignment}"
    for path in (
        "/teach",
        course,
        *(f"{course}/{name}" for name in ("settings", "members", "exercises", "assign", "audit")),
        at,
        *(f"{at}/{name}" for name in ("edit", "extensions", "class", "answers?node=B", "review", "regrades")),
    ):
        opened.go(path)
        yield path
    opened.go(at)
    grade = re.search(r"/teach/g/\w+", opened.page.content())
    assert grade is not None
    opened.go(grade[0])
    yield "grade"
    opened.go(f"{at}/regrades")
    opened.page.locator("main form button.main").click()
    opened.page.locator("main form button.main").wait_for(timeout=30_000)
    yield "regrade"
    opened.go(f"{course}/members")
    opened.page.locator('button[formaction$="/s03/link"]').click()
    opened.page.locator(".links").wait_for()
    yield "links"


@pytest.mark.parametrize("language", ["en", "fa"])
def test_how_every_page_of_the_desk_looks(desk: Desk, axe: Any, language: str) -> None:
    """No sideways scroll, nothing clipped, targets of 24 px, text of 12 px; axe finds nothing at all."""
    found: list[str] = []
    with desk.visit(reduced_motion="reduce") as opened:
        opened.go("/teach")
        opened.page.get_by_role("button", name=LANGUAGES[language]).click()
        for name in each_page(opened, desk):
            assert opened.page.title().endswith(" · Plymark")
            assert opened.page.locator("html").get_attribute("lang") == language
            for place in PLACES:
                look_from(opened, *place)
                found += [f"{name} {place}: {fault}" for fault in opened.page.evaluate(LOOK)]
                violations = axe.run(opened.page).response["violations"] if place in JUDGED else []
                found += [f"{name} {place}: {each['id']}: {each['nodes'][0]['html'][:160]}" for each in violations]
        opened.go("/teach")
        opened.page.get_by_role("button", name=LANGUAGES["en"]).click()
    assert found == []
