"""Pictures of a game tree: board (what is where) → picture (placed) → SVG, PNG, PDF, LaTeX, text, HTML."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.drawing.picture_style import PICTURE_FAMILY, PICTURE_FONTS
from solver.drawing.svg_picture import markup
from solver.drawing.view import LEAST_PICTURE, PICTURES, SHOWN, SIZES, THEMES, View, shown_from

if TYPE_CHECKING:
    from solver.drawing.boards import Board, BoardItem, board
    from solver.drawing.embedding import (
        PHONE,
        count_stages,
        font_faces,
        page_figure,
        page_style_sheet,
        page_svg,
        stage_board,
    )
    from solver.drawing.latex_picture import latex_forest
    from solver.drawing.latex_preamble import (
        LATEX_PLAIN,
        LATEX_STYLES,
        LATEX_UNICODE,
        latex_colours,
        latex_plain_characters,
        latex_takes,
        latex_unicode_characters,
    )
    from solver.drawing.pdf_and_png import typst_pdf
    from solver.drawing.picture_files import Drawing, Request, check_one_file, draw, figure
    from solver.drawing.picture_style import style_sheet
    from solver.drawing.svg_picture import svg
    from solver.drawing.tree_layout import picture

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
    "solver.drawing.boards": (
        "Board",
        "BoardItem",
        "board",
    ),
    "solver.drawing.embedding": (
        "PHONE",
        "count_stages",
        "font_faces",
        "page_figure",
        "page_style_sheet",
        "page_svg",
        "stage_board",
    ),
    "solver.drawing.latex_picture": ("latex_forest",),
    "solver.drawing.latex_preamble": (
        "LATEX_PLAIN",
        "LATEX_STYLES",
        "LATEX_UNICODE",
        "latex_colours",
        "latex_plain_characters",
        "latex_takes",
        "latex_unicode_characters",
    ),
    "solver.drawing.pdf_and_png": ("typst_pdf",),
    "solver.drawing.picture_files": (
        "Drawing",
        "Request",
        "check_one_file",
        "draw",
        "figure",
    ),
    "solver.drawing.picture_style": ("style_sheet",),
    "solver.drawing.svg_picture": ("svg",),
    "solver.drawing.tree_layout": ("picture",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
