"""Plymark's solver: game documents to exact, annotated solutions.

from solver import load, solve
solution = solve(load("specs/two-ply.yaml"))
solution.value, solution.move
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any

from solver.kernel.doors import lazy_door
from solver.kernel.notebook import PAINTERS

__getattr__, __all__ = lazy_door(__name__, __file__)


def _painter(name: str) -> Callable[[Any], str]:
    return lambda shown: str(getattr(import_module("solver.drawing.entry"), name)(shown))


PAINTERS.update(Solution=_painter("solution_svg"), Game=_painter("game_svg"))
