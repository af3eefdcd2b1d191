"""A: mistakes in alpha-beta search. Most are the right search with one rule replaced, as the table in the docs says."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from itertools import product
from typing import Any

from grader.mistakes.behaviour import Behaviour, Model
from grader.mistakes.searching import (
    Call,
    MistakenRules,
    Pair,
    infinity_of,
    inherited,
    initial_window,
    right_test,
    rules_of,
    searched,
)
from solver.game import MAX, MIN, ROOT, Convention, Tree
from solver.search import CUT, EVALUATED, Solution

Run = Callable[[Tree, Convention, Solution], Behaviour | None]


def by_alpha_beta(solution: Solution) -> bool:
    tree = solution.tree
    return solution.search is not None and bool(tree.inner) and tree.turns <= {MAX, MIN}


def _with_rules(wrong: Callable[[MistakenRules, Solution], MistakenRules | None]) -> Run:
    """The search with other rules than the convention's."""

    def run(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        rules = wrong(rules_of(convention), solution) if by_alpha_beta(solution) else None
        return None if rules is None else searched(solution, rules)

    return run


def _beside_the_search(says: Callable[[Convention, Solution], Behaviour]) -> Run:
    """The right search, with something else made of it."""
    return lambda _, convention, solution: says(convention, solution) if by_alpha_beta(solution) else None


def _other_test(rules: MistakenRules, _: Solution) -> MistakenRules | None:
    # Past-bound makes no sense with fail-hard: nobody teaches it, and it would hardly ever cut.
    return None if rules.fail_hard else replace(rules, past_bound=not rules.past_bound)


def _bounds_of_parent_only(rules: MistakenRules, solution: Solution) -> MistakenRules:
    infinity = infinity_of(solution)
    return replace(rules, hands_down=lambda call: (call.v, infinity) if call.maximising else (-infinity, call.v))


def _nothing_from_root(rules: MistakenRules, solution: Solution) -> MistakenRules:
    infinity = infinity_of(solution)
    return replace(rules, hands_down=lambda call: inherited(call) if call.node else (-infinity, infinity))


def _nothing_inherited(rules: MistakenRules, solution: Solution) -> MistakenRules:
    infinity = infinity_of(solution)
    return replace(rules, hands_down=lambda _: (-infinity, infinity))


def _beta_grows(rules: MistakenRules, _: Solution) -> MistakenRules:
    def moves(call: Call) -> Pair:
        return (max(call.alpha, call.v), call.beta) if call.maximising else (call.alpha, max(call.beta, call.v))

    return replace(rules, moves=moves)


def _crossed(rules: MistakenRules, call: Call) -> bool:
    """α ≥ β at any node, or α > β."""
    return call.alpha > call.beta or (call.alpha == call.beta and not rules.past_bound)


def _moves_the_other_bound(rules: MistakenRules, _: Solution) -> MistakenRules:
    def moves(call: Call) -> Pair:
        return (call.alpha, min(call.beta, call.v)) if call.maximising else (max(call.alpha, call.v), call.beta)

    return replace(rules, moves=moves, stops=_crossed, update_before_test=True)


def _never_restored(rules: MistakenRules, _: Solution) -> MistakenRules:
    """A node moves the shared bound before it tests v: what it reached is there for all, even if it stops."""
    return replace(rules, keeps_window=True, update_before_test=True)


def _never_restored_crossed(rules: MistakenRules, _: Solution) -> MistakenRules:
    return replace(rules, keeps_window=True, stops=_crossed, update_before_test=True)


def _same_kind_too(rules: MistakenRules, solution: Solution) -> MistakenRules:
    infinity = infinity_of(solution)

    def stops(rules: MistakenRules, call: Call) -> bool:
        own = call.entry[0] if call.maximising else call.entry[1]
        return right_test(rules, call) or (abs(own) != infinity and call.reaches(rules, own))

    return replace(rules, stops=stops)


def _no_improvement(rules: MistakenRules, _: Solution) -> MistakenRules:
    return replace(rules, stops=lambda _, call: call.place > 1 and call.better(call.before, call.value))


def _other_direction(rules: MistakenRules, _: Solution) -> MistakenRules:
    return replace(rules, right_to_left=not rules.right_to_left)


def _looks_ahead(rules: MistakenRules, solution: Solution) -> MistakenRules:
    """A later inner child is skipped whole when its true value is no better than what the node has."""
    tree, true = solution.tree, solution.values

    def skips(call: Call, child: int) -> bool:
        return tree.turn[child] is not None and not call.better(true[child], call.v)  # type: ignore[arg-type]

    return replace(rules, skips=skips)


def _one_level_too_high(rules: MistakenRules, _: Solution) -> MistakenRules:
    return replace(rules, parent_stops=True)


def _only_alpha_cuts(rules: MistakenRules, _: Solution) -> MistakenRules:
    return replace(rules, stops=lambda rules, call: not call.maximising and right_test(rules, call))


def _any_better_sibling(rules: MistakenRules, solution: Solution) -> MistakenRules:
    """In place of the right test: a later child whose first leaf is worse than the best so far is crossed out."""
    tree = solution.tree
    first: list[Any] = list(tree.leaf)
    for node in tree.bottom_up():
        first[node] = first[tree.children[node][-1 if rules.right_to_left else 0]]
    return replace(rules, skips=lambda call, child: call.better(call.v, first[child]), stops=lambda *_: False)


def _crosses_out_the_cause(_: Convention, solution: Solution) -> Behaviour:
    tree, search = solution.tree, solution.search
    assert search is not None
    crossed = {node for node in solution.pruned if tree.turn[node] is None}
    last = ROOT
    for kind, node, _what in search.events:
        if kind == EVALUATED:
            last = node
        elif kind == CUT:
            crossed.add(last)
    return Behaviour(pruned=frozenset(crossed))


def _irrelevant_leaves(convention: Convention, solution: Solution) -> Behaviour:
    """Every leaf that alone could take any value without changing the root's."""
    tree, infinity = solution.tree, infinity_of(solution)
    true: Any = solution.values
    # As a function of one node's value x, the root is worth x clamped to [low, high].
    low: list[Any] = [-infinity] * len(tree)
    high: list[Any] = [infinity] * len(tree)
    for node in tree.inner:
        maximising = tree.turn[node] == MAX
        ordered = sorted((true[child] for child in tree.children[node]), reverse=maximising)
        for child in tree.children[node]:
            low[child], high[child] = low[node], high[node]
            if len(ordered) > 1:
                others = ordered[1] if true[child] == ordered[0] else ordered[0]
                clamped = max(low[node], min(high[node], others))
                (low if maximising else high)[child] = clamped
    pruned = frozenset(leaf for leaf in tree.leaves if low[leaf] == high[leaf])
    order = tree.leaves[::-1] if convention.order == "right-to-left" else tree.leaves
    return Behaviour(pruned=pruned, visited=[leaf for leaf in order if leaf not in pruned])


def _last_of_equals(convention: Convention, solution: Solution) -> Behaviour:
    tree, search = solution.tree, solution.search
    assert search is not None
    children = tree.children[0][:: -1 if convention.order == "right-to-left" else 1]
    return Behaviour(move=[child for child in children if search.returned[child] == search.returned[0]][-1])


FAMILY = "pruning"
MODELS = [
    Model("A1", FAMILY, _with_rules(_other_test)),
    Model("A2", FAMILY, _with_rules(_bounds_of_parent_only)),
    Model("A3", FAMILY, _with_rules(_nothing_from_root)),
    Model("A4", FAMILY, _with_rules(_nothing_inherited)),
    Model("A5", FAMILY, _with_rules(_beta_grows)),
    Model("A6", FAMILY, _with_rules(_moves_the_other_bound)),
    Model("A7", FAMILY, _with_rules(_never_restored)),
    Model("A8", FAMILY, _with_rules(_never_restored_crossed)),
    Model("A9", FAMILY, _with_rules(_same_kind_too)),
    Model("A10", FAMILY, _with_rules(_no_improvement)),
    Model("A11", FAMILY, _with_rules(_other_direction)),
    Model("A12", FAMILY, _beside_the_search(_crosses_out_the_cause)),
    Model("A13", FAMILY, _with_rules(_looks_ahead)),
    Model("A14", FAMILY, _beside_the_search(_irrelevant_leaves)),
    Model("A15", FAMILY, _with_rules(_one_level_too_high)),
    Model("A16", FAMILY, _with_rules(_only_alpha_cuts)),
    Model("A17", FAMILY, _with_rules(_any_better_sibling)),
    Model("A18", FAMILY, _beside_the_search(_last_of_equals)),
]


def stops_before_any_bound(
    tree: Tree, convention: Convention, solution: Solution, pruned: Collection[int]
) -> list[tuple[int, int]]:
    """A19: where leaves are crossed out although no bound could exist there yet, as (node, last child searched).

    A stop at MIN needs an α: the initial window's, or an ancestor at MAX that has searched a child before. MAX is the
    mirror image.
    """
    step = -1 if convention.order == "right-to-left" else 1
    left = _left_over(tree, frozenset(pruned))
    has_alpha, has_beta = [False] * len(tree), [False] * len(tree)
    has_alpha[0], has_beta[0] = (not isinstance(bound, str) for bound in initial_window(solution))
    found: list[tuple[int, int]] = []
    for node in tree.inner:
        if not left[node]:
            continue
        maximising = tree.turn[node] == MAX
        searched_before: int | None = None
        for child in tree.children[node][::step]:
            has_alpha[child] = has_alpha[node] or (maximising and searched_before is not None)
            has_beta[child] = has_beta[node] or (not maximising and searched_before is not None)
            searched_before = child if left[child] else searched_before
        last = tree.children[node][::step][-1]
        if not left[last] and searched_before is not None and not (has_beta if maximising else has_alpha)[node]:
            found.append((node, searched_before))
    return found


def sets_before_any_bound(tree: Tree, convention: Convention, solution: Solution) -> int:
    """How many sets of leaves can be crossed out by such stops alone."""
    step = -1 if convention.order == "right-to-left" else 1
    # By node and by whether there is an α and a β above it; a leaf is searched in one way.
    ways: list[dict[tuple[bool, bool], int]] = [dict.fromkeys(_BOUNDS, 1) for _ in range(len(tree))]
    for node in tree.bottom_up():
        maximising, children = tree.turn[node] == MAX, tree.children[node][::step]
        for alpha, beta in _BOUNDS:
            later = (alpha or maximising, beta or not maximising)
            searched, stopped = 1, 0
            for place, child in enumerate(children):
                searched *= ways[child][later if place else (alpha, beta)]
                if child == children[-1] or not (beta if maximising else alpha):
                    stopped += searched
            ways[node][alpha, beta] = stopped
    low, high = (not isinstance(bound, str) for bound in initial_window(solution))
    return ways[0][low, high]


_BOUNDS = tuple(product((False, True), (False, True)))


def _left_over(tree: Tree, pruned: frozenset[int]) -> list[bool]:
    """Whether some leaf at or below each node is not crossed out."""
    left = [node not in pruned for node in range(len(tree))]
    for node in tree.bottom_up():
        left[node] = any(left[child] for child in tree.children[node])
    return left
