"""The loop of alpha-beta is the textbook's recursion: the same values, visits, cuts and pruned leaves."""

from math import inf
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from solver.game import ROOT
from solver.game.convention import CONVENTIONS, Convention
from solver.pipeline import load_bytes
from solver.search.algorithms.alpha_beta import rules_of, run_alpha_beta
from tests.judges.brute_force import Tree
from tests.judges.textbook import AlphaBetaSearch
from tests.support.strategies import ANY_CONVENTION, WINDOWS, as_json, document, minimax_trees


def held_to_the_textbook(tree: Tree, convention: Convention) -> None:
    game = load_bytes(as_json(document(tree))).tree
    loop = run_alpha_beta(game, convention)
    book = AlphaBetaSearch(game, loop.scale.utility, loop.scale.infinity, rules_of(convention))
    assert not isinstance(convention.window, str)
    alpha, beta = map(loop.scale.rank, convention.window)
    assert book.value(ROOT, alpha, beta) == loop.returned[0]
    assert book.visited == list(loop.visited)
    assert book.cuts == [(cut.node, cut.after) for cut in loop.cuts]
    pruned = {leaf for leaf in game.leaves if loop.returned[leaf] is None}
    assert pruned == set(game.leaves) - set(book.visited)


@given(minimax_trees(), st.sampled_from(list(CONVENTIONS.values())))
def test_named_conventions(tree: Tree, convention: Convention) -> None:
    held_to_the_textbook(tree, convention)


@given(minimax_trees(), ANY_CONVENTION, st.just((-inf, inf)) | WINDOWS)
def test_any_convention_from_any_window(tree: Tree, keys: Any, window: Any) -> None:
    ends = tuple({-inf: "-inf", inf: "inf"}.get(bound, bound) for bound in window)
    held_to_the_textbook(tree, Convention(**keys, window=ends))
