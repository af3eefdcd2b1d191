"""Where in a recipe the cause of a problem in one of its exercises is.

Questions, convention and marking are copied into each exercise, with other names but in the same order. So a part
of an exercise, given by its positions from the outside in, is in the recipe at the same positions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.documents.exercise import EXERCISE
from solver.documents import Document
from solver.kernel import DEFAULT_LIMITS, Place, Problem, ProblemLog
from solver.pipeline import read_document

COPIED = ("questions", "convention", "marking")

Path = tuple[str | int, ...]
"""A key of the document, then positions in lists and mappings; at last whether the key is meant, or its value."""


def copied_places(document: Document) -> dict[Path, Place]:
    """By path the place of every key and value that exercises copy."""
    data: Any = document.data
    found: dict[Path, Place] = {}
    for name in COPIED:
        if name in data:
            found[name, "value"] = document.place(data, name)
            _note(document, data[name], (name,), found)
    return found


def _note(document: Document, data: Any, path: Path, found: dict[Path, Place]) -> None:
    """Questions are nested a few levels deep, and the reader limits how many."""
    if isinstance(data, dict):
        for position, key in enumerate(data):
            found[*path, position, "key"] = document.key_place(data, key)
            found[*path, position, "value"] = document.place(data, key)
            _note(document, data[key], (*path, position), found)
    elif isinstance(data, list):
        for position, item in enumerate(data):
            found[*path, position, "value"] = document.place(data, position)
            _note(document, item, (*path, position), found)


def in_recipe(
    problems: list[Problem], exercise: bytes, recipe: Mapping[Path, Place], otherwise: Place
) -> list[Problem]:
    """The problems of an exercise at their places in the recipe; what has none there is at `otherwise`."""
    document = read_document(exercise, "exercise.yaml", EXERCISE, DEFAULT_LIMITS, ProblemLog(DEFAULT_LIMITS.problems))
    # Of several paths with one place, such as a list and its first item, the outermost comes first.
    path_at: dict[Place, Path] = {}
    for path, place in ({} if document is None else copied_places(document)).items():
        path_at.setdefault(place, path)
    found = []
    for problem in problems:
        place = recipe.get(path_at.get(problem.place, ()), otherwise)
        found.append(Problem(place, problem.code, problem.message, problem.hint))
    return sorted(dict.fromkeys(found))
