"""The numbers of a key in the digits and with the decimal separator of a language."""

from __future__ import annotations

import re
from decimal import Decimal

from grader.questions.presentation import TEXT, VECTOR, WINDOW, WINDOWS
from solver.languages import Language

PARTED = (WINDOW, WINDOWS, VECTOR, TEXT)
"""What has several numbers with commas between them."""
_NUMBER = re.compile(r"(?<![\w.])\d+(\.\d+)?(?![\w.])")
_PERSIAN = str.maketrans(",;", "،؛")
_DECIMAL = re.compile(r"\d\.\d")


def localised(text: str, words: Language, kind: str = "number") -> str:
    """With the language's digits and decimal separator, except in names; semicolons part decimal-comma numbers."""
    commas = words.number(Decimal("0.5")) == "0,5"
    if commas and kind in PARTED and (kind != TEXT or _DECIMAL.search(text)):
        text = text.replace(", ", "; ")
    return punctuated(_NUMBER.sub(lambda found: words.number(Decimal(found[0])), text), words)


def punctuated(text: str, words: Language) -> str:
    """With the language's comma and semicolon between names and numbers."""
    return text.translate(_PERSIAN) if words.direction == "rtl" else text
