"""Many documents at once: where they come from, what is done with each, and on how many cores."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.jobs.document_loading import attempt, expand_paths, read_source, result_of
from solver.jobs.document_sources import Source, carries, given_source, named_source, output_names, sources, tree_source
from solver.jobs.work_results import Entry, Result, Timed, Work, failure_of

if TYPE_CHECKING:
    from solver.jobs.analyse_task import AnalyseTask
    from solver.jobs.dask_cluster import connected, installed
    from solver.jobs.document_batch import (
        DaskCluster,
        Executor,
        LocalProcesses,
        ThisProcess,
        file_executor,
        local_executor,
        lost_file,
        map_in_order,
    )
    from solver.jobs.draw_task import DrawTask, draw_source, draw_source_figure
    from solver.jobs.explain_task import ExplainOptions, ExplainTask, explain_source
    from solver.jobs.output_folder import Ledger, OutputFile, Writing
    from solver.jobs.process_pool import OUT_OF_TIME, Handler, OutOfTime, ProcessEnded, ProcessPool, WorkerProcess
    from solver.jobs.solve_task import SolveTask

__all__ = [
    "OUT_OF_TIME",
    "AnalyseTask",
    "DaskCluster",
    "DrawTask",
    "Entry",
    "Executor",
    "ExplainOptions",
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
    "ThisProcess",
    "Timed",
    "Work",
    "WorkerProcess",
    "Writing",
    "attempt",
    "carries",
    "connected",
    "draw_source",
    "draw_source_figure",
    "expand_paths",
    "explain_source",
    "failure_of",
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
    "solver.jobs.dask_cluster": (
        "connected",
        "installed",
    ),
    "solver.jobs.document_batch": (
        "DaskCluster",
        "Executor",
        "LocalProcesses",
        "ThisProcess",
        "file_executor",
        "local_executor",
        "lost_file",
        "map_in_order",
    ),
    "solver.jobs.draw_task": (
        "DrawTask",
        "draw_source",
        "draw_source_figure",
    ),
    "solver.jobs.explain_task": (
        "ExplainOptions",
        "ExplainTask",
        "explain_source",
    ),
    "solver.jobs.output_folder": (
        "Ledger",
        "OutputFile",
        "Writing",
    ),
    "solver.jobs.process_pool": (
        "Handler",
        "OUT_OF_TIME",
        "OutOfTime",
        "ProcessEnded",
        "ProcessPool",
        "WorkerProcess",
    ),
    "solver.jobs.solve_task": ("SolveTask",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
