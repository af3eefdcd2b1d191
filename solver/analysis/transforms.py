"""Changes of the leaves: which of them keep the best moves and what is pruned (AIMA 3e, section 5.5.1).

Without chance a search only compares, so any increasing change keeps both. With chance the best moves are safe under a
positive affine change, v → a·v + b with a > 0, and under nothing else in general; whether some increasing change alters
them on this tree is decided by linear inequalities. Only leaves change: a window of given numbers stays.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import lcm, prod
from typing import Any, TypeAlias

from solver.analysis.accept import accept
from solver.analysis.formula import LeafFormula
from solver.analysis.simplex import solution
from solver.game.convention import Convention
from solver.game.tree import CHANCE, MAX, MIN, Move, Node, NodeId, Tree
from solver.kernel.errors import Refusal
from solver.kernel.exact import RESULT_DIGITS, Number, fits, simplest
from solver.search.algorithms.expectiminimax import expectiminimax
from solver.search.algorithms.minimax import minimax
from solver.search.pruning import pruned_nodes
from solver.search.ranks import Scale, scale_of

WHAT = "changes of the leaves"
MOST_TRIALS = 2_000_000
"""Nodes evaluated in search of a counterexample with one jump."""
MOST_WORK = 200_000
"""Choices of moves, times the size of the inequalities that each gives: a few seconds."""
JUMPS = (10, 100, 10_000)

KEEPS, CHANGES, UNDECIDED = "keeps", "changes", "undecided"

Form: TypeAlias = dict[int, Number]
"""A linear form: the coefficient of each variable, 0 standing for the constant 1."""


@dataclass(frozen=True, slots=True)
class Transformation:
    """A tree before and after its leaves were changed by a formula."""

    by: str
    kind: str
    """What the formula does to this tree's leaves: positive affine, increasing or other."""
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]
    """The root's best moves before and after."""
    pruned: tuple[tuple[NodeId, ...], tuple[NodeId, ...]] | None
    """What alpha-beta leaves unvisited before and after; None with chance."""

    @property
    def same_move(self) -> bool:
        return self.moves[0] == self.moves[1]

    @property
    def same_pruned(self) -> bool | None:
        return None if self.pruned is None else self.pruned[0] == self.pruned[1]


@dataclass(frozen=True, slots=True)
class Counterexample:
    """An increasing change: each value that a leaf has, with its new one, and the best moves before and after."""

    values: tuple[tuple[Number, Number], ...]
    moves: tuple[tuple[Move, ...], tuple[Move, ...]]


@dataclass(frozen=True, slots=True)
class Invariance:
    """What an increasing change of the leaves may do to the root's best moves; a positive affine one keeps them."""

    increasing: str
    """keeps, changes or undecided."""
    reason: str
    pruned_kept: bool | None
    """Whether every increasing change keeps what alpha-beta prunes; None where that is not known or not asked."""
    counterexample: Counterexample | None = None


def transform_compared(tree: Tree, formula: LeafFormula, convention: Convention) -> Transformation:
    """Change the leaves by a formula; are the best moves and the pruned nodes the same?"""
    accept(tree, WHAT)
    changed = transformed(tree, formula)
    pruned = None
    if CHANCE not in tree.turns:
        before, after = (tuple(one.ids[node] for node in pruned_nodes(one, convention)) for one in (tree, changed))
        pruned = (before, after)
    return Transformation(formula.text, _kind(tree, changed), (_best(tree), _best(changed)), pruned)


def transformed(tree: Tree, formula: LeafFormula) -> Tree:
    """The tree with every leaf's value changed by a formula."""
    leaf: list[Any] = list(tree.leaf)
    for node in tree.leaves:
        try:
            leaf[node] = formula(leaf[node])
        except ZeroDivisionError:
            message = f"{formula.text} divides by 0 at {tree.name(node)}"
            raise Refusal(tree.ids[node], "algorithm", message) from None
        except OverflowError:
            leaf[node] = None
        if leaf[node] is None or not fits(leaf[node]):
            message = f"{formula.text} has more than {RESULT_DIGITS:,} digits at {tree.name(node)}"
            raise Refusal(tree.ids[node], "result-size", message)
    return replace(tree, leaf=tuple(leaf))


