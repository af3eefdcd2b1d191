"""What an algorithm says about itself: all that solving, drawing, explaining and marking need to know of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.game.convention import Convention
from solver.game.traits import Needs
from solver.game.tree import Tree
from solver.search.solution import Sampling, Solution


@dataclass(frozen=True, slots=True)
class Algorithm:
    name: str
    needs: Needs
    solve: Callable[[Tree, Convention, Sampling], Solution]
    prunes: bool = False
    """Whether it carries windows."""
    natural: bool = False
    """Whether `auto` takes it for the trees that it needs."""
    probes: bool = False
    """Whether it first looks at one child of an outcome, and may come to the outcome again."""
    another_game: bool = False
    """Whether its best move may be another than that of the natural algorithm."""
    opening: str = ""
    """The key of the sentence that a story begins with; without one, a sentence that names the algorithm."""
    opening_without_bounds: str = ""
    """The same for a tree without declared bounds, where that is another sentence."""
