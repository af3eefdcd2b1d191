"""What a question asks in words: its author's text, or the usual text of its type in the student's language."""

from __future__ import annotations

from collections.abc import Iterator

from grader.questions.answer_key import KeyedQuestion
from grader.questions.registry import ask_of
from solver.languages import Sentence


def asked(question: KeyedQuestion) -> Sentence | str:
    return question.text or ask_of(question).wording(question)


def remarks(question: KeyedQuestion) -> Iterator[Sentence]:
    """How an answer is to be given: what its text does not say, and what never tells the key."""
    return ask_of(question).remarks(question)