def increasing_changes(tree: Tree, convention: Convention) -> Invariance:
    """May an increasing change of the leaves alter the root's best moves?"""
    accept(tree, WHAT)
    if CHANCE not in tree.turns:
        moves_along = convention.window in (("-inf", "inf"), "utilities")
        reason = "without chance only the order of the leaves counts, and an increasing change keeps it"
        return Invariance(KEEPS, reason, True if moves_along else None)
    if tree.turn[0] in (None, CHANCE) or len(tree.children[0]) == 1:
        return Invariance(KEEPS, "there is no choice at the root", None)
    scale = scale_of(tree)
    jump = _one_jump(tree, scale)
    verdict, gaps = (CHANGES, jump) if jump is not None else _decide(tree, scale)
    if gaps is not None:
        found = _counterexample(tree, scale, gaps)
        assert found.moves[0] != found.moves[1]
        return Invariance(CHANGES, "an increasing change of these leaves alters the best move", None, found)
    if verdict == KEEPS:
        return Invariance(KEEPS, "no increasing change can alter the best move here", None)
    return Invariance(UNDECIDED, "no increasing change was found that alters the best move, and none is excluded", None)


def _best(tree: Tree) -> tuple[Move, ...]:
    if tree.turn[0] in (None, CHANCE):
        return ()
    leaves: Any = tree.leaf
    value = expectiminimax(tree, leaves)
    return tuple(Move(str(tree.move[child])) for child in tree.children[0] if value[child] == value[0])


def _kind(tree: Tree, changed: Tree) -> str:
    pairs: Any = sorted({(tree.leaf[node], changed.leaf[node]) for node in tree.leaves})
    slopes = [Fraction(new[1] - old[1]) / (new[0] - old[0]) for old, new in pairwise(pairs)]
    if any(slope <= 0 for slope in slopes):
        return "other"
    return "positive affine" if len(set(slopes)) <= 1 else "increasing"


def _counterexample(tree: Tree, scale: Scale, gaps: Sequence[Number]) -> Counterexample:
    """The change that gives the smallest leaf 0 and each next one so much more than the one before."""
    new: list[Number] = [0]
    for gap in gaps:
        new.append(simplest(new[-1] + gap))
    by_value: dict[Any, Number] = dict(zip(scale.numbers, new, strict=True))
    changed = replace(tree, leaf=tuple(None if leaf is None else by_value[leaf] for leaf in tree.leaf))
    return Counterexample(tuple(by_value.items()), (_best(tree), _best(changed)))


def _one_jump(tree: Tree, scale: Scale) -> list[Number] | None:
    """Try changes in which all leaves are close together except for one wide gap: risk is what such changes vary."""
    count = len(scale.numbers) - 1
    if count * len(tree) * len(JUMPS) > MOST_TRIALS:
        return None
    before = _best(tree)
    for width, place in product(JUMPS, range(count)):
        gaps: list[Number] = [width if each == place else 1 for each in range(count)]
        if _counterexample(tree, scale, gaps).moves[1] != before:
            return gaps
    return None


def _decide(tree: Tree, scale: Scale) -> tuple[str, list[Number] | None]:
    """Whether a change exists, from the first best child and each of the others: a tie is broken if one can be more
    than the other, and a worse child becomes best, or as good, if it can be at least as much."""
    leaves: Any = tree.leaf
    value = expectiminimax(tree, leaves)
    children = tree.children[0]
    champion = next(child for child in children if value[child] == value[0])
    verdict, work = KEEPS, 0
    for rival in children:
        if rival == champion:
            continue
        pair = (rival, champion) if tree.turn[0] == MAX else (champion, rival)
        tied = value[rival] == value[0]
        for above, below in (pair, pair[::-1]) if tied else (pair,):
            problem = _Rivalry(tree, scale, above, below, gap=1 if tied else 0)
            if work + problem.work > MOST_WORK:
                verdict = UNDECIDED
                continue
            work += problem.work
            if (gaps := problem.solve()) is not None:
                return CHANGES, gaps
    return verdict, None


