"""Pages on paper: what was written and what became of it, without what can only be pressed."""

from __future__ import annotations

from typing import Any

import pytest

from tests.grader.service.web.scenes import Scenes, looking, make_scenes
from tests.grader.service.web.site import Site

pytestmark = pytest.mark.slow

A4 = 680
"""CSS pixels between the margins."""
ON_PAPER = """() => {
  const seen = (each) => each.checkVisibility() && each.getClientRects().length > 0;
  const pictures = [...document.querySelectorAll("figure svg.plymark")].filter(seen);
  const smallest = pictures.map((svg) => Math.min(...[...svg.querySelectorAll("text")].filter(seen).map(
    (text) => parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a)));
  return {
    buttons: [...document.querySelectorAll("button, .button")].filter(seen).length,
    widest: document.documentElement.scrollWidth,
    pictures: pictures.length,
    letters: Math.min(...smallest),
    boxes: [...document.querySelectorAll("main input:not([type=hidden]), main select")].filter(seen).length,
    headings: [...document.querySelectorAll(".side h3")].filter(seen).length,
  };
}"""


@pytest.fixture(scope="module")
def scenes(site: Site, browser: Any) -> Scenes:
    return make_scenes(site, browser, "fa")


@pytest.mark.parametrize(
    ("name", "pictures", "boxes", "headings"), [("sheet", 1, 10, 0), ("feedback", 2, 0, 2), ("receipt", 0, 0, 0)]
)
def test_what_is_printed(scenes: Scenes, browser: Any, name: str, pictures: int, boxes: int, headings: int) -> None:
    """The tree with every box of the form; one's own answer and the key, one below the other."""
    with looking(browser, scenes) as opened:
        opened.go(scenes.paths[name])
        opened.page.locator("ply-tree:not(:defined)").wait_for(state="detached")
        opened.page.set_viewport_size({"width": A4, "height": 960})
        opened.page.emulate_media(media="print")
        found = opened.page.evaluate(ON_PAPER)
    assert found["buttons"] == 0
    assert found["widest"] <= A4
    assert (found["pictures"], found["boxes"], found["headings"]) == (pictures, boxes, headings)
    assert not pictures or found["letters"] >= 8.5
