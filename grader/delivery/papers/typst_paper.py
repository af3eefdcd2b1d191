"""A paper as PDF, by Typst: the same bytes on every machine, since only the fonts that come with it are used.

Where a string has letters that these have not, such as a Chinese name, the machine's own fonts help out.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from grader.delivery.papers.content import Figure, Paper, PaperPart, PaperQuestion, PaperSheet
from grader.delivery.papers.direction import runs_rtl
from solver.drawing import PICTURE_FAMILY, PICTURE_FONTS, picture, svg
from solver.kernel import needs_extra

SERIF = "Libertinus Serif"
"""Typst brings it along. It has no Persian letters, so there the pictures' own font is used for all."""

_TEMPLATE = Path(__file__).parent / "paper.typ"


def pdf_paper(paper: Paper) -> bytes:
    made: bytes = _compiler(paper).compile()
    return made


def pdf_with_pages(paper: Paper) -> tuple[bytes, Sequence[tuple[int, int]]]:
    """The file, and the first and the last page of every sheet."""
    compiler = _compiler(paper)
    made: bytes = compiler.compile()
    first, last = (json.loads(compiler.query(mark, field="value")) for mark in ("<start>", "<end>"))
    return made, list(zip(first, last, strict=True))


def _compiler(paper: Paper) -> Any:
    words = paper.language
    rtl = words.direction == "rtl"
    sizes = {"a4": ("a4", 210), "letter": ("us-letter", 215.9)}
    size, across = sizes[paper.size]
    data = {
        "title": paper.title,
        "language": words.code,
        "rtl": rtl,
        "bold": not rtl,
        "size": size,
        "across": across,
        "duplex": paper.duplex,
        "fonts": [PICTURE_FAMILY] if rtl else [SERIF, PICTURE_FAMILY],
        "digits": [words.count(digit) for digit in range(10)],
        "page": paper.page_text,
        "labels": paper.labels,
        "sheets": [_sheet(sheet) for sheet in paper.sheets],
    }
    with needs_extra("pdf"):
        # Imported only here: it belongs to an extra.
        import typst
    folders: list[Any] = [str(PICTURE_FONTS)]
    said = json.dumps(data, ensure_ascii=False)
    return typst.Compiler(
        str(_TEMPLATE), font_paths=folders, ignore_system_fonts=not needs_more_fonts(said), sys_inputs={"data": said}
    )


def needs_more_fonts(text: str) -> bool:
    """Whether some letter is of a script beyond Arabic in Unicode's order; of Latin there are a few more there."""
    return not text.isascii() and any(
        sign > "\u06ff" and sign.isalpha() and not "\u1d00" <= sign <= "\u2c7f" and not "\ufb00" <= sign <= "\ufeff"
        for sign in set(text)
    )


def _sheet(sheet: PaperSheet) -> dict[str, Any]:
    table = None if sheet.table is None else {"head": sheet.table.head, "rows": sheet.table.rows}
    return {
        "title": sheet.title,
        "fields": sheet.fields,
        "variant": sheet.variant,
        "institution": sheet.institution,
        "scores": sheet.scores,
        "remark": sheet.remark,
        "parts": list(map(_part, sheet.parts)),
        "total": sheet.total,
        "table": table,
        "key": sheet.is_key,
        "footer": sheet.whose,
    }


def _part(part: PaperPart) -> dict[str, Any]:
    mistakes = part.mistakes
    return {
        "title": _directed(part.title),
        "marks": part.marks,
        "text": _directed(part.text),
        "rules": part.rules,
        "figures": list(map(_figure, part.figures)),
        "questions": list(map(_asked, part.questions)),
        "notes": part.notes,
        "mistakes": None
        if mistakes is None
        else [{"names": each.names, "title": each.title, "traces": each.traces} for each in mistakes],
    }


def _figure(figure: Figure) -> dict[str, Any]:
    made = picture(figure.board)
    return {
        "svg": svg(made, "light"),
        "width": made.width,
        "height": made.height,
        "caption": figure.caption,
        "wide": figure.wide,
        "apart": figure.apart,
        "description": f"{figure.board.title}. {figure.board.description}",
    }


def _asked(question: PaperQuestion) -> dict[str, Any]:
    return {
        "number": question.number,
        "text": _directed(question.text),
        "remarks": question.remarks,
        "marks": question.marks,
        "width": question.width,
        "lines": question.lines,
        "notes": question.notes,
        "boxes": [{"label": box.label, "choices": box.choices, "answer": box.answer} for box in question.boxes],
    }


def _directed(text: str) -> dict[str, Any]:
    return {"text": text, "rtl": runs_rtl(text)}
