"""What a pruning search tells: its events, in order, from which windows, cuts, stages and sentences are all made.

An event is a tuple of its kind, the node, and

    ENTERED     the window (α, β) that an inner node was called with
    EVALUATED   the value that a leaf returned
    MOVED       the node's window after α or β moved
    CUT         the child after which the search of the node stopped
    BACKED_UP   the value that an inner node returned

A chance node hands each outcome a window of its own, so a leaf below one is ENTERED before it is EVALUATED. Either
bound can stop a chance node, so its CUT tells the child and the kind, alpha or beta; the value that reached the bound
is what it returns next. Star2 first probes an outcome and may come to it again: such a node is ENTERED and BACKED_UP
twice.
"""

from __future__ import annotations

from typing import Final, Literal, TypeAlias, TypeVar

from solver.game.tree import Node
from solver.search.ranks import Rank

ENTERED: Final = 0
EVALUATED: Final = 1
MOVED: Final = 2
CUT: Final = 3
BACKED_UP: Final = 4

CutKind: TypeAlias = Literal["alpha", "beta"]

Bounding = TypeVar("Bounding")
"""What a window's bounds are: ranks, or numbers and infinities."""
Handed = TypeVar("Handed")
"""What is returned: a rank, or a number."""

Entered: TypeAlias = tuple[Literal[0], Node, tuple[Bounding, Bounding]]
Evaluated: TypeAlias = tuple[Literal[1], Node, Handed]
Moved: TypeAlias = tuple[Literal[2], Node, tuple[Bounding, Bounding]]
Stopped: TypeAlias = tuple[Literal[3], Node, Node]
StoppedAtChance: TypeAlias = tuple[Literal[3], Node, tuple[Node, CutKind]]
BackedUp: TypeAlias = tuple[Literal[4], Node, Handed]

EventOf: TypeAlias = (
    Entered[Bounding] | Evaluated[Handed] | Moved[Bounding] | Stopped | StoppedAtChance | BackedUp[Handed]
)
Event: TypeAlias = EventOf[Rank, Rank]
"""Plain tuples, for speed; the kind at `event[0]` tells type checkers, too, what the rest is."""
