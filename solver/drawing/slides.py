"""A picture on a slide of 16 to 9: a title, the tree as large as there is room, and its caption in large letters."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from solver.drawing.measure import text_width
from solver.drawing.placed import Picture
from solver.drawing.style import style_sheet
from solver.drawing.svg_markup import svg
from solver.drawing.svg_text import PDI, RLI, length, markup, text_at

ACROSS, DOWN, MARGIN = 1920.0, 1080.0, 56.0
TITLE_SIZE, COUNT_SIZE = 40.0, 28.0
TREE_ACROSS, TREE_DOWN = 1808.0, 750.0
"""The room for a tree between a title and a caption of two lines."""
CAPTION_SIZES = (36.0, 32.0, 28.0, 24.0, 20.0, 16.0)
"""The first in which a caption takes no more than so much of a slide, or the last."""
MOST_CAPTION = 0.3
LINE = 1.35
LARGEST = 2.6
"""Of a pixel of the picture: a tree of three nodes is not to fill a wall."""

# What is isolated is a name, a number or a formula, and is not broken.
_WORDS = re.compile("(?:\u2068[^\u2069]*\u2069|[^ \u2068])+")


def slide(picture: Picture, title: str, count: str, caption: str, theme: str = "auto") -> str:
    """`count` says which of the stages it is; a slide without a stage has neither that nor a caption."""
    return "\n".join(_lines(picture, title, count, caption, theme)) + "\n"


def _lines(picture: Picture, title: str, count: str, caption: str, theme: str) -> Iterator[str]:
    language = picture.board.language
    inside = ACROSS - 2 * MARGIN

    def turned(line: str) -> str:
        # Not every renderer finds out by itself which way a line runs.
        return f"{RLI}{line}{PDI}" if language.direction == "rtl" else line

    size, told = _fitted(caption, inside)
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plymark slide" width="{ACROSS:g}" height="{DOWN:g}" '
        f'viewBox="0 0 {ACROSS:g} {DOWN:g}" lang="{language.code}" role="group" aria-labelledby="slide-title">'
    )
    yield f'<title id="slide-title">{markup(" · ".join(filter(None, (title, count))))}</title>'
    yield f"<style>{style_sheet(theme)}</style>"
    yield f'<rect class="paper" width="{ACROSS:g}" height="{DOWN:g}"/>'
    top = MARGIN
    if title:
        heads = _broken(title, TITLE_SIZE, inside)[:2]
        for row, line in enumerate(heads):
            yield text_at(ACROSS / 2, top + TITLE_SIZE * (0.8 + LINE * row), line, "title", "middle", TITLE_SIZE)
        top += TITLE_SIZE * LINE * len(heads)
    bottom = DOWN - MARGIN - size * LINE * len(told)
    for row, line in enumerate(told):
        yield text_at(ACROSS / 2, bottom + size * (0.95 + LINE * row), turned(line), "told", "middle", size)
    if count:
        bottom -= COUNT_SIZE * LINE
        yield text_at(ACROSS / 2, bottom + COUNT_SIZE * 0.95, turned(count), "row", "middle", COUNT_SIZE)
    yield from _tree(picture, inside, top, bottom - (COUNT_SIZE / 2 if count else 0), theme)
    yield "</svg>"


def _tree(picture: Picture, inside: float, top: float, bottom: float, theme: str) -> Iterator[str]:
    """The picture in the middle of what is left."""
    scale = min(LARGEST, inside / picture.width, (bottom - top) / picture.height)
    width, height = scale * picture.width, scale * picture.height
    x, y = (ACROSS - width) / 2, top + (bottom - top - height) / 2
    place = f'x="{length(x)}" y="{length(y)}" width="{length(width)}" height="{length(height)}"'
    drawn = svg(picture, theme, "tree-", styled=False)
    yield re.sub(r'width="[\d.]+" height="[\d.]+"', lambda _: place, drawn, count=1)


def _fitted(caption: str, inside: float) -> tuple[float, list[str]]:
    """The size of a caption, and its lines."""
    size, told = 0.0, list[str]()
    for size in CAPTION_SIZES:
        told = _broken(caption, size, inside)
        if size * LINE * len(told) <= MOST_CAPTION * DOWN:
            break
    return size, told


def _broken(text: str, size: float, width: float) -> list[str]:
    """Lines of about the same length, none wider than there is room, if its words allow."""
    words = _WORDS.findall(text)
    if not words:
        return []
    greedy = _filled(words, size, width)
    # The narrowest width that needs no more lines: a last line of one word looks lost.
    low, high = 0.0, width
    for _ in range(12):
        middle = (low + high) / 2
        low, high = (low, middle) if len(_filled(words, size, middle)) <= len(greedy) else (middle, high)
    return _filled(words, size, high)


def _filled(words: Sequence[str], size: float, width: float) -> list[str]:
    lines: list[str] = []
    for word in words:
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
