"""Changes of the leaves: which of them keep the best moves and what is pruned (AIMA 3e, section 5.5.1).

Without chance a search only compares, so any increasing change keeps both. With chance the best moves are safe under
a positive affine change, v → a·v + b with a > 0, and under nothing else in general; whether some increasing change
alters them on this tree is decided by linear inequalities, which the first phase of the simplex method solves
exactly. Only leaves change: a window of given numbers stays.

A change is a formula in v, such as `2*v + 3`, `-v`, `v^3 + 1`, `1/(v - 2)`: read by our own grammar, computed
exactly.

    sum      = product, then any number of  + product  or  - product
    product  = signed, then any number of  * signed  or  / signed
    signed   = - signed  |  + signed  |  power
    power    = item  |  item ^ whole number
    item     = number  |  v  |  ( sum )
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import lcm, prod
from typing import Any, TypeAlias

from solver.analysis.tree_shape import accept
from solver.game.convention import Convention
from solver.game.game_tree import CHANCE, MAX, MIN, Move, Node, NodeId, Tree
from solver.kernel.errors import Refusal, UsageError, quoted
from solver.kernel.exact import RESULT_DIGITS, Number, fits, parse_number, simplest
from solver.search.algorithms.alpha_beta import pruned_nodes
from solver.search.algorithms.expectiminimax import expectiminimax
from solver.search.algorithms.minimax import minimax
from solver.search.trace import Scale, scale_of

MOST_CHARACTERS = 200
"""So nesting is bounded too, and the reader may call itself."""
MOST_POWER = 20

Compute: TypeAlias = Callable[[Number], Number]

_TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|[A-Za-z_]\w*|\S)")


@dataclass(frozen=True, slots=True)
class LeafFormula:
    text: str
    compute: Compute
    """Raises ZeroDivisionError where the formula divides by 0, OverflowError where a power has too many digits."""

    def __call__(self, v: Number) -> Number:
        return simplest(self.compute(v))


def read_formula(text: str) -> LeafFormula:
    """The formula that a string means; UsageError, in words, for anything else."""
    if len(text) > MOST_CHARACTERS:
        raise UsageError(f"a formula has at most {MOST_CHARACTERS} characters")
    reader = _FormulaReader(text)
    compute = reader.sum()
    reader.must_end()
    return LeafFormula(" ".join(text.split()), compute)


class _FormulaReader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens: list[str] = _TOKEN.findall(text.replace("−", "-").replace("·", "*").replace("×", "*"))
        self.place = 0

    @property
    def next(self) -> str:
        return self.tokens[self.place] if self.place < len(self.tokens) else ""

    def take(self, *wanted: str) -> str:
        """The next token if it is one of those wanted."""
        token = self.next
        if token and token in wanted:
            self.place += 1
            return token
        return ""

    def sum(self) -> Compute:
        value = self.product()
        while sign := self.take("+", "-"):
            value = _added(value, self.product(), -1 if sign == "-" else 1)
        return value

    def product(self) -> Compute:
        value = self.signed()
        while sign := self.take("*", "/"):
            value = _divided(value, self.signed()) if sign == "/" else _multiplied(value, self.signed())
        return value

    def signed(self) -> Compute:
        if self.take("-"):
            return _multiplied(lambda _v: -1, self.signed())
        return self.signed() if self.take("+") else self.power()

    def power(self) -> Compute:
        value = self.item()
        if not self.take("^"):
            return value
        exponent = self.next
        if not exponent.isascii() or not exponent.isdigit() or int(exponent) > MOST_POWER:
            raise self.wrong(f"an exponent is a whole number from 0 to {MOST_POWER}")
        self.place += 1
        if self.next == "^":
            raise self.wrong("write (v^2)^3 with parentheses")
        return _raised(value, int(exponent))

    def item(self) -> Compute:
        if self.take("v"):
            return lambda v: v
        if self.take("("):
            value = self.sum()
            if not self.take(")"):
                raise self.wrong("a parenthesis is not closed")
            return value
        number = parse_number(self.next)
        if number is None:
            raise self.wrong("a number, v or ( is expected")
        self.place += 1
        return lambda _v, number=number: number  # type: ignore[misc]

    def must_end(self) -> None:
        if self.next:
            missing_times = self.next in ("v", "(")
            raise self.wrong("write products with *, as in 2*v" if missing_times else "+, -, * or / is expected")

    def wrong(self, why: str) -> UsageError:
        where = f"at {quoted(self.next)}" if self.next else "at its end"
        return UsageError(
            f"the formula {quoted(self.text)} cannot be read {where}: {why}; it has numbers, v, + - * / ^ and ()"
        )


def _added(first: Compute, second: Compute, sign: int) -> Compute:
    return lambda v: first(v) + sign * second(v)


def _multiplied(first: Compute, second: Compute) -> Compute:
    return lambda v: first(v) * second(v)


def _divided(first: Compute, second: Compute) -> Compute:
    return lambda v: Fraction(first(v)) / second(v)


def _raised(base: Compute, exponent: int) -> Compute:
    def power(v: Number) -> Number:
        number = base(v)
        if exponent * (number.numerator.bit_length() + number.denominator.bit_length()) > 4 * RESULT_DIGITS:
            raise OverflowError
        return number**exponent

    return power


def solution(inequalities: Sequence[Sequence[Number]]) -> list[Fraction] | None:
    """Some x ≥ 0 with c₀ + c₁x₁ + … + cₙxₙ ≥ 0 for each row (c₀, …, cₙ), or None if there is none.

    Each row says what a slack variable is in terms of the others. One more variable, added to every row, makes them
    feasible at first; the original ones are if it can be brought down to 0. Bland's rule never cycles.
    """
    size = len(inequalities[0]) - 1 if inequalities else 0
    helper = size
    # A row: constant, then the coefficients of the variables that are 0 now; `basic` and `free` name them.
    rows = [[*map(Fraction, row), Fraction(1)] for row in inequalities]
    free = list(range(size + 1))
    basic = [size + 1 + place for place in range(len(rows))]
    worst = min(range(len(rows)), key=lambda place: rows[place][0], default=None)
    if worst is None or rows[worst][0] >= 0:
        return [Fraction(0)] * size
    _pivot(rows, basic, free, worst, size)
    while helper in basic:
        goal = rows[basic.index(helper)]
        falling = [column for column in range(size + 1) if goal[column + 1] < 0]
        if goal[0] == 0 or not falling:
            break
        column = min(falling, key=lambda each: free[each])
        limits = [
            (-row[0] / row[column + 1], basic[place] != helper, basic[place], place)
            for place, row in enumerate(rows)
            if row[column + 1] < 0
        ]
        _pivot(rows, basic, free, min(limits)[3], column)
    if helper in basic and rows[basic.index(helper)][0] > 0:
        return None
    values = [Fraction(0)] * size
    for place, variable in enumerate(basic):
        if variable < size:
            values[variable] = rows[place][0]
    return values


def _pivot(rows: list[list[Fraction]], basic: list[int], free: list[int], place: int, column: int) -> None:
    """The row's variable becomes 0, the column's takes its place."""
    row = rows[place]
    factor = row[column + 1]
    solved = [-each / factor for each in row]
    solved[column + 1] = 1 / factor
    for other, each in enumerate(rows):
        if other != place and (share := each[column + 1]) != 0:
            changed = [one + share * two for one, two in zip(each, solved, strict=True)]
            changed[column + 1] = share * solved[column + 1]
            rows[other] = changed
    rows[place] = solved
    basic[place], free[column] = free[column], basic[place]


WHAT = "changes of the leaves"
MOST_TRIALS = 2_000_000
"""Nodes evaluated in search of a counterexample with one jump."""
MOST_WORK = 200_000
"""Choices of moves, times the size of the inequalities that each gives: a few seconds."""
JUMPS = (10, 100, 10_000)

KEEPS, CHANGES, UNDECIDED = "keeps", "changes", "undecided"

Form: TypeAlias = dict[int, Number]
"""A linear form: the coefficient of each variable, 0 standing for the constant 1."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """A tree before and after its leaves were changed by a formula."""

    by: str
    kind: str
    """What the formula does to this tree's leaves: positive affine, increasing or other."""
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]
    """The root's best moves before and after."""
    pruned: tuple[tuple[NodeId, ...], tuple[NodeId, ...]] | None
    """What alpha-beta leaves unvisited before and after; None with chance."""

    @property
    def same_move(self) -> bool:
        return self.moves[0] == self.moves[1]

    @property
    def same_pruned(self) -> bool | None:
        return None if self.pruned is None else self.pruned[0] == self.pruned[1]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An increasing change: each value that a leaf has, with its new one, and the best moves before and after."""

    values: tuple[tuple[Number, Number], ...]
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]


@dataclass(frozen=True, slots=True)
class Invariance:
    """What an increasing change of the leaves may do to the root's best moves; a positive affine one keeps them."""

    increasing: str
    """keeps, changes or undecided."""
    reason: str
    pruned_kept: bool | None
    """Whether every increasing change keeps what alpha-beta prunes; None where that is not known or not asked."""
    counterexample: Counterexample | None = None


