"""A class as its teacher looks at it: numbers, tables, the tree with shares of right answers, and who is behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.languages.words import words_of
from grader.marking.exam_report import AnyReport
from grader.marking.report import Report
from grader.questions.registry import ask_of
from grader.reports.class_exam import tally_of
from grader.reports.class_rows import ClassSection, Table, sections
from grader.reports.class_summary import NOT_EXPLAINED
from grader.reports.heat_map import heat_map, heat_style
from grader.reports.labels import counted_as, mistake_title
from grader.service.tasks.classes import HandedOut, reports_of
from grader.service.tasks.refusing import refusing
from grader.service.tasks.variants import handed_out_of
from grader.service.work.messages import message
from grader.service.work.records import ClassAnswer
from solver.drawing import style_sheet
from solver.languages import Language

SHOWN_APART = ("items", "mistakes", "conventions")
"""Tables that the page makes itself, since their rows lead to answers."""


@message
class OverviewRow:
    name: str
    cells: tuple[str, ...]


@message
class OverviewTable:
    key: str
    title: str
    first: str
    header: tuple[str, ...]
    rows: tuple[OverviewRow, ...]


@message
class ItemOverview:
    question: str
    item: str
    called: str
    right: int
    total: int

    @property
    def missed(self) -> int:
        return self.total - self.right


@message
class MistakeOverview:
    id: str
    """Empty for answers that no known mistake explains, as the title then is."""
    title: str
    answers: int


@message
class ConventionOverview:
    id: str
    title: str
    answers: int
    declared: bool


@message
class ItemAnswer:
    question: str
    item: str
    called: str
    given: str
    expected: str
    verdict: str


@message
class StudentOverview:
    student: str
    name: str | None
    marks: str
    mistake: str | None
    """None for an answer without any."""
    convention: str
    items: tuple[ItemAnswer, ...]


@message
class PartOverview:
    """An exercise, or a part of an exam."""

    number: int
    title: str
    facts: tuple[tuple[str, str], ...]
    tables: tuple[OverviewTable, ...]
    picture: str
    nodes: Mapping[str, tuple[str, ...]]
    """The questions that ask about each node."""
    items: tuple[ItemOverview, ...]
    mistakes: tuple[MistakeOverview, ...]
    conventions: tuple[ConventionOverview, ...]
    people: tuple[StudentOverview, ...]
    """In the order of entries."""


@message
class ClassOverview:
    title: str | None
    style: str
    """Of the pictures."""
    facts: tuple[tuple[str, str], ...]
    tables: tuple[OverviewTable, ...]
    """Of an exam as a whole."""
    parts: tuple[PartOverview, ...]
    """Of an exercise that alone."""
    in_exam: bool


def class_overview(entries: Sequence[ClassAnswer], handed_out: HandedOut, language: str) -> ClassOverview:
    """Words in a language, and pictures with their style."""
    with refusing():
        words, of = words_of(language), handed_out_of(handed_out)
        tally, reports = tally_of(of), list(reports_of(entries, of))
        for report in reports:
            tally.add(report)
        title = words.own(of.title) if of.title else of.id
        whole, *parts = sections(tally.summary(), words, title)
        return ClassOverview(
            title=title if parts else of.title and title,
            style=style_sheet("auto") + heat_style(),
            facts=_facts(whole),
            tables=tuple(map(_table, whole.tables)) if parts else (),
            parts=tuple(
                _part(each, [_report_of(report, each.number) for report in reports], words)
                for each in parts or (whole,)
            ),
            in_exam=bool(parts),
        )


def _report_of(report: AnyReport, number: int) -> Report:
    return report if isinstance(report, Report) else report.parts[number - 1].report


def _part(section: ClassSection, reports: Sequence[Report], words: Language) -> PartOverview:
    summary = section.summary
    assert summary is not None
    called = {question.id: ask_of(question) for question in summary.exercise.questions}
    return PartOverview(
        number=section.number,
        title=section.title,
        facts=_facts(section),
        tables=tuple(_table(each) for each in section.tables if each.key not in SHOWN_APART),
        picture=heat_map(summary, words, f"heat-{section.number}-") if summary.heat else "",
        nodes={node: tuple(shares) for node, shares in summary.heat.items()},
        items=tuple(
            ItemOverview(
                each.question,
                each.item,
                words.show(called[each.question].called(each.item)),
                each.share.right,
                each.share.total,
            )
            for each in summary.items
        ),
        mistakes=tuple(
            MistakeOverview(name, mistake_title(name, words) if name else "", count)
            for name, count in summary.mistakes.items()
        ),
        conventions=tuple(
            ConventionOverview(each.id, words.show(each.called), count, each == summary.declared)
            for each, count in summary.conventions.items()
        ),
        people=tuple(_student(each, words) for each in reports),
    )


def _facts(section: ClassSection) -> tuple[tuple[str, str], ...]:
    return tuple((str(name), str(value)) for name, value in section.facts)


def _student(report: Report, words: Language) -> StudentOverview:
    mistake = report.diagnosis[0].mistake if report.diagnosis else NOT_EXPLAINED
    return StudentOverview(
        student=report.answer.student,
        name=report.answer.name,
        marks=str(report.exact_marks),
        mistake=mistake if report.exact_marks != report.exercise.out_of else None,
        convention=counted_as(report).id,
        items=tuple(
            ItemAnswer(
                question=question.question.id,
                item=each.item.name,
                called=words.show(ask_of(question.question).called(each.item.name)),
                given="" if each.item.given is None else words.show(each.item.given),
                expected="" if each.item.expected is None else words.show(each.item.expected),
                verdict=str(each.verdict),
            )
            for question in report.questions()
            for each in question.items
        ),
    )


def _table(table: Table) -> OverviewTable:
    return OverviewTable(
        key=table.key,
        title=str(table.title),
        first=str(table.first),
        header=tuple(map(str, table.header)),
        rows=tuple(OverviewRow(str(row.name), tuple(map(str, row.cells))) for row in table.rows),
    )
