"""What every exporter is: a name, and a way to write exercises that says what it could not do faithfully."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.documents.exam import Exam
from grader.questions.exercise import Exercise
from grader.reports.options import AFTER_PUBLISHED
from solver.kernel import DEFAULT_LIMITS, Limits


@dataclass(frozen=True, slots=True)
class ExportOptions:
    language: str | None = None
    """Of what is written around the exercise; without it, the exercise's own."""
    faithful_only: bool = False
    """Leave out what the target can mark by the key only."""
    wheels: Path | None = None
    """A folder with the wheels that an autograder needs, to be packed with it."""
    level: str = "hints"
    """How much a target that is graded by plymark tells, of `grader.marking.report.LEVELS`."""
    visibility: str = AFTER_PUBLISHED
    limits: Limits = DEFAULT_LIMITS
    jobs: int = 1
    """Processes."""
    heard: Callable[[], None] | None = None
    """Called for each exercise that is done."""


@dataclass(frozen=True, slots=True)
class System:
    """What a learning system can do with what a student chooses or writes."""

    name: str
    marks_itself: bool = True
    """By the key, without plymark."""
    fatal_ticks: bool = False
    """Whether one wrong tick may cost all that the right ones earn."""
    part_choices: bool = False
    """Whether a choice may earn a part of what its list is worth."""
    free_boxes: bool = False
    """Whether a box may be there and not count."""
    mixes: bool = False
    """Whether lists and boxes for text may stand in one question."""


IN_MOODLE = System("Moodle", fatal_ticks=True, part_choices=True, free_boxes=True, mixes=True)
IN_CANVAS = System("Canvas")
BY_PLYMARK = System("plymark", marks_itself=False)


@dataclass(frozen=True, slots=True)
class Remark:
    """A question, and why it is not exported as it is marked here."""

    exercise: str
    question: str
    reason: str

    def __str__(self) -> str:
        return f"{self.exercise}: {self.question}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Export:
    content: bytes | Mapping[str, bytes]
    """A file, or files by their paths below a folder."""
    provisional: tuple[Remark, ...] = ()
    """Marked by the key only, until the answers are brought back; left out where only faithful ones are wanted."""
    left_out: tuple[Remark, ...] = ()
    """What the target cannot carry at all."""
    notes: tuple[str, ...] = ()
    """What the teacher has to know."""
    is_empty: bool = False
    """Whether nothing of any exercise can be exported."""


@dataclass(frozen=True, slots=True)
class Exporter:
    name: str
    write: Callable[[Sequence[Exercise], ExportOptions], Export]
    write_exam: Callable[[Exam, ExportOptions], Export]
    """UsageError, in words, for an exam that the system cannot give to students as it is."""
