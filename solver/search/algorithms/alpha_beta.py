"""Alpha-beta search (Russell & Norvig, AIMA 3e, Figure 5.7; AIMA 4e, Figure 5.7), as events.

The textbook's MAX-VALUE, with MIN-VALUE as its mirror image:

    function MAX-VALUE(state, α, β)
        v ← −∞
        for each a in ACTIONS(state) do
            v ← MAX(v, MIN-VALUE(RESULT(state, a), α, β))
            if v ≥ β then return v
            α ← MAX(α, v)
        return v

The loop below is that function with a stack of its own in place of the machine's, so that no tree is too deep. Numbers
are ranks of the utilities, −∞ being -1; so `v > β` is `v ≥ β + 1`, and one `slack` of 0 or 1 makes both cut tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from solver.game.convention import Convention
from solver.game.traits import MINIMAX_TREES
from solver.game.tree import MAX, ROOT, Node, Tree
from solver.game.window import initial_window
from solver.kernel.exact import Number
from solver.search.algorithms.minimax import minimax
from solver.search.events import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED, Event
from solver.search.ranks import LOWEST, Rank, Ranks, scale_of
from solver.search.record import Algorithm
from solver.search.solution import Sampling, Solution
from solver.search.trace import Search, retrace

NOTHING: Iterator[Node] = iter(())


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
) -> list[Event]:
    """Everything that happens in one search, in order. `utility` holds the rank of every leaf's value; an inner node in
    `handed_up` returns what is said there, whatever was found below it."""
    turn = tree.turn
    children = [below[::-1] for below in tree.children] if rules.right_to_left else tree.children
    slack = 1 if rules.past_bound else 0
    before_test, fail_hard = rules.update_before_test, rules.fail_hard
    events: list[Event] = []
    happened = events.append
    calls: list[tuple[Node, Iterator[Node], bool, Rank, Ranks, Ranks]] = []

    if turn[0] is None:
        return [(EVALUATED, ROOT, _clamped(utility[0], window) if fail_hard else utility[0])]
    node, entry, maximising, lowest = ROOT, window, turn[0] == MAX, LOWEST
    v = lowest if maximising else infinity
    actions = iter(children[0])
    happened((ENTERED, ROOT, window))
    while True:
        called = False
        # for each a in ACTIONS(state), going on where the node was left
        for child in actions:
            if turn[child] is not None:
                # MIN-VALUE(RESULT(state, a), α, β), or MAX-VALUE
                calls.append((node, actions, maximising, v, entry, window))
                node, entry, maximising = child, window, turn[child] == MAX
                v = lowest if maximising else infinity
                actions = iter(children[node])
                happened((ENTERED, node, window))
                called = True
                break
            value = _clamped(utility[child], window) if fail_hard else utility[child]
            happened((EVALUATED, child, value))
            if value > v if maximising else value < v:
                break
        else:
            # return v
            value = _clamped(v, entry) if fail_hard else v
            if handed_up:
                value = handed_up.get(node, value)
            happened((BACKED_UP, node, value))
            if not calls:
                return events
            child = node
            node, actions, maximising, v, entry, window = calls.pop()
        if called:
            continue
        if maximising:
            if value > v:
                v = value
                alpha, beta = window
                cut = v >= beta + slack
                if v > alpha and (before_test or not cut):
                    window = (v, beta)
                    happened((MOVED, node, window))
                if cut:
                    if child != children[node][-1]:
                        happened((CUT, node, child))
                    actions = NOTHING
        elif value < v:
            v = value
            alpha, beta = window
            cut = v <= alpha - slack
            if v < beta and (before_test or not cut):
                window = (alpha, v)
                happened((MOVED, node, window))
            if cut:
                if child != children[node][-1]:
                    happened((CUT, node, child))
                actions = NOTHING


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
    events = alpha_beta(tree, scale.utility, window, scale.infinity, rules_of(convention), own)
    return retrace(tree, scale, partial(minimax, tree, scale.utility), window, events)


def solve_by_alpha_beta(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    search = run_alpha_beta(tree, convention)
    return Solution(tree, ALPHA_BETA.name, convention, partial(_true_values, search), search)


def _true_values(search: Search) -> list[Number]:
    return search.scale.values(search.true)


ALPHA_BETA = Algorithm(
    "alpha-beta", MINIMAX_TREES, solve_by_alpha_beta, prunes=True, natural=True, opening="open.alpha-beta"
)
