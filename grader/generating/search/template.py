"""An exercise that takes any fill, so that questions are read once for each sketch and not for every tree."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from grader.documents.exercise import exercise_from_data
from grader.generating.judge.measures import exposure
from grader.generating.recipe.parts import Recipe
from grader.generating.search.exercise_data import exercise_data
from grader.generating.search.fill import Fill, LoopTo
from grader.generating.search.places import marks_in_recipe
from grader.generating.search.sketch import Sketch
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from solver.game import Loop, Node, Outcome


class Template:
    """A sketch and an exercise made from it, into which any fill can be put."""

    def __init__(self, recipe: Recipe, sketch: Sketch, fill: Fill) -> None:
        self.recipe, self.sketch = recipe, sketch
        self.sample = _exercise(recipe, sketch, fill)
        self.leaves = sketch.leaves

    def exercise(self, fill: Fill) -> Exercise:
        if self.recipe.statistics is not None:
            return _exercise(self.recipe, self.sketch, fill)
        game = self.sample.game
        leaf: list[Any] = [None] * len(game.tree)
        for node, value in zip(self.leaves, fill.leaf, strict=True):
            leaf[node] = self._leaf(value)
        chances = tuple(fill.probability.get(node) for node in range(len(game.tree)))
        estimates = {Node(node): estimate for node, estimate in fill.estimates.items()} or None
        tree = replace(game.tree, leaf=tuple(leaf), probability=chances, estimates=estimates)
        return replace(self.sample, game=replace(game, tree=tree))

    def possible_mistakes(self) -> tuple[str, ...]:
        """Mistakes that can be made in a tree of this shape, whatever its numbers are."""
        return exposure(AnswerKey(self.sample)).made

    def _leaf(self, value: Any) -> Any:
        if isinstance(value, LoopTo):
            return Loop(self.sample.game.tree.ids[value.node])
        return Outcome(value) if isinstance(value, str) else value


def _exercise(recipe: Recipe, sketch: Sketch, fill: Fill) -> Exercise:
    data = exercise_data(recipe, sketch, fill)
    return exercise_from_data(data, marks=marks_in_recipe(data, recipe.document))
