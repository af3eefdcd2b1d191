"""What cells and behaviours are about."""

from __future__ import annotations

WORTH = "worth"
"""What a node is worth."""
ENTRY, EXIT, ALL = "entry", "exit", "all"
"""Windows: on entry, on leaving, or all that a node went through."""
CROSSED = "crossed"
"""Whether a leaf is crossed out."""
SEQUENCE = "sequence"
"""Which leaf comes before a leaf."""
PLAYED = "played"
"""The move at the root."""
UCB1, SELECTED, COUNTS = "ucb1", "selected", "counts"
"""Of MCTS: a child's value, the child that is selected at a node, a node's counts."""
STRATEGY = "strategy"
"""The plan of an AND-OR tree."""
