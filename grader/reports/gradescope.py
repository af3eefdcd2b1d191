"""A report as Gradescope's results.json: a test for each question, all of it plain text, none of it markup."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.kernel.cells import marks_text, terminal, told
from grader.reports.detail import question_lines
from grader.reports.options import Options
from solver.render import json_bytes

MOST_OUTPUT = 100_000
"""Characters of one text: what a page still shows."""


def gradescope(data: Mapping[str, Any], options: Options) -> bytes:
    """From report/1, so it tells no more than that."""
    results = {
        "score": _number(data["marks"]),
        "output": _text([told(sentence) for sentence in data["feedback"]]),
        "output_format": "text",
        "visibility": options.visibility,
        "stdout_visibility": "hidden",
        "tests": [_test(question, options) for question in data["questions"]],
    }
    return bytes(json_bytes(results))


def _test(question: Mapping[str, Any], options: Options) -> dict[str, Any]:
    full = Fraction(str(question["marks"])) == Fraction(str(question["out_of"]))
    return {
        "name": terminal(question["id"]),
        "score": _number(question["marks"]),
        "max_score": _number(question["out_of"]),
        "status": "passed" if full else "failed",
        "output": _text(list(question_lines(question, options.words))),
        "output_format": "text",
        "visibility": options.visibility,
    }


def _number(written: object) -> int | Decimal:
    number = Decimal(marks_text(Fraction(str(written))))
    return int(number) if number == int(number) else number


def _text(lines: list[str]) -> str:
    text = "\n".join(lines)
    return text if len(text) <= MOST_OUTPUT else f"{text[:MOST_OUTPUT]}…"
