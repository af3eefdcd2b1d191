"""Practice for one mistake: the next exercise in which it shows, and when it counts as gone.

Best is an exercise in which whoever still makes the mistake is told so without a doubt. Then come, in this order: one
in which the mistake gives another answer than the key and than every other mistake; one in which it gives another
answer than the key, which some other mistake may share. Seeds of the fitting recipes are tried, nearest recipes first,
until the best kind is found, so many exercises were looked at, or so many trees were examined. All bounds are counts,
so that the next exercise is the same one on every machine; together they keep it within a few seconds.

An exercise puts a mistake to the test if whoever makes it would answer otherwise than the key. The answer then shows
the mistake if the diagnosis names it first, and avoids it if everything that the mistake would get wrong is right.
Anything else, such as a blank, says nothing. A mistake counts as gone after it was avoided twice in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from typing import Any

from grader.documents.answer_file import Answer
from grader.marking.diagnose import Diagnosing
from grader.marking.grader import Grader
from grader.marking.mark import read
from grader.marking.report import Report
from grader.mistakes.behaviour import mistake_of
from grader.mistakes.cells import START, UNVISITED
from grader.mistakes.diagnosis import Class
from grader.mistakes.words import SEQUENCE
from grader.practice.ready_exercises import PracticeExercise, derived_seed, exercise_of, fitting_recipes
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.registry import ask_of
from solver.kernel import DocumentError, Refusal


def class_with(diagnosing: Diagnosing, mistake: str) -> Class | None:
    """The mistakes that look like this one here, itself among them; None where it does not show."""
    of = (each for each in diagnosing.classes if mistake in map(mistake_of, each.models))
    return next(of, None)


def right_answers(answer_key: AnswerKey) -> dict[str, Any]:
    """By question, as somebody writes it who makes no mistake."""
    return {question.id: ask_of(question).perfect(question) for question in answer_key.questions}


def mistaken_answers(answer_key: AnswerKey, different: Mapping[Any, Any]) -> dict[str, Any]:
    """By question, as somebody writes it who differs from the key in these cells; where nothing is known of a question
    under a mistake, as the key has it."""
    return {question.id: _mistaken(question, different) for question in answer_key.questions}


def _mistaken(question: KeyedQuestion, different: Mapping[Any, Any]) -> Any:
    ask, right = ask_of(question), ask_of(question).perfect(question)
    if SEQUENCE in ask.compared(question):
        return _sequence(question, different) or right
    if not isinstance(right, dict):
        item = next(iter(ask.keyed(question)), "")
        return ask.written_with(question, item, different) or right
    return {item: ask.written_with(question, item, different) or text for item, text in right.items()}


def _sequence(question: KeyedQuestion, different: Mapping[Any, Any]) -> list[str] | None:
    """Leaves in the order in which they are evaluated; None where inner nodes are asked for as well."""
    if question.parameters.get("what", "leaves") != "leaves":
        return None
    solution = ask_of(question).compared_by(question)
    tree = solution.tree
    before: dict[Any, Any] = {}
    last: Any = START
    for leaf in (node for node in solution.visited if tree.turn[node] is None):
        before[leaf], last = last, leaf
    before |= {cell[1]: says for cell, says in different.items() if cell[0] == SEQUENCE}
    after = {says: leaf for leaf, says in before.items() if says != UNVISITED}
    order: list[str] = []
    at = after.get(START)
    while at is not None and len(order) < len(tree.leaves):
        order.append(str(tree.ids[at]))
        at = after.get(at)
    return order


MOST_LOOKED_AT = 6
MOST_TREES = 2_000
"""Examined in all, those of searches without a result included."""
LEAST_TREES = 100
"""With fewer left, no other search is begun."""
SEEDS_IN_A_ROW = 2
"""Of one recipe, before the next one's turn."""


class MistakeVisibility(IntEnum):
    """How well a mistake shows; the larger, the better."""

    NOT = 0
    LIKE_OTHERS = 1
    ALONE = 2
    NAMED = 3


@dataclass(frozen=True, slots=True)
class NextExercise:
    exercise: PracticeExercise
    shows: MistakeVisibility
    looked_at: int


