"""A solution: what an algorithm found out about a tree, frozen, with how it was found; and what an algorithm says
about itself.

For trees of MAX and MIN a solution counts the fewest and the most leaves that alpha-beta can evaluate, over all
orders of the children, with the cut test `at-bound` and the window (−∞, +∞).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, Protocol, TypeAlias

from solver.game.convention import Convention
from solver.game.game_tree import AND, CHANCE, MAX, MIN, ROOT, Move, Needs, Node, Tree, Vector
from solver.kernel.exact import Number, number_text
from solver.kernel.value_types import Pictured, lazy
from solver.search.trace import LOWEST, Rank, Search, scale_of

MOST_LEAVES = 16
MOST_CHILDREN = 4


def fewest_leaves(tree: Tree, value: Sequence[Rank]) -> int:
    """Proofs that the root is worth at least, and at most, its value share one leaf: LB + UB − 1 (Knuth & Moore 1975).

    LB(leaf) = 1 if it is worth enough, else ∞; at MAX the cheapest child proves it, at MIN all must. UB is the dual.
    """
    goal, never = value[0], len(tree) + 1
    at_least = [1 if rank >= goal else never for rank in value]
    at_most = [1 if rank <= goal else never for rank in value]
    turn, children = tree.turn, tree.children
    for node in tree.bottom_up():
        cheapest, dearest = (at_least, at_most) if turn[node] == MAX else (at_most, at_least)
        below = children[node]
        cheapest[node] = min(map(cheapest.__getitem__, below))
        together = sum(map(dearest.__getitem__, below))
        dearest[node] = together if together < never else never
    return at_least[0] + at_most[0] - 1


def most_leaves(tree: Tree, value: Sequence[Rank], infinity: Rank) -> int | None:
    """The worst order's count, or None for a tree too large to try all orders.

    What a node returns, clamped to its window, does not depend on the order below it. So the orders of its children are
    tried once for each window that it is called with, whatever the orders elsewhere.
    """
    if len(tree.leaves) > MOST_LEAVES or max(map(len, tree.children)) > MOST_CHILDREN:
        return None

    return _WorstOrder(tree, value).most(ROOT, LOWEST, infinity)


class _WorstOrder:
    """It calls itself only where the tree branches, so never deeper than `MOST_LEAVES`."""

    def __init__(self, tree: Tree, value: Sequence[Rank]) -> None:
        self.children = tree.children
        self.turn = tree.turn
        self.value = value
        self.known: dict[tuple[Node, Rank, Rank], int] = {}
        self.leaves = leaves = [1] * len(tree)
        for node in tree.bottom_up():
            leaves[node] = sum(map(leaves.__getitem__, tree.children[node]))

    def most(self, node: Node, alpha: Rank, beta: Rank) -> int:
        """Leaves evaluated below a node that is called with a window that is not empty."""
        children = self.children[node]
        while len(children) == 1:
            node = children[0]
            children = self.children[node]
        if not children:
            return 1
        if (highest := self.known.get((node, alpha, beta))) is not None:
            return highest
        value, every, maximising = self.value, self.leaves[node], self.turn[node] == MAX
        if every == len(children):
            going_on = sum([value[child] < beta if maximising else value[child] > alpha for child in children])
            highest = min(going_on + 1, every)
        else:
            highest = 0
            # Whoever moves α or β least comes first: most often this order evaluates all, and no other is tried.
            for order in permutations(sorted(children, key=value.__getitem__, reverse=not maximising)):
                highest = max(highest, self.evaluated(order, maximising, alpha, beta))
                if highest == every:
                    break
        self.known[node, alpha, beta] = highest
        return highest

    def evaluated(self, order: Sequence[Node], maximising: bool, alpha: Rank, beta: Rank) -> int:
        """Leaves evaluated below a node whose children come in this order, each with its own worst order below."""
        count = 0
        for child in order:
            count += self.most(child, alpha, beta)
            if maximising:
                alpha = max(alpha, self.value[child])
            else:
                beta = min(beta, self.value[child])
            if alpha >= beta:
                break
        return count


Value: TypeAlias = Number | Vector | bool
"""Of a node: a number, a vector for several players, or whether an AND-OR tree has a plan from there."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How MCTS is to run, and to how many digits it is shown."""

    steps: int | None = None
    """Without it, one for each playout that the document lists, and at least one."""
    seed: int = 0
    digits: int = 4


@dataclass(frozen=True, slots=True)
class SamplingResult:
    found: Any
    """What `solver.search.algorithms.mcts` found; it is loaded only when it runs."""
    sampling: Sampling


class PlanResult(Protocol):
    """What `solver.search.algorithms.and_or` found; it is loaded only when it runs."""

    @property
    def visited(self) -> Sequence[Node]: ...
    @property
    def plan(self) -> Any: ...
    @property
    def text(self) -> str: ...


