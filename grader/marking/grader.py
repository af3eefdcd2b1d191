"""exercise + answer → report: the stages of marking, composed on one page and nowhere else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from grader.documents.answer_file import Answer
from grader.marking.conventions import Candidate, candidates
from grader.marking.diagnose import Diagnosing
from grader.marking.mark import (
    Bar,
    MarkedAnswer,
    Remembered,
    Unexplained,
    alike,
    mark,
    mark_beyond,
    own_answers,
    same_search,
    unexplained,
)
from grader.marking.report import Report
from grader.mistakes.diagnosis import Diagnosis, fit, is_a_convention
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from solver.game import Convention
from solver.kernel import Refusal
from solver.languages import DECIMAL_COMMA

MOST_REMEMBERED, LONGEST_REMEMBERED = 300, 10_000
"""Answers, and the signs of one."""


class Grader:
    """Marks answers to one exercise; what does not depend on an answer is done once."""

    def __init__(self, exercise: Exercise) -> None:
        self.exercise = exercise
        self.declared = AnswerKey(exercise)
        self._diagnosing: dict[Convention, Diagnosing] = {}
        self._marked: dict[str, tuple[MarkedAnswer, MarkedAnswer, Candidate, list[Diagnosis]]] = {}

    @cached_property
    def answer_keys(self) -> list[tuple[Candidate, AnswerKey]]:
        """The conventions with keys of their own; of those with one key, the nearest to the declared one."""
        return [(candidate, answer_key) for candidate, answer_key, first in self._all_keys if first is answer_key]

    @cached_property
    def _all_keys(self) -> list[tuple[Candidate, AnswerKey, AnswerKey]]:
        """Every convention, and the nearest to the declared one that has the same key."""
        found: list[tuple[Candidate, AnswerKey, AnswerKey]] = []
        first: dict[Any, AnswerKey] = {}
        for candidate in candidates(self.exercise):
            answer_key = self.declared if not found else AnswerKey(self.exercise, candidate.convention)
            try:
                key = tuple(_printed_key(answer_key))
            except Refusal:
                continue
            found.append((candidate, answer_key, first.setdefault(key, answer_key)))
        return found

    def _considers(
        self, candidate: Candidate, answer_key: AnswerKey, first: AnswerKey, declared: MarkedAnswer, before: Remembered
    ) -> bool:
        """Whether an answer may follow another convention. One that prunes nothing is considered only if windows or the
        order of visits show a search; one with the key of another, `first`, only if the student's own values lead it
        elsewhere."""
        if first is not answer_key and same_search(answer_key, first, declared.given, before):
            return False
        return candidate.accepted or self._shows_search(declared) or not self._prunes_nothing(answer_key)

    def _shows_search(self, declared: MarkedAnswer) -> bool:
        return any(
            ask_of(question).shows_search and any(given.read for given in declared.given[question.id].values())
            for question in self.exercise.questions
        )

    def _explains_more(self, candidate: Candidate, other: MarkedAnswer, declared: MarkedAnswer) -> bool:
        """Whether it leaves fewer items wrong, missing or charged. One number at every node, with nothing crossed out,
        is no evidence of a search that prunes nothing."""
        if candidate.accepted:
            return True
        blind = other.unfollowed and self._prunes_nothing(other.answer_key)
        return not blind and other.faults < declared.faults

    def _prunes_nothing(self, answer_key: AnswerKey) -> bool:
        """Whether crossing out nothing would be right, while the declared convention has something to cross out."""
        asked = [question for question in self.exercise.questions if ask_of(question).may_be_nothing]
        return any(
            ask_of(question).keyed(self.declared.of(question)) and not ask_of(question).keyed(answer_key.of(question))
            for question in asked
        )

    def grade(self, answer: Answer) -> Report:
        """Equal answers are marked once: many students write the same."""
        written = json.dumps([answer.answers, answer.language in DECIMAL_COMMA], sort_keys=True)
        if written not in self._marked:
            if len(self._marked) >= MOST_REMEMBERED:
                self._marked.clear()
            marked = self._mark(answer)
            if len(written) > LONGEST_REMEMBERED:
                return Report(self.exercise, answer, *marked)
            self._marked[written] = marked
        return Report(self.exercise, answer, *self._marked[written])

    def _mark(self, answer: Answer) -> tuple[MarkedAnswer, MarkedAnswer, Candidate, list[Diagnosis]]:
        best, declared, counted = self.marked(answer.answers, answer.language)
        return best, declared, counted, self._diagnosis(declared, best)

    def marked(
        self, answers: Mapping[str, Any], language: str | None = None
    ) -> tuple[MarkedAnswer, MarkedAnswer, Candidate]:
        """Under the convention that counts and under the declared one, and which counts; nothing is diagnosed."""
        before = Remembered()
        declared = mark(self.declared, answers, before, language)
        best, counted, most = declared, next(candidates(self.exercise)), declared.marks
        if most == self.exercise.out_of:
            # Nobody needs another convention's key for an answer that is right.
            return best, declared, counted
        faults = declared.faults
        stated = [own.values for own in own_answers(self.declared, declared.given).values() if own.values]
        for candidate, answer_key, first in self._all_keys[1:]:
            unexplained = self._unexplained(candidate.convention, declared, stated, before)
            bar = Bar(most / candidate.share, None if candidate.accepted else faults, unexplained)
            if bar.cannot_be_passed(self.exercise.out_of, sum(map(len, unexplained.values()))):
                continue
            if not self._considers(candidate, answer_key, first, declared, before):
                continue
            other = mark_beyond(bar, answer_key, answers, before, language)
            if other is not None and self._explains_more(candidate, other, declared):
                best, counted, most = other, candidate, other.marks * candidate.share
                if most == self.exercise.out_of:
                    break
        return best, declared, counted

    def _unexplained(
        self,
        convention: Convention,
        declared: MarkedAnswer,
        stated: Sequence[Mapping[str, Any]],
        before: Remembered,
    ) -> Unexplained:
        """What is wrong under any convention that is like this one in what decides about it."""
        common = alike(convention)
        if common not in before.unexplained:
            keys, enough = self._alike[common], declared.faults
            before.unexplained[common] = unexplained(keys, declared.given, stated, enough)
        return before.unexplained[common]

    @cached_property
    def _alike(self) -> Mapping[tuple[Any, ...], list[AnswerKey]]:
        found: dict[tuple[Any, ...], list[AnswerKey]] = {}
        for _, answer_key, _ in self._all_keys:
            found.setdefault(alike(answer_key.convention), []).append(answer_key)
        return found

    def _diagnosis(self, declared: MarkedAnswer, best: MarkedAnswer) -> list[Diagnosis]:
        """What explains the answer, if it is not right: under the declared or the recognised convention, whichever a
        mistake fits exactly, or else better."""
        if best.marks == self.exercise.out_of:
            return []
        conventions = (declared,) if best is declared else (declared, best)
        sought = [(self._diagnosing_by(marked.answer_key), marked.given) for marked in conventions]
        found = [each for diagnosing, given in sought if (each := diagnosing.diagnosis(given))]
        found = found or [each for diagnosing, given in sought if (each := diagnosing.detected(given))]
        named = max(found, key=fit, default=[])
        return [] if is_a_convention(named) and self._follows_another(declared) else named

    def _follows_another(self, marked: MarkedAnswer) -> bool:
        """Whether the answer is right by a convention that it may follow, though another one earns more."""
        before = Remembered()
        return any(
            self._diagnosing_by(answer_key).is_key(marked.given)
            for candidate, answer_key, first in self._all_keys[1:]
            if self._considers(candidate, answer_key, first, marked, before)
        )

    def _diagnosing_by(self, answer_key: AnswerKey) -> Diagnosing:
        convention = answer_key.convention
        if convention not in self._diagnosing:
            self._diagnosing[convention] = Diagnosing(answer_key)
        return self._diagnosing[convention]


def _printed_key(answer_key: AnswerKey) -> Iterator[tuple[str, str, str]]:
    """The whole key as it is printed: two conventions with the same one cannot be told apart."""
    for question in answer_key.questions:
        ask = ask_of(question)
        for item, text in ask.shown(question).items():
            yield question.id, item, text
