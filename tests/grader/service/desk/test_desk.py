"""The desk in a real browser: a class from its review to its gradebook."""

from __future__ import annotations

import json
import re
import zipfile

import pytest

from grader.service.run.demo import EXERCISE
from tests.grader.service.desk.class_scene import CLASS, UNREADABLE, Desk
from tests.grader.service.web.site import visit
from tests.support.browser import expect

pytestmark = pytest.mark.slow


def test_from_the_first_link_to_a_graded_class(desk: Desk) -> None:
    """A decision that marks equal answers, a regrade, release and an export; the fixture has done what comes before."""
    with desk.visit() as opened:
        page, at = opened.page, f"/teach/a/{desk.assignment}"
        opened.go(at)
        page.get_by_role("status").get_by_text("Handed in: 3 of 3 students").wait_for()
        page.get_by_role("link", name="1 answer to review").wait_for()  # the list asks again by itself
        page.get_by_role("link", name="1 answer to review").click()
        assert page.locator("blockquote").inner_text() == UNREADABLE
        assert "2 equal answers" in page.locator("main").inner_text()
        page.get_by_label("Marks, at most 1").fill("0,5")
        page.get_by_label("Reason").fill("the right idea")
        page.get_by_role("button", name="Decide for all").click()
        page.locator(".empty").wait_for()
        opened.go(at)
        expect(page.get_by_text("10.5 of 11")).to_have_count(2)

        opened.go(f"/teach/c/{desk.course}/exercises")
        page.get_by_text("Paste or upload").click()
        worth_more = json.loads(json.dumps(EXERCISE))
        worth_more["questions"][3]["marks"] = 3
        page.get_by_label("Document").fill(json.dumps(worth_more))
        page.get_by_label("Add it as").select_option(desk.exercise)
        page.get_by_role("button", name="Add a document").click()
        page.get_by_text("Version 2").wait_for()

        opened.go(f"{at}/regrades")
        page.get_by_label("Nobody gets fewer marks").check()
        page.get_by_role("button", name="See what would change").click()
        page.get_by_role("button", name="Apply to all").wait_for()
        assert "10.5" in page.locator("tbody").inner_text()
        assert "12.5" in page.locator("tbody").inner_text()
        page.get_by_label("Leave out: Chen Wei").check()
        page.get_by_role("button", name="Apply to all").click()
        page.get_by_text("It has been applied.").wait_for()
        opened.go(at)
        rows = page.locator("tbody tr").all_inner_texts()
        told = [re.search(r"([\d.]+ of [\d.]+)", row) for row in rows]
        assert [each and each[1] for each in told] == ["13 of 13", "12.5 of 13", "10.5 of 11"]

        page.once("dialog", lambda dialog: dialog.accept())  # it is still open: the key would be out
        page.get_by_role("button", name="Release the feedback").click()
        page.get_by_text("Feedback is released").wait_for()
        with page.expect_download() as taken:
            page.get_by_role("link", name="Grades as CSV").click()
        sheet = taken.value.path().read_text("utf-8-sig")
        assert all(code in sheet for code in CLASS)
        assert "12.5" in sheet
        with page.expect_download() as taken:
            page.get_by_role("link", name="Answers (answer/1").click()
        lines = taken.value.path().read_text().splitlines()
        assert [json.loads(line)["plymark"] for line in lines] == ["answer/1"] * 3
        with page.expect_download() as taken:
            page.get_by_role("link", name="Feedback pages (HTML)").click()
        with zipfile.ZipFile(taken.value.path()) as packed:
            assert sorted(packed.namelist()) == ["index.html", *(f"{code}.html" for code in sorted(CLASS))]
            assert b"The answer key on the tree" in packed.read(f"{min(CLASS)}.html")
    with visit(desk.browser, desk.site) as student:
        student.page.goto(desk.links["s02"])
        student.page.locator("main button").click()
        student.go(f"/c/{desk.course}")
        assert "12.5 of 13" in student.page.locator("main").inner_text()


