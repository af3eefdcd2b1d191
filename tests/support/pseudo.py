"""A pseudo-language: the English catalogues with every letter replaced; a plain letter did not come from them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path
from unittest.mock import patch

import grader.service.http.page_texts as web_texts
from solver.languages import Catalogue, read_catalogue, translation
from tests.support.command import plymark_within

_LETTERS = str.maketrans(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", "áƀćďéƒğĥíĵķĺɱńóþʠŕśťúʋŵχýźÁɃĆĎÉƑĞĤÍĴĶĹⱮŃÓÞƢŔŚŤÚƲŴΧÝŹ"
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9_-]+")
SPOKEN = frozenset({"alt", "aria-label", "aria-description", "aria-roledescription", "placeholder", "title"})
"""Attributes that people read or hear."""
JOINTS = {"and", "or", "ln", "if", "then", "else"}
"""Babel has the first two in every language; the others are notation, of formulas and of plans."""


def disguised(text: str) -> str:
    return text.translate(_LETTERS)


def _read(file: Path, right_to_left: bool) -> Catalogue:
    read = read_catalogue(file, right_to_left)
    forms = {
        key: tuple(tuple((disguised(text), name) for text, name in form) for form in each)
        for key, each in read.forms.items()
    }
    return Catalogue(forms, read.plural)


@contextmanager
def pseudo_language() -> Iterator[None]:
    """English is the pseudo-language within."""

    def forget() -> None:
        translation._language.cache_clear()
        web_texts.texts_of.cache_clear()

    forget()
    try:
        with patch.object(translation, "read_catalogue", _read), patch.object(web_texts, "read_catalogue", _read):
            yield
    finally:
        forget()


class _Page(HTMLParser):
    """What a page says: its text, and the attributes that are read or heard."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.silent = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.silent += tag in ("script", "style")
        self.said += [value or "" for name, value in attrs if name in SPOKEN]

    def handle_endtag(self, tag: str) -> None:
        self.silent -= tag in ("script", "style")

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.said.append(data)


def page_says(html: str) -> str:
    page = _Page()
    page.feed(html)
    return "\n".join(page.said)


def plain_words(text: str) -> set[str]:
    """Words that came from no catalogue."""
    return set(_WORD.findall(text))


def own_words(*files: Path) -> set[str]:
    """Words of documents and of the games that they name: ids, titles, texts, names."""
    found: set[str] = set()
    for file in files:
        text = file.read_text("utf-8")
        found |= plain_words(text)
        for game in re.findall(r"^game: (\S+)$", text, re.MULTILINE):
            found |= own_words(file.parent / game)
    return found


def said_by(*arguments: str | Path) -> str:
    ran = plymark_within(*arguments)
    assert ran.code == 0, ran.stderr
    return ran.stdout


def left(text: str, *files: Path) -> set[str]:
    """Plain words that are nobody's own; moves and leaves have names without being written."""
    words = plain_words(text) - own_words(*files) - JOINTS
    return {word for word in words if not re.fullmatch(r"[A-Za-z]{1,2}\d+(-[A-Z]\d+)?|s\d-[a-z]+\d", word)}
