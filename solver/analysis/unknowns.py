"""Unknown leaves: what the root is worth, which move is best and what is pruned, for every value they may have.

One unknown may be at several leaves. A node's value is then a piecewise-linear function of it, chance or not; what
alpha-beta prunes changes only where the unknown passes another leaf's value or the window's bound. Several unknowns:
values never fall when a leaf rises, so all at their lowest and all at their highest give the bounds of the value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from solver.analysis.piecewise import (
    IDENTITY,
    NONE,
    Piecewise,
    Range,
    Switch,
    between,
    constant,
    difference,
    largest,
    line_text,
    partition,
    point,
    smallest,
    weighted,
)
from solver.analysis.tree_shape import accept
from solver.game.convention import Bound, Convention, declared_window
from solver.game.game_tree import CHANCE, MAX, Move, Node, NodeId, Tree, Unknown, expected
from solver.kernel.errors import Refusal
from solver.kernel.exact import RESULT_DIGITS, Number, simplest
from solver.search.algorithms.alpha_beta import ranked_window, rules_of, visited_nodes
from solver.search.algorithms.expectiminimax import expectiminimax
from solver.search.trace import LOWEST, Rank

MOST_PIECES = 2_000
"""A function of more pieces is refused: with chance nodes they may multiply from ply to ply."""
MOST_VISITS = 10_000_000
"""Nodes of all the searches for the ranges of one unknown: a few seconds."""
MOST_TRIALS = 1_000_000
"""Nodes evaluated to find out which of several unknowns matter."""

WHAT = "unknown leaves"


@dataclass(frozen=True, slots=True)
class Choice:
    """A stretch of the number line and the moves that are best on it."""

    where: Range
    moves: tuple[Move, ...]


@dataclass(frozen=True, slots=True)
class OneUnknown:
    """Everything as it depends on one unknown, over all the rationals."""

    name: str
    value: Piecewise
    moves: Mapping[Move, Range]
    """Where each of the root's moves is best, alone or tied; empty at a chance or leaf root."""
    choices: tuple[Choice, ...]
    """The same from left to right: "a1 if x < 3, a1 or a3 if x = 3, a3 if x > 3"."""

    def where_value_is(self, number: Number) -> Range:
        return where_equal(self.value, constant(number))

    def value_text(self) -> str:
        """`2 if x < 2, x if 2 <= x <= 8, 8 if x > 8`; a breakpoint belongs to the piece that moves."""
        pieces = self.value.pieces
        if len(pieces) == 1:
            return line_text(pieces[0].slope, pieces[0].intercept, self.name)
        shown = []
        for place, (low, high, slope, intercept) in enumerate(pieces):
            from_left, to_right = slope != 0, place + 1 < len(pieces) and pieces[place + 1].slope == 0
            where = between("-inf" if low is None else low, "inf" if high is None else high, from_left, to_right)
            shown.append(f"{line_text(slope, intercept, self.name)} if {where.text(self.name)}")
        return ", ".join(shown)

    def choices_text(self) -> str:
        if len(self.choices) == 1:
            return f"{' or '.join(self.choices[0].moves)} for every {self.name}"
        return ", ".join(f"{' or '.join(each.moves)} if {each.where.text(self.name)}" for each in self.choices)


@dataclass(frozen=True, slots=True)
class SeveralUnknowns:
    """What is known of the value while each unknown may be any number (or any within the game's bounds)."""

    low: Bound
    high: Bound
    """The value takes every number between them, and each of them that is finite."""
    matters: Mapping[str, bool | None]
    """Whether the value depends on this unknown alone, for some values of the others; None where it is not decided."""

    @property
    def depends(self) -> bool:
        return self.low != self.high


def unknown_names(tree: Tree) -> list[str]:
    """The unknowns that are at some leaf, in document order."""
    return list(dict.fromkeys(leaf.name for leaf in tree.leaf if isinstance(leaf, Unknown)))


