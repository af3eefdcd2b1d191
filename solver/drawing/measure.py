"""How wide a string is in the font that is shipped with the pictures, so that laying out a picture needs no font."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from pathlib import Path

PICTURE_FONTS = Path(__file__).parent / "fonts"
PICTURE_FAMILY = "DejaVu Sans"

WIDE = 1.1
"""In ems: what a letter of a script without advances takes, East Asian ones and emoji among them."""


@cache
def _advances() -> dict[str, float]:
    """Each character's width in ems. Arabic letters are counted in their widest form: joined ones are narrower."""
    data = json.loads((PICTURE_FONTS / "advances.json").read_bytes())
    return {
        chr(run["first"] + place): advance / data["units_per_em"]
        for run in data["runs"]
        for place, advance in enumerate(run["advances"])
        if advance
    }


@cache
def _sign_width(sign: str) -> float:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0.0
    return _advances().get(sign, WIDE)


def text_width(text: str, size: float) -> float:
    """In the units that `size`, the height of the font, is given in."""
    return sum(map(_sign_width, text)) * size


def covered(text: str) -> bool:
    """Whether the shipped font is sure to have every character of a string."""
    return all(sign in _advances() or sign in _UNSEEN for sign in set(text))


_UNSEEN = frozenset("\n\u200c\u200e\u200f\u2066\u2067\u2068\u2069")
"""What has no width: the half-space of Persian, and the marks of direction."""
