"""The legend of a LaTeX picture: small shapes in TikZ, each with its meaning."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from solver.drawing.boards import LEAF, PLAYER, PRUNED, UNSEEN
from solver.drawing.legend import LINE, LegendEntry
from solver.drawing.style import LIGHT
from solver.game.tree import AND, CHANCE, MAX, MIN, OR

_DIAMOND = "(-2.4mm,0) -- (0,1.7mm) -- (2.4mm,0) -- (0,-1.7mm) -- cycle"
_SHAPES = {
    MAX: ("plymax", "(-2.2mm,-1.4mm) -- (2.2mm,-1.4mm) -- (0,1.4mm) -- cycle"),
    MIN: ("plymin", "(-2.2mm,1.4mm) -- (2.2mm,1.4mm) -- (0,-1.4mm) -- cycle"),
    CHANCE: ("plychance", "(0,0) ellipse[x radius=2.2mm, y radius=1.4mm]"),
    OR: ("white", _DIAMOND),
    AND: ("plychance", _DIAMOND),
    LEAF: ("white", "(-2.2mm,-1.4mm) rectangle (2.2mm,1.4mm)"),
}
_STATES = {PRUNED: "plygrey, dashed, ", UNSEEN: "plyfaint, dotted, "}


def latex_legend(entries: Sequence[LegendEntry], write: Callable[[str], str], rtl: bool) -> str:
    """Entries in a paragraph that is broken between them."""
    # A name in Latin letters, such as Max, runs from the left everywhere.
    meanings = [
        rf"\plyrtl{{{write(entry.text)}}}" if rtl and not entry.text.isascii() else write(entry.text)
        for entry in entries
    ]
    return r"\quad ".join(
        rf"\mbox{{{_sample(entry, write)}~{meaning}}}" for entry, meaning in zip(entries, meanings, strict=True)
    )


def _sample(entry: LegendEntry, write: Callable[[str], str]) -> str:
    item = entry.item
    if item is None and entry.sign == LINE:
        return r"\tikz[baseline=-.6ex]\draw[plyline, line width=2pt] (0,0) -- (6mm,0);"
    if item is None:
        text = write(entry.sample)
        return rf"\plychanged{{{text}}}" if entry.fresh else text
    if item.kind == PLAYER:
        path = "[rounded corners=1.3mm] (-2.4mm,-1.4mm) rectangle (2.4mm,1.4mm)"
        fill = f"plyplayer{item.colour % len(LIGHT.players)}"
    else:
        fill, path = _SHAPES[item.kind]
    state = _STATES.get(item.state, "") + ("double, double distance=.8pt, " if item.current else "")
    edge = r" \draw[plygrey, dashed] (-8mm,0) -- (-2.2mm,0); \pic at (-5.4mm,0) {ply cut};" if item.cut else ""
    return rf"\tikz[baseline=-.6ex]{{\draw[{state}fill={fill}] {path};{edge}}}"
