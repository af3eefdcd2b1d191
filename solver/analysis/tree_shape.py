"""The shape of a tree, and what follows from it whatever the values: how fast a search grows, the minimal tree, and
which leaves can be pruned.

A search grows as b^m leaves in all, and about b^(m/2) in the best order (AIMA 3e, section 5.3.1; Knuth & Moore
1975). Roots are irrational: they are given to the digits asked, rounded from integers or from decimals whose error
is known.

The minimal tree (Knuth & Moore 1975) is what alpha-beta must visit, in a given order. Its types go by place alone:

    1   the root, and the first child of a node of type 1
    2   the other children of a node of type 1, and every child of type 3: its first child can cut
    3   the first child of a node of type 2: all its children must be searched

Beside the first line of play a node has only to be shown to be at most (below MAX) or at least (below MIN)
something. One child suffices for "at most" at MIN, all are needed at MAX; so types follow from that and the turn,
and hold where turns do not alternate, too. A leaf has the type that it would have if the turn passed.

A leaf can be pruned, for some values of the leaves, iff on its path some MAX node and some MIN node are both left by
a child that is not searched first (where turns alternate: at depths j < k with k − j odd). If: see `witness`. Only
if: a MIN node is cut by the value of an earlier child, so the path leaves it by a later one; and by an α that an
earlier child of a MAX node above it set, so the path leaves that one by a later child, too. The same with MAX and
MIN exchanged. What cannot be pruned is the minimal tree.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import isqrt

from solver.game.game_tree import CHANCE, MAX, MIN, NodeId, Tree, Unknown
from solver.kernel.errors import Refusal, UsageError
from solver.kernel.exact import Number, simplest


def accept(tree: Tree, what: str, chance: bool = True, unknowns: bool = False) -> None:
    """Refuse a tree with other turns than max, min and (perhaps) chance, or with leaves that are not numbers (or,
    perhaps, unknowns)."""
    turns = {MAX, MIN, CHANCE} if chance else {MAX, MIN}
    if not tree.turns <= turns:
        node = next(node for node in tree.inner if tree.turn[node] not in turns)
        accepted = "max, min and chance" if chance else "max and min"
        raise Refusal(tree.ids[node], "algorithm", f"{what}: only for {accepted} nodes; this is {tree.name(node)}")
    if tree.only_numbers:
        return
    for node in tree.leaves:
        leaf = tree.leaf[node]
        if unknowns and isinstance(leaf, Unknown):
            continue
        if not isinstance(leaf, Number):
            leaf_text = f"the unknown {leaf.name}" if isinstance(leaf, Unknown) else "something else"
            raise Refusal(
                tree.ids[node], "algorithm", f"{what}: needs a number at every leaf; {tree.name(node)} has {leaf_text}"
            )


DIGITS = 3


@dataclass(frozen=True, slots=True)
class Branching:
    """Children of an inner node: the fewest, the most, and their mean."""

    smallest: int
    largest: int
    mean: Number


@dataclass(frozen=True, slots=True)
class TreeShape:
    nodes: int
    leaves: int
    depth: int
    branching: Branching | None
    """None for a tree that is a leaf."""
    uniform: bool
    """Every inner node has b children, and every leaf lies at depth m."""
    alternating: bool
    """MAX and MIN take turns, one ply each."""

    @property
    def uniform_fewest(self) -> int | None:
        """b^⌈m/2⌉ + b^⌊m/2⌋ − 1, what alpha-beta evaluates in the best order; None unless uniform and alternating."""
        if not (self.uniform and self.alternating):
            return None
        b, m = (self.branching.largest if self.branching else 1), self.depth
        return int(b ** ((m + 1) // 2)) + int(b ** (m // 2)) - 1


@dataclass(frozen=True, slots=True)
class Growth:
    """A search that evaluated N leaves of a tree m plies deep, as if each node had b* children: N = (b*)^m."""

    evaluated: int
    effective: Decimal
    """b* to the digits asked."""
    whole: Decimal
    """The same for all leaves of the tree: what a search without pruning comes to."""
    root_of_branching: Decimal
    """√b, b being the mean branching."""
    against_root: int
    """-1, 0 or 1 as b* is below, at or above √b; decided exactly, whatever the digits."""


def shape(tree: Tree) -> TreeShape:
    turn = tree.turn
    counts = [len(tree.children[node]) for node in tree.inner]
    branching = None
    if counts:
        mean = simplest(Fraction(len(tree) - 1, len(counts)))
        branching = Branching(min(counts), max(counts), mean)
    depths = {tree.depth[leaf] for leaf in tree.leaves}
    return TreeShape(
        nodes=len(tree),
        leaves=len(tree.leaves),
        depth=max(depths),
        branching=branching,
        uniform=len(depths) == 1 and (branching is None or branching.smallest == branching.largest),
        alternating=tree.turns <= {MAX, MIN}
        and all(turn[node] != turn[tree.parent[node]] for node in tree.inner if node),
    )


def growth(dimensions: TreeShape, evaluated: int, digits: int = DIGITS) -> Growth | None:
    """How a search that evaluated this many leaves grows; None for a tree that is a leaf."""
    if dimensions.branching is None:
        return None
    return Growth(
        evaluated,
        integer_root(evaluated, dimensions.depth, digits),
        integer_root(dimensions.leaves, dimensions.depth, digits),
        square_root(dimensions.branching.mean, digits),
        _against_root(evaluated, dimensions.depth, dimensions.branching.mean),
    )


def square_root(number: Number, digits: int) -> Decimal:
    """√number, rounded to this many digits after the point."""
    twice = isqrt(4 * number.numerator * 10 ** (2 * digits) // number.denominator)
    return _decimal((twice + 1) // 2, digits)


def integer_root(number: int, degree: int, digits: int) -> Decimal:
    """The root of a whole number of 1 or more, rounded to this many digits after the point.

    A root that is not whole is irrational, never halfway between two roundings: with more and more digits of the
    logarithm the rounding is settled.
    """
    precision = digits + len(str(number)) + 10
    while True:
        context = _exact_to(precision)
        root = context.exp(context.divide(context.ln(Decimal(number)), degree))
        whole = int(root.to_integral_value())
        if whole**degree == number:
            return _decimal(whole * 10**digits, digits)
        # ln, ÷ and exp are each right to half a unit of the last digit, so the sum of their errors is far below this.
        error = root.scaleb(6 - precision, context)
        rounded = {_rounded(context.subtract(root, error), digits), _rounded(context.add(root, error), digits)}
        if len(rounded) == 1:
            return rounded.pop()
        precision *= 2


def require_max_and_min(tree: Tree, asked: str, numbers: bool = True) -> None:
    """Refuse a tree with other turns than MAX and MIN, or (if they matter) leaves that are not numbers."""
    if not tree.turns <= {MAX, MIN}:
        node = next(node for node in tree.inner if tree.turn[node] not in (MAX, MIN))
        raise Refusal(
            tree.ids[node], "algorithm", f"{asked}: asked of max and min nodes only; this is {tree.name(node)}"
        )
    if numbers and not tree.only_numbers:
        leaf = next(leaf for leaf in tree.leaves if not isinstance(tree.leaf[leaf], Number))
        raise Refusal(tree.ids[leaf], "algorithm", f"{asked}: needs a number at every leaf; {tree.name(leaf)} has none")


def _against_root(evaluated: int, depth: int, mean: Number) -> int:
    """The sign of N² − b^m, by logarithms: the powers themselves can have millions of digits."""
    # A power of a number that is not whole is not whole, so only a whole b can give N² exactly.
    if mean.denominator == 1 and evaluated**2 == _power(mean.numerator, depth, evaluated**2):
        return 0
    precision = 30
    while True:
        context = _exact_to(precision)
        left = context.multiply(2, context.ln(Decimal(evaluated)))
        logarithm = context.subtract(context.ln(Decimal(mean.numerator)), context.ln(Decimal(mean.denominator)))
        difference = context.subtract(left, context.multiply(depth, logarithm))
        # No term is larger than 64 m (a tree has fewer than 2^64 nodes), and each is right to `precision` digits.
        error = Decimal(1000 * depth).scaleb(-precision, context)
        if abs(difference) > error:
            return 1 if difference > 0 else -1
        precision *= 2


def _power(base: int, exponent: int, limit: int) -> int:
    """base^exponent, or anything past `limit` once it is passed: enough to see whether the two are equal."""
    if base == 1:
        return 1
    power = 1
    for _ in range(exponent):
        power *= base
        if power > limit:
            break
    return power


def _exact_to(precision: int) -> Context:
    return Context(prec=precision, Emax=MAX_EMAX, Emin=MIN_EMIN)


def _decimal(scaled: int, digits: int) -> Decimal:
    """The decimal `scaled` / 10^digits, as it is printed: no trailing zeros."""
    text = str(scaled).rjust(digits + 1, "0")
    return Decimal(f"{text[:-digits]}.{text[-digits:]}".rstrip("0").rstrip(".") if digits else text)


def _rounded(number: Decimal, digits: int) -> Decimal:
    """A positive number to this many digits after the point, rounded once and from all its digits."""
    context = _exact_to(len(number.as_tuple().digits) + digits + 10)
    twice = int(context.multiply(2, number).scaleb(digits, context))
    return _decimal((twice + 1) // 2, digits)


@dataclass(frozen=True, slots=True)
class MinimalTree:
    types: Mapping[NodeId, int]
    """1, 2 or 3 for each node of the minimal tree, in document order."""
    leaves: tuple[NodeId, ...]
    """Its leaves: evaluated by every search with the children in this order, and the only ones if the order is best."""


def minimal_tree(tree: Tree, right_to_left: bool = False) -> MinimalTree:
    """The minimal tree for the children in their order; see `orders.fewest` for a best one."""
    require_max_and_min(tree, "the minimal tree", numbers=False)
    types = node_types(tree, right_to_left)
    named = {tree.ids[node]: kind for node, kind in enumerate(types) if kind is not None}
    return MinimalTree(named, tuple(tree.ids[leaf] for leaf in tree.leaves if types[leaf] is not None))


def node_types(tree: Tree, right_to_left: bool = False) -> list[int | None]:
    """Each node's type; None outside the minimal tree."""
    types: list[int | None] = [None] * len(tree)
    types[0] = 1
    # At which turn the path first left a first child: beyond it, only nodes of that turn have all children searched.
    left_at: list[str | None] = [None] * len(tree)
    first = -1 if right_to_left else 0
    for node in tree.inner:
        if types[node] is None:
            continue
        turn = tree.turn[node]
        for child in tree.children[node]:
            is_first = child == tree.children[node][first]
            above = left_at[node]
            if not is_first and above is not None and above != turn:
                continue
            left_at[child] = above if above is not None or is_first else turn
            mover = tree.turn[child] or (MIN if turn == MAX else MAX)
            types[child] = 1 if left_at[child] is None else 3 if left_at[child] == mover else 2
    return types


