"""`range`: for which values of the unknown leaf a node is pruned, a move is best, or the root is worth a number.

Ranges are compared as sets, ends included. Where the exercise does not write out how ties are broken, a move's range
may be given with or without the values at which another move is just as good.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.answers import EMPTY, EVERY, IntervalSet, NumberInterval, intervals
from grader.kernel.verdicts import is_near
from grader.questions.aids import hinted
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Ask, ExamFacts, Given, Parameter
from grader.questions.conditions import ALPHA_BETA, a_move_if_asked, no_chance_if_pruning, only, unknown_given
from grader.questions.following import Following
from grader.questions.items import Marked
from grader.questions.presentation import listed
from grader.questions.shown import EVERY_NUMBER, NO_NUMBER
from solver.analysis import one_unknown, pruned_ranges, substituted
from solver.game import CHANCE, MAX, MIN
from solver.kernel import Number
from solver.languages import Fact, Formula, Items, Limit, Sentence
from solver.search import run_alpha_beta


@dataclass(frozen=True, slots=True)
class Ranges:
    """What is right: the range that is printed, first, and others that are as good."""

    accepted: tuple[IntervalSet, ...]
    domain: IntervalSet
    """The values that the unknown may have at all."""

    @property
    def shown(self) -> IntervalSet:
        return self.accepted[0]


class RangeAsk(Ask):
    name = "range"
    required_by = ("unknown_width", "unknown_parts")
    conditions = (only(MAX, MIN, CHANCE), unknown_given, no_chance_if_pruning, a_move_if_asked)
    parameters = (
        Parameter("unknown", "unknown"),
        Parameter("when", "condition", required=True),
    )
    algorithms = ALPHA_BETA
    open_ended = True
    own_items = ("range",)

    def key(self, question: KeyedQuestion) -> Mapping[str, Ranges]:
        return {"range": _ranges(question)}

    def read(self, question: KeyedQuestion, raw: Any) -> Mapping[str, Given]:
        # A set of numbers in braces is a mapping to YAML, so no mapping is taken apart here.
        whole = raw.get("range", raw) if isinstance(raw, dict) else raw
        return {} if raw is None else {"range": self._given(question, "range", whole)}

    def read_item(self, question: KeyedQuestion, item: str, raw: Any) -> IntervalSet:
        return intervals(raw, _unknown(question), comma=question.decimal_comma)

    def agrees(self, question: KeyedQuestion, item: str, value: IntervalSet, expected: Ranges) -> bool:
        inside = value & expected.domain
        return any(_alike(inside, right & expected.domain, question.digits) for right in expected.accepted)

    def mark(
        self, question: KeyedQuestion, given: Mapping[str, Given], own: Following, follow_through: Fraction
    ) -> Marked:
        marked = super().mark(question, given, own, follow_through)
        expected = self.keyed(question)["range"]

        def hint(_: str, value: IntervalSet) -> Sentence | None:
            only_ends = any(
                _differ_in_ends(value & expected.domain, right & expected.domain) for right in expected.accepted
            )
            return Sentence("hint.range.ends") if only_ends else None

        return hinted(marked, given, hint)

    def fact(self, question: KeyedQuestion, item: str, expected: Ranges) -> Fact:
        return _range_fact(expected.shown, _unknown(question))

    def read_fact(self, question: KeyedQuestion, item: str, value: IntervalSet) -> Fact:
        return _range_fact(value, _unknown(question))

    def why(self, question: KeyedQuestion, item: str) -> Sequence[Sentence]:
        return question.once("range why", lambda: tuple(self._samples(question)))

    def _samples(self, question: KeyedQuestion) -> Iterator[Sentence]:
        """What happens at a value in the range, and at one outside."""
        ranges = self.keyed(question)["range"]
        for part in (ranges.shown & ranges.domain, ~ranges.shown & ranges.domain):
            if part:
                yield from _at(question, sample(part))

    def wording(self, question: KeyedQuestion) -> Sentence:
        what, says = wanted_of(question.parameters["when"])
        facts = {"unknown": str(question.parameters["unknown"]), **wanted_facts(what, says)}
        return Sentence(f"ask.range.{what}", None, facts)

    def exam_facts(self, question: KeyedQuestion) -> ExamFacts:
        ranges = self.keyed(question)["range"]
        return ExamFacts(ranges=(ranges.shown & ranges.domain,))


def _range_fact(numbers: IntervalSet, unknown: str) -> Formula:
    """`2 < x ≤ 5 ∨ x > 7`."""
    if numbers in (EVERY, EMPTY):
        return EVERY_NUMBER if numbers else NO_NUMBER
    parts: list[Fact] = []
    for part in numbers.parts:
        parts += [" ∨ ", *_part_facts(part, unknown)]
    return Formula(tuple(parts[1:]))


def _part_facts(part: NumberInterval, unknown: str) -> Iterator[Fact]:
    below, above = (" ≤ " if part.low_closed else " < "), (" ≤ " if part.high_closed else " < ")
    if _is_point(part):
        yield from (unknown, " = ", Limit(part.low))
    elif part.high == "inf":
        yield from (unknown, " ≥ " if part.low_closed else " > ", Limit(part.low))
    elif part.low == "-inf":
        yield from (unknown, above, Limit(part.high))
    else:
        yield from (Limit(part.low), below, unknown, above, Limit(part.high))


def sample(numbers: IntervalSet) -> Number:
    """A number of a set that is not empty: an end that belongs to it, or a plain one inside."""
    low, high, low_closed, high_closed = numbers.parts[0]
    if low_closed and not isinstance(low, str):
        return low
    if high_closed and not isinstance(high, str):
        return high
    if isinstance(low, str):
        return 0 if isinstance(high, str) else -(-high // 1) - 1
    if isinstance(high, str) or low // 1 + 1 < high:
        return low // 1 + 1
    return Fraction(low + high) / 2


def wanted_facts(what: str, says: Any) -> dict[str, Fact]:
    """What a condition says, for its sentence."""
    if what == "pruned":
        return {"nodes": listed(says)}
    return {} if says is None else {what: says}


def wanted_of(wanted: Mapping[str, Any]) -> tuple[str, Any]:
    """What a condition speaks of, and what it says; the nodes of `pruned` as a tuple."""
    what, says = next(iter(wanted.items()))
    return what, (says,) if what == "pruned" and isinstance(says, str) else says


def domain_of(question: KeyedQuestion) -> IntervalSet:
    bounds = question.tree.bounds
    return EVERY if bounds is None else IntervalSet.of([(*bounds, True, True)])


def _unknown(question: KeyedQuestion) -> str:
    return str(question.parameters["unknown"])


def _ranges(question: KeyedQuestion) -> Ranges:
    tree = question.tree
    what, says = wanted_of(question.parameters["when"])
    if what == "pruned":
        by_node = pruned_ranges(tree, question.convention)
        found = EVERY
        for name in says:
            found &= _set(by_node[name])
        return Ranges((found,), domain_of(question))
    one = one_unknown(tree)
    if what == "value":
        return Ranges((_set(one.where_value_is(says)),), domain_of(question))
    best = {str(move): _set(where) for move, where in one.moves.items()}
    return Ranges(tuple(_accepted(best, says, question)), domain_of(question))


def _accepted(best: Mapping[str, IntervalSet], move: str, question: KeyedQuestion) -> Iterator[IntervalSet]:
    """Where a move is best: under the tie rule that is written out, or else under any."""
    moves = list(best)
    place = moves.index(move)
    before, after = (~_union(best[other] for other in others) for others in (moves[:place], moves[place + 1 :]))
    convention = question.convention
    if "ties" in question.exercise.printed and convention.ties != "any":
        from_left = (convention.ties == "last") == (convention.order == "right-to-left")
        yield best[move] & (before if from_left else after)
        return
    yield from dict.fromkeys([best[move], best[move] & before & after, best[move] & before, best[move] & after])


def _union(sets: Iterator[IntervalSet]) -> IntervalSet:
    found = IntervalSet()
    for each in sets:
        found |= each
    return found


def _set(found: Any) -> IntervalSet:
    """A range of the solver's as a set that answers are read into."""
    return IntervalSet.of(found.intervals)


