"""The ready recipes by topic and level, and exercises of them.

An exercise is a function of a recipe and a seed, and another one than what `generate` makes with that seed.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from grader.documents.exercise_file import load_exercise_bytes
from grader.generating.generation import generate
from grader.generating.random_trees import Seed
from grader.generating.recipe_file import load_recipe
from grader.generating.recipe_parts import Recipe
from grader.marking.grader import Grader
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
    recipes = [_placed(file.stem) for file in recipes_folder().glob("*.yaml")]
    ordered = sorted(recipes, key=lambda each: (_place(each.topic), each.topic, LEVELS.index(each.level)))
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


def fitting_recipes(mistake: str, name: str = "") -> list[str]:
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


MOST_EXAMINED = 6_000
"""Trees that are examined for an exercise before its seed counts as one without an exercise."""
SEED = re.compile("[0-9a-z]{1,16}")
SEED_SIGNS = "0123456789abcdefghijkmnpqrstuvwxyz"


@dataclass(frozen=True)
class PracticeExercise:
    recipe: str
    seed: str
    document: bytes
    """exercise/1, in YAML."""
    examined: int
    """Trees that were examined to find it."""

    @cached_property
    def grader(self) -> Grader:
        return Grader(load_exercise_bytes(self.document, f"{self.recipe}-{self.seed}.yaml"))


def exercise_of(recipe: str, seed: str, effort: int = MOST_EXAMINED) -> PracticeExercise:
    """UsageError for an unknown recipe or a seed that is none; DocumentError where no exercise was found within so many
    trees."""
    if SEED.fullmatch(seed) is None:
        raise UsageError("a seed is 1 to 16 small letters and digits")
    generated = generate(ready_recipe(recipe), 1, Seed(seed, practice=True), effort=effort)[0]
    return PracticeExercise(recipe, seed, generated.document, generated.examined)


def derived_seed(*parts: object) -> str:
    """A seed that is a function of these."""
    digest = hashlib.blake2b("/".join(map(str, parts)).encode(), digest_size=6).digest()
    number, text = int.from_bytes(digest, "big"), ""
    for _ in range(8):
        number, place = divmod(number, len(SEED_SIGNS))
        text += SEED_SIGNS[place]
    return text
