"""Every page at the width of a phone and of a desk, light and dark, in English and Persian."""

from __future__ import annotations

from typing import Any

import pytest

from tests.grader.service.web.scenes import Scenes, each_page, look_from, looking, make_scenes
from tests.grader.service.web.site import Site

pytestmark = pytest.mark.slow

LOOK = """
() => {
  const faults = [];
  const name = (each) => each.outerHTML.slice(0, 90).replace(/\\s+/g, " ");
  const seen = (each) => each.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    && each.getClientRects().length > 0;
  const scroller = (each) => each.closest(".tree, .wide, .plymark-room");
  const root = document.documentElement;
  if (root.scrollWidth > innerWidth) faults.push(`the page scrolls sideways: ${root.scrollWidth} > ${innerWidth}`);
  for (const each of document.querySelectorAll("body *")) {
    if (!seen(each) || each.closest(".skip, .unseen, script, style, option")) continue;
    const style = getComputedStyle(each), box = each.getBoundingClientRect();
    const text = [...each.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (text) {
      const scale = each.ownerSVGElement ? each.getScreenCTM().a : 1;
      const size = parseFloat(style.fontSize) * scale;
      if (size < 11.99) faults.push(`${size.toFixed(1)} px: ${name(each)}`);
      if (!each.ownerSVGElement && !scroller(each) && (box.left < -1 || box.right > innerWidth + 1))
        faults.push(`beside the page: ${name(each)}`);
      const hidden = ["hidden", "clip"].includes(style.overflowX);
      if (hidden && each.scrollWidth > each.clientWidth + 1) faults.push(`clipped: ${name(each)}`);
    }
    const target = each.matches("a[href], button, input:not([type=hidden]), select, textarea, summary");
    if (target && (box.width < 24 || box.height < 24))
      faults.push(`${box.width.toFixed(0)} by ${box.height.toFixed(0)}: ${name(each)}`);
  }
  return faults.concat(window.heard.map((each) => `policy: ${each}`));
}
"""


@pytest.fixture(scope="module")
def scenes(site: Site, browser: Any) -> dict[str, Scenes]:
    return {language: make_scenes(site, browser, language) for language in ("en", "fa")}


@pytest.fixture(scope="module")
def axe() -> Any:
    from axe_playwright_python.sync_playwright import Axe

    return Axe()


PLACES = [(device, scheme) for device in ("phone", "desktop") for scheme in ("light", "dark")]
JUDGED = [("phone", "light"), ("desktop", "dark")]
"""Where axe looks in every run: at both widths and in both colours; in the long one everywhere."""


def faults(scenes: Scenes, browser: Any, axe: Any, judged: list[tuple[str, str]]) -> list[str]:
    found: list[str] = []
    with looking(browser, scenes) as opened:
        for name in each_page(opened, scenes):
            assert opened.page.title().endswith(" · Plymark")
            assert opened.page.locator("html").get_attribute("lang") == scenes.language
            for place in PLACES:
                look_from(opened, *place)
                found += [f"{name} {place}: {fault}" for fault in opened.page.evaluate(LOOK)]
                violations = axe.run(opened.page).response["violations"] if place in judged else []
                found += [f"{name} {place}: {each['id']}: {each['nodes'][0]['html'][:120]}" for each in violations]
    return found


@pytest.mark.parametrize("language", ["en", "fa"])
def test_how_every_page_looks(scenes: dict[str, Scenes], browser: Any, axe: Any, language: str) -> None:
    """No sideways scroll but the tree's, nothing clipped, targets of 24 px, text of 12 px; axe finds nothing at all."""
    assert faults(scenes[language], browser, axe, JUDGED) == []


@pytest.mark.soak
@pytest.mark.parametrize("language", ["en", "fa"])
def test_axe_finds_nothing_anywhere(scenes: dict[str, Scenes], browser: Any, axe: Any, language: str) -> None:
    assert faults(scenes[language], browser, axe, PLACES) == []


def test_a_fault_would_be_seen(scenes: dict[str, Scenes], browser: Any) -> None:
    with looking(browser, scenes["en"]) as opened:
        opened.go("/")
        look_from(opened, "phone", "light")
        opened.page.locator("main").evaluate(
            "(main) => { main.innerHTML = '<p><button></button><small>x</small></p>'"
            " + '<pre>' + 'wide '.repeat(200) + '</pre>'; }"
        )
        opened.page.locator("small").evaluate("(each) => { each.style.fontSize = '9px'; }")
        opened.page.locator("main button").evaluate("(each) => { each.style.minHeight = each.style.padding = '0'; }")
        said = " ".join(opened.page.evaluate(LOOK))
        for fault in ("scrolls sideways", "9.0 px", "2 by 2"):
            assert fault in said
