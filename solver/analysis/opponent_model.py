"""What MIN's mistakes are worth: the value, and MAX's best move, when MIN errs with probability p at each of its nodes.

With probability 1 − p MIN plays its best reply; with probability p it errs, in one of two ways:

worst    it plays the move that is best for MAX (on Figure 5.2: 3.9 at p = 0.1, and a3 is best if p > 1/3)
random   it plays any of its moves, all equally likely, the best one among them

The game is then one of chance. MAX knows p and makes the most of it; MIN's best reply is the best one in this game,
where it may err again further down:

    V(MAX node) = max V(child)        V(MIN node) = (1 − p)·min V(child) + p·max V(child)   (or p·mean)

So every value is, piece by piece, a polynomial in p, of a degree that is the number of MIN nodes on the way down.
Where a move stops being best is a root of the difference of two of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from solver.analysis.piecewise import NONE, Range, between
from solver.analysis.polynomials import (
    Polynomial,
    Root,
    at,
    before,
    minus,
    plus,
    primitive,
    rational,
    roots,
    same,
    scaled,
    times,
    trimmed,
    vanishes,
)
from solver.analysis.tree_shape import accept
from solver.game.game_tree import CHANCE, MAX, MIN, Move, Tree, expected
from solver.kernel.errors import Refusal, UsageError
from solver.kernel.exact import RESULT_DIGITS, Number, fits, number_text, simplest, total
from solver.search.algorithms.expectiminimax import expectiminimax

WORST, RANDOM = "worst", "random"
MODELS = (WORST, RANDOM)
MOST_DEGREE = 12
"""MIN nodes on one path; the threshold of a deeper tree is refused."""
MOST_COMPARISONS = 30_000
"""Children compared, over all pieces of the function."""

WHAT = "what MIN's mistakes are worth"
ERRS: Polynomial = (0, 1)
PLAYS_WELL: Polynomial = (1, -1)


@dataclass(frozen=True, slots=True)
class Against:
    """The game against a MIN that errs with a given probability."""

    errs: Number
    model: str
    value: Number
    minimax: Number
    """What the root is worth against perfect play."""
    moves: tuple[Move, ...]
    """The root's best moves, in document order; none at a chance or leaf root."""

    @property
    def gain(self) -> Number:
        return simplest(self.value - self.minimax)


@dataclass(frozen=True, slots=True)
class ValuePiece:
    """The root's value as a polynomial in p, from low to high."""

    low: Root
    high: Root
    value: Polynomial


@dataclass(frozen=True, slots=True)
class Stretch:
    """Values of p for which the same moves are best."""

    low: Root
    high: Root
    low_closed: bool
    high_closed: bool
    moves: tuple[Move, ...]

    def text(self, digits: int = 6) -> str:
        """`p < 1/3`, `p = 1/3`, `p > 1/3`; the ends 0 and 1 go without saying."""
        if same(self.low, self.high):
            return f"p = {self.low.text(digits)}"
        below, above = ("<=" if self.low_closed else "<"), ("<=" if self.high_closed else "<")
        from_start, to_end = self.low.exact == 0 and self.low_closed, self.high.exact == 1 and self.high_closed
        if from_start:
            return "every p" if to_end else f"p {above} {self.high.text(digits)}"
        if to_end:
            return f"p {below.replace('<', '>')} {self.low.text(digits)}"
        return f"{self.low.text(digits)} {below} p {above} {self.high.text(digits)}"


@dataclass(frozen=True, slots=True)
class Mistakes:
    """The whole picture for 0 ≤ p ≤ 1."""

    model: str
    pieces: tuple[ValuePiece, ...]
    stretches: tuple[Stretch, ...]
    """From p = 0 to p = 1; empty where the root is not MAX's."""

    @property
    def thresholds(self) -> tuple[Root, ...]:
        """Each p at which the set of best moves changes."""
        ends = [stretch.low for stretch in self.stretches[1:]]
        return tuple(end for place, end in enumerate(ends) if place == 0 or not same(end, ends[place - 1]))

    def range_of(self, move: Move) -> Range | None:
        """The p for which a move is best, or None if an end is irrational."""
        found = NONE
        for stretch in self.stretches:
            if move in stretch.moves:
                low, high = stretch.low.exact, stretch.high.exact
                if low is None or high is None:
                    return None
                found |= between(low, high, stretch.low_closed, stretch.high_closed)
        return found

    def text(self, digits: int = 6) -> str:
        if len(self.stretches) == 1:
            return f"{' or '.join(self.stretches[0].moves)} for every p"
        return ", ".join(f"{' or '.join(each.moves)} if {each.text(digits)}" for each in self.stretches)


