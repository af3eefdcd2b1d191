"""Games: trees of nodes and moves, built from documents, and the conventions under which they are searched."""

from solver.game.convention import (
    CONVENTION_CHOICES,
    CONVENTIONS,
    Bound,
    ChildOrder,
    Convention,
    Window,
    convention_from,
    initial_window,
    sensible,
)
from solver.game.game_builder import Game
from solver.game.game_declarations import turn_named
from solver.game.game_tree import (
    AND,
    CHANCE,
    MAX,
    MIN,
    OR,
    ROOT,
    Loop,
    Node,
    NodeId,
    Outcome,
    Tree,
    Unknown,
    Vector,
    expected,
)

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
    "turn_named",
]
