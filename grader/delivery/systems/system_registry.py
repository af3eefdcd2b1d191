"""Every exporter by the name that `--to` takes."""

from __future__ import annotations

from collections.abc import Sequence

from grader.delivery.systems.canvas import CANVAS
from grader.delivery.systems.exporter import Export, Exporter, ExportOptions
from grader.delivery.systems.gradescope import GRADESCOPE
from grader.delivery.systems.moodle import MOODLE
from grader.delivery.systems.prairielearn import PRAIRIELEARN
from grader.documents.exam import Exam
from grader.questions.exercise import Exercise
from solver.kernel import UsageError

EXPORTERS: dict[str, Exporter] = {each.name: each for each in (MOODLE, CANVAS, PRAIRIELEARN, GRADESCOPE)}
ONE_QUESTION = ("prairielearn", "gradescope")
"""Here several exercises are one question, so they must be variants."""


def export(exercises: Sequence[Exercise] | Exam, to: str, options: ExportOptions | None = None) -> Export:
    """Exercises or an exam as a learning system takes them, and what it cannot mark as Plymark does."""
    if to not in EXPORTERS:
        raise UsageError(f"unknown learning system {to!r}; choose one of {', '.join(EXPORTERS)}")
    if isinstance(exercises, Exam):
        return EXPORTERS[to].write_exam(exercises, options or ExportOptions())
    return EXPORTERS[to].write(exercises, options or ExportOptions())