def _alike(given: IntervalSet, right: IntervalSet, digits: int | None) -> bool:
    """The same set; where digits are declared, ends may be rounded to them."""
    if digits is None or given == right:
        return given == right
    return len(given.parts) == len(right.parts) and all(
        one[2:] == other[2:] and is_near(one.low, other.low, digits) and is_near(one.high, other.high, digits)
        for one, other in zip(given.parts, right.parts, strict=True)
    )


def _differ_in_ends(given: IntervalSet, right: IntervalSet) -> bool:
    """Whether only single numbers, at the ends of intervals, belong to one of them and not to the other."""
    parts = ((given & ~right) | (right & ~given)).parts
    return bool(parts) and all(_is_point(part) for part in parts)


def _is_point(part: NumberInterval) -> bool:
    return part.low == part.high


def _at(question: KeyedQuestion, number: Number) -> Iterator[Sentence]:
    unknown = _unknown(question)
    tree = substituted(question.tree, {unknown: number})
    facts: dict[str, Any] = {"unknown": Formula((unknown, " = ", Limit(number)))}
    what, says = wanted_of(question.parameters["when"])
    if what != "pruned":
        one = one_unknown(question.tree)
        best = [str(move) for move, where in one.moves.items() if number in where]
        facts["value"] = one.value(number)
        if best:
            yield Sentence("why.range.moves", None, {**facts, "moves": Items(tuple(best[:12]), len(best), "or")})
        else:
            yield Sentence("why.range.value", None, facts)
        return
    search = run_alpha_beta(tree, question.convention)
    for name in says:
        node = above = tree.index[name]
        if search.returned[node] is not None:
            yield Sentence("why.range.visited", None, {**facts, "node": name})
            continue
        while search.returned[tree.parent[above]] is None:
            above = tree.parent[above]
        cut = next(each for each in search.cuts if each.node == tree.parent[above])
        sign, letter = ("≤", "α") if cut.kind == "alpha" else ("≥", "β")
        if question.convention.cut == "past-bound":
            sign = {"≤": "<", "≥": ">"}[sign]
        number_of = search.scale.number
        test = Formula(("v = ", Limit(number_of(cut.value)), f" {sign} {letter} = ", Limit(number_of(cut.bound))))
        yield Sentence("why.range.pruned", None, {**facts, "node": name, "cut": tree.ids[cut.node], "test": test})
