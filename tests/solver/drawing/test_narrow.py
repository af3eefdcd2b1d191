"""The narrow layout: everything that the wide one shows, in the width of a phone, and nothing on top of anything."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.drawing import LEAST_PICTURE, PHONE, Request, View, board, draw, page_figure, picture, svg
from solver.drawing.moments import moments
from solver.drawing.tree_layout import pictures
from solver.drawing.view import FINISHED, PRUNING
from solver.game import Game
from solver.kernel.errors import Refusal, UsageError
from solver.languages.translation import language
from solver.pipeline import load, load_bytes, load_tree, solve
from tests.support.paths import ROOT
from tests.support.strategies import as_json, chance_trees, document, minimax_trees, player_games
from tests.support.svg_boxes import SVG, Box, boxes, clashes, root_of, texts

EN = language("en")
EVERYTHING = FINISHED | PRUNING
SMALLEST = 12.0
"""CSS pixels of letters that are to be read on a phone."""
SPECS = [path for path in sorted((ROOT / "specs").glob("*.yaml")) if not path.stem.startswith("unknown")]
widths = st.sampled_from([LEAST_PICTURE, 220, PHONE, 600])


def game_of(tree: Any, **head: Any) -> Game:
    return load_bytes(as_json(document(tree, head=head)))


def drawn(game: Game, width: int | None, **options: Any) -> str:
    return draw(game, Request(width=width, most_leaves=None, **options))[0].content.decode()


def segments(polyline: ElementTree.Element) -> Iterator[Box]:
    """Each a box without a width or without a height."""
    points = [tuple(map(float, point.split(","))) for point in polyline.attrib["points"].split()]
    for (x, y), (to_x, to_y) in pairwise(points):
        yield Box(min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y), "edge", "")


def crossed(text: str) -> list[tuple[Box, Box]]:
    """Letters that an edge runs through, but for its own label, which covers it."""
    root = root_of(text)
    letters = [box for box in boxes(text) if box.what != "shape"]
    found: list[tuple[Box, Box]] = []
    for group in root.iter(f"{SVG}g"):
        line = group.find(f"{SVG}polyline")
        own = {each.text for each in group.iter(f"{SVG}text")}
        if line is not None:
            pairs = ((segment, box) for segment in segments(line) for box in letters if box.what not in own)
            found += [(segment, box) for segment, box in pairs if segment.overlaps(box)]
    return found


def size_on_a_phone(text: str) -> float:
    """The smallest letters of a picture in a page that makes it no wider than itself."""
    root = root_of(text)
    smallest = min(float(each.attrib["font-size"]) for each in root.iter(f"{SVG}text"))
    return smallest * min(1.0, PHONE / float(root.attrib["width"]))


@settings(max_examples=60)
@given(minimax_trees(max_leaves=30), st.sampled_from([FINISHED, EVERYTHING]), st.booleans(), widths)
def test_nothing_overlaps_or_sticks_out(tree: Any, show: frozenset[str], blank: bool, width: int) -> None:
    text = drawn(game_of(tree), width, show=show, blank=blank)
    assert not clashes(text) and not (' narrow"' in text and crossed(text))


@settings(max_examples=40)
@given(player_games(), st.sampled_from(["maxn", "paranoid"]), widths)
def test_nothing_overlaps_with_players(players: Any, algorithm: str, width: int) -> None:
    game = game_of(players.tree, **players.head)
    try:
        text = drawn(game, width, algorithm=algorithm)
    except Refusal:
        assert algorithm == "paranoid"
        return
    assert not clashes(text) and not (' narrow"' in text and crossed(text))


@settings(max_examples=40)
@given(chance_trees(), widths)
def test_nothing_overlaps_with_chance(tree: Any, width: int) -> None:
    text = drawn(game_of(tree), width)
    assert not clashes(text) and not (' narrow"' in text and crossed(text))


@pytest.mark.parametrize("code", ["en", "fa"])
@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_all_that_is_shown_wide_is_shown_narrow(spec: Path, code: str) -> None:
    """But who moves, which is said once for a row: shapes say it, and with players every node does."""
    game = load(spec)
    wide, narrow = (drawn(game, width, language=code) for width in (None, LEAST_PICTURE))
    rows = {each.text for each in root_of(wide).iter(f"{SVG}text") if each.get("class") == "row"}
    lost = Counter(" ".join(_written(wide)).split()) - Counter(" ".join(_written(narrow)).split())
    assert not set(lost) - set(" ".join(filter(None, rows)).split())
    assert wide.count('class="cut"') == narrow.count('class="cut"')
    assert wide.count('class="arc') == narrow.count('class="arc')
    for state in ("best", "pruned", "seen"):
        assert wide.count(f'class="edge {state}"') == narrow.count(f'class="edge {state}"')


def _written(text: str) -> list[str]:
    return [each.replace("(", "").replace(")", "") for each in texts(text)]


def leafy(leaves: int, across: int) -> Game:
    level: list[Any] = [place % 10 for place in range(leaves)]
    while len(level) > 1:
        level = [level[place : place + across] for place in range(0, len(level), across)]
    return load_tree(str(level[0]))


@pytest.mark.parametrize("blank", [False, True])
@pytest.mark.parametrize("across", [2, 3, 5, 30])
@pytest.mark.parametrize("leaves", [9, 16, 30])
def test_letters_can_be_read_on_a_phone(leaves: int, across: int, blank: bool) -> None:
    game = leafy(leaves, across)
    assert size_on_a_phone(drawn(game, None, blank=blank)) < SMALLEST
    text = drawn(game, PHONE, blank=blank)
    assert float(root_of(text).attrib["width"]) <= PHONE and size_on_a_phone(text) >= SMALLEST


@pytest.mark.parametrize("spec", SPECS, ids=lambda path: path.stem)
def test_every_example_can_be_read_on_a_phone(spec: Path) -> None:
    for blank in (False, True):
        assert size_on_a_phone(drawn(load(spec), PHONE, blank=blank)) >= SMALLEST


@given(minimax_trees(max_leaves=12), widths)
def test_a_picture_that_fits_is_as_it_always_was(tree: Any, width: int) -> None:
    game = game_of(tree)
    wide, asked = drawn(game, None), drawn(game, width)
    assert (wide == asked) == (float(root_of(wide).attrib["width"]) <= width)


def test_deep_trees_go_in_by_little_and_labels_stand_above() -> None:
    tree: Any = 1
    for _ in range(10):
        tree = [tree, 2]
    text = drawn(load_tree(str(tree)), PHONE)
    assert float(root_of(text).attrib["width"]) <= PHONE
    assert not clashes(text) and not crossed(text)


def test_what_cannot_be_broken_makes_a_picture_wider() -> None:
    moves = [{"move": "漢" * 40, "value": 1}, {"move": "b", "value": 2}]
    game = load_bytes(as_json({"plymark": "game/1", "tree": {"turn": "max", "children": moves}}))
    text = drawn(game, PHONE)
    assert float(root_of(text).attrib["width"]) > PHONE and not clashes(text)


def test_nothing_moves_from_stage_to_stage() -> None:
    solution = solve(load_tree("[[[100,-20],[0.125,7]],[[1,2],[-1000,4]]]"))
    boards = [board(solution.tree, View(EVERYTHING), EN, "", solution, moment) for moment in moments(solution)]
    made = pictures(boards, PHONE)
    places = [[(shape.x, shape.y, shape.width) for shape in each.shapes] for each in made]
    assert len(places) > 5 and made[0].narrow
    assert all(each == places[0] for each in places)
    assert not any(clashes(svg(each)) or crossed(svg(each)) for each in made)


def test_a_page_has_both_pictures_where_one_is_too_wide() -> None:
    game, small = load(ROOT / "specs" / "two-ply.yaml"), load_tree("[1, 2]")
    both = page_figure(board(game.tree, View(blank=True), EN, ""), prefix="t-", to_write=True)
    wide, narrow = root_of(both)
    assert wide.attrib["class"] == "plymark wide wide-7" and narrow.attrib["class"] == "plymark narrow narrow-7"
    for hook in ("data-node", "data-edge"):
        found = [sorted(str(each.get(hook)) for each in one.iter() if each.get(hook)) for one in (wide, narrow)]
        assert found[0] == found[1]
    ids = [each.attrib["id"] for each in root_of(both).iter() if "id" in each.attrib]
    assert len(set(ids)) == len(ids)
    assert len(root_of(page_figure(board(small.tree, View(), EN, "")))) == 1


def test_widths_that_cannot_be_meant() -> None:
    game = load_tree("[1, 2]")
    for request, words in (
        (Request(width=50), "at least 120 pixels wide"),
        (Request(".tex", width=340), "not for .tex"),
    ):
        with pytest.raises(UsageError, match=words):
            draw(game, request)


def test_the_unseen_keep_their_places() -> None:
    """A picture before the first leaf has the size of the last."""
    solution = solve(load_tree("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"))
    boards = [board(solution.tree, View(), EN, "", solution, moment) for moment in moments(solution)]
    first, *_, last = pictures(boards, PHONE)
    assert (first.width, first.height) == (last.width, last.height)
    assert picture(boards[0], PHONE).width <= last.width
