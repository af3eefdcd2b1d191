"""Constant answers, and the share of a question's marks that the best of them earns over a set of exercises.

A constant is what somebody could write who has not seen the tree. Nodes and moves have the names that the recipe gives
them, so that a constant means the same positions in every tree. Constants are made from the keys of some exercises:
the keys themselves, what is right most often item by item, one thing for all items, everything, and nothing. Where
words or moves can be chosen from, each of them is a constant, too. Exercises are marked as students' answers are, one
question at a time.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grader.marking.grader import Grader
from grader.marking.mark import mark
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from solver.kernel import Number, number_text

REPEATED = 3
"""How many of the most frequent items are written everywhere."""
MOST_NUMBERS = 41
"""Of a range with more numbers, this many are tried as constants."""
SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
"""Names that are in so many of the keys make a list."""


def written_form(raw: Any) -> str:
    """A constant as text, by which constants are compared."""
    return json.dumps(raw, sort_keys=True, ensure_ascii=False)


def given_constants(question: KeyedQuestion, numbers: Sequence[Number]) -> Iterator[Any]:
    """Those that need no key: nothing, each word or move, and each number where a question has many right answers."""
    ask = ask_of(question)
    yield "none"
    items = list(ask.keyed(question))
    for item in items:
        for option in ask.options(question, item) or ask.words:
            yield option if len(items) == 1 else dict.fromkeys(items, option)
    right = ask.perfect(question)
    if ask.many_right and isinstance(right, dict) and all(_is_number(each) for each in right.values()):
        step = max(1, -(-len(numbers) // MOST_NUMBERS))
        for number in numbers[::step]:
            yield dict.fromkeys(right, number_text(number))


def keyed_constants(keys: Sequence[Any]) -> Iterator[Any]:
    """Those that are made from several keys."""
    tables = [key for key in keys if isinstance(key, dict)]
    if tables:
        yield usual_answer(tables)
        items = list(dict.fromkeys(item for key in tables for item in key))
        atoms = Counter(written_form(each) for key in tables for each in key.values())
        for text, _ in sorted(atoms.items(), key=lambda each: (-each[1], each[0]))[:REPEATED]:
            yield dict.fromkeys(items, json.loads(text))
    lists = [key for key in keys if isinstance(key, list) and all(isinstance(each, str) for each in key)]
    if lists:
        times = Counter(name for key in lists for name in set(key))
        order = sorted(times, key=lambda name: (_mean_place(lists, name), name))
        for share in SHARES:
            yield [name for name in order if times[name] >= share * len(keys)] or "none"
        yield order


def usual_answer(tables: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of each item, what is right most often."""
    found: dict[str, Any] = {}
    for item in dict.fromkeys(item for key in tables for item in key):
        times = Counter(written_form(key[item]) for key in tables if item in key)
        found[item] = json.loads(min(times, key=lambda text: (-times[text], text)))
    return found


def _mean_place(lists: Sequence[list[str]], name: str) -> Fraction:
    places = [Fraction(key.index(name), len(key)) for key in lists if name in key]
    return sum(places, Fraction(0)) / len(places)


def _is_number(text: Any) -> bool:
    return isinstance(text, str) and text.lstrip("-−").replace("/", "").replace(".", "").isdigit()


TOLERANCE = Fraction(1, 10)
"""How much more than by chance a constant may earn, unless the recipe says otherwise."""
KEPT = 40
"""Constants are gathered from the keys of this many exercises. With more of them, the best few are followed on."""
MOST_CONSTANTS, FOLLOWED_ON, REMARKED = 12, 4, 2
SETTLED = 8
"""With fewer exercises, no constant is given up."""
FIRST, GATHERED_AT = 4, (*range(4, KEPT, 4), KEPT)
"""The first few keys are constants at once, others when they come again; after so many exercises, what is made from all
keys so far."""


@dataclass(slots=True)
class _Constant:
    raw: Any
    earned: Fraction


@dataclass(frozen=True, slots=True)
class BestConstant:
    answer: Any
    share: Fraction


@dataclass(slots=True)
class _Asked:
    """One question: what constants have earned so far, and how often each key was right."""

    constants: dict[str, _Constant] = field(default_factory=dict)
    keys: list[Any] = field(default_factory=list)
    times: Counter[str] = field(default_factory=Counter)


class MarkedAlone:
    """An exercise, and what constants earn in it, each as the only answer that is given."""

    def __init__(self, exercise: Exercise) -> None:
        self.questions = {question.id: question for question in AnswerKey(exercise).questions}
        self._alone: dict[str, AnswerKey] = {}
        self._shares: dict[tuple[str, str], Fraction] = {}
        self._grader: Grader | None = None

    def key(self, question: str) -> Any:
        keyed = self.questions[question]
        return ask_of(keyed).perfect(keyed)

    def share(self, question: str, raw: Any) -> Fraction:
        """What a constant earns of the question's marks."""
        asked = question, written_form(raw)
        if asked not in self._shares:
            if question not in self._alone:
                self._alone[question] = alone = AnswerKey(self.questions[question].exercise)
                alone.questions = [each for each in alone.questions if each.id == question]
            marked = mark(self._alone[question], {question: raw})
            self._shares[asked] = marked.marks / self.questions[question].marks
        return self._shares[asked]

    def share_by_any_convention(self, question: str, raw: Any) -> Fraction:
        """The same under whatever convention counts, as a report would have it."""
        if self._grader is None:
            self._grader = Grader(self.questions[question].exercise)
        best, _, counted = self._grader.marked({question: raw})
        marks = next(each.marks for each in best.questions if each.question.id == question)
        return marks * counted.share / self.questions[question].marks


