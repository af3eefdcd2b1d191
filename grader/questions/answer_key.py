"""An exercise under one convention: what its questions are solved by, each solution made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import Any, TypeVar

from grader.answers.node_names import Names
from grader.questions.exercise import Exercise, Question
from grader.questions.reasons import Reasons
from solver.game import Convention, Tree
from solver.pipeline import solve
from solver.search import Solution

T = TypeVar("T")


class Setting:
    def __init__(self, exercise: Exercise, convention: Convention) -> None:
        self.exercise, self.convention = exercise, convention
        self._once: dict[Any, Any] = {}
        self._solutions: dict[tuple[str, int | None], Solution] = {}
        self._names: dict[int, Names] = {}
        self._reasons: dict[int, Reasons] = {}

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes, the first time that it is asked for by this name."""
        if name not in self._once:
            self._once[name] = make()
        found: T = self._once[name]
        return found

    def solution(self, question: Question) -> Solution:
        """What the question's algorithm finds, down to the question's depth."""
        usual = "mcts" if question.ask in ("ucb", "backup") else "auto"
        asked = (question.algorithm or usual, question.depth)
        if asked not in self._solutions:
            self._solutions[asked] = solve(self.exercise.game, asked[0], self.convention, asked[1])
        return self._solutions[asked]

    @property
    def decimal_comma(self) -> bool:
        """Whether the exercise is in a language whose decimals have a comma, so that 1,098 is not a thousand."""
        return self.exercise.language in ("pt", "es")

    def inner_names(self, question: Question) -> frozenset[str]:
        tree = self.solution(question).tree
        named = question.nodes or ()
        inner = lambda: frozenset([*(str(tree.ids[node]) for node in tree.inner), *named])  # noqa: E731
        return self.once(("names", question.id), inner)

    def reasons(self, question: Question) -> Reasons:
        solution = self.solution(question)
        if id(solution) not in self._reasons:
            self._reasons[id(solution)] = Reasons(solution)
        return self._reasons[id(solution)]

    def names(self, tree: Tree) -> Names:
        if id(tree) not in self._names:
            self._names[id(tree)] = Names(tree)
        return self._names[id(tree)]

    @cached_property
    def asks_about_a_search(self) -> bool:
        """Values are then those that the search returns, unless a question says otherwise."""
        return any(question.ask in ("pruned", "windows") for question in self.exercise.questions)
