"""Searches: every algorithm, the events it records, and the solution made from them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.search.algorithms.algorithm_registry import ALGORITHMS
from solver.search.algorithms.alpha_beta import pruned_nodes
from solver.search.solution import Algorithm, Sampling, Solution, Value
from solver.search.trace import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED, Cut, Known, Rank, Search

if TYPE_CHECKING:
    from solver.search.algorithms.alpha_beta import rules_of, run_alpha_beta
    from solver.search.algorithms.and_or import plan_text
    from solver.search.algorithms.expectiminimax import expectiminimax
    from solver.search.algorithms.mcts import choice_at, mcts
    from solver.search.algorithms.shallow import shallow_pruning

__all__ = [
    "ALGORITHMS",
    "BACKED_UP",
    "CUT",
    "ENTERED",
    "EVALUATED",
    "MOVED",
    "Algorithm",
    "Cut",
    "Known",
    "Rank",
    "Sampling",
    "Search",
    "Solution",
    "Value",
    "choice_at",
    "expectiminimax",
    "mcts",
    "plan_text",
    "pruned_nodes",
    "rules_of",
    "run_alpha_beta",
    "shallow_pruning",
]

# Loaded when first asked for: a search needs one algorithm, not all.
_LATER = {
    "solver.search.algorithms.alpha_beta": (
        "rules_of",
        "run_alpha_beta",
    ),
    "solver.search.algorithms.and_or": ("plan_text",),
    "solver.search.algorithms.expectiminimax": ("expectiminimax",),
    "solver.search.algorithms.mcts": (
        "choice_at",
        "mcts",
    ),
    "solver.search.algorithms.shallow": ("shallow_pruning",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
