"""How pictures look: their font, and their colours on light and on dark paper. Fills are tints that print as light
greys.

How wide a string is in the font that is shipped with the pictures is known here, so that laying out a picture needs
no font.
"""

from __future__ import annotations

import json
import unicodedata
from dataclasses import dataclass
from functools import cache
from pathlib import Path

PICTURE_FONTS = Path(__file__).parent / "fonts"
PICTURE_FAMILY = "DejaVu Sans"

WIDE = 1.1
"""In ems: what a letter of a script without advances takes, East Asian ones and emoji among them."""


@cache
def _advances() -> dict[str, float]:
    """Each character's width in ems. Arabic letters are counted in their widest form: joined ones are narrower."""
    data = json.loads((PICTURE_FONTS / "advances.json").read_bytes())
    return {
        chr(run["first"] + place): advance / data["units_per_em"]
        for run in data["runs"]
        for place, advance in enumerate(run["advances"])
        if advance
    }


@cache
def _sign_width(sign: str) -> float:
    if unicodedata.category(sign) in ("Mn", "Me", "Cf"):
        return 0.0
    return _advances().get(sign, WIDE)


def text_width(text: str, size: float) -> float:
    """In the units that `size`, the height of the font, is given in."""
    return sum(map(_sign_width, text)) * size


def covered(text: str) -> bool:
    """Whether the shipped font is sure to have every character of a string."""
    return all(sign in _advances() or sign in _UNSEEN for sign in set(text))


_UNSEEN = frozenset("\n\u200c\u200e\u200f\u2066\u2067\u2068\u2069")
"""What has no width: the half-space of Persian, and the marks of direction."""


@dataclass(frozen=True, slots=True)
class Theme:
    paper: str
    ink: str
    muted: str
    """For what was pruned: still readable."""
    faint: str
    """For what was not reached yet."""
    accent: str
    """For the line and for what has just changed."""
    cut: str
    fills: tuple[str, str, str, str]
    """MAX, MIN, chance, leaf."""
    players: tuple[str, ...]
    """Tints of the colours of Okabe and Ito, which colour-blind readers can tell apart."""


LIGHT = Theme(
    paper="#ffffff",
    ink="#1b1f24",
    muted="#6b7280",
    faint="#8b929d",
    accent="#0b5cad",
    cut="#b42318",
    fills=("#dcebfa", "#fdebd0", "#e9e7f5", "#ffffff"),
    players=("#cfe6f5", "#fbe3c0", "#c9ece0", "#f6d9e6", "#f7f3b5", "#d3def0", "#f7d2bf"),
)
DARK = Theme(
    paper="#101418",
    ink="#eef2f6",
    muted="#9aa4b0",
    faint="#76818d",
    accent="#7cc0ff",
    cut="#ff8f80",
    fills=("#173a5c", "#553a14", "#37325c", "#101418"),
    players=("#10445f", "#5e4208", "#0c4f3b", "#5f2c49", "#55500f", "#25407a", "#6b2f0e"),
)


def style_sheet(theme: str) -> str:
    """`auto` is light, and dark for readers who prefer that; on printed paper it is always light."""
    if theme == "dark":
        return _shape_rules() + _colour_rules(DARK)
    if theme == "light":
        return _shape_rules() + _colour_rules(LIGHT)
    dark = f"@media screen and (prefers-color-scheme:dark){{{_colour_rules(DARK)}}}"
    return _shape_rules() + _colour_rules(LIGHT) + dark


def _shape_rules() -> str:
    return "".join(
        f".plymark {rule}"
        for rule in (
            # A label that begins in a script from right to left runs from the right, whatever is around it.
            f"text{{font-family:'{PICTURE_FAMILY}',Verdana,sans-serif;unicode-bidi:plaintext}}",
            ".edge,.plymark .cut,.plymark .arc,.plymark .ring,.plymark .blank{fill:none}",
            ".edge{stroke-width:1.6}",
            ".edge.best{stroke-width:4.5;stroke-linecap:round}",
            ".edge.pruned,.plymark .pruned .shape{stroke-dasharray:5 4}",
            ".edge.unseen,.plymark .unseen .shape{stroke-dasharray:1.5 3.5}",
            ".shape{stroke-width:1.6}",
            ".best .shape{stroke-width:3.2}",
            ".ring{stroke-width:2}",
            ".cut{stroke-width:2.2;stroke-linecap:round}",
            ".arc{stroke-width:1.4}",
            ".blank{stroke-dasharray:2 3}",
            ".note{paint-order:stroke;stroke-width:4;stroke-linejoin:round}",
            ".underline{stroke-width:1.3}",
        )
    )


def _colour_rules(theme: Theme) -> str:
    fills = dict(zip(("max", "min", "chance", "leaf"), theme.fills, strict=True))
    fills |= {"or": theme.fills[3], "and": theme.fills[2]}
    fills |= {f"player{place}": fill for place, fill in enumerate(theme.players)}
    rules = [
        f".paper{{fill:{theme.paper}}}",
        f"text{{fill:{theme.ink}}}",
        f".edge,.plymark .shape,.plymark .arc,.plymark .blank{{stroke:{theme.ink}}}",
        *(f".{kind} .shape{{fill:{fill}}}" for kind, fill in fills.items()),
        f".note{{stroke:{theme.paper}}}",
        f".row,.plymark .name{{fill:{theme.muted}}}",
        f".edge.pruned,.plymark .arc.pruned,.plymark .pruned .shape{{stroke:{theme.muted}}}",
        f".pruned .shape,.plymark .unseen .shape{{fill:{theme.paper}}}",
        f".pruned text,.plymark .label.pruned{{fill:{theme.muted}}}",
        f".edge.unseen,.plymark .arc.unseen,.plymark .unseen .shape{{stroke:{theme.faint}}}",
        f".unseen text,.plymark .label.unseen{{fill:{theme.muted}}}",
        f".edge.best,.plymark .best .shape,.plymark .ring{{stroke:{theme.accent}}}",
        f".note.fresh{{fill:{theme.accent}}}",
        f".underline{{stroke:{theme.accent}}}",
        f".cut{{stroke:{theme.cut}}}",
    ]
    return "".join(f".plymark {rule}" for rule in rules)
