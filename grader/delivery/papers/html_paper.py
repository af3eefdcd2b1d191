"""A paper as one web page to print, to read aloud or to edit: no network, no script. Every text is escaped.

It carries its font, so that it has the same pages wherever it is printed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path

from grader.delivery.papers.content import Figure, Paper, PaperBox, PaperPart, PaperQuestion, PaperSheet, PaperTable
from grader.delivery.papers.direction import runs_rtl
from solver.drawing import font_faces, markup, picture, style_sheet, svg

POLICY = "default-src 'none'; style-src 'unsafe-inline'; font-src data:; base-uri 'none'; form-action 'none'"


def html_paper(paper: Paper) -> bytes:
    body = [line for place, sheet in enumerate(paper.sheets) for line in _sheet(sheet, place, paper)]
    return ("\n".join(_lines(paper, body)) + "\n").encode("utf-8", "replace")


def _lines(paper: Paper, body: Sequence[str]) -> Iterator[str]:
    words = paper.language
    yield "<!DOCTYPE html>"
    yield f'<html lang="{words.code}" dir="{words.direction}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup(paper.title)}</title>"
    # What stands at the foot of a page stands in the body, too, but for names of students and the words for pages.
    said = "".join([*body, paper.page_text, *(sheet.whose for sheet in paper.sheets), *paper.labels.values()])
    yield f"<style>{font_faces(said)}{_style()}{style_sheet('light')}"
    yield from _pages(paper)
    yield "</style>"
    yield "</head>"
    yield "<body>"
    yield "<main>"
    yield from body
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _pages(paper: Paper) -> Iterator[str]:
    """What is at the foot of printed pages, and which of them lie on their side."""
    alone = len(paper.sheets) == 1
    for place, sheet in enumerate(paper.sheets):
        whose = sheet.whose or ("" if sheet.is_key else f"{paper.labels['name']} {'_' * 24}")
        left, right = ("right", "left") if paper.language.direction == "rtl" else ("left", "right")
        foot = f"@bottom-{left}{{content:{_css_text(whose)}}}@bottom-{right}{{content:{_css_text(sheet.variant)}}}"
        # A browser counts the pages of the whole file, which says nothing where it has several sheets.
        foot += f"@bottom-center{{content:{_numbers(paper)}}}" if alone else ""
        yield f"@page s{place}{{size:{paper.size};{foot}}}@page w{place}{{size:{paper.size} landscape;{foot}}}"
        if alone and not sheet.whose:
            yield f"@page s{place}:first{{@bottom-{left}{{content:''}}}}"
        yield f"#s{place}{{page:s{place}}}#s{place} .aside{{page:w{place}}}"


def _numbers(paper: Paper) -> str:
    style = ",persian" if paper.language.direction == "rtl" else ""
    parts = re.split(r"\{(pages?)\}", paper.page_text)
    return " ".join(f"counter({part}{style})" if odd % 2 else _css_text(part) for odd, part in enumerate(parts))


def _css_text(text: str) -> str:
    """A string of CSS in which no character can end it, nor the style sheet."""
    return '"' + "".join(sign if sign.isalnum() and sign.isascii() else f"\\{ord(sign):06x}" for sign in text) + '"'


def _sheet(sheet: PaperSheet, place: int, paper: Paper) -> Iterator[str]:
    level = "h1" if place == 0 else "h2"
    yield f'<section class="sheet" id="s{place}" aria-labelledby="sheet-{place}">'
    if sheet.institution:
        yield f'<p class="remark">{_own(sheet.institution)}</p>'
    yield f'<header><{level} class="title" id="sheet-{place}">{_own(sheet.title)}</{level}>'
    if sheet.variant:
        yield f'<p class="variant">{markup(paper.labels["variant"])} <bdi>{markup(sheet.variant)}</bdi></p>'
    yield "</header>"
    if sheet.is_key and (sheet.remark or sheet.total):
        total = f"{markup(paper.labels['total'])}: {markup(sheet.total)}" if sheet.total else ""
        yield f'<p class="remark">{markup(sheet.remark)} {total}</p>'
    if sheet.fields:
        yield '<dl class="fields">'
        for label, value in sheet.fields:
            yield f"<div><dt>{markup(label)}</dt><dd>{_own(value) if value else '&nbsp;'}</dd></div>"
        yield "</dl>"
    if sheet.scores:
        yield from _scores(sheet, paper)
    total = f'<b>{markup(paper.labels["total"])}</b> <span class="blank"></span> / {markup(sheet.total)}'
    for number, part in enumerate(sheet.parts):
        ends = number == len(sheet.parts) - 1 and not sheet.is_key
        yield from _part(part, f"{place}-{number}", paper, f'<p class="total">{total}</p>' if ends else "")
    if sheet.table is not None:
        yield from _table(sheet.table)
    yield "</section>"


def _scores(sheet: PaperSheet, paper: Paper) -> Iterator[str]:
    """A table for who marks the exam."""
    columns = [*sheet.scores, (paper.labels["total"], sheet.total)]
    yield '<table class="scores"><thead><tr>'
    yield "".join(f'<th scope="col">{markup(label)}</th>' for label, _ in columns) + "</tr></thead><tbody><tr>"
    yield "".join(f"<td>/ {markup(marks)}</td>" for _, marks in columns) + "</tr></tbody></table>"


def _part(part: PaperPart, name: str, paper: Paper, after: str) -> Iterator[str]:
    """`after` is below the last question."""
    if part.title:
        yield f'<p class="part ask">{_own(part.title)} <span class="marks">[{markup(part.marks)}]</span></p>'
    if part.text:
        yield f"<p>{_own(part.text)}</p>"
    if part.rules:
        yield f'<div class="rules"><p><b>{markup(paper.labels["conventions"])}</b></p>'
        yield from _list(part.rules)
        yield "</div>"
    for place, figure in enumerate(part.figures):
        if not figure.apart:
            yield from _figure(figure, f"tree-{name}-{place}-")
    if any(figure.apart for figure in part.figures):
        yield f'<p class="remark">{markup(paper.labels["tree-apart"])}</p>'
    yield "<ol>"
    for question in part.questions:
        yield from _asked(question, after if question is part.questions[-1] else "")
    yield "</ol>"
    yield from _marking(part, paper)
    for place, figure in enumerate(part.figures):
        if figure.apart:
            yield f'<div class="{"apart aside" if figure.wide else "apart"}">'
            yield from _figure(figure, f"tree-{name}-{place}-")
            yield "</div>"


def _marking(part: PaperPart, paper: Paper) -> Iterator[str]:
    if part.notes:
        yield f'<p class="notes"><b>{markup(paper.labels["notes"])}</b></p>'
        yield from _list(part.notes)
    if part.mistakes is None:
        return
    yield f'<p class="notes"><b>{markup(paper.labels["mistakes"])}</b></p>'
    if not part.mistakes:
        yield f"<p>{markup(paper.labels['none'])}</p>"
        return
    yield f'<p class="remark how">{markup(paper.labels["how"])}</p>'
    yield '<table class="mistakes"><tbody>'
    for each in part.mistakes:
        yield f'<tr><th scope="row"><bdi>{markup(each.names)}</bdi></th><td>{markup(each.title)}</td>'
        yield f"<td><bdi>{markup(each.traces)}</bdi></td></tr>"
    yield "</tbody></table>"


def _figure(figure: Figure, prefix: str) -> Iterator[str]:
    drawn = svg(picture(figure.board), "light", prefix=prefix, styled=False)
    yield f'<figure><div class="picture" dir="ltr">{drawn}</div>'
    yield f"<figcaption>{markup(figure.caption)}</figcaption></figure>"


def _asked(question: PaperQuestion, after: str) -> Iterator[str]:
    yield f'<li><p class="ask">{_own(question.text)} <span class="marks">[{markup(question.marks)}]</span></p>'
    if question.remarks:
        yield f'<p class="remark">{markup(" ".join(question.remarks))}</p>'
    boxes = question.boxes
    size = f"--lines:{question.lines}" + (f";--width:{question.width}mm" if question.width else "")
    if any(box.answer for box in boxes):
        size += ";--lines:1"
    if len(boxes) == 1 and not boxes[0].label:
        kind = "box ticks" if boxes[0].choices else "box"
        yield f'<p class="{kind}" style="{size}">{_cell(boxes[0])}</p>'
    else:
        yield f'<div class="boxes" style="{size}">'
        for box in boxes:
            yield f'<div><p class="label"><bdi>{markup(box.label)}</bdi></p><p class="cell">{_cell(box)}</p></div>'
        yield "</div>"
    if question.notes:
        yield from _list(question.notes)
    yield f"{after}</li>"


def _cell(box: PaperBox) -> str:
    if box.choices and not box.answer:
        return " ".join(f'<span class="tick"><i></i>{markup(word)}</span>' for word in box.choices)
    return f"<b><bdi>{markup(box.answer)}</bdi></b>" if box.answer else "&nbsp;"


def _table(table: PaperTable) -> Iterator[str]:
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
