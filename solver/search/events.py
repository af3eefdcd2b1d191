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

from typing import Any, TypeAlias

ENTERED, EVALUATED, MOVED, CUT, BACKED_UP = range(5)

Event: TypeAlias = tuple[int, int, Any]
"""Any is a window for ENTERED and MOVED, a node (at chance nodes with the kind) for CUT, a number for the others."""
