"""A report as Gradescope's results.json: a test for each question, all of it plain text, none of it markup."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.kernel.cells import directed, marks_text, terminal
from grader.kernel.cells import told as safe
from grader.reports.detail import question_text
from grader.reports.options import Options
from grader.reports.told import Told, ToldQuestion
from solver.languages import Language
from solver.render import json_bytes

MOST_OUTPUT = 100_000
"""Characters of one text: what a page still shows."""


def gradescope(found: Told, words: Language, options: Options) -> bytes:
    results = {
        "score": _number(found.marks),
        "output": _text("\n".join(directed((safe(words.tell(each)) for each in found.feedback), words))),
        "output_format": "text",
        "visibility": options.visibility,
        "stdout_visibility": "hidden",
        "tests": [_test(question, words, options) for question in found.questions],
    }
    return bytes(json_bytes(results))


def _test(found: ToldQuestion, words: Language, options: Options) -> dict[str, Any]:
    question = found.question
    return {
        "name": terminal(question.id),
        "score": _number(found.marks),
        "max_score": _number(question.marks),
        "status": "passed" if found.marks == question.marks else "failed",
        "output": _text(question_text(found, words)),
        "output_format": "text",
        "visibility": options.visibility,
    }


def _number(marks: Fraction) -> int | Decimal:
    number = Decimal(marks_text(marks))
    return int(number) if number == int(number) else number


def _text(text: str) -> str:
    return text if len(text) <= MOST_OUTPUT else f"{text[:MOST_OUTPUT]}…"