def test_a_node_and_a_mistake_lead_to_the_answers_behind_them(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/a/{desk.assignment}/class")
        page.locator("figure.tree [data-node=B]").click()
        page.wait_for_url("**/answers?node=B")
        assert page.locator("li.card").count() == len(CLASS)
        assert UNREADABLE in page.locator("main").inner_text()
        opened.go(f"/teach/a/{desk.assignment}/answers?node=L5")
        assert "after L4" in page.locator("li.card").first.inner_text(), "the cut that the leaf is behind"
        page.get_by_role("button", name="Hide names").click()
        page.get_by_role("button", name="Show names").wait_for()
        assert "Bruno" not in page.content()
        opened.go(f"/teach/a/{desk.assignment}")
        assert "Bruno" not in page.content(), "the names stay off from page to page"
        opened.go(f"/teach/a/{desk.assignment}/extensions")
        assert "Bruno" not in page.content()
        opened.go(f"/teach/a/{desk.assignment}")
        page.get_by_role("link", name="Attempt 1: s02").click()
        page.wait_for_url("**/s/*")
        assert "Bruno" not in page.content()
        opened.go(f"/teach/a/{desk.assignment}")
        page.get_by_role("button", name="Show names").click()
        page.get_by_role("button", name="Hide names").wait_for()
        assert "Bruno" in page.content()


def test_the_way_to_an_answer_by_keyboard(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/a/{desk.assignment}/class")
        for _ in range(40):
            page.keyboard.press("Tab")
            if page.evaluate(
                "document.activeElement.matches('.nodes a') && document.activeElement.textContent === 'B'"
            ):
                break
        page.keyboard.press("Enter")
        page.wait_for_url("**/answers?node=B")
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip", "the first stop leads past the head"


def test_an_override_has_a_reason_and_can_be_taken_back(desk: Desk) -> None:
    with desk.visit() as opened:
        page = opened.page
        opened.go(f"/teach/a/{desk.assignment}")
        page.get_by_role("link", name="Change marks: Amal Haddad").click()
        page.get_by_label("Marks", exact=True).fill("7/2")
        page.locator("#reason").fill("agreed in person")
        page.get_by_role("button", name="Give these marks").click()
        page.get_by_text("agreed in person").wait_for()
        assert page.locator(".total").inner_text().startswith("3.5 of")
        page.get_by_role("button", name="Remove all marks").click()
        page.get_by_text("agreed in person").wait_for(state="detached")


def test_dates_extensions_and_closing(desk: Desk) -> None:
    with desk.visit(java_script_enabled=False) as opened:
        page, at = opened.page, f"/teach/a/{desk.assignment}"
        opened.go(f"{at}/extensions")
        page.get_by_label("Student", exact=True).select_option("s03")
        page.get_by_label("Due", exact=True).fill("2031-03-27T18:00")
        page.get_by_label("Reason").fill("ill")
        page.get_by_role("button", name="Give an extension").click()
        assert "27 Mar 2031, 18:00" in page.locator("li.card").inner_text()
        page.get_by_role("button", name="Take it back: Chen Wei").click()
        assert page.locator("li.card").count() == 0
        opened.go(f"{at}/edit")
        page.get_by_label("How many attempts").fill("3")
        page.get_by_label("Percent a day").fill("10")
        page.get_by_label("At most, in percent").fill("50")
        page.get_by_role("button", name="Save").click()
        opened.go(f"{at}/edit")
        assert page.get_by_label("How many attempts").input_value() == "3"
        assert page.get_by_label("Percent a day").input_value() == "10"
        opened.go(at)
        page.get_by_role("button", name="Close now").click()
        assert page.locator("h1 .phase").inner_text() == "closed"
        page.get_by_role("button", name="Open now").click()
        assert page.locator("h1 .phase").inner_text() == "late, still open"


def test_members_links_copy_and_delete(desk: Desk) -> None:
    """New links kill the old ones, and the page asks first."""
    with desk.visit() as opened:
        page = opened.page
        opened.go("/teach")
        page.get_by_label("Title").fill("Another")
        page.get_by_role("button", name="Create the course").click()
        page.wait_for_url("**/teach/c/*")
        course = page.url.rpartition("/")[2]
        opened.go(f"/teach/c/{course}/members")
        page.get_by_label("One line for each member").fill("id,name,email\nx1,Xenia Ray,x@example.org")
        page.get_by_role("button", name="Add members").click()
        old = page.locator(".links .hash").inner_text()
        opened.go(f"/teach/c/{course}/members")
        page.get_by_label("Role of Xenia Ray").select_option("assistant")
        page.get_by_role("button", name="Save: Xenia Ray").click()
        assert page.get_by_label("Role of Xenia Ray").input_value() == "assistant"
        page.get_by_role("button", name="New link: Xenia Ray").click()
        new = page.locator(".links .hash").inner_text()
        with desk.running.client(old.rpartition("/")[2]) as client:
            assert client.get(f"/api/courses/{course}").status_code == 401
        with desk.running.client(new.rpartition("/")[2]) as client:
            assert client.get(f"/teach/c/{course}").status_code == 200
        opened.go(f"/teach/c/{course}/members")
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("button", name="Remove: Xenia Ray").click()
        page.get_by_text("Xenia Ray").wait_for(state="detached")
        opened.go(f"/teach/c/{course}/settings")
        page.get_by_label("Title of the copy").fill("Another, next year")
        page.get_by_label("Move all dates").fill("26")
        page.get_by_role("button", name="Copy for another term").click()
        page.get_by_role("heading", name="Another, next year").wait_for()
        opened.go(f"/teach/c/{course}/settings")
        page.get_by_label("I am sure").check()
        page.get_by_role("button", name="Delete the course").click()
        page.wait_for_url("**/teach")
        assert page.get_by_role("link", name=re.compile("^Another teacher")).count() == 0


def test_papers_keys_and_exports_are_files(desk: Desk) -> None:
    with desk.visit() as opened:
        for query, begins in {
            "kind=sheet&format=pdf": b"%PDF",
            "kind=key&format=html": b"<!",
            "system=moodle": b"<?xml",
            "system=canvas": b"PK",
            "system=prairielearn": b"PK",
        }.items():
            got = opened.context.request.get(f"{desk.running.url}/teach/a/{desk.assignment}/paper?{query}")
            assert got.ok, f"{query}: {got.status} {got.text()[:2000]}"
            assert got.body().startswith(begins), f"{query}: {got.body()[:40]!r}"