def transform_compared(tree: Tree, formula: LeafFormula, convention: Convention) -> Transformation:
    """Change the leaves by a formula; are the best moves and the pruned nodes the same?"""
    accept(tree, WHAT)
    changed = transformed(tree, formula)
    pruned = None
    if CHANCE not in tree.turns:
        before, after = (tuple(one.ids[node] for node in pruned_nodes(one, convention)) for one in (tree, changed))
        pruned = (before, after)
    return Transformation(formula.text, _kind(tree, changed), (_best(tree), _best(changed)), pruned)


def transformed(tree: Tree, formula: LeafFormula) -> Tree:
    """The tree with every leaf's value changed by a formula."""
    leaf: list[Any] = list(tree.leaf)
    for node in tree.leaves:
        try:
            leaf[node] = formula(leaf[node])
        except ZeroDivisionError:
            message = f"{formula.text} divides by 0 at {tree.name(node)}"
            raise Refusal(tree.ids[node], "algorithm", message) from None
        except OverflowError:
            leaf[node] = None
        if leaf[node] is None or not fits(leaf[node]):
            message = f"{formula.text} has more than {RESULT_DIGITS:,} digits at {tree.name(node)}"
            raise Refusal(tree.ids[node], "result-size", message)
    return replace(tree, leaf=tuple(leaf))


