"""The students of the benchmark search as the solver does, though they share no code with it."""

from __future__ import annotations

import json
import random

import pytest

from benchmarks.honest import STUDENTS, bounds, drawn_papers, fair, honest, written
from benchmarks.students import Habit, PaperTree, Slips, exam_paper, search, with_slips
from solver.game import CONVENTIONS, Convention
from solver.pipeline import load_tree, solve
from solver.render import solution_data

HABITS = {
    "aima3": (Habit(), CONVENTIONS["aima3"]),
    "aima4": (Habit(update_first=True), CONVENTIONS["aima4"]),
    "strict": (Habit(strict=True), CONVENTIONS["strict"]),
    "fail-hard": (Habit(hard=True), CONVENTIONS["fail-hard"]),
    "right-to-left": (Habit(from_right=True), Convention(order="right-to-left")),
}


@pytest.mark.parametrize("name", HABITS)
def test_a_student_without_slips_has_the_solvers_windows_values_and_pruned_leaves(name: str) -> None:
    habit, convention = HABITS[name]
    draw = random.Random(name)
    for turn in range(60):
        tree = exam_paper(draw, ties=turn % 2 == 0)
        paper = search(tree, habit)
        data = solution_data(solve(load_tree(json.dumps(tree.nested)), convention=convention))
        nodes = data["nodes"]
        assert paper.visited == data["visited"]
        assert paper.pruned == data["pruned"]["leaves"]
        assert {node: nodes[node]["returned"] for node in paper.handed_up} == paper.handed_up
        for node in paper.entry:
            assert [str(end) for end in nodes[node]["entry"]] == written(paper)["windows"][node]
            assert [_text(end) for end in paper.exit[node]] == [str(end) for end in nodes[node]["exit"]]


def _text(end: float) -> str:
    return {float("inf"): "inf", float("-inf"): "-inf"}.get(end) or str(int(end))


def test_a_slip_is_carried_on() -> None:
    tree = PaperTree([[3, 12, 8], [2, 4, 6], [14, 5, 2]])
    paper = search(tree, Habit(), Slips({"B": 8}))
    assert written(paper) == {
        "values": {"A": "8", "B": "8", "C": "2", "D": "5"},
        "windows": {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": ["8", "inf"], "D": ["8", "inf"]},
        "pruned": ["L5", "L6", "L9"],
        "move": "a1",
    }
    assert fair(paper) == 10
    assert bounds(paper) == {"C": "<= 2", "D": "<= 5"}


def test_a_missed_cut_is_searched_to_the_end_and_costs_its_stop() -> None:
    tree = PaperTree([[3, 12, 8], [2, 4, 6], [1, 5, 2]])
    paper = search(tree, Habit(), Slips(missed=frozenset({"C"})))
    assert paper.pruned == ["L8", "L9"]
    assert fair(paper) == 10


@pytest.mark.parametrize("name", STUDENTS)
def test_every_slip_shows(name: str) -> None:
    for place, tree in enumerate(drawn_papers(20)):
        paper = with_slips(random.Random(place), tree, STUDENTS[name].habit, 2)
        if paper is not None:
            assert len(paper.slips) == 2
            assert (paper.handed_up, paper.pruned) != (
                search(tree, STUDENTS[name].habit).handed_up,
                search(tree, STUDENTS[name].habit).pruned,
            )


@pytest.mark.slow
def test_the_table_of_honest_students(capsys: pytest.CaptureFixture[str]) -> None:
    honest(quick=True)
    printed = capsys.readouterr().out
    assert all(name in printed for name in STUDENTS)
    assert "visited, every leaf listed" in printed
