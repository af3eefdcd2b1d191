"""Whether an exercise has a key for every question: what checking its words cannot tell, computing the key does."""

from __future__ import annotations

from dataclasses import replace

from grader.documents.exam import Exam
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from solver.kernel import WHOLE_FILE, DocumentError, Problem, Refusal, UsageError

MOST_TOLD = 20


def verified(exercise: Exercise) -> Exercise:
    """The same exercise; DocumentError if some question has no key under the declared convention."""
    problems = []
    for question in AnswerKey(exercise).questions:
        why = _why_not(question)
        if why is not None:
            problems.append(Problem(WHOLE_FILE, "unanswerable", f"question {question.id}: {question.ask}: {why}"))
    if problems:
        raise DocumentError(problems)
    return exercise


def verified_exam(exam: Exam) -> Exam:
    """The same exam; DocumentError, at the places of its parts, if some question of some exercise has no key."""
    problems: list[Problem] = []
    for name, part in exam.parts.items():
        for exercise in part:
            try:
                verified(exercise)
            except DocumentError as error:
                place = exam.places.get(name, WHOLE_FILE)
                problems += [
                    replace(each, place=place, message=f"{exercise.id}: {each.message}") for each in error.problems
                ]
    if problems:
        raise DocumentError(problems[:MOST_TOLD], len(problems))
    return exam


def _why_not(question: KeyedQuestion) -> str | None:
    try:
        key = ask_of(question).keyed(question)
    except Refusal as refusal:
        return refusal.message
    except UsageError as error:
        return str(error)
    if not key and not ask_of(question).may_be_nothing:
        return "there is nothing to ask: no node has such an item"
    return "no answer would be right" if any(expected is None for expected in key.values()) else None