def against_mistakes(tree: Tree, errs: Number, model: str = WORST) -> Against:
    """The game when MIN errs with probability `errs`."""
    _check(tree, model)
    if not 0 <= errs <= 1:
        raise UsageError(f"MIN errs with a probability between 0 and 1, not {number_text(errs)}")
    values = values_against(tree, errs, model)
    leaves: Any = tree.leaf
    moves = [child for child in tree.children[0] if values[child] == values[0]] if tree.turn[0] == MAX else []
    named = tuple(Move(str(tree.move[child])) for child in moves)
    return Against(errs, model, values[0], expectiminimax(tree, leaves)[0], named)


def values_against(tree: Tree, errs: Number, model: str = WORST) -> list[Number]:
    """What every node is worth when MIN errs with probability `errs`."""
    leaves: Any = tree.leaf
    value: list[Number] = list(leaves)
    for node in tree.bottom_up():
        below = [value[child] for child in tree.children[node]]
        turn = tree.turn[node]
        if turn == CHANCE:
            value[node] = expected(tree, node, below)
        elif turn == MAX:
            value[node] = max(below)
        else:
            slip = Fraction(total(below)) / len(below) if model == RANDOM else max(below)
            value[node] = simplest((1 - errs) * min(below) + errs * slip)
            if not fits(value[node]):
                message = f"{tree.name(node)}: its value has more than {RESULT_DIGITS:,} digits"
                raise Refusal(tree.ids[node], "result-size", message)
    return value


def opponent_mistakes(tree: Tree, model: str = WORST) -> Mistakes:
    """The value for every p, and every p at which MAX's best move changes, exactly."""
    _check(tree, model)
    _check_degree(tree)
    courses = _courses(tree, model)
    pieces: list[ValuePiece] = []
    for course in courses:
        if pieces and pieces[-1].value == course.worth[0]:
            pieces[-1] = ValuePiece(pieces[-1].low, course.high, course.worth[0])
        else:
            pieces.append(ValuePiece(course.low, course.high, course.worth[0]))
    return Mistakes(model, tuple(pieces), tuple(_stretches(tree, courses)) if tree.turn[0] == MAX else ())


@dataclass(frozen=True, slots=True)
class _Course:
    """Between low and high no comparison at any node changes: the root (first) and its children are polynomials."""

    low: Root
    high: Root
    worth: tuple[Polynomial, ...]

    def best_at(self, p: Root) -> list[int]:
        """Which children are best at one of its ends, as places."""
        return [place for place, each in enumerate(self.worth[1:]) if vanishes(minus(each, self.worth[0]), p)]

    def best_inside(self) -> list[int]:
        return [place for place, each in enumerate(self.worth[1:]) if each == self.worth[0]]


def _courses(tree: Tree, model: str) -> list[_Course]:
    """Look at one p inside a gap: what is compared there holds up to the nearest roots on both sides; go on with what
    is left of the gap."""
    todo, done = [(rational(0), rational(1))], []
    compared = 0
    edges = len(tree) - 1
    while todo:
        low, high = todo.pop()
        p, worth, differences = _look_inside(tree, model, low, high)
        left, right = low, high
        for each in differences:
            for root in roots(each, 0, 1):
                if before(root, rational(p)):
                    left = root if before(left, root) else left
                else:
                    right = root if before(root, right) else right
        done.append(_Course(left, right, tuple(worth[node] for node in (0, *tree.children[0]))))
        todo += [(low, left)] if before(low, left) else []
        todo += [(right, high)] if before(right, high) else []
        compared += edges
        if compared > MOST_COMPARISONS:
            message = f"{WHAT}: the value changes its formula too often on a tree of {len(tree):,} nodes"
            raise Refusal(tree.ids[0], "too-hard", message, "ask for a given p")
    return _sorted(done)


