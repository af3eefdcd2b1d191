"""A page for each student, and an index of them all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from grader.documents.answer_file import Answer
from grader.feedback.compose import feedback_page
from grader.feedback.content import FeedbackPage
from grader.feedback.html_page import feedback_html
from grader.feedback.index_page import IndexRow, index_header, index_page, index_row
from grader.feedback.pdf_page import feedback_pdf
from grader.kernel.display_text import file_stem
from grader.marking.exam_report import AnyReport
from grader.marking.run import without_content
from grader.people.roster import Roster
from grader.reports.output_options import OutputOptions

INDEX = "index"
PAGES: dict[str, Callable[[FeedbackPage], bytes]] = {"html": feedback_html, "pdf": feedback_pdf}
"""By format, which is a file's ending, too."""


@dataclass(frozen=True, slots=True)
class FeedbackFile:
    name: str
    content: bytes
    answer: Answer | None = None
    """Whose it is; the index is nobody's."""


@dataclass(frozen=True, slots=True)
class PagePart:
    """A student's page and row of the index, in whichever process they are made; its file has no name yet."""

    answer: Answer
    """Without what was written."""
    content: bytes
    row: IndexRow
    header: tuple[str, ...]
    title: str


def page_part(to: str, report: AnyReport, options: OutputOptions) -> PagePart:
    report = _named(report, options.roster)
    page = feedback_page(report, options.level, options.words_for(report), options.name_variants)
    return PagePart(
        without_content(report.answer),
        PAGES[to](page),
        index_row(report, "", options),
        index_header(report, options),
        options.title or report.title or report.id,
    )


def feedback_files(reports: Iterable[AnyReport], to: str, options: OutputOptions) -> Iterator[FeedbackFile]:
    """Made one after another; the index comes last. No two have one name, also where names ignore case."""
    return named_files((page_part(to, report, options) for report in reports), to, options)


def named_files(parts: Iterable[PagePart], to: str, options: OutputOptions) -> Iterator[FeedbackFile]:
    """The same from pages that are made."""
    taken, rows = {INDEX}, list[IndexRow]()
    header: tuple[str, ...] = ()
    title = options.title
    for part in parts:
        header, title = header or part.header, title or part.title
        name = f"{_free(file_stem(part.answer.student), taken)}.{to}"
        rows.append(replace(part.row, file=name))
        yield FeedbackFile(name, part.content, part.answer)
    yield FeedbackFile(f"{INDEX}.html", index_page(header, rows, options.words.own(title), options))


def _named(report: AnyReport, roster: Roster | None) -> AnyReport:
    """With the name that the roster has, where the answer has none."""
    if report.answer.name or roster is None:
        return report
    return replace(report, answer=replace(report.answer, name=roster.names.get(report.answer.student)))


def _free(stem: str, taken: set[str]) -> str:
    """The name itself, or with the first number that makes it another one."""
    name, number = stem, 1
    while name.casefold() in taken:
        number += 1
        name = f"{stem}-{number}"
    taken.add(name.casefold())
    return name
