"""Sentences in several languages, with numbers, windows and names written as each language writes them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.languages.codes import DECIMAL_COMMA, LANGUAGES

if TYPE_CHECKING:
    from solver.languages.facts import (
        Amount,
        Between,
        Fact,
        Formula,
        Items,
        Limit,
        NameRun,
        Percent,
        Sentence,
        choice_name,
        convention_name,
    )
    from solver.languages.translation import Catalogue, Language, language, read_catalogue

__all__ = [
    "DECIMAL_COMMA",
    "LANGUAGES",
    "Amount",
    "Between",
    "Catalogue",
    "Fact",
    "Formula",
    "Items",
    "Language",
    "Limit",
    "NameRun",
    "Percent",
    "Sentence",
    "choice_name",
    "convention_name",
    "language",
    "read_catalogue",
]

# Loaded when first asked for: most commands need no more than the names of the languages, and a web server its own
# catalogues.
_LATER = {
    "solver.languages.facts": (
        "Amount",
        "Between",
        "Fact",
        "Formula",
        "Items",
        "Limit",
        "NameRun",
        "Percent",
        "Sentence",
        "choice_name",
        "convention_name",
    ),
    "solver.languages.translation": (
        "Catalogue",
        "Language",
        "language",
        "read_catalogue",
    ),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
