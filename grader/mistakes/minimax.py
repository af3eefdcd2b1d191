"""M: mistakes in who wants what, and in what a node is worth."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from grader.mistakes.behaviour import Behaviour, Model
from grader.mistakes.induction import Rule, induced, written
from grader.mistakes.searching import rules_of, searched
from solver.game import CHANCE, MAX, MIN, Convention, Tree
from solver.search import Solution

Turns = Sequence[str | None]


def of_numbers(solution: Solution) -> bool:
    """Whether the key is a number at every node: no players, no plan, no sampling."""
    tree = solution.tree
    return bool(tree.inner) and tree.turns <= {MAX, MIN, CHANCE} and tree.only_numbers and solution.sampled is None


def right_rule(tree: Tree, turn: Turns) -> Rule:
    """Expectiminimax by these turns."""

    def worth(node: int, values: list[Any]) -> Any:
        if turn[node] == CHANCE:
            return mean_by_chance(tree, node, values)
        return max(values) if turn[node] == MAX else min(values)

    return worth


def mean_by_chance(tree: Tree, node: int, values: Sequence[Any]) -> Any:
    return sum(tree.probability[child] * value for child, value in zip(tree.children[node], values, strict=True))


def _with_turns(turns: Callable[[Tree], Turns]) -> Callable[[Tree, Convention, Solution], Behaviour | None]:
    """The right algorithm, except for who moves where."""

    def run(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        tree = solution.tree
        if not of_numbers(solution):
            return None
        turn = turns(tree)
        if solution.search is not None and CHANCE not in tree.turns:
            return searched(solution, rules_of(convention), turn)
        return written(tree, convention, induced(tree, right_rule(tree, turn)))

    return run


def _everywhere(word: str) -> Callable[[Tree], Turns]:
    return lambda tree: [word if turn in (MAX, MIN) else turn for turn in tree.turn]


def _swapped(tree: Tree) -> Turns:
    other: dict[str | None, str] = {MAX: MIN, MIN: MAX}
    return [other.get(turn, turn) for turn in tree.turn]


def _by_height(tree: Tree) -> Turns:
    """Parents of leaves are MIN, the nodes above them MAX, and so on up."""
    height = [0] * len(tree)
    for node in tree.bottom_up():
        height[node] = 1 + max(height[child] for child in tree.children[node])
    return [turn if turn in (CHANCE, None) else MIN if height[node] % 2 else MAX for node, turn in enumerate(tree.turn)]


def _with_rule(rule_of: Callable[[Tree], Rule | None]) -> Callable[[Tree, Convention, Solution], Behaviour | None]:
    """Values by a wrong rule at some nodes; it does not say how such a student would prune."""

    def run(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        rule = rule_of(solution.tree) if of_numbers(solution) else None
        return None if rule is None else written(solution.tree, convention, induced(solution.tree, rule))

    return run


def _at_min(worth: Callable[[list[Any]], Any]) -> Callable[[Tree], Rule]:
    def rule_of(tree: Tree) -> Rule:
        right = right_rule(tree, tree.turn)
        return lambda node, values: worth(values) if tree.turn[node] == MIN else right(node, values)

    return rule_of


def _first_child(tree: Tree) -> Rule:
    right = right_rule(tree, tree.turn)
    return lambda node, values: right(node, values) if tree.turn[node] == CHANCE else values[0]


def _one_min_layer(tree: Tree) -> Rule | None:
    """Of consecutive MIN layers the first minimises, the others return their first child."""
    right = right_rule(tree, tree.turn)
    later = {
        child
        for node in tree.inner
        if tree.turn[node] == MIN
        for child in tree.children[node]
        if tree.turn[child] == MIN
    }
    return (lambda node, values: values[0] if node in later else right(node, values)) if later else None


def _estimates(tree: Tree) -> Rule | None:
    right, estimates = right_rule(tree, tree.turn), tree.estimates or {}
    if not any(node in estimates for node in tree.inner):
        return None
    return lambda node, values: estimates[node] if node in estimates else right(node, values)


def _with_depth(wrong: Callable[[int, int, str], int]) -> Callable[[Tree, Convention, Solution], Behaviour | None]:
    """The depth limit understood in another way; only where the key stops at one, and estimates are there too."""

    def run(tree: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        shorter = solution.tree
        if len(shorter) == len(tree) or tree.players:
            return None
        stopped = [node for node in shorter.leaves if tree.turn[tree.index[shorter.ids[node]]] is not None]
        if not stopped or not of_numbers(solution):
            return None
        limit = wrong(shorter.depth[stopped[0]], max(2, len(tree.players)), convention.depth_unit)
        found = _down_to(tree, limit)
        if found is None:
            return None
        # Nodes of the key by their place in the whole tree: ids are the same in both.
        values = [found[tree.index[name]] for name in shorter.ids]
        return written(shorter, convention, values)

    return run


def _down_to(tree: Tree, limit: int) -> list[Any] | None:
    """Values with estimates at the limit and nothing below it; None where an estimate is missing."""
    estimates, right = tree.estimates or {}, right_rule(tree, tree.turn)
    if limit < 1 or any(tree.depth[node] == limit and node not in estimates for node in tree.inner):
        return None
    if not all(isinstance(tree.leaf[node], int | Fraction) for node in tree.leaves if tree.depth[node] <= limit):
        return None
    values: list[Any] = [leaf if tree.depth[node] <= limit else None for node, leaf in enumerate(tree.leaf)]
    for node in tree.bottom_up():
        if tree.depth[node] == limit:
            values[node] = estimates[node]
        elif tree.depth[node] < limit:
            values[node] = right(node, [values[child] for child in tree.children[node]])
    return values


FAMILY = "minimax"
MODELS = [
    Model("M1", FAMILY, _with_turns(_swapped)),
    Model("M2", FAMILY, _with_turns(_everywhere(MAX))),
    Model("M3", FAMILY, _with_turns(_everywhere(MIN))),
    Model("M4", FAMILY, _with_rule(_at_min(lambda values: Fraction(sum(values)) / len(values)))),
    Model("M5", FAMILY, _with_rule(_at_min(sum))),
    Model("M6", FAMILY, _with_rule(_first_child)),
    Model("M7", FAMILY, _with_turns(_by_height)),
    Model("M8", FAMILY, _with_depth(lambda plies, players, unit: plies + (players if unit == "round" else 1))),
    Model(
        "M8.shallower", FAMILY, _with_depth(lambda plies, players, unit: plies - (players if unit == "round" else 1))
    ),
    Model(
        "M8.rounds",
        FAMILY,
        _with_depth(lambda plies, players, unit: plies // players if unit == "round" else 2 * plies),
    ),
    Model("M9", FAMILY, _with_rule(_one_min_layer)),
    Model("M10", FAMILY, _with_rule(_estimates)),
]
