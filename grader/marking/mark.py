"""One answer marked under one convention."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from grader.answers.item_names import Ignored, ItemNames, ignored
from grader.kernel.verdicts import ZERO
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.ask import SEARCH_KEYS, Answered, Given
from grader.questions.exercise import Question
from grader.questions.following import NO_OWN, Following, Own
from grader.questions.items import Marked
from grader.questions.registry import ask_of
from grader.questions.scoring import scored
from grader.questions.unexplained import ALIKE
from solver.game import Convention

Unexplained = Mapping[str, Collection[str]]
"""By question, the items that are wrong whichever convention is taken."""
Group = tuple[str | None, int | None, bool]
"""The algorithm and depth of a question, and whether it asks for the truth rather than for what a search returns."""


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    question: Question
    marked: Marked
    marks: Fraction
    unfollowed: bool = False
    """Whether nothing was taken to follow from one number at every node."""
    faults: int = field(init=False)
    """How many items are wrong, missing or charged, after follow-through."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "faults", sum(item.is_fault for item in self.marked.items))


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    answer_key: AnswerKey
    questions: Sequence[MarkedQuestion]
    given: Mapping[str, Mapping[str, Given]]
    ignored: Sequence[Ignored] = ()
    """What was answered and nobody asked."""

    @property
    def marks(self) -> Fraction:
        return sum((each.marks for each in self.questions), ZERO)

    @property
    def faults(self) -> int:
        return sum(each.faults for each in self.questions)

    @property
    def unfollowed(self) -> bool:
        """Whether one number stands at every node, and nothing was taken to follow from it."""
        return any(each.unfollowed for each in self.questions)


@dataclass(frozen=True, slots=True)
class Remembered:
    """Of one answer: what was found out under other conventions, by what of a convention matters to it."""

    read: dict[tuple[Any, ...], Mapping[str, Given]] = field(default_factory=dict)
    questions: dict[tuple[Any, ...], MarkedQuestion] = field(default_factory=dict)
    outcomes: dict[tuple[Any, ...], MarkedQuestion] = field(default_factory=dict)
    """What they come to at best, without words."""
    following: dict[tuple[Any, ...], Following] = field(default_factory=dict)
    unexplained: dict[tuple[Any, ...], Unexplained] = field(default_factory=dict)
    """By what conventions have in common."""


@dataclass(frozen=True, slots=True)
class Bar:
    """What another convention must do better than: an answer that cannot is not marked to the end."""

    marks: Fraction
    """It must earn more."""
    faults: int | None
    """It must leave fewer; None: any number will do."""
    unexplained: Unexplained
    """What it leaves in any case."""

    def cannot_be_passed(self, marks: Fraction, faults: int) -> bool:
        """By an answer that earns no more than so many marks and leaves no fewer faults."""
        return marks <= self.marks or (self.faults is not None and faults >= self.faults)


def mark(
    answer_key: AnswerKey, answers: Mapping[str, Any], before: Remembered | None = None, language: str | None = None
) -> MarkedAnswer:
    """Read every question's answer, gather what the student's own answers imply, and mark each question."""
    before = before or Remembered()
    given, dropped = read(answer_key, answers, language, before)
    own = own_answers(answer_key, given)
    found = [_marked_once(question, given, own, before, in_words=True) for question in answer_key.questions]
    return MarkedAnswer(answer_key, found, given, dropped)


def mark_beyond(
    bar: Bar, answer_key: AnswerKey, answers: Mapping[str, Any], before: Remembered, language: str | None = None
) -> MarkedAnswer | None:
    """The same; None as soon as it is clear that the bar cannot be passed. Nothing is put into words before it is."""
    given, _ = read(answer_key, answers, language, before)
    own = own_answers(answer_key, given)
    # Where nothing can be right, nothing is earned: such questions come last, as there is nothing to find out.
    lost = {
        question.id: question.marks
        for question in answer_key.questions
        if bar.unexplained[question.id] and set(ask_of(question).keyed(question)) <= set(bar.unexplained[question.id])
    }
    marks = answer_key.exercise.out_of - sum(lost.values())
    faults = sum(map(len, bar.unexplained.values()))
    for question in sorted(answer_key.questions, key=lambda each: each.id in lost):
        if bar.cannot_be_passed(marks, faults):
            return None
        marked = _marked_once(question, given, own, before, in_words=False)
        marks -= question.marks - marked.marks - lost.get(question.id, 0)
        faults += marked.faults - len(bar.unexplained[question.id])
    if bar.cannot_be_passed(marks, faults):
        return None
    found = mark(answer_key, answers, before, language)
    return None if bar.cannot_be_passed(found.marks, found.faults) else found


def _marked_once(
    question: KeyedQuestion,
    given: Mapping[str, Mapping[str, Given]],
    own: Mapping[Group, Own],
    before: Remembered,
    in_words: bool,
) -> MarkedQuestion:
    """The question, unless that was done under a convention that does not differ in what matters."""
    matters = (question.id, *(getattr(question.convention, key) for key in ask_of(question).depends_on))
    found = before.questions.get(matters) or (None if in_words else before.outcomes.get(matters))
    if found is None:
        following = following_of(question, own, before)
        remembered = before.questions if in_words else before.outcomes
        found = remembered[matters] = marked_question(question, given[question.id], following, in_words)
    return found


