"""The shape of a tree, and how fast a search of it grows: b^m leaves in all, about b^(m/2) in the best order (AIMA 3e,
section 5.3.1; Knuth & Moore 1975).

Roots are irrational: they are given to the digits asked, rounded from integers or from decimals whose error is known.
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from fractions import Fraction
from math import isqrt

from solver.game.tree import MAX, MIN, Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number, simplest

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


def growth(its: TreeShape, evaluated: int, digits: int = DIGITS) -> Growth | None:
    """How a search that evaluated this many leaves grows; None for a tree that is a leaf."""
    if its.branching is None:
        return None
    return Growth(
        evaluated,
        integer_root(evaluated, its.depth, digits),
        integer_root(its.leaves, its.depth, digits),
        square_root(its.branching.mean, digits),
        _against_root(evaluated, its.depth, its.branching.mean),
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
