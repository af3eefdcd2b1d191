"""Pictures as PDF, by Typst: one picture on a page of its size, or the stages of a search on one page, as in a book."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from solver.drawing.measure import FAMILY, FONTS
from solver.drawing.picture import Picture
from solver.drawing.svg import svg
from solver.extras import needs_extra
from solver.languages.language import Language

# All text comes in as data, so none of it can be markup.
_ONE = """
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title, date: none)
#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(data.pictures.at(0)), format: "svg", alt: data.descriptions.at(0))
"""

_FIGURE = """
#let data = json(bytes(sys.inputs.data))
#set document(title: data.title, date: none)
#set text(font: data.font, size: 8pt, lang: data.language, dir: if data.rtl { rtl } else { ltr })
#set par(justify: false, leading: 0.55em)
#set page(width: 210mm, height: 297mm, margin: 15mm)
#let panel(place) = layout(size => {
  set align(center)
  image(bytes(data.pictures.at(place)), format: "svg", width: data.shares.at(place) * size.width,
    alt: data.descriptions.at(place))
  v(-4pt)
  text(size: 9pt, data.labels.at(place))
  if data.captions.at(place) != "" {
    set align(start)
    v(-3pt)
    text(data.captions.at(place))
  }
})
#let figure-of(scale) = [
  #align(center, text(size: 12pt, data.title))
  #v(4pt)
  #grid(columns: (1fr,) * data.columns, column-gutter: 8mm, row-gutter: 5mm,
    ..range(data.pictures.len()).map(panel))
]
#layout(size => {
  // One page, whatever it takes: the figure is drawn on a larger sheet and reduced to fit.
  let factor = 1.0
  let content = block(width: size.width, figure-of(1))
  let tall = measure(content, width: size.width).height
  while tall / factor > size.height and factor < 12 {
    factor = factor * 1.1
    content = block(width: size.width * factor, figure-of(1))
    tall = measure(content, width: size.width * factor).height
  }
  scale(100% / factor, origin: top + left, reflow: true, content)
})
"""


def pdf(picture: Picture, theme: str) -> bytes:
    return _compiled(_ONE, _data(picture.board.title, [picture], theme))


def figure_pdf(
    title: str, pictures: Sequence[Picture], labels: Sequence[str], captions: Sequence[str], language: Language
) -> bytes:
    """All pictures on one page in a grid, each with its label and its caption."""
    widest = max(picture.width for picture in pictures)
    data = _data(title, pictures, "light") | {
        "labels": labels,
        "captions": captions,
        "columns": _columns(pictures),
        "shares": [picture.width / widest for picture in pictures],
        "language": language.code,
        "rtl": language.direction == "rtl",
        "font": FAMILY,
    }
    return _compiled(_FIGURE, data)


def _columns(pictures: Sequence[Picture]) -> int:
    """Wide pictures one below the other, others in two columns, small ones in three, as they fill a page best."""
    width = max(picture.width for picture in pictures)
    height = max(picture.height for picture in pictures) + 60
    page = 180 / 267
    return min(range(1, 5), key=lambda columns: abs(columns * width / (-(-len(pictures) // columns) * height) - page))


def _data(title: str, pictures: Sequence[Picture], theme: str) -> dict[str, Any]:
    return {
        "title": title,
        "pictures": [svg(picture, "dark" if theme == "dark" else "light") for picture in pictures],
        "descriptions": [f"{picture.board.title}. {picture.board.description}" for picture in pictures],
    }


def _compiled(source: str, data: dict[str, Any]) -> bytes:
    with needs_extra("pdf"):
        # Imported only here: it belongs to an extra.
        import typst
    folder: list[Any] = [str(FONTS)]
    made: Any = typst.compile(source.encode(), font_paths=folder, sys_inputs={"data": json.dumps(data)})
    return bytes(made)
