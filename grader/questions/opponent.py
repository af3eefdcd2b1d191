"""`opponent`: what the game is worth against a MIN that errs with probability p, or for which p MAX leaves its move.

With `errs: threshold` the answer is the range of p for which the best move against perfect play is not best any more.
It may be given with or without the p at which both are equally good, or as that p alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.answers import IntervalSet, intervals, number
from grader.kernel.verdicts import is_near
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import NO_FACTS, Ask, ExamFacts, Parameter
from grader.questions.conditions import WITH_CHANCE, a_move_if_asked, min_moves
from grader.questions.presentation import NUMBER
from grader.questions.shown import NO_NUMBER, worth_fact
from solver.analysis import Root, against_mistakes, opponent_mistakes
from solver.kernel import Number
from solver.languages import Fact, Formula, Items, Sentence

THRESHOLD = "threshold"
DIGITS = 4
"""To which an irrational threshold is printed where the question declares none."""
PROBABILITIES = IntervalSet.of([(0, 1, True, True)])
TIMES = Sentence("sign.times")
MIXED = {
    model: Formula(("(", 1, " − p)", TIMES, "min + p", TIMES, slip))
    for model, slip in (("worst", "max"), ("random", Sentence("why.opponent.mean")))
}


@dataclass(frozen=True, slots=True)
class ProbabilityRange:
    """An interval of p; its ends may be irrational."""

    low: Root
    high: Root
    low_closed: bool
    high_closed: bool


Parts = tuple[ProbabilityRange, ...]


class OpponentAsk(Ask):
    name = "opponent"
    of_values = True
    conditions = (*WITH_CHANCE, min_moves, a_move_if_asked)
    parameters = (
        Parameter("errs", "errs", required=True),
        Parameter("model", "word", "worst"),
    )
    algorithms = ("minimax", "alpha-beta", "expectiminimax")
    exact = True
    paper_box = NUMBER
    open_as_text = True
    own_items = ("range", "value")

    def key(self, question: KeyedQuestion) -> Mapping[str, Any]:
        if _errs(question) == THRESHOLD:
            return {"range": tuple(_accepted(question))}
        return {"value": _against(question).value}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> Number | IntervalSet:
        comma = question.decimal_comma
        return (
            intervals(raw, "p", comma=comma)
            if item == "range"
            else number(raw, comma=comma, rounded=question.digits is not None)
        )

    def agrees(self, question: KeyedQuestion, item: str, value: Any, expected: Any) -> bool:
        if item == "value":
            return is_near(value, expected, question.digits)
        return any(_alike(value & PROBABILITIES, parts, question.digits) for parts in expected)

    def perfect(self, question: KeyedQuestion) -> Any:
        return {item: each.replace("...", "") for item, each in self.shown(question).items()}

    def fact(self, question: KeyedQuestion, item: str, expected: Any) -> Fact:
        if item == "value":
            return worth_fact("exact", expected)
        parts: list[Fact] = []
        for part in expected[0]:
            parts += [" ∨ ", *_facts(part, _digits(question))]
        return Formula(tuple(parts[1:])) if parts else NO_NUMBER

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        model = Sentence(f"why.opponent.{_model(question)}", None, {"formula": MIXED[_model(question)]})
        if item == "value":
            found = _against(question)
            moves = Items(tuple(map(str, found.moves[:12])), len(found.moves), "or")
            if not found.moves:
                return (model,)
            return (model, Sentence("why.opponent.best", None, {"moves": moves, "value": found.value}))
        return (model, *(self._best_where(question, stretch) for stretch in _mistakes(question).stretches))

    def _best_where(self, question: KeyedQuestion, stretch: Any) -> Sentence:
        part = ProbabilityRange(stretch.low, stretch.high, stretch.low_closed, stretch.high_closed)
        moves = Items(tuple(map(str, stretch.moves[:12])), len(stretch.moves), "or")
        where = Formula(tuple(_number(each, _digits(question)) for each in _pieces(part)))
        return Sentence("why.opponent.moves", None, {"where": where, "moves": moves})

    def wording(self, question: KeyedQuestion) -> Sentence:
        errs, model = question.parameters["errs"], question.parameters["model"]
        if errs == THRESHOLD:
            return Sentence(f"ask.opponent.threshold.{model}")
        return Sentence(f"ask.opponent.{model}", None, {"errs": errs})

    def exam_facts(self, question: KeyedQuestion) -> ExamFacts:
        key = self.keyed(question)
        if "range" not in key:
            return NO_FACTS
        parts = key["range"][0]
        exact = parts[0].low.exact if parts else None
        return ExamFacts(thresholds=(None if exact is None else Fraction(exact),))


def _errs(question: KeyedQuestion) -> Any:
    return question.parameters["errs"]


def _model(question: KeyedQuestion) -> str:
    return str(question.parameters.get("model", "worst"))


def _against(question: KeyedQuestion) -> Any:
    tree = question.solution.tree
    return question.once("opponent errs", lambda: against_mistakes(tree, _errs(question), _model(question)))


def _mistakes(question: KeyedQuestion) -> Any:
    tree = question.solution.tree
    return question.once("opponent threshold", lambda: opponent_mistakes(tree, _model(question)))


def _accepted(question: KeyedQuestion) -> Iterator[Parts]:
    """What is right, the one that is printed first."""
    found, solution = _mistakes(question), question.solution
    picked = solution.move
    optimal = [picked]
    if "ties" not in question.exercise.printed or question.convention.ties == "any":
        optimal += [move for move in solution.moves if move != picked]
    for move in optimal:
        yield _where(found, [move not in stretch.moves for stretch in found.stretches])
        yield _where(found, [stretch.moves != (move,) for stretch in found.stretches])
    yield _where(found, [not set(stretch.moves) & set(optimal) for stretch in found.stretches])
    if found.thresholds:
        yield tuple(ProbabilityRange(root, root, True, True) for root in found.thresholds)


def _where(found: Any, holds: Sequence[bool]) -> Parts:
    """The stretches of p that hold, neighbours joined."""
    parts: list[ProbabilityRange] = []
    before = False
    for stretch, now in zip(found.stretches, holds, strict=True):
        if now and before:
            parts[-1] = ProbabilityRange(parts[-1].low, stretch.high, parts[-1].low_closed, stretch.high_closed)
        elif now:
            parts.append(ProbabilityRange(stretch.low, stretch.high, stretch.low_closed, stretch.high_closed))
        before = now
    return tuple(parts)


def _alike(given: IntervalSet, parts: Parts, digits: int | None) -> bool:
    return len(given.parts) == len(parts) and all(
        (one.low_closed, one.high_closed) == (other.low_closed, other.high_closed)
        and _is(one.low, other.low, digits)
        and _is(one.high, other.high, digits)
        for one, other in zip(given.parts, parts, strict=True)
    )


def _is(given: Any, root: Root, digits: int | None) -> bool:
    """Whether a number that was written is a root; to the digits declared, decided by ever tighter enclosures."""
    if isinstance(given, str):
        return False
    if root.exact is not None:
        return is_near(given, root.exact, digits)
    if digits is None:
        return False
    low, high = given - Fraction(1, 2 * 10**digits), given + Fraction(1, 2 * 10**digits)
    # The root is irrational, so it is neither of the two.
    while root.low < low < root.high or root.low < high < root.high:
        root = root.narrower()
    return bool(low <= root.low and root.high <= high)


def _facts(part: ProbabilityRange, digits: int) -> Iterator[Fact]:
    """A rounded end has dots behind it."""
    for piece in _pieces(part):
        yield _number(piece, digits)
        if not isinstance(piece, str) and piece.exact is None:
            yield "..."


def _pieces(part: ProbabilityRange) -> list[Any]:
    """`p > 1/3`, as signs and numbers; the ends 0 and 1 go without saying."""
    if part.low == part.high:
        return ["p = ", part.low]
    below, above = (" ≤ " if part.low_closed else " < "), (" ≤ " if part.high_closed else " < ")
    from_start, to_end = part.low.exact == 0 and part.low_closed, part.high.exact == 1 and part.high_closed
    if from_start and not to_end:
        return ["p", above, part.high]
    if to_end and not from_start:
        return ["p", " ≥ " if part.low_closed else " > ", part.low]
    return [part.low, below, "p", above, part.high]


def _number(piece: Any, digits: int) -> Any:
    """A sign, or a number as sentences have them: exact, or rounded if it is irrational."""
    if isinstance(piece, str):
        return piece
    return Decimal(piece.text(digits).rstrip(".")) if piece.exact is None else piece.exact


def _digits(question: KeyedQuestion) -> int:
    return DIGITS if question.digits is None else question.digits
