"""Where a learning system and plymark disagree about what is right and what is worth nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from pathlib import Path

from grader.delivery.systems.answer_boxes import answer_in
from grader.delivery.systems.canvas import as_canvas_marks
from grader.delivery.systems.exercise_forms import CarriedQuestion, exercise_form
from grader.delivery.systems.exporter import IN_CANVAS, IN_MOODLE, ExportOptions, System
from grader.documents.exercise_file import load_exercise
from grader.marking.grader import Grader
from grader.marking.mark import Remembered, mark
from grader.questions.exercise import Exercise, Policy
from tests.support.paths import ROOT
from tests.support.ways import Ways

BY_THE_KEY = Policy(follow_through=Fraction(0), other_convention="none")
"""What a student's other answers, or another convention, make right is not known to a learning system."""
CRUMB = Fraction(1, 10**4)
"""Of a question's marks: systems count in floating point."""
MANY_RIGHT = ("reorder", "assign")
"""Types that have more right answers than can be listed: others than the key's earn nothing in a learning system."""

CLAIMED = {"Moodle": ("windows",), "Canvas": ("windows",)}
"""Types with a box for every node, where writing at a node that is never visited costs marks, which no box can take."""


class Asked:
    """An exercise as one system shows it in one language, with responses to each of its questions."""

    def __init__(self, exercise: Exercise, system: System, language: str) -> None:
        self.exercise, self.system, self.language = exercise, system, language
        self.grader = Grader(replace(exercise, marking=BY_THE_KEY))

    @cached_property
    def carried(self) -> Sequence[CarriedQuestion]:
        made = exercise_form(self.exercise, ExportOptions(language=self.language), self.system)
        return (as_canvas_marks(made) if self.system is IN_CANVAS else made).questions

    @cached_property
    def responses(self) -> Sequence[Sequence[Sequence[str]]]:
        """For each question, for each attempt, a text for each box."""
        declared = self.grader.declared
        return [Ways(declared.of(each.question), each, self.language).responses() for each in self.carried]

    def marks(self, question: int, texts: Sequence[str]) -> Fraction:
        """Plymark's, by the key."""
        each = self.carried[question]
        answer = answer_in(each.question, each.boxes, texts)
        answers = {} if answer is None else {each.question.id: answer}
        found = mark(self.grader.declared, answers, Remembered()).questions
        return next(one.marks for one in found if one.question.id == each.question.id)


@cache
def exercise_at(path: str) -> Exercise:
    return load_exercise(ROOT / path)


@dataclass(frozen=True)
class Difference:
    exercise: str
    language: str
    question: str
    ask: str
    texts: tuple[str, ...]
    plymark: Fraction
    system: Fraction
    out_of: Fraction

    rubric: str
    where: str

    @property
    def excused(self) -> bool:
        """By what docs/exporting.md says that no form can do."""
        if self.rubric != "items":
            return self.plymark == 0
        return (self.ask in MANY_RIGHT and self.plymark > 0) or self.ask in CLAIMED.get(self.where, ())


def compared(asked: Asked, question: int, texts: Sequence[str], theirs: Fraction) -> Iterator[Difference]:
    """What is fully right here is so there, and the reverse; and what earns nothing here earns nothing there."""
    each = asked.carried[question]
    full, ours = each.question.marks, asked.marks(question, texts)
    crumb = CRUMB * full
    right_here, right_there = ours == full, theirs >= full - crumb
    if right_here != right_there or (not ours and theirs > crumb):
        about = (asked.exercise.id, asked.language, each.question.id, each.question.ask)
        yield Difference(*about, tuple(texts), ours, theirs, full, each.question.rubric.scheme, asked.system.name)


def exercises() -> list[str]:
    """From the repository's root: those that are ready, and those for the recordings."""
    found = [*(ROOT / "exercises").glob("*.yaml"), *(ROOT / "tests" / "clients" / "moodle").glob("*.yaml")]
    return sorted(Path(path).relative_to(ROOT).as_posix() for path in found)


SYSTEMS = {"moodle": IN_MOODLE, "canvas": IN_CANVAS}
