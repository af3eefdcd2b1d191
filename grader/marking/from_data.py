"""Exercises and answers that are in no file: text as a form or a request sends it, or plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.documents.answer_file import Answer, load_answer_bytes, require_answer_to
from grader.documents.exercise_file import load_exercise_bytes
from grader.kernel.document_fields import data_bytes
from grader.marking.verify import verified
from grader.questions.exercise import Exercise
from solver.kernel import DEFAULT_LIMITS, Limits, UsageError

Written = Mapping[str, Any] | str | bytes
"""A document as data, or as text: JSON if it starts with a brace, else YAML."""


def exercise_from(document: Written, limits: Limits = DEFAULT_LIMITS, name: str = "") -> Exercise:
    """The exercise, every question of which has a key; DocumentError with every problem otherwise.

    The game is inside: a path leads nowhere here, and is an error. Problems have the line and column of the text, or of
    the data as JSON, indented by 2.
    """
    return verified(load_exercise_bytes(_bytes(document), name, limits))


def answer_from(
    document: Written, exercise: Exercise | None = None, limits: Limits = DEFAULT_LIMITS, name: str = ""
) -> Answer:
    """The answer; DocumentError if it lacks what marking needs, or is to another exercise than the one given."""
    answer = load_answer_bytes(_bytes(document), name, limits)
    if exercise is not None:
        require_answer_to(exercise.id, answer)
    return answer


def _bytes(document: Written) -> bytes:
    if isinstance(document, bytes):
        return document
    if isinstance(document, str):
        return document.encode("utf-8", "surrogatepass")
    try:
        return data_bytes(document)
    except (TypeError, ValueError, RecursionError) as error:
        raise UsageError(f"this cannot be written as a document: {error}") from None