@dataclass(frozen=True, repr=False)
class Solution(Pictured):
    """Values are the true ones under best play, pruned or not; `search` is there for pruning algorithms only."""

    tree: Tree
    algorithm: str
    convention: Convention
    found: Sequence[Value] | Callable[[], Sequence[Value]]
    """The values, or what finds them when they are asked for."""
    search: Search | None = None
    vectors: Sequence[Vector] | None = None
    """max^n: every equilibrium vector of the root."""
    plan: PlanResult | None = None
    """AND-OR search: the conditional plan, and what the search visited."""
    sampled: SamplingResult | None = None
    """MCTS: the statistics, beside the true values."""
    title: str = ""
    """Of the game."""

    def __repr__(self) -> str:
        leaves, pruned = len(self.tree.leaves), sum(self.tree.turn[node] is None for node in self.pruned)
        move = f", move {self.move}" if self.move is not None else ""
        return f"<Solution by {self.algorithm}: value {_short(self.value)}{move}, {leaves - pruned} of {leaves} leaves>"

    @lazy
    def values(self) -> Sequence[Value]:
        return self.found() if callable(self.found) else self.found

    @property
    def value(self) -> Value:
        return self.values[0]

    @lazy
    def best(self) -> list[Sequence[Node]]:
        """The optimal children of every node, in document order; none at leaves and chance nodes."""
        tree, values = self.tree, self.values
        best: list[Sequence[Node]] = [()] * len(tree)
        for node in tree.inner:
            turn = tree.turn[node]
            if turn in (CHANCE, AND):
                continue
            if tree.players:
                own = (tree.side_of or {})[str(turn)]
                goal = values[node][own]  # type: ignore[index]
                best[node] = [child for child in tree.children[node] if values[child][own] == goal]  # type: ignore[index]
            elif values[node] is not False:
                best[node] = [child for child in tree.children[node] if values[child] == values[node]]
        return best

    def choice(self, node: Node) -> Node | None:
        """The optimal child that `ties` picks, or None."""
        best = self.best[node]
        if not best:
            return None
        # AND-OR search stops at the first plan that it finds: there are no ties to break.
        last_in_search = self.convention.ties == "last" and self.plan is None
        from_right = self.convention.order == "right-to-left"
        return best[-1 if last_in_search != from_right else 0]

    @lazy
    def line(self) -> list[Node]:
        """Best play from the root, as the nodes it leads to; it stops before a chance node's outcome."""
        line: list[Node] = []
        node = self.choice(ROOT)
        while node is not None:
            line.append(node)
            node = self.choice(node)
        return line

    @property
    def move(self) -> Move | None:
        return self.tree.move[self.line[0]] if self.line else None

    @property
    def moves(self) -> list[Move | None]:
        return [self.tree.move[child] for child in self.best[0]]

    @lazy
    def visited(self) -> Sequence[Node]:
        """Nodes in the order in which the search came to them."""
        if self.search is not None:
            return self.search.visited
        if self.plan is not None:
            return self.plan.visited
        if self.convention.order == "left-to-right":
            return self.tree.nodes
        visited: list[Node] = []
        stack = [ROOT]
        while stack:
            node = stack.pop()
            visited.append(node)
            stack.extend(self.tree.children[node])
        return visited

    @lazy
    def pruned(self) -> list[Node]:
        """Nodes that were not visited, in document order."""
        if self.search is not None:
            nodes = zip(self.tree.nodes, self.search.returned, strict=True)
            return [node for node, returned in nodes if returned is None]
        visited = set(self.visited)
        return [node for node in self.tree.nodes if node not in visited] if self.plan is not None else []

    @lazy
    def fewest_and_most(self) -> tuple[int | None, int | None]:
        """Leaves that alpha-beta evaluates in the best and in the worst order of children; None where undefined."""
        tree = self.tree
        if not tree.turns <= {MAX, MIN} or tree.players:
            return None, None
        if self.search is not None:
            scale, ranks = self.search.scale, self.search.true
        else:
            scale = scale_of(tree)
            values: Sequence[Any] = self.values
            ranks = scale.ranks(values)
        return fewest_leaves(tree, ranks), most_leaves(tree, ranks, scale.infinity)


def _short(value: Value) -> str:
    if isinstance(value, bool):
        return "success" if value else "failure"
    return f"({', '.join(map(number_text, value))})" if isinstance(value, tuple) else number_text(value)


@dataclass(frozen=True, slots=True)
class Algorithm:
    name: str
    needs: Needs
    solve: Callable[[Tree, Convention, Sampling], Solution]
    prunes: bool = False
    """Whether it carries windows."""
    natural: bool = False
    """Whether `auto` takes it for the trees that it needs."""
    probes: bool = False
    """Whether it first looks at one child of an outcome, and may come to the outcome again."""
    another_game: bool = False
    """Whether its best move may be another than that of the natural algorithm."""
    opening: str = ""
    """The key of the sentence that a story begins with; without one, a sentence that names the algorithm."""
    opening_without_bounds: str = ""
    """The same for a tree without declared bounds, where that is another sentence."""
