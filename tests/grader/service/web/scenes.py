"""Every page of a student, in a language, with something on it: to be looked at by tests and by people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from solver.languages import LANGUAGES
from tests.grader.service.web.site import Site, Visit, visit

WRITTEN = {"values.A": "6", "values.B": "2,5", "values.C": "<= 2", "windows.A": "(-inf, inf)", "windows.B": "three"}
WIDTHS = {"phone": (390, 844), "desktop": (1280, 900)}
BEHIND_A_BUTTON = ("check", "conflict", "practised", "progress")
TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
PRACTICE = {
    "practice": "/practice",
    "practise": "/practice/alpha-beta-easy/7",
    "steps": "/practice/alpha-beta-easy/7/steps?step=1",
    "steps-cut": "/practice/alpha-beta-easy/7/steps?step=5",
    "own-tree": f"/practice/tree?{urlencode({'tree': TREE})}",
    "try": f"/try?{urlencode({'tree': TREE})}",
    "try-error": f"/try?{urlencode({'tree': '[[3, 12], [x y, 4]]'})}",
    "try-stage": f"/try?{urlencode({'tree': TREE, 'stage': '4'})}",
}
"""Pages for which nobody need be known."""
NAMES = {"en": "Amal Haddad", "pt": "Inês Duarte", "es": "Lucía Peña", "fa": "فرید کریمی"}


@dataclass
class Scenes:
    site: Site
    language: str
    cookies: Any
    """Of whoever is signed in."""
    paths: dict[str, str] = field(default_factory=dict)
    open_attempt: str = ""
    """The address of a sheet that can be handed in."""


def make_scenes(site: Site, browser: Any, language: str) -> Scenes:
    student = site.new_student(NAMES[language])
    receipt, full = site.assign(), site.assign(feedback_before="full", attempts=3)
    written = site.assign(due="2031-03-27T18:00:00", attempts=None)
    timed = site.assign(due="2031-07-01T12:00:00", minutes=45)
    extended = {"due": "2031-07-03T12:00:00", "reason": "ill"}
    site.call("PUT", f"/api/assignments/{timed}/extensions/{student.code}", json=extended)
    with visit(browser, site) as opened:
        opened.sign_in(student)
        opened.page.get_by_role("button", name=LANGUAGES[language]).click()
        handed_in = [hand_in(opened, each) for each in (receipt, full)]
        begin(opened, written)
        write(opened)
        opened.page.locator('button[formaction$="/draft"]').click()
        opened.page.wait_for_url("**?saved=1")
        opened.go(handed_in[1])
        opened.page.locator(".report").wait_for()
        cookies = opened.context.storage_state()
    paths = {
        "home": "/",
        "join": "/join?code=abcdefgh",
        "sign-in": "/sign-in",
        "link": "/in/nonsense",
        "problem": "/c/nonsense",
        "course": f"/c/{site.course}",
        "assignment": f"/a/{timed}",
        "sheet": f"/a/{written}",
        "receipt": handed_in[0],
        "feedback": handed_in[1],
        **PRACTICE,
    }
    return Scenes(site, language, cookies, paths, f"/a/{written}")


def begin(opened: Visit, assignment: str) -> None:
    opened.go(f"/a/{assignment}")
    opened.page.locator("main form button.main").click()
    opened.page.locator("ply-tree").wait_for()


def write(opened: Visit) -> None:
    """In the form, which holds everything whether or not the tree shows it."""
    for name, text in WRITTEN.items():
        opened.page.locator(f'[name="{name}"]').evaluate(
            "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); }", text
        )


def hand_in(opened: Visit, assignment: str) -> str:
    """The path of what was handed in."""
    begin(opened, assignment)
    write(opened)
    opened.page.locator("main form button.main").last.click()
    opened.page.wait_for_url("**/check")
    opened.page.locator("main form button.main").click()
    opened.page.wait_for_url("**/s/*")
    return str(opened.page.url).removeprefix(opened.site.url)


@contextmanager
def looking(browser: Any, scenes: Scenes) -> Iterator[Visit]:
    with visit(browser, scenes.site, storage_state=scenes.cookies, reduced_motion="reduce") as opened:
        yield opened


def look_from(opened: Visit, device: str, scheme: str) -> None:
    width, height = WIDTHS[device]
    opened.page.set_viewport_size({"width": width, "height": height})
    opened.page.emulate_media(color_scheme=scheme)


def each_page(opened: Visit, scenes: Scenes) -> Iterator[str]:
    """Goes to one page after the other, those behind a button included; the name of each."""
    for name, path in scenes.paths.items():
        opened.go(path)
        opened.page.locator("ply-tree:not(:defined)").wait_for(state="detached")
        yield name
    opened.go(scenes.open_attempt)
    opened.page.locator("main form button.main").last.click()
    opened.page.wait_for_url("**/check")
    yield "check"
    opened.go(scenes.open_attempt)
    opened.page.locator('[name="revision"]').evaluate("(box) => { box.value = '0'; }")
    opened.page.locator('[name="values.A"]').evaluate("(box) => { box.value = '77'; }")
    opened.page.locator('button[formaction$="/draft"]').click()
    opened.page.wait_for_url("**/draft")
    yield "conflict"
    opened.go(PRACTICE["practise"])
    opened.page.locator(".practise .field [name]").first.evaluate("(box) => { box.value = '77'; }")
    opened.page.locator("button[value=hints]").click()
    opened.page.locator("button[value=full]").click()
    opened.page.locator("#result td + td + td").first.wait_for()
    yield "practised"
    kept = {"plymark": "practice/1", "mistakes": {"A2": {"made": 1, "avoided": 0}}, "seen": []}
    opened.page.evaluate("(kept) => localStorage.setItem('plymark-practice', JSON.stringify(kept))", kept)
    opened.go("/practice/progress")
    opened.page.locator("#progress tbody tr").first.wait_for()
    yield "progress"
