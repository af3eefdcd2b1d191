"""Many documents at once: where they come from, what is done with each, and on how many cores."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.jobs.inputs import Source, carries, given_source, named_source, output_names, sources, tree_source
from solver.jobs.paths import expanded
from solver.jobs.trial import attempt, read_source, result_of
from solver.jobs.work import Entry, Result, Timed, Work, failed

if TYPE_CHECKING:
    from solver.jobs.analyse_task import AnalyseTask
    from solver.jobs.batch import file_executor, lost_file
    from solver.jobs.cluster import connected, installed
    from solver.jobs.executors import DaskCluster, Executor, LocalProcesses, ThisProcess, local_executor, map_in_order
    from solver.jobs.ledger import Ledger
    from solver.jobs.pool import OUT_OF_TIME, Handler, OutOfTime, ProcessEnded, ProcessPool, WorkerProcess
    from solver.jobs.show import DrawTask, ExplainTask, Telling, drawings, drawn_figure, explained
    from solver.jobs.solve_task import SolveTask
    from solver.jobs.writing import OutputFile, Writing

__all__ = [
    "OUT_OF_TIME",
    "AnalyseTask",
    "DaskCluster",
    "DrawTask",
    "Entry",
    "Executor",
    "ExplainTask",
    "Handler",
    "Ledger",
    "LocalProcesses",
    "OutOfTime",
    "OutputFile",
    "ProcessEnded",
    "ProcessPool",
    "Result",
    "SolveTask",
    "Source",
    "Telling",
    "ThisProcess",
    "Timed",
    "Work",
    "WorkerProcess",
    "Writing",
    "attempt",
    "carries",
    "connected",
    "drawings",
    "drawn_figure",
    "expanded",
    "explained",
    "failed",
    "file_executor",
    "given_source",
    "installed",
    "local_executor",
    "lost_file",
    "map_in_order",
    "named_source",
    "output_names",
    "read_source",
    "result_of",
    "sources",
    "tree_source",
]

# Loaded when first asked for: to solve one game takes neither pictures, sentences and analyses nor other processes.
_LATER = {
    "solver.jobs.analyse_task": ("AnalyseTask",),
    "solver.jobs.batch": (
        "file_executor",
        "lost_file",
    ),
    "solver.jobs.cluster": (
        "connected",
        "installed",
    ),
    "solver.jobs.executors": (
        "DaskCluster",
        "Executor",
        "LocalProcesses",
        "ThisProcess",
        "local_executor",
        "map_in_order",
    ),
    "solver.jobs.ledger": ("Ledger",),
    "solver.jobs.pool": (
        "OUT_OF_TIME",
        "Handler",
        "OutOfTime",
        "ProcessEnded",
        "ProcessPool",
        "WorkerProcess",
    ),
    "solver.jobs.show": (
        "DrawTask",
        "ExplainTask",
        "Telling",
        "drawings",
        "drawn_figure",
        "explained",
    ),
    "solver.jobs.solve_task": ("SolveTask",),
    "solver.jobs.writing": (
        "OutputFile",
        "Writing",
    ),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
