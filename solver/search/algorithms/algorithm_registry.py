"""Every algorithm by name, and which of them `auto` means.

A file is loaded when its algorithm is first asked for, so that the others start fast.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module

from solver.documents.document_schemas import offer, withdraw
from solver.game.game_tree import Tree, kind_of
from solver.search.solution import Algorithm


class Algorithms(Mapping[str, Algorithm]):
    """In the order of the list below; others can be registered while a program runs."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)
        self._loaded: dict[str, Algorithm] = {}

    def __getitem__(self, name: str) -> Algorithm:
        if name not in self._loaded:
            module, record = self._places[name].split(":")
            self._loaded[name] = getattr(import_module(f"solver.search.algorithms.{module}"), record)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def register(self, algorithm: Algorithm) -> None:
        """Add an algorithm of one's own; documents may name it from now on."""
        if algorithm.name in self._places:
            raise ValueError(f"there is an algorithm {algorithm.name} already")
        self._places[algorithm.name] = ""
        self._loaded[algorithm.name] = algorithm
        offer("algorithm", algorithm.name)

    def unregister(self, name: str) -> None:
        """Take a registered algorithm out again."""
        if self._places.get(name) != "":
            raise ValueError(f"{name} was not registered")
        del self._places[name], self._loaded[name]
        withdraw("algorithm", name)


ALGORITHMS = Algorithms(
    {
        "minimax": "minimax:MINIMAX",
        "alpha-beta": "alpha_beta:ALPHA_BETA",
        "expectiminimax": "expectiminimax:EXPECTIMINIMAX",
        "star1": "star:STAR1",
        "star2": "star:STAR2",
        "maxn": "maxn:MAXN",
        "paranoid": "paranoid:PARANOID",
        "and-or": "and_or:AND_OR",
        "mcts": "mcts:MCTS",
    }
)


def natural_algorithm(tree: Tree) -> Algorithm:
    """What `auto` means for this tree."""
    kind = kind_of(tree)
    return next(each for each in ALGORITHMS.values() if each.natural and each.needs == kind)
