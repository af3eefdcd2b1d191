"""Games: trees of nodes and moves, built from documents, and the conventions under which they are searched."""

from solver.game.building.build import Game
from solver.game.convention import (
    CONVENTION_CHOICES,
    CONVENTIONS,
    Bound,
    ChildOrder,
    Convention,
    Window,
    convention_from,
    sensible,
)
from solver.game.expectation import expected
from solver.game.tree import AND, CHANCE, MAX, MIN, OR, ROOT, Loop, Node, NodeId, Outcome, Tree, Unknown, Vector
from solver.game.window import initial_window

__all__ = [
    "AND",
    "CHANCE",
    "CONVENTIONS",
    "CONVENTION_CHOICES",
    "MAX",
    "MIN",
    "OR",
    "ROOT",
    "Bound",
    "ChildOrder",
    "Convention",
    "Game",
    "Loop",
    "Node",
    "NodeId",
    "Outcome",
    "Tree",
    "Unknown",
    "Vector",
    "Window",
    "convention_from",
    "expected",
    "initial_window",
    "sensible",
]
