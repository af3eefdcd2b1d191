"""Sheets of comma-separated values: written so that any spreadsheet opens them safely, and read with their lines.

They are read as spreadsheets and learning systems write them: commas, semicolons or tabs separate. A row that cannot
be read is passed over, and reading goes on after it.
"""

from __future__ import annotations

import csv
import io
import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence

from solver.kernel import Place, Problem

JOINERS = "\u200c\u200d"
"""Persian needs them."""
MOST_IN_CELL = 32_000
"""Characters in a cell: spreadsheets take no more than 32,767."""
_NUMBER = re.compile(r"[+-]?[0-9]+([.,][0-9]+)?")
_FORMULA_STARTS = tuple("=+-@\t\r＝＋－＠")


def safe_cell(text: str) -> str:
    """A cell that no spreadsheet takes for a formula, on one line."""
    shown = "".join(sign if sign.isprintable() or sign in JOINERS else " " for sign in text[:MOST_IN_CELL]).strip()
    dangerous = text.startswith(_FORMULA_STARTS) or shown.startswith(_FORMULA_STARTS)
    return f"'{shown}" if dangerous and not _NUMBER.fullmatch(shown) else shown


def csv_bytes(rows: Iterable[Sequence[str]]) -> bytes:
    """CSV in UTF-8; every cell is made safe here, so that none is forgotten."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    for row in rows:
        writer.writerow([safe_cell(cell) for cell in row])
    return file.getvalue().encode("utf-8", "replace")


DELIMITERS = (",", ";", "\t")
MOST_LINES = 2_000
"""Of one row: where a quote is not closed by then, it never was meant to be open."""


class RowError(Exception):
    def __init__(self, line: int, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.problem = Problem(Place(line, 1), code, message, hint)


class CsvRows:
    """Given line by line, since a sheet may be of any size."""

    def __init__(self, lines: Iterable[bytes], longest: int) -> None:
        self._lines = iter(lines)
        self._longest = longest
        self._waiting: deque[bytes] = deque()
        self._line = 0
        self._delimiter = ","
        self._header: tuple[int, list[str]] | None = None

    def header(self) -> tuple[int, list[str]] | None:
        """The first row that is not empty; its separator is the one that gives most columns."""
        if self._header is None:
            self._header = self._first()
        return self._header

    def _first(self) -> tuple[int, list[str]] | None:
        while (raw := self._take()) is not None:
            if self._line == 1:
                if raw.startswith((b"\xff\xfe", b"\xfe\xff")) or b"\x00" in raw[:200]:
                    message = "the sheet is UTF-16, not UTF-8"
                    raise RowError(1, "encoding", message, "save it as “CSV UTF-8”, as spreadsheets call it")
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            text = self._decoded(raw, self._line)
            if separator := re.fullmatch(r"sep=([,;\t])\s*", text):
                # Excel's own way to say it, on a line before the header.
                self._delimiter = separator.group(1)
                continue
            if text.strip(" \t\r\n,;"):
                self._waiting.appendleft(text.encode())
                self._line -= 1
                self._delimiter = max(DELIMITERS, key=lambda each: len(_cells(text, each)))
                return self.next()
        return None

    def __iter__(self) -> Iterator[tuple[int, list[str]] | RowError]:
        """The rows below the header; in place of one that cannot be read, why."""
        while True:
            try:
                row = self.next()
            except RowError as error:
                yield error
                continue
            if row is None:
                return
            if any(cell.strip() for cell in row[1]):
                yield row

    def next(self) -> tuple[int, list[str]] | None:
        """The next row, which may run over several lines; RowError if it cannot be read."""
        raw = self._take()
        if raw is None:
            return None
        line, size = self._line, len(raw)
        raw_lines, texts = [raw], [self._decoded(raw, line)]
        quotes = texts[0].count('"')
        # In a whole row the quotes go by twos.
        while quotes % 2:
            more = self._take() if len(raw_lines) < MOST_LINES and size < self._longest else None
            if more is None:
                self._waiting.extendleft(reversed(raw_lines[1:]))
                self._line = line
                raise RowError(line, "syntax", "a quote is opened and not closed", "write a quote inside quotes twice")
            raw_lines.append(more)
            texts.append(self._decoded(more, line))
            size, quotes = size + len(more), quotes + texts[-1].count('"')
        # A limit of the module, not of a reader.
        csv.field_size_limit(self._longest)
        try:
            return line, next(csv.reader(texts, delimiter=self._delimiter, strict=True), [])
        except csv.Error as error:
            raise RowError(line, "syntax", f"not CSV: {error}", "write a quote inside quotes twice") from None

    def _take(self) -> bytes | None:
        raw = self._waiting.popleft() if self._waiting else next(self._lines, None)
        self._line += raw is not None
        return raw

    def _decoded(self, raw: bytes, line: int) -> str:
        if len(raw) > self._longest:
            raise RowError(line, "too-large", f"a row of {len(raw):,} bytes; at most {self._longest:,} are read")
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError as error:
            message = f"byte 0x{raw[error.start]:02X} is not UTF-8"
            raise RowError(line, "encoding", message, "save the sheet as “CSV UTF-8”") from None


def _cells(text: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=delimiter), [])
    except csv.Error:
        return []
