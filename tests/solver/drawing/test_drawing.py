"""Pictures: what stands on the board is what the search found; nothing overlaps, nothing is clipped, nothing leaks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.drawing import Request, draw
from solver.drawing.boards import LEAF, PRUNED, REST, UNSEEN, Board, board, without_marks
from solver.drawing.moments import Moment, final_moment, moments, stage_count
from solver.drawing.picture_style import text_width
from solver.drawing.svg_picture import svg
from solver.drawing.tree_layout import picture, pictures
from solver.drawing.view import DEEPEST, FINISHED, View, fold_tree, shown_from, stages_from
from solver.game import Game
from solver.kernel import Refusal, UsageError
from solver.languages.codes import LANGUAGES
from solver.languages.translation import language
from solver.pipeline import convention_from_text, load, load_bytes, load_tree, solve
from solver.render.data_format import solution_data
from solver.render.solution_formats import solution_text
from solver.search.solution import Solution
from solver.story import captions
from tests.support.paths import ROOT
from tests.support.strategies import ANY_CONVENTION, as_json, chance_trees, document, minimax_trees, player_games
from tests.support.svg_boxes import clashes, root_of, texts

EN = language("en")
SPECS = ROOT / "specs"
SVG = "{http://www.w3.org/2000/svg}"
FIGURE = "[[3,12,8],[2,4,6],[14,5,2]]"
EVERYTHING = frozenset({"names", "moves", "probabilities", "values", "windows", "intervals", "cuts", "line"})


def game_of(tree: Any, **head: Any) -> Game:
    return load_bytes(as_json(document(tree, head=head)))


def svg_of(game: Game, **request: Any) -> str:
    (drawing,) = draw(game, Request(**request))
    return drawing.content.decode()


INTERVALS = FINISHED - {"windows"} | {"intervals"}
"""As in Figure 5.5."""


def boards_of(solution: Solution, show: frozenset[str] = INTERVALS) -> Iterator[Board]:
    for moment in moments(solution):
        yield board(solution.tree, View(show), EN, "", solution, moment)


def items_by_name(found: Board) -> dict[str, Any]:
    return {item.name: item for item in found.items}


# Figure 5.5.


def test_the_stages_of_figure_5_5() -> None:
    solution = solve(load_tree(FIGURE))
    found = []
    for each in boards_of(solution):
        items = items_by_name(each)
        found.append([items[name].interval for name in "ABCD"])
    assert found == [
        ["[−∞, +∞]", "[−∞, +∞]", "", ""],
        ["[−∞, +∞]", "[−∞, 3]", "", ""],
        ["[−∞, +∞]", "[−∞, 3]", "", ""],
        ["[3, +∞]", "[3, 3]", "", ""],
        ["[3, +∞]", "[3, 3]", "[−∞, 2]", ""],
        ["[3, 14]", "[3, 3]", "[−∞, 2]", "[−∞, 14]"],
        ["[3, 5]", "[3, 3]", "[−∞, 2]", "[−∞, 5]"],
        ["[3, 3]", "[3, 3]", "[−∞, 2]", "[2, 2]"],
    ]


def test_windows_in_place_of_intervals() -> None:
    solution = solve(load_tree(FIGURE), convention=convention_from_text("{like: aima4, write: all}"))
    *_, last = boards_of(solution, FINISHED)
    items = items_by_name(last)
    assert items["A"].windows == ("(−∞, +∞)", "(3, +∞)")
    assert items["B"].windows == ("(−∞, +∞)", "(−∞, 3)")
    assert items["D"].windows == ("(3, +∞)", "(3, 14)", "(3, 5)", "(3, 2)")
    assert [name for name, item in items.items() if item.cut] == ["L5", "L6"]
    assert (items["C"].sign, items["C"].value) == ("≤", "2")


@pytest.mark.parametrize(
    ("write", "shown"), [("entry", "(3, +∞)"), ("exit", "(3, 5)"), ("inequality", None), ("interval", "[2, 2]")]
)
def test_what_the_convention_writes(write: str, shown: str | None) -> None:
    solution = solve(load_tree(FIGURE), convention=convention_from_text(f"{{like: aima3, write: {write}}}"))
    item = items_by_name(board(solution.tree, View(), EN, "", solution))["D"]
    assert item.notes == (() if shown is None else (shown,))


@given(minimax_trees(), ANY_CONVENTION)
def test_boards_show_what_the_solution_says(tree: Any, keys: dict[str, str]) -> None:
    solution = solve(game_of(tree), "alpha-beta", convention_from_text(str({"like": "aima3", **keys})))
    data = solution_data(solution)
    shown: dict[str, str] = {}
    stages = iter(boards_of(solution, EVERYTHING))
    next(stages)
    for stage, here in zip(data["stages"], stages, strict=True):
        items = items_by_name(here)
        known = {name: EN.interval((_bound(low), _bound(high))) for name, (low, high) in stage["intervals"].items()}
        # A node that was entered, and is not known to be anything, can be anything.
        shown = {name: "[−∞, +∞]" for name, item in items.items() if item.windows} | shown | known
        assert {name: item.interval for name, item in items.items() if item.interval} == shown
        assert {name for name, item in items.items() if item.fresh_interval} == set(known)
        assert [name for name, item in items.items() if item.current] == [stage["after"]]
    finished = items_by_name(board(solution.tree, View(EVERYTHING), EN, "", solution))
    assert {name for name, item in finished.items() if item.state == PRUNED} == set(data["pruned"]["nodes"])
    assert {name for name, item in finished.items() if item.cut} == {
        name for cut in data["cuts"] for name in cut["skipped"]
    }
    assert not any(item.state == UNSEEN for item in finished.values())
    for name, facts in data["nodes"].items():
        if facts["turn"] is not None and facts["known"] != "unvisited":
            sign = {"exact": "", "at-most": "≤", "at-least": "≥"}[facts["known"]]
            assert (finished[name].sign, finished[name].value) == (sign, EN.bound(_bound(facts["returned"])))


def _bound(plain: Any) -> Any:
    return plain if plain in ("inf", "-inf") else Fraction(str(plain))


@given(chance_trees(), st.sampled_from(["expectiminimax", "star1", "star2"]), st.booleans())
def test_the_last_moment_is_the_final_one(tree: Any, algorithm: str, fine: bool) -> None:
    solution = solve(game_of(tree, bounds=["-5/2", 3]), algorithm)
    count = 0
    last = Moment()
    for last in moments(solution, fine):
        assert last.stage == count
        count += 1
    assert last.over
    assert count == stage_count(solution, fine) + 1 == len(captions(solution, EN, fine))
    final = final_moment(solution)
    assert (last.seen, last.cuts) == (final.seen, final.cuts)
    inner = [node for node in final.seen if solution.tree.turn[node] is not None]
    assert [last.worth[node] for node in inner] == [final.worth[node] for node in inner]
    if solution.search is not None:
        assert [last.intervals[node] for node in inner] == [final.intervals[node] for node in inner]


def test_fine_steps_of_a_small_tree() -> None:
    """A step for a node entered, for a leaf and for a node finished, each with what it changes above."""
    solution = solve(load_tree("[[3, 12], [2, 4]]"))
    steps = []
    for moment, caption in zip(moments(solution, fine=True), captions(solution, EN, fine=True), strict=True):
        items = items_by_name(board(solution.tree, View(), EN, "", solution, moment))
        here = [name for name, item in items.items() if item.current]
        steps.append((here, [items[name].windows for name in "ABC"], caption.split(".")[0]))
    everything, nothing = ("(−∞, +∞)",), ()
    assert steps[:4] == [
        ([], [nothing, nothing, nothing], "The search starts at A with the window (−∞, +∞)"),
        (["A"], [everything, nothing, nothing], "Enter node A with the window (−∞, +∞); MAX moves"),
        (["B"], [everything, everything, nothing], "Enter node B with the window (−∞, +∞); MIN moves"),
        (["L1"], [everything, ("(−∞, 3)",), nothing], "Leaf L1 is worth 3"),
    ]
    assert [here for here, _, _ in steps[4:]] == [["L2"], ["B"], ["C"], ["L3"], ["C"], ["A"]]
    assert [windows[0] for _, windows, _ in steps[4:]] == [everything, *[("(3, +∞)",)] * 5]


def test_fine_steps_need_stages() -> None:
    with pytest.raises(UsageError, match="--fine is for stages"):
        draw(load_tree(FIGURE), Request(fine=True))
    texts = draw(load_tree(FIGURE), Request(".txt", fine=True, stages="2,5"))[0].content.decode()
    assert "Stage 2 of 15" in texts and "the search is here" in texts


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_legend_tells_what_occurs_and_no_more(code: str) -> None:
    words = language(code)
    text = svg_of(load_tree(FIGURE), language=code, legend=True, title="A <title>")
    meanings = {each.text for each in root_of(text).iter(f"{SVG}text") if each.get("class") == "meaning"}
    keys = ("side.max", "side.min", "picture.leaf", "picture.pruned", "picture.legend.line", "picture.legend.window")
    assert meanings == {words.say(key) for key in (*keys, "picture.legend.bound")}
    (title,) = (each for each in root_of(text).iter(f"{SVG}text") if each.get("class") == "title")
    assert title.text == "A <title>"
    outline = svg_of(load_tree(FIGURE), ending=".txt", language=code, legend=True).split("\n\n")[-1]
    # What is pruned is said beside it, and needs no sign.
    assert meanings - {words.say("picture.pruned")} == {line[7:] for line in outline.splitlines()[1:]}


def test_a_legend_of_stages_is_the_same_at_each() -> None:
    game = load(SPECS / "star-chance-cut.yaml")
    drawn = draw(game, Request(".svg", algorithm="star1", stages="1-8", legend=True))
    legends = {each.content.decode().split('<g class="legend">')[1].split("</g>\n<g transform")[0] for each in drawn}
    assert len(legends) == 1
    shown = legends.pop()
    assert all(word in shown for word in ("chance", "not reached yet", "just evaluated", "changed"))


def test_paranoid_search_names_its_players() -> None:
    game = load(SPECS / "three-players.yaml")
    text = svg_of(game, algorithm="paranoid")
    assert all(f">{row}<" in text for row in ("A (MAX)", "B (MIN)", "C (MIN)"))
    assert 'aria-label="E, C (MIN), move b2' in text
    outline = svg_of(game, algorithm="paranoid", ending=".txt")
    assert re.search(r"▼ E \(C moves\) += 6 +\(−∞, 1\)\n", outline)


def test_players_are_in_the_legend_by_name() -> None:
    text = svg_of(load(SPECS / "three-players.yaml"), legend=True)
    assert all(f">{player} moves<" in text.split('<g class="legend">')[1] for player in "ABC")


@given(minimax_trees(max_leaves=30), st.booleans(), st.text("ab ", max_size=90))
@settings(max_examples=40)
def test_a_frame_holds_its_title_and_legend(tree: Any, legend: bool, title: str) -> None:
    root = root_of(svg_of(game_of(tree), legend=legend, title=title))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    for each in root.iter(f"{SVG}text"):
        x, y, half = float(each.get("x", -1)), float(each.get("y", -1)), text_width(each.text or "", 20) / 2
        if each.get("class") == "title":
            assert half <= x <= width - half and 0 <= y <= height
        if each.get("class") == "meaning":
            assert 0 <= x <= width - text_width(each.text or "", 13.5) and 0 <= y <= height


# What is pruned, and what has changed.


@given(chance_trees(), st.sampled_from(["star1", "star2"]))
def test_a_finished_picture_of_chance_leaves_nothing_open(tree: Any, algorithm: str) -> None:
    solution = solve(game_of(tree, bounds=["-5/2", 3]), algorithm)
    ids = solution.tree.ids
    *_, last = boards_of(solution)
    for found in (last, board(solution.tree, View(), EN, "", solution)):
        states = {item.name: item.state for item in found.items}
        assert {name for name, state in states.items() if state == PRUNED} == {ids[node] for node in solution.pruned}
        assert UNSEEN not in states.values()


def test_what_probes_left_open_is_pruned_with_the_chance_node() -> None:
    solution = solve(load(SPECS / "star-probing.yaml"), "star2")
    states = [{item.name: item.state for item in each.items} for each in boards_of(solution)]
    assert [each["L2"] for each in states] == [UNSEEN, UNSEEN, UNSEEN, PRUNED]
    assert "5" in texts(svg_of(load(SPECS / "star-probing.yaml"), algorithm="star2"))


def test_the_last_stage_of_a_plan_is_the_finished_picture() -> None:
    solution = solve(load(SPECS / "vacuum-plan.yaml"))
    *_, last = boards_of(solution)
    finished = board(solution.tree, View(), EN, "", solution)
    assert [item.state for item in last.items] == [item.state for item in finished.items]


def test_stages_show_the_window_in_force() -> None:
    solution = solve(load_tree(FIGURE))
    shown = [items_by_name(each)["A"] for each in boards_of(solution, frozenset({"names", "windows"}))]
    assert [item.windows for item in shown] == [("(−∞, +∞)",)] * 3 + [("(3, +∞)",)] * 5
    assert [item.changed for item in shown] == [number == 3 for number in range(8)]
    assert items_by_name(board(solution.tree, View(), EN, "", solution))["A"].windows == ("(−∞, +∞)",)


@given(
    minimax_trees(), ANY_CONVENTION, st.sampled_from([INTERVALS, FINISHED, EVERYTHING, frozenset({"names", "values"})])
)
def test_changed_is_said_of_what_is_shown_and_new(tree: Any, keys: dict[str, str], show: frozenset[str]) -> None:
    solution = solve(game_of(tree), "alpha-beta", convention_from_text(str({"like": "aima3", **keys})))
    before: dict[str, Any] = {}
    for each in boards_of(solution, show):
        items = items_by_name(each)
        for name, item in items.items():
            old = before.get(name)
            if old is not None and item.kind != LEAF:
                assert not item.fresh_value or (item.sign + item.value and not old.value)
                assert item.fresh_value == (bool(item.value) and not old.value)
                assert not item.fresh_window or item.windows != old.windows
                assert not item.fresh_interval or item.interval != old.interval
            assert ("changed" in item.spoken.split(", ")) == item.changed
        before = items


def test_what_has_changed_is_underlined_and_said() -> None:
    game = load_tree(FIGURE)
    drawn = svg_of(game, stages="3", show=INTERVALS)
    lines = [path for path in root_of(drawn).iter(f"{SVG}path") if path.get("class") == "underline"]
    # B's value and interval, A's interval.
    assert len(lines) == 3
    assert "text-decoration" not in drawn
    outline = svg_of(game, ending=".txt", stages="3", show=INTERVALS)
    assert re.search(r"▲ A +\[3, \+∞\]  changed\n", outline)
    assert re.search(r"▼ B += 3 +\[3, 3\]  changed\n", outline)


@pytest.mark.parametrize("spec", ["two-ply", "deep-cut-showcase", "star-chance-cut", "three-players", "two-teams"])
def test_a_tree_looks_the_same_in_a_drawing_as_in_a_solution(spec: str) -> None:
    game = load(SPECS / f"{spec}.yaml")
    for algorithm in ("auto", "star2") if spec == "star-chance-cut" else ("auto",):
        drawn = svg_of(game, ending=".txt", most_leaves=None, algorithm=algorithm)
        assert drawn.split("\n", 2)[2] == solution_text(game, solve(game, algorithm)).split("\n\n")[1] + "\n"


@given(minimax_trees(max_leaves=30), ANY_CONVENTION)
def test_conventions_look_the_same_too(tree: Any, keys: Any) -> None:
    game, convention = game_of(tree), convention_from_text(str({"like": "aima3", **keys}))
    drawn = svg_of(game, ending=".txt", most_leaves=None, algorithm="alpha-beta", convention=convention)
    solved = solution_text(game, solve(game, "alpha-beta", convention)).split("\n\n")[0]
    # How fail-hard clamps a leaf is in no picture.
    clamped = re.sub(r"(□ \S+ += \S+) → \S+", r"\1", solved)
    assert drawn.split("\n", 2)[2].split() == clamped.split()


@pytest.mark.parametrize(
    ("code", "note"),
    [
        ("en", "✂ after L7: 2 ≤ α = 4 from A, a deep cut"),
        ("pt", "✂ depois de L7: 2 ≤ α = 4, de A, poda profunda"),
        ("es", "✂ después de L7: 2 ≤ α = 4, de A, poda profunda"),
        ("fa", "✂ پس از L7: ۲ ≤ α = ۴ از A، هرس عمیق"),
    ],
)
def test_the_outline_says_why_there_is_a_cut(code: str, note: str) -> None:
    drawn = svg_of(load(SPECS / "deep-cut-showcase.yaml"), ending=".txt", language=code)
    assert note in without_marks(drawn).replace("\xa0", " ")


# Columns.


def columns_of(tree: str) -> tuple[str, Board]:
    solution = solve(load_tree(tree))
    return svg_of(load_tree(tree)), board(solution.tree, View(), EN, "", solution)


def test_outcomes_keep_their_probabilities_however_many() -> None:
    parts = ["1/36", "1/18", "1/12", "1/9", "13/18"]
    outcomes = [{"p": part, "value": place} for place, part in enumerate(parts)]
    tree = {"turn": "max", "children": [{"turn": "chance", "children": outcomes}] * 9}
    game = load_bytes(as_json({"plymark": "game/1", "tree": tree}))
    drawn = texts(svg_of(game))
    assert sum("1/36" in text for text in drawn) == 9
    assert set(game.tree.ids) <= set(drawn)


def test_leaves_in_columns_keep_their_names() -> None:
    drawn, found = columns_of(str([list(range(10))] * 5))
    assert {item.name for item in found.items} <= set(texts(drawn))
    assert not clashes(drawn)


@pytest.mark.parametrize("order", ["left-to-right", "right-to-left"])
def test_no_dashes_lie_on_a_solid_rail(order: str) -> None:
    convention = convention_from_text(f"{{order: {order}}}")
    drawn = svg_of(tree_of(5, 10), convention=convention)
    classes = [edge.attrib["class"] for edge in root_of(drawn).iter(f"{SVG}polyline")]
    ranks = {"edge unseen": 0, "edge pruned": 1, "edge seen": 2, "edge best": 3}
    assert [ranks[each] for each in classes] == sorted(ranks[each] for each in classes)
    assert {"edge pruned", "edge seen", "edge best"} <= set(classes)


def test_a_pruned_rail_goes_on_where_the_seen_one_ends() -> None:
    solution = solve(tree_of(5, 10))
    made = picture(board(solution.tree, View(), EN, "", solution))
    cells = {shape.item.name: shape for shape in made.shapes}
    pruned = [edge for edge in made.edges if edge.item.state == PRUNED]
    assert len(pruned) > 5
    for edge in pruned:
        siblings = solution.tree.children[solution.tree.parent[edge.item.node]]
        seen = [node for node in siblings if node < edge.item.node and node not in solution.pruned]
        last = cells[solution.tree.ids[seen[-1]]]
        assert edge.points[0][1] == last.y + last.height / 2


# Geometry.


def test_several_notes_keep_clear_of_a_triangle() -> None:
    convention = convention_from_text("{like: aima4, write: all}")
    solution = solve(load(SPECS / "deep-cut-showcase.yaml"), convention=convention)
    made = picture(board(solution.tree, View(), EN, "", solution))
    drawn = root_of(svg(made))
    notes = {(float(text.attrib["x"]), text.text) for text in drawn.iter(f"{SVG}text") if text.get("class") == "note"}
    for shape in made.shapes:
        if len(shape.item.notes) > 1:
            assert all((round(shape.x - shape.width / 2 - 5, 1), note) in notes for note in shape.item.notes)


def test_the_ring_keeps_clear_of_the_name() -> None:
    drawn = root_of(svg_of(load(SPECS / "small-alpha-cut.yaml"), stages="1"))
    (node,) = [group for group in drawn.iter(f"{SVG}g") if "current" in group.get("class", "").split()]
    ring = next(each for each in node if each.get("class") == "ring")
    name = next(each for each in node if each.get("class") == "name")
    bottom = float(ring.attrib["y"]) + float(ring.attrib["height"]) + 1
    assert float(name.attrib["y"]) - 0.77 * float(name.attrib["font-size"]) > bottom + 1


def test_an_and_node_has_an_arc_whatever_its_state() -> None:
    one = {"turn": "or", "children": [{"turn": "and", "children": ["true"]}, {"turn": "and", "children": ["true"]}]}
    drawn = svg_of(load_bytes(as_json({"plymark": "game/1", "tree": one})))
    found = [arc.attrib["class"] for arc in root_of(drawn).iter(f"{SVG}path")]
    assert found == ["arc seen", "arc pruned"]


@given(minimax_trees(max_leaves=30), st.sampled_from([FINISHED, INTERVALS, EVERYTHING]), st.booleans())
def test_nothing_overlaps_or_sticks_out(tree: Any, show: frozenset[str], blank: bool) -> None:
    assert not clashes(svg_of(game_of(tree), show=show, blank=blank))


@given(player_games(), st.sampled_from(["maxn", "paranoid"]))
def test_nothing_overlaps_with_players(players: Any, algorithm: str) -> None:
    game = game_of(players.tree, **players.head)
    try:
        assert not clashes(svg_of(game, algorithm=algorithm))
    except Refusal:
        assert algorithm == "paranoid"


@given(chance_trees())
def test_nothing_overlaps_with_chance(tree: Any) -> None:
    assert not clashes(svg_of(game_of(tree)))


@pytest.mark.parametrize("leaves", [1, 2, 9, 10, 30, 41, 100, 120, 121, 500, 3000])
@pytest.mark.parametrize("shape", ["flat", "threes", "tens"])
def test_nothing_overlaps_at_any_size(leaves: int, shape: str) -> None:
    level: list[Any] = list(range(leaves))
    while shape != "flat" and len(level) > 1:
        width = 3 if shape == "threes" else 10
        level = [level[place : place + width] for place in range(0, len(level), width)]
    assert not clashes(svg_of(load_tree(str(level if shape == "flat" else level[0]))))


def test_nothing_moves_from_stage_to_stage() -> None:
    drawn = pictures(list(boards_of(solve(load_tree("[[[100,-20],[0.125,7]],[[1,2],[-1000,4]]]")))))
    places = [[(shape.x, shape.y, shape.width) for shape in each.shapes] for each in drawn]
    assert len(places) > 5
    assert all(each == places[0] for each in places)


# Folding.


@given(minimax_trees(max_leaves=40), st.integers(2, 12))
def test_folding_counts_every_leaf_and_keeps_the_line(tree: Any, most: int) -> None:
    solution = solve(game_of(tree), "minimax")
    fold = fold_tree(solution.tree, solution.line, most)
    turn = solution.tree.turn
    drawn = [node for node in fold.nodes if turn[node] is None]
    assert len(drawn) + sum(fold.hidden.values()) == len(solution.tree.leaves)
    assert set(solution.line) <= set(fold.nodes)
    assert all(solution.tree.parent[node] in fold.children for node in fold.nodes if node)


def tree_of(*widths: int) -> Game:
    """A tree in which every node of a level has as many children, the leaves' values all over the place."""
    values = iter(range(10**6))

    def level(below: tuple[int, ...]) -> Any:
        return [level(below[1:]) for _ in range(below[0])] if below else next(values) * 7919 % 101

    return load_tree(str(level(widths)))


