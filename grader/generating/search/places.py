"""Where in the recipe something is written that is wrong in an exercise made from it.

Questions, convention and marking are copied into each exercise, with other names but in the same order. So every part
of them corresponds to the part of the recipe at the same position.
"""

from __future__ import annotations

from itertools import chain
from typing import Any

from solver.documents import Document, Marks

COPIED = ("questions", "convention", "marking")


def marks_in_recipe(data: dict[str, Any], recipe: Document) -> Marks:
    """For all that an exercise copies, the marks of the recipe; the rest of the exercise has none."""
    written = recipe.data
    assert isinstance(written, dict)
    own = recipe.marks[id(written)]
    of_key = {key: own[2 * position + 1 : 2 * position + 3] for position, key in enumerate(written)}
    marks = {id(data): [own[0], *chain.from_iterable(of_key.get(key, of_key["questions"]) for key in data)]}
    pending: list[tuple[Any, Any]] = [(data[key], written[key]) for key in COPIED if key in data]
    while pending:
        here, there = pending.pop()
        if isinstance(here, dict | list):
            marks[id(here)] = recipe.marks[id(there)]
            items = (each.values() if isinstance(each, dict) else each for each in (here, there))
            pending.extend(zip(*items, strict=True))
    return marks
