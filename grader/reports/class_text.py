"""A class summary in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from grader.kernel.cells import columns, directed, terminal, told
from grader.reports.class_rows import HARDEST, AnySummary, ClassSection, Table, sections
from grader.reports.options import Options
from solver.languages import Language

BAR = 30


def class_text(summary: AnySummary, options: Options) -> bytes:
    return ("\n".join(directed(_lines(summary, options), options.words)) + "\n").encode("utf-8", "replace")


def _lines(summary: AnySummary, options: Options) -> Iterator[str]:
    for section in sections(summary, options.words, terminal(options.words.own(options.title), 80), HARDEST):
        yield from [""] if section.number else []
        yield section.title
        yield ""
        yield from columns([[name, value] for name, value in section.facts], [False, False])
        for table in section.tables:
            yield ""
            yield table.title
            yield from _table(table)
            yield from _rest(table, section, options.words)


def _table(table: Table) -> list[str]:
    most = max((row.share for row in table.rows), default=Fraction(0)) if table.relative else Fraction(1)
    rows: list[Sequence[str]] = [["", *table.header, ""]]
    for row in table.rows:
        rows.append([told(row.name), *row.cells, _bar(row.share / most if most else Fraction(0))])
    return columns(rows, [False, *[True] * len(table.header), False], "  ")


def _rest(table: Table, section: ClassSection, words: Language) -> list[str]:
    """How many items are only in the other outputs."""
    left = len(section.summary.items) - len(table.rows) if table.key == "items" and section.summary else 0
    return [f"  {words.say('class.items.more', left)}"] if left else []


def _bar(share: Fraction) -> str:
    return "█" * int(share * BAR + Fraction(1, 2))
