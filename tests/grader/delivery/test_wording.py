"""The rules that students are told decide every answer, and every question has a text."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import pytest

from grader.delivery.exercise_wording import deciding_keys, rules
from grader.documents.exercise_file import load_exercise, load_exercise_bytes
from grader.languages import words_of
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from grader.questions.registry import ASKS, ask_of
from solver.game import CONVENTION_CHOICES, Convention, sensible
from solver.kernel import Refusal, UsageError
from solver.languages import LANGUAGES
from tests.support.paths import ROOT

NAMES = sorted(file.stem for file in (ROOT / "exercises").glob("*.yaml"))


def exercise(name: str) -> Exercise:
    return load_exercise(ROOT / "exercises" / f"{name}.yaml")


def every_convention(own: Convention, keys: tuple[str, ...], bounds: bool) -> Iterator[Convention]:
    choices: dict[str, tuple[Any, ...]] = dict(CONVENTION_CHOICES)
    choices["window"] = (("-inf", "inf"), "utilities", *(["bounds"] if bounds else []))
    choices["write"] = ("entry", "exit", "all")
    for values in product(*(choices[key] for key in keys)):
        try:
            yield sensible(replace(own, **dict(zip(keys, values, strict=True))))
        except UsageError:
            continue


def whole_key(of: Exercise, convention: Convention) -> dict[str, Any] | None:
    answer_key = AnswerKey(of, convention)
    try:
        return {
            question.id: dict(ask_of(question).shown(answer_key.of(question)))
            for question in of.questions
            if not ask_of(question).many_right
        }
    except Refusal:
        return None


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stated_leaves_one_key(name: str) -> None:
    """Every convention that agrees with the sheet gives the same answers, however else it chooses."""
    found = exercise(name)
    free = tuple(key for key in CONVENTION_CHOICES if key not in deciding_keys(found))
    right = whole_key(found, found.convention)
    others = [whole_key(found, each) for each in every_convention(found.convention, free, bool(found.game.tree.bounds))]
    assert len(others) > 1
    assert all(each is None or each == right for each in others)


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stated_decides(name: str) -> None:
    """None is stated for nothing: with that key free, but no other of those stated, some answer changes."""
    found = exercise(name)
    stated = deciding_keys(found)
    right = whole_key(found, found.convention)
    for key in stated:
        free = (key, *(each for each in CONVENTION_CHOICES if each not in stated))
        bounds = bool(found.game.tree.bounds)
        keys = [whole_key(found, each) for each in every_convention(found.convention, free, bounds)]
        assert any(each is not None and each != right for each in keys), key


def drawn(seed: int) -> Exercise:
    """A tree with many equal numbers, so that every choice of a convention can matter, and some of the questions."""
    draw = random.Random(seed)

    def below() -> list[int]:
        return [draw.randint(0, 3) for _ in range(draw.randint(2, 3))]

    tree = [
        [below() if draw.random() < 0.6 else draw.randint(0, 3) for _ in range(2)] for _ in range(draw.randint(2, 3))
    ]
    asked = ("values", "values, of: minimax", "windows, at: entry", "windows", "pruned", "move", "line", "visited")
    some = draw.sample(asked, 3)
    questions = "".join(f"  - {{id: q{place}, ask: {what}, marks: 1}}\n" for place, what in enumerate(some))
    text = f"plymark: exercise/1\nid: drawn\ngame: {{tree: {tree}}}\nquestions:\n{questions}"
    return load_exercise_bytes(text.encode())


@pytest.mark.parametrize("seed", range(24))
def test_what_is_stated_leaves_one_key_in_any_tree(seed: int) -> None:
    """And every key that alone changes an answer is stated."""
    found = drawn(seed)
    stated, right = deciding_keys(found), whole_key(found, found.convention)
    free = tuple(key for key in CONVENTION_CHOICES if key not in stated)
    assert all(
        key in (None, right) for key in map(partial(whole_key, found), every_convention(found.convention, free, False))
    )
    for key in CONVENTION_CHOICES:
        others = [whole_key(found, each) for each in every_convention(found.convention, (key,), False)]
        assert key in stated or all(each in (None, right) for each in others)


def test_a_rule_that_only_matters_with_another_is_stated() -> None:
    found = exercise("two-ply")
    assert deciding_keys(found) == ("order", "window", "returns", "write")
    assert deciding_keys(exercise("three-players")) == ("order", "ties")
    assert deciding_keys(exercise("vacuum-plan")) == (), "any plan that works is right"


def test_what_the_exercise_writes_out_is_stated_too() -> None:
    assert "cut" not in deciding_keys(exercise("deep-cut"))
    assert "rule.at-bound" in [rule.key for rule in rules(exercise("deep-cut"))]


ALL_ASKS = b"""
plymark: exercise/1
id: all
title: All
game: {tree: [[3, 12, x], [2, 4, 6], [14, 5, 2]], unknowns: [x]}
questions:
  - {id: r1, ask: range, unknown: x, when: {pruned: L5}, marks: 1}
  - {id: r2, ask: range, unknown: x, when: {value: 3}, marks: 1}
  - {id: a1, ask: assign, goal: most, marks: 1}
  - {id: a2, ask: assign, goal: {move: a1}, marks: 1}
"""


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_question_type_has_a_usual_text(code: str) -> None:
    words, seen = words_of(code), set()
    for found in (*map(exercise, NAMES), load_exercise_bytes(ALL_ASKS), claims()):
        answer_key = AnswerKey(found, found.convention)
        for question in found.questions:
            said = words.tell(ask_of(question).wording(answer_key.of(question)))
            assert len(said) > 15 and "{" not in said
            seen.add(question.ask)
    assert seen == set(ASKS)


def claims() -> Exercise:
    lines = [
        "plymark: exercise/1",
        "id: claims",
        "title: Claims",
        "game: {tree: [[3, 12, 8], [2, 4, 6]]}",
        "questions:",
    ]
    lines += ["  - {id: q1, ask: choice, claim: unique-best-move, marks: 1}"]
    lines += ["  - {id: q2, ask: opponent, errs: threshold, marks: 1}"]
    return load_exercise_bytes("\n".join(lines).encode())
