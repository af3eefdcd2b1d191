"""Exercises made from a recipe."""

from __future__ import annotations

from grader.generating.generate import Generation
from grader.generating.recipe.read import MOST_EXERCISES, load_recipe_bytes
from grader.generating.write.generated import Generated
from grader.service.tasks.refusing import refusing
from solver.kernel import UsageError
from solver.render import json_bytes


def generate_few(raw: bytes, count: int | None, seed: str | None, most: int) -> bytes | int:
    """`generate`; but if more than `most` are wanted, none is made, and the answer is how many."""
    with refusing():
        recipe = load_recipe_bytes(raw)
        wanted = recipe.count if count is None else count
        return wanted if most < wanted <= MOST_EXERCISES else generate(raw, count, seed)


def generate(raw: bytes, count: int | None = None, seed: str | None = None) -> bytes:
    """`{seed, exercises}` as JSON: what `plymark generate` writes into a folder, without the cards. Without a seed one
    is drawn."""
    with refusing():
        drawn, made = exercises_of(raw, count, seed)
        return json_bytes({"seed": drawn, "exercises": [each.data for each in made]})


def exercises_of(raw: bytes, count: int | None, seed: str | None) -> tuple[str, list[Generated]]:
    """The exercises of a recipe, and the seed that they were made with; UsageError for a count that cannot be made."""
    if count is not None and not 1 <= count <= MOST_EXERCISES:
        raise UsageError(f"so many exercises cannot be made: count is from 1 to {MOST_EXERCISES:,}")
    generation = Generation(load_recipe_bytes(raw), count, seed)
    return generation.seed.text, list(generation)
