"""Students who search by hand: alpha-beta in plain code under each convention, with slips that are carried on.

Nothing here knows the marking or the solver: what a student writes must not come from the author of the key.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from typing import Any

Nested = Any
"""A number, or a list of nested trees."""
Window = tuple[float, float]

MISSED = 0.2
"""The share of slips that are a missed cut; the others return a wrong value."""
ANOTHER_LEAF = 0.7
"""The share of wrong values that are another leaf below the node; the others are off by 1 to 9."""
TRIES = 60


@dataclass(frozen=True)
class PaperTree:
    """A tree as it is printed, MAX and MIN in turn from the root: inner nodes A, B, C, … breadth first, leaves L1, L2,
    … from left to right."""

    nested: Nested

    @cached_property
    def _named(self) -> tuple[dict[str, list[str]], dict[str, int], dict[str, bool]]:
        names: dict[tuple[int, ...], str] = {}
        leaf: dict[str, int] = {}
        maximises: dict[str, bool] = {}
        level: list[tuple[tuple[int, ...], Nested]] = [((), self.nested)]
        paths: list[tuple[tuple[int, ...], Nested]] = []
        while level:
            paths += level
            level = [
                ((*path, place), child)
                for path, node in level
                if isinstance(node, list)
                for place, child in enumerate(node)
            ]
        inner = [path for path, node in paths if isinstance(node, list)]
        for number, path in enumerate(inner):
            names[path] = _letters(number)
            maximises[names[path]] = len(path) % 2 == 0
        for number, (path, node) in enumerate(sorted(pair for pair in paths if not isinstance(pair[1], list)), 1):
            names[path] = f"L{number}"
            leaf[names[path]] = node
        below: dict[str, list[str]] = {names[path]: [] for path in inner}
        for path in sorted(names):
            if path:
                below[names[path[:-1]]].append(names[path])
        return below, leaf, maximises

    @property
    def children(self) -> dict[str, list[str]]:
        """Of every inner node, in breadth-first order."""
        return self._named[0]

    @property
    def leaf(self) -> dict[str, int]:
        """What each leaf is worth, from left to right."""
        return self._named[1]

    @property
    def maximises(self) -> dict[str, bool]:
        return self._named[2]

    def leaves_below(self, node: str) -> list[str]:
        if node in self.leaf:
            return [node]
        return [leaf for child in self.children[node] for leaf in self.leaves_below(child)]


def _letters(number: int) -> str:
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


@dataclass(frozen=True, slots=True)
class Habit:
    """How a student was taught to search, and to write."""

    strict: bool = False
    """Cuts at > and <, not at ≥ and ≤."""
    update_first: bool = False
    hard: bool = False
    """Hands up nothing outside of the window."""
    from_right: bool = False
    writes_exit: bool = False


@dataclass(frozen=True, slots=True)
class Slips:
    handed_up: Mapping[str, int] = field(default_factory=dict)
    """The wrong number that a node returns."""
    missed: frozenset[str] = frozenset()
    """Nodes where the student does not see that the search may stop."""

    def __len__(self) -> int:
        return len(self.handed_up) + len(self.missed)


@dataclass
class Paper:
    """What is on the student's scratch paper after the search."""

    tree: PaperTree
    habit: Habit
    slips: Slips
    handed_up: dict[str, float] = field(default_factory=dict)
    """By inner node, as the student writes it."""
    meant: dict[str, float] = field(default_factory=dict)
    """The same before a slip at the node itself."""
    entry: dict[str, Window] = field(default_factory=dict)
    exit: dict[str, Window] = field(default_factory=dict)
    visited: list[str] = field(default_factory=list)
    """Inner nodes and leaves, in the order of the search."""
    stops: dict[str, str] = field(default_factory=dict)
    """Where the search stopped, and after which child."""
    overlooked: set[str] = field(default_factory=set)
    """Nodes where it would have stopped, had the student seen it."""

    @property
    def pruned(self) -> list[str]:
        seen = set(self.visited)
        return [leaf for leaf in self.tree.leaf if leaf not in seen]

    @property
    def move(self) -> str:
        """The first of the root's moves with the best value that was returned."""
        root = self.tree.children["A"]
        order = root[::-1] if self.habit.from_right else root
        best = max((child for child in order if child in self._known), key=lambda child: self._known[child])
        return f"a{root.index(best) + 1}"

    @property
    def _known(self) -> dict[str, float]:
        return {**self.tree.leaf, **self.handed_up}


def search(tree: PaperTree, habit: Habit, slips: Slips | None = None) -> Paper:
    paper = Paper(tree, habit, slips or Slips())
    _visit(paper, "A", -inf, inf)
    return paper


