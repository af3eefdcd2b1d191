"""The teacher's list of all pages: who has how many marks, and where their page is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from grader.delivery.papers.key_notes import punctuated
from grader.feedback.html_page import html_document, own, scrolled
from grader.kernel.display_text import marks_shown, terminal_text
from grader.marking.exam_report import AnyReport, ExamReport
from grader.reports.feedback_sentences import mistake_title
from grader.reports.marks_tables import variants_had
from grader.reports.output_options import OutputOptions
from solver.drawing import markup


@dataclass(frozen=True, slots=True)
class IndexRow:
    student: str
    file: str
    name: str
    cells: tuple[str, ...]
    """As the header has them."""


def index_header(report: AnyReport, options: OutputOptions) -> tuple[str, ...]:
    words = options.words
    return (
        *([words.say("output.variant")] if options.name_variants else []),
        *(f"{terminal_text(each.name, 16)} /{words.number(each.out_of)}" for each in report.columns()),
        f"{words.say('output.total')} /{words.number(report.out_of)}",
        *([words.say("output.mistake")] if _names_mistakes(options) else []),
    )


def index_row(report: AnyReport, file: str, options: OutputOptions) -> IndexRow:
    words, answer = options.words, report.answer
    parts = [part.report for part in report.parts] if isinstance(report, ExamReport) else [report]
    variants = [terminal_text(variant) for variant in variants_had(report) if variant]
    mistakes = [mistake_title(each.diagnosis[0].mistake, words) for each in parts if each.diagnosis]
    cells = (
        *([punctuated(", ", words).join(variants)] if options.name_variants else []),
        *(marks_shown(each.marks, words) for each in report.columns()),
        marks_shown(report.marks, words),
        *([punctuated("; ", words).join(dict.fromkeys(mistakes))] if _names_mistakes(options) else []),
    )
    return IndexRow(answer.student, file, answer.name or "", cells)


def _names_mistakes(options: OutputOptions) -> bool:
    return options.level in ("hints", "full")


def index_page(header: Sequence[str], rows: Sequence[IndexRow], title: str, options: OutputOptions) -> bytes:
    """Sorted by student."""
    heading = options.words.say("kept.index", title=title)
    return html_document(options.words, heading, _body(header, sorted(rows, key=_place), heading, options))


def _place(row: IndexRow) -> tuple[str, str]:
    return row.student, row.file


def _body(header: Sequence[str], rows: Sequence[IndexRow], heading: str, options: OutputOptions) -> Iterator[str]:
    words = options.words
    names = any(row.name for row in rows)
    yield f"<h1>{own(heading)}</h1>"
    yield f"<p>{markup(words.say('kept.index.private'))}</p>"
    yield f'{scrolled(heading)}<table class="index"><thead><tr>'
    heads = [words.say("output.student"), *([words.say("paper.name")] if names else []), *header]
    yield "".join(f'<th scope="col"><bdi>{markup(text)}</bdi></th>' for text in heads)
    yield "</tr></thead><tbody>"
    for row in rows:
        link = f'<a href="{quote(row.file)}"><bdi>{markup(terminal_text(row.student))}</bdi></a>'
        cells = [*([terminal_text(row.name)] if names else []), *row.cells]
        told = "".join(f"<td><bdi>{markup(cell)}</bdi></td>" for cell in cells)
        yield f'<tr><th scope="row">{link}</th>{told}</tr>'
    yield "</tbody></table></div>"
