"""Ranks: a search that only compares need not carry fractions, only each number's place in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from solver.game.convention import Bound
from solver.game.tree import Tree
from solver.kernel.exact import Number

Ranks: TypeAlias = tuple[int, int]
"""A window's bounds, or an interval's ends."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Numbers in ascending order; a rank is a place among them, -1 being −∞ and `infinity` being +∞."""

    numbers: tuple[Number, ...]
    utility: Sequence[int]
    """Each leaf's rank; 0 at inner nodes."""

    @property
    def infinity(self) -> int:
        return len(self.numbers)

    def number(self, rank: int) -> Bound:
        return "-inf" if rank < 0 else "inf" if rank == len(self.numbers) else self.numbers[rank]

    def rank(self, bound: Bound) -> int:
        if isinstance(bound, str):
            return -1 if bound == "-inf" else self.infinity
        return self.numbers.index(bound)

    def values(self, ranks: Iterable[int]) -> list[Number]:
        """Of ranks that are all finite."""
        return [self.numbers[rank] for rank in ranks]

    def ranks(self, values: Iterable[Number]) -> list[int]:
        """Of values that are all among the numbers."""
        rank = {number: place for place, number in enumerate(self.numbers)}
        return [rank[value] for value in values]


def scale_of(tree: Tree, also: Iterable[Bound] = ()) -> Scale:
    """The scale of a tree's leaves, and of the bounds of a window besides."""
    leaves: Sequence[Number | None] = tree.leaf  # type: ignore[assignment]
    distinct = set(leaves)
    distinct.discard(None)
    distinct.update(bound for bound in also if not isinstance(bound, str))
    numbers = sorted(distinct)  # type: ignore[type-var]
    rank = {number: place for place, number in enumerate(numbers)}
    rank[None] = 0
    return Scale(tuple(numbers), [rank[leaf] for leaf in leaves])  # type: ignore[arg-type]