def _sorted(courses: list[_Course]) -> list[_Course]:
    """From 0 to 1: no two overlap, so a rational inside each tells their order."""
    return sorted(courses, key=lambda course: _inside(course.low, course.high))


def _look_inside(
    tree: Tree, model: str, low: Root, high: Root
) -> tuple[Number, list[Polynomial], frozenset[Polynomial]]:
    """A p between two numbers at which no two different children are level by accident, with what it shows there."""
    p = _inside(low, high)
    while True:
        found = _polynomials(tree, model, p)
        if found is not None:
            return p, *found
        high = rational(p)
        p = _inside(low, high)


def _inside(low: Root, high: Root) -> Number:
    while low.high >= high.low:
        low, high = low.narrower(), high.narrower()
    return simplest(Fraction(low.high + high.low) / 2)


def _polynomials(tree: Tree, model: str, p: Number) -> tuple[list[Polynomial], frozenset[Polynomial]] | None:
    """Every node's value near p, with the differences of those compared; None if two that differ are equal at p."""
    worth: list[Polynomial] = [trimmed([leaf]) if isinstance(leaf, Number) else () for leaf in tree.leaf]
    differences: set[Polynomial] = set()
    for node in tree.bottom_up():
        below = [worth[child] for child in tree.children[node]]
        turn = tree.turn[node]
        if turn == CHANCE:
            chances: Any = [tree.probability[child] for child in tree.children[node]]
            worth[node] = _weighted(chances, below)
            continue
        values = [at(each, p) for each in below]
        least, most = below[values.index(min(values))], below[values.index(max(values))]
        for chosen in {MAX: [most], MIN: [least] if model == RANDOM else [least, most]}[str(turn)]:
            for each, value in zip(below, values, strict=True):
                if each != chosen:
                    if value == at(chosen, p):
                        return None
                    differences.add(primitive(minus(each, chosen)))
        if turn == MAX:
            worth[node] = most
        else:
            slip = _weighted([Fraction(1, len(below))] * len(below), below) if model == RANDOM else most
            worth[node] = plus(times(PLAYS_WELL, least), times(ERRS, slip))
    return worth, frozenset(each for each in differences if len(each) > 1)


def _weighted(weights: Sequence[Number], polynomials: Sequence[Polynomial]) -> Polynomial:
    mixed: Polynomial = ()
    for weight, each in zip(weights, polynomials, strict=True):
        mixed = plus(mixed, scaled(each, weight))
    return mixed


def _stretches(tree: Tree, courses: Sequence[_Course]) -> list[Stretch]:
    """The best moves at 0, between 0 and the first end, at that end, and so on, with equal neighbours joined."""
    first = courses[0].low
    seen = [(first, first, courses[0].best_at(first))]
    for course in courses:
        seen.append((course.low, course.high, course.best_inside()))
        seen.append((course.high, course.high, course.best_at(course.high)))
    found: list[Stretch] = []
    for place, (low, high, best) in enumerate(seen):
        moves = tuple(Move(str(tree.move[tree.children[0][each]])) for each in best)
        is_point = place % 2 == 0
        if found and found[-1].moves == moves:
            found[-1] = Stretch(found[-1].low, high, found[-1].low_closed, is_point, moves)
        else:
            found.append(Stretch(low, high, is_point, is_point, moves))
    return found


def _check(tree: Tree, model: str) -> None:
    accept(tree, WHAT)
    if model not in MODELS:
        raise UsageError(f"unknown model {model!r} of MIN's mistakes; choose one of {', '.join(MODELS)}")


def _check_degree(tree: Tree) -> None:
    degree = [0] * len(tree)
    for node in tree.bottom_up():
        degree[node] = max(degree[child] for child in tree.children[node]) + (tree.turn[node] == MIN)
    if degree[0] > MOST_DEGREE:
        message = f"{WHAT}: a path with {degree[0]:,} MIN nodes gives polynomials of too high a degree"
        raise Refusal(tree.ids[0], "too-hard", message, f"at most {MOST_DEGREE} are allowed; ask for a given p")
