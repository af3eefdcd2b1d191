"""How many trees are examined before a search gives up, and which requirements failed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from grader.generating.recipe.parts import Recipe
from solver.kernel import DocumentError, Problem

EFFORT = 20_000
"""Trees that are examined for one exercise before the search gives up."""
MOST_NODES_EXAMINED = 2_000_000
"""The same, in nodes of all these trees: with large trees it gives up sooner, after about a minute."""


class Effort:
    """Counts trees and failures; `report` is called with the number of trees examined so far."""

    def __init__(self, most: int = EFFORT, report: Callable[[int], None] | None = None) -> None:
        self.most, self.report = most, report
        self.examined = self.trees = self.nodes = 0
        self.failed: Counter[str] = Counter()
        self.last_refusal = ""
        """Why the last tree without a key has none."""

    def start(self) -> None:
        """Begins the search for one more exercise."""
        self.trees = self.nodes = 0
        self.failed.clear()

    def tick(self, nodes: int) -> None:
        """Counts a tree of this many nodes."""
        self.examined += 1
        self.trees += 1
        self.nodes += nodes
        if self.report is not None:
            self.report(self.examined)

    @property
    def spent(self) -> bool:
        return self.trees >= self.most or self.nodes >= MOST_NODES_EXAMINED

    def note_failures(self, off: dict[str, Fraction]) -> None:
        self.failed.update(name for name, distance in off.items() if distance)


def not_found_error(recipe: Recipe, effort: Effort) -> DocumentError:
    """Names the requirement that failed most often; of several, the first in the recipe."""
    order = list(recipe.places)
    names = sorted(effort.failed, key=lambda name: (-effort.failed[name], _order(order, name), name))
    worst = names[0] if names else "questions"
    key = worst if worst in recipe.places else f"require.{worst}"
    counts = ", ".join(f"{name} {effort.failed[name]:,} times" for name in names[:3])
    message = f"none of {effort.trees:,} trees meets every requirement; failed: {counts}"
    message += f" ({effort.last_refusal})" if worst == "questions" and effort.last_refusal else ""
    hint = f"ask for less in {worst}, or change the shape"
    if worst == "unknown_width" and not recipe.leaves.bounds:
        hint = "a range such as x <= 3 has no end; leaves: {bounds: true} gives it one"
    return DocumentError([Problem(recipe.place(key), "not-found", message, hint)])


def _order(order: list[str], name: str) -> int:
    key = f"require.{name}"
    return order.index(key) if key in order else len(order)
