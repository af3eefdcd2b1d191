"""Many documents at once: where they come from, what is done with each, and on how many cores."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.jobs.inputs import Source, carries, given_source, named_source, output_names, sources, tree_source
from solver.jobs.paths import expanded
from solver.jobs.trial import attempt, read_source, result_of
from solver.jobs.work import Result, Work, failed

if TYPE_CHECKING:
    from solver.jobs.analyse_task import AnalyseTask
    from solver.jobs.batch import run
    from solver.jobs.cluster import connected, each_on_cluster, installed, run_on_cluster
    from solver.jobs.ledger import Ledger
    from solver.jobs.pool import Pooled
    from solver.jobs.show import DrawTask, ExplainTask, Telling, drawings, drawn_figure, explained
    from solver.jobs.solve_task import SolveTask
    from solver.jobs.writing import Writing

__all__ = [
    "AnalyseTask",
    "DrawTask",
    "ExplainTask",
    "Ledger",
    "Pooled",
    "Result",
    "SolveTask",
    "Source",
    "Telling",
    "Work",
    "Writing",
    "attempt",
    "carries",
    "connected",
    "drawings",
    "drawn_figure",
    "each_on_cluster",
    "expanded",
    "explained",
    "failed",
    "given_source",
    "installed",
    "named_source",
    "output_names",
    "read_source",
    "result_of",
    "run",
    "run_on_cluster",
    "sources",
    "tree_source",
]

# Loaded when first asked for: to solve one game takes neither pictures, sentences and analyses nor other processes.
_LATER = {
    "solver.jobs.analyse_task": ("AnalyseTask",),
    "solver.jobs.batch": ("run",),
    "solver.jobs.cluster": ("connected", "each_on_cluster", "installed", "run_on_cluster"),
    "solver.jobs.ledger": ("Ledger",),
    "solver.jobs.pool": ("Pooled",),
    "solver.jobs.show": ("DrawTask", "ExplainTask", "Telling", "drawings", "drawn_figure", "explained"),
    "solver.jobs.solve_task": ("SolveTask",),
    "solver.jobs.writing": ("Writing",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
