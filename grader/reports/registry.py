"""The outputs by name. Tables and gradebooks are sorted by student; the others keep the order of input."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from grader.marking.exam_report import AnyReport
from grader.reports.changes import changes_sheet, changes_text
from grader.reports.class_page import class_page
from grader.reports.class_rows import AnySummary
from grader.reports.class_sheet import class_sheet
from grader.reports.class_text import class_text
from grader.reports.data import told_data
from grader.reports.detail import detail
from grader.reports.gradebook import gradebook
from grader.reports.gradescope import gradescope
from grader.reports.options import Options
from grader.reports.regrade import Regraded
from grader.reports.table import table
from grader.reports.told_exam import told_any
from solver.render import json_bytes


@dataclass(frozen=True, slots=True)
class Output:
    ending: str
    """Of a file's name."""
    write: Callable[[Iterable[AnyReport], Options], Iterator[bytes]]
    one_file: bool
    """Whether all reports go into one file; else each has its own."""


def _text(reports: Iterable[AnyReport], options: Options) -> Iterator[bytes]:
    if options.several:
        yield from table(reports, options)
        return
    for place, report in enumerate(reports):
        yield b"\n" if place else b""
        yield detail(told_any(report, options.level), options.words_for(report)).encode("utf-8", "replace")


def _json(reports: Iterable[AnyReport], options: Options) -> Iterator[bytes]:
    for report in reports:
        data = told_data(told_any(report, options.level), options.words_for(report))
        yield json_bytes(
            {"plymark": data["plymark"], "file": report.answer.source, **data} if options.several else data
        )


def _gradescope(reports: Iterable[AnyReport], options: Options) -> Iterator[bytes]:
    for report in reports:
        yield gradescope(told_any(report, options.level), options.words_for(report), options)


OUTPUTS = {
    "text": Output(".txt", _text, one_file=True),
    "json": Output(".json", _json, one_file=False),
    "csv": Output(".csv", gradebook, one_file=True),
    "gradescope": Output(".results.json", _gradescope, one_file=False),
}

ClassOutput = Callable[[AnySummary, Options], bytes]
CLASS_OUTPUTS: dict[str, ClassOutput] = {"text": class_text, "csv": class_sheet, "html": class_page}
"""By name, what a class summary can be written as."""

ChangesOutput = Callable[[Regraded, Options], bytes]
CHANGES_OUTPUTS: dict[str, ChangesOutput] = {"text": changes_text, "csv": changes_sheet}
"""By name, what the changes of a corrected exercise can be written as."""
