"""Follow-through: what would be right if the student's own earlier answers were.

The declared search is run again with the values that the student states in place of computed ones; where nothing is
stated, the key's value is used. A node that the student stopped early is checked against what they visited below it.

An own slip is a value that neither the key nor the student's other values give. Where two or more of them make all
compared children of a node equal, while the key's differ, nothing follows at that node, nor does any window below it.
One number at every node is followed only where it looks like a slip that was carried on.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

from grader.kernel.verdicts import is_near
from grader.questions.answer_key import KeyedQuestion
from grader.questions.stops import judged, left_out
from solver.analysis import replayed_windows
from solver.game import CHANCE, MAX, Bound, Node, Tree, Window, expected, initial_window
from solver.kernel import Number
from solver.search import Rank, Search, Solution, Value, run_alpha_beta


@dataclass(frozen=True, slots=True)
class Own:
    """What a student says, by the ids of nodes: as far as it could be read."""

    values: Mapping[str, Value] = field(default_factory=dict)
    bounds: frozenset[str] = frozenset()
    """The nodes whose value is stated as a bound."""
    crossed: frozenset[str] | None = None
    """The leaves that are crossed out; None if that was not asked or could not be read."""
    truth: bool | None = False
    """Whether the values are said of the game, not of what a search returns; None: some are."""
    digits: int | None = None
    """To how many the values may be rounded."""


NO_OWN = Own()


class Following:
    """A student's own answers, beside the key of one search."""

    def __init__(
        self,
        question: KeyedQuestion,
        own: Own = NO_OWN,
        truth: bool = False,
        unexplained: Mapping[str, Collection[str]] = MappingProxyType({}),
    ) -> None:
        """`truth`: what is asked are the values themselves, not what a search returns. The key is made when it is asked
        for: a tree with unknown leaves has none. `unexplained`: by question, items that are known not to follow."""
        self.question, self.own, self.truth, self.unexplained = question, own, truth, unexplained
        self._worth_of: dict[Node, set[Value | Bound]] = {}
        self._flat: dict[Node, bool] = {}

    def is_unexplained(self, question: KeyedQuestion, item: str) -> bool:
        return item in self.unexplained.get(question.id, ())

    @cached_property
    def solution(self) -> Solution:
        return self.question.solution

    @property
    def search(self) -> Search | None:
        return None if self.truth else self.solution.search

    @cached_property
    def tree(self) -> Tree:
        return self.solution.tree

    @cached_property
    def stated(self) -> Mapping[Node, Value]:
        index: Mapping[Any, Node] = self.tree.index
        return {index[name]: value for name, value in self.own.values.items() if name in index}

    @cached_property
    def differs(self) -> bool:
        """Whether any stated value is not the key's."""
        return any(value != self._key(node) for node, value in self.stated.items())

    @cached_property
    def handed_up(self) -> Mapping[Node, Number]:
        """What nodes return in the search that the student made: what is stated, else the key's; empty where that is
        the key's own search."""
        search = self.search
        handed_up: dict[Node, Number] = {}
        if search is None or CHANCE in self.tree.turns or not self.differs:
            return handed_up
        for node in self.tree.inner:
            value = self.stated.get(node, self._key(node) if search.returned[node] is not None else None)
            if value is not None and not isinstance(value, str | tuple | bool):
                handed_up[node] = value
        return handed_up

    @cached_property
    def rerun(self) -> Search | None:
        """The declared search with the student's values; None where nothing is searched with windows."""
        if not self.handed_up:
            return self.search
        return run_alpha_beta(self.tree, self.solution.convention, self.handed_up)

    def goes_like(self, other: Following) -> bool:
        """Whether the search with the student's values goes the same way under two conventions."""
        mine, yours = self.rerun, other.rerun
        if mine is None or yours is None or not self.handed_up:
            return mine is yours or not self.handed_up
        if mine.visited != yours.visited:
            return False
        if mine.scale.numbers == yours.scale.numbers:
            return mine.returned == yours.returned and mine.windows == yours.windows
        return all(_passed(mine, node) == _passed(yours, node) for node in mine.visited)

    @cached_property
    def crossed_out_whole(self) -> Sequence[bool]:
        """Whether all leaves of a node are crossed out."""
        crossed = frozenset() if self.truth or self.own.crossed is None else self.own.crossed
        return left_out(self.tree, crossed)

    @cached_property
    def own_windows(self) -> Mapping[Node, frozenset[tuple[Window, ...]]]:
        """The windows of the nodes that the student's own stops leave in; none where no stops were asked for."""
        if self.search is None or self.own.crossed is None or CHANCE in self.tree.turns:
            return {}
        crossed = [leaf for leaf in self.tree.leaves if self.crossed_out_whole[leaf]]
        convention = self.solution.convention
        return replayed_windows(self.tree, crossed, convention, initial_window(self.tree, convention), self.handed_up)

    @cached_property
    def own_slips(self) -> frozenset[Node]:
        """The nodes whose value neither the key nor the student's other values give."""
        if self.own.truth is None:
            of_game, of_search = (replace(self.own, truth=truth) for truth in (True, False))
            return Following(self.question, of_game, True).own_slips & Following(self.question, of_search).own_slips
        if self.truth != self.own.truth:
            return Following(self.question, self.own, self.own.truth).own_slips
        slips: set[Node] = set()
        for node in self.tree.bottom_up():
            if node not in self.stated or self._near(self.stated[node], self._key(node)):
                continue
            rests = self._is_flat(node, slips)
            if rests or not any(self._near(self.stated[node], worth) for worth in self._worths(node)):
                slips.add(node)
        return frozenset(slips)

    def is_flat(self, node: Node) -> bool:
        """Whether nothing follows at a node: own slips make all compared children equal, while the key's differ."""
        if node not in self._flat:
            # Which values are own slips takes long to find out, and most nodes are not flat anyhow.
            self._flat[node] = self._looks_flat(node) and self._is_flat(node, self.own_slips)
        return self._flat[node]

    def _is_flat(self, node: Node, slips: Collection[Node]) -> bool:
        # One slip may well make two children equal; what is carried on from it is not charged again.
        return self._looks_flat(node) and sum(child in slips for child in self.remaining(node)) >= 2

    def _looks_flat(self, node: Node) -> bool:
        """Whether all compared children are equal, while the key's differ."""
        compared = self.remaining(node)
        if len(compared) < 2 or len({self._handed(child) for child in compared}) > 1:
            return False
        return len({self._key(child) for child in self._compared(node)}) > 1

    def below_flat(self, node: Node) -> bool:
        """Whether the node is below one where nothing follows."""
        above = self.tree.parent[node]
        while above >= 0 and not self.is_flat(above):
            above = self.tree.parent[above]
        return above >= 0

    @cached_property
    def unfollowed(self) -> bool:
        """Whether nothing follows at all: one number stands at every node, and does not look like a slip carried on. It
        does if stops are right, late or follow, and no others, and a single own slip has the number of a leaf below."""
        numbers = list(self.stated.values())
        if len(numbers) < 2 or not self.differs or any(number != numbers[0] for number in numbers):
            return False
        if len(self.own_slips) > 1 or not all(self._has_leaf(node, numbers[0]) for node in self.own_slips):
            return True
        return not Following(self.question, self.own).has_stop

    def _has_leaf(self, node: Node, worth: Value) -> bool:
        tree = self.tree
        return any(tree.leaf[below] == worth for below in tree.subtree(node) if not tree.children[below])

    @property
    def has_stop(self) -> bool:
        """Whether one of the student's stops is right, late or follows, and each of them is sound."""
        crossed = self.own.crossed
        if crossed is None or self.search is None:
            return False
        found = [judged(self.question, crossed, values) for values in ({}, self.handed_up)]
        return any(each.sound and any(stop.verdict != "missed" for stop in each.key) for each in found)

    @cached_property
    def finds_half_of_the_stops(self) -> bool:
        """Whether at least half of the key's stops are right or late."""
        crossed = self.own.crossed
        if crossed is None or self.search is None:
            return False
        verdicts = [stop.verdict for stop in judged(self.question, crossed, {}).key]
        return 2 * sum(verdict != "missed" for verdict in verdicts) >= len(verdicts)

    def worth(self, node: Node) -> set[Value | Bound]:
        """What the node may be said to be worth by the student's own values of its children; nothing where nothing
        follows."""
        return set() if self.is_flat(node) else self._worths(node)

    def _worths(self, node: Node) -> set[Value | Bound]:
        if node not in self._worth_of:
            self._worth_of[node] = self._found_worths(node)
        return self._worth_of[node]

    def _found_worths(self, node: Node) -> set[Value | Bound]:
        found: set[Value | Bound] = set()
        again = self.rerun
        if again is not None and again.returned[node] is not None:
            seen = [child for child in self.tree.children[node] if again.returned[child] is not None]
            best = max if self.tree.turn[node] == MAX else min
            if CHANCE not in self.tree.turns:
                found.add(again.scale.number(best(_rank(again, child) for child in seen)))
        visited = self.remaining(node)
        if visited and not self._left_too_few(node):
            found.add(self._from(node, visited))
        return found

    @property
    def nothing_cut(self) -> bool:
        """Whether the search with the student's values cuts nothing, while the key's does."""
        return bool(self.search and self.search.cuts and self.rerun is not None and not self.rerun.cuts)

    def remaining(self, node: Node) -> Sequence[Node]:
        """The children that the student did not cross out."""
        if not self.own.crossed:
            return self.tree.children[node]
        return [child for child in self.tree.children[node] if not self.crossed_out_whole[child]]

    def best(self, node: Node) -> set[Node]:
        """The moves that are best by the student's own values; a bound is not known to be so good."""
        values: dict[Node, Any] = {child: self._handed(child) for child in self.remaining(node)}
        turn = self.tree.turn[node]
        if not values or turn in (None, CHANCE, "and") or self.tree.players:
            return set()
        sure = {
            child: value
            for child, value in values.items()
            if self.tree.ids[child] not in self.own.bounds and not isinstance(value, str) and self._sure(child)
        }
        goal = (max if turn in (MAX, "or") else min)(sure.values(), default=None)
        return {child for child, value in sure.items() if value == goal}

    def _sure(self, child: Node) -> bool:
        """Whether a child's value is meant as exact: the student's own, or the key's where that is exact."""
        own = child in self.stated and self.stated[child] != self._key(child)
        return own or self.search is None or self.search.known(child) in ("exact", "unvisited")

    def never_visited(self, node: Node) -> bool:
        """Whether a node may be said to be unvisited: the search with the student's values does not come to it, or the
        student stopped above it and still had something to compare there."""
        again = self.rerun
        if again is not None and again.returned[node] is None:
            return True
        above = node
        while above >= 0 and self.crossed_out_whole[above]:
            above = self.tree.parent[above]
        return 0 <= above != node and not self.too_easy(above)

    def stopped_early(self, node: Node) -> bool:
        """Whether the student, or the search with the student's values, left out children of the node."""
        again = self.rerun
        cut = again is not None and any(each.node == node for each in again.cuts)
        return cut or any(self.crossed_out_whole[child] for child in self.tree.children[node])

    def too_easy(self, node: Node) -> bool:
        """Whether the student left nothing to compare where the key compares several: one child, or equal ones."""
        return self._left_too_few(node) or self.is_flat(node)

    def _left_too_few(self, node: Node) -> bool:
        return len(self.remaining(node)) < 2 <= len(self._compared(node))

    def _compared(self, node: Node) -> list[Node]:
        """The children that the key's search compares."""
        search = self.search
        return [child for child in self.tree.children[node] if search is None or search.returned[child] is not None]

    def _from(self, node: Node, children: Sequence[Node]) -> Value:
        """A node's value from those of its children, as its turn has it."""
        tree, turn = self.tree, self.tree.turn[node]
        values: dict[Node, Any] = {child: self._handed(child) for child in children}
        if turn == CHANCE:
            outcomes: list[Any] = [values.get(child, self._key(child)) for child in tree.children[node]]
            if any(isinstance(outcome, tuple) for outcome in outcomes):
                return tuple(expected(tree, node, numbers) for numbers in zip(*outcomes, strict=True))
            return expected(tree, node, outcomes)
        if tree.players:
            own = (tree.side_of or {})[str(turn)]
            best = max(vector[own] for vector in values.values())
            return next(vector for vector in values.values() if vector[own] == best)  # type: ignore[no-any-return]
        if any(isinstance(value, bool) for value in values.values()):
            return any(values.values()) if turn == "or" else all(values.values())
        return (max if turn == MAX else min)(values.values())  # type: ignore[no-any-return]

    def _near(self, given: Value, worth: Value | Bound) -> bool:
        return is_near(given, worth, self.own.digits)

    def _handed(self, child: Node) -> Value | Bound:
        return self.stated[child] if child in self.stated else self._key(child)

    def _key(self, node: Node) -> Value | Bound:
        """What the key's search returned, or, of what it did not visit, the value."""
        return self._keys[node]

    @cached_property
    def _keys(self) -> Sequence[Value | Bound]:
        search = self.search

        def made() -> Sequence[Value | Bound]:
            values = self.solution.values
            if search is None:
                return values
            number = search.scale.number
            return [
                value if returned is None else number(returned)
                for value, returned in zip(values, search.returned, strict=True)
            ]

        return self.question.once(("key of nodes", search is None), made)


def _rank(search: Search, node: Node) -> Rank:
    rank = search.returned[node]
    assert rank is not None
    return rank


def _passed(search: Search, node: Node) -> list[tuple[Bound, ...]]:
    """What a node returned, and its windows."""
    number = search.scale.number
    return [(number(_rank(search, node)),), *((number(low), number(high)) for low, high in search.windows[node])]
