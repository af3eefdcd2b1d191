"""What made a new teacher hesitate, or lost work: each as it happened, in a browser or over HTTP."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from grader.service.http.page_texts import texts_of
from tests.grader.service.desk.class_scene import CLASS, UNREADABLE, WRITE, Desk
from tests.support.browser import expect
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

AUDITED = re.compile(r'\.audit\([^"]*"([a-z]+\.[a-z-]+)"')
PERSONAL = {"link.made", "password.set", "session.began", "teacher.made", "token.made"}
"""What belongs to no course, and so is on no page of one."""


def test_a_decision_shows_the_key_and_can_be_made_again(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/a/{desk.assignment}/review")
        if page.get_by_role("button", name="Decide for all").count():
            assert "Answer key 3" in page.locator("li.card").inner_text()
            page.get_by_label("Marks, at most").fill("0")
            page.get_by_role("button", name="Decide for all").click()
        card = page.locator("section li.card")
        card.wait_for()
        assert card.locator("blockquote").inner_text() == UNREADABLE
        assert "Answer key" in card.inner_text()
        for marks in ("0.25", "0.5"):
            card.get_by_label("Marks, at most").fill(marks)
            card.get_by_label("Reason").fill(f"worth {marks}")
            card.get_by_role("button", name="Decide again").click()
            card.get_by_text(f"worth {marks}", exact=True).wait_for()
            expect(card).to_have_count(1)
        opened.go(f"/teach/a/{desk.assignment}")
        expect(page.get_by_text(re.compile(r"^(10|12)\.5 of"))).to_have_count(2)


def test_of_two_teachers_each_changes_their_own_rule(desk: Desk) -> None:
    """The form of one was opened before the other saved."""
    with desk.visit(java_script_enabled=False) as opened:
        first, second = opened.page, opened.context.new_page()
        address = f"{desk.running.url}/teach/a/{desk.assignment}/edit"
        opens = ""
        for each in (first, second):
            each.goto(address)
            opens = each.get_by_label("Opens").input_value()
        for each, box, typed in ((first, "How many attempts", "4"), (second, "Minutes for an attempt", "90")):
            each.get_by_label(box).fill(typed)
            each.get_by_role("button", name="Save").click()
        first.goto(address)
        assert first.get_by_label("How many attempts").input_value() == "4"
        assert first.get_by_label("Minutes for an attempt").input_value() == "90"
        assert first.get_by_label("Opens").input_value() == opens
        first.get_by_label("How many attempts").fill("1")
        first.get_by_label("Minutes for an attempt").fill("")
        first.get_by_role("button", name="Save").click()
        first.goto(address)
        assert first.get_by_label("Minutes for an attempt").input_value() == ""


def test_what_a_teacher_tries_counts_for_nobody(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/a/{desk.assignment}")
        handed_in = page.get_by_role("status").first.inner_text().partition("·")[0]
        page.get_by_role("link", name="Try it as a student").click()
        page.get_by_text("does not count").wait_for()
        page.get_by_role("button", name="Begin").click()
        page.locator('[name="values.A"]').evaluate(WRITE, "3")
        page.get_by_role("button", name="Check and hand in").click()
        page.get_by_role("button", name="Hand in now").click()
        page.get_by_text("It has arrived").wait_for()
        opened.go(f"/teach/a/{desk.assignment}")
        assert page.get_by_role("status").first.inner_text().partition("·")[0] == handed_in
        assert page.locator("tbody tr").count() == len(CLASS)


def test_closing_is_asked_about_first(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/a/{desk.assignment}")
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.get_by_role("button", name="Close now").click()
        assert page.get_by_role("button", name="Close now").is_visible()
        opened.go(f"/teach/a/{desk.assignment}")
        assert page.get_by_role("button", name="Close now").is_visible()


def test_a_list_with_a_fault_is_where_the_reader_looks(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/c/{desk.course}/members")
        page.get_by_label("One line for each member").fill("id,name\ns90,Dora\ns90,Eli")
        page.get_by_role("button", name="Add members").click()
        page.get_by_text("s90 appears twice, first at line 2").wait_for()
        assert page.evaluate("document.activeElement.id") == "lines"
        assert page.get_by_label("One line for each member").input_value().endswith("s90,Eli")
        opened.go(f"/teach/c/{desk.course}/members")
        assert page.get_by_text("Dora").count() == 0


def test_names_that_are_formulas_or_markup_stay_text(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go("/teach")
        page.get_by_label("Title").fill("<b>Odd</b> names")
        page.get_by_role("button", name="Create the course").click()
        page.wait_for_url("**/teach/c/*")
        course = page.url.rpartition("/")[2]
        opened.go(f"/teach/c/{course}/members")
        lines = 's1,"=HYPERLINK(""http://example.org"")"\ns2,<img src=x onerror=document.title=1>\ns3,\u202eevil'
        page.get_by_label("One line for each member").fill(lines)
        page.get_by_role("button", name="Add members").click()
        page.locator(".links li").nth(2).wait_for()
        assert page.locator(".links img[src=x]").count() == 0
        with page.expect_download() as taken:
            page.get_by_role("link", name="Save as CSV").click()
        assert "\"'=HYPERLINK(" in taken.value.path().read_text("utf-8-sig"), "no formula"
        opened.go(f"/teach/c/{course}/members")
        assert page.get_by_text("<img src=x").first.is_visible()
        assert page.locator("td img").count() == 0


def test_a_link_that_is_dead_tells_a_teacher_what_to_do(desk: Desk) -> None:
    assert desk.running.link is not None
    with desk.running.client() as client:
        answer = client.post(desk.running.link, data={"next": "/"}, headers={"Origin": desk.running.url})
    assert answer.status_code == 401
    assert "plymark admin link" in answer.text


def test_the_way_from_a_regrade_to_the_exercise(desk: Desk) -> None:
    with desk.visit() as opened:
        opened.go(f"/teach/a/{desk.assignment}/regrades")
        opened.page.locator("main p a").click()
        opened.page.wait_for_url(f"**/exercises/{desk.exercise}")


def test_downloads_are_called_after_the_exercise(desk: Desk) -> None:
    with desk.visit() as opened:
        opened.go(f"/teach/a/{desk.assignment}")
        with opened.page.expect_download() as taken:
            opened.page.get_by_role("link", name="Grades for Canvas").click()
        assert re.fullmatch(r"[a-z][a-z0-9-]*-grades-canvas\.csv", taken.value.suggested_filename)


def test_whatever_is_recorded_of_a_course_has_words() -> None:
    kinds = {kind for file in Path(ROOT, "grader/service").rglob("*.py") for kind in AUDITED.findall(file.read_text())}
    assert len(kinds) > 20
    assert {each for each in kinds - PERSONAL if not texts_of("en").knows(f"page.desk.did.{each}")} == set()
