"""Ready recipes, recipes in a few lines, and what is made from them."""

from __future__ import annotations

import os
import pickle
from functools import cache
from pathlib import Path
from typing import Any

from grader.documents.exercise_file import load_exercise_bytes
from grader.generating.generation import generate
from grader.generating.quality_card import Generated
from grader.generating.recipe_file import load_recipe, load_recipe_bytes
from grader.generating.recipe_parts import Recipe
from grader.questions.exercise import Exercise
from solver.game import CHANCE, Tree
from tests.support.paths import ROOT, SHARED

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]

RECIPES = ROOT / "recipes"
SEED = 2026


def ready(name: str) -> Recipe:
    return load_recipe(RECIPES / f"{name}.yaml")


@cache
def made(name: str, number: int = 30, seed: int = SEED) -> list[Generated]:
    """Made once in a run of tests, however many processes take part in it: some sets take half a minute."""
    folder = made_in_this_run()
    if folder is None:
        return generate(ready(name), number, seed)
    folder.mkdir(exist_ok=True)
    kept = folder / f"{name}-{number}-{seed}"
    with kept.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if kept.exists():
            found: list[Generated] = pickle.loads(kept.read_bytes())
            return found
        new = generate(ready(name), number, seed)
        kept.write_bytes(pickle.dumps(new))
        return new


def made_in_this_run() -> Path | None:
    """A folder that the processes of a run share; None where there is only one, or no way to wait for another."""
    shared = os.environ.get(SHARED)
    return Path(shared) / "made" if shared and fcntl is not None else None


def exercise_of(each: Generated) -> Exercise:
    return load_exercise_bytes(each.document, f"{each.id}.yaml")


def recipe_of(text: str) -> Recipe:
    return load_recipe_bytes(f"plymark: recipe/1\nid: r\n{text}".encode())


def nested(tree: Tree, node: int = 0) -> Any:
    """As `brute_force` has trees: the turn and the children, or the value of a leaf."""
    if tree.turn[node] is None:
        return tree.leaf[node]
    children = [nested(tree, child) for child in tree.children[node]]
    chances = [[tree.probability[child] for child in tree.children[node]]] if tree.turn[node] == CHANCE else []
    return (tree.turn[node], children, *chances)
