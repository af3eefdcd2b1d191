"""What no convention explains: the items of an answer that are wrong whichever convention it is marked by.

A number that no search returns, and that is not the value of a child, can neither be right nor follow. So a convention
need not be tried where the answer keeps all its faults under any. Where the
numbers cannot be told beforehand (chance, several players, rounded answers, other depths), nothing is said.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, cast

from grader.answers import UNVISITED, Bound
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import NOTHING, Given
from solver.game import MAX, MIN, Node, Tree, initial_window

Numbers = set[Any]
ALPHA_BETA_TURNS = {MAX, MIN}
ALIKE = ("order", "returns", "window")
"""The keys of a convention that decide which numbers come up where. How a cut is tested, and when windows move, does
not."""


class Reach:
    """The numbers that one question's searches come to, under any of several conventions that are alike in what is
    named in `ALIKE`."""

    def __init__(self, questions: Sequence[KeyedQuestion]) -> None:
        """The same question beside the keys of such conventions."""
        first, convention = questions[0].solution, questions[0].convention
        self.tree: Tree = first.tree
        self.clamps = convention.returns == "fail-hard"
        """Whether bounds may be returned, which come from elsewhere in the tree."""
        step = -1 if convention.order == "right-to-left" else 1
        self.children = [children[::step] for children in self.tree.children]
        """In the order of the search."""
        self.returned: list[Numbers] = [{value} for value in first.values]
        """By node: its value, and what searches return."""
        self.initial: tuple[Numbers, Numbers] = (set(), set())
        """The ends of windows at the root."""
        for question in questions:
            solution = question.solution
            for ends, end in zip(self.initial, initial_window(self.tree, question.convention), strict=True):
                ends.add(end)
            if solution.search is not None:
                number = solution.search.scale.number
                for node, rank in enumerate(solution.search.returned):
                    if rank is not None:
                        self.returned[node].add(number(rank))

    def beside(self, stated: Mapping[str, Any]) -> Stated:
        index: Mapping[Any, Node] = self.tree.index
        return Stated(self, {index[name]: value for name, value in stated.items() if name in index})


class Stated:
    """The same, with the values that a student states."""

    def __init__(self, reach: Reach, values: Mapping[Node, Any]) -> None:
        self.reach, self.tree, self.values = reach, reach.tree, values

    def is_worth(self, node: Node, number: Any) -> bool:
        """Whether a node may be said to be worth so much by the values of others. Where bounds are returned, a child
        may return one that is in force at the node."""
        if self._is_returned_by(self.tree.children[node], number, self.values):
            return True
        return self.reach.clamps and self._is_bound(node, number, 0, on_entry=False)

    def has_window(self, node: Node, window: tuple[Any, Any], on_entry: bool) -> bool:
        """Whether a node may have such a window, or, where that is asked for, have it on entry."""
        low, high = window
        return self._is_bound(node, low, 0, on_entry) and self._is_bound(node, high, 1, on_entry)

    def _is_bound(self, node: Node, end: Any, side: int, on_entry: bool) -> bool:
        """α comes from children of MAX nodes above that were searched before, and of the node itself where it has been
        left; β from those of MIN nodes. Where bounds are returned, both come from both."""
        reach = self.reach
        if end in reach.initial[side] or (reach.clamps and end in reach.initial[1 - side]):
            return True
        turns = (MAX, MIN) if reach.clamps else (MIN,) if side else (MAX,)
        above, until = (self.tree.parent[node], node) if on_entry else (node, None)
        while above >= 0:
            if self.tree.turn[above] in turns:
                children = reach.children[above]
                before = children if until is None else children[: children.index(until)]
                if self._is_returned_by(before, end, self._in_force):
                    return True
            above, until = self.tree.parent[above], above
        return False

    @cached_property
    def _in_force(self) -> Collection[Node]:
        """The nodes that return what is stated. Where all that is stated may be as the key has it, the search is the
        key's own, and nothing stated is used."""
        returned = self.reach.returned
        return self.values if any(value not in returned[node] for node, value in self.values.items()) else ()

    def _is_returned_by(self, children: Iterable[Node], number: Any, stated: Collection[Node]) -> bool:
        """Whether one of them may return a number: what is stated of it, else anything that comes from below."""
        waiting = list(children)
        while waiting:
            child = waiting.pop()
            if self.values.get(child) == number:
                return True
            if child in stated and self.tree.children[child]:
                continue
            if number in self.reach.returned[child]:
                return True
            waiting.extend(self.tree.children[child])
        return False


def reach_of(questions: Sequence[KeyedQuestion]) -> Reach | None:
    """None where the numbers cannot be told beforehand."""
    plain = all(
        question.depth is None and question.digits is None and ALPHA_BETA_TURNS.issuperset(question.tree.turns)
        for question in questions
    )
    return Reach(questions) if plain and not questions[0].tree.players else None


def unexplained_values(
    reach: Reach, key: Iterable[str], given: Mapping[str, Given], stated: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Of the nodes that every key has: what is blank, and numbers that nothing leads to."""
    index: Mapping[Any, Node] = reach.tree.index
    said: list[Stated] = []
    found: list[str] = []
    for name in key:
        here = given.get(name, NOTHING)
        if here.read and here.value is not UNVISITED:
            number = here.value.number if isinstance(here.value, Bound) else here.value
            if number not in reach.returned[index[name]]:
                said = said or [reach.beside(each) for each in stated]
                if not any(each.is_worth(index[name], number) for each in said):
                    found.append(name)
        elif here.blank:
            found.append(name)
    return found


def unexplained_windows(
    reach: Reach, given: Mapping[str, Given], stated: Sequence[Mapping[str, Any]], on_entry: bool
) -> list[str]:
    """Of windows that could be read, those with an end that is no bound there."""
    index: Mapping[Any, Node] = reach.tree.index
    said = [reach.beside(each) for each in stated or [{}]]
    found: list[str] = []
    for name, here in given.items():
        if name in index:
            windows = cast(Sequence[tuple[Any, Any]], here.value)
            if not any(all(each.has_window(index[name], window, on_entry) for window in windows) for each in said):
                found.append(name)
    return found