def _visit(paper: Paper, node: str, alpha: float, beta: float) -> float:
    tree, habit = paper.tree, paper.habit
    low, high = alpha, beta
    paper.visited.append(node)
    if node in tree.leaf:
        return _clamped(tree.leaf[node], low, high) if habit.hard else tree.leaf[node]
    paper.entry[node] = low, high
    maximises = tree.maximises[node]
    best = -inf if maximises else inf
    order = tree.children[node][::-1] if habit.from_right else tree.children[node]
    for child in order:
        value = _visit(paper, child, alpha, beta)
        best = max(best, value) if maximises else min(best, value)
        stops = _past(best, beta if maximises else alpha, maximises, habit.strict)
        if habit.update_first or not stops or node in paper.slips.missed:
            alpha, beta = (max(alpha, best), beta) if maximises else (alpha, min(beta, best))
        if stops and child != order[-1]:
            if node in paper.slips.missed:
                paper.overlooked.add(node)
            else:
                paper.stops[node] = child
                break
    paper.exit[node] = alpha, beta
    paper.meant[node] = _clamped(best, low, high) if habit.hard else best
    best = paper.slips.handed_up.get(node, best)
    paper.handed_up[node] = _clamped(best, low, high) if habit.hard else best
    return paper.handed_up[node]


def _past(best: float, bound: float, maximises: bool, strict: bool) -> bool:
    if maximises:
        return best > bound if strict else best >= bound
    return best < bound if strict else best <= bound


def _clamped(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def with_slips(draw: random.Random, tree: PaperTree, habit: Habit, count: int) -> Paper | None:
    """A search with so many slips, each of which shows; None if the tree leaves no room for them."""
    for _ in range(TRIES):
        paper = search(tree, habit)
        for _ in range(count):
            paper = search(tree, habit, _one_more(draw, paper))
        if len(paper.slips) == count and _all_show(paper):
            return paper
    return None


def with_slip_of(draw: random.Random, tree: PaperTree, habit: Habit, missed: int, wrong: int) -> Paper | None:
    """A search with so many missed cuts and so many wrong values."""
    for _ in range(TRIES):
        paper = search(tree, habit)
        for _ in range(wrong):
            paper = search(tree, habit, _wrong_value(draw, paper))
        for _ in range(missed):
            paper = search(tree, habit, _missed_cut(draw, paper))
        if len(paper.slips.missed) == missed and len(paper.slips.handed_up) == wrong and _all_show(paper):
            return paper
    return None


def _one_more(draw: random.Random, paper: Paper) -> Slips:
    return _missed_cut(draw, paper) if draw.random() < MISSED else _wrong_value(draw, paper)


def _missed_cut(draw: random.Random, paper: Paper) -> Slips:
    if not paper.stops:
        return paper.slips
    return replace(paper.slips, missed=paper.slips.missed | {draw.choice(list(paper.stops))})


def _wrong_value(draw: random.Random, paper: Paper) -> Slips:
    node = draw.choice([each for each in paper.handed_up if each not in paper.slips.handed_up])
    meant = paper.meant[node]
    others = [paper.tree.leaf[leaf] for leaf in paper.tree.leaves_below(node) if paper.tree.leaf[leaf] != meant]
    if others and draw.random() < ANOTHER_LEAF:
        value = draw.choice(others)
    else:
        value = int(meant) + draw.choice((-1, 1)) * draw.randint(1, 9)
    return replace(paper.slips, handed_up={**paper.slips.handed_up, node: value})


def _all_show(paper: Paper) -> bool:
    """Whether every slip was made and can be seen: its node was reached, and something else stands there."""
    shown = all(
        node in paper.handed_up and paper.handed_up[node] != paper.meant[node] for node in paper.slips.handed_up
    )
    return shown and paper.slips.missed == paper.overlooked


def exam_paper(draw: random.Random, ties: bool) -> PaperTree:
    """Two to four plies with two or three children, and at least one cut; with or without equal leaves."""
    while True:
        plies = draw.choice((2, 3, 4))
        shape = _shape(draw, plies)
        size = _size(shape)
        top = max(3, size) if ties else 3 * size + 5
        numbers = [draw.randint(1, top) for _ in range(size)] if ties else draw.sample(range(1, top + 1), size)
        if ties == (len(set(numbers)) == size):
            continue
        tree = PaperTree(_filled(shape, iter(numbers)))
        if search(tree, Habit()).stops:
            return tree


def _shape(draw: random.Random, plies: int) -> Nested:
    if not plies:
        return 0
    most = 3 if plies < 4 else 2
    return [_shape(draw, plies - 1) for _ in range(draw.randint(2, most))]


def _size(shape: Nested) -> int:
    return sum(map(_size, shape)) if isinstance(shape, list) else 1


def _filled(shape: Nested, numbers: Any) -> Nested:
    return [_filled(each, numbers) for each in shape] if isinstance(shape, list) else next(numbers)
