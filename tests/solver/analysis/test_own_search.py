"""The windows of somebody who leaves out what they crossed out."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from solver.analysis import replayed_windows
from solver.game import Convention, initial_window
from solver.pipeline import convention_from_text, load_bytes, load_tree
from solver.search import run_alpha_beta
from tests.support.strategies import as_json, document, minimax_trees

CONVENTIONS = [
    Convention(),
    convention_from_text("aima4"),
    convention_from_text("strict"),
    convention_from_text("{like: aima3, order: right-to-left}"),
]


@given(minimax_trees(), st.sampled_from(CONVENTIONS))
def test_whoever_stops_where_the_search_does_has_its_windows(tree: Any, convention: Convention) -> None:
    game = load_bytes(as_json(document(tree)))
    search = run_alpha_beta(game.tree, convention)
    visited = set(search.visited)
    pruned = [leaf for leaf in game.tree.leaves if leaf not in visited]
    found = replayed_windows(game.tree, pruned, convention, initial_window(game.tree, convention))
    assert set(found) == visited.intersection(game.tree.inner)
    number = search.scale.number
    for node, windows in found.items():
        assert windows == {tuple((number(low), number(high)) for low, high in search.windows[node])}


def test_behind_a_missed_cut_bounds_may_move_or_stay() -> None:
    tree = load_tree("[[3,12,8],[2,[4,6],1],[14,5,2]]").tree
    found = replayed_windows(tree, [], Convention(), ("-inf", "inf"))
    behind = {str(tree.ids[node]): {ends[0] for ends in windows} for node, windows in found.items()}
    assert behind["E"] == {(3, "inf"), (3, 2)}
    assert behind["D"] == {(3, "inf")}