@pytest.mark.parametrize("most", [12, 60, 120])
def test_folding_keeps_to_its_limit(most: int) -> None:
    tree = tree_of(12, 12, 4).tree
    fold = fold_tree(tree, [], most)
    leaves = sum(tree.turn[node] is None for node in fold.nodes)
    assert 12 <= leaves <= most


@pytest.mark.parametrize(
    "widths",
    [(5, 10, 10), (10, 10, 10, 10), (2,) * 13, (3,) * 6, (40, 40), (12, 12, 4), (200,), (5,) * 5, (4,) * 4],
    ids=str,
)
def test_a_folded_picture_fits_a_screen(widths: tuple[int, ...]) -> None:
    game = tree_of(*widths)
    drawn = svg_of(game)
    assert width_of(drawn) < 2_900
    assert len(widths) < 3 or width_of(drawn) > 1_200
    assert not clashes(drawn)


@given(minimax_trees(max_leaves=40), st.integers(1, 12))
def test_no_more_leaves_are_drawn_than_asked_for_but_those_of_the_line(tree: Any, most: int) -> None:
    solution = solve(game_of(tree), "minimax")
    fold = fold_tree(solution.tree, solution.line, most)
    line_end = {node for node in solution.tree.leaves if solution.tree.parent[node] in {0, *solution.line}}
    drawn = {node for node in fold.nodes if solution.tree.turn[node] is None}
    assert len(drawn - line_end) <= most
    assert len(drawn) <= max(most, len(line_end & drawn))


