"""Sheets of comma-separated values, safe to open in any spreadsheet."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence

JOINERS = "\u200c\u200d"
"""Persian needs them."""
MOST_IN_CELL = 32_000
"""Characters in a cell: spreadsheets take no more than 32,767."""
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")


def spreadsheet(text: str) -> str:
    """A cell that no spreadsheet takes for a formula, on one line."""
    shown = "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in text[:MOST_IN_CELL]).strip()
    dangerous = text.startswith(_FORMULA_STARTS) or shown.startswith(_FORMULA_STARTS)
    return f"'{shown}" if dangerous and not _NUMBER.fullmatch(shown) else shown


def sheet(rows: Iterable[Sequence[str]]) -> bytes:
    """CSV in UTF-8; every cell is made safe here, so that none is forgotten."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        writer.writerow([spreadsheet(cell) for cell in row])
    return file.getvalue().encode("utf-8", "replace")
