"""Shallow pruning in max^n (Korf 1991, "Multi-player alpha-beta pruning").

Where all vectors have the same sum and no number is below a lower bound, what one side has the others cannot have:

immediate   a mover has all that a side can have, the sum less the lower bounds of the others: no later child is better
shallow     a mover already has so much that too little is left for the mover above, whatever the rest: that one has a
            child at least as good already

    function SHALLOW(node, bound)
        best ← SHALLOW(first child, most)
        for each of the other children do
            if best[mover] ≥ bound then return best
            current ← SHALLOW(child, most of mover and rest − best[mover])
            if current[mover] > best[mover] then best ← current
        return best

Only the parent's bound counts: with three sides or more a deep cut would be unsound. Below a chance node, and below a
node of the same side, only immediate cuts are made. Every vector that is returned, except at cut nodes, is the one of
max^n in which ties go to the first best child in search order; with `past_bound` no tie is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from solver.game.game_tree import CHANCE, ROOT, Node, Tree, Vector, expected
from solver.kernel.errors import Refusal
from solver.kernel.exact import Number, simplest

ShallowKind: TypeAlias = Literal["immediate", "shallow"]
IMMEDIATE: Final = "immediate"
SHALLOW: Final = "shallow"


@dataclass(frozen=True, slots=True)
class ShallowCut:
    """The search of `node` stopped after the child `after`, whose mover has `value` by then.

    immediate: `limit` is the most that a side can have, and the value has reached it (`bound` is that same number).
    shallow: `limit` is the most that is left for the parent's mover, no more than the `bound`, what it has already.
    """

    node: Node
    after: Node
    kind: ShallowKind
    value: Number
    limit: Number
    bound: Number
    skipped: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Shallow:
    """Columns by node; None where a node was not visited."""

    visited: tuple[Node, ...]
    returned: tuple[Vector | None, ...]
    cuts: tuple[ShallowCut, ...]

    @property
    def pruned(self) -> list[Node]:
        return [Node(node) for node, vector in enumerate(self.returned) if vector is None]


@dataclass(slots=True)
class _ShallowCall:
    """One node under search: what its mover's side is (None at chance), its children to come, its best so far."""

    node: Node
    side: int | None
    children: Sequence[Node]
    done: int = 0
    best: Vector | None = None


def shallow_pruning(
    tree: Tree, utility: Sequence[Vector], past_bound: bool = False, right_to_left: bool = False
) -> Shallow:
    """max^n with immediate and shallow cuts; `utility` holds the leaves' vectors."""
    search = _ShallowSearch(tree, utility, past_bound, -1 if right_to_left else 1)
    search.run()
    return Shallow(tuple(search.visited), tuple(search.returned), tuple(search.cuts))


class _ShallowSearch:
    def __init__(self, tree: Tree, utility: Sequence[Vector], past_bound: bool, step: int) -> None:
        if tree.sum is None or tree.bounds is None:
            raise Refusal(
                tree.ids[0],
                "bounds-needed",
                "shallow pruning needs vectors of a known sum and a lower bound for each number: without them what is "
                "good for one side need not be bad for another, so no child can be ruled out unseen",
                "declare sum: S and bounds: [L, U]",
            )
        self.tree, self.utility, self.past_bound, self.step = tree, utility, past_bound, step
        self.side_of = tree.side_of or {}
        self.sides = len(tree.sides)
        self.lowest, highest = tree.bounds
        self.sum = tree.sum
        self.most = min(highest, simplest(self.sum - (self.sides - 1) * self.lowest))
        self.visited: list[Node] = []
        self.returned: list[Vector | None] = [None] * len(tree)
        self.cuts: list[ShallowCut] = []

    def run(self) -> None:
        calls: list[_ShallowCall] = []
        node = ROOT
        while True:
            self.visited.append(node)
            if self.tree.turn[node] is not None:
                calls.append(self.call(node))
                node = calls[-1].children[0]
                continue
            self.returned[node] = self.utility[node]
            while calls:
                call = calls[-1]
                self.take(call, call.children[call.done])
                call.done += 1
                if call.done < len(call.children) and not self.cut(call, calls[-2] if len(calls) > 1 else None):
                    break
                self.returned[call.node] = self.value(call)
                calls.pop()
            if not calls:
                return
            node = calls[-1].children[calls[-1].done]

    def call(self, node: Node) -> _ShallowCall:
        turn = str(self.tree.turn[node])
        side = None if turn == CHANCE else self.side_of[turn]
        return _ShallowCall(node, side, self.tree.children[node][:: self.step])

    def take(self, call: _ShallowCall, child: Node) -> None:
        vector = self.returned[child]
        assert vector is not None
        if call.side is not None and (call.best is None or vector[call.side] > call.best[call.side]):
            call.best = vector

    def cut(self, call: _ShallowCall, above: _ShallowCall | None) -> bool:
        """Whether the children to come cannot affect the result; a cut is noted."""
        if call.side is None or call.best is None:
            return False
        value = call.best[call.side]
        if value >= self.most and not self.past_bound:
            return self.note(call, IMMEDIATE, value, self.most, self.most)
        if above is None or above.side in (None, call.side) or above.best is None:
            return False
        assert above.side is not None
        limit = min(self.most, simplest(self.sum - value - (self.sides - 2) * self.lowest))
        bound = above.best[above.side]
        if limit < bound or (limit == bound and not self.past_bound):
            return self.note(call, SHALLOW, value, limit, bound)
        return False

    def note(self, call: _ShallowCall, kind: ShallowKind, value: Number, limit: Number, bound: Number) -> bool:
        skipped = tuple(sorted(call.children[call.done :]))
        self.cuts.append(ShallowCut(call.node, call.children[call.done - 1], kind, value, limit, bound, skipped))
        return True

    def value(self, call: _ShallowCall) -> Vector:
        if call.side is not None:
            assert call.best is not None
            return call.best
        vectors = [self.returned[child] for child in self.tree.children[call.node]]
        return tuple(
            expected(self.tree, call.node, [vector[side] for vector in vectors if vector is not None])
            for side in range(self.sides)
        )
