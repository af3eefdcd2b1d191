"""U: mistakes in UCB1 and in one step of Monte Carlo tree search."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt
from typing import Any, Literal, TypeAlias

from grader.mistakes.behaviour import Behaviour, Model
from grader.mistakes.words import SELECTED, UCB1
from solver.game import CHANCE, MAX, ROOT, Convention, Node, Tree
from solver.kernel import Enclosed, Number, RootOfLog, root_of_log, squared
from solver.search import Solution

Ucb: TypeAlias = Enclosed | Number | Literal["inf"]
BITS = 128
"""Children whose values agree to this many bits count as equal: then the first is chosen."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What goes into one child's UCB1 value."""

    total: Number
    visits: int
    parent_visits: int
    square: Number
    """C²."""
    constant_sum: bool

    @property
    def mean(self) -> Number:
        return Fraction(self.total) / self.visits


Formula: TypeAlias = Callable[[Counted], Ucb]


def _ucb1(counted: Counted) -> Ucb:
    if not counted.visits:
        return "inf"
    return root_of_log(counted.mean, Fraction(counted.square) / counted.visits, counted.parent_visits)


def _visited(value: Callable[[Counted], Ucb]) -> Formula:
    """A formula for children with visits; the others come first, as they should."""
    return lambda counted: value(counted) if counted.visits else "inf"


def _own_visits_in_log(counted: Counted) -> Ucb:
    return root_of_log(counted.mean, Fraction(counted.square) / counted.visits, counted.visits)


@dataclass(frozen=True, slots=True)
class Decimal10:
    """start + √(factor · log₁₀ argument)."""

    start: Number
    root: RootOfLog
    """√(factor · ln argument)."""

    def enclosure(self, bits: int) -> tuple[int, int]:
        low, high = self.root.enclosure(bits)
        ten_low, ten_high = RootOfLog(0, 1, 10).enclosure(bits)
        scaled, whole = self.start.numerator << bits, self.start.denominator
        return scaled // whole + (low << bits) // ten_high, -(-scaled // whole) + -(-(high << bits) // ten_low)


@dataclass(frozen=True, slots=True)
class Product:
    """start + one · other."""

    start: Number
    one: RootOfLog
    other: RootOfLog

    def enclosure(self, bits: int) -> tuple[int, int]:
        (low, high), (other_low, other_high) = self.one.enclosure(bits), self.other.enclosure(bits)
        scaled, whole = self.start.numerator << bits, self.start.denominator
        return scaled // whole + (low * other_low >> bits), -(-scaled // whole) - (-high * other_high >> bits)


def _log10(counted: Counted) -> Ucb:
    root = root_of_log(0, Fraction(counted.square) / counted.visits, counted.parent_visits)
    if not root.factor:
        return counted.mean
    rational = _rational_root(root)
    return Decimal10(counted.mean, root) if rational is None else counted.mean + rational


def _rational_root(root: RootOfLog) -> Fraction | None:
    """√(factor · log₁₀ argument), if that is a fraction: then no enclosure of it would ever be tight enough to round.
    The logarithm is one only if the argument is a power of ten."""
    power = len(str(root.argument)) - 1
    if root.argument != 10**power:
        return None
    square = Fraction(root.factor) * power
    found = Fraction(isqrt(square.numerator), isqrt(square.denominator))
    return found if found * found == square else None


def _no_root(counted: Counted) -> Ucb:
    """U/N + C · ln N(parent) / N: the logarithm is the product of two equal roots."""
    one = root_of_log(0, Fraction(counted.square) / counted.visits**2, counted.parent_visits)
    return Product(counted.mean, one, root_of_log(0, 1, counted.parent_visits)) if one.factor else counted.mean


def _wrong_side(counted: Counted) -> Ucb:
    """The other side's wins: the visits that are not won, or in a zero-sum game the negative total."""
    total = counted.visits - counted.total if counted.constant_sum else -counted.total
    return root_of_log(
        Fraction(total) / counted.visits, Fraction(counted.square) / counted.visits, counted.parent_visits
    )


