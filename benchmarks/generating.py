"""Generating: trees examined and exercises accepted per second for every ready recipe, and the time for a thousand."""

from __future__ import annotations

from time import perf_counter

from benchmarks.commands import ROOT
from benchmarks.games import SEED
from benchmarks.measure import title
from grader.generating.generation import generate
from grader.generating.recipe_file import load_recipe
from grader.generating.recipe_parts import Recipe

COUNT, QUICK_COUNT = 30, 3
MANY, QUICK_MANY = 1_000, 5
SHOWCASE = "alpha-beta-hard"


def generating(quick: bool) -> None:
    """Rates of this machine; nothing else makes such exercises, so there is no ratio."""
    title("Generating: exercises by the ready recipes, each verified and with its quality card")
    count = QUICK_COUNT if quick else COUNT
    for path in sorted((ROOT / "recipes").glob("*.yaml")):
        recipe = load_recipe(path)
        seconds, examined = _timed(recipe, count)
        print(
            f"  {recipe.id}: {count} in {seconds:.2f} s; {examined / seconds:,.0f} trees examined and "
            f"{count / seconds:,.1f} exercises accepted per second, 1 of {examined / count:,.0f}"
        )
    many = QUICK_MANY if quick else MANY
    seconds, examined = _timed(load_recipe(ROOT / "recipes" / f"{SHOWCASE}.yaml"), many)
    print(f"  {many:,} parallel variants of {SHOWCASE}: {seconds:.1f} s, {examined:,} trees examined")


def _timed(recipe: Recipe, count: int) -> tuple[float, int]:
    start = perf_counter()
    made = generate(recipe, count, SEED)
    return perf_counter() - start, sum(each.examined for each in made)