def width_of(drawn: str) -> float:
    return float(root_of(drawn).attrib["width"])


@pytest.mark.slow
def test_a_usual_png_is_never_too_large() -> None:
    game = tree_of(*(2,) * 11)
    assert draw(game, Request(".png", most_leaves=None))[0].content.startswith(b"\x89PNG")
    with pytest.raises(UsageError, match="choose a smaller --scale"):
        draw(game, Request(".png", most_leaves=None, scale=2))


def test_a_chain_is_folded_at_a_depth() -> None:
    flat = {f"n{place}": {"turn": "max", "children": [f"n{place + 1}"]} for place in range(5000)}
    game = load_bytes(as_json({"plymark": "game/1", "root": "n0", "nodes": {**flat, "n5000": {"value": 1}}}))
    finished = solve(game)
    made = board(finished.tree, View(), EN, "", finished)
    assert max(made.depth) == DEEPEST + 1
    assert [item.value for item in made.items if item.kind == REST] == ["… 1 more leaf"]


def test_everything_is_drawn_on_demand() -> None:
    game = load_tree(str([[1] * 20] * 20))
    assert len(texts(svg_of(game, most_leaves=None))) > len(texts(svg_of(game))) + 200


# What a student gets.


@given(minimax_trees(), ANY_CONVENTION)
def test_a_blank_picture_tells_nothing_but_the_tree(tree: Any, keys: dict[str, str]) -> None:
    game = game_of(tree)
    convention = convention_from_text(str({"like": "aima3", **keys}))
    blank = svg_of(game, blank=True, convention=convention)
    given_texts = {*game.tree.ids, *filter(None, game.tree.move), "MAX", "MIN"}
    values = {EN.number(game.tree.leaf[leaf]) for leaf in game.tree.leaves}  # type: ignore[arg-type]
    assert set(texts(blank)) <= given_texts | values
    assert blank == svg_of(game, blank=True), "the convention changes nothing"
    for word in ("pruned", "cut after", "best play", " best", "worth at"):
        assert word not in re.sub(r"<style>.*?</style>", "", blank)
    spoken = re.findall(r'aria-label="([^"]*)"', blank)
    inner = [label for label, turn in zip(spoken, game.tree.turn, strict=True) if turn is not None]
    assert not any("worth" in label for label in inner)


