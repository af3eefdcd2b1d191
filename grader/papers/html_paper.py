"""A paper as one web page to print, to read aloud or to edit: no network, no script, no font. Every text is escaped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from grader.papers.content import Asked, Box, Figure, Paper, Part, Sheet, Table
from grader.papers.typst_paper import runs_rtl
from solver import markup, picture, style_sheet, svg

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
WIDE = ("names", "moves", "text")


def html_paper(paper: Paper) -> bytes:
    return ("\n".join(_lines(paper)) + "\n").encode("utf-8", "replace")


def _lines(paper: Paper) -> Iterator[str]:
    words = paper.language
    yield "<!DOCTYPE html>"
    yield f'<html lang="{words.code}" dir="{words.direction}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup(paper.title)}</title>"
    yield f"<style>{_style()}{style_sheet('light')}</style>"
    yield "</head>"
    yield "<body>"
    yield "<main>"
    for place, sheet in enumerate(paper.sheets):
        yield from _sheet(sheet, place, paper)
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _sheet(sheet: Sheet, place: int, paper: Paper) -> Iterator[str]:
    level = "h1" if place == 0 else "h2"
    yield f'<section class="sheet" aria-labelledby="sheet-{place}">'
    yield f'<header><{level} class="title" id="sheet-{place}">{_own(sheet.title)}</{level}>'
    if sheet.variant:
        yield f'<p class="variant">{markup(paper.labels["variant"])} <bdi>{markup(sheet.variant)}</bdi></p>'
    yield "</header>"
    if sheet.remark:
        total = f" {markup(paper.labels['total'])}: {markup(sheet.total)}" if sheet.total else ""
        yield f'<p class="remark">{markup(sheet.remark)}{total}</p>'
    if sheet.fields:
        yield '<dl class="fields">'
        for label, value in sheet.fields:
            yield f"<div><dt>{markup(label)}</dt><dd>{_own(value) if value else '&nbsp;'}</dd></div>"
        yield "</dl>"
    for number, part in enumerate(sheet.parts):
        yield from _part(part, f"{place}-{number}", paper)
    if sheet.table is not None:
        yield from _table(sheet.table)
    if sheet.total and not sheet.is_key:
        total = f'<b>{markup(paper.labels["total"])}</b> <span class="blank"></span> / {markup(sheet.total)}'
        yield f'<p class="total">{total}</p>'
    yield "</section>"


def _part(part: Part, name: str, paper: Paper) -> Iterator[str]:
    if part.title:
        yield f'<p class="part">{_own(part.title)}</p>'
    if part.text:
        yield f"<p>{_own(part.text)}</p>"
    if part.rules:
        yield f'<div class="rules"><p><b>{markup(paper.labels["conventions"])}</b></p>'
        yield from _list(part.rules)
        yield "</div>"
    for place, figure in enumerate(part.figures):
        yield from _figure(figure, f"{name}-{place}-")
    yield "<ol>"
    for question in part.questions:
        yield from _asked(question)
    yield "</ol>"
    if part.notes:
        yield f'<p class="notes"><b>{markup(paper.labels["notes"])}</b></p>'
        yield from _list(part.notes)
    if part.mistakes is not None:
        yield f'<p class="notes"><b>{markup(paper.labels["mistakes"])}</b></p>'
        if not part.mistakes:
            yield f"<p>{markup(paper.labels['none'])}</p>"
            return
        yield f'<p class="remark">{markup(paper.labels["how"])}</p>'
        yield '<table class="mistakes"><tbody>'
        for each in part.mistakes:
            yield f'<tr><th scope="row"><bdi>{markup(each.names)}</bdi></th><td>{markup(each.title)}</td>'
            yield f"<td><bdi>{markup(each.traces)}</bdi></td></tr>"
        yield "</tbody></table>"


def _figure(figure: Figure, prefix: str) -> Iterator[str]:
    drawn = svg(picture(figure.board), "light", prefix=prefix, styled=False)
    yield f'<figure><div class="picture" dir="ltr">{drawn}</div>'
    yield f"<figcaption>{markup(figure.caption)}</figcaption></figure>"


def _asked(question: Asked) -> Iterator[str]:
    yield f'<li><p class="ask">{_own(question.text)} <span class="marks">[{markup(question.marks)}]</span></p>'
    if question.remarks:
        yield f'<p class="remark">{markup(" ".join(question.remarks))}</p>'
    boxes = question.boxes
    if len(boxes) == 1 and not boxes[0].label:
        kind = "wide" if boxes[0].kind in WIDE else "narrow"
        kind = "ticks" if boxes[0].choices else kind
        yield f'<p class="box {kind}" style="--lines:{question.lines}">{_cell(boxes[0])}</p>'
    else:
        yield f'<div class="boxes {boxes[0].kind}">'
        for box in boxes:
            yield f'<div><p class="label"><bdi>{markup(box.label)}</bdi></p><p class="cell">{_cell(box)}</p></div>'
        yield "</div>"
    if question.notes:
        yield from _list(question.notes)
    yield "</li>"


def _cell(box: Box) -> str:
    if box.choices and not box.answer:
        return " ".join(f'<span class="tick"><i></i>{markup(word)}</span>' for word in box.choices)
    return f"<b><bdi>{markup(box.answer)}</bdi></b>" if box.answer else "&nbsp;"


def _table(table: Table) -> Iterator[str]:
    yield '<table class="index"><thead><tr>'
    yield "".join(f'<th scope="col">{markup(text)}</th>' for text in table.head)
    yield "</tr></thead><tbody>"
    for number, student, *rest in table.rows:
        cells = "".join(f"<td><bdi>{markup(cell)}</bdi></td>" for cell in rest)
        yield f'<tr><td>{markup(number)}</td><th scope="row"><bdi>{markup(student)}</bdi></th>{cells}</tr>'
    yield "</tbody></table>"


def _list(texts: tuple[str, ...]) -> Iterator[str]:
    yield "<ul>" + "".join(f"<li>{markup(text)}</li>" for text in texts) + "</ul>"


def _own(text: str) -> str:
    """What an author wrote, in the direction of its own letters."""
    return f'<span dir="{"rtl" if runs_rtl(text) else "ltr"}">{markup(text)}</span>'


@cache
def _style() -> str:
    return (Path(__file__).parent / "paper.css").read_text(encoding="utf-8")
