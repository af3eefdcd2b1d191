"""What somebody writes down: the one form in which the key, a model of a mistake and an answer are compared."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from grader.mistakes.words import SELECTED, STRATEGY, UCB1
from solver.game import ROOT, Convention, Tree, Vector, Window
from solver.kernel import Number
from solver.search import Solution

Worth: TypeAlias = Number | Vector | bool
"""Of a node: a number, a vector, or in AND-OR trees whether there is a plan."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Nodes are those of the key's tree. A field that is None says nothing: there the key's applies."""

    values: Mapping[int, Worth | None] | None = None
    """By inner node the value returned; None if it was never visited."""
    windows: Mapping[int, Sequence[Window]] | None = None
    """The entry window and each changed one of every visited inner node."""
    pruned: frozenset[int] | None = None
    """Leaves that are crossed out."""
    visited: Sequence[int] | None = None
    """Leaves in the order in which they are evaluated."""
    move: int | None = None
    """The child of the root that is played."""
    facts: Mapping[str, Any] = field(default_factory=dict)
    """MCTS: `ucb`, each child's UCB1 value on the way down (a number, an enclosed irrational or "inf"); `select`, the
    child chosen at each node; `counts`, (total, visits) after one playout. AND-OR search: `plan`, as
    `[a, {s1: [b], s2: []}]`, or None for failure."""


@dataclass(frozen=True, slots=True)
class Model:
    id: str
    """The mistake's id; a variant of it has a word after a dot, such as `M8.rounds`."""
    family: str
    run: Callable[[Tree, Convention, Solution], Behaviour | None]
    """From the whole tree, the convention and the key, whose own tree may end at a depth limit. None where the mistake
    cannot be made."""


def mistake_of(model: str) -> str:
    """The mistake that a model, perhaps a variant, stands for."""
    return model.partition(".")[0]


def key_behaviour(solution: Solution) -> Behaviour:
    """The key as somebody would write it down who makes no mistake."""
    tree, search = solution.tree, solution.search
    leaves = [node for node in solution.visited if tree.turn[node] is None]
    values: dict[int, Worth | None] = {node: solution.values[node] for node in tree.inner}
    windows: dict[int, Sequence[Window]] | None = None
    if search is not None:
        scale = search.scale
        for node in tree.inner:
            rank = search.returned[node]
            values[node] = None if rank is None else scale.number(rank)  # type: ignore[assignment]
        windows = {
            node: [(scale.number(low), scale.number(high)) for low, high in search.windows[node]]
            for node in tree.inner
            if search.windows[node]
        }
    pruned = frozenset(node for node in solution.pruned if tree.turn[node] is None)
    return Behaviour(values, windows, pruned, leaves, solution.choice(ROOT), _facts(solution))


def _facts(solution: Solution) -> dict[str, Any]:
    if solution.plan is not None:
        return {STRATEGY: solution.plan.plan}
    if solution.sampled is None or not solution.sampled.found.trace:
        return {}
    step = solution.sampled.found.trace[0]
    choices = [choice for choice in step.choices if choice.ucb1 is not None]
    return {
        UCB1: {child: ucb1 for choice in choices for child, ucb1 in zip(choice.children, choice.ucb1, strict=True)},
        SELECTED: {choice.node: choice.chosen for choice in choices},
        "counts": {count.node: (count.total, count.visits) for count in step.after},
    }
