"""The tree with the share of right answers at every node that was asked about: a number and a colour, never a colour
alone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import count
from typing import Any

from grader.kernel.cells import bare, percent
from grader.reports.class_summary import ClassSummary, Share
from solver.drawing import View, board, picture, svg
from solver.languages import Amount, Language

BANDS = 5
SHOWN = frozenset({"names", "moves", "probabilities"})
COLOURS = {
    "light": ("#f6b79b", "#fbd9bd", "#f4efe2", "#cfe3f6", "#9cc8ef"),
    "dark": ("#7a3312", "#5c4119", "#3d3f3f", "#1d4263", "#0e5a94"),
}
"""From few right to all; colour-blind readers can tell them apart, and text on them has a contrast of 4.5 or more."""

_NODE = re.compile(r'<g class="node ')


def heat_map(summary: ClassSummary, words: Language, prefix: str = "heat-") -> str:
    """As SVG without a style sheet; the classes h0 to h4 are the bands, h-none a node that nobody was asked about; ids
    start with the prefix."""
    tree = summary.exercise.game.tree
    title = words.say("class.heat")
    blank = board(tree, View(SHOWN), words, title)
    drawn = picture(replace(blank, items=[_heated(item, summary, words, False) for item in blank.items]))
    if any(shape.in_column for shape in drawn.shapes):
        # Leaves in columns have no room for names, so the share is beside the value.
        drawn = picture(replace(blank, items=[_heated(item, summary, words, True) for item in blank.items]))
    number = count()

    def classed(_: re.Match[str]) -> str:
        item = drawn.board.items[next(number)]
        share = summary.at(tree.ids[item.node]) if item.node >= 0 else None
        return f'<g class="node {"h-none" if share is None else f"h{band(share.fraction)}"} '

    return _NODE.sub(classed, svg(drawn, prefix=prefix, styled=False))


def band(share: Fraction) -> int:
    return min(BANDS - 1, int(share * BANDS))


def _heated(item: Any, summary: ClassSummary, words: Language, beside_value: bool) -> Any:
    name = summary.exercise.game.tree.ids[item.node] if item.node >= 0 else ""
    share = summary.at(name) if name else None
    if share is None:
        return item
    shown = bare(percent(share.fraction, words))
    spoken = words.say("picture.joint").join([item.spoken, *_spoken(summary, name, words)])
    if item.kind != "leaf":
        return replace(item, value=shown, spoken=spoken)
    if beside_value:
        return replace(item, value=f"{item.value} · {shown}", spoken=spoken)
    return replace(item, name=f"{item.name} {shown}", spoken=spoken)


def _spoken(summary: ClassSummary, node: str, words: Language) -> Iterator[str]:
    for question, share in summary.heat[node].items():
        yield words.say("class.heat.spoken", question=question, **_facts(share))


def _facts(share: Share) -> dict[str, Any]:
    return {"right": Amount(share.right), "total": Amount(share.total)}


def heat_style() -> str:
    def rules(colours: tuple[str, ...]) -> str:
        return "".join(f".h{place}{{--heat:{colour}}}" for place, colour in enumerate(colours))

    light, dark = rules(COLOURS["light"]), rules(COLOURS["dark"])
    shapes = "".join(f".plymark .node.h{place} .shape{{fill:var(--heat)}}" for place in range(BANDS))
    return (
        f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}{shapes}"
        ".plymark .node.h-none .shape{fill:none;stroke-dasharray:2 3}"
    )
