"""A class summary as CSV: one long table, so that any spreadsheet can filter it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.kernel.cells import marks_text
from grader.kernel.sheets import sheet
from grader.reports.class_rows import AnySummary
from grader.reports.class_summary import BINS, ClassSummary, Figures
from grader.reports.options import Options

COLUMNS = ("Section", "Question", "Name", "Value", "Of", "Share")


def class_sheet(summary: AnySummary, _options: Options) -> bytes:
    """Columns: what the row is about, of which question, its name, its number, out of how many, and the share; of an
    exam, before these, which part, if the row is about one."""
    if isinstance(summary, ClassSummary):
        return sheet([COLUMNS, *_rows(summary)])
    rows = [("", *row) for row in _totals(summary)]
    for part in summary.parts:
        rows += [(part.name, *row) for row in _rows(part.summary)]
    return sheet([("Part", *COLUMNS), *rows])


def _totals(summary: Figures) -> Iterator[Sequence[str]]:
    out_of, n = summary.out_of, summary.answers
    yield from (
        ["class", "", "answers", str(n), "", ""],
        ["class", "", "broken", str(summary.broken), "", ""],
        ["class", "", "duplicates", str(summary.duplicates), "", ""],
    )
    if isinstance(summary, ClassSummary):
        yield ["class", "", "unreadable", *_of(summary.unreadable_answers, n)]
    if summary.mean is not None and summary.median is not None and summary.quartiles is not None:
        low, high = summary.quartiles
        figures = {"lowest": summary.lowest, "lower quartile": low, "median": summary.median}
        figures |= {"mean": summary.mean, "upper quartile": high, "highest": summary.highest}
        for name, marks in figures.items():
            assert marks is not None
            yield ["marks", "", name, marks_text(marks), marks_text(out_of), marks_text(marks / out_of)]
    for place, count in enumerate(summary.histogram):
        ends = f"{marks_text(out_of * place / BINS)} to {marks_text(out_of * (place + 1) / BINS)}"
        yield ["distribution", "", ends, *_of(count, n)]


def _rows(summary: ClassSummary) -> Iterator[Sequence[str]]:
    yield from _totals(summary)
    out_of, n = summary.out_of, summary.answers
    for variant in summary.variants:
        share = marks_text(variant.mean / out_of)
        yield ["variant", "", variant.id, *_of(variant.answers, n)]
        yield ["variant mean", "", variant.id, marks_text(variant.mean), marks_text(out_of), share]
    for question in summary.questions:
        share = marks_text(question.mean_share)
        yield ["question", question.id, "mean", marks_text(question.mean), marks_text(question.out_of), share]
        yield ["question", question.id, "full marks", *_of(question.full, n)]
        yield ["question", question.id, "blank", *_of(question.blank, n)]
    for item in summary.items:
        yield ["item", item.question, item.item, *_of(item.share.right, item.share.total)]
    items = sum(summary.verdicts.values())
    for verdict, count in summary.verdicts.items():
        yield ["verdict", "", verdict, *_of(count, items)]
    for mistake, count in summary.mistakes.items():
        yield ["mistake", "", mistake or "not explained", *_of(count, n)]
    for convention, count in summary.conventions.items():
        yield ["convention", "", convention.id, *_of(count, n)]


def _of(count: int, total: int) -> list[str]:
    return [str(count), str(total), marks_text(Fraction(count, total)) if total else ""]
