"""Exercises made from a recipe."""

from __future__ import annotations

from grader.generating.generate import Generation
from grader.generating.recipe.read import MOST_EXERCISES, load_recipe_bytes
from grader.generating.write.generated import Generated
from grader.service.work.tasks.refusing import refusing
from solver.kernel import UsageError
from solver.render import json_bytes


def generate(raw: bytes, count: int | None = None, seed: str = "0", most: int | None = None) -> bytes | int:
    """`{seed, exercises}` as JSON: what `plymark generate` writes into a folder, without the cards. If more than `most`
    are wanted, none is made, and the answer is how many."""
    with refusing():
        recipe = load_recipe_bytes(raw)
        wanted = recipe.count if count is None else count
        if most is not None and most < wanted <= MOST_EXERCISES:
            return wanted
        return json_bytes({"seed": seed, "exercises": [each.data for each in made(raw, count, seed)]})


def made(raw: bytes, count: int | None, seed: str) -> list[Generated]:
    """The exercises of a recipe; UsageError for a count that cannot be made."""
    if count is not None and not 1 <= count <= MOST_EXERCISES:
        raise UsageError(f"so many exercises cannot be made: count is from 1 to {MOST_EXERCISES:,}")
    return list(Generation(load_recipe_bytes(raw), count, seed))
