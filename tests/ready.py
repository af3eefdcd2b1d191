"""Ready recipes, recipes in a few lines, and what is made from them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from grader.documents.exercise import load_exercise_bytes
from grader.generating.generate import Generated, generate
from grader.generating.parts import Recipe
from grader.generating.recipe import load_recipe, load_recipe_bytes
from grader.questions.exercise import Exercise
from solver.game import CHANCE, Tree

RECIPES = Path(__file__).parent.parent / "recipes"
SEED = 2026


def ready(name: str) -> Recipe:
    return load_recipe(RECIPES / f"{name}.yaml")


@cache
def made(name: str, number: int = 30) -> list[Generated]:
    return generate(ready(name), number, SEED)


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
