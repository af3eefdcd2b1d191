"""A field that breaks a rule, in words for whoever sent it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.kernel import PlymarkError, quoted


class Unfit(PlymarkError):
    """The field, a stable code, what is wrong with it and what to write instead."""

    def __init__(self, field: str, code: str, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.field = field
        self.code = code
        self.message = message
        self.hint = hint


def one_of(allowed: Sequence[str], value: Any, field: str) -> str:
    """The value, if it is among those allowed."""
    if isinstance(value, str) and value in allowed:
        return value
    found = quoted(value) if isinstance(value, str) else "something else"
    raise Unfit(field, "wrong-value", f"{field} is one of {', '.join(allowed)}, not {found}")
