"""Stops on trees with chance nodes: whatever a search prunes is right, and nothing else is."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise
from grader.marking.grader import Grader
from grader.questions.exercise import Exercise
from tests.support.paths import ROOT


def drawn(seed: int) -> dict[str, Any]:
    """MAX over chance over MIN, as in backgammon."""
    draw = random.Random(seed)

    def low() -> dict[str, Any]:
        return {"turn": "min", "children": [{"value": draw.randint(0, 20)} for _ in range(draw.randint(2, 3))]}

    def chance() -> dict[str, Any]:
        return {"turn": "chance", "children": [{"p": "1/2", **low()}, {"p": "1/4", **low()}, {"p": "1/4", **low()}]}

    return {"bounds": [0, 20], "tree": {"turn": "max", "children": [chance() for _ in range(3)]}}


def exercise(folder: Path, algorithm: str, seed: int) -> Exercise:
    asked = {"id": "pruned", "ask": "pruned", "algorithm": algorithm, "marks": 4}
    path = folder / "x.json"
    written = {"plymark": "exercise/1", "id": "x", "game": drawn(seed), "questions": [asked]}
    path.write_text(json.dumps({**written, "marking": {"other_convention": "none"}}))
    return load_exercise(path)


@pytest.mark.parametrize("algorithm", ["star1", "star2"])
def test_what_the_search_prunes_is_right_and_anything_less_is_not(tmp_path: Path, algorithm: str) -> None:
    probed = 0
    for seed in range(60):
        of = exercise(tmp_path, algorithm, seed)
        grader = Grader(of)
        solution = grader.declared.questions[0].solution
        tree = solution.tree
        leaves = [str(tree.ids[node]) for node in solution.pruned if not tree.children[node]]

        def marks(crossed: list[str], grader: Grader = grader) -> object:
            return grader.grade(Answer("x", "s", {"pruned": crossed or "none"})).exact_marks

        assert marks(leaves) == 4, (seed, leaves)
        if leaves:
            assert marks([]) == 0 and marks(leaves[1:]) != 4, (seed, leaves)
        probed += any(not cut.skipped for cut in solution.search.cuts) if solution.search else 0
    assert (probed > 5) == (algorithm == "star2")


@pytest.mark.parametrize(
    "written", ["not L5, not L6", "none, L5, L6", "all except L5, L6", "não L5 e L6", ["none", "L5", "L6"], "L5 but L6"]
)
def test_a_list_that_says_something_else_is_for_a_person_to_judge(written: object) -> None:
    of = load_exercise(ROOT / "exercises" / "two-ply.yaml")
    report = Grader(of).grade(Answer("two-ply", "s", {"pruned": written}))
    (pruned,) = (each for each in report.questions() if each.question.id == "pruned")
    assert pruned.marks == 0 and {item.verdict for item in pruned.items} == {"unreadable"}


def test_names_beside_what_cannot_be_read_still_count() -> None:
    of = load_exercise(ROOT / "exercises" / "two-ply.yaml")
    report = Grader(of).grade(Answer("two-ply", "s", {"pruned": "L5, L6 and L77"}))
    (pruned,) = (each for each in report.questions() if each.question.id == "pruned")
    assert pruned.marks == 2
