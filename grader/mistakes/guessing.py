"""How likely somebody who guesses is to come as near to a mistake as an answer does.

Nobody knows how people guess. Three ways are considered, which differ in the leaves that are crossed out:

by coin     every leaf for itself, with a chance of one half
as many     as many leaves as the answer crosses out, but any
by stops    each node that is visited is left after one of its children, all equally likely

In every other cell stands one of the things that the key or some mistake has in such a cell, all equally likely.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import TypeAlias

from grader.mistakes.cells import Cell
from grader.mistakes.words import CROSSED, SELECTED
from solver.game import Tree

Polynomial: TypeAlias = list[Fraction]
"""The chance of 0, 1, 2, … misses, up to those that still matter."""

MOST_CELLS = 200
"""With more than that, nobody who guesses comes near enough to anything."""


@dataclass(frozen=True, slots=True)
class Guessing:
    alternatives: Mapping[Cell, int]
    """How many different things could stand in a cell; at least two."""
    tree: Tree | None = None
    """Whose leaves are crossed out, if any are."""
    right_to_left: bool = False

    def by_coin(self, answered: Collection[Cell], misses: int) -> Fraction:
        """The chance of so few misses, whatever the answer that is to be met."""
        if len(answered) > MOST_CELLS:
            return Fraction(0)
        return sum(self._others(answered, misses), Fraction(0))

    def with_some_sense(self, student: Mapping[Cell, object], says: Mapping[Cell, object], misses: int) -> Fraction:
        """The chance of so few misses of what a mistake says, by the better of the two ways that know a little."""
        leaves = [cell for cell in student if cell[0] == CROSSED]
        if not leaves:
            return self.by_coin(student, misses)
        if len(student) - len(leaves) > MOST_CELLS:
            return Fraction(0)
        crossed, by_mistake = (sum(cells[leaf] is True for leaf in leaves) for cells in (student, says))
        ways = [_as_many(len(leaves), crossed, by_mistake, misses)]
        if self.tree is not None and len(leaves) == len(self.tree.leaves) <= MOST_CELLS:
            ways.append(self._by_stops(self.tree, says, misses))
        others = self._others([cell for cell in student if cell[0] != CROSSED], misses)
        return max(sum(_product(way, others), Fraction(0)) for way in ways)

    def _others(self, cells: Collection[Cell], misses: int) -> Polynomial:
        chances = _exactly(0, misses)
        for cell in cells:
            hit = Fraction(1, self.alternatives.get(cell, 2))
            fewer = [Fraction(0), *chances]
            chances = [hit * same + (1 - hit) * one for same, one in zip(chances, fewer, strict=False)]
        return chances

    def _by_stops(self, tree: Tree, says: Mapping[Cell, object], misses: int) -> Polynomial:
        step = -1 if self.right_to_left else 1
        evaluated = [0] * len(tree)
        """How many leaves at or below a node the mistake leaves in."""
        chances: list[Polynomial] = [[] for _ in range(len(tree))]
        for leaf in tree.leaves:
            crossed = says[CROSSED, leaf] is True
            evaluated[leaf] = int(not crossed)
            chances[leaf] = _exactly(int(crossed), misses)
        for node in tree.bottom_up():
            children = tree.children[node][::step]
            evaluated[node] = skipped = sum(evaluated[child] for child in children)
            visited, found = _exactly(0, misses), [Fraction(0)] * (misses + 1)
            for child in children:
                skipped -= evaluated[child]
                visited = _product(visited, chances[child])
                stopped = _product(visited, _exactly(skipped, misses))
                found = [one + other / len(children) for one, other in zip(found, stopped, strict=True)]
            chances[node] = found
        return chances[0]


def guessing_of(
    key: Mapping[Cell, object],
    mistakes: Sequence[Mapping[Cell, object]],
    tree: Tree | None = None,
    right_to_left: bool = False,
) -> Guessing:
    """From what each mistake has where it differs from the key."""
    found: dict[object, set[object]] = {}
    for cells in (key, *mistakes):
        for cell, value in cells.items():
            found.setdefault(_like(cell), set()).add(str(value))
    return Guessing({cell: max(2, len(found[_like(cell)])) for cell in key}, tree, right_to_left)


def _like(cell: Cell) -> object:
    """What cells have in common in which the same things could stand."""
    return cell if cell[0] == SELECTED else cell[0]


def _exactly(number: int, misses: int) -> Polynomial:
    return [Fraction(int(each == number)) for each in range(misses + 1)]


def _product(one: Polynomial, other: Polynomial) -> Polynomial:
    size = len(one)
    return [sum((one[each] * other[total - each] for each in range(total + 1)), Fraction(0)) for total in range(size)]


def _as_many(leaves: int, crossed: int, by_mistake: int, misses: int) -> Polynomial:
    """Crossed out are so many of the leaves, whichever; some of them are among those that the mistake crosses out."""
    found = [Fraction(0)] * (misses + 1)
    for common in range(max(0, crossed + by_mistake - leaves), min(crossed, by_mistake) + 1):
        missed = crossed + by_mistake - 2 * common
        if missed <= misses:
            ways = comb(by_mistake, common) * comb(leaves - by_mistake, crossed - common)
            found[missed] += Fraction(ways, comb(leaves, crossed))
    return found
