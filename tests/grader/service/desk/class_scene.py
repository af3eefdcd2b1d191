"""From the first link to a class that has handed in: everything by the pages, as a teacher does it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import httpx

from grader.service.run.demo import EXERCISE, STUDENTS
from tests.grader.service.served import Running
from tests.grader.service.web.site import Site, Visit, visit

ANSWERS = {each.id: each.answers for each in STUDENTS}
CLASS = {"s01": "Amal Haddad", "s02": "Bruno Carvalho", "s03": "Chen Wei"}
UNREADABLE = "three, I think"
COURSE = "Adversarial search"
PHONE = {"width": 390, "height": 844}
WRITE = "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); }"


def with_unreadable(answers: Mapping[str, Any]) -> dict[str, Any]:
    """The same, but for a value of B that nobody can read."""
    return {**answers, "values": {**answers["values"], "B": UNREADABLE}}


def named(question: str, given: Any) -> list[tuple[str, str]]:
    """The boxes of a question on the sheet, and what is written into each."""
    return (
        [(f"{question}.{item}", text) for item, text in given.items()]
        if isinstance(given, dict)
        else [(question, given)]
    )


@dataclass
class Desk:
    running: Running
    browser: Any
    cookies: Any = None
    """Of the teacher."""
    course: str = ""
    exercise: str = ""
    assignment: str = ""
    links: dict[str, str] = field(default_factory=dict)

    @property
    def site(self) -> Site:
        return Site(self.running, httpx.Client())

    @contextmanager
    def visit(self, **options: Any) -> Iterator[Visit]:
        """As the teacher."""
        with visit(self.browser, self.site, storage_state=self.cookies, **options) as opened:
            yield opened

    def hand_in(self, code: str, answers: Mapping[str, Any]) -> None:
        """As the student does, on a phone: from the link to the receipt."""
        with visit(self.browser, self.site, viewport=PHONE) as opened:
            page = opened.page
            page.goto(self.links[code])
            page.locator("main button").click()
            page.get_by_role("link", name=COURSE).last.click()
            page.get_by_role("link", name=f"Begin: {EXERCISE['title']}").click()
            page.get_by_role("button", name="Begin").click()
            page.locator("ply-tree").wait_for()
            for question, given in answers.items():
                for name, text in named(question, given):
                    page.locator(f'[name="{name}"]').evaluate(WRITE, text)
            page.get_by_role("button", name="Check and hand in").click()
            page.get_by_role("button", name="Hand in now").click()
            page.get_by_text("It has arrived").wait_for()


@contextmanager
def make_desk(running: Running, browser: Any) -> Iterator[Desk]:
    made = Desk(running, browser)
    with visit(browser, made.site) as opened:
        page = opened.page
        assert running.link is not None
        page.goto(running.link)
        page.locator("main button").click()
        page.wait_for_url("**/teach")
        assert page.locator(".empty").is_visible()
        assert page.locator("#zone").input_value() == "Europe/Lisbon", "the browser's own"
        page.get_by_label("Title").fill(COURSE)
        page.get_by_role("button", name="Create the course").click()
        page.wait_for_url("**/teach/c/*")
        made.course = page.url.rpartition("/")[2]
        _add_exercise(made, opened)
        _add_students(made, opened)
        _assign(made, opened)
        made.cookies = opened.context.storage_state()
    for code in CLASS:
        made.hand_in(code, ANSWERS[code] if code == "s01" else with_unreadable(ANSWERS["s01"]))
    yield made


def _add_exercise(made: Desk, opened: Visit) -> None:
    page = opened.page
    page.get_by_role("link", name="Exercises").click()
    page.get_by_text("Paste or upload").click()
    page.get_by_label("Document").fill('{"plymark": "exercise/1"')
    page.get_by_role("button", name="Add a document").click()
    assert "not right yet" in page.locator("[role=alert]").inner_text()
    page.get_by_label("Document").fill(json.dumps(EXERCISE))
    page.get_by_role("button", name="Add a document").click()
    page.wait_for_url("**/assign?exercise=*")
    made.exercise = page.url.rpartition("=")[2]


def _add_students(made: Desk, opened: Visit) -> None:
    page = opened.page
    opened.go(f"/teach/c/{made.course}/members")
    lines = "\n".join(f"{code}, {name}, {code}@example.org" for code, name in CLASS.items())
    page.get_by_label("One line for each member").fill(lines)
    page.get_by_role("button", name="Add members").click()
    page.locator(".links li").nth(2).wait_for()
    assert page.locator(".links svg.qr").count() == len(CLASS)
    for code, link in zip(CLASS, page.locator(".links .hash").all_inner_texts(), strict=True):
        made.links[code] = link


def _assign(made: Desk, opened: Visit) -> None:
    page = opened.page
    opened.go(f"/teach/c/{made.course}/assign")
    assert page.get_by_label("Due", exact=True).input_value().endswith("T23:59")
    page.get_by_role("button", name="Assign it").click()
    page.wait_for_url("**/teach/a/*")
    made.assignment = page.url.rpartition("/")[2]