@dataclass(frozen=True, slots=True)
class Witness:
    """Values with which a leaf is pruned: `upper` sets a bound that the value of `lower` is past."""

    leaf: NodeId
    upper: NodeId
    lower: NodeId
    values: Mapping[NodeId, int]
    """For every leaf of the tree, in document order."""


def prunable(tree: Tree, right_to_left: bool = False) -> dict[NodeId, bool]:
    """For every leaf, whether it is pruned for some values, the search starting from (−∞, +∞)."""
    require_max_and_min(tree, "the leaves that can be pruned", numbers=False)
    types = node_types(tree, right_to_left)
    return {tree.ids[leaf]: types[leaf] is None for leaf in tree.leaves}


def witness(tree: Tree, leaf: NodeId, right_to_left: bool = False) -> Witness | None:
    """Values of 0 and 1 with which the leaf is pruned, under either cut test, or None if it never is.

    Say a MAX node is the upper one. Its earlier children are worth 1 and all other leaves 0: then α is 1 on the way
    down to the MIN node, whose earlier children are worth 0. The search stops there, if it has not stopped before.
    """
    require_max_and_min(tree, "the leaves that can be pruned", numbers=False)
    if leaf not in tree.index or tree.children[tree.index[leaf]]:
        raise UsageError(f"there is no leaf {leaf}")
    first = -1 if right_to_left else 0
    left: list[tuple[int, int]] = []
    child = tree.index[leaf]
    while (node := tree.parent[child]) >= 0:
        if child != tree.children[node][first]:
            left.append((node, child))
        child = node
    if len({tree.turn[node] for node, _ in left}) < 2:
        return None
    upper, its_child = left[-1]
    lower = next(node for node, _ in reversed(left) if tree.turn[node] != tree.turn[upper])
    high = 1 if tree.turn[upper] == MAX else 0
    children = tree.children[upper]
    place = children.index(its_child)
    earlier = children[place + 1 :] if right_to_left else children[:place]
    start, end = min(earlier), tree.last[max(earlier)]
    values = {tree.ids[node]: high if start <= node <= end else 1 - high for node in tree.leaves}
    return Witness(leaf, tree.ids[upper], tree.ids[lower], values)
