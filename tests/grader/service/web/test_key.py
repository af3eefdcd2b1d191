"""Nothing that a browser receives before release tells the key: planted values are looked for in all of it."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from grader.service.run.demo import EXERCISE
from tests.grader.service.web.site import Site, Visit, visit

pytestmark = pytest.mark.slow

# The leaves are shown, so the key must be something that no leaf is: a mean of two of them.
PLANTED = ("7919/4", "1979.75", "1979,75", "۱۹۷۹٫۷۵")


def planted() -> dict[str, Any]:
    exercise: dict[str, Any] = copy.deepcopy(dict(EXERCISE))
    exercise["id"] = "planted"
    fair = [{"p": "1/4", "value": 1000}, {"p": "3/4", "value": "6919/3"}]
    children = [{"move": "a1", "id": "B", "turn": "chance", "children": fair}]
    children.append({"move": "a2", "id": "C", "turn": "chance", "children": [{"p": "1", "value": 1}]})
    exercise["game"] = {"tree": {"id": "A", "turn": "max", "children": children}}
    exercise["questions"] = [{"id": "values", "ask": "values", "marks": 4}, {"id": "move", "ask": "move", "marks": 1}]
    exercise.pop("convention")
    exercise.pop("marking")
    return exercise


def received(opened: Visit) -> str:
    """Bodies, headers and addresses of all that came since it was asked for the last time, on one page."""
    opened.page.wait_for_load_state("networkidle")
    parts = []
    for response in opened.responses:
        parts += [response.url, str(response.all_headers())]
        if response.status not in (204, 303, 304):
            parts.append(response.body().decode("utf-8", "replace"))
    opened.responses.clear()
    return "\n".join(parts)


def test_the_key_reaches_no_browser_before_release(site: Site, browser: Any) -> None:
    assignment, student = site.assign(site.put_exercise(planted())), site.new_student()
    with visit(browser, site) as opened:
        opened.page.goto(student.link)
        said = received(opened)
        opened.page.locator("main button").click()
        said += received(opened)
        for path in (f"/c/{site.course}", f"/a/{assignment}"):
            opened.go(path)
            said += received(opened)
        opened.page.locator("main form button.main").click()
        opened.page.locator("ply-tree").wait_for()
        with opened.page.expect_response("**/read"):
            opened.page.locator('[name="values.A"]').evaluate(
                "(box) => { box.value = '12'; box.dispatchEvent(new Event('input', { bubbles: true })); }"
            )
        said += received(opened)
        for where in ("**/check", "**/s/*"):
            opened.page.locator("main form button.main").last.click()
            opened.page.wait_for_url(where)
            said += received(opened)
        submission = opened.page.url
        for address in (f"{submission}/steps", submission, f"{site.url}/c/{site.course}"):
            opened.page.goto(address)
            said += received(opened)
        assert "This is shown later" in said
        assert "6919/3" in said, "the leaves are there"
        assert [each for each in PLANTED if each in said] == []
        site.change(assignment, released=True)
        said = ""
        for _ in range(100):
            opened.page.goto(submission)
            said += received(opened)
            if opened.page.locator(".report").count():
                break
        assert any(each in said for each in PLANTED), "after release it is"
