"""One answer marked under one convention."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from grader.answers.item_names import Ignored, ItemNames, ignored
from grader.kernel.verdicts import FAULTS
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.ask import SEARCH_KEYS, Answered, Given
from grader.questions.exercise import Question
from grader.questions.following import NO_OWN, Following, Own
from grader.questions.items import Marked
from grader.questions.registry import ask_of
from grader.questions.scoring import scored


@dataclass(frozen=True, slots=True)
class MarkedQuestion:
    question: Question
    marked: Marked
    marks: Fraction
    unfollowed: bool = False
    """Whether nothing was taken to follow from one number at every node."""


@dataclass(frozen=True, slots=True)
class MarkedAnswer:
    answer_key: AnswerKey
    questions: Sequence[MarkedQuestion]
    given: Mapping[str, Mapping[str, Given]]
    ignored: Sequence[Ignored] = ()
    """What was answered and nobody asked."""

    @property
    def marks(self) -> Fraction:
        return sum((each.marks for each in self.questions), Fraction(0))

    @property
    def faults(self) -> int:
        """How many items are wrong, missing or charged, after follow-through."""
        return sum(item.verdict in FAULTS or item.penalty > 0 for each in self.questions for item in each.marked.items)

    @property
    def unfollowed(self) -> bool:
        """Whether one number stands at every node, and nothing was taken to follow from it."""
        return any(each.unfollowed for each in self.questions)


@dataclass(frozen=True, slots=True)
class Remembered:
    """Of one answer: what was found out under other conventions, by what of a convention matters to it."""

    questions: dict[tuple[Any, ...], MarkedQuestion] = field(default_factory=dict)
    following: dict[tuple[Any, ...], Following] = field(default_factory=dict)


def mark(
    answer_key: AnswerKey, answers: Mapping[str, Any], before: Remembered | None = None, language: str | None = None
) -> MarkedAnswer:
    """Read every question's answer, gather what the student's own answers imply, and mark each question."""
    exercise, before = answer_key.exercise, before or Remembered()
    given, dropped = read(answer_key, answers, language)
    own = own_answers(answer_key, given)
    found: list[MarkedQuestion] = []
    for question in answer_key.questions:
        ask = ask_of(question)
        matters = (question.id, *(getattr(answer_key.convention, key) for key in ask.depends_on))
        if matters not in before.questions:
            following = _following(question, own, before)
            before.questions[matters] = _marked(
                question, given[question.id], following, exercise.marking.follow_through
            )
        found.append(before.questions[matters])
    return MarkedAnswer(answer_key, found, given, dropped)


def _marked(
    question: KeyedQuestion, given: Mapping[str, Given], following: Following, follow_through: Fraction
) -> MarkedQuestion:
    ask = ask_of(question)
    unfollowed = follow_through > 0 and bool(following.own.values) and following.unfollowed
    marked = ask.mark(question, given, following, Fraction(0) if unfollowed else follow_through)
    marks = scored(question.rubric, question.marks, marked)
    if unfollowed and marks < question.marks:
        marked = replace(marked, refused=True)
    return MarkedQuestion(question.question, marked, marks, unfollowed)


def _following(question: KeyedQuestion, own: Mapping[Group, Own], before: Remembered) -> Following:
    """The student's own answers beside the key's search, which many conventions and questions share."""
    group = _group(question)
    matters = (*group, *(getattr(question.convention, key) for key in (*SEARCH_KEYS, "update")))
    stated = own.get(group, NO_OWN)
    found = before.following.get(matters)
    if found is None or found.own != stated:
        found = before.following[matters] = Following(question, stated, group[2])
    return found


def same_search(one: AnswerKey, other: AnswerKey, given: Mapping[str, Mapping[str, Given]], before: Remembered) -> bool:
    """Whether two conventions lead to the same search with the student's own values."""
    own = own_answers(one, given)
    return all(
        _group(question) not in own or _following(question, own, before).goes_like(_following(same, own, before))
        for question, same in zip(one.questions, other.questions, strict=True)
    )


def read(
    answer_key: AnswerKey, answers: Mapping[str, Any], language: str | None = None
) -> tuple[Mapping[str, Mapping[str, Given]], list[Ignored]]:
    """What was answered to each question, and what to none: nothing is dropped in silence."""
    names = ItemNames([question.id for question in answer_key.questions], lambda _: None)
    written, left = names.sorted(answers)
    given: dict[str, Mapping[str, Given]] = {}
    dropped = ignored("", left, names.items)
    for question in answer_key.questions:
        raw = answers[written[question.id]] if question.id in written else None
        found = given[question.id] = ask_of(question).read(question.answered_in(language), raw)
        dropped.extend(found.ignored if isinstance(found, Answered) else ())
    return given, dropped


Group = tuple[str | None, int | None, bool]
"""The algorithm and depth of a question, and whether it asks for the truth rather than for what a search returns."""


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
