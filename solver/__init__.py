"""Plymark's solver: game documents to exact, annotated solutions.

from solver import load, solve
solution = solve(load("specs/two-ply.yaml"))
solution.value, solution.move
"""

from solver.algorithms.registry import ALGORITHMS
from solver.analyses import Asked
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
from solver.sources import Source, output_names, sources, tree_source
from solver.tasks import AnalyseTask, CheckTask, SolveTask
from solver.tree import Tree

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
    "load",
    "load_bytes",
    "load_tree",
    "output_names",
    "parse_number",
    "refused",
    "run",
    "solution_data",
    "solve",
    "sources",
    "tree_source",
]