class ConstantTally:
    """What constants earn over a set that grows, of these questions or of all."""

    def __init__(self, numbers: Sequence[Number], questions: Iterable[str] | None = None) -> None:
        self.numbers = numbers
        self.size = 0
        self._wanted = None if questions is None else tuple(questions)
        self._asked: dict[str, _Asked] = {}
        self._kept: list[MarkedAlone] = []

    def most(self, question: str, one_more: MarkedAlone) -> Fraction:
        """What the best constant would have earned with one more exercise, as a sum of shares."""
        asked = self._of(question, one_more)
        key = one_more.key(question)
        totals = [each.earned + one_more.share(question, each.raw) for each in asked.constants.values()]
        if written_form(key) not in asked.constants and asked.times[written_form(key)]:
            totals.append(self._earned(question, key) + one_more.share(question, key))
        return max(totals, default=Fraction(0))

    def add(self, one_more: MarkedAlone) -> None:
        self.size += 1
        for question in one_more.questions if self._wanted is None else self._wanted:
            asked = self._of(question, one_more)
            for constant in asked.constants.values():
                constant.earned += one_more.share(question, constant.raw)
        if self.size > KEPT:
            return
        self._kept.append(one_more)
        for question, asked in self._asked.items():
            key = one_more.key(question)
            asked.keys.append(key)
            asked.times[written_form(key)] += 1
            if self.size <= FIRST or asked.times[written_form(key)] > 1:
                self._gather(question, asked, [key])
            if self.size in GATHERED_AT:
                self._gather(question, asked, keyed_constants(asked.keys))

    def best(self, question: str) -> BestConstant:
        """Of the few that earn most by the declared convention, the one that earns most whatever convention counts; of
        several, the one that was gathered first."""
        asked = self._asked[question]
        if self.size < KEPT:
            self._gather(question, asked, keyed_constants(asked.keys))
        by_declared = sorted(asked.constants.values(), key=lambda each: -each.earned)[:REMARKED]
        earned = [max(each.earned / self.size, self._by_any_convention(question, each.raw)) for each in by_declared]
        share, place = max((share, -place) for place, share in enumerate(earned))
        return BestConstant(by_declared[-place].raw, share)

    def best_by_declared(self, question: str) -> Fraction:
        """What the best constant earns by the declared convention alone."""
        asked = self._asked[question]
        self._gather(question, asked, keyed_constants(asked.keys))
        return max(each.earned for each in asked.constants.values()) / self.size

    def _by_any_convention(self, question: str, raw: Any) -> Fraction:
        """Over the exercises that are kept."""
        shares = (marking.share_by_any_convention(question, raw) for marking in self._kept)
        return sum(shares, Fraction(0)) / len(self._kept)

    def _of(self, question: str, marking: MarkedAlone) -> _Asked:
        if question not in self._asked:
            self._asked[question] = asked = _Asked()
            for raw in given_constants(marking.questions[question], self.numbers):
                asked.constants.setdefault(written_form(raw), _Constant(raw, Fraction(0)))
        return self._asked[question]

    def _gather(self, question: str, asked: _Asked, found: Iterable[Any]) -> None:
        for raw in found:
            text = written_form(raw)
            if text not in asked.constants:
                asked.constants[text] = _Constant(raw, self._earned(question, raw))
        if self.size < SETTLED:
            return
        most = FOLLOWED_ON if self.size >= KEPT else MOST_CONSTANTS
        best = sorted(asked.constants.items(), key=lambda each: -each[1].earned)[:most]
        asked.constants = dict(best)

    def _earned(self, question: str, raw: Any) -> Fraction:
        return sum((marking.share(question, raw) for marking in self._kept), Fraction(0))


def chances(
    draw_one: Callable[[], Exercise | None], first: Exercise, numbers: Sequence[Number], size: int
) -> dict[str, Fraction]:
    """By question, its chance level: what the best constant earns over the answers that trees of this shape permit.

    One of the words or moves that can be chosen is right; other answers are measured over `size` trees as they are
    drawn, whatever the recipe requires.
    """
    marking = MarkedAlone(first)
    found = {name: among(question) for name, question in marking.questions.items()}
    open_ended = [name for name, chance in found.items() if chance is None]
    random = ConstantTally(numbers, open_ended)
    if open_ended:
        for _ in range(2 * size):
            drawn = draw_one()
            if drawn is not None:
                random.add(MarkedAlone(drawn))
            if random.size == size:
                break
    return {
        name: chance if chance is not None else random.best_by_declared(name) if random.size else Fraction(0)
        for name, chance in found.items()
    }


def among(question: KeyedQuestion) -> Fraction | None:
    """The chance to choose rightly, where every item is one of a few words or moves; None if more can be written."""
    ask = ask_of(question)
    choices = [len(ask.options(question, item) or ask.words) for item in ask.keyed(question)]
    if not all(choices) or not choices:
        return None
    return sum((Fraction(1, each) for each in choices), Fraction(0)) / len(choices)


def allowed(bound: Fraction, chance: Fraction, size: int) -> Fraction:
    """What a constant may earn over `size` exercises, as a sum of shares. The key of one of them always earns that one,
    and the others by chance."""
    return max(bound * size, 1 + min(bound, chance) * (size - 1))
