"""A title or text that its author wrote in several languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any


class OwnText(str):
    """As a `str` it is what the document's own language says, or the first; `texts` has all of them by language."""

    texts: Mapping[str, str]

    def __new__(cls, texts: Mapping[str, str], language: str | None = None) -> OwnText:
        made = super().__new__(cls, texts.get(language or "", next(iter(texts.values()))))
        made.texts = dict(texts)
        return made

    def __getnewargs__(self) -> tuple[Any, ...]:
        return (self.own_first(),)

    def own_first(self) -> dict[str, str]:
        """All texts, from which an equal one is made without saying which language is the document's own."""
        return dict(sorted(self.texts.items(), key=lambda each: each[1] != self))


def own_text(written: Any, language: str | None = None) -> str | None:
    """What a document has for a title or text, in NFC: a text, or a mapping from languages to texts."""
    if isinstance(written, dict):
        texts = {str(code): text for code, each in written.items() if (text := own_text(each)) is not None}
        return OwnText(texts, language) if texts else None
    return unicodedata.normalize("NFC", written) if isinstance(written, str) else None


def in_language(text: str, code: str) -> str:
    """A title or text in a language, where its author wrote it in that one."""
    return text.texts.get(code, str(text)) if isinstance(text, OwnText) else text


def as_written(text: str) -> str | dict[str, str]:
    """What a document has for it."""
    return dict(text.texts) if isinstance(text, OwnText) else text
