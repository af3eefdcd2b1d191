"""The answer key: an exercise under one convention, and each of its questions beside it. Each search is made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, KeysView
from copy import copy
from dataclasses import replace
from typing import Any, Protocol, TypeVar

from grader.answers.node_names import NodeNames
from grader.questions.exercise import Exercise, Question
from grader.questions.reasons import Reasons
from solver.game import Convention, Tree
from solver.kernel import Refusal
from solver.languages import DECIMAL_COMMA
from solver.pipeline import solve
from solver.search import Solution

T = TypeVar("T")


class QuestionType(Protocol):
    """What a key must know of the type of a question."""

    @property
    def usual_algorithm(self) -> str: ...
    @property
    def about_search(self) -> bool: ...


TYPES: dict[str, QuestionType] = {}
"""By name; `registry` fills it."""


class AnswerKey:
    def __init__(self, exercise: Exercise, convention: Convention | None = None) -> None:
        self.exercise = exercise
        self.convention = exercise.convention if convention is None else convention
        self.tree = exercise.game.tree
        self.questions = [KeyedQuestion(question, self) for question in exercise.questions]
        # What is written down changes no search.
        self._searched = replace(self.convention, write=exercise.convention.write)
        self._names: list[NodeNames] = []
        self._reasons: list[Reasons] = []

    def of(self, question: Question) -> KeyedQuestion:
        """A question of the exercise beside this key."""
        return next(each for each in self.questions if each.question is question or each.id == question.id)

    def attempt(self, algorithm: str, depth: int | None = None) -> Solution | Refusal:
        """What an algorithm finds, or why it does not take the game."""
        searches: dict[Any, Solution | Refusal] = self.exercise.searches
        asked = (algorithm, depth, self._searched)
        if asked not in searches:
            try:
                searches[asked] = solve(self.exercise.game, algorithm, self._searched, depth)
            except Refusal as refusal:
                searches[asked] = refusal
        return searches[asked]

    def solution(self, algorithm: str, depth: int | None = None) -> Solution:
        """What an algorithm finds; Refusal where it does not take the game."""
        found = self.attempt(algorithm, depth)
        if isinstance(found, Refusal):
            raise found
        return found

    def names(self, tree: Tree) -> NodeNames:
        """What students may call the nodes of the game's tree, or of what a depth limit leaves of it."""
        found = next((names for names in self._names if names.tree is tree), None)
        if found is None:
            self._names.append(found := NodeNames(tree))
        return found

    def reasons(self, solution: Solution) -> Reasons:
        found = next((reasons for reasons in self._reasons if reasons.solution is solution), None)
        if found is None:
            self._reasons.append(found := Reasons(solution))
        return found

    @property
    def decimal_comma(self) -> bool:
        """Whether the exercise is in a language whose decimals have a comma, so that 1,098 is no thousand."""
        return self.exercise.language in DECIMAL_COMMA

    @property
    def asks_about_a_search(self) -> bool:
        """Values are then those that the search returns, unless a question says otherwise."""
        return any(TYPES[question.ask].about_search for question in self.exercise.questions)


class KeyedQuestion:
    """A question beside the answer key that it is marked by."""

    def __init__(self, question: Question, answer_key: AnswerKey) -> None:
        self.question, self.answer_key = question, answer_key
        self.id, self.ask, self.marks, self.text = question.id, question.ask, question.marks, question.text
        self.nodes, self.digits, self.depth = question.nodes, question.digits, question.depth
        self.algorithm, self.parameters, self.rubric = question.algorithm, question.parameters, question.rubric
        self.exercise, self.convention, self.tree = answer_key.exercise, answer_key.convention, answer_key.tree
        self._once: dict[Hashable, Any] = {}
        self._solution: Solution | None = None
        self._comma = answer_key.decimal_comma

    def once(self, name: Hashable, make: Callable[[], T]) -> T:
        """What `make` makes, the first time that it is asked for by this name."""
        if name not in self._once:
            self._once[name] = make()
        found: T = self._once[name]
        return found

    def attempt(self) -> Solution | Refusal:
        """What the question's algorithm finds down to the question's depth, or why it does not take the game."""
        return self.answer_key.attempt(self.algorithm or TYPES[self.ask].usual_algorithm, self.depth)

    @property
    def solution(self) -> Solution:
        """The same; Refusal where the algorithm does not take the game."""
        if self._solution is None:
            self._solution = self.answer_key.solution(self.algorithm or TYPES[self.ask].usual_algorithm, self.depth)
        return self._solution

    def changed(self, **fields: Any) -> KeyedQuestion:
        """The same question with other fields, such as another algorithm or depth."""
        return KeyedQuestion(replace(self.question, **fields), self.answer_key)

    @property
    def inner_names(self) -> KeysView[str]:
        """Of the tree, in document order, and those that the question names."""
        tree = self.solution.tree
        return self.once(
            "names", lambda: dict.fromkeys([*(str(tree.ids[node]) for node in tree.inner), *(self.nodes or ())]).keys()
        )

    def answered_in(self, language: str | None) -> KeyedQuestion:
        """The same question for reading an answer in a language; all that is known of the key is shared."""
        if language not in DECIMAL_COMMA or self.decimal_comma:
            return self
        found = copy(self)
        found._comma = True
        return found

    @property
    def reasons(self) -> Reasons:
        return self.answer_key.reasons(self.solution)

    def names(self, tree: Tree) -> NodeNames:
        return self.answer_key.names(tree)

    @property
    def decimal_comma(self) -> bool:
        """Whether decimals are written with a comma, in the language of the exercise or of the answer."""
        return self._comma
