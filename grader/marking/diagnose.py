"""An answer beside the key and beside every mistake, in the same cells."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from grader.mistakes.behaviour import Behaviour, key_behaviour
from grader.mistakes.cells import cells_of
from grader.mistakes.diagnosis import FEWEST_EXPLAINED, Class, Diagnosis, classes_of, diagnosed
from grader.mistakes.guessing import Guessing, guessing_of
from grader.mistakes.pruning import sets_before_any_bound, stops_before_any_bound
from grader.mistakes.registry import MODELS
from grader.mistakes.words import CROSSED, PLAYED, WORTH
from grader.questions.answer_key import AnswerKey
from grader.questions.ask import Given
from grader.questions.registry import ask_of
from solver.game import Convention, Tree
from solver.search import Solution

SELDOM = Fraction(1, 100)
"""The largest share of all sets of leaves that may look like stops before any bound, if these are to mean something."""


class Diagnosing:
    """The mistakes that an exercise shows under one convention, each run once."""

    def __init__(self, answer_key: AnswerKey) -> None:
        self.answer_key = answer_key

    def diagnosis(self, given: Mapping[str, Mapping[str, Given]]) -> list[Diagnosis]:
        return diagnosed(self.written(given), self.key, self.classes, self._guessing)

    def is_key(self, given: Mapping[str, Mapping[str, Given]]) -> bool:
        """Whether all that was answered is as this convention has it."""
        student = self.written(given)
        return bool(student) and all(self.key.get(cell, value) == value for cell, value in student.items())

    def written(self, given: Mapping[str, Mapping[str, Given]]) -> Mapping[Any, Any]:
        """What was written, cell by cell."""
        student: dict[Any, Any] = {}
        for question in self.answer_key.questions:
            student.update(ask_of(question).cells(question, given[question.id]))
        return student

    def detected(self, given: Mapping[str, Mapping[str, Given]]) -> list[Diagnosis]:
        """A19, which no model makes but any answer can show: stops before there is a bound. They must be all that is
        wrong about the leaves, most of what is wrong, and of a kind that seldom comes by chance."""
        student = self.written(given)
        wrong = [cell for cell, value in student.items() if cell in self.key and value != self.key[cell]]
        leaves = [cell for cell in wrong if cell[0] == CROSSED]
        for solution, words, _ in self._asked:
            if CROSSED not in words or solution.search is None:
                continue
            tree, convention = solution.tree, self.answer_key.convention
            crossed = {cell[1] for cell, value in student.items() if cell[0] == CROSSED and value is True}
            stops = stops_before_any_bound(tree, convention, solution, crossed)
            at_them = {leaf for node, last in stops for leaf in _after(tree, convention, node, last)}
            shown = sum(cell[1] in at_them for cell in leaves)
            if not (FEWEST_EXPLAINED <= shown == len(leaves) and 2 * shown > len(wrong)):
                continue
            if sets_before_any_bound(tree, convention, solution) <= SELDOM * 2 ** len(tree.leaves):
                return [Diagnosis("A19", Fraction(shown, len(wrong)), (), sure=False)]
        return []

    @cached_property
    def _asked(self) -> list[tuple[Solution, set[str], int]]:
        """By solution, what is asked about it, in the words of cells, and to how many digits."""
        asked: list[tuple[Solution, set[str], int]] = []
        for question in self.answer_key.questions:
            compared = ask_of(question).compared(question)
            if compared:
                solution = ask_of(question).compared_by(question)
                known = next((words for other, words, _ in asked if other is solution), None)
                if known is None:
                    asked.append((solution, known := set(), ask_of(question).cell_digits(question)))
                known.update(compared)
        return asked

    @cached_property
    def key(self) -> Mapping[Any, Any]:
        """What is right, cell by cell."""
        cells: dict[Any, Any] = {}
        for solution, words, digits in self._asked:
            key = key_behaviour(solution)
            cells |= cells_of(key, key, solution.tree, words, digits=digits)
        return cells

    @cached_property
    def _right_moves(self) -> frozenset[Any]:
        """Moves that no answer is wrong by, and so no mistake either."""
        asked = [question for question in self.answer_key.questions if PLAYED in ask_of(question).compared(question)]
        return frozenset(
            each for question in asked for moves in ask_of(question).keyed(question).values() for each in moves
        )

    @cached_property
    def _guessing(self) -> Guessing:
        tree = next((solution.tree for solution, words, _ in self._asked if CROSSED in words), None)
        backwards = self.answer_key.convention.order == "right-to-left"
        return guessing_of(self.key, [each.different for each in self.classes], tree, backwards)

    @cached_property
    def behaviours(self) -> list[tuple[str, int, Behaviour]]:
        """What every mistake that can be made writes down: its model, about which of the solutions, and what."""
        tree, convention = self.answer_key.tree, self.answer_key.convention
        found = []
        for place, (solution, words, _) in enumerate(self._asked):
            # Where no values are asked, mistakes of pruning are named before mistakes of values.
            models = sorted(MODELS.items(), key=lambda each: WORTH not in words and each[1].family != "pruning")
            for name, model in models:
                behaviour = model.run(tree, convention, solution)
                if behaviour is not None:
                    found.append((name, place, behaviour))
        return found

    def solution(self, place: int) -> Solution:
        """One of those that the questions are about."""
        return self._asked[place][0]

    @cached_property
    def classes(self) -> list[Class]:
        """The mistakes that show in this exercise; those that look alike are one class."""
        found: dict[str, dict[Any, Any]] = {}
        keys = [key_behaviour(solution) for solution, _, _ in self._asked]
        for name, place, behaviour in self.behaviours:
            solution, words, digits = self._asked[place]
            cells = cells_of(behaviour, keys[place], solution.tree, words, digits=digits)
            if cells.get((PLAYED,)) in self._right_moves:
                cells[PLAYED,] = self.key[PLAYED,]
            found.setdefault(name, {}).update(cells)
        return classes_of(self.key, found)


def _after(tree: Tree, convention: Convention, node: int, last: int) -> range:
    """The nodes below a node that come after those of its child that was searched last."""
    return (
        range(node + 1, last)
        if convention.order == "right-to-left"
        else range(tree.last[last] + 1, tree.last[node] + 1)
    )
