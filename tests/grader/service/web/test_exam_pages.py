"""An exam in a real browser: made at the desk of exercises of the course, answered on one page, told by parts."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from grader.service.run.demo import EXERCISE
from tests.grader.service.web.site import Site, visit

pytestmark = pytest.mark.slow

WRITE = "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); }"


def other(number: int) -> dict[str, Any]:
    made: dict[str, Any] = copy.deepcopy(dict(EXERCISE))
    return {**made, "id": f"other-{number}", "title": "The other tree"}


def test_made_at_the_desk_and_answered(site: Site, browser: Any) -> None:
    site.put_exercise({"variants": [other(1), other(2)]})
    student, cookies = site.new_student(), [{"name": each.name, "value": each.value or "", "url": site.url}
                                            for each in site.teacher.cookies.jar]  # fmt: skip
    with visit(browser, site) as desk:
        desk.context.add_cookies(cookies)
        desk.go(f"/teach/c/{site.course}/exercises")
        page = desk.page
        page.get_by_text("Make an exam of several exercises").click()
        page.get_by_label("Title of the exam").fill("Midterm, part one")
        page.get_by_label(f"Place: {EXERCISE['title']}").fill("1")
        page.get_by_label("Place: The other tree").fill("1")
        page.get_by_label("Marks (blank: as in the exercise): The other tree").fill("5")
        page.get_by_role("button", name="Make the exam").click()
        assert "two exercises have the place 1" in page.locator("[role=alert]").inner_text()
        page.get_by_label("Place: The other tree").fill("2")
        page.get_by_role("button", name="Make the exam").click()
        page.wait_for_url("**/assign?exercise=*")
        exam = page.url.rpartition("=")[2]
        desk.go(f"/teach/c/{site.course}/exercises/{exam}")
        assert "exam/1" in page.content()
    assignment = site.assign(exam, feedback_before="full")
    with visit(browser, site) as opened:
        opened.sign_in(student)
        opened.go(f"/a/{assignment}")
        page = opened.page
        page.locator("main form button.main").click()
        page.locator("ply-tree").nth(1).wait_for()
        assert page.locator("ply-tree").count() == 2
        headings = page.locator("section.part > h2").all_inner_texts()
        assert headings == [f"Exercise 1: {EXERCISE['title']}", "Exercise 2: The other tree"]
        ids = page.locator("[id]").evaluate_all("(found) => found.map((each) => each.id)")
        assert sorted(ids) == sorted(set(ids)), "of two trees on one page"
        second = page.locator("[data-part^='other-']").first.get_attribute("data-part")
        with page.expect_response("**/read"):
            page.locator(f'[name="{EXERCISE["id"]}.values.A"]').evaluate(WRITE, "3")
            page.locator(f'[name="{second}.values.A"]').evaluate(WRITE, "no number")
        page.locator("[data-state=saved]").wait_for()
        page.reload()
        assert page.locator(f'[name="{second}.values.A"]').input_value() == "no number", "the draft was kept"
        page.get_by_role("button", name="Check and hand in").click()
        assert f"{second}: values: A" in page.locator("main").inner_text()
        page.get_by_role("button", name="Hand in now").click()
        page.wait_for_url("**/s/*")
        submission = page.url
        for _ in range(200):
            if page.locator("section.part").count():
                break
            page.goto(submission)
        told = page.locator("section.part h2").all_inner_texts()
        assert told[1] == "Exercise 2: The other tree 0 of 5" and told[0].startswith("Exercise 1")
        assert page.locator("figure.tree").count() == 4, "own and key of each part"
        page.locator("a[href*='steps?part=2']").click()
        assert page.locator("svg").count()
    with visit(browser, site) as desk:
        desk.context.add_cookies(cookies)
        desk.go(f"/teach/a/{assignment}/class")
        page = desk.page
        assert page.locator("section.part").count() == 2 and page.locator("figure.tree").count() == 2
        page.locator("section.part").nth(1).locator(".nodes a").first.click()
        assert "Exercise 2" in page.locator("main").inner_text()
        desk.go(f"/teach/a/{assignment}/review")
        assert "Exercise 2 · values" in page.locator("main").inner_text()
