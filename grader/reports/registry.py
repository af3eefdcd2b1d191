"""The outputs by name. Tables and gradebooks are sorted by student; the others keep the order of input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from grader.marking.exam_report import AnyReport
from grader.reports.changes import changes_sheet, changes_text
from grader.reports.class_page import class_page
from grader.reports.class_rows import AnySummary
from grader.reports.class_sheet import class_sheet
from grader.reports.class_text import class_text
from grader.reports.data import told_data
from grader.reports.detail import detail
from grader.reports.gradebook import gradebook, gradebook_part
from grader.reports.gradescope import gradescope
from grader.reports.options import Options
from grader.reports.regrade import Regraded
from grader.reports.table import TablePart, table, table_part
from grader.reports.told_exam import told_any
from solver.render import json_bytes


@dataclass(frozen=True, slots=True)
class Output:
    ending: str
    """Of a file's name."""
    part: Callable[[AnyReport, Options], Any]
    """What is made of one report, in whichever process."""
    together: Callable[[Iterable[Any], Options], Iterator[bytes]]
    """The whole, from the parts."""
    one_file: bool
    """Whether all reports go into one file; else each has its own."""

    def write(self, reports: Iterable[AnyReport], options: Options) -> Iterator[bytes]:
        return self.together((self.part(report, options) for report in reports), options)


def _text_part(report: AnyReport, options: Options) -> TablePart | bytes:
    if options.several:
        return table_part(report, options)
    return detail(told_any(report, options.level), options.words_for(report)).encode("utf-8", "replace")


def _texts(parts: Iterable[Any], options: Options) -> Iterator[bytes]:
    if options.several:
        yield from table(parts, options)
        return
    for place, part in enumerate(parts):
        yield b"\n" if place else b""
        yield part


def _json(report: AnyReport, options: Options) -> bytes:
    data = told_data(told_any(report, options.level), options.words_for(report))
    return json_bytes({"plymark": data["plymark"], "file": report.answer.source, **data} if options.several else data)


def _gradescope(report: AnyReport, options: Options) -> bytes:
    return gradescope(told_any(report, options.level), options.words_for(report), options)


def _one_by_one(parts: Iterable[bytes], _options: Options) -> Iterator[bytes]:
    return iter(parts)


OUTPUTS = {
    "text": Output(".txt", _text_part, _texts, one_file=True),
    "json": Output(".json", _json, _one_by_one, one_file=False),
    "csv": Output(".csv", gradebook_part, gradebook, one_file=True),
    "gradescope": Output(".results.json", _gradescope, _one_by_one, one_file=False),
}

ClassOutput = Callable[[AnySummary, Options], bytes]
CLASS_OUTPUTS: dict[str, ClassOutput] = {"text": class_text, "csv": class_sheet, "html": class_page}
"""By name, what a class summary can be written as."""

ChangesOutput = Callable[[Regraded, Options], bytes]
CHANGES_OUTPUTS: dict[str, ChangesOutput] = {"text": changes_text, "csv": changes_sheet}
"""By name, what the changes of a corrected exercise can be written as."""
