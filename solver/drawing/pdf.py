"""Pictures as PDF, by Typst: one picture on a page of its size, or the stages of a search on one page, as in a book."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from solver.drawing.measure import PICTURE_FAMILY, PICTURE_FONTS
from solver.drawing.placed import Picture
from solver.drawing.style import DARK, LIGHT
from solver.drawing.svg_markup import svg
from solver.kernel.extras import needs_extra
from solver.languages.lookup import Language

# All text comes in as data, so none of it can be markup.
_ONE = """
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(data.pictures.at(0)), format: "svg", alt: data.descriptions.at(0))
"""

# Captions keep their size, and only the pictures shrink. Every number of columns is tried on a page of A4; where none
# leaves the pictures large enough, the page is as high as it must be.
_FIGURE = """
#let data = json(bytes(sys.inputs.data))
#let (across, down, margin, gutter, below) = (210mm, 297mm, 15mm, 8mm, 5mm)
#set document(title: data.title, date: none)
#set text(font: data.font, size: 8pt, fill: rgb(data.ink), lang: data.language, dir: if data.rtl { rtl } else { ltr })
#set par(justify: false, leading: 0.55em)
#let heading = align(center, text(size: 12pt, data.title))
#let panel(place, picture) = {
  align(center, picture)
  v(-4pt)
  align(center, text(size: 9pt, data.labels.at(place)))
  if data.captions.at(place) != "" {
    v(-3pt)
    align(start, text(data.captions.at(place)))
  }
}
#let drawn(place, unit) = image(bytes(data.pictures.at(place)), format: "svg", width: data.widths.at(place) * unit,
  alt: data.descriptions.at(place))
#context {
  let count = data.pictures.len()
  let inside = across - 2 * margin
  let above = measure(width: inside, heading).height + 4pt + 2em.to-absolute()
  let plan(columns) = {
    let width = (inside - (columns - 1) * gutter) / columns
    let rows = calc.ceil(count / columns)
    let texts = range(rows).map(row => range(row * columns, calc.min(count, (row + 1) * columns))
      .map(place => measure(width: width, panel(place, block(height: 0pt))).height).fold(0pt, calc.max)).sum()
    let fixed = above + texts + (rows - 1) * below
    let widest = calc.min(data.largest * 1pt, width / calc.max(..data.widths))
    let unit = calc.min(widest, (down - 2 * margin - fixed) / (rows * calc.max(..data.heights)))
    (columns: columns, rows: rows, fixed: fixed, widest: widest, unit: unit)
  }
  let plans = range(1, calc.min(count, 6) + 1).map(plan)
  let best = plans.fold(plans.first(), (one, other) => if other.unit > one.unit { other } else { one })
  let height = down
  if best.unit < data.smallest * 1pt {
    let wide = plans.filter(each => each.widest >= data.smallest * 1pt)
    best = if wide.len() > 0 { wide.last() } else { plans.first() }
    best.unit = best.widest
    height = calc.max(down, 2 * margin + best.fixed + best.rows * best.unit * calc.max(..data.heights))
  }
  page(width: across, height: height, margin: margin, fill: rgb(data.paper), {
    heading
    v(4pt)
    grid(columns: (1fr,) * best.columns, column-gutter: gutter, row-gutter: below,
      ..range(count).map(place => panel(place, drawn(place, best.unit))))
  })
}
"""

LARGEST, SMALLEST = 0.75, 0.24
"""Points for a pixel of a picture: of its natural size, and where its print can still be read."""


def pdf(picture: Picture, theme: str) -> bytes:
    return typst_pdf(_ONE, _data(picture.board.title, [picture], theme))


def figure_pdf(
    title: str,
    pictures: Sequence[Picture],
    labels: Sequence[str],
    captions: Sequence[str],
    language: Language,
    theme: str = "light",
) -> bytes:
    """All pictures on one page in a grid, each with its label and its caption."""
    colours = DARK if theme == "dark" else LIGHT
    data = _data(title, pictures, theme) | {
        "labels": labels,
        "captions": captions,
        "widths": [picture.width for picture in pictures],
        "heights": [picture.height for picture in pictures],
        "largest": LARGEST,
        "smallest": SMALLEST,
        "language": language.code,
        "rtl": language.direction == "rtl",
        "font": PICTURE_FAMILY,
        "paper": colours.paper,
        "ink": colours.ink,
    }
    return typst_pdf(_FIGURE, data)


def _data(title: str, pictures: Sequence[Picture], theme: str) -> dict[str, Any]:
    return {
        "title": title,
        "pictures": [svg(picture, "dark" if theme == "dark" else "light") for picture in pictures],
        "descriptions": [f"{picture.board.title}. {picture.board.description}" for picture in pictures],
    }


def typst_pdf(source: str, data: dict[str, Any], system_fonts: bool = True) -> bytes:
    """What Typst makes of a template, which finds the data as JSON in `sys.inputs.data`. Without the machine's own
    fonts the bytes are the same everywhere."""
    with needs_extra("pdf"):
        # Imported only here: it belongs to an extra.
        import typst
    folder: list[Any] = [str(PICTURE_FONTS)]
    inputs = {"data": json.dumps(data)}
    made: Any = typst.compile(
        source.encode(), font_paths=folder, ignore_system_fonts=not system_fonts, sys_inputs=inputs
    )
    return bytes(made)
