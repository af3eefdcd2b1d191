"""Plymark's solver: game documents to exact, annotated solutions.

from solver import load, solve
solution = solve(load("specs/two-ply.yaml"))
solution.value, solution.move
"""

from importlib import import_module
from typing import Any

from solver.algorithms.registry import ALGORITHMS
from solver.batch import Result, failed, run
from solver.building.build import Game
from solver.convention import NAMED as CONVENTIONS
from solver.convention import Convention
from solver.errors import DocumentError, PlymarkError, Refusal, UsageError
from solver.exact import parse_number
from solver.limits import Limits
from solver.pipeline import check_bytes, convention_from_text, load, load_bytes, load_tree, refused, solve
from solver.problems import Place, Problem
from solver.render.data import solution_data
from solver.render.registry import FORMATS
from solver.solution import Sampling, Solution
from solver.sources import Source, named_source, output_names, sources, tree_source
from solver.tasks import CheckTask, SolveTask
from solver.tree import Tree

# What most calls never need is loaded when it is first asked for.
_LATER = {
    "AnalyseTask": "solver.analysing",
    "Asked": "solver.analyses",
    "import_game": "solver.interchange.registry",
}

__all__ = [
    "ALGORITHMS",
    "CONVENTIONS",
    "FORMATS",
    "AnalyseTask",
    "Asked",
    "CheckTask",
    "Convention",
    "DocumentError",
    "Game",
    "Limits",
    "Place",
    "PlymarkError",
    "Problem",
    "Refusal",
    "Result",
    "Sampling",
    "Solution",
    "SolveTask",
    "Source",
    "Tree",
    "UsageError",
    "check_bytes",
    "convention_from_text",
    "failed",
    "import_game",
    "load",
    "load_bytes",
    "load_tree",
    "named_source",
    "output_names",
    "parse_number",
    "refused",
    "run",
    "solution_data",
    "solve",
    "sources",
    "tree_source",
]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
