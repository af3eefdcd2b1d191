"""Pictures of a game tree: board (what is where) → picture (placed) → SVG, PNG, PDF, LaTeX, text, HTML."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.drawing.choices import LEAST_PICTURE, PICTURES, SHOWN, SIZES, THEMES
from solver.drawing.measure import PICTURE_FAMILY, PICTURE_FONTS
from solver.drawing.svg_text import markup
from solver.drawing.view import View, shown_from

if TYPE_CHECKING:
    from solver.drawing.boards import Board, BoardItem, board
    from solver.drawing.embedding import PHONE, page_figure, page_style_sheet, page_svg
    from solver.drawing.entry import check_one_file, draw, figure
    from solver.drawing.latex import latex_forest
    from solver.drawing.latex_styles import LATEX_PLAIN, LATEX_STYLES, LATEX_UNICODE, latex_colours
    from solver.drawing.latex_text import latex_plain_characters, latex_takes, latex_unicode_characters
    from solver.drawing.pdf import typst_pdf
    from solver.drawing.pictures import picture
    from solver.drawing.request import Drawing, Request
    from solver.drawing.stage_boards import count_stages, stage_board
    from solver.drawing.style import style_sheet
    from solver.drawing.svg_markup import svg
    from solver.drawing.web_fonts import font_faces

__all__ = [
    "LATEX_PLAIN",
    "LATEX_STYLES",
    "LATEX_UNICODE",
    "LEAST_PICTURE",
    "PHONE",
    "PICTURES",
    "PICTURE_FAMILY",
    "PICTURE_FONTS",
    "SHOWN",
    "SIZES",
    "THEMES",
    "Board",
    "BoardItem",
    "Drawing",
    "Request",
    "View",
    "board",
    "check_one_file",
    "count_stages",
    "draw",
    "figure",
    "font_faces",
    "latex_colours",
    "latex_forest",
    "latex_plain_characters",
    "latex_takes",
    "latex_unicode_characters",
    "markup",
    "page_figure",
    "page_style_sheet",
    "page_svg",
    "picture",
    "shown_from",
    "stage_board",
    "style_sheet",
    "svg",
    "typst_pdf",
]

# Loaded when first asked for: a report needs one kind of picture, and a page of the service none.
_LATER = {
    "solver.drawing.boards": ("Board", "BoardItem", "board"),
    "solver.drawing.embedding": ("PHONE", "page_figure", "page_style_sheet", "page_svg"),
    "solver.drawing.entry": ("check_one_file", "draw", "figure"),
    "solver.drawing.latex": ("latex_forest",),
    "solver.drawing.latex_styles": ("LATEX_PLAIN", "LATEX_STYLES", "LATEX_UNICODE", "latex_colours"),
    "solver.drawing.latex_text": ("latex_plain_characters", "latex_takes", "latex_unicode_characters"),
    "solver.drawing.pdf": ("typst_pdf",),
    "solver.drawing.pictures": ("picture",),
    "solver.drawing.request": ("Drawing", "Request"),
    "solver.drawing.stage_boards": ("count_stages", "stage_board"),
    "solver.drawing.style": ("style_sheet",),
    "solver.drawing.svg_markup": ("svg",),
    "solver.drawing.web_fonts": ("font_faces",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
