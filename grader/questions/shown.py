"""Keys as reports print them: signs that everybody reads, whatever the language."""

from __future__ import annotations

from collections.abc import Sequence

from solver.game import Bound, Window
from solver.render import bound_text, value_text
from solver.search import Value

SIGNS = {"exact": "", "at-most": "≤ ", "at-least": "≥ ", "=": "", "<=": "≤ ", ">=": "≥ ", "<": "< ", ">": "> "}


def worth_text(known: str, value: Value | Bound) -> str:
    """A value, or a bound with its sign."""
    return SIGNS[known] + (bound_text(value) if isinstance(value, str) else value_text(value))


def window_text(window: Window) -> str:
    return f"({bound_text(window[0])}, {bound_text(window[1])})"


def windows_text(windows: Sequence[Window]) -> str:
    return " → ".join(map(window_text, windows))
