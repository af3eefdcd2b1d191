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
from solver.choices import DETAILS, SHOWN, THEMES
from solver.convention import NAMED as CONVENTIONS
from solver.convention import Convention
from solver.errors import DocumentError, PlymarkError, Refusal, UsageError
from solver.exact import parse_number
from solver.languages.codes import LANGUAGES
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
    "Drawing": "solver.drawing.request",
    "Request": "solver.drawing.request",
    "Telling": "solver.showing",
    "captions": "solver.story.captions",
    "draw": "solver.drawing.draw",
    "drawings": "solver.showing",
    "explained": "solver.showing",
    "explanation": "solver.story.telling",
    "import_game": "solver.interchange.registry",
    "language": "solver.languages.language",
    "rows": "solver.render.rows",
    "shown_from": "solver.drawing.view",
}

__all__ = [
    "ALGORITHMS",
    "CONVENTIONS",
    "DETAILS",
    "FORMATS",
    "LANGUAGES",
    "SHOWN",
    "THEMES",
    "AnalyseTask",
    "Asked",
    "CheckTask",
    "Convention",
    "DocumentError",
    "Drawing",
    "Game",
    "Limits",
    "Place",
    "PlymarkError",
    "Problem",
    "Refusal",
    "Request",
    "Result",
    "Sampling",
    "Solution",
    "SolveTask",
    "Source",
    "Telling",
    "Tree",
    "UsageError",
    "captions",
    "check_bytes",
    "convention_from_text",
    "draw",
    "drawings",
    "explained",
    "explanation",
    "failed",
    "import_game",
    "language",
    "load",
    "load_bytes",
    "load_tree",
    "named_source",
    "output_names",
    "parse_number",
    "refused",
    "rows",
    "run",
    "shown_from",
    "solution_data",
    "solve",
    "sources",
    "tree_source",
]


# A notebook asks a solution, or a game, for its picture. Drawing lies above both, so the door joins them.
def _solution_svg(solution: Solution) -> str:
    return str(import_module("solver.drawing.draw").solution_svg(solution))


def _game_svg(game: Game) -> str:
    return str(import_module("solver.drawing.draw").game_svg(game))


Solution._repr_svg_ = _solution_svg  # type: ignore[attr-defined]
Game._repr_svg_ = _game_svg  # type: ignore[attr-defined]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    return getattr(import_module(_LATER[name]), name)
