"""The ready recipes by topic and level."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from grader.generating.recipe.parts import Recipe
from grader.generating.recipe.read import load_recipe
from solver.kernel import UsageError

EASY, MEDIUM, HARD = LEVELS = ("easy", "medium", "hard")
TOPICS = (
    "minimax",
    "alpha-beta",
    "alpha-beta-trace",
    "ordering",
    "unknown-leaf",
    "depth-limit",
    "opponent",
    "concepts",
    "expectiminimax",
    "star1",
    "star2",
    "maxn",
    "paranoid",
    "teams",
    "and-or",
    "mcts",
)
"""In the order in which they are taught."""


@dataclass(frozen=True, slots=True)
class ReadyRecipe:
    name: str
    topic: str
    level: str


def recipes_folder() -> Path:
    """Beside this package where it is installed, else the repository's."""
    inside = Path(__file__).parents[1] / "recipes"
    return inside if inside.is_dir() else Path(__file__).parents[2] / "recipes"


@lru_cache(maxsize=1)
def ready_recipes() -> dict[str, ReadyRecipe]:
    """By name, in the order of topics, easy ones first."""
    found = [_placed(file.stem) for file in recipes_folder().glob("*.yaml")]
    ordered = sorted(found, key=lambda each: (_place(each.topic), each.topic, LEVELS.index(each.level)))
    return {each.name: each for each in ordered}


def _placed(name: str) -> ReadyRecipe:
    """A recipe without a level in its name has the middle one."""
    topic, _, level = name.rpartition("-")
    return ReadyRecipe(name, topic, level) if level in LEVELS else ReadyRecipe(name, name, MEDIUM)


def _place(topic: str) -> int:
    return TOPICS.index(topic) if topic in TOPICS else len(TOPICS)


@lru_cache(maxsize=128)
def ready_recipe(name: str) -> Recipe:
    """UsageError for a name that is none of the ready recipes'."""
    if name not in ready_recipes():
        raise UsageError(f"there is no ready recipe {name[:60]!r}")
    return load_recipe(recipes_folder() / f"{name}.yaml")


def listed_mistakes(name: str) -> frozenset[str]:
    """The mistakes that every exercise of a recipe shows, as far as the recipe lists them."""
    listed = ready_recipe(name).require.exposes
    return frozenset(listed) if isinstance(listed, tuple) else frozenset()


def fitting(mistake: str, name: str = "") -> list[str]:
    """Recipes in which a mistake may show, nearest first: those that list it, the one at hand, its topic by nearness of
    level, then others. Where none lists it, those of the same topic."""
    ready = ready_recipes()
    here = ready.get(name)

    def distance(each: ReadyRecipe) -> tuple[bool, bool, int]:
        topic = here is None or each.topic != here.topic
        level = LEVELS.index(each.level) - (0 if here is None else LEVELS.index(here.level))
        return each.name != name, topic, abs(level)

    lists = [each for each in ready.values() if mistake in listed_mistakes(each.name)]
    same = [each for each in ready.values() if here is not None and each.topic == here.topic]
    return [each.name for each in sorted(lists or same, key=distance)]
