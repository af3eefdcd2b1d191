"""A whole class: how it did, where in the tree, and its gradebook."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from grader.delivery.systems.packing import zipped
from grader.documents.answer import Answer
from grader.documents.exam import Exam
from grader.documents.variants import Variants
from grader.feedback.files import feedback_files
from grader.kernel.choices import GRADEBOOKS, LEVELS, PAGE_FORMATS
from grader.languages.words import words_of
from grader.marking.exam_report import AnyReport, ExamReport, PartReport
from grader.marking.report import Report
from grader.reports.class_exam import ExamSummary, tally_of
from grader.reports.class_summary import ClassSummary, Figures, Share
from grader.reports.gradebook import GradebookRow, gradebook_sheet
from grader.reports.heat_map import heat_map as heat_map_of
from grader.reports.heat_map import heat_style
from grader.reports.options import Options
from grader.reports.registry import CLASS_OUTPUTS
from grader.service.tasks.marking import report_of
from grader.service.tasks.refusing import refusing
from grader.service.tasks.variants import exam_of, handed_out_of
from grader.service.work.records import ClassAnswer, GradebookEntry
from solver.drawing import style_sheet
from solver.kernel import LruCache, UsageError, one_of, plain
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
        options = Options(words_of(language), level, title=_title(of), name_variants=of.has_variants)
        return MEDIA_TYPES[format], CLASS_OUTPUTS[format](made, options)


def feedback_pages(
    entries: Sequence[ClassAnswer], handed_out: HandedOut, language: str, level: str, format: str
) -> bytes:
    """What `plymark grade --format html` or `pdf` writes, the index too, in an archive."""
    with refusing():
        one_of("format", format, PAGE_FORMATS)
        of = handed_out_of(handed_out)
        options = Options(
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
