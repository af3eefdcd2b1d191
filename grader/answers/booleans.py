"""Yes and no."""

from __future__ import annotations

from typing import Any

from grader.answers.refusal import Unreadable, reader
from grader.answers.signs import text_of
from grader.answers.words import FALSE_SET, TRUE_SET, phrase


@reader
def boolean(raw: Any) -> bool:
    word = phrase(text_of(raw).rstrip("."))
    if word in TRUE_SET:
        return True
    if word in FALSE_SET:
        return False
    raise Unreadable("unreadable.boolean")
