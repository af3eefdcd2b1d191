"""Alpha-beta search (Russell & Norvig, AIMA 3e, Figure 5.7; AIMA 4e, Figure 5.7), noting all that it does.

The textbook's MAX-VALUE, with MIN-VALUE as its mirror image:

    function MAX-VALUE(state, α, β)
        v ← −∞
        for each a in ACTIONS(state) do
            v ← MAX(v, MIN-VALUE(RESULT(state, a), α, β))
            if v ≥ β then return v
            α ← MAX(α, v)
        return v

The loop below is that function with a stack of its own in place of the machine's, so that no tree is too deep.
Numbers are ranks of the utilities, −∞ being -1; so `v > β` is `v ≥ β + 1`, and one `slack` of 0 or 1 makes both cut
tests. At the end: which nodes it leaves unvisited, and nothing more about the search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any

from solver.game.convention import Bound, Convention, Window, declared_window, initial_window
from solver.game.game_tree import MAX, MINIMAX_TREES, ROOT, Node, Tree
from solver.kernel.exact import Number
from solver.search.algorithms.minimax import minimax
from solver.search.solution import Algorithm, Sampling, Solution
from solver.search.trace import LOWEST, Cut, Rank, Ranks, Scale, Search, SearchNotes, ends_of, events_of, scale_of


@dataclass(frozen=True, slots=True)
class Rules:
    """The conventions that steer the search."""

    past_bound: bool = False
    update_before_test: bool = False
    fail_hard: bool = False
    right_to_left: bool = False


def alpha_beta(
    tree: Tree,
    utility: Sequence[Rank],
    window: Ranks,
    infinity: Rank,
    rules: Rules,
    handed_up: Mapping[Node, Rank] = MappingProxyType({}),
) -> SearchNotes:
    """One search. `utility` holds the rank of every leaf's value; an inner node in `handed_up` returns what is said
    there, whatever was found below it."""
    turn, children, parent, size = tree.turn, tree.children, tree.parent, len(tree)
    order: Callable[[Sequence[Node]], Iterator[Node]] = reversed if rules.right_to_left else iter
    forwards = -1 if rules.right_to_left else 1
    slack = 1 if rules.past_bound else 0
    before_test, fail_hard, lowest = rules.update_before_test, rules.fail_hard, LOWEST
    visited: list[Node] = [ROOT]
    entry: list[Ranks | None] = [None] * size
    windows: list[list[Ranks]] = [_NO_WINDOWS] * size
    returned: list[Rank | None] = [None] * size
    cuts: list[Cut] = []
    entry[0] = window
    if turn[0] is None:
        returned[0] = _clamped(utility[0], window) if fail_hard else utility[0]
        return SearchNotes(visited, entry, windows, returned, cuts)

    visit = visited.append
    calls: list[tuple[Node, Iterator[Node], bool, Rank, Ranks, list[Ranks], Node | None, Node | None]] = []
    node, maximising = ROOT, turn[0] == MAX
    v = lowest if maximising else infinity
    actions = order(children[0])
    own = windows[0] = [window]
    # Which node last strictly moved each bound that is in force.
    alpha_by: Node | None = None
    beta_by: Node | None = None
    while True:
        # for each a in ACTIONS(state), going on where the node was left
        for child in actions:
            visit(child)
            entry[child] = window
            below = children[child]
            if below:
                # MIN-VALUE(RESULT(state, a), α, β), or MAX-VALUE
                calls.append((node, actions, maximising, v, window, own, alpha_by, beta_by))
                node, maximising = child, turn[child] == MAX
                v = lowest if maximising else infinity
                actions = order(below)
                own = windows[child] = [window]
                break
            value = _clamped(utility[child], window) if fail_hard else utility[child]
            returned[child] = value
            if value > v if maximising else value < v:
                break
        else:
            # return v
            value = _clamped(v, own[0]) if fail_hard else v
            if handed_up:
                value = handed_up.get(node, value)
            returned[node] = value
            if not calls:
                return SearchNotes(visited, entry, windows, returned, cuts)
            child, below = node, ()
            node, actions, maximising, v, window, own, alpha_by, beta_by = calls.pop()
        if below:
            continue
        if maximising:
            if value > v:
                v = value
                alpha, beta = window
                cut = v >= beta + slack
                if v > alpha and (before_test or not cut):
                    window, alpha_by = (v, beta), node
                    own.append(window)
                # What a cut skips is what is left of the actions, which are all gone then.
                if cut and (skipped := tuple(actions)):
                    deep = beta_by is not None and beta_by != parent[node]
                    cuts.append(Cut(node, child, "beta", v, beta, beta_by, deep, skipped[::forwards]))
        elif value < v:
            v = value
            alpha, beta = window
            cut = v <= alpha - slack
            if v < beta and (before_test or not cut):
                window, beta_by = (alpha, v), node
                own.append(window)
            if cut and (skipped := tuple(actions)):
                deep = alpha_by is not None and alpha_by != parent[node]
                cuts.append(Cut(node, child, "alpha", v, alpha, alpha_by, deep, skipped[::forwards]))


_NO_WINDOWS: list[Ranks] = []


def _clamped(value: Rank, window: Ranks) -> Rank:
    return max(window[0], min(window[1], value))


def rules_of(convention: Convention) -> Rules:
    return Rules(
        past_bound=convention.cut == "past-bound",
        update_before_test=convention.update == "before-test",
        fail_hard=convention.returns == "fail-hard",
        right_to_left=convention.order == "right-to-left",
    )


def run_alpha_beta(
    tree: Tree, convention: Convention, handed_up: Mapping[Node, Number] = MappingProxyType({})
) -> Search:
    """All that the search of a tree of MAX and MIN does, from the convention's window; a node in `handed_up` returns
    what is said there."""
    bounds = initial_window(tree, convention)
    scale = scale_of(tree, [*bounds, *handed_up.values()])
    window = (scale.rank(bounds[0]), scale.rank(bounds[1]))
    own = {node: scale.rank(value) for node, value in handed_up.items()}
    return search_on_scale(tree, scale, window, rules_of(convention), own)


def search_on_scale(
    tree: Tree, scale: Scale, window: Ranks, rules: Rules, handed_up: Mapping[Node, Rank] = MappingProxyType({})
) -> Search:
    """A search with all that follows from it."""
    noted = alpha_beta(tree, scale.utility, window, scale.infinity, rules, handed_up)
    return Search(
        scale,
        *noted,
        rules.right_to_left,
        partial(events_of, tree, noted, rules.right_to_left),
        partial(minimax, tree, scale.utility),
        partial(ends_of, tree, scale, noted.visited),
    )


def solve_by_alpha_beta(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    search = run_alpha_beta(tree, convention)
    return Solution(tree, ALPHA_BETA.name, convention, partial(_true_values, search), search)


def _true_values(search: Search) -> list[Number]:
    return search.scale.values(search.true)


ALPHA_BETA = Algorithm(
    "alpha-beta", MINIMAX_TREES, solve_by_alpha_beta, prunes=True, natural=True, opening="open.alpha-beta"
)


def ranked_window(tree: Tree, window: Window | None, utility: Sequence[Rank], rank: Callable[[Bound], Rank]) -> Ranks:
    """The root's window in ranks; that of the utilities is from the smallest leaf to the largest."""
    if window is not None:
        return rank(window[0]), rank(window[1])
    leaves = [utility[leaf] for leaf in tree.leaves]
    return min(leaves), max(leaves)


def visited_nodes(tree: Tree, utility: Sequence[Rank], window: Ranks, infinity: Rank, rules: Rules) -> Sequence[Node]:
    """The nodes that the search comes to, in its order."""
    return alpha_beta(tree, utility, window, infinity, rules).visited


def pruned_nodes(tree: Tree, convention: Convention) -> list[Node]:
    """Every unvisited node of a tree of max, min and numbers, in document order."""
    window = declared_window(tree, convention)
    also: Any = () if window is None else window
    scale = scale_of(tree, also)
    ranks = ranked_window(tree, window, scale.utility, scale.rank)
    visited = set(visited_nodes(tree, scale.utility, ranks, scale.infinity, rules_of(convention)))
    return [node for node in tree.nodes if node not in visited]
