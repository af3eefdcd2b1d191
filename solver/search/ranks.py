"""Ranks: a search that only compares need not carry fractions, only each number's place in their order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, NewType, TypeAlias, cast

from solver.game.convention import Bound
from solver.game.tree import Tree
from solver.kernel.exact import Number

Rank = NewType("Rank", int)
"""A number's place in an order of numbers."""
Ranks: TypeAlias = tuple[Rank, Rank]
"""A window's bounds, or an interval's ends."""

LOWEST = Rank(-1)
"""Of −∞."""


class Scale(NamedTuple):
    """Numbers in ascending order; a rank is a place among them, LOWEST being −∞ and `infinity` being +∞."""

    numbers: tuple[Number, ...]
    utility: Sequence[Rank]
    """Each leaf's rank; 0 at inner nodes."""

    @property
    def infinity(self) -> Rank:
        return Rank(len(self.numbers))

    def number(self, rank: Rank) -> Bound:
        return "-inf" if rank < 0 else "inf" if rank == len(self.numbers) else self.numbers[rank]

    def rank(self, bound: Bound) -> Rank:
        if isinstance(bound, str):
            return LOWEST if bound == "-inf" else self.infinity
        return Rank(self.numbers.index(bound))

    def values(self, ranks: Iterable[Rank]) -> list[Number]:
        """Of ranks that are all finite."""
        return [self.numbers[rank] for rank in ranks]

    def ranks(self, values: Iterable[Number]) -> list[Rank]:
        """Of values that are all among the numbers."""
        rank = cast(dict[Number, Rank], {number: place for place, number in enumerate(self.numbers)})
        return [rank[value] for value in values]


def scale_of(tree: Tree, also: Iterable[Bound] = ()) -> Scale:
    """The scale of a tree's leaves, and of the bounds of a window besides."""
    leaves = cast(Sequence[Number | None], tree.leaf)
    distinct = {*leaves, *(bound for bound in also if not isinstance(bound, str))} - {None}
    numbers = sorted(cast(set[Number], distinct))
    rank = cast(dict[Number | None, Rank], {number: place for place, number in enumerate(numbers)})
    rank[None] = Rank(0)
    return Scale(tuple(numbers), [rank[leaf] for leaf in leaves])