def test_a_tree_with_unknown_leaves_can_be_drawn_blank_only() -> None:
    game = load_bytes(b"plymark: game/1\nunknowns: [x]\ntree: [[3, x], [2, 4]]")
    assert "x" in texts(svg_of(game, blank=True))
    with pytest.raises(Refusal):
        svg_of(game)


def test_what_is_shown_can_be_chosen() -> None:
    game = load_tree(FIGURE)
    assert texts(svg_of(game, show=frozenset())) == ["MAX", "MIN", "3", "12", "8", "2", "4", "6", "14", "5", "2"]
    only_moves = texts(svg_of(game, show=frozenset({"moves"})))
    assert {"a1", "b3"} <= set(only_moves) and "B" not in only_moves and "≤2" not in only_moves
    assert shown_from(None) is None
    assert shown_from("values, cuts") == frozenset({"values", "cuts"})
    with pytest.raises(UsageError, match="cannot show 'colour'"):
        shown_from("colour")


# Stages by number.


@pytest.mark.parametrize(("text", "chosen"), [("0", [0]), ("3", [3]), ("1-5,7", [1, 2, 3, 4, 5, 7]), ("2, 2", [2])])
def test_stages_are_chosen_by_number(text: str, chosen: list[int]) -> None:
    assert stages_from(text, 7) == chosen


