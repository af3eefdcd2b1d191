"""An exercise is a function of a recipe and a seed, and another one than what `generate` makes with that seed."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property

from grader.documents.exercise import load_exercise_bytes
from grader.generating.generate import generate
from grader.generating.search.draws import Seed
from grader.marking.grader import Grader
from grader.practice.catalogue import ready_recipe
from solver.kernel import UsageError

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
    made = generate(ready_recipe(recipe), 1, Seed(seed, practice=True), effort=effort)[0]
    return PracticeExercise(recipe, seed, made.document, made.examined)


def derived_seed(*parts: object) -> str:
    """A seed that is a function of these."""
    digest = hashlib.blake2b("/".join(map(str, parts)).encode(), digest_size=6).digest()
    number, text = int.from_bytes(digest, "big"), ""
    for _ in range(8):
        number, place = divmod(number, len(SEED_SIGNS))
        text += SEED_SIGNS[place]
    return text
