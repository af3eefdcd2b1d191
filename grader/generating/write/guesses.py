"""How far questions can be guessed, in words and as data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from grader.generating.search.spread import GuessedQuestion
from solver.kernel import decimal_text

DIGITS = 3
WHAT_HELPS = "allow more moves or a wider range, require less, leave out `parallel` or write `parallel: bounded`"


def guess_words(guess: GuessedQuestion) -> str:
    """What the best constant is, and what it earns."""
    earned = "is right in every exercise" if guess.share == 1 else f"earns {percent(guess.share)} of the marks"
    return f"{constant_text(guess.answer)} {earned}"


def percent(share: Fraction) -> str:
    return f"{round(100 * share)} %"


def constant_text(raw: Any) -> str:
    """A constant answer in one line, in the recipe's own names."""
    if isinstance(raw, dict):
        return ", ".join(f"{item}: {constant_text(each)}" for item, each in raw.items())
    if isinstance(raw, list):
        return f"[{', '.join(map(constant_text, raw))}]"
    return str(raw)


def guesses_said(guesses: Mapping[str, GuessedQuestion]) -> Iterator[str]:
    """A line for each question that can be guessed more easily than allowed, or has one answer in all exercises."""
    can = [question for question, guess in guesses.items() if not guess.holds or guess.share == 1]
    for question in can:
        guess = guesses[question]
        allowed = "" if guess.share == 1 else f"; {percent(guess.allowed)} is allowed"
        yield f"question {question} can be guessed: {guess_words(guess)}{allowed}"
    if can:
        yield f"what helps: {WHAT_HELPS}"


def guessability(guesses: Mapping[str, GuessedQuestion]) -> dict[str, dict[str, Any]]:
    """As data for the overview of all variants."""
    return {
        question: {
            "share": decimal_text(guess.share, DIGITS),
            "answer": constant_text(guess.answer),
            "chance": decimal_text(guess.chance, DIGITS),
            "bound": decimal_text(guess.bound, DIGITS),
            "holds": guess.holds,
        }
        for question, guess in guesses.items()
    }
