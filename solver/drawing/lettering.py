"""(a), (b), … below the pictures of one figure."""

from __future__ import annotations

from string import ascii_lowercase


def letters(count: int) -> list[str]:
    """As in the book; numbers where the alphabet is too short."""
    names = ascii_lowercase if count <= len(ascii_lowercase) else [str(number) for number in range(1, count + 1)]
    return [f"({names[place]})" for place in range(count)]
