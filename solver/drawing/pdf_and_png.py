"""Pictures as PDF, by Typst: one on a page of its own size, the stages of a search on pages of paper, or slides; and a
picture as PNG, by resvg. Both libraries are extras, and are loaded when they are used.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from solver.drawing.picture_parts import Picture
from solver.drawing.picture_style import DARK, LIGHT, PICTURE_FAMILY, PICTURE_FONTS, covered
from solver.drawing.svg_picture import svg
from solver.kernel.errors import UsageError, needs_extra

# All text comes in as data, so none of it can be markup.
_ONE = """
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(data.pictures.at(0)), format: "svg", alt: data.descriptions.at(0))
"""

# Captions keep their size, and only the pictures shrink. Two go on a page where their letters can be read then; else
# one, upright or across, whichever leaves it larger.
_PAGES = """
#let data = json(bytes(sys.inputs.data))
#let (across, down, margin, gap) = (data.across * 1mm, data.down * 1mm, 15mm, 8mm)
#set document(title: data.title, date: none)
#set text(font: data.font, size: 10pt, fill: rgb(data.ink), lang: data.language, dir: if data.rtl { rtl } else { ltr })
#set par(justify: false, leading: 0.6em)
#let heading = align(center, text(size: 13pt, data.title))
#let panel(place, picture) = {
  align(center, picture)
  if data.labels.at(place) != "" { align(center, text(size: 9pt, fill: rgb(data.muted), data.labels.at(place))) }
  if data.captions.at(place) != "" { align(start, data.captions.at(place)) }
}
#let drawn(place, unit) = image(bytes(data.pictures.at(place)), format: "svg", width: data.widths.at(place) * unit,
  alt: data.descriptions.at(place))
#context {
  let count = data.pictures.len()
  let plan(lying, each) = {
    let (wide, high) = if lying { (down, across) } else { (across, down) }
    let inside = wide - 2 * margin
    let head = measure(width: inside, heading).height + 8mm
    let texts = range(count).map(place => measure(width: inside, panel(place, block(height: 0pt))).height)
      .fold(0pt, calc.max)
    let room = (high - 2 * margin - head - (each - 1) * gap) / each - texts - 4mm
    let largest = data.largest.at(each - 1) * 1pt
    let unit = calc.min(largest, inside / calc.max(..data.widths), room / calc.max(..data.heights))
    (wide: wide, high: high, each: each, unit: unit)
  }
  let plans = (plan(false, 2), plan(false, 1), plan(true, 1))
  let readable = plans.filter(each => each.unit >= data.readable * 1pt)
  let best = if readable.len() > 0 { readable.first() } else {
    plans.fold(plans.first(), (one, other) => if other.unit > one.unit { other } else { one })
  }
  let unit = calc.max(best.unit, 0.02pt)
  for first in range(0, count, step: best.each) {
    page(width: best.wide, height: best.high, margin: margin, fill: rgb(data.paper), {
      heading
      v(3mm)
      grid(columns: (1fr,), row-gutter: gap,
        ..range(first, calc.min(count, first + best.each)).map(place => panel(place, drawn(place, unit))))
    })
  }
}
"""

# Slides are pictures, so that they are the same as SVG, PNG and PDF.
_SLIDES = """
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title, date: none)
#set page(width: 960pt, height: 540pt, margin: 0pt)
#for (place, slide) in data.pictures.enumerate() {
  if place > 0 { pagebreak() }
  image(bytes(slide), format: "svg", width: 960pt, alt: data.descriptions.at(place))
}
"""

LARGEST, READABLE = (1.2, 0.75), 0.56
"""Points for a pixel of a picture: at most, alone on a page and beside another; and where its notes have 7 points."""
MILLIMETRES = {"a4": (210, 297), "letter": (215.9, 279.4)}


def pdf(picture: Picture, theme: str) -> bytes:
    return typst_pdf(_ONE, _data(picture.board.title, [picture], theme))


def pages_pdf(
    title: str,
    pictures: Sequence[Picture],
    labels: Sequence[str],
    captions: Sequence[str],
    theme: str = "light",
    size: str = "a4",
) -> bytes:
    """One or two pictures on a page, each with its label and its caption."""
    colours, language = DARK if theme == "dark" else LIGHT, pictures[0].board.language
    across, down = MILLIMETRES[size]
    data = _data(title, pictures, theme) | {
        "across": across,
        "down": down,
        "labels": labels,
        "captions": captions,
        "widths": [picture.width for picture in pictures],
        "heights": [picture.height for picture in pictures],
        "largest": LARGEST,
        "readable": READABLE,
        "language": language.code,
        "rtl": language.direction == "rtl",
        "font": PICTURE_FAMILY,
        "paper": colours.paper,
        "ink": colours.ink,
        "muted": colours.muted,
    }
    return typst_pdf(_PAGES, data)


def slides_pdf(title: str, slides: Sequence[str], descriptions: Sequence[str]) -> bytes:
    """A page for each."""
    return typst_pdf(_SLIDES, {"title": title, "pictures": slides, "descriptions": descriptions})


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
    document: Any = typst.compile(
        source.encode(), font_paths=folder, ignore_system_fonts=not system_fonts, sys_inputs=inputs
    )
    return bytes(document)


MOST_PIXELS = 120_000_000
USUAL_SCALE = 2.0


def png(text: str, across: float, down: float, scale: float | None) -> bytes:
    """Of an SVG of a size; without a scale, as large as is usual, or as there is room."""
    if scale is None:
        # A little less than the root: the file's sides are rounded up.
        scale = min(USUAL_SCALE, 0.999 * (MOST_PIXELS / (across * down)) ** 0.5)
    width, height = scale * across, scale * down
    if width * height > MOST_PIXELS:
        size = f"{width:,.0f} x {height:,.0f} pixels"
        raise UsageError(f"the picture would have {size}; choose a smaller --scale, fewer --leaves, or SVG")
    with needs_extra("draw"):
        # Imported only here: it belongs to an extra.
        from resvg_py import svg_to_bytes
    # System fonts are looked for only if the shipped one is not enough: with it alone, every machine draws the same.
    alone = covered(text)
    image = svg_to_bytes(
        svg_string=text,
        zoom=scale,
        font_files=[str(PICTURE_FONTS / "DejaVuSans.ttf")],
        skip_system_fonts=alone,
        font_family=PICTURE_FAMILY,
        sans_serif_family=PICTURE_FAMILY,
    )
    return bytes(image)
