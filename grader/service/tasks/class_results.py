"""A whole class: how it did, where in the tree, who is behind a number, its feedback and its gradebook."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.delivery.systems.exporter import zipped
from grader.documents.answer_file import Answer
from grader.documents.exam import Exam, Variants
from grader.feedback.files import feedback_files
from grader.kernel.option_values import GRADEBOOKS, LEVELS, PAGE_FORMATS
from grader.languages import words_of
from grader.marking.exam_report import AnyReport, ExamReport, PartReport
from grader.marking.report import Report
from grader.questions.registry import ask_of
from grader.reports.class_page import draw_heat_map, heat_style
from grader.reports.class_page import draw_heat_map as heat_map_of
from grader.reports.class_summary import NOT_EXPLAINED, ClassSummary, ExamSummary, Figures, Share, tally_of
from grader.reports.class_tables import ClassSection, Table, sections
from grader.reports.feedback_sentences import counted_as, mistake_title
from grader.reports.marks_tables import GradebookRow, gradebook_sheet
from grader.reports.output_options import OutputOptions
from grader.reports.report_outputs import CLASS_OUTPUTS
from grader.service.tasks.submission_marking import report_of
from grader.service.tasks.task_input import exam_of, handed_out_of, refusing
from grader.service.workers.task_results import ClassAnswer, GradebookEntry, message
from solver.drawing import style_sheet
from solver.kernel import LruCache, UsageError, one_of, plain
from solver.languages import Language
from solver.render import json_bytes

HandedOut = Sequence[bytes] | bytes
"""All variants there are, answered or not; or the document of the exam."""
MOST_REPORTS = 1_000
"""About 26 kB each."""
_REPORTS: LruCache[tuple[bytes, bytes, str | None, str], Report] = LruCache(MOST_REPORTS)
"""A class is summed up again with every answer that comes in, and most of its answers are those of before."""
MEDIA_TYPES = {
    "json": "application/json",
    "text": "text/plain; charset=utf-8",
    "csv": "text/csv; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


def summary(
    entries: Sequence[ClassAnswer], handed_out: HandedOut, language: str, level: str = "full", format: str = "json"
) -> tuple[str, bytes]:
    """The media type, and what `plymark grade --summary` writes; or its numbers as JSON."""
    with refusing():
        one_of("format", format, MEDIA_TYPES)
        made, of = _summary(entries, handed_out, one_of("feedback", level, LEVELS)), handed_out_of(handed_out)
        if format == "json":
            return MEDIA_TYPES[format], json_bytes(_exam_data(made) if isinstance(made, ExamSummary) else _data(made))
        options = OutputOptions(words_of(language), level, title=_title(of), name_variants=of.has_variants)
        return MEDIA_TYPES[format], CLASS_OUTPUTS[format](made, options)


def feedback_pages(
    entries: Sequence[ClassAnswer], handed_out: HandedOut, language: str, level: str, format: str
) -> bytes:
    """What `plymark grade --format html` or `pdf` writes, the index too, in an archive."""
    with refusing():
        one_of("format", format, PAGE_FORMATS)
        of = handed_out_of(handed_out)
        options = OutputOptions(
            words_of(language),
            one_of("feedback", level, LEVELS),
            title=_title(of),
            in_students_language=True,
            name_variants=of.has_variants,
        )
        files = feedback_files(reports_of(entries, of), format, options)
        return zipped({file.name: file.content for file in files})


def heat_map(entries: Sequence[ClassAnswer], handed_out: HandedOut, language: str, part: int = 1) -> bytes:
    """The tree with the share of right answers at each node, as SVG; of an exam, that of a part."""
    with refusing():
        made = _summary(entries, handed_out, "full")
        parts = [each.summary for each in made.parts] if isinstance(made, ExamSummary) else [made]
        if part > len(parts):
            raise UsageError(f"there is no part {part}; there {'is' if len(parts) == 1 else 'are'} {len(parts)}")
        drawn = heat_map_of(parts[part - 1], words_of(language))
        style = f"<style>{style_sheet('auto')}{heat_style()}</style>"
        return drawn.replace('<rect class="paper"', f'{style}\n<rect class="paper"', 1).encode()


def gradebook(
    format: str,
    title: str,
    out_of: str,
    questions: Sequence[str],
    rows: Sequence[GradebookEntry],
    exam: bytes | None = None,
) -> bytes:
    """The CSV of `plymark grade --format csv --gradebook`."""
    with refusing():
        kind = one_of("format", format, GRADEBOOKS)
        if exam is not None:
            questions = list(exam_of(exam).parts)
        return gradebook_sheet([_row(each) for each in rows], kind, title, Fraction(out_of), questions)


def _row(entry: GradebookEntry) -> GradebookRow:
    return GradebookRow(
        student=entry.student,
        name=entry.name or "",
        login=entry.login,
        address=entry.address,
        total=Fraction(entry.marks),
        questions=tuple(map(Fraction, entry.questions)),
    )


def reports_of(entries: Sequence[ClassAnswer], of: Variants | Exam) -> Iterator[AnyReport]:
    """Of each answer, with whose it is."""
    for entry in entries:
        reports = [_report(raw, entry.submission, entry.language, entry.by_hand) for raw in entry.variants]
        student, name = entry.student, entry.name
        if isinstance(of, Exam):
            about = Answer(of.id, student, {}, name=name, language=entry.language)
            owned = (replace(each, answer=replace(each.answer, student=student, name=name)) for each in reports)
            yield ExamReport(of, about, tuple(map(PartReport, of.parts, owned)))
        else:
            yield replace(reports[0], answer=replace(reports[0].answer, student=student, name=name))


def _report(variant: bytes, submission: bytes, language: str | None, overrides: Sequence[Mapping[str, str]]) -> Report:
    by_hand = json.dumps(list(overrides), sort_keys=True)
    key = (hashlib.sha256(variant).digest(), hashlib.sha256(submission).digest(), language, by_hand)
    return _REPORTS.get(key, lambda: report_of(variant, submission, language, overrides)[0])


def _summary(entries: Sequence[ClassAnswer], handed_out: HandedOut, level: str) -> ClassSummary | ExamSummary:
    of = handed_out_of(handed_out)
    tally = tally_of(of, level)
    for report in reports_of(entries, of):
        tally.add(report)
    return tally.summary()


def _title(of: Variants | Exam) -> str:
    return of.title or of.id


def _exam_data(found: ExamSummary) -> dict[str, Any]:
    parts = [
        {"name": each.name, "title": each.title, "full": each.full, "blank": each.blank, **_data(each.summary)}
        for each in found.parts
    ]
    return {**_figures(found), "parts": parts}


def _figures(found: Figures) -> dict[str, Any]:
    numbers = {"mean": found.mean, "median": found.median, "lowest": found.lowest, "highest": found.highest}
    return {
        "answers": found.answers,
        "out_of": plain(found.out_of),
        **{name: None if number is None else plain(number) for name, number in numbers.items()},
        "quartiles": None if found.quartiles is None else [plain(each) for each in found.quartiles],
        "histogram": list(found.histogram),
    }


def _data(found: ClassSummary) -> dict[str, Any]:
    return {
        **_figures(found),
        "questions": [
            {
                "id": each.id,
                "ask": each.ask,
                "out_of": plain(each.out_of),
                "mean": plain(each.mean),
                "full": each.full,
                "blank": each.blank,
            }
            for each in found.questions
        ],
        "items": [{"question": each.question, "item": each.item, **_share(each.share)} for each in found.items],
        "verdicts": dict(found.verdicts),
        "mistakes": [{"mistake": name or None, "answers": count} for name, count in found.mistakes.items()],
        "conventions": [{"convention": name, "answers": count} for name, count in found.conventions.items()],
        "declared": found.declared,
        "unreadable_answers": found.unreadable_answers,
        "heat": {
            node: {question: _share(share) for question, share in shares.items()} for node, shares in found.heat.items()
        },
        "variants": [{"id": each.id, "answers": each.answers, "mean": plain(each.mean)} for each in found.variants],
    }


def _share(share: Share) -> dict[str, int]:
    return {"right": share.right, "total": share.total}


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
        picture=draw_heat_map(summary, words, f"heat-{section.number}-") if summary.heat else "",
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
