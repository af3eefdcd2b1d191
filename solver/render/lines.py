"""Trees in a terminal: lines with stems, aligned in columns, and the symbols of the turns."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from solver.game.tree import AND, CHANCE, MAX, MIN, OR

_SIGNS = {MAX: "▲", MIN: "▼", CHANCE: "○", OR: "◇", AND: "◆", None: "□"}
_PLAYER_SIGN = "●"


class Line(NamedTuple):
    stem: str
    label: str
    value: str
    notes: str
    pruned: bool = False
    best: bool = False


def turn_sign(turn: str | None) -> str:
    """▲ and so on; None is a leaf."""
    return _SIGNS.get(turn, _PLAYER_SIGN)


def aligned(lines: Sequence[Line], colour: bool) -> Iterator[str]:
    left = min(60, max(_width(line.stem + line.label) for line in lines))
    middle = min(30, max(_width(line.value) for line in lines))
    for line in lines:
        label = line.label + " " * max(0, left - _width(line.stem + line.label))
        value = line.value + " " * max(0, middle - _width(line.value)) if line.notes else line.value
        body = f"{label}  {value}  {line.notes}".rstrip() if line.value or line.notes else label.rstrip()
        if line.pruned:
            body = f"\x1b[2m{body}\x1b[0m" if colour else body
        elif line.best:
            body = bold(body, colour)
        yield line.stem + body


def bold(text: str, colour: bool) -> str:
    return f"\x1b[1m{text}\x1b[0m" if colour else text


def _width(text: str) -> int:
    """Columns on a terminal."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )
