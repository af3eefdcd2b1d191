"""What is asked of an output: language, level of feedback, gradebook, roster."""

from __future__ import annotations

from dataclasses import dataclass

from grader.languages import words_of
from grader.marking.exam_report import AnyReport
from grader.people.roster import Roster
from solver.languages import Language

PLAIN, CANVAS, MOODLE = GRADEBOOKS = ("plain", "canvas", "moodle")
AFTER_PUBLISHED = "after_published"
VISIBILITIES = ("hidden", "after_due_date", AFTER_PUBLISHED, "visible")
"""When Gradescope shows the results."""


@dataclass(frozen=True, slots=True)
class OutputOptions:
    words: Language
    level: str = "full"
    """How much feedback is given, of `grader.marking.report.LEVELS`."""
    gradebook: str = PLAIN
    visibility: str = AFTER_PUBLISHED
    in_students_language: bool = False
    """Whether an answer that names a language is reported on in that one."""
    several: bool = True
    """Whether the output is about more than one answer: text is then a table, and JSON names files."""

    title: str = ""
    """Of the exercise, or of all its variants."""
    grade_item: str = ""
    """What the gradebook calls the total; the title without it."""
    roster: Roster | None = None
    """Knows logins and addresses, for gradebooks."""
    name_variants: bool = False
    """Whether a table says to which variant an answer is."""

    def words_for(self, report: AnyReport) -> Language:
        """The language of one student's report."""
        code = report.answer.language
        return words_of(code) if self.in_students_language and code is not None else self.words
