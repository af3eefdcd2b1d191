"""What is asked of an output."""

from __future__ import annotations

from dataclasses import dataclass

from solver import Language

PLAIN, CANVAS, MOODLE = GRADEBOOKS = ("plain", "canvas", "moodle")
AFTER_PUBLISHED = "after_published"
VISIBILITIES = ("hidden", "after_due_date", AFTER_PUBLISHED, "visible")
"""When Gradescope shows what it was told."""


@dataclass(frozen=True, slots=True)
class Options:
    words: Language
    level: str = "full"
    """How much is told, of `grader.report.LEVELS`."""
    gradebook: str = PLAIN
    visibility: str = AFTER_PUBLISHED
    several: bool = True
    """Whether the output is about more than one answer: text is then a table, and JSON names files."""
