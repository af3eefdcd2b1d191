"""The stages of a search in front of a class: a slide of 16 to 9 with a title, the tree as large as there is room, and
its caption in large letters; or one web page to project, a picture at a time with its caption, stepped or played.

The page needs nothing else: no network, no font, no server. Without its script, and on paper, all stages follow one
another. All strings are in the markup, escaped; the script holds none and writes none but those.

Where a language is written from right to left, so are the title, the caption and the controls, and ← is the next
stage: the buttons are that way round, and browsers' own sliders grow that way too. The tree is the same tree in
every language: it is not mirrored, and inside it an arrow key goes where it points.
"""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

from solver.drawing.picture_parts import Picture
from solver.drawing.picture_style import DARK, LIGHT, Theme, style_sheet, text_width
from solver.drawing.svg_picture import PDI, RLI, length, markup, svg, text_at
from solver.languages.facts import Amount
from solver.languages.translation import Language

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
    return "\n".join(_slide_lines(picture, title, count, caption, theme)) + "\n"


def _slide_lines(picture: Picture, title: str, count: str, caption: str, theme: str) -> Iterator[str]:
    language = picture.board.language
    inside = ACROSS - 2 * MARGIN

    def turned(line: str) -> str:
        # Not every renderer finds out by itself which way a line runs.
        return f"{RLI}{line}{PDI}" if language.direction == "rtl" else line

    size, caption_lines = _fitted(caption, inside)
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
    bottom = DOWN - MARGIN - size * LINE * len(caption_lines)
    for row, line in enumerate(caption_lines):
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
    size, caption_lines = 0.0, list[str]()
    for size in CAPTION_SIZES:
        caption_lines = _broken(caption, size, inside)
        if size * LINE * len(caption_lines) <= MOST_CAPTION * DOWN:
            break
    return size, caption_lines


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


SECONDS = (1, 2, 4, 8, 15)
USUAL_SECONDS = 4
NOTES = {
    "windows": "page.notes.windows",
    "intervals": "page.notes.intervals",
    "values": "page.notes.values",
}
"""What is beside the nodes; captions speak of windows, so they come first. Their first letters are keys."""
SIZES = (100, 150, 200, 300, 400)
"""Per cent of the size at which the whole tree is seen."""

_ICONS = {
    "previous": "M15 4 7 12l8 8",
    "next": "M9 4l8 8-8 8",
    "play": "M7 4v16l13-8z",
    "pause": "M7 4v16M17 4v16",
}


def stages_page(
    title: str,
    pictures: Sequence[Picture],
    captions: Sequence[str],
    language: Language,
    numbers: Sequence[int],
    total: int,
    theme: str = "auto",
) -> str:
    """One caption and one number for each picture, out of `total`; `#3` after the page's address opens stage 3."""
    if not pictures or not len(pictures) == len(captions) == len(numbers):
        raise ValueError(f"{len(pictures)} pictures and {len(captions)} captions: a stage has one of each")
    headings = {number: language.say("page.stage", number=Amount(number), total=Amount(total)) for number in numbers}
    lines = _page_lines(title or pictures[0].board.title, headings, pictures, captions, language, theme)
    return "\n".join(lines) + "\n"


def _page_lines(
    title: str,
    headings: Mapping[int, str],
    pictures: Sequence[Picture],
    captions: Sequence[str],
    language: Language,
    theme: str,
) -> Iterator[str]:
    script = _file("stages_page.js")
    yield "<!DOCTYPE html>"
    alternating = pictures[0].board.alternating
    notes = f' data-notes="{next(iter(NOTES))}"' if alternating else ""
    yield f'<html lang="{language.code}" dir="{language.direction}"{notes}>'
    yield "<head>"
    yield '<meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{_policy(script)}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1">'
    yield f"<title>{markup(title)}</title>"
    yield f"<style>{_colours(theme)}\n{_file('stages_page.css')}{_picture_style(theme)}</style>"
    yield f"<script>{script}</script>"
    yield "</head>"
    yield "<body>"
    yield f'<header><h1 dir="auto">{markup(title)}</h1></header>'
    yield "<main>"
    for (number, heading), picture, caption in zip(headings.items(), pictures, captions, strict=True):
        yield from _stage(number, heading, picture, caption, theme)
    yield from _player(len(pictures), language, alternating)
    yield "</main>"
    yield f'<footer class="player-only">{_help(language, alternating)}</footer>'
    yield "</body>"
    yield "</html>"


def _stage(number: int, heading: str, picture: Picture, caption: str, theme: str) -> Iterator[str]:
    drawn = svg(picture, theme, prefix=f"s{number}-", styled=False)
    # Who is below whom, for the keys in the tree.
    parents = " ".join(map(str, _parents(picture)))
    yield f'<section class="stage" id="{number}" aria-labelledby="stage-{number}">'
    yield f'<h2 id="stage-{number}">{markup(heading)}</h2>'
    yield (
        f'<div class="picture" dir="ltr" data-parents="{parents}" '
        f'style="--width:{length(picture.width)};--height:{length(picture.height)}">'
    )
    yield f"{drawn}</div>"
    yield f'<p class="caption">{markup(caption)}</p>'
    yield "</section>"


