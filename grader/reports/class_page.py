"""A class summary as one web page that needs nothing else: no network, no script, no font.

Every text is escaped. In a language that is written from right to left the page is, too; the tree is the same tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path

from grader.kernel.web_page import web_page
from grader.reports.class_rows import HARDEST, AnySummary, ClassSection, Row, Table, sections
from grader.reports.class_summary import ClassSummary
from grader.reports.heat_map import BANDS, heat_map, heat_style
from grader.reports.options import Options
from solver.drawing import markup, style_sheet
from solver.languages import Language

MOST_ITEMS = 200
"""Rows of items, with those to be unfolded."""


def class_page(summary: AnySummary, options: Options) -> bytes:
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
    yield f"{heat_map(summary, words, f'{anchor}-')}</div>"
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