class _Statistics:
    """The counts before the step that the key tells first."""

    def __init__(self, convention: Convention, solution: Solution) -> None:
        assert solution.sampled is not None
        self.tree, self.found = solution.tree, solution.sampled.found
        self.visits, self.totals = self.tree.visits or {}, self.tree.totals or {}
        self.step = -1 if convention.order == "right-to-left" else 1

    def ucb(self, formula: Formula, node: Node) -> dict[Node, Ucb]:
        square = squared(self.found.exploration)
        parent_visits = int(self.visits.get(node, 0))
        return {
            child: formula(
                Counted(
                    self.totals.get(child, 0), int(self.visits.get(child, 0)), parent_visits, square,
                    self.found.constant_sum,
                )
            )
            for child in self.tree.children[node][:: self.step]
        }  # fmt: skip

    def counts(self, path: Sequence[Node], shares: Sequence[Number]) -> dict[Node, tuple[Number, int]]:
        return {
            node: (self.totals.get(node, 0) + share, int(self.visits.get(node, 0)) + 1)
            for node, share in zip(path, shares, strict=True)
        }

    def share(self, node: Node, result: Number) -> Number:
        if self.found.credited[node] == MAX:
            return result
        return 1 - result if self.found.constant_sum else -result


def _with_formula(formula: Formula) -> Callable[[Tree, Convention, Solution], Behaviour | None]:
    """Selection by a wrong formula, then the listed playout on the path that it leads to."""

    def run(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
        tree = solution.tree
        if solution.sampled is None or not solution.sampled.found.trace or CHANCE in tree.turns:
            return None
        statistics, step = _Statistics(convention, solution), solution.sampled.found.trace[0]
        values: dict[Node, Ucb] = {}
        select: dict[Node, Node] = {}
        path = [ROOT]
        while tree.children[path[-1]] and (path[-1] == 0 or statistics.visits.get(path[-1], 0)):
            here = statistics.ucb(formula, path[-1])
            values |= here
            select[path[-1]] = _first_largest(here)
            path.append(select[path[-1]])
        facts: dict[str, Any] = {UCB1: values, SELECTED: select}
        if step.listed:
            facts["counts"] = statistics.counts(path, [statistics.share(node, step.result) for node in path])
        return Behaviour(facts=facts)

    return run


def _no_alternation(_: Tree, convention: Convention, solution: Solution) -> Behaviour | None:
    """The playout's result is added at every node of the path, whoever moved there."""
    if solution.sampled is None or not solution.sampled.found.trace:
        return None
    step = solution.sampled.found.trace[0]
    statistics = _Statistics(convention, solution)
    return Behaviour(facts={"counts": statistics.counts(step.path, [step.result] * len(step.path))})


def _first_largest(values: dict[Node, Ucb]) -> Node:
    """The first child that was never visited; else the first of the largest."""

    def size(child: Node) -> tuple[bool, int]:
        value = values[child]
        if isinstance(value, str):
            return True, 0
        real = root_of_log(value, 0, 1) if isinstance(value, Number) else value
        return False, real.enclosure(2 * BITS)[0] >> BITS

    return max(values, key=size)


FAMILY = "ucb"
MODELS = [
    Model("U1", FAMILY, _with_formula(_visited(_own_visits_in_log))),
    Model("U2", FAMILY, _with_formula(_visited(_log10))),
    Model("U3", FAMILY, _with_formula(_visited(_no_root))),
    Model("U4", FAMILY, _with_formula(_visited(lambda counted: counted.mean))),
    Model("U5", FAMILY, _with_formula(lambda counted: _ucb1(counted) if counted.visits else 0)),
    Model("U6", FAMILY, _with_formula(_visited(_wrong_side))),
    Model("U7", FAMILY, _no_alternation),
]
