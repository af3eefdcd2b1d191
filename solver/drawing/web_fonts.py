"""The pictures' font for web pages: those parts of it that a page's text needs, to stand within the page itself.

`tools/make_fonts.py` makes the parts."""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache

from solver.drawing.measure import PICTURE_FAMILY, PICTURE_FONTS

_WEIGHTS = {"normal": "DejaVuSans", "bold": "DejaVuSans-Bold"}


@cache
def _parts() -> dict[str, list[tuple[int, int]]]:
    """The first and last code points of what is in each part."""
    parts: dict[str, list[tuple[int, int]]] = json.loads((PICTURE_FONTS / "parts.json").read_bytes())
    return parts


def font_faces(text: str) -> str:
    """Rules of a style sheet, with the letters themselves, for every character of a text that the font has."""
    characters = set(map(ord, text))
    needed = [
        name
        for name, spans in _parts().items()
        if any(first <= character <= last for character in characters for first, last in spans)
    ]
    return "".join(_face(name, weight) for name in needed for weight in _WEIGHTS)


@cache
def _face(part: str, weight: str) -> str:
    letters = b64encode((PICTURE_FONTS / f"{_WEIGHTS[weight]}-{part}.woff2").read_bytes()).decode()
    spans = ",".join(f"U+{first:X}" + (f"-{last:X}" if last > first else "") for first, last in _parts()[part])
    return (
        f"@font-face{{font-family:'{PICTURE_FAMILY}';font-weight:{weight};unicode-range:{spans};"
        f"src:url(data:font/woff2;base64,{letters}) format('woff2')}}\n"
    )