def _parents(picture: Picture) -> list[int]:
    """The place of each item's parent, -1 for the root."""
    parents = [-1] * len(picture.board.items)
    for place, children in enumerate(picture.board.children):
        for child in children:
            parents[child] = place
    return parents


def _player(total: int, language: Language, alternating: bool) -> Iterator[str]:
    def word(key: str) -> str:
        return markup(language.say(key))

    yield '<div class="told player-only" aria-live="polite" aria-atomic="true">'
    yield '<p id="player-count"></p>'
    yield '<p id="player-caption"></p>'
    yield "</div>"
    yield f'<div class="controls player-only" role="group" aria-label="{word("page.controls")}">'
    yield '<div class="buttons">'
    yield _button("previous", f"{_icon('previous')}<span>{word('page.previous')}</span>")
    # One button with two faces, of which one is shown.
    faces = (("play", "page.play"), ("pause", "page.pause"))
    play = "".join(f'<span class="{name}">{_icon(name)}<span>{word(key)}</span></span>' for name, key in faces)
    yield _button("play", play)
    yield _button("next", f"<span>{word('page.next')}</span>{_icon('next')}")
    yield "</div>"
    yield f'<input id="player-slider" type="range" min="1" max="{total}" value="1" aria-label="{word("page.slider")}">'
    if alternating:
        yield f'<label><span>{word("page.notes")}</span> <select id="player-notes">'
        for name, key in NOTES.items():
            yield f'<option value="{name}">{word(key)}</option>'
        yield "</select></label>"
    yield f'<label><span>{word("page.speed")}</span> <select id="player-seconds">'
    for seconds in SECONDS:
        chosen = " selected" if seconds == USUAL_SECONDS else ""
        yield f'<option value="{seconds}"{chosen}>{markup(language.say("page.seconds", seconds))}</option>'
    yield "</select></label>"
    yield f'<label><span>{word("page.size")}</span> <select id="player-size">'
    for size in SIZES:
        text = language.say("page.size.whole") if size == SIZES[0] else language.percent(size)
        yield f'<option value="{size}">{markup(text)}</option>'
    yield "</select></label>"
    yield "</div>"


def _button(name: str, content: str) -> str:
    return f'<button type="button" id="player-{name}">{content}</button>'


def _icon(name: str) -> str:
    return f'<svg class="icon {name}" viewBox="0 0 24 24" aria-hidden="true"><path d="{_ICONS[name]}"/></svg>'


def _help(language: Language, alternating: bool) -> str:
    """Which keys do what; the arrows of `previous` and `next` are those of the language's direction."""
    back, forth = ("→", "←") if language.direction == "rtl" else ("←", "→")
    lines = (
        ("page.help.previous", (back, "page.key.page-up")),
        ("page.help.next", (forth, "page.key.page-down")),
        ("page.help.play-or-pause", ("page.key.space",)),
        ("page.help.first", ("page.key.home",)),
        ("page.help.last", ("page.key.end",)),
        *((("page.help.notes", tuple(name[0].upper() for name in NOTES)),) if alternating else ()),
        ("page.help.tree", ("page.key.tab",)),
        ("page.help.in-tree", ("↑", "↓", "←", "→")),
        ("page.help.leave", ("page.key.escape",)),
    )
    items = []
    for does, keys in lines:
        caps = (language.say(key) if key.startswith("page.") else key for key in keys)
        row = " ".join(f"<kbd>{markup(cap)}</kbd>" for cap in caps)
        # Arrows point where they point; letters are read in the order of what they do.
        direction = language.direction if does == "page.help.notes" else "ltr"
        items.append(f'<li><span dir="{direction}">{row}</span> {markup(language.say(does))}</li>')
    return f'<ul class="keys" aria-label="{markup(language.say("page.help"))}">{"".join(items)}</ul>'


def _policy(script: str) -> str:
    """The page's own script runs, known by its hash, and no other; nothing is loaded from anywhere."""
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    allowed = f"style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    return f"default-src 'none'; {allowed}; base-uri 'none'; form-action 'none'"


def _picture_style(theme: str) -> str:
    """Once for all pictures. Paper is white, so even a dark page is printed light."""
    return style_sheet(theme) + (f"@media print{{{style_sheet('light')}}}" if theme == "dark" else "")


def _colours(theme: str) -> str:
    """The page has the colours of its pictures."""
    light, dark = _variables(LIGHT, "light"), _variables(DARK, "dark")
    if theme == "light":
        return light
    if theme == "dark":
        return f"{dark}@media print{{{light}}}"
    return f"{light}@media screen and (prefers-color-scheme:dark){{{dark}}}"


def _variables(theme: Theme, scheme: str) -> str:
    names = ("paper", "ink", "muted", "faint", "accent")
    return f":root{{color-scheme:{scheme};{''.join(f'--{name}:{getattr(theme, name)};' for name in names)}}}"


@cache
def _file(name: str) -> str:
    return (Path(__file__).parent / name).read_text(encoding="utf-8")