def increasing_changes(tree: Tree, convention: Convention) -> Invariance:
    """May an increasing change of the leaves alter the root's best moves?"""
    accept(tree, WHAT)
    if CHANCE not in tree.turns:
        moves_along = convention.window in (("-inf", "inf"), "utilities")
        reason = "without chance only the order of the leaves counts, and an increasing change keeps it"
        return Invariance(KEEPS, reason, True if moves_along else None)
    if tree.turn[0] in (None, CHANCE) or len(tree.children[0]) == 1:
        return Invariance(KEEPS, "there is no choice at the root", None)
    scale = scale_of(tree)
    jump = _one_jump(tree, scale)
    verdict, gaps = (CHANGES, jump) if jump is not None else _decide(tree, scale)
    if gaps is not None:
        found = _counterexample(tree, scale, gaps)
        assert found.moves[0] != found.moves[1]
        return Invariance(CHANGES, "an increasing change of these leaves alters the best move", None, found)
    if verdict == KEEPS:
        return Invariance(KEEPS, "no increasing change can alter the best move here", None)
    return Invariance(UNDECIDED, "no increasing change was found that alters the best move, and none is excluded", None)


def _best(tree: Tree) -> tuple[Move, ...]:
    if tree.turn[0] in (None, CHANCE):
        return ()
    leaves: Any = tree.leaf
    value = expectiminimax(tree, leaves)
    return tuple(Move(str(tree.move[child])) for child in tree.children[0] if value[child] == value[0])


def _kind(tree: Tree, changed: Tree) -> str:
    pairs: Any = sorted({(tree.leaf[node], changed.leaf[node]) for node in tree.leaves})
    slopes = [Fraction(new[1] - old[1]) / (new[0] - old[0]) for old, new in pairwise(pairs)]
    if any(slope <= 0 for slope in slopes):
        return "other"
    return "positive affine" if len(set(slopes)) <= 1 else "increasing"


def _counterexample(tree: Tree, scale: Scale, gaps: Sequence[Number]) -> Counterexample:
    """The change that gives the smallest leaf 0 and each next one so much more than the one before."""
    new: list[Number] = [0]
    for gap in gaps:
        new.append(simplest(new[-1] + gap))
    by_value: dict[Any, Number] = dict(zip(scale.numbers, new, strict=True))
    changed = replace(tree, leaf=tuple(None if leaf is None else by_value[leaf] for leaf in tree.leaf))
    return Counterexample(tuple(by_value.items()), (_best(tree), _best(changed)))


def _one_jump(tree: Tree, scale: Scale) -> list[Number] | None:
    """Try changes in which all leaves are close together except for one wide gap: risk is what such changes vary."""
    count = len(scale.numbers) - 1
    if count * len(tree) * len(JUMPS) > MOST_TRIALS:
        return None
    before = _best(tree)
    for width, place in product(JUMPS, range(count)):
        gaps: list[Number] = [width if each == place else 1 for each in range(count)]
        if _counterexample(tree, scale, gaps).moves[1] != before:
            return gaps
    return None


