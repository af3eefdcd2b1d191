"""Take the pictures of docs/pages.md, docs/desk.md and docs/lecture-hall.md.

    python tools/screenshots.py
    python tools/screenshots.py teachers writing

Starts a service with a class in it, goes to every page as a student and as a teacher would, and writes
docs/pages/*.png; with `students`, `teachers` or `writing` only those. It needs what the tests of pages need: the
extra `ci` and Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pages"
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402 - after the path

from solver.languages import LANGUAGES  # noqa: E402
from tests.grader.service.served import served  # noqa: E402
from tests.grader.service.web.scenes import each_page, look_from, looking, make_scenes  # noqa: E402
from tests.grader.service.web.site import Site, Visit, open_site, visit  # noqa: E402
from tests.grader.service.writing.scenes import each_writing_page  # noqa: E402
from tests.support.browser import chromium  # noqa: E402

TEACHERS, WRITING = ("desk-", "hall-"), ("write-",)
"""With which the names of teachers' pages begin, and of those where they write."""
TALLEST = 1_800
"""Pixels of a page that are shown at most."""


@dataclass(frozen=True)
class Shot:
    page: str
    """As the tests call it."""
    device: str = "desktop"
    scheme: str = "light"
    language: str = "en"

    @property
    def name(self) -> str:
        return f"{self.page}-{self.device}-{self.scheme}-{self.language}.png"


SHOTS = (
    Shot("home"),
    Shot("home", "phone", language="fa"),
    Shot("link", "phone"),
    Shot("course"),
    Shot("course", "phone", "dark"),
    Shot("assignment", "phone"),
    Shot("sheet"),
    Shot("sheet", "phone"),
    Shot("sheet", "phone", "dark", "fa"),
    Shot("check", "phone"),
    Shot("conflict"),
    Shot("receipt", "phone"),
    Shot("feedback"),
    Shot("feedback", "phone", "dark"),
    Shot("feedback", language="fa"),
    Shot("problem", "phone"),
    Shot("practice"),
    Shot("practised"),
    Shot("steps-cut", "phone"),
    Shot("steps", language="fa"),
    Shot("progress", "phone", "dark"),
    Shot("try"),
    Shot("try-stage", "phone"),
    Shot("try-error", "phone"),
)


DESK_SHOTS = (
    Shot("desk-course"),
    Shot("desk-work"),
    Shot("desk-work", "phone", "dark"),
    Shot("desk-class"),
    Shot("desk-class", language="fa"),
    Shot("desk-answers"),
    Shot("desk-review"),
    Shot("desk-assign"),
    Shot("desk-links"),
    Shot("hall-projector"),
    Shot("hall-phone", "phone"),
)
WRITING_SHOTS = (
    Shot("write-exercise"),
    Shot("write-exercise", language="fa"),
    Shot("write-exercise", "phone", "dark"),
    Shot("write-completion"),
    Shot("write-completion", scheme="dark"),
    Shot("write-players"),
    Shot("write-flat"),
    Shot("write-recipe"),
)
WRITTEN = ({"values.A": "3", "values.B": "3"}, {"values.A": "3", "values.B": "12"}, {"values.A": "14", "values.B": "3"})
"""What guests in the hall answer."""


def main() -> None:
    wanted = set(sys.argv[1:]) or {"students", "teachers", "writing"}
    FOLDER.mkdir(exist_ok=True)
    # Imported only here: the docs are held against the list above without it.
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        if "students" in wanted:
            _clear(lambda name: not name.startswith(TEACHERS + WRITING))
            _students(browser, Path(folder) / "students")
        if "teachers" in wanted:
            _clear(lambda name: name.startswith(TEACHERS))
            _teachers(browser, Path(folder) / "teachers")
        if "writing" in wanted:
            _clear(lambda name: name.startswith(WRITING))
            _writing(browser, Path(folder) / "writing")
        browser.close()


def _clear(ours: Callable[[str], bool]) -> None:
    for old in FOLDER.glob("*.png"):
        if ours(old.name):
            old.unlink()


