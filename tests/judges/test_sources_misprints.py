"""The lectures that Plymark follows have misprints; none of them is reproduced here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from solver.analysis.analysis_request import AnalysisRequest
from solver.analysis.move_ordering import leaves_evaluated, order_with_fewest
from solver.analysis.piecewise import Piecewise
from solver.analysis.tree_analysis import analyse
from solver.analysis.tree_shape import shape
from solver.analysis.unknowns import SeveralUnknowns, node_functions, several_unknowns, substituted
from solver.game.game_tree import MAX, MIN, NodeId, Tree
from solver.pipeline import convention_from_text, load, load_bytes, load_tree, solve
from solver.render import solution_data
from solver.search import Solution
from tests.support.paths import ROOT

SPECS = ROOT / "specs"
INFINITY = float("inf")


def spec(name: str) -> Any:
    return load(SPECS / f"{name}.yaml")


def solved(name: str, convention: str = "aima3", algorithm: str = "alpha-beta") -> Solution:
    return solve(spec(name), algorithm, convention_from_text(convention))


class TestWhereMaxAndMinStart:
    """One lecture lets MAX start at +∞ and MIN at −∞: v ← +∞ in MAX-VALUE, v ← −∞ in MIN-VALUE."""

    @staticmethod
    def minimax_from(tree: Tree, max_starts: float, min_starts: float) -> Any:
        value: list[Any] = list(tree.leaf)
        for node in tree.bottom_up():
            v: Any = max_starts if tree.turn[node] == MAX else min_starts
            better: Callable[[Any, Any], Any] = max if tree.turn[node] == MAX else min
            for child in tree.children[node]:
                v = better(v, value[child])
            value[node] = v
        return value[0]

    def test_the_misprint_would_give_another_value(self) -> None:
        tree = spec("two-ply").tree
        assert self.minimax_from(tree, max_starts=-INFINITY, min_starts=INFINITY) == 3
        assert self.minimax_from(tree, max_starts=INFINITY, min_starts=-INFINITY) == INFINITY

    @pytest.mark.parametrize("algorithm", ["minimax", "alpha-beta", "star1", "star2"])
    def test_figure_5_2_is_worth_3(self, algorithm: str) -> None:
        assert solved("two-ply", algorithm=algorithm).value == 3

    @pytest.mark.parametrize("convention", ["aima3", "aima4", "strict", "fail-hard"])
    def test_the_root_starts_from_minus_infinity_to_plus_infinity(self, convention: str) -> None:
        nodes = solution_data(solved("two-ply", convention))["nodes"]
        assert nodes["A"]["windows"] == [["-inf", "inf"], [3, "inf"]]
        assert nodes["B"]["entry"] == ["-inf", "inf"]

    def test_any_first_child_is_better_than_what_max_and_min_start_with(self) -> None:
        """Even numbers that nobody would choose as a stand-in for an infinity."""
        huge = 10**39
        assert solve(load_tree(f"[[{-huge}]]"), "alpha-beta").value == -huge
        assert solve(load_tree(f"[[{huge}]]"), "alpha-beta").value == huge


class TestWhichWayTheBoundsMove:
    """The same lecture has β ← MAX(β, v) in MIN-VALUE."""

    @pytest.mark.parametrize("convention", ["aima3", "aima4", "strict", "fail-hard", "{order: right-to-left}"])
    @pytest.mark.parametrize("name", ["two-ply", "three-ply", "deep-cut-showcase", "equality-cut", "beta-cut"])
    def test_beta_only_falls_and_alpha_only_rises(self, name: str, convention: str) -> None:
        moved = 0
        for node in solution_data(solved(name, convention))["nodes"].values():
            alphas, betas = zip(*node["windows"], strict=True) if node["windows"] else ((), ())
            assert list(map(float, alphas)) == sorted(map(float, alphas))
            assert list(map(float, betas)) == sorted(map(float, betas), reverse=True)
            if node["turn"] == MIN:
                assert len(set(alphas)) <= 1
                moved += len(set(betas)) > 1
            elif node["turn"] == MAX:
                assert len(set(betas)) <= 1
        assert moved

    def test_min_takes_the_smaller_of_beta_and_v(self) -> None:
        """D of Figure 5.2 sees 14, then 5: with the misprint β would stay at +∞."""
        nodes = solution_data(solved("two-ply"))["nodes"]
        assert nodes["D"]["windows"] == [[3, "inf"], [3, 14], [3, 5]]

    def test_with_the_misprint_beta_cuts_would_be_lost(self) -> None:
        game = spec("deep-cut-showcase")
        assert self.visited_leaves(game.tree, min) == [4, 7, 5, 15, 2, 9, 19]
        assert self.visited_leaves(game.tree, max) == [4, 7, 5, 0, 15, 2, 9, 19]
        found = solve(game, "alpha-beta")
        leaves = [node for node in found.visited if game.tree.turn[node] is None]
        assert [game.tree.leaf[node] for node in leaves] == self.visited_leaves(game.tree, min)

    @staticmethod
    def visited_leaves(tree: Tree, new_beta: Callable[[float, float], float]) -> list[Any]:
        """AIMA 3e, Figure 5.7, with β ← new_beta(β, v) at MIN."""
        seen: list[Any] = []

        def search(node: int, alpha: float, beta: float) -> Any:
            if not tree.children[node]:
                seen.append(tree.leaf[node])
                return tree.leaf[node]
            maximising = tree.turn[node] == MAX
            v = -INFINITY if maximising else INFINITY
            for child in tree.children[node]:
                worth = search(child, alpha, beta)
                v = max(v, worth) if maximising else min(v, worth)
                if v >= beta if maximising else v <= alpha:
                    return v
                if maximising:
                    alpha = max(alpha, v)
                else:
                    beta = new_beta(beta, v)
            return v

        search(0, -INFINITY, INFINITY)
        return seen


class TestEquality:
    """Another lecture says "greater than" in words and ≥ in its code. Both exist here, each under its name."""

    def test_both_are_named(self) -> None:
        assert convention_from_text("aima3").cut == "at-bound"
        assert convention_from_text("strict").cut == "past-bound"

    def test_they_prune_differently_where_a_value_meets_its_bound(self) -> None:
        at, past = solution_data(solved("equality-cut", "aima3")), solution_data(solved("equality-cut", "strict"))
        assert at["pruned"]["leaves"] == ["L5", "L6", "L9"]
        assert past["pruned"]["leaves"] == ["L5", "L6"]
        assert at["value"] == past["value"] == 5

    def test_the_solution_says_which_was_in_force(self) -> None:
        for name, cut in (("aima3", "at-bound"), ("strict", "past-bound")):
            convention = solution_data(solved("equality-cut", name))["convention"]
            assert (convention["name"], convention["cut"]) == (name, cut)


class TestHalved:
    """A lecture says that pruning halves the calculation. In the best order it halves the exponent."""

    @staticmethod
    def uniform(b: int, m: int) -> Tree:
        """All leaves different."""
        count = iter(range(b**m))

        def text(depth: int) -> str:
            return f"[{', '.join(text(depth - 1) for _ in range(b))}]" if depth else str(next(count) * 37 % 1009)

        return load_tree(text(m)).tree

    @pytest.mark.parametrize(("b", "m"), [(2, 2), (2, 3), (2, 6), (3, 2), (3, 3), (3, 4), (4, 4), (5, 3)])
    def test_the_fewest_leaves_of_a_uniform_tree(self, b: int, m: int) -> None:
        tree = self.uniform(b, m)
        expected = b ** ((m + 1) // 2) + b ** (m // 2) - 1
        best = order_with_fewest(tree)
        assert best.leaves == shape(tree).uniform_fewest == expected
        assert len(leaves_evaluated(tree, best.order)) == expected
        assert 2 * expected != b**m

    def test_far_fewer_than_half(self) -> None:
        assert order_with_fewest(self.uniform(3, 6)).leaves == 53 < 3**6 // 13

    def test_figure_5_2(self) -> None:
        assert order_with_fewest(spec("two-ply").tree).leaves == 5


class TestUnknownReplies:
    """A lecture has z = min(x, y) in one place and z = min(2, x, y) in another; C's first leaf is 2, so it is the
    latter."""

    VALUES = (-7, 0, 1, 2, 3, 12, 100)

    def test_the_value_is_3_whatever_they_are(self) -> None:
        game = spec("unknown-pair")
        found = analyse(game, convention_from_text("aima3"), AnalysisRequest()).unknowns
        assert isinstance(found, SeveralUnknowns)
        assert (found.low, found.high, found.depends) == (3, 3, False)
        assert dict(found.matters) == {"x": False, "y": False}

    def test_c_is_the_smallest_of_2_x_and_y(self) -> None:
        tree = spec("unknown-pair").tree
        for x in self.VALUES:
            with_x = substituted(tree, {"x": x})
            c_of_y = node_functions(with_x)[tree.index["C"]]
            assert isinstance(c_of_y, Piecewise)
            for y in self.VALUES:
                game = load_tree(f"[[3, 12, 8], [2, {x}, {y}], [14, 5, 2]]")
                solution = solve(game, "minimax")
                assert solution.values[game.tree.index[NodeId("C")]] == c_of_y(y) == min(2, x, y)
                assert solution.value == 3
                assert several_unknowns(substituted(with_x, {"y": y})).low == 3

    def test_c_is_at_most_2(self) -> None:
        c = several_unknowns(load_unknown("{turn: min, children: [2, x, y]}"))
        assert (c.low, c.high) == ("-inf", 2)

    def test_min_of_x_and_y_alone_would_not_leave_3(self) -> None:
        """With the misprint the root would depend on them: 2 is what keeps C below 3."""
        found = several_unknowns(load_unknown("[[3, 12, 8], [x, y], [14, 5, 2]]"))
        assert (found.low, found.high) == (3, "inf")
        assert dict(found.matters) == {"x": True, "y": True}


def load_unknown(tree: str) -> Tree:
    return load_bytes(f"plymark: game/1\nunknowns: [x, y]\ntree: {tree}\n".encode()).tree
