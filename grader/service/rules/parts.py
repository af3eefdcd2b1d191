"""Questions of an exam's parts, told apart by the number of the part: two parts may call their questions the same."""

from __future__ import annotations

BETWEEN = "\x1f"
"""No document may hold it, so that no question is called like one of a part."""


def in_part(part: int | str | None, question: str) -> str:
    """What a question of a part, numbered from 1, is known as; without a part, its own name."""
    return f"{part}{BETWEEN}{question}" if part else question


def apart(known_as: str) -> tuple[int | None, str]:
    """The part, None where there are none, and what the question is called there."""
    part, between, question = known_as.partition(BETWEEN)
    return (int(part), question) if between else (None, known_as)