def _decide(tree: Tree, scale: Scale) -> tuple[str, list[Number] | None]:
    """Whether a change exists, from the first best child and each of the others: a tie is broken if one can be more
    than the other, and a worse child becomes best, or as good, if it can be at least as much."""
    leaves: Any = tree.leaf
    value = expectiminimax(tree, leaves)
    children = tree.children[0]
    champion = next(child for child in children if value[child] == value[0])
    verdict, work = KEEPS, 0
    for rival in children:
        if rival == champion:
            continue
        pair = (rival, champion) if tree.turn[0] == MAX else (champion, rival)
        tied = value[rival] == value[0]
        for above, below in (pair, pair[::-1]) if tied else (pair,):
            problem = _Rivalry(tree, scale, above, below, gap=1 if tied else 0)
            if work + problem.work > MOST_WORK:
                verdict = UNDECIDED
                continue
            work += problem.work
            if (gaps := problem.solve()) is not None:
                return CHANGES, gaps
    return verdict, None


class _Rivalry:
    """Is there an increasing change under which one child is worth at least as much as another, plus a gap?

    The gaps δ between neighbouring leaf values are the variables; scaling them changes no order, so δ ≥ 1 is no loss.
    The child that should be more is worth what MAX can make sure of: for some choice of its moves MIN nodes are at
    most each of their children. The other is worth what MIN can: for some choice MAX nodes are at least each of theirs.
    All choices are tried; each gives linear inequalities. What lies below the last chance node only compares, and
    counts as the leaf that it leads to.
    """

    def __init__(self, tree: Tree, scale: Scale, above: Node, below: Node, gap: int) -> None:
        self.tree, self.above, self.below, self.gap = tree, above, below, gap
        self.rank = minimax(tree, scale.utility)
        self.gaps = len(scale.numbers) - 1
        self.open = [turn == CHANCE for turn in tree.turn]
        for node in tree.bottom_up():
            self.open[node] = self.open[node] or any(self.open[child] for child in tree.children[node])
        self.choosing = [*self._nodes(above, MAX), *self._nodes(below, MIN)]
        bounded = [*self._nodes(above, MIN), *self._nodes(below, MAX)]
        rows = sum(len(tree.children[node]) for node in bounded) + 1
        choices = prod(len(tree.children[node]) for node in self.choosing)
        self.work = choices * rows * (self.gaps + len(bounded) + rows)

    def solve(self) -> list[Number] | None:
        for choice in product(*(self.tree.children[node] for node in self.choosing)):
            rows, size = self._inequalities(dict(zip(self.choosing, choice, strict=True)))
            found = solution([[row.get(place, 0) for place in range(size + 1)] for row in rows])
            if found is not None:
                gaps = [1 + each for each in found[: self.gaps]]
                common = lcm(*(each.denominator for each in gaps))
                return [simplest(each * common) for each in gaps]
        return None

    def _nodes(self, child: Node, turn: str) -> Iterator[Node]:
        """The nodes below a child, itself among them, with this turn and chance below them."""
        return (node for node in self.tree.subtree(child) if self.open[node] and self.tree.turn[node] == turn)

    def _inequalities(self, choice: dict[Node, Node]) -> tuple[list[Form], int]:
        rows: list[Form] = []
        size = self.gaps
        form: dict[Node, Form] = {}
        for child in (self.above, self.below):
            for node in reversed(self.tree.subtree(child)):
                children = self.tree.children[node]
                if not self.open[node]:
                    # A leaf's new value is the sum of the gaps below it, each 1 and something more.
                    form[node] = {0: self.rank[node], **{place + 1: 1 for place in range(self.rank[node])}}
                elif self.tree.turn[node] == CHANCE:
                    chances: Any = [self.tree.probability[each] for each in children]
                    form[node] = _sum(chances, [form[each] for each in children])
                elif node in choice:
                    form[node] = form[choice[node]]
                else:
                    size += 1
                    form[node] = {size: 1}
                    sign = 1 if child == self.above else -1
                    rows += [_sum((sign, -sign), (form[each], form[node])) for each in children]
        rows.append(_sum((1, -1, -self.gap), (form[self.above], form[self.below], {0: 1})))
        return rows, size


def _sum(weights: Sequence[Number], forms: Sequence[Form]) -> Form:
    mixed: Form = {}
    for weight, form in zip(weights, forms, strict=True):
        for variable, coefficient in form.items():
            mixed[variable] = mixed.get(variable, 0) + weight * coefficient
    return mixed
