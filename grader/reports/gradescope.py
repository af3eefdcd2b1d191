"""A report as Gradescope's results.json: a test for each question, all of it plain text, none of it markup."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.kernel.cells import directed, marks_text, terminal
from grader.kernel.cells import told as safe
from grader.reports.detail import part_title, question_text
from grader.reports.options import Options
from grader.reports.told import Told, ToldQuestion
from grader.reports.told_exam import AnyTold, ToldExam
from solver.languages import Language
from solver.render import json_bytes

MOST_OUTPUT = 100_000
"""Characters of one text: what a page still shows."""


def gradescope(found: AnyTold, words: Language, options: Options) -> bytes:
    results = {
        "score": _number(found.marks),
        "output": _text("\n".join(directed(map(safe, _feedback(found, words)), words))),
        "output_format": "text",
        "visibility": options.visibility,
        "stdout_visibility": "hidden",
        "tests": list(_tests(found, words, options)),
    }
    return bytes(json_bytes(results))


def _feedback(found: AnyTold, words: Language) -> Iterator[str]:
    yield from map(words.tell, found.feedback)
    if isinstance(found, ToldExam):
        for number, part in enumerate(found.parts, 1):
            yield ""
            yield part_title(number, part, words)
            yield from map(words.tell, part.feedback)


def _tests(found: AnyTold, words: Language, options: Options) -> Iterator[dict[str, Any]]:
    """One for each question. Of an exam, a part is named before its questions; a blank one is a test as it stands."""
    if isinstance(found, Told):
        yield from (_test(question, question.question.id, words, options) for question in found.questions)
        return
    for part in found.parts:
        for question in part.questions:
            yield _test(question, f"{part.exercise}: {question.question.id}", words, options)
        if not part.questions:
            yield _scored(part.exercise, part.marks, part.out_of, "", options)


def _test(found: ToldQuestion, name: str, words: Language, options: Options) -> dict[str, Any]:
    return _scored(name, found.marks, found.question.marks, question_text(found, words), options)


def _scored(name: str, marks: Fraction, out_of: Fraction, output: str, options: Options) -> dict[str, Any]:
    return {
        "name": terminal(name),
        "score": _number(marks),
        "max_score": _number(out_of),
        "status": "passed" if marks == out_of else "failed",
        "output": _text(output),
        "output_format": "text",
        "visibility": options.visibility,
    }


def _number(marks: Fraction) -> int | Decimal:
    number = Decimal(marks_text(marks))
    return int(number) if number == int(number) else number


def _text(text: str) -> str:
    return text if len(text) <= MOST_OUTPUT else f"{text[:MOST_OUTPUT]}…"
