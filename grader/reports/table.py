"""Many reports as a table in a terminal: a line for each answer, by student."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from grader.kernel.cells import WIDEST, columns, directed, marks_shown, terminal
from grader.marking.report import Report
from grader.reports.labels import counted_as
from grader.reports.options import Options


class _TableRow(NamedTuple):
    """The order of students, files and places is the order of the table, whatever the order of input."""

    student: str
    source: str
    place: tuple[int, int]
    cells: tuple[str, ...]


def table(reports: Iterable[Report], options: Options) -> Iterator[bytes]:
    """Sorted by student. Of each report only its line is kept."""
    words, diagnosed = options.words, options.level in ("hints", "full")
    rows: list[_TableRow] = []
    header: list[str] = []
    for report in reports:
        questions = list(report.questions())
        header = header or [
            words.say("output.student"),
            *([words.say("output.variant")] if options.name_variants else []),
            *(f"{terminal(each.question.id, 16)} /{words.number(each.question.marks)}" for each in questions),
            f"{words.say('output.total')} /{words.number(report.exercise.out_of)}",
            *([words.say("output.mistake"), words.say("output.convention")] if diagnosed else []),
        ]
        answer = report.answer
        why = (
            (_mistakes(report), options.words.show(counted_as(report).called) if report.other_convention else "")
            if diagnosed
            else ()
        )
        cells = (
            words.name(terminal(answer.student, WIDEST)),
            *([words.name(report.exercise.id)] if options.name_variants else []),
            *(marks_shown(each.marks, words) for each in questions),
            marks_shown(report.marks, words),
            *why,
        )
        rows.append(_TableRow(answer.student, answer.source, answer.place, cells))
    if not rows:
        return
    names, told = [False] * (2 if options.name_variants else 1), [False] * (2 if diagnosed else 0)
    right = [*names, *[True] * (len(header) - len(names) - len(told)), *told]
    lines = columns([header, *(row.cells for row in sorted(rows))], right)
    yield ("\n".join(directed(lines, words)) + "\n").encode("utf-8", "replace")


def _mistakes(report: Report) -> str:
    """The mistake that explains the answer, with those that look the same here."""
    if not report.diagnosis:
        return ""
    found = report.diagnosis[0]
    same = found.same_here[:3]
    return (
        f"{found.mistake} (= {', '.join(same)}{', …' if len(found.same_here) > 3 else ''})" if same else found.mistake
    )
