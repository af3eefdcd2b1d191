"""An answer beside the key and beside every mistake, in the same cells."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from grader.mistakes.behaviour import Behaviour, key_behaviour
from grader.mistakes.cells import cells_of
from grader.mistakes.diagnosis import Class, Diagnosis, classes_of, diagnosed
from grader.mistakes.pruning import stops_before_any_bound
from grader.mistakes.registry import MODELS
from grader.mistakes.words import CROSSED, WORTH
from grader.questions.answer_key import AnswerKey
from grader.questions.ask import Given
from grader.questions.registry import ask_of
from solver.search import Solution


class Diagnosing:
    """The mistakes that an exercise shows under one convention, each run once."""

    def __init__(self, answer_key: AnswerKey) -> None:
        self.answer_key = answer_key

    def diagnosis(self, given: Mapping[str, Mapping[str, Given]]) -> list[Diagnosis]:
        student: dict[Any, Any] = {}
        for question in self.answer_key.questions:
            student.update(ask_of(question).cells(question, given[question.id]))
        return (diagnosed(student, self._key, self.classes) or self._detected(student)) if student else []

    def _detected(self, student: Mapping[Any, Any]) -> list[Diagnosis]:
        """A19, which no model makes but any answer can show: stops before there is a bound, if they are most of what is
        wrong."""
        wrong = [cell for cell, value in student.items() if cell in self._key and value != self._key[cell]]
        for solution, words, _ in self._asked:
            if CROSSED not in words or solution.search is None:
                continue
            tree = solution.tree
            crossed = {cell[1] for cell, value in student.items() if cell[0] == CROSSED and value is True}
            stops = stops_before_any_bound(tree, self.answer_key.convention, solution, crossed)
            at_them = {leaf for node, _ in stops for leaf in crossed if node < leaf <= tree.last[node]}
            shown = [cell for cell in wrong if cell[0] == CROSSED and cell[1] in at_them]
            if 2 * len(shown) > len(wrong):
                return [Diagnosis("A19", Fraction(len(shown), len(wrong)), ())]
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
    def _key(self) -> Mapping[Any, Any]:
        cells: dict[Any, Any] = {}
        for solution, words, digits in self._asked:
            key = key_behaviour(solution)
            cells |= cells_of(key, key, solution.tree, words, digits=digits)
        return cells

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
            found.setdefault(name, {}).update(cells)
        return classes_of(self._key, found)
