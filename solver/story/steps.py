"""What a story is made of: steps, each a few sentences about one node."""

from __future__ import annotations

from dataclasses import dataclass

from solver.game.tree import Node
from solver.languages.facts import Sentence


@dataclass(frozen=True, slots=True)
class Step:
    stage: int
    """How many leaves have been evaluated."""
    node: Node
    sentences: tuple[Sentence, ...]
