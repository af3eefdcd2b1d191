"""Take the pictures of docs/pages.md.

    python tools/screenshots.py

Starts a service with a class in it, goes to every page as a student would, and writes docs/pages/*.png. It needs what
the tests of pages need: the extra `dev` and Chromium.
"""

from __future__ import annotations

import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pages"
sys.path.insert(0, str(ROOT))

from playwright.sync_api import sync_playwright  # noqa: E402 - after the path

from tests.grader.service.served import served  # noqa: E402
from tests.grader.service.web.scenes import each_page, look_from, looking, make_scenes  # noqa: E402
from tests.grader.service.web.site import open_site  # noqa: E402
from tests.support.browser import chromium  # noqa: E402

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


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.png"):
        old.unlink()
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder) / "data") as running,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        site = open_site(running)
        for language in sorted({shot.language for shot in SHOTS}):
            _take(browser, make_scenes(site, browser, language))
        browser.close()
        site.teacher.close()


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
