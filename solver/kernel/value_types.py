"""What classes of values share: a property computed once, a picture in notebooks, a text in several languages."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from typing import Any, Generic, Self, TypeVar, overload

Found = TypeVar("Found")


class lazy(Generic[Found]):  # noqa: N801
    def __init__(self, compute: Callable[[Any], Found]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...
    @overload
    def __get__(self, owner: object, kind: type) -> Found: ...
    def __get__(self, owner: object | None, kind: type) -> Self | Found:
        if owner is None:
            return self
        # Kept beside the fields of the instance, where Python finds it before it comes here again.
        value = owner.__dict__[self.name] = self.compute(owner)
        return value


PAINTERS: dict[str, Callable[[Any], str]] = {}
"""By class, what draws it as SVG. Drawing is above what is drawn: the package's door, which knows both, joins them."""


class Pictured:
    __slots__ = ()

    def _repr_svg_(self) -> str:
        return PAINTERS[type(self).__name__](self)


class OwnText(str):
    """As a `str` it is what the document's own language says, or the first; `texts` has all of them by language."""

    texts: Mapping[str, str]

    def __new__(cls, texts: Mapping[str, str], language: str | None = None) -> OwnText:
        instance = super().__new__(cls, texts.get(language or "", next(iter(texts.values()))))
        instance.texts = dict(texts)
        return instance

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
