"""Signs: one form for the many in which people type the same digit, minus or bracket; words without accents."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from grader.answers.refusal import Unreadable

# Controls, soft hyphens, overrides of direction and lone surrogates show something else than they say. A heap of
# combining marks says nothing, and putting it in order takes long.
_FORBIDDEN = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u00ad\u180e\u2028\u2029\u202d\u202e\ud800-\udfff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
    "|[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]{9}"
)
# Direction marks, embeddings, isolates and zero-width characters.
_INVISIBLE = re.compile("[\u061c\u200b\u200e\u200f\u202a-\u202c\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]")
DIRECTION_MARKS = re.compile("[\u200e\u200f\u2066-\u2069]")
"""They change how a text is laid out and nothing of what it says, so an answer may have them anywhere."""
_LONGEST_KEPT = 64
# A stroke through a sign denies it: ∉ is made of ∈ and a stroke.
_OVERLAYS = "\u0334\u0335\u0336\u0337\u0338\u20d2\u20d3\u20e5\u20eb"
_SPACES = re.compile(r"\s+")
_JOINERS = str.maketrans("", "", "\u200c\u200d'’")
_ARABIC_LETTERS = str.maketrans({"ي": "ی", "ى": "ی", "ك": "ک", "ۀ": "ه", "ة": "ه", "أ": "ا", "إ": "ا", "آ": "ا"})

_FULL_WIDTH = {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)}
_ONE_FORM = str.maketrans(
    {
        **{chr(code): sign for code, sign in _FULL_WIDTH.items()},
        **dict.fromkeys("−–‐‑‒﹣", "-"),
        **dict.fromkeys("⁄∕", "/"),
        **dict.fromkeys("⟨〈⟦", "("),
        **dict.fromkeys("⟩〉⟧", ")"),
        "٫": ".",
        "؛": ";",
        "、": "،",
        "﹢": "+",
        "⁺": "+",
    }
)


def text_of(raw: Any) -> str:
    """A scalar's text: composed, trimmed, blanks as one space, no invisible characters; digits and words as typed."""
    if raw is None:
        raise Unreadable("unreadable.empty")
    if not isinstance(raw, str):
        raise Unreadable("unreadable.shape")
    found = _FORBIDDEN.search(raw)
    if found:
        raise Unreadable("unreadable.character", sign=f"U+{ord(found.group()[0]):04X}")
    text = raw if raw.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFC", raw))
    text = _SPACES.sub(" ", text).strip(" ")
    if not text:
        raise Unreadable("unreadable.empty")
    return text


def without_direction_marks(text: str) -> str:
    return text if text.isascii() else DIRECTION_MARKS.sub("", text)


def missing(raw: Any) -> bool:
    """Whether nothing was written: an absent field or an empty cell. An empty list is an answer."""
    return raw is None or (isinstance(raw, str) and not _INVISIBLE.sub("", raw).strip())


def one_form(text: str) -> str:
    """Digits of every script, minus signs, slashes and full-width signs in their ASCII form."""
    return text if text.isascii() else _ascii_digits(text).translate(_ONE_FORM)


def _ascii_digits(text: str) -> str:
    # `decimal` knows digits that are in a row, so it leaves superscripts alone: 2² is not 22.
    return "".join(str(unicodedata.decimal(sign, sign)) for sign in text)


def folded(name: str) -> str:
    """What names are compared by: any case, any form of its letters and digits, no invisible characters."""
    # Long strings are nobody's names, and would only fill the memory.
    return _cached_fold(name) if len(name) <= _LONGEST_KEPT else _fold(name)


def _fold(name: str) -> str:
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", name)).casefold()
    return _ascii_digits(unicodedata.normalize("NFKC", text)).translate(_ARABIC_LETTERS).strip()


_cached_fold = lru_cache(maxsize=4096)(_fold)


def same_name(first: str, second: str) -> bool:
    """Whether two names are the same except for case, width and direction marks."""
    return folded(first) == folded(second)


def plain_word(word: str) -> str:
    """A word of a language as the vocabulary has it: folded, without accents or joiners (`não`, `nao`)."""
    return _cached_plain(word) if len(word) <= _LONGEST_KEPT else word


@lru_cache(maxsize=4096)
def _cached_plain(word: str) -> str:
    letters = unicodedata.normalize("NFKD", folded(word))
    bare = "".join(sign for sign in letters if not unicodedata.combining(sign) or sign in _OVERLAYS)
    return bare.translate(_JOINERS).translate(_ARABIC_LETTERS)
