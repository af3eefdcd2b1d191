"""Feedback as one web page that needs nothing else: no network, no script, no font. Every text is escaped.

It is light or dark as its reader prefers, and prints on white paper.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from grader.delivery.papers.paper_content import runs_rtl
from grader.feedback.content import FeedbackFigure, FeedbackPage, FeedbackPart, FeedbackQuestion, FeedbackRow
from solver.drawing import markup, page_figure, page_style_sheet
from solver.languages import Language

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"


def feedback_html(page: FeedbackPage) -> bytes:
    return html_document(page.language, page.tab, _body(page), page_style_sheet())


def html_document(words: Language, title: str, body: Iterator[str], style: str = "") -> bytes:
    """A page around what stands in it."""
    head = [
        "<!DOCTYPE html>",
        f'<html lang="{words.code}" dir="{words.direction}">',
        "<head>",
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{markup(title)}</title>",
        f"<style>{_style()}{style}</style>",
        "</head>",
        "<body>",
        "<main>",
    ]
    return "\n".join([*head, *body, "</main>", "</body>", "</html>", ""]).encode("utf-8", "replace")


def _body(page: FeedbackPage) -> Iterator[str]:
    yield "<header>"
    yield f"<h1>{own(page.title)}</h1>"
    yield '<dl class="who">'
    for label, value in page.fields:
        yield f"<div><dt>{markup(label)}</dt><dd><bdi>{markup(value)}</bdi></dd></div>"
    yield f'<div class="total"><dt>{markup(page.labels["total"])}</dt><dd>{markup(page.marks)}</dd></div>'
    yield "</dl>"
    yield from _sentences(page.remarks)
    yield "</header>"
    if len(page.parts) > 1:
        yield from _marks(
            [own(part.title) for part in page.parts], [part.marks for part in page.parts], page.marks, page
        )
    for place, part in enumerate(page.parts):
        yield from _part(part, f"p{place}-", page)


def _part(part: FeedbackPart, prefix: str, page: FeedbackPage) -> Iterator[str]:
    if part.title:
        yield f'<h2 class="part">{own(part.title)} <span class="worth">{markup(part.marks)}</span></h2>'
    yield from _summary(part, page)
    if part.study:
        yield f'<section class="study"><h2>{markup(page.labels["study"])}</h2>'
        yield from _sentences(part.study)
        yield "</section>"
    for place, figure in enumerate(part.figures):
        yield from _figure(figure, f"{prefix}{place}-")
    for question in part.questions:
        if question.rows or question.remarks:
            yield from _question(question, page)
    if part.steps:
        yield f'<section><h2>{markup(page.labels["steps"])}</h2><ol class="steps">'
        for number, text in part.steps:
            yield f'<li><span class="number">{markup(number)}</span> {markup(text)}</li>'
        yield "</ol>"
        if part.more:
            yield f'<p class="aside">{markup(part.more)}</p>'
        yield "</section>"
    if part.marking:
        yield f"<section><h2>{markup(page.labels['marking'])}</h2>"
        yield from _sentences(part.marking)
        yield "</section>"


def _summary(part: FeedbackPart, page: FeedbackPage) -> Iterator[str]:
    """The marks of each question."""
    asked = [f'<span class="number">{markup(each.number)}.</span> {own(each.text)}' for each in part.questions]
    if asked:
        yield from _marks(asked, [each.marks for each in part.questions], part.marks, page)


def _marks(names: Sequence[str], marks: Sequence[str], total: str, page: FeedbackPage) -> Iterator[str]:
    yield f'<section><h2>{markup(page.labels["questions"])}</h2><table class="marks"><tbody>'
    for name, each in zip(names, marks, strict=True):
        yield f'<tr><th scope="row">{name}</th><td>{markup(each)}</td></tr>'
    yield f"</tbody><tfoot><tr><th>{markup(page.labels['total'])}</th><td>{markup(total)}</td></tr></tfoot>"
    yield "</table></section>"


def _figure(figure: FeedbackFigure, prefix: str) -> Iterator[str]:
    yield f"<section><h2>{markup(figure.title)}</h2><figure>"
    yield f'<div dir="ltr">{page_figure(figure.board, prefix)}</div>'
    yield f"<figcaption>{markup(figure.caption)}"
    if figure.legend:
        signs = "".join(f"<li>{markup(each)}</li>" for each in figure.legend)
        yield f'<ul class="legend">{signs}</ul>'
    yield "</figcaption></figure></section>"


def _question(question: FeedbackQuestion, page: FeedbackPage) -> Iterator[str]:
    heading = f'<span class="number">{markup(question.number)}.</span> {own(question.text)}'
    yield f'<section class="question"><h2>{heading} <span class="worth">{markup(question.marks)}</span></h2>'
    yield from _sentences(question.remarks)
    if question.rows:
        columns = columns_of(question.rows)
        yield f'{scrolled(question.text)}<table class="rows"><thead><tr><td></td>'
        yield "".join(f'<th scope="col">{markup(page.labels[name])}</th>' for name in columns)
        yield "</tr></thead><tbody>"
        for row in question.rows:
            yield from _row(row, columns, page.language.direction)
        yield "</tbody></table></div>"
    yield "</section>"


def columns_of(rows: Sequence[FeedbackRow]) -> list[str]:
    """Those in which something is told."""
    return [name for name in ("given", "expected", "verdict", "marks") if getattr(rows[0], name) is not None]


def _row(row: FeedbackRow, columns: Sequence[str], direction: str) -> Iterator[str]:
    cells = []
    for name in columns:
        text = markup(getattr(row, name))
        if name == "verdict":
            cells.append(f'<td class="verdict"><span aria-hidden="true">{markup(row.sign or "")}</span> {text}</td>')
        else:
            cells.append(f'<td class="{name}"><bdi>{text}</bdi></td>')
    shown = f' class="{row.kind}"' if row.kind else ""
    yield f'<tr{shown}><th scope="row"><bdi dir="{direction}">{markup(row.called)}</bdi></th>{"".join(cells)}</tr>'
    if row.note:
        yield f'<tr class="why"><td></td><td colspan="{len(columns)}">{markup(row.note)}</td></tr>'


def _sentences(texts: Sequence[str]) -> Iterator[str]:
    yield from (f"<p>{markup(text)}</p>" for text in texts)


def scrolled(name: str) -> str:
    """Opens what may be too wide for a phone; the keyboard comes to it, too."""
    return f'<div class="scroll" tabindex="0" role="region" aria-label="{markup(name)}">'


def own(text: str) -> str:
    """What an author wrote, in the direction of its own letters."""
    return f'<span dir="{"rtl" if runs_rtl(text) else "ltr"}">{markup(text)}</span>'


@cache
def _style() -> str:
    return (Path(__file__).parent / "feedback.css").read_text(encoding="utf-8")
