"""A class summary as one web page that needs nothing else: no network, no script, no font.

Every text is escaped. In a language that is written from right to left the page is, too; the tree is the same tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path

from grader.reports.class_rows import Table, facts, tables
from grader.reports.class_summary import ClassSummary
from grader.reports.heat_map import BANDS, heat_map, heat_style
from grader.reports.options import Options
from solver.drawing import markup, style_sheet
from solver.languages import Language

POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
MOST_ITEMS = 200
"""Rows of the table of items."""


def class_page(summary: ClassSummary, options: Options) -> bytes:
    return ("\n".join(_lines(summary, options)) + "\n").encode("utf-8", "replace")


def _lines(summary: ClassSummary, options: Options) -> Iterator[str]:
    words = options.words
    title = words.say("class.title", exercise=options.title or summary.exercise.title or summary.exercise.id)
    yield "<!DOCTYPE html>"
    yield f'<html lang="{words.code}" dir="{words.direction}">'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup(title)}</title>"
    yield f"<style>{_style()}{style_sheet('auto')}{heat_style()}</style>"
    yield "</head>"
    yield "<body>"
    yield "<main>"
    yield f"<h1>{markup(title)}</h1>"
    yield "<dl>"
    for name, value in facts(summary, words):
        yield f"<div><dt>{markup(name)}</dt><dd>{markup(value)}</dd></div>"
    yield "</dl>"
    for table in tables(summary, words, MOST_ITEMS):
        if table.key == "items":
            yield from _heat(summary, words)
        yield from _table(table, summary, words)
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _heat(summary: ClassSummary, words: Language) -> Iterator[str]:
    if not summary.heat:
        return
    yield "<section>"
    yield f'<h2 id="heat">{markup(words.say("class.heat"))}</h2>'
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
    yield '<div class="scroll picture" dir="ltr" tabindex="0" role="region" aria-labelledby="heat">'
    yield f"{heat_map(summary, words)}</div>"
    yield "</section>"


def _table(table: Table, summary: ClassSummary, words: Language) -> Iterator[str]:
    most = max((row.share for row in table.rows), default=Fraction(0)) if table.relative else Fraction(1)
    yield "<section>"
    yield f'<h2 id="{table.key}">{markup(table.title)}</h2>'
    if table.key == "items" and len(summary.items) > len(table.rows):
        yield f"<p>{markup(words.say('class.items.more', len(summary.items) - len(table.rows)))}</p>"
    yield f'<div class="scroll" tabindex="0" role="region" aria-labelledby="{table.key}"><table>'
    heads = "".join(f'<th scope="col">{markup(text)}</th>' for text in (table.first, *table.header))
    yield f'<thead><tr>{heads}<td class="bar"></td></tr></thead><tbody>'
    for row in table.rows:
        cells = "".join(f"<td>{markup(cell)}</td>" for cell in row.cells)
        length = round(100 * row.share / most) if most else 0
        bar = f'<td class="bar"><span style="inline-size:{length}%"></span></td>'
        yield f'<tr><th scope="row">{markup(row.name)}</th>{cells}{bar}</tr>'
    yield "</tbody></table></div>"
    yield "</section>"


@cache
def _style() -> str:
    return (Path(__file__).parent / "class_page.css").read_text(encoding="utf-8")