def substituted(tree: Tree, values: Mapping[str, Number]) -> Tree:
    """The same tree with numbers in place of some unknowns."""
    leaf = tuple(values.get(each.name, each) if isinstance(each, Unknown) else each for each in tree.leaf)
    return replace(tree, leaf=leaf, unknowns=tuple(name for name in tree.unknowns if name not in values))


def one_unknown(tree: Tree) -> OneUnknown:
    """The root's value and best moves as they depend on the tree's only unknown."""
    name = _only_unknown(tree)
    functions = node_functions(tree)
    root = _function(functions[0])
    moves: dict[Move, Range] = {}
    if tree.turn[0] not in (None, CHANCE):
        for child in tree.children[0]:
            moves[Move(str(tree.move[child]))] = where_equal(_function(functions[child]), root)
    choices = tuple(Choice(where, tuple(best)) for where, best in partition(moves)) if moves else ()
    return OneUnknown(name, root, moves, choices)


def node_functions(tree: Tree) -> list[Number | Piecewise]:
    """Every node's value as a function of the only unknown; a number where it does not occur below."""
    worth: list[Any] = [IDENTITY if isinstance(leaf, Unknown) else leaf for leaf in tree.leaf]
    for node in tree.bottom_up():
        below = [worth[child] for child in tree.children[node]]
        moving = [each for each in below if isinstance(each, Piecewise)]
        chance, best = tree.turn[node] == CHANCE, max if tree.turn[node] == MAX else min
        if not moving:
            worth[node] = expected(tree, node, below) if chance else best(below)
            continue
        if chance:
            chances: Any = [tree.probability[child] for child in tree.children[node]]
            function = weighted(chances, [_function(each) for each in below])
        else:
            fixed = [each for each in below if not isinstance(each, Piecewise)]
            moving += [constant(best(fixed))] if fixed else []
            function = largest(moving) if tree.turn[node] == MAX else smallest(moving)
        _check_size(tree, node, function)
        worth[node] = function.lines[0][1] if function.is_constant else function
    return worth


def where_equal(first: Piecewise, second: Piecewise) -> Range:
    """The range in which two functions have the same value."""
    found = NONE
    for low, high, slope, intercept in difference(first, second).pieces:
        start: Bound = "-inf" if low is None else low
        end: Bound = "inf" if high is None else high
        if slope == 0:
            found |= between(start, end) if intercept == 0 else NONE
        else:
            found |= between(start, end) & point(simplest(Fraction(-intercept) / slope))
    return found


