"""The grader's sentences: its own catalogues, which lie in this folder, beside the solver's."""

from __future__ import annotations

from pathlib import Path

from solver.languages import Language, language

CATALOGUES = Path(__file__).parent


def words_of(code: str) -> Language:
    return language(code, CATALOGUES)