def alike(convention: Convention) -> tuple[Any, ...]:
    """What conventions have in common that leave the same unexplained."""
    return tuple(getattr(convention, key) for key in ALIKE)


def unexplained(
    answer_keys: Sequence[AnswerKey],
    given: Mapping[str, Mapping[str, Given]],
    stated: Sequence[Mapping[str, Any]],
    enough: int | None = None,
) -> Unexplained:
    """What is wrong in an answer by any of several keys of conventions that are alike; `enough` of it will do."""
    found: dict[str, Collection[str]] = {}
    count = 0
    for questions in zip(*(each.questions for each in answer_keys), strict=True):
        question, known = questions[0], enough is not None and count >= enough
        found[question.id] = () if known else ask_of(question).unexplained(questions, given[question.id], stated)
        count += len(found[question.id])
    return found


def marked_question(
    question: KeyedQuestion, given: Mapping[str, Given], following: Following, in_words: bool
) -> MarkedQuestion:
    ask, follow_through = ask_of(question), question.exercise.marking.follow_through
    unfollowed = follow_through > 0 and bool(following.own.values) and following.unfollowed
    marks_it = ask.mark if in_words else ask.outcome
    marked = marks_it(question, given, following, ZERO if unfollowed else follow_through)
    marks = scored(question.rubric, question.marks, marked)
    if unfollowed and marks < question.marks:
        marked = replace(marked, refused=True)
    return MarkedQuestion(question.question, marked, marks, unfollowed)


def following_of(question: KeyedQuestion, own: Mapping[Group, Own], before: Remembered) -> Following:
    """The student's own answers beside the key's search, which many conventions and questions share."""
    group = _group(question)
    matters = (*group, *(getattr(question.convention, key) for key in (*SEARCH_KEYS, "update")))
    stated = own.get(group, NO_OWN)
    found = before.following.get(matters)
    if found is None or found.own != stated:
        known = before.unexplained.get(alike(question.convention), {})
        found = before.following[matters] = Following(question, stated, group[2], known)
    return found


def same_search(one: AnswerKey, other: AnswerKey, given: Mapping[str, Mapping[str, Given]], before: Remembered) -> bool:
    """Whether two conventions lead to the same search with the student's own values."""
    own = own_answers(one, given)
    return all(
        _group(question) not in own or following_of(question, own, before).goes_like(following_of(same, own, before))
        for question, same in zip(one.questions, other.questions, strict=True)
    )


def read(
    answer_key: AnswerKey, answers: Mapping[str, Any], language: str | None = None, before: Remembered | None = None
) -> tuple[Mapping[str, Mapping[str, Given]], list[Ignored]]:
    """What was answered to each question, and what to none: nothing is dropped in silence."""
    before = before or Remembered()
    names = ItemNames([question.id for question in answer_key.questions], lambda _: None)
    written, left = names.sorted(answers)
    given: dict[str, Mapping[str, Given]] = {}
    dropped = ignored("", left, names.items)
    for question in answer_key.questions:
        ask, convention = ask_of(question), answer_key.convention
        keys = ask.depends_on if ask.read_by is None else ask.read_by
        matters = (question.id, *(getattr(convention, key) for key in keys))
        found = before.read.get(matters)
        if found is None:
            raw = answers[written[question.id]] if question.id in written else None
            found = before.read[matters] = ask.read(question.answered_in(language), raw)
        given[question.id] = found
        dropped.extend(found.ignored if isinstance(found, Answered) else ())
    return given, dropped


def _group(question: KeyedQuestion) -> Group:
    return question.algorithm, question.depth, ask_of(question).asks_truth(question)


def own_answers(answer_key: AnswerKey, given: Mapping[str, Mapping[str, Given]]) -> dict[Group, Own]:
    """The values that the student states and the leaves that the student crosses out, by what they are said of. Where
    only the true values are asked for, the questions about the search follow from those."""
    said: dict[Group, Own] = {}
    crossed: dict[Group, frozenset[str]] = {}
    for question in answer_key.questions:
        group, own = _group(question), ask_of(question).stated(question, given[question.id])
        if own.values:
            said[group] = _joined(said.get(group), replace(own, truth=group[2]))
        if own.crossed is not None:
            crossed[group] = own.crossed
    for algorithm, depth, truth in list(said):
        if truth:
            of_game, of_search = said[algorithm, depth, True], said.get((algorithm, depth, False))
            joined = of_game if of_search is None else replace(_joined(of_search, of_game), truth=None)
            said[algorithm, depth, False] = joined
    groups = dict.fromkeys([*said, *crossed])
    return {
        group: replace(said.get(group, NO_OWN), crossed=crossed.get((group[0], group[1], False))) for group in groups
    }


def _joined(first: Own | None, more: Own) -> Own:
    """What two questions say of the same nodes; the first holds."""
    if first is None:
        return more
    return replace(first, values={**more.values, **first.values}, bounds=first.bounds | more.bounds)
