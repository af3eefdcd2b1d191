"""A class summary as one web page that needs nothing else: no network, no script, no font.

Its heat map is the tree with the share of right answers at every node that was asked about: a number and a colour,
never a colour alone. Every text is escaped. In a language that is written from right to left the page is, too; the
tree is the same tree.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import count
from pathlib import Path
from typing import Any

from grader.kernel.display_text import percent, without_isolates
from grader.kernel.web_page import web_page
from grader.reports.class_summary import ClassSummary, Share
from grader.reports.class_tables import HARDEST, AnySummary, ClassSection, Row, Table, sections
from grader.reports.output_options import OutputOptions
from solver.drawing import View, board, markup, picture, style_sheet, svg
from solver.languages import Amount, Language

BANDS = 5
SHOWN = frozenset({"names", "moves", "probabilities"})
COLOURS = {
    "light": ("#f6b79b", "#fbd9bd", "#f4efe2", "#cfe3f6", "#9cc8ef"),
    "dark": ("#7a3312", "#5c4119", "#3d3f3f", "#1d4263", "#0e5a94"),
}
"""From few right to all; colour-blind readers can tell them apart, and text on them has a contrast of 4.5 or more."""

_NODE = re.compile(r'<g class="node ')


def draw_heat_map(summary: ClassSummary, words: Language, prefix: str = "heat-") -> str:
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
    shown = without_isolates(percent(share.fraction, words))
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


MOST_ITEMS = 200
"""Rows of items, with those to be unfolded."""


def class_page(summary: AnySummary, options: OutputOptions) -> bytes:
    words = options.words
    first, *parts = sections(summary, words, options.title, MOST_ITEMS)
    style = f"{_style()}{style_sheet('auto')}{heat_style()}"
    return web_page(words, first.title, style, _body(first, parts, words))


def _body(first: ClassSection, parts: Sequence[ClassSection], words: Language) -> Iterator[str]:
    yield f"<h1>{markup(first.title)}</h1>"
    yield from _section(first, words)
    for part in parts:
        yield f'<h2 class="part" id="part-{part.number}">{markup(part.title)}</h2>'
        yield from _section(part, words)


def _section(section: ClassSection, words: Language) -> Iterator[str]:
    yield "<dl>"
    for name, value in section.facts:
        yield f"<div><dt>{markup(name)}</dt><dd>{markup(value)}</dd></div>"
    yield "</dl>"
    for table in section.tables:
        if table.key == "items" and section.summary is not None:
            yield from _heat(section.summary, section.number, words)
        yield from _table(table, section, words)


def _heading(key: str, number: int, title: str) -> str:
    """Of a table or a picture; below the title of a part, if it is one's."""
    return f'<h{3 if number else 2} id="{_anchor(key, number)}">{markup(title)}</h{3 if number else 2}>'


def _anchor(key: str, number: int) -> str:
    return f"{key}-{number}" if number else key


def _heat(summary: ClassSummary, number: int, words: Language) -> Iterator[str]:
    if not summary.heat:
        return
    yield "<section>"
    yield _heading("heat", number, words.say("class.heat"))
    yield f"<p>{markup(words.say('class.heat.how'))}</p>"
    if summary.variants:
        yield f"<p>{markup(words.say('class.heat.variants', variant=summary.exercise.id))}</p>"
    yield f'<ul class="legend" aria-label="{markup(words.say("class.heat.legend"))}">'
    for place in range(BANDS):
        low, high = Fraction(100 * place, BANDS), Fraction(100 * (place + 1), BANDS)
        text = words.say("class.heat.band", low=low, high=high - (place < BANDS - 1))
        yield f'<li class="h{place}"><i></i>{markup(text)}</li>'
    yield f'<li class="h-none"><i></i>{markup(words.say("class.heat.none"))}</li>'
    yield "</ul>"
    anchor = _anchor("heat", number)
    yield f'<div class="scroll picture" dir="ltr" tabindex="0" role="region" aria-labelledby="{anchor}">'
    yield f"{draw_heat_map(summary, words, f'{anchor}-')}</div>"
    yield "</section>"


def _table(table: Table, section: ClassSection, words: Language) -> Iterator[str]:
    most = max((row.share for row in table.rows), default=Fraction(0)) if table.relative else Fraction(1)
    shown = table.rows[:HARDEST] if table.key == "items" else table.rows
    yield "<section>"
    yield _heading(table.key, section.number, table.title)
    yield from _rows(table, shown, most, _anchor(table.key, section.number))
    if len(shown) < len(table.rows):
        yield from _rest(table, section, most, words)
    yield "</section>"


def _rest(table: Table, section: ClassSection, most: Fraction, words: Language) -> Iterator[str]:
    """The easier items, folded."""
    assert section.summary is not None
    anchor = _anchor(f"{table.key}-rest", section.number)
    rest, left = table.rows[HARDEST:], len(section.summary.items) - len(table.rows)
    yield f'<details><summary id="{anchor}">{markup(words.say("class.items.rest", len(rest)))}</summary>'
    yield from _rows(table, rest, most, anchor)
    if left:
        yield f"<p>{markup(words.say('class.items.more', left))}</p>"
    yield "</details>"


def _rows(table: Table, shown: Sequence[Row], most: Fraction, anchor: str) -> Iterator[str]:
    yield f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{anchor}"><table>'
    heads = "".join(f'<th scope="col">{markup(text)}</th>' for text in (table.first, *table.header))
    yield f'<thead><tr>{heads}<td class="bar"></td></tr></thead><tbody>'
    for row in shown:
        cells = "".join(f"<td>{markup(cell)}</td>" for cell in row.cells)
        length = round(100 * row.share / most) if most else 0
        bar = f'<td class="bar"><span style="inline-size:{length}%"></span></td>'
        yield f'<tr><th scope="row">{markup(row.name)}</th>{cells}{bar}</tr>'
    yield "</tbody></table></div>"


@cache
def _style() -> str:
    return (Path(__file__).parent / "class_page.css").read_text(encoding="utf-8")
