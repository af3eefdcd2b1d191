"""Plymark's solver: game documents to exact, annotated solutions.

from solver import load, solve
solution = solve(load("specs/two-ply.yaml"))
solution.value, solution.move
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any

from solver.kernel.notebook import PAINTERS

if TYPE_CHECKING:
    from solver.analysis.analyse import Analysis, analyse
    from solver.analysis.asked import Asked
    from solver.drawing.entry import draw
    from solver.drawing.request import Drawing, Request
    from solver.game.building.build import Game
    from solver.game.convention import CONVENTIONS, Convention
    from solver.game.tree import Tree
    from solver.interchange.registry import import_game
    from solver.kernel.errors import DocumentError, PlymarkError, Refusal, UsageError
    from solver.kernel.limits import Limits
    from solver.kernel.problems import Problem
    from solver.languages.codes import LANGUAGES
    from solver.pipeline.stages import check_bytes, convention_from_text, load, load_bytes, load_tree, solve
    from solver.render.data import solution_data
    from solver.render.table_rows import rows
    from solver.search.algorithms.registry import ALGORITHMS
    from solver.search.solution import Sampling, Solution
    from solver.story.telling import explain

__all__ = [
    "ALGORITHMS",
    "CONVENTIONS",
    "LANGUAGES",
    "Analysis",
    "Asked",
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
    "solver.analysis.analyse": ("Analysis", "analyse"),
    "solver.analysis.asked": ("Asked",),
    "solver.drawing.entry": ("draw",),
    "solver.drawing.request": ("Drawing", "Request"),
    "solver.game.building.build": ("Game",),
    "solver.game.convention": ("CONVENTIONS", "Convention"),
    "solver.game.tree": ("Tree",),
    "solver.interchange.registry": ("import_game",),
    "solver.kernel.errors": ("DocumentError", "PlymarkError", "Refusal", "UsageError"),
    "solver.kernel.limits": ("Limits",),
    "solver.kernel.problems": ("Problem",),
    "solver.languages.codes": ("LANGUAGES",),
    "solver.pipeline.stages": ("check_bytes", "convention_from_text", "load", "load_bytes", "load_tree", "solve"),
    "solver.render.data": ("solution_data",),
    "solver.render.table_rows": ("rows",),
    "solver.search.algorithms.registry": ("ALGORITHMS",),
    "solver.search.solution": ("Sampling", "Solution"),
    "solver.story.telling": ("explain",),
}

if not TYPE_CHECKING:  # To a type checker, a module with this has every name.

    def __getattr__(name: str) -> Any:
        for module, names in _LATER.items():
            if name in names:
                return getattr(import_module(module), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _painter(name: str) -> Callable[[Any], str]:
    return lambda shown: str(getattr(import_module("solver.drawing.entry"), name)(shown))


PAINTERS.update(Solution=_painter("solution_svg"), Game=_painter("game_svg"))