def mistake_visibility(grader: Grader, mistake: str) -> MistakeVisibility:
    """How well a mistake shows in an exercise: it is made, handed in and marked."""
    diagnosing = Diagnosing(grader.declared)
    found = class_with(diagnosing, mistake)
    if found is None:
        return MistakeVisibility.NOT
    # A mistake may have several models, each in a class of its own.
    of = (set(map(mistake_of, each.models)) for each in diagnosing.classes)
    alone = all(named == {mistake} for named in of if mistake in named)
    answers = mistaken_answers(grader.declared, found.different)
    if answers == right_answers(grader.declared):
        # It is not known how the mistake is written down.
        return MistakeVisibility.ALONE if alone else MistakeVisibility.LIKE_OTHERS
    report = grader.grade(Answer(grader.exercise.id, "-", answers))
    if report.best.marks == grader.exercise.out_of:
        # Right by another convention, which the exercise leaves open.
        return MistakeVisibility.NOT
    if not alone:
        return MistakeVisibility.LIKE_OTHERS
    named = report.diagnosis
    told = len(named) == 1 and named[0].mistake == mistake and named[0].sure and not named[0].same_here
    return MistakeVisibility.NAMED if told else MistakeVisibility.ALONE


def next_exercise(mistake: str, recipe: str = "", seed: str = "") -> NextExercise | None:
    """After this exercise, the next one for a mistake, always the same one; None if no exercise was found that shows
    it."""
    best: NextExercise | None = None
    trees = 0
    for looked_at, (name, other) in enumerate(_candidates(mistake, recipe, seed), start=1):
        left = MOST_TREES - trees
        if looked_at > MOST_LOOKED_AT or left < LEAST_TREES or (best is not None and left < MOST_TREES // 2):
            break
        try:
            exercise = exercise_of(name, other, left)
            trees += exercise.examined
            found = NextExercise(exercise, mistake_visibility(exercise.grader, mistake), looked_at)
        except DocumentError:
            trees = MOST_TREES
            continue
        except Refusal:
            continue
        if found.shows and (best is None or found.shows > best.shows):
            best = found
        if found.shows == MistakeVisibility.NAMED:
            break
    return best


def _candidates(mistake: str, recipe: str, seed: str) -> Iterator[tuple[str, str]]:
    """Two seeds of each fitting recipe, then two more of each."""
    names = fitting_recipes(mistake, recipe)
    for turn in range(MOST_LOOKED_AT if names else 0):
        for name in names:
            for number in range(SEEDS_IN_A_ROW):
                yield name, derived_seed(mistake, recipe, seed, name, turn, number)


IN_A_ROW = 2


class Evidence(StrEnum):
    MADE = "made"
    AVOIDED = "avoided"


@dataclass(frozen=True, slots=True)
class Mastery:
    """What is known of a mistake so far."""

    made: int = 0
    avoided: int = 0
    """In a row, since it was last made."""

    @property
    def gone(self) -> bool:
        return self.avoided >= IN_A_ROW

    def after(self, evidence: Evidence) -> Mastery:
        if evidence == Evidence.MADE:
            return Mastery(self.made + 1, 0)
        return Mastery(self.made, self.avoided + 1)


def evidence_of(report: Report) -> dict[str, Evidence]:
    """By mistake, what the answer says of it; nothing of those that it says nothing of."""
    answer_key = report.declared.answer_key
    diagnosing = Diagnosing(answer_key)
    written, key = diagnosing.written(report.declared.given), diagnosing.key
    # Where a search never comes, nothing need be written: a perfect answer has no such cell, or a value that the search
    # did not need.
    asked = diagnosing.written(read(answer_key, right_answers(answer_key))[0])
    perfect = report.best.marks == report.exercise.out_of
    by_mistake: dict[str, Evidence] = {}
    for each in diagnosing.classes:
        shown = [cell for cell in each.different if cell in asked]
        if (shown or perfect) and all(_is_right(cell, written, key, asked) for cell in each.different):
            by_mistake.update(dict.fromkeys(map(mistake_of, each.models), Evidence.AVOIDED))
    if report.diagnosis:
        by_mistake[report.diagnosis[0].mistake] = Evidence.MADE
    return by_mistake


def _is_right(cell: Any, written: Mapping[Any, Any], key: Mapping[Any, Any], asked: Mapping[Any, Any]) -> bool:
    """As the key has it, or as a perfect answer does; what need not be written may be left out."""
    if cell not in written:
        return cell not in asked
    return written[cell] in (key[cell], asked.get(cell, key[cell]))


def update_mastery(before: Mapping[str, Mastery], by_mistake: Mapping[str, Evidence]) -> dict[str, Mastery]:
    """What is known after one more answer."""
    after = dict(before)
    for mistake, evidence in by_mistake.items():
        after[mistake] = before.get(mistake, Mastery()).after(evidence)
    return after
