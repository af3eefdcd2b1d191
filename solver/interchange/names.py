"""Labels of other programs made into names of ours: valid, short and unique."""

from __future__ import annotations

import re
import unicodedata

from solver.game.tree import TURN_WORDS
from solver.kernel.exact import parse_number

TITLE_LENGTH = 400
MOVE_LENGTH = 100
ID_LENGTH = 50
"""Leaves room for the number of a repeated name: an id has 64 characters at most."""

_JOINERS = "\u200c\u200d"
_NOT_IN_IDS = re.compile(r"[\s/\\]+")


def as_text(label: str, longest: int) -> str:
    """A label on one line, of characters that a document may hold; perhaps nothing is left of it."""
    if label.isascii() and label.isprintable():
        return " ".join(label.split())[:longest].strip()
    # Cut first: normalizing a long run of combining marks takes quadratic time.
    signs = (sign if sign.isprintable() or sign in _JOINERS else " " for sign in label[: 2 * longest])
    return unicodedata.normalize("NFC", " ".join("".join(signs).split()))[:longest].strip()


def as_id(label: str) -> str:
    """A label without white space and path separators: `2 left` becomes `2_left`."""
    bare = label[: 2 * ID_LENGTH].translate({ord(sign): None for sign in _JOINERS})
    return _NOT_IN_IDS.sub("_", as_text(bare, ID_LENGTH))


def as_player(label: str, number: int) -> str:
    """A player's name: never empty, a number or a turn word."""
    name = as_text(label, MOVE_LENGTH)
    return f"P{number}" if not name or parse_number(name) is not None or name.lower() in TURN_WORDS else name


class Unique:
    """Lets every name pass once; a name that is taken gets a number: a, a_2, a_3."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._next: dict[str, int] = {}

    def __call__(self, name: str) -> str:
        free = name
        number = self._next.get(name, 2)
        while free in self._taken:
            free = f"{name}_{number}"
            number += 1
        self._next[name] = number
        self._taken.add(free)
        return free