class _Rivalry:
    """Is there an increasing change under which one child is worth at least as much as another, plus a gap?

    The gaps δ between neighbouring leaf values are the variables; scaling them changes no order, so δ ≥ 1 is no loss.
    The child that should be more is worth what MAX can make sure of: for some choice of its moves MIN nodes are at
    most each of their children. The other is worth what MIN can: for some choice MAX nodes are at least each of theirs.
    All choices are tried; each gives linear inequalities. What lies below the last chance node only compares, and
    counts as the leaf that it leads to.
    """

    def __init__(self, tree: Tree, scale: Scale, above: Node, below: Node, gap: int) -> None:
        self.tree, self.above, self.below, self.gap = tree, above, below, gap
        self.rank = minimax(tree, scale.utility)
        self.gaps = len(scale.numbers) - 1
        self.open = [turn == CHANCE for turn in tree.turn]
        for node in tree.bottom_up():
            self.open[node] = self.open[node] or any(self.open[child] for child in tree.children[node])
        self.choosing = [*self._nodes(above, MAX), *self._nodes(below, MIN)]
        bounded = [*self._nodes(above, MIN), *self._nodes(below, MAX)]
        rows = sum(len(tree.children[node]) for node in bounded) + 1
        choices = prod(len(tree.children[node]) for node in self.choosing)
        self.work = choices * rows * (self.gaps + len(bounded) + rows)

    def solve(self) -> list[Number] | None:
        for choice in product(*(self.tree.children[node] for node in self.choosing)):
            rows, size = self._inequalities(dict(zip(self.choosing, choice, strict=True)))
            found = solution([[row.get(place, 0) for place in range(size + 1)] for row in rows])
            if found is not None:
                gaps = [1 + each for each in found[: self.gaps]]
                common = lcm(*(each.denominator for each in gaps))
                return [simplest(each * common) for each in gaps]
        return None

    def _nodes(self, child: Node, turn: str) -> Iterator[Node]:
        """The nodes below a child, itself among them, with this turn and chance below them."""
        return (node for node in self.tree.subtree(child) if self.open[node] and self.tree.turn[node] == turn)

    def _inequalities(self, choice: dict[Node, Node]) -> tuple[list[Form], int]:
        rows: list[Form] = []
        size = self.gaps
        form: dict[Node, Form] = {}
        for child in (self.above, self.below):
            for node in reversed(self.tree.subtree(child)):
                children = self.tree.children[node]
                if not self.open[node]:
                    # A leaf's new value is the sum of the gaps below it, each 1 and something more.
                    form[node] = {0: self.rank[node], **{place + 1: 1 for place in range(self.rank[node])}}
                elif self.tree.turn[node] == CHANCE:
                    chances: Any = [self.tree.probability[each] for each in children]
                    form[node] = _sum(chances, [form[each] for each in children])
                elif node in choice:
                    form[node] = form[choice[node]]
                else:
                    size += 1
                    form[node] = {size: 1}
                    sign = 1 if child == self.above else -1
                    rows += [_sum((sign, -sign), (form[each], form[node])) for each in children]
        rows.append(_sum((1, -1, -self.gap), (form[self.above], form[self.below], {0: 1})))
        return rows, size


def _sum(weights: Sequence[Number], forms: Sequence[Form]) -> Form:
    mixed: Form = {}
    for weight, form in zip(weights, forms, strict=True):
        for variable, coefficient in form.items():
            mixed[variable] = mixed.get(variable, 0) + weight * coefficient
    return mixed