def _students(browser: Any, data: Path) -> None:
    with served(data) as running:
        site = open_site(running)
        for language in sorted({shot.language for shot in SHOTS}):
            _take(browser, make_scenes(site, browser, language))
        site.teacher.close()


def _teachers(browser: Any, data: Path) -> None:
    """The class of `--demo`, and a live exercise with a few guests."""
    with served(data, "--demo") as running, visit(browser, Site(running, httpx.Client()), locale="en-GB") as opened:
        assert running.link is not None
        opened.page.goto(running.link)
        opened.page.locator("main button").click()
        opened.page.locator("main a.card").click()
        course = opened.page.url.rpartition("/")[2]
        opened.page.locator("h3 a").click()
        opened.page.locator("[data-live]").get_by_text("to review").wait_for(timeout=60_000)
        at = opened.page.url.removeprefix(running.url)
        opened.go(f"/teach/c/{course}/live")
        opened.page.locator("form.start button").click()
        live = opened.page.url.rpartition("/")[2]
        for written in WRITTEN:
            with httpx.Client(base_url=running.url, headers={"Origin": running.url}) as guest:
                guest.get(f"/live/{live}")
                assert guest.post(f"/live/{live}", data=written).status_code == 303
        paths = {
            "desk-course": f"/teach/c/{course}",
            "desk-work": at,
            "desk-class": f"{at}/class",
            "desk-answers": f"{at}/answers?node=C",
            "desk-review": f"{at}/review",
            "desk-assign": f"/teach/c/{course}/assign",
            "hall-projector": f"/teach/live/{live}",
            "hall-phone": f"/live/{live}",
        }
        for language in sorted({shot.language for shot in DESK_SHOTS}):
            opened.page.get_by_role("button", name=LANGUAGES[language]).click()
            for shot in DESK_SHOTS:
                if shot.language == language:
                    _teachers_page(opened, paths.get(shot.page), course)
                    look_from(opened, shot.device, shot.scheme)
                    _save(opened.page, FOLDER / shot.name)
                    print(shot.name)


def _writing(browser: Any, data: Path) -> None:
    with served(data) as running:
        site = open_site(running)
        for language in sorted({shot.language for shot in WRITING_SHOTS}):
            with visit(browser, site, reduced_motion="reduce") as opened:
                known = {**site.teacher.cookies, "plymark_language": language}
                opened.context.add_cookies([{"name": each, "value": known[each], "url": site.url} for each in known])
                look_from(opened, "desktop", "light")
                for name in each_writing_page(opened, site.course):
                    for shot in WRITING_SHOTS:
                        if (shot.page, shot.language) == (name, language):
                            look_from(opened, shot.device, shot.scheme)
                            opened.page.wait_for_timeout(200)
                            _save(opened.page, FOLDER / shot.name)
                            print(shot.name)
                    look_from(opened, "desktop", "light")
        site.teacher.close()


def _teachers_page(opened: Visit, path: str | None, course: str) -> None:
    """Links are shown only to whoever has just made them."""
    opened.go(path or f"/teach/c/{course}/members")
    if path is None:
        opened.page.get_by_label("One line for each member").fill("Maya Levi\nNoor Aziz\nOlga Petrova")
        opened.page.get_by_role("button", name="Add members").click()
        opened.page.locator(".links").wait_for()
    opened.page.locator("ply-tree:not(:defined)").wait_for(state="detached")


def _take(browser: Any, scenes: Any) -> None:
    with looking(browser, scenes) as opened:
        for name in each_page(opened, scenes):
            for shot in SHOTS:
                if (shot.page, shot.language) == (name, scenes.language):
                    look_from(opened, shot.device, shot.scheme)
                    _save(opened.page, FOLDER / shot.name)
                    print(shot.name)


def _save(page: Any, file: Path) -> None:
    size = page.evaluate("[document.documentElement.clientWidth, document.documentElement.scrollHeight]")
    clip = {"x": 0, "y": 0, "width": size[0], "height": min(size[1], TALLEST)}
    page.screenshot(path=file, full_page=True, clip=clip)


if __name__ == "__main__":
    main()
