"""Strings from strangers made safe for where they are shown: a terminal, a picture, a file's name; and tables."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from hashlib import blake2b

from grader.kernel.csv_sheets import JOINERS
from grader.kernel.verdicts import rounded
from solver.kernel import number_text
from solver.languages import Fact, Language

SPACES = "\u00a0\u202f"
"""Spaces that do not break: sentences of a catalogue and formulas have them."""
OWN_MARKS = SPACES + "\u200e\u200f\u2068\u2069"
"""Those and marks of direction, which sentences of a catalogue have."""
INDENT = 2
"""Columns of a table's indentation."""
WIDEST = 32
"""Columns of a table's cell."""
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?")
"""Names that Windows keeps for itself."""

_ISOLATES = re.compile("[\u2066-\u2069]")
_UNSAFE_IN_NAMES = re.compile(r"[^\w.@+-]")


def terminal_text(text: str, widest: int | None = None) -> str:
    """On one line, with nothing that a terminal would obey or reorder; cut off where it is too wide."""
    most = len(text) if widest is None else 4 * widest
    keep = JOINERS + SPACES
    shown = "".join(sign if sign.isprintable() or sign in keep else "\N{REPLACEMENT CHARACTER}" for sign in text[:most])
    if widest is None or (len(text) <= most and terminal_width(shown) <= widest):
        return shown
    while terminal_width(shown) > widest - 1:
        shown = shown[:-1]
    return f"{shown}…"


def terminal_sentence(text: str) -> str:
    """A sentence of a catalogue, with what students wrote inside it."""
    keep = JOINERS + OWN_MARKS
    return "".join(sign if sign.isprintable() or sign in keep else "\N{REPLACEMENT CHARACTER}" for sign in text)


def cut_off(text: str, widest: int, words: Language) -> str:
    """Words of ours that fit a cell. Isolates that would lose their ends are dropped, and put around the whole."""
    if terminal_width(text) <= widest:
        return text
    return str(words.name(terminal_text(without_isolates(text), widest)))


def fact_cell(fact: Fact | None, words: Language, widest: int = WIDEST) -> str:
    """A fact in words; a student's own text is made harmless before it is shown."""
    if isinstance(fact, str):
        return str(words.name(terminal_text(fact, widest)))
    assert fact is not None
    return cut_off(terminal_sentence(words.show(fact)), widest, words)


def without_isolates(text: str) -> str:
    """A label in a picture stands alone: nothing around it could disturb its direction."""
    return _ISOLATES.sub("", text)


def directed_lines(lines: Iterable[str], words: Language) -> Iterator[str]:
    """Lines of a text; where a language runs from the right, every line with its letters says so itself. Spaces beyond
    the indentation belong to an empty first column."""
    for line in lines:
        yield words.line(line, min(INDENT, len(line) - len(line.lstrip(" "))))


def terminal_width(text: str) -> int:
    """Columns on a terminal."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(sign: str) -> int:
    if unicodedata.combining(sign) or unicodedata.category(sign) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(sign) in "WF" else 1


def padded_cell(text: str, columns: int, right: bool = False) -> str:
    gap = " " * max(0, columns - terminal_width(text))
    return gap + text if right else text + gap


def aligned_columns(rows: Sequence[Sequence[str]], right: Sequence[bool], indent: str = "") -> list[str]:
    """Rows of strings, one below another; numbers stand to the right of their columns."""
    widths = [max(terminal_width(row[place]) for row in rows) for place in range(len(right))]
    return [
        (indent + "  ".join(padded_cell(cell, widths[at], right[at]) for at, cell in enumerate(row))).rstrip()
        for row in rows
    ]


def file_stem(student: str) -> str:
    """A file's name for a student, different for different students, also where names ignore case."""
    plain = _UNSAFE_IN_NAMES.sub("_", student)[:60].strip(".")
    if plain and plain == student and plain.isascii() and plain == plain.lower() and not _RESERVED.fullmatch(plain):
        return plain
    return f"{plain or '_'}-{blake2b(student.encode('utf-8', 'surrogatepass'), digest_size=4).hexdigest()}"


def marks_text(marks: Fraction) -> str:
    """Rounded half up to two decimals, as gradebooks take it."""
    return str(number_text(rounded(marks)))


def marks_shown(marks: Fraction, words: Language) -> str:
    return str(words.number(rounded(marks)))


def percent(share: Fraction, words: Language) -> str:
    """A share in whole per cent, half up."""
    return str(words.percent(Fraction((200 * share + 1) // 2)))
