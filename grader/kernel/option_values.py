"""The names that options choose from, apart from what they choose, so that a command line can list them at once."""

from __future__ import annotations

import re

from solver.game import CONVENTIONS
from solver.kernel import one_of

PAGE_FORMATS = ("html", "pdf")
"""What a page of feedback for each student can be."""
FEEDBACK_ZIPS = ("moodle", "canvas")
"""Whose upload of feedback files an archive of such pages can be for."""
MARK_FORMATS = ("text", "json", "csv", "gradescope", *PAGE_FORMATS)
LEVELS = ("none", "marks", "hints", "full")
"""How much a report tells the student."""
GRADEBOOKS = ("plain", "canvas", "moodle")
VISIBILITIES = ("hidden", "after_due_date", "after_published", "visible")
"""When Gradescope shows the results."""
DUPLICATES = ("latest", "best")
"""Which of several answers by one student counts."""
CHANGE_FORMATS = ("text", "csv")
CHECK_FORMATS = ("text", "json")
PAPERS = ("pdf", "latex", "html")
SYSTEMS = ("moodle", "canvas", "prairielearn", "gradescope")
"""What exercises can be exported to."""
PAPER_KINDS = ("sheet", "key", "solution", "booklet")
PAPER_SIZES = ("a4", "letter")


def known_convention(text: str) -> str:
    """The same text. A name is looked up at once; whatever else it is, `convention_from_text` reads."""
    return one_of("convention", text, CONVENTIONS) if re.fullmatch(r"[\w-]+", text) else text