@pytest.mark.parametrize("text", ["", "8", "-1", "x", "3-1", "1-9", "1,,2", "٣", "1" * 5000])
def test_other_stages_are_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--stage"):
        stages_from(text, 7)


def test_what_cannot_be_drawn_is_said() -> None:
    game = load_tree(FIGURE)
    for request, message in [
        (Request(".jpg"), "choose one of .svg, .png, .pdf, .tex, .txt, .html"),
        (Request(blank=True, stages="all"), "a blank picture has no stages"),
        (Request(".html", blank=True), "a blank picture has no stages"),
        (Request(algorithm="mcts", stages="all"), "mcts has no stages"),
        (Request(language="xx"), "unknown language 'xx'"),
        (Request(stages="9"), "the stages 0 to 7"),
        (Request(".png", scale=2000), "choose a smaller --scale"),
        (Request(".png", scale=float("nan")), "a scale must be a number above 0, not nan"),
        (Request(".png", scale=-1), "a scale must be a number above 0, not -1"),
        (Request(theme="pink"), "unknown theme 'pink'; choose one of auto, light, dark"),
        (Request(show=frozenset({"zzz"})), "cannot show 'zzz'"),
        (Request(most_leaves=-5), "at least one leaf must be drawn, not -5"),
        (Request(""), "a file's name ends in the kind of picture: .svg, .png"),
    ]:
        with pytest.raises(UsageError, match=re.escape(message)):
            draw(game, request)
    with pytest.raises(UsageError, match="20 pictures of 11,111 nodes are too many to draw at once"):
        draw(tree_of(10, 10, 10, 10), Request(".html", stages="1-20", most_leaves=None))
    with pytest.raises(UsageError, match="at most 200 are drawn at once"):
        draw(load_tree(str([[1] * 30] * 30)), Request(algorithm="minimax", stages="all"))


def test_stages_are_numbered_files_of_one_width() -> None:
    made = draw(load_tree("[[1,2,3,4,5],[6,7,8,9,10]]"), Request(stages="all", algorithm="minimax"))
    assert [drawing.number for drawing in made] == [f"{number:02}" for number in range(1, 11)]
    assert len({re.search(rb'viewBox="[^"]*"', drawing.content)[0] for drawing in made}) == 1  # type: ignore[index]


def test_every_leaf_is_an_item_of_the_tree() -> None:
    found = items_by_name(board(load_tree(FIGURE).tree, View(), EN, "", solve(load_tree(FIGURE))))
    assert sum(item.kind == LEAF for item in found.values()) == 9
    assert found["C"].spoken == "C, MIN, move a2, worth at most 2, window (3, +∞), α-cut after L4"
    assert found["L5"].spoken == "L5, leaf, move c2, worth 4, pruned"
