"""Every page of the desk at the width of a phone and of a desk, light and dark, in English and Persian."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from solver.languages import LANGUAGES
from tests.grader.service.desk.class_scene import Desk
from tests.grader.service.hall.test_in_browsers import LIVE_PAGES
from tests.grader.service.routes import DESK, HALL
from tests.grader.service.web.scenes import look_from
from tests.grader.service.web.site import Visit
from tests.grader.service.web.test_look import JUDGED, LOOK, PLACES


@pytest.fixture(scope="module")
def axe() -> Any:
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


PAGES = (
    "/teach",
    "/teach/c/{c}",
    *(f"/teach/c/{{c}}/{name}" for name in ("settings", "members", "exercises", "assign", "audit")),
    "/teach/a/{a}",
    *(f"/teach/a/{{a}}/{name}" for name in ("edit", "extensions", "class", "answers", "review", "regrades")),
)
"""By their routes."""
BEHIND = ("/teach/g/{g}", "/teach/a/{a}/regrades/{r}")
"""Found by way of another page."""
FILES = tuple(f"/teach/a/{{a}}/{name}" for name in ("grades.csv", "answers.jsonl", "feedback.zip", "paper"))
STREAMS = ("/live/{code}/events", "/teach/live/{code}/events")
QUERIES = {"/teach/a/{a}/answers": "?node=B", "/teach/a/{a}": "?find=a", "/teach/c/{c}/members": "?find=nobody"}
"""With which a page shows more than without."""


def test_every_page_of_desk_and_hall_is_looked_at() -> None:
    """Whoever adds a page adds it to one of these lists; pages of the editor have tests of their own."""
    asked_for = {path for method, path in (*DESK, *HALL) if method == "GET"}
    assert asked_for == {*PAGES, *BEHIND, *FILES, *STREAMS, *LIVE_PAGES}


def each_page(opened: Visit, desk: Desk) -> Iterator[str]:
    """Goes to one page after the other; those that only a form makes come last."""
    course, at = f"/teach/c/{desk.course}", f"/teach/a/{desk.assignment}"
    for route in PAGES:
        path = route.format(c=desk.course, a=desk.assignment)
        for query in dict.fromkeys(("", QUERIES.get(route, ""))):
            opened.go(path + query)
            yield route + query
    opened.go(at)
    grade = re.search(r"/teach/g/\w+", opened.page.content())
    assert grade is not None
    opened.go(grade[0])
    yield "grade"
    opened.go(f"{at}/regrades")
    opened.page.locator("main form button.main").click()
    opened.page.locator("main form button.main").wait_for()
    yield "regrade"
    opened.go(f"{course}/members")
    opened.page.locator("#lines").fill("no/id, Nobody")
    opened.page.locator("main form.boxes button.main").click()
    opened.page.locator("[role=alert]").wait_for()
    yield "a list that is wrong"
    opened.page.locator('button[formaction$="/s03/link"]').click()
    opened.page.locator(".links").wait_for()
    yield "links"


@pytest.mark.slow
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
