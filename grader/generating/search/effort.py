"""How much is examined before a search is given up, and what failed until then."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction

from grader.generating.recipe.parts import Recipe
from solver.kernel import DocumentError, Problem

EFFORT = 20_000
"""Trees that are examined for one exercise before it is given up."""
MOST_NODES_EXAMINED = 2_000_000
"""Nodes of all these trees: large trees are given up sooner, within a minute or so."""


class Effort:
    """Counts what is examined and what fails; `report` hears of every tree."""

    def __init__(self, most: int = EFFORT, report: Callable[[int], None] | None = None) -> None:
        self.most, self.report = most, report
        self.examined = self.trees = self.nodes = 0
        self.failed: Counter[str] = Counter()
        self.last_refusal = ""
        """What was wrong with the last tree that has no key."""

    def start(self) -> None:
        """One more exercise is looked for."""
        self.trees = self.nodes = 0
        self.failed.clear()

    def tick(self, nodes: int) -> None:
        """A tree of so many nodes is examined."""
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
    """Named is the requirement that failed most; of equals, the first in the recipe."""
    order = list(recipe.places)
    names = sorted(effort.failed, key=lambda name: (-effort.failed[name], _order(order, name), name))
    worst = names[0] if names else "questions"
    key = worst if worst in recipe.places else f"require.{worst}"
    counts = ", ".join(f"{name} {effort.failed[name]:,} times" for name in names[:3])
    message = f"none of {effort.trees:,} trees has everything that is required; failed: {counts}"
    message += f" ({effort.last_refusal})" if worst == "questions" and effort.last_refusal else ""
    hint = f"ask for less in {worst}, or change the shape"
    if worst == "unknown_width" and not recipe.leaves.bounds:
        hint = "a range such as x <= 3 has no end; leaves: {bounds: true} gives it one"
    return DocumentError([Problem(recipe.place(key), "not-found", message, hint)])


def _order(order: list[str], name: str) -> int:
    key = f"require.{name}"
    return order.index(key) if key in order else len(order)
