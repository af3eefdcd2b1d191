"""Who moves at a node, in words."""

from __future__ import annotations

from collections.abc import Iterator

from solver.drawing.folding import Fold
from solver.game.tree import AND, CHANCE, MAX, MIN, OR, Tree
from solver.languages.facts import Sentence
from solver.languages.lookup import Language
from solver.render.lines import mover_at

TURNS = {MAX: "side.max", MIN: "side.min", CHANCE: "picture.chance", OR: "picture.or", AND: "picture.and"}
"""What is said of the turns that are no players."""


def turn_words(turn: str, mover: str, language: Language) -> str:
    if turn not in TURNS:
        return language.say("picture.player", player=mover)
    side = Sentence(TURNS[turn])
    return language.say("picture.side", player=mover, side=side) if mover else language.tell(side)


def row_words(tree: Tree, fold: Fold, language: Language) -> Iterator[tuple[int, str]]:
    """Each depth whose drawn inner nodes all have one turn and one mover, and how it is called."""
    turns: dict[int, set[tuple[str, str]]] = {}
    for node in fold.nodes:
        turn = tree.turn[node]
        if turn is not None:
            turns.setdefault(tree.depth[node], set()).add((turn, mover_at(tree, node)))
    for depth, here in turns.items():
        if len(here) == 1:
            ((turn, mover),) = here
            yield depth, turn_words(turn, mover, language)
