"""Plymark's solver: game documents to exact, annotated solutions.

from solver import load, solve
solution = solve(load("specs/two-ply.yaml"))
solution.value, solution.move
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.kernel.value_types import PAINTERS

if TYPE_CHECKING:
    from solver.analysis.analysis_request import AnalysisRequest
    from solver.analysis.tree_analysis import Analysis, analyse
    from solver.drawing.picture_files import Drawing, Request, draw
    from solver.game.convention import CONVENTIONS, Convention
    from solver.game.game_builder import Game
    from solver.game.game_tree import Tree
    from solver.interchange.importer_registry import import_game
    from solver.kernel.errors import DocumentError, Limits, PlymarkError, Problem, Refusal, UsageError
    from solver.languages.codes import LANGUAGES
    from solver.pipeline import check_bytes, convention_from_text, load, load_bytes, load_tree, solve
    from solver.render.data_format import rows, solution_data
    from solver.search.algorithms.algorithm_registry import ALGORITHMS
    from solver.search.solution import Sampling, Solution
    from solver.story.search_story import explain

__all__ = [
    "ALGORITHMS",
    "CONVENTIONS",
    "LANGUAGES",
    "Analysis",
    "AnalysisRequest",
    "Convention",
    "DocumentError",
    "Drawing",
    "Game",
    "Limits",
    "PlymarkError",
    "Problem",
    "Refusal",
    "Request",
    "Sampling",
    "Solution",
    "Tree",
    "UsageError",
    "analyse",
    "check_bytes",
    "convention_from_text",
    "draw",
    "explain",
    "import_game",
    "load",
    "load_bytes",
    "load_tree",
    "rows",
    "solution_data",
    "solve",
]

# Whatever is imported from this package passes here: what is exported loads when it is first asked for, since drawing,
# sentences and analyses would make a command that only solves a third slower.
_LATER = {
    "solver.analysis.analysis_request": ("AnalysisRequest",),
    "solver.analysis.tree_analysis": (
        "Analysis",
        "analyse",
    ),
    "solver.drawing.picture_files": (
        "Drawing",
        "Request",
        "draw",
    ),
    "solver.game.convention": (
        "CONVENTIONS",
        "Convention",
    ),
    "solver.game.game_builder": ("Game",),
    "solver.game.game_tree": ("Tree",),
    "solver.interchange.importer_registry": ("import_game",),
    "solver.kernel.errors": (
        "DocumentError",
        "Limits",
        "PlymarkError",
        "Problem",
        "Refusal",
        "UsageError",
    ),
    "solver.languages.codes": ("LANGUAGES",),
    "solver.pipeline": (
        "check_bytes",
        "convention_from_text",
        "load",
        "load_bytes",
        "load_tree",
        "solve",
    ),
    "solver.render.data_format": (
        "rows",
        "solution_data",
    ),
    "solver.search.algorithms.algorithm_registry": ("ALGORITHMS",),
    "solver.search.solution": (
        "Sampling",
        "Solution",
    ),
    "solver.story.search_story": ("explain",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _painter(name: str) -> Callable[[Any], str]:
    return lambda shown: str(getattr(import_module("solver.drawing.picture_files"), name)(shown))


PAINTERS.update(Solution=_painter("solution_svg"), Game=_painter("game_svg"))
