"""Pictures within pages: hooks for scripts, places to write in, and a style that stands apart."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.drawing import View, board, page_style_sheet, page_svg, picture, svg
from solver.game import Game
from solver.languages.translation import language
from solver.pipeline import load, load_tree, solve
from tests.support.paths import ROOT
from tests.support.svg_boxes import SVG, root_of

EN = language("en")
SPECS = [path for path in sorted((ROOT / "specs").glob("*.yaml")) if not path.stem.startswith("unknown")]
nested = st.recursive(st.integers(-9, 9), lambda inner: st.lists(inner, min_size=1, max_size=4), max_leaves=12)


def drawn(game: Game) -> str:
    solution = solve(game)
    return svg(picture(board(solution.tree, View(most_leaves=None), EN, "", solution)))


def hooks(text: str, kind: str) -> list[str]:
    return [element.attrib[f"data-{kind}"] for element in root_of(text).iter() if f"data-{kind}" in element.attrib]


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_every_node_and_edge_can_be_found(spec: object) -> None:
    game = load(spec)  # type: ignore[arg-type]
    ids = [str(name) for name in game.tree.ids]
    assert hooks(drawn(game), "node") == ids
    assert sorted(hooks(drawn(game), "edge")) == sorted(ids[1:])


def test_labels_and_cuts_belong_to_their_edges() -> None:
    text = drawn(load(ROOT / "specs" / "two-ply.yaml"))
    groups = {group.get("data-edge"): group for group in root_of(text).iter(f"{SVG}g")}
    assert [each.text for each in groups["B"].iter(f"{SVG}text")] == ["a1"]
    crossed = {name for name, group in groups.items() if name and group.find(f"{SVG}path[@class='cut']") is not None}
    assert crossed == {"L5", "L6"}


def test_names_in_hooks_are_escaped() -> None:
    text = drawn(load_tree('{"turn": "max", "children": [{"id": "\\"><b>", "value": 1}, {"id": "&", "value": 2}]}'))
    assert hooks(text, "node")[1:] == ['"><b>', "&"]


def test_a_page_has_the_style_apart() -> None:
    game = load(ROOT / "specs" / "two-ply.yaml")
    text = page_svg(board(game.tree, View(blank=True), EN, ""), to_write=True)
    assert "<style" not in text and "style=" not in text
    kept = ROOT / "grader" / "service" / "http" / "static" / "tree.css"
    assert kept.read_text("utf-8") == page_style_sheet()
    assert "url(" not in page_style_sheet() and "@import" not in page_style_sheet()


@given(nested)
def test_a_tree_to_write_on_has_a_place_for_everything(tree: object) -> None:
    game = load_tree(str([tree, 1]))
    blank = board(game.tree, View(blank=True), EN, "")
    root = root_of(page_svg(blank, to_write=True))
    for group in root.iter(f"{SVG}g"):
        if "data-edge" in group.attrib:
            assert len(group.findall(f"{SVG}path[@class='cut to-make']")) == 1
        elif "data-node" in group.attrib:
            slots = [text.get("data-slot") for text in group.iter(f"{SVG}text") if text.get("data-slot")]
            assert slots == ([] if " leaf " in group.attrib["class"] else ["value", "note"])


@given(nested)
def test_pictures_to_draw_and_to_write_on_are_alike(tree: object) -> None:
    game = load_tree(str([tree, 1]))
    blank = board(game.tree, View(blank=True), EN, "")
    bare = re.sub(
        r'<path class="cut to-make"[^>]*/>\n|<text class="\w+" data-slot[^>]*></text>\n',
        "",
        page_svg(blank, to_write=True),
    )
    assert bare == page_svg(blank) == svg(picture(blank), styled=False)
