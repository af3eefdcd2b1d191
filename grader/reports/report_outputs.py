"""The outputs by name, and what is made of each report for them.

answer → a part of the output, what it adds to the class, and what to look at: all of it is small beside the report,
which holds the whole key, and can be handed to another process. Tables and gradebooks are sorted by student; the
others keep the order of input. They become one file for all reports, or one for each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from grader.documents.answer_file import Answer
from grader.kernel.display_text import file_stem
from grader.marking.exam_report import AnyReport
from grader.marking.graders import HandedOut, grader_of
from grader.marking.overrides import Overrides
from grader.marking.report import Chosen
from grader.marking.review import KeyedRow, Review
from grader.reports.class_page import class_page
from grader.reports.class_summary import ExamTally, Tally, tally_of
from grader.reports.class_tables import AnySummary, class_sheet, class_text
from grader.reports.feedback_facts import any_facts_at_level
from grader.reports.marks_tables import TablePart, gradebook, gradebook_part, marks_table, marks_table_part
from grader.reports.output_options import OutputOptions
from grader.reports.regrade_report import RegradeReport, changes_sheet, changes_text
from grader.reports.report_formats import facts_data, full_text, gradescope_results
from solver.render import json_bytes


@dataclass(frozen=True, slots=True)
class Output:
    ending: str
    """Of a file's name."""
    part: Callable[[AnyReport, OutputOptions], Any]
    """What is made of one report, in whichever process."""
    together: Callable[[Iterable[Any], OutputOptions], Iterator[bytes]]
    """The whole, from the parts."""
    one_file: bool
    """Whether all reports go into one file; else each has its own."""

    def write(self, reports: Iterable[AnyReport], options: OutputOptions) -> Iterator[bytes]:
        return self.together((self.part(report, options) for report in reports), options)


def _text_part(report: AnyReport, options: OutputOptions) -> TablePart | bytes:
    if options.several:
        return marks_table_part(report, options)
    return full_text(any_facts_at_level(report, options.level), options.words_for(report)).encode("utf-8", "replace")


def _texts(parts: Iterable[Any], options: OutputOptions) -> Iterator[bytes]:
    if options.several:
        yield from marks_table(parts, options)
        return
    for place, part in enumerate(parts):
        yield b"\n" if place else b""
        yield part


def _json(report: AnyReport, options: OutputOptions) -> bytes:
    data = facts_data(any_facts_at_level(report, options.level), options.words_for(report))
    return json_bytes({"plymark": data["plymark"], "file": report.answer.source, **data} if options.several else data)


def _gradescope(report: AnyReport, options: OutputOptions) -> bytes:
    return gradescope_results(any_facts_at_level(report, options.level), options.words_for(report), options)


def _one_by_one(parts: Iterable[bytes], _options: OutputOptions) -> Iterator[bytes]:
    return iter(parts)


OUTPUTS = {
    "text": Output(".txt", _text_part, _texts, one_file=True),
    "json": Output(".json", _json, _one_by_one, one_file=False),
    "csv": Output(".csv", gradebook_part, gradebook, one_file=True),
    "gradescope": Output(".results.json", _gradescope, _one_by_one, one_file=False),
}

ClassOutput = Callable[[AnySummary, OutputOptions], bytes]
CLASS_OUTPUTS: dict[str, ClassOutput] = {"text": class_text, "csv": class_sheet, "html": class_page}
"""By name, what a class summary can be written as."""

ChangesOutput = Callable[[RegradeReport, OutputOptions], bytes]
CHANGES_OUTPUTS: dict[str, ChangesOutput] = {"text": changes_text, "csv": changes_sheet}
"""By name, what the changes of a corrected exercise can be written as."""


def report_files(
    parts: Iterable[tuple[str, Any]], output: Output, options: OutputOptions, name: str
) -> Iterator[tuple[str, bytes]]:
    """Names with contents, made one after another, from parts of reports with their students; `name` is what a file of
    all reports is called."""
    if output.one_file:
        yield f"{name}{output.ending}", b"".join(output.together((part for _, part in parts), options))
        return
    written: Counter[str] = Counter()
    for student, part in parts:
        stem = file_stem(student)
        written[stem] += 1
        # A second answer by the same student does not replace the first.
        again = f"-{written[stem]}" if written[stem] > 1 else ""
        yield f"{stem}{again}.report{output.ending}", b"".join(output.together([part], options))


@dataclass(frozen=True, slots=True)
class ReportParts:
    student: str
    output: Any
    """As the output's `part` makes it."""
    counts: Any
    """As the tally gives and takes them; None if there is to be no summary."""
    rows: list[KeyedRow]
    """For review."""


class ReportMaker:
    """A grader, and what is wanted of its reports; made once for each process."""

    def __init__(
        self,
        handed_out: HandedOut,
        options: OutputOptions,
        part: Callable[[AnyReport, OutputOptions], Any],
        theirs: Callable[[str], Mapping[str, str]] | None = None,
        counts: bool = False,
        reviews: bool = False,
    ) -> None:
        self._grader, self._options, self._part = grader_of(handed_out, theirs), options, part
        self._tally: Tally | ExamTally | None = tally_of(handed_out, options.level) if counts else None
        self._review = Review(several=handed_out.has_variants) if reviews else None

    def __call__(
        self, answer: Answer, chosen: Chosen | None = None, overrides: Overrides | None = None
    ) -> tuple[ReportParts, Fraction]:
        report: AnyReport = self._grader.grade(answer)
        if overrides is not None:
            report = overrides.apply(report)
        report = report if chosen is None else replace(report, chosen=chosen)
        if self._tally is not None:
            self._tally.add(report)
        if self._review is not None:
            self._review.add(report)
        counts = None if self._tally is None else self._tally.taken()
        rows = [] if self._review is None else self._review.taken()
        return ReportParts(answer.student, self._part(report, self._options), counts, rows), report.exact_marks