def pruned_ranges(tree: Tree, convention: Convention) -> dict[NodeId, Range]:
    """For every node, in document order, the values of the only unknown for which alpha-beta does not visit it.

    The search compares numbers and does nothing else with them. So it takes the same course while the unknown stays
    between two neighbours among the numbers that were compared: the leaves visited and the window's bounds. Each of
    those numbers is tried, and each gap between them: a number has the rank 2·place + 1, the gap before it 2·place.
    """
    accept(tree, "ranges of pruning", chance=False, unknowns=True)
    _only_unknown(tree)
    window = declared_window(tree, convention)
    numbers = _critical_numbers(tree, window)
    rank_of: dict[Any, Rank] = {number: Rank(2 * place + 1) for place, number in enumerate(numbers)}
    infinity = Rank(2 * len(numbers) + 1)
    rank_of |= {"-inf": LOWEST, "inf": infinity, None: Rank(0)}
    open_leaves = [leaf for leaf in tree.leaves if isinstance(tree.leaf[leaf], Unknown)]
    utility = [Rank(0) if isinstance(leaf, Unknown) else rank_of[leaf] for leaf in tree.leaf]
    fixed = {utility[leaf] for leaf in tree.leaves if not isinstance(tree.leaf[leaf], Unknown)}
    always = {min(fixed), max(fixed)} if window is None and fixed else set()
    always |= {rank_of[bound] for bound in window if not isinstance(bound, str)} if window is not None else set()

    every = frozenset(tree.nodes)
    switches: dict[Node, list[Switch]] = {}
    from_below = pruned = frozenset[Node]()
    rank, visits = Rank(0), 0
    while True:
        for leaf in open_leaves:
            utility[leaf] = rank
        ranks = ranked_window(tree, window, utility, rank_of.__getitem__)
        seen = set(visited_nodes(tree, utility, ranks, infinity, rules_of(convention)))
        now = every.difference(seen)
        if rank == 0:
            from_below = now
        else:
            # An odd rank begins at its number, an even one just after the number before.
            switch = (numbers[(rank - 1) // 2], rank % 2 == 0)
            for node in now ^ pruned:
                switches.setdefault(node, []).append(switch)
        pruned = now
        visits += len(tree)
        if visits > MOST_VISITS:
            message = f"{WHAT}: the ranges of pruning would take too many searches of {len(tree):,} nodes"
            raise Refusal(tree.ids[0], "too-hard", message, "ask for a smaller tree, or put numbers in")
        compared = {utility[node] for node in seen if tree.turn[node] is None} | always
        if window is not None and not seen.intersection(open_leaves):
            break
        following = [Rank(rank + 1)] if rank % 2 else [other for other in compared if other > rank]
        if not following:
            break
        rank = min(following)
    return {name: Range(node in from_below, tuple(switches.get(node, ()))) for name, node in tree.index.items()}


def several_unknowns(tree: Tree) -> SeveralUnknowns:
    """Bounds of the value, and which of the unknowns it depends on."""
    accept(tree, WHAT, unknowns=True)
    low, high = _extreme(tree, high=False), _extreme(tree, high=True)
    names = unknown_names(tree)
    occurrences = {name: [leaf for leaf in tree.leaves if tree.leaf[leaf] == Unknown(name)] for name in names}
    if sum(map(len, occurrences.values())) * len(tree) > MOST_VISITS:
        raise Refusal(tree.ids[0], "too-hard", f"{WHAT}: too many of them in a tree of {len(tree):,} nodes")
    matters: dict[str, bool | None] = {}
    single = all(len(leaves) == 1 for leaves in occurrences.values())
    for name in names:
        may = any(_passes_through(tree, leaf, low, high) for leaf in occurrences[name])
        matters[name] = may if single or not may else _some_values_matter(tree, name, names)
    return SeveralUnknowns("-inf" if low[0] is None else low[0], "inf" if high[0] is None else high[0], matters)


def _extreme(tree: Tree, high: bool) -> list[Number | None]:
    """Every node's value with all unknowns at their lowest, or at their highest; None stands for that infinity."""
    if tree.bounds is not None:
        leaves: Any = [tree.bounds[high] if isinstance(leaf, Unknown) else leaf for leaf in tree.leaf]
        return list(expectiminimax(tree, leaves))
    worth: list[Any] = [None if isinstance(leaf, Unknown) else leaf for leaf in tree.leaf]
    for node in tree.bottom_up():
        children = tree.children[node]
        if tree.turn[node] == CHANCE:
            possible = [child for child in children if tree.probability[child]]
            if any(worth[child] is None for child in possible):
                worth[node] = None
            else:
                worth[node] = expected(tree, node, [worth[child] or 0 for child in children])
            continue
        finite = [worth[child] for child in children if worth[child] is not None]
        # One infinity decides for the side that wants it; the other side takes it only for lack of anything else.
        decides = (tree.turn[node] == MAX) == high and len(finite) < len(children)
        best = max if tree.turn[node] == MAX else min
        worth[node] = None if decides or not finite else best(finite)
    return worth


def _passes_through(tree: Tree, leaf: Node, low: Sequence[Number | None], high: Sequence[Number | None]) -> bool:
    """Whether a change of this leaf can reach the root, if every unknown leaf is free on its own.

    (a, b) are the values that the leaf can move the node through, None being an infinity. Above MAX the brothers let
    through what is above their least, above MIN what is below their most; chance shrinks it and shifts it.
    """
    a, b = low[leaf], high[leaf]
    node = leaf
    while node:
        up = tree.parent[node]
        others = [child for child in tree.children[up] if child != node]
        if tree.turn[up] == CHANCE:
            chance = tree.probability[node]
            if not chance:
                return False
            a = _mixed(tree, chance, a, others, low)
            b = _mixed(tree, chance, b, others, high)
        elif tree.turn[up] == MAX:
            least = [number for number in (a, *(low[other] for other in others)) if number is not None]
            a = max(least, default=None)
        else:
            most = [number for number in (b, *(high[other] for other in others)) if number is not None]
            b = min(most, default=None)
        if a is not None and b is not None and a >= b:
            return False
        node = up
    return a is None or b is None or a < b


def _mixed(
    tree: Tree, chance: Number, end: Number | None, others: Sequence[Node], ends: Sequence[Number | None]
) -> Number | None:
    mixed: Number = 0 if end is None else chance * end
    for other in others:
        weight, its_end = tree.probability[other], ends[other]
        if weight:
            if its_end is None:
                return None
            mixed += weight * its_end
    return None if end is None else mixed


def _some_values_matter(tree: Tree, name: str, names: Sequence[str]) -> bool | None:
    """Try the others at their lowest and highest, in every combination: without chance that decides."""
    others = [other for other in names if other != name]
    if len(others) > 20 or len(tree) << len(others) > MOST_TRIALS:
        return None
    numbers: Any = [leaf for leaf in tree.leaf if leaf is not None and not isinstance(leaf, Unknown)]
    low, high = tree.bounds or (min(numbers, default=0) - 1, max(numbers, default=0) + 1)
    domain = between(*tree.bounds) if tree.bounds else between("-inf", "inf")
    for bits in range(1 << len(others)):
        values = {other: high if bits >> place & 1 else low for place, other in enumerate(others)}
        function = _function(node_functions(substituted(tree, values))[0])
        if not _is_constant_on(function, domain):
            return True
    return None if CHANCE in tree.turns else False


def _is_constant_on(function: Piecewise, domain: Range) -> bool:
    moving = [
        between("-inf" if low is None else low, "inf" if high is None else high, False, False)
        for low, high, slope, _ in function.pieces
        if slope
    ]
    interior = [between(low, high, False, False) for low, high, _, _ in domain.intervals]
    return not any(each & inside for each in moving for inside in interior)


def _only_unknown(tree: Tree) -> str:
    accept(tree, WHAT, unknowns=True)
    names = unknown_names(tree)
    if len(names) == 1:
        return names[0]
    place = next((leaf for leaf in tree.leaves if tree.leaf[leaf] == Unknown(names[1])), 0) if names else 0
    found = "there is none" if not names else f"there are {', '.join(names)}"
    raise Refusal(tree.ids[place], "algorithm", f"{WHAT}: ranges are for exactly one unknown; {found}")


def _critical_numbers(tree: Tree, window: Any) -> list[Number]:
    numbers = {leaf for leaf in tree.leaf if leaf is not None and not isinstance(leaf, Unknown)}
    numbers |= {bound for bound in window or () if not isinstance(bound, str)}
    return sorted(numbers)  # type: ignore[arg-type]


def _function(worth: Number | Piecewise) -> Piecewise:
    return worth if isinstance(worth, Piecewise) else constant(worth)


def _check_size(tree: Tree, node: Node, function: Piecewise) -> None:
    if len(function.lines) > MOST_PIECES:
        message = f"{WHAT}: the value of {tree.name(node)} has more than {MOST_PIECES:,} pieces"
        raise Refusal(tree.ids[node], "too-hard", message)
    if not function.fits:
        message = f"{tree.name(node)}: its value has more than {RESULT_DIGITS:,} digits"
        raise Refusal(tree.ids[node], "result-size", message)
