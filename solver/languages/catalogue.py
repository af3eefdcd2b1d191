"""Catalogues: gettext PO files, read once, their sentences taken apart at the placeholders."""

from __future__ import annotations

import gettext
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from string import Formatter

from babel.messages.pofile import read_po

TextPiece = tuple[str, str | None]
"""Text, and the name of the fact that comes after it, if any."""

FSI, PDI = "\u2068", "\u2069"
"""First-strong isolate and its end: what is between does not disturb the direction of the text around it."""

RLI = "\u2067"
"""Begins an isolate that runs from right to left."""

_FOREIGN = re.compile(r"[A-Za-zÀ-ÿα-ω][A-Za-zÀ-ÿα-ω0-9^*+-]*")


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Every form of every sentence by its key: one form, or as many as the language has plurals."""

    forms: dict[str, tuple[tuple[TextPiece, ...], ...]]
    plural: Callable[[int], int]
    """Which form a number takes."""


@lru_cache(maxsize=64)
def read_catalogue(file: Path, right_to_left: bool) -> Catalogue:
    """A catalogue; ValueError where it is not a sound one."""
    with file.open("rb") as opened:
        # Comments are for translators; blank lines in their place cost next to nothing to read.
        read = read_po((b"\n" if line.startswith(b"#") else line for line in opened), abort_invalid=True)
    forms: dict[str, tuple[tuple[TextPiece, ...], ...]] = {}
    for message in read:
        if not message.id:
            continue
        key = message.id if isinstance(message.id, str) else message.id[0]
        strings = (message.string,) if isinstance(message.string, str) else tuple(message.string or ())
        forms[key] = tuple(tuple(_pieces(each, right_to_left)) for each in strings)
    return Catalogue(forms, gettext.c2py(read.plural_expr))


def _pieces(text: str, right_to_left: bool) -> Iterator[TextPiece]:
    for literal, name, form, conversion in Formatter().parse(text):
        if form or conversion or (name is not None and not name.isidentifier()):
            raise ValueError(f"a placeholder is a name in braces: {text!r}")
        yield (_FOREIGN.sub(rf"{FSI}\g<0>{PDI}", literal) if right_to_left else literal), name
