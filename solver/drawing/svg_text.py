"""The smallest parts of an SVG picture: numbers, strings, and what a script finds them by."""

from __future__ import annotations

from html import escape
from unicodedata import bidirectional

from solver.drawing.boards import BoardItem
from solver.drawing.placed import Picture

RLI, PDI = "\u2067", "\u2069"
"""Around what runs from right to left, whatever is around it."""
_NO_XML = dict.fromkeys((0xFFFE, 0xFFFF, *range(0xD800, 0xE000)), "\ufffd")


def markup(text: str) -> str:
    """Any text as XML shows it: nothing in it is markup."""
    return escape(text.translate(_NO_XML))


def length(number: float) -> str:
    """Rounded to a tenth of a pixel, in as few characters as possible."""
    return f"{round(number, 1) + 0.0:.1f}".removesuffix(".0")


def hook(kind: str, picture: Picture, item: BoardItem) -> str:
    """What a script finds a node or an edge by; a folded rest is neither."""
    return f' data-{kind}="{markup(str(picture.board.tree.ids[item.node]))}"' if item.node >= 0 else ""


def underline(left: float, baseline: float, width: float, alternative: str = "") -> str:
    """A stroke of its own: renderers disagree on where a text's decoration is, and may paint over it."""
    kind = f"underline of-{alternative}" if alternative else "underline"
    return f'<path class="{kind}" d="M{length(left)} {length(baseline + 2.2)}h{length(width)}"/>'


def text_at(x: float, y: float, text: str, kind: str, anchor: str, size: float, slot: str = "") -> str:
    place = f' data-slot="{slot}"' if slot else ""
    return (
        f'<text class="{kind}"{place} x="{length(x)}" y="{length(y)}" font-size="{size:g}" text-anchor="{anchor}">'
        f"{markup(_turned(text))}</text>"
    )


def _turned(text: str) -> str:
    """Words from right to left with others among them: not every renderer finds out by itself which way they run."""
    strong = [kind for kind in map(bidirectional, text) if kind in ("L", "R", "AL")]
    return f"{RLI}{text}{PDI}" if strong and strong[0] != "L" and "L" in strong else text
