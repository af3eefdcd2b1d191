"""Pictures of a game tree: board (what is where) → picture (placed) → SVG, PNG, PDF, LaTeX, text, HTML."""

from solver.drawing.boards import Board, BoardItem, board
from solver.drawing.choices import LEAST_PICTURE, PICTURES, SHOWN, SIZES, THEMES
from solver.drawing.embedding import PHONE, page_figure, page_style_sheet, page_svg
from solver.drawing.entry import check_one_file, draw, figure
from solver.drawing.latex import latex_forest
from solver.drawing.latex_styles import LATEX_PLAIN, LATEX_STYLES, LATEX_UNICODE, latex_colours
from solver.drawing.latex_text import latex_plain_characters, latex_takes, latex_unicode_characters
from solver.drawing.measure import PICTURE_FAMILY, PICTURE_FONTS
from solver.drawing.pdf import typst_pdf
from solver.drawing.pictures import picture
from solver.drawing.request import Drawing, Request
from solver.drawing.stage_boards import count_stages, stage_board
from solver.drawing.style import style_sheet
from solver.drawing.svg_markup import svg
from solver.drawing.svg_text import markup
from solver.drawing.view import View, shown_from
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
