"""Pictures in a page, as a browser shows them: the one that there is room for, in letters that can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from solver.drawing import View, board, page_figure, page_style_sheet
from solver.languages.translation import language
from solver.pipeline import load, load_tree, solve
from tests.support.browser import browser, watched_page
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

__all__ = ["browser"]

PADDING = 16
SIZES = """() => {
  const [seen, ...others] = [...document.querySelectorAll("svg.plymark")].filter((svg) => svg.getClientRects().length);
  if (others.length) throw Error("two pictures are seen");
  const scale = seen.getBoundingClientRect().width / seen.viewBox.baseVal.width;
  const sizes = [...seen.querySelectorAll("text")].map((text) => parseFloat(getComputedStyle(text).fontSize) * scale);
  const room = document.querySelector(".plymark-room");
  return {
    narrow: seen.classList.contains("narrow"),
    letters: Math.min(...sizes),
    scrolls: room.scrollWidth > room.clientWidth,
    cuts: [...seen.querySelectorAll(".to-make")].filter((cut) => cut.getClientRects().length).length,
  };
}"""


def tree_of(leaves: int, across: int) -> str:
    level: list[Any] = [place % 10 for place in range(leaves)]
    while len(level) > 1:
        level = [level[place : place + across] for place in range(0, len(level), across)]
    return str(level[0])


def shown(browser: Any, tmp_path: Path, figure: str, width: int, script: str = SIZES) -> Any:
    file = tmp_path / "page.html"
    style = f"body{{margin:{PADDING}px}}figure{{margin:0}}{page_style_sheet()}"
    file.write_text(
        f'<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
        f"<title>Tree</title><style>{style}</style><figure>{figure}</figure></html>",
        "utf-8",
    )
    with watched_page(browser, viewport={"width": width, "height": 800}) as page:
        page.goto(file.as_uri())
        return page.evaluate(script)


@pytest.mark.parametrize("code", ["en", "fa"])
@pytest.mark.parametrize(("leaves", "across"), [(9, 3), (16, 2), (30, 5)])
def test_letters_can_be_read_on_a_phone(browser: Any, tmp_path: Path, leaves: int, across: int, code: str) -> None:
    game = load_tree(tree_of(leaves, across))
    solution = solve(game)
    for made in (
        board(game.tree, View(blank=True), language(code), ""),
        board(solution.tree, View(), language(code), "", solution),
    ):
        found = shown(browser, tmp_path, page_figure(made, to_write=True), 390)
        assert found["narrow"] and found["letters"] >= 12 and not found["scrolls"] and not found["cuts"]


def test_the_wide_picture_is_shown_where_there_is_room(browser: Any, tmp_path: Path) -> None:
    game = load(ROOT / "specs" / "two-ply.yaml")
    figure = page_figure(board(game.tree, View(blank=True), language("en"), ""))
    found = {width: shown(browser, tmp_path, figure, width + 2 * PADDING)["narrow"] for width in (600, 699, 700, 1248)}
    assert found == {600: True, 699: True, 700: False, 1248: False}
    small = page_figure(board(load_tree("[1, 2]").tree, View(), language("en"), ""))
    assert not shown(browser, tmp_path, small, 390)["narrow"]


def test_a_cut_is_seen_once_it_is_made(browser: Any, tmp_path: Path) -> None:
    game = load(ROOT / "specs" / "two-ply.yaml")
    figure = page_figure(board(game.tree, View(blank=True), language("en"), ""), to_write=True)
    script = f"""() => {{
      for (const edge of document.querySelectorAll('[data-edge="L5"]')) edge.classList.add("is-cut");
      return ({SIZES})();
    }}"""
    for width in (390, 1280):
        assert shown(browser, tmp_path, figure, width, script)["cuts"] == 1


def test_a_deep_tree_is_moved_within_its_room(browser: Any, tmp_path: Path) -> None:
    tree: Any = 1
    for _ in range(16):
        tree = [tree, 2]
    found = shown(browser, tmp_path, page_figure(board(load_tree(str(tree)).tree, View(), language("en"), "")), 390)
    assert found["narrow"] and found["letters"] >= 12 and found["scrolls"]
