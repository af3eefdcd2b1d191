"""Other conventions are not tried where they cannot win; the marks are those of trying them all, and to the end."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

from grader.documents.exercise_file import load_exercise_data
from grader.marking.conventions import Candidate, candidates
from grader.marking.grader import Grader
from grader.marking.mark import MarkedAnswer, Remembered, following_of, mark, marked_question, read, unexplained
from grader.marking.mark import own_answers as own_answers_of
from grader.questions.registry import ask_of
from tests.support.marks import mostly_slow

CONVENTIONS: list[Any] = [
    "aima3",
    "aima4",
    "strict",
    "fail-hard",
    {"like": "aima3", "order": "right-to-left"},
    {"like": "aima3", "window": "utilities"},
    {"like": "fail-hard", "cut": "at-bound", "order": "right-to-left"},
]
QUESTIONS: list[list[dict[str, Any]]] = [
    [{"ask": "values"}, {"ask": "windows", "at": "entry"}, {"ask": "pruned"}, {"ask": "move"}],
    [{"ask": "values"}, {"ask": "windows"}, {"ask": "pruned"}],
    [{"ask": "values", "of": "minimax"}, {"ask": "pruned"}, {"ask": "line"}],
    [{"ask": "windows", "at": "exit"}, {"ask": "inequalities"}],
    [{"ask": "values"}, {"ask": "inequalities"}, {"ask": "visited", "what": "leaves"}],
    [{"ask": "values"}, {"ask": "values", "of": "minimax"}, {"ask": "windows", "at": "all"}],
]
POLICIES: list[dict[str, Any]] = [
    {},
    {"accept": ["strict"]},
    {"other_convention": "half"},
    {"follow_through": "1/2", "other_convention": "full"},
    {"accept": ["fail-hard", {"like": "aima3", "order": "right-to-left"}], "follow_through": 0},
]


def tried_to_the_end(grader: Grader, answers: dict[str, Any]) -> tuple[MarkedAnswer, Candidate]:
    """Every convention that an answer may follow, marked whole."""
    before = Remembered()
    declared = mark(grader.declared, answers, before)
    best, counted, most = declared, next(candidates(grader.exercise)), declared.marks
    if most == grader.exercise.out_of:
        return best, counted
    for candidate, answer_key, first in grader._all_keys[1:]:
        if grader._considers(candidate, answer_key, first, declared, before):
            other = mark(answer_key, answers)
            blind = other.unfollowed and grader._prunes_nothing(answer_key)
            if candidate.accepted or (not blind and other.faults < declared.faults):
                marks = other.marks * candidate.share
                if marks > most:
                    best, counted, most = other, candidate, marks
    return best, counted


def drawn_tree(draw: random.Random, depth: int) -> Any:
    if depth == 0:
        return draw.randint(0, 9)
    return [drawn_tree(draw, depth - 1) for _ in range(draw.randint(2, 3))]


def drawn_exercise(draw: random.Random) -> dict[str, Any]:
    questions = draw.choice(QUESTIONS)
    levels = draw.choice([["max", "min", "max"], ["min", "max", "min"]])
    return {
        "plymark": "exercise/1",
        "id": "drawn",
        "game": {"tree": drawn_tree(draw, 3), "levels": levels},
        "convention": draw.choice(CONVENTIONS),
        "questions": [{"id": f"q{place}", "marks": 3, **question} for place, question in enumerate(questions)],
        "marking": draw.choice(POLICIES),
    }


def changed(raw: Any, draw: random.Random) -> Any:
    """A slip: another number in a few places, a name more or less in a list, or nothing at all."""
    if isinstance(raw, dict):
        new = dict(raw)
        for name in draw.sample(sorted(new), min(len(new), draw.randint(1, 3))):
            match draw.randint(0, 5):
                case 0:
                    del new[name]
                case 1:
                    new[name] = "-"
                case _:
                    ends = ["-inf", "inf", *map(str, range(10))]
                    pair = [draw.choice(ends), draw.choice(ends)]
                    new[name] = pair if isinstance(new[name], list | tuple) or "(" in str(new[name]) else pair[0]
        return new
    if isinstance(raw, list) and raw:
        return draw.sample(raw, draw.randint(0, len(raw) - 1)) or "none"
    return raw


def drawn_answers(grader: Grader, draw: random.Random) -> Iterator[dict[str, Any]]:
    """As one convention or another has it, with slips, and with the parts of one student given to another."""
    keys = [answer_key for _, answer_key, _ in grader._all_keys]
    for _ in range(6):
        answers: dict[str, Any] = {}
        by = draw.choice(keys)
        for question in grader.exercise.questions:
            if draw.random() < 0.15:
                by = draw.choice(keys)
            perfect = ask_of(question).perfect(by.of(question))
            answers[question.id] = changed(perfect, draw) if draw.random() < 0.6 else perfect
        yield answers


@pytest.mark.parametrize("seed", mostly_slow(range(40), 4))
def test_giving_up_early_changes_no_mark(seed: int) -> None:
    draw = random.Random(seed)
    grader = Grader(load_exercise_data(drawn_exercise(draw)))
    for answers in drawn_answers(grader, draw):
        best, _, counted = grader.marked(answers)
        expected, convention = tried_to_the_end(grader, answers)
        assert counted.convention == convention.convention, answers
        assert [each.marks for each in best.questions] == [each.marks for each in expected.questions], answers
        assert [each.marked.items for each in best.questions] == [each.marked.items for each in expected.questions]


def guessed_answers(grader: Grader, draw: random.Random) -> dict[str, Any]:
    """Numbers at random, and some leaves crossed out."""
    tree = grader.declared.tree
    answers: dict[str, Any] = {}
    for question in grader.exercise.questions:
        perfect = ask_of(question).perfect(grader.declared.of(question))
        if question.ask == "pruned":
            answers[question.id] = [str(tree.ids[leaf]) for leaf in draw.sample(tree.leaves, draw.randint(1, 4))]
        elif question.ask == "values":
            answers[question.id] = {name: str(draw.randint(0, 9)) for name in perfect}
        else:
            answers[question.id] = changed(perfect, draw)
    return answers


@pytest.mark.parametrize("seed", mostly_slow(range(40), 4))
def test_what_an_answer_comes_to_at_best_is_no_worse_than_it_comes_to(seed: int) -> None:
    draw = random.Random(2000 + seed)
    grader = Grader(load_exercise_data(drawn_exercise(draw)))
    for answers in [*drawn_answers(grader, draw), *(guessed_answers(grader, draw) for _ in range(6))]:
        for _, answer_key, _ in grader._all_keys:
            given, _ = read(answer_key, answers)
            own = own_answers_of(answer_key, given)
            for question in answer_key.questions:
                following = following_of(question, own, Remembered())
                best, exact = (
                    marked_question(question, given[question.id], following, in_words=in_words)
                    for in_words in (False, True)
                )
                assert best.marks >= exact.marks, (answers, answer_key.convention)
                assert best.faults <= exact.faults, (answers, answer_key.convention)


@pytest.mark.parametrize("seed", mostly_slow(range(40), 4))
def test_what_no_convention_explains_is_a_fault_under_each(seed: int) -> None:
    draw = random.Random(1000 + seed)
    grader = Grader(load_exercise_data(drawn_exercise(draw)))
    for answers in drawn_answers(grader, draw):
        given = mark(grader.declared, answers).given
        stated = [own.values for own in own_answers_of(grader.declared, given).values() if own.values]
        for alike in grader._alike.values():
            never = unexplained(alike, given, stated)
            for answer_key in alike:
                for question in mark(answer_key, answers).questions:
                    faults = {item.name for item in question.marked.items if item.is_fault}
                    assert set(never[question.question.id]) <= faults, (answers, answer_key.convention)
