"""Pictures within the pages of others: markup without a style, the style as a sheet of its own, and those parts of the
font that a page's text needs, to stand within the page itself (`tools/make_fonts.py` makes the parts).

A strict content security policy lets a page load a style sheet, but not hold one within a picture. Nobody knows how
wide a page will be, so a tree that is too wide for a phone is there twice, and the sheet shows the one that fits.
"""

from __future__ import annotations

import json
from base64 import b64encode
from functools import cache
from math import ceil

from solver.drawing.boards import Board, board
from solver.drawing.moments import moments, stage_count
from solver.drawing.picture_style import PICTURE_FAMILY, PICTURE_FONTS, style_sheet
from solver.drawing.svg_picture import svg
from solver.drawing.tree_layout import picture
from solver.drawing.view import FINISHED, PRUNING, View
from solver.languages import Language
from solver.search import Solution


def count_stages(solution: Solution) -> int:
    return stage_count(solution)


def stage_board(solution: Solution, stage: int, language: Language, title: str = "") -> Board:
    """After so many leaves; from the last one on, the finished search."""
    view = View(FINISHED if solution.search is not None else FINISHED - PRUNING, most_leaves=None)
    if stage < stage_count(solution):
        for moment in moments(solution):
            if moment.stage == stage:
                return board(solution.tree, view, language, title, solution, moment)
    return board(solution.tree, view, language, title, solution)


PHONE = 340
"""CSS pixels that a page on a phone has for a picture."""
STEP, FEWEST_STEPS, MOST_STEPS = 100, 4, 16
"""A wide picture is shown where there is room for its width, rounded up to so many steps."""
MOST_STEPS_ON_PAPER = 10
"""A picture as wide as this is still printed across a page, made smaller; letters of 13 px come out at some 6.5 pt."""


def page_svg(board: Board, prefix: str = "", to_write: bool = False) -> str:
    """One picture, however wide; `prefix` as for `svg`, and `to_write` for a tree that is to be filled in."""
    return svg(picture(board), "auto", prefix, False, to_write)


def page_figure(board: Board, prefix: str = "", to_write: bool = False) -> str:
    """What a page's `<figure>` holds: the picture, and where it is too wide for a phone a narrow one, too. One of them
    is seen, the one whose `getClientRects()` are not empty."""
    wide, narrow = picture(board), picture(board, PHONE)
    if not narrow.narrow:
        return _room(svg(wide, "auto", prefix, False, to_write))
    steps = min(MOST_STEPS, max(FEWEST_STEPS, ceil(wide.width / STEP)))
    across = svg(wide, "auto", prefix, False, to_write, classes=["wide", f"wide-{steps}"])
    down = svg(narrow, "auto", f"{prefix}narrow-", False, to_write, classes=[f"narrow-{steps}"])
    return _room(across + down)


def _room(pictures: str) -> str:
    return f'<div class="plymark-room">\n{pictures}</div>\n'


def page_style_sheet() -> str:
    """All rules for `page_svg`, in the colours that the reader prefers."""
    return style_sheet("auto") + _TO_WRITE + "".join(_switches()) + "\n"


_TO_WRITE = ".plymark .to-make{display:none}.plymark .is-cut>.to-make{display:inline}"


def _switches() -> list[str]:
    """A picture keeps its size; one that is wider than its room even so can be moved within it."""
    rules = [
        ".plymark-room{container-type:inline-size;overflow-x:auto}",
        ".plymark-room>.plymark{display:block;max-width:none;margin-inline:auto}",
        ".plymark-room>.plymark.wide{display:none}",
    ]
    for steps in range(FEWEST_STEPS, MOST_STEPS + 1):
        shown = f".plymark-room>.plymark.wide-{steps}{{display:block}}"
        hidden = f".plymark-room>.plymark.narrow-{steps}{{display:none}}"
        rules.append(f"@container (min-width:{steps * STEP}px){{{shown}{hidden}}}")
    return [*rules, _on_paper()]


def _on_paper() -> str:
    """Paper has no container whose width could be asked for: what fits is known beforehand."""
    across = range(FEWEST_STEPS, MOST_STEPS_ON_PAPER + 1)
    shown = ",".join(f".plymark-room>.plymark.wide-{steps}" for steps in across)
    hidden = ",".join(f".plymark-room>.plymark.narrow-{steps}" for steps in across)
    every = ".plymark-room{overflow:visible}.plymark-room>.plymark{max-width:100%;height:auto;break-inside:avoid}"
    return f"@media print{{{every}{shown}{{display:block}}{hidden}{{display:none}}}}"


_WEIGHTS = {"normal": "DejaVuSans", "bold": "DejaVuSans-Bold"}


@cache
def _parts() -> dict[str, list[tuple[int, int]]]:
    """The first and last code points of what is in each part."""
    parts: dict[str, list[tuple[int, int]]] = json.loads((PICTURE_FONTS / "parts.json").read_bytes())
    return parts


def font_faces(text: str) -> str:
    """Rules of a style sheet, with the letters themselves, for every character of a text that the font has."""
    characters = set(map(ord, text))
    needed = [
        name
        for name, spans in _parts().items()
        if any(first <= character <= last for character in characters for first, last in spans)
    ]
    return "".join(_face(name, weight) for name in needed for weight in _WEIGHTS)


@cache
def _face(part: str, weight: str) -> str:
    letters = b64encode((PICTURE_FONTS / f"{_WEIGHTS[weight]}-{part}.woff2").read_bytes()).decode()
    spans = ",".join(f"U+{first:X}" + (f"-{last:X}" if last > first else "") for first, last in _parts()[part])
    return (
        f"@font-face{{font-family:'{PICTURE_FAMILY}';font-weight:{weight};unicode-range:{spans};"
        f"src:url(data:font/woff2;base64,{letters}) format('woff2')}}\n"
    )
