"""Pictures within the pages of others: markup without a style, and the style as a sheet of its own.

A strict content security policy lets a page load a style sheet, but not hold one within a picture. Nobody knows how
wide a page will be, so a tree that is too wide for a phone is there twice, and the sheet shows the one that fits.
"""

from __future__ import annotations

from math import ceil

from solver.drawing.boards import Board
from solver.drawing.pictures import picture
from solver.drawing.style import style_sheet
from solver.drawing.svg_markup import svg

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
