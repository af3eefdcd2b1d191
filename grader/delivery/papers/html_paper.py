"""A paper as one web page to print, to read aloud or to edit: no network, no script. Every text is escaped.

It carries its font, so that it has the same pages wherever it is printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path

from grader.delivery.papers.paper_content import (
    Figure,
    Paper,
    PaperBox,
    PaperPart,
    PaperQuestion,
    PaperSheet,
    PaperStory,
    PaperTable,
    qr_svg,
    runs_rtl,
)
from grader.kernel.web_page import web_page
from solver.drawing import font_faces, markup, picture, style_sheet, svg

PREFIX = "tree-of-a-paper-"
"""In place of the names of a figure, of which a page has several."""


def html_paper(paper: Paper) -> bytes:
    draw = _drawing()
    body = [line for place, sheet in enumerate(paper.sheets) for line in _sheet(sheet, place, paper, draw)]
    # What stands at the foot of a page stands in the body, too, but for names of students and the words for pages.
    said = "".join([*body, paper.page_text, *(sheet.whose for sheet in paper.sheets), *paper.labels.values()])
    style = "\n".join([f"{font_faces(said)}{_style()}{style_sheet('light')}", *_pages(paper), ""])
    return web_page(paper.language, paper.title, style, body, has_fonts=True)


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
        yield f"#s{place}{{page:{'w' if sheet.wide else 's'}{place}}}#s{place} .aside{{page:w{place}}}"


def _numbers(paper: Paper) -> str:
    style = ",persian" if paper.language.direction == "rtl" else ""
    parts = re.split(r"\{(pages?)\}", paper.page_text)
    return " ".join(f"counter({part}{style})" if odd % 2 else _css_text(part) for odd, part in enumerate(parts))


def _css_text(text: str) -> str:
    """A string of CSS in which no character can end it, nor the style sheet."""
    return '"' + "".join(sign if sign.isalnum() and sign.isascii() else f"\\{ord(sign):06x}" for sign in text) + '"'


Draw = Callable[[Figure, str], str]


def _drawing() -> Draw:
    """What draws a figure with a prefix for its names; each is drawn once, however many students have it."""
    drawn: dict[int, str] = {}

    def draw(figure: Figure, prefix: str) -> str:
        if id(figure) not in drawn:
            drawn[id(figure)] = svg(picture(figure.board), "light", prefix=PREFIX, styled=False)
        return drawn[id(figure)].replace(PREFIX, prefix)

    return draw


def _sheet(sheet: PaperSheet, place: int, paper: Paper, draw: Draw) -> Iterator[str]:
    kind = "sheet aside" if sheet.wide else "sheet"
    yield f'<section class="{kind}" id="s{place}" aria-labelledby="sheet-{place}">'
    head = list(_head(sheet, place, paper))
    for number, part in enumerate(sheet.parts):
        yield from _part(part, f"{place}-{number}", paper, draw, head)
        head = []
    yield from head
    for table in sheet.tables:
        yield from _table(table)
    yield "</section>"


def _head(sheet: PaperSheet, place: int, paper: Paper) -> Iterator[str]:
    level = "h1" if place == 0 else "h2"
    if sheet.code:
        yield f'<div class="qr" aria-hidden="true">{qr_svg(sheet.code)}</div>'
    if sheet.institution:
        yield f'<p class="remark">{_own(sheet.institution)}</p>'
    yield f'<header><{level} class="title" id="sheet-{place}">{_own(sheet.title)}</{level}>'
    if sheet.variant:
        yield f'<p class="variant">{markup(paper.labels["variant"])} <bdi>{markup(sheet.variant)}</bdi></p>'
    yield "</header>"
    if sheet.is_key and (sheet.remark or sheet.total):
        total = f"{markup(paper.labels['total'])}: {markup(sheet.total)}" if sheet.total else ""
        yield f'<p class="remark">{markup(sheet.remark)} {total}</p>'
    for kind, pairs in (("fields", sheet.fields), ("about", sheet.about)):
        if pairs:
            said = [(markup(label), _own(value) if value else "&nbsp;") for label, value in pairs]
            yield f'<dl class="{kind}">'
            yield from (f"<div><dt>{label}</dt><dd>{value}</dd></div>" for label, value in said)
            yield "</dl>"
    if sheet.scores:
        yield from _scores(sheet, paper)
    yield "<hr>"


def _scores(sheet: PaperSheet, paper: Paper) -> Iterator[str]:
    """A table for who marks the exam."""
    columns = [*sheet.scores, (paper.labels["total"], sheet.total)]
    yield f'<table class="scores"><thead><tr><th scope="row">{markup(sheet.scored)}</th>'
    yield "".join(f'<th scope="col">{markup(label)}</th>' for label, _ in columns) + "</tr></thead><tbody><tr>"
    yield f'<th scope="row">{markup(paper.labels["marks"])}</th>'
    yield "".join(f"<td>/ {markup(marks)}</td>" for _, marks in columns) + "</tr></tbody></table>"


def _part(part: PaperPart, name: str, paper: Paper, draw: Draw, before: Sequence[str]) -> Iterator[str]:
    """The tree comes before its questions; one that is too wide for the page is on a page on its side, with what is
    said `before`."""
    drawn = [
        (figure, list(_figure(figure, f"tree-{name}-{place}-", draw))) for place, figure in enumerate(part.figures)
    ]
    beside = [lines for figure, lines in drawn if figure.beside]
    if beside:
        yield '<div class="apart aside">'
    yield from before
    yield from _given(part, paper)
    if any(figure.high for figure in part.figures):
        yield f'<p class="remark">{markup(paper.labels["tree-apart"])}</p>'
    for place, lines in enumerate(beside):
        yield from ['</div><div class="apart aside">'] if place else []
        yield from lines
    if beside:
        yield "</div>"
    for figure, lines in drawn:
        if figure.high:
            yield f'<div class="{"apart aside" if figure.wide else "apart"}">'
            yield from [*lines, "</div>"]
    for figure, lines in drawn:
        if not figure.apart:
            yield from lines
    yield "<ol>"
    for question in part.questions:
        yield from _asked(question)
    yield "</ol>"
    yield from _marking(part, paper)
    for story in part.stories:
        yield from _story(story)


def _given(part: PaperPart, paper: Paper) -> Iterator[str]:
    if part.title:
        yield f'<p class="part ask">{_own(part.title)} <span class="marks">[{markup(part.marks)}]</span></p>'
    if part.text:
        yield f"<p>{_own(part.text)}</p>"
    if part.rules:
        yield f'<div class="rules"><p><b>{markup(paper.labels["conventions"])}</b></p>'
        yield from _list(part.rules)
        yield "</div>"


def _story(story: PaperStory) -> Iterator[str]:
    yield _heading(story.title)
    yield f"<p>{markup(story.opening)}</p>" if story.opening else ""
    yield '<ol class="story">' + "".join(f"<li>{markup(step)}</li>" for step in story.steps) + "</ol>"
    yield f"<p>{markup(story.closing)}</p>" if story.closing else ""


def _marking(part: PaperPart, paper: Paper) -> Iterator[str]:
    if part.notes:
        yield _heading(paper.labels["notes"])
        yield from _list(part.notes)
    if part.mistakes is None:
        return
    yield _heading(paper.labels["mistakes"])
    if not part.mistakes:
        yield f"<p>{markup(paper.labels['none'])}</p>"
        return
    yield f'<p class="remark how">{markup(paper.labels["how"])}</p>'
    yield '<table class="mistakes"><tbody>'
    for each in part.mistakes:
        yield f'<tr><th scope="row"><bdi>{markup(each.names)}</bdi></th><td>{markup(each.title)}</td>'
        yield f"<td><bdi>{markup(each.traces)}</bdi></td></tr>"
    yield "</tbody></table>"


def _figure(figure: Figure, prefix: str, draw: Draw) -> Iterator[str]:
    yield f'<figure><div class="picture" dir="ltr">{draw(figure, prefix)}</div>'
    yield f"<figcaption>{markup(figure.caption)}</figcaption></figure>"


def _asked(question: PaperQuestion) -> Iterator[str]:
    yield f'<li><p class="ask">{_own(question.text)} <span class="marks">[{markup(question.marks)}]</span></p>'
    if question.remarks:
        yield f'<p class="remark">{markup(" ".join(question.remarks))}</p>'
    boxes = question.boxes
    size = f"--lines:{question.lines}" + (f";--width:{question.width}mm" if question.width else "")
    if any(box.answer for box in boxes):
        size += ";--lines:1"
    if len(boxes) == 1 and not boxes[0].label:
        kind = "box ticks" if boxes[0].choices else "box"
        yield f'<p class="{kind}" style="{size}">{_cell(boxes[0])}{_called(boxes[0])}</p>'
    else:
        yield f'<div class="boxes" style="{size}">'
        for box in boxes:
            label = f"<bdi>{markup(box.label)}</bdi>{_called(box)}"
            yield f'<div><p class="label">{label}</p><p class="cell">{_cell(box)}</p></div>'
        yield "</div>"
    if question.notes:
        yield from _list(question.notes)
    yield "</li>"


def _cell(box: PaperBox) -> str:
    if box.choices and not box.answer:
        return " ".join(f'<span class="tick"><i></i>{markup(word)}</span>' for word in box.choices)
    return f"<b><bdi>{markup(box.answer)}</bdi></b>" if box.answer else "&nbsp;"


def _called(box: PaperBox) -> str:
    """What the box is called in the sheet of typed answers."""
    return f' <span class="column" dir="ltr">{markup(box.column)}</span>' if box.column else ""


def _table(table: PaperTable) -> Iterator[str]:
    if table.title:
        yield _heading(table.title)
    yield f'<table class="{"answers" if table.answers else "index"}"><thead><tr>'
    yield "".join(f'<th scope="col">{markup(text)}</th>' for text in table.head)
    yield "</tr></thead><tbody>"
    # What a row is about: the student beside the number, or the variant.
    heads = 0 if table.answers else 1
    for row in table.rows:
        cells = [f"<td><bdi>{markup(cell)}</bdi></td>" for cell in row]
        cells[heads] = f'<th scope="row"><bdi>{markup(row[heads])}</bdi></th>'
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table>"


def _heading(text: str) -> str:
    return f'<p class="notes"><b>{markup(text)}</b></p>'


def _list(texts: tuple[str, ...]) -> Iterator[str]:
    yield "<ul>" + "".join(f"<li>{markup(text)}</li>" for text in texts) + "</ul>"


def _own(text: str) -> str:
    """What an author wrote, in the direction of its own letters."""
    return f'<span dir="{"rtl" if runs_rtl(text) else "ltr"}">{markup(text)}</span>'


@cache
def _style() -> str:
    return (Path(__file__).parent / "paper.css").read_text(encoding="utf-8")
