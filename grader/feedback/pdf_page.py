"""Feedback as PDF, by Typst: the same bytes on every machine, since only the fonts that come with it are used."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from grader.delivery.papers.paper_content import runs_rtl
from grader.delivery.papers.paper_figures import LEGIBLE, UPRIGHT
from grader.delivery.papers.typst_paper import SERIF, needs_more_fonts
from grader.feedback.content import FeedbackFigure, FeedbackPage, FeedbackPart, FeedbackQuestion
from grader.feedback.html_page import columns_of
from solver.drawing import PICTURE_FAMILY, picture, svg, typst_pdf


def feedback_pdf(page: FeedbackPage) -> bytes:
    data = pdf_data(page)
    made: bytes = typst_pdf(_template(), data, needs_more_fonts(json.dumps(data, ensure_ascii=False)))
    return made


def pdf_data(page: FeedbackPage) -> dict[str, Any]:
    """All that the file is made from."""
    words = page.language
    rtl = words.direction == "rtl"
    return {
        "title": _directed(page.title),
        "tab": page.tab,
        "footer": page.tab,
        "language": words.code,
        "rtl": rtl,
        "bold": not rtl,
        "fonts": [PICTURE_FAMILY] if rtl else [SERIF, PICTURE_FAMILY],
        "digits": [words.count(digit) for digit in range(10)],
        "labels": page.labels,
        "fields": page.fields,
        "marks": page.marks,
        "remarks": page.remarks,
        "parts": list(map(_part, page.parts)),
    }


def _part(part: FeedbackPart) -> dict[str, Any]:
    return {
        "title": _directed(part.title),
        "marks": part.marks,
        "study": part.study,
        "marking": part.marking,
        "figures": list(map(_figure, part.figures)),
        "questions": list(map(_question, part.questions)),
        "steps": part.steps,
        "more": part.more,
    }


def _figure(figure: FeedbackFigure) -> dict[str, Any]:
    made = picture(figure.board)
    return {
        "svg": svg(made, "light"),
        "width": made.width,
        "height": made.height,
        "wide": made.width * LEGIBLE > UPRIGHT,
        "title": figure.title,
        "caption": figure.caption,
        "legend": figure.legend,
        "description": f"{figure.board.title}. {figure.board.description}",
    }


def _question(question: FeedbackQuestion) -> dict[str, Any]:
    rows = [
        {
            "called": row.called,
            "given": row.given,
            "expected": row.expected,
            "sign": row.sign,
            "verdict": row.verdict,
            "marks": row.marks,
            "note": row.note,
        }
        for row in question.rows
    ]
    return {
        "number": question.number,
        "text": _directed(question.text),
        "marks": question.marks,
        "remarks": question.remarks,
        "columns": columns_of(question.rows) if rows else [],
        "rows": rows,
    }


def _directed(text: str) -> dict[str, Any]:
    return {"text": text, "rtl": runs_rtl(text)}


@cache
def _template() -> str:
    return (Path(__file__).parent / "feedback.typ").read_text(encoding="utf-8")
