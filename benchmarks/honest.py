"""Honest students: what they lose, under each convention and with slips carried on, against a fair teacher's mark."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import inf
from statistics import fmean
from typing import Any

from benchmarks.measure import title
from benchmarks.students import Habit, Paper, PaperTree, Slips, exam_paper, search, with_slip_of, with_slips
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_data
from grader.marking.grader import Grader
from grader.marking.report import Report

TREES, QUICK_TREES = 200, 4
SEEDS = (11, 12, 31)
"""The trees are drawn in as many equal parts."""
VALUES, WINDOWS, PRUNED, MOVE = 4, 4, 2, 1
OUT_OF = VALUES + WINDOWS + PRUNED + MOVE
WITHOUT_SLIPS, WITH_SLIPS = 0.0, 0.3
"""How far the mean may stay behind the fair mark, of 11."""
WORSE = Fraction(1, 100)


@dataclass(frozen=True, slots=True)
class Student:
    """A kind of student, and what their sheet asks for."""

    habit: Habit
    at: str | None
    """Where windows are asked for; None: the sheet does not say."""
    knows: tuple[str, str]
    """The key of the convention that gives them away, and what it is then."""


STUDENTS = {
    "declared": Student(Habit(), "entry", ("name", "aima3")),
    "fail-hard": Student(Habit(hard=True), "entry", ("returns", "fail-hard")),
    "strict": Student(Habit(strict=True), "entry", ("cut", "past-bound")),
    "update-first": Student(Habit(update_first=True, writes_exit=True), "exit", ("update", "before-test")),
    "right-to-left": Student(Habit(from_right=True), "entry", ("order", "right-to-left")),
    "exit, not said": Student(Habit(writes_exit=True), None, ("write", "exit")),
}


@dataclass
class Treated:
    """How the answers of one kind of student were marked."""

    differences: list[float] = field(default_factory=list)
    """Mark less fair mark."""
    recognised: list[bool] = field(default_factory=list)
    worst: tuple[float, str] = (0.0, "")


def honest(quick: bool, trees: int | None = None) -> None:
    count = trees or (QUICK_TREES if quick else TREES)
    papers = list(drawn_papers(count))
    title(
        f"Honest students: {count} exam trees with a cut, half of them with ties; marks of {OUT_OF} less the fair mark"
    )
    print(f"  {'student':<16}{'slips':>6}{'answers':>9}{'mean':>8}{'worse':>8}{'recognised':>12}   the worst case")
    for name, student in STUDENTS.items():
        for slips in (0, 1, 2):
            _show(name, slips, treated(student, slips, papers))
    title(f"Claims and visits: mean share of marks on {count} of these trees, declared convention, values not asked")
    for label, share, answers in _shares(papers):
        print(f"  {label:<66}{share:>6.2f}  of {answers} answers", flush=True)


def drawn_papers(count: int) -> Iterator[PaperTree]:
    draws = [random.Random(seed) for seed in SEEDS]
    for place in range(count):
        yield exam_paper(draws[place % len(draws)], ties=place // len(draws) % 2 == 0)


def _show(name: str, slips: int, found: Treated) -> None:
    if not found.differences:
        return
    mean = fmean(found.differences)
    worse = fmean(each < -WORSE for each in found.differences)
    late = worse > WITHOUT_SLIPS if not slips else abs(mean) > WITH_SLIPS
    print(
        f"  {name:<16}{slips:>6}{len(found.differences):>9}{mean:>8.2f}{worse:>8.0%}{fmean(found.recognised):>12.0%}"
        f"   {found.worst[1]}{'  MISSED' if late else ''}".rstrip(),
        flush=True,
    )


def treated(student: Student, slips: int, papers: Sequence[PaperTree]) -> Treated:
    found = Treated()
    for place, tree in enumerate(papers):
        paper = with_slips(random.Random(1000 * slips + place), tree, student.habit, slips)
        if paper is None:
            continue
        asked: list[dict[str, Any]] = [
            {"id": "values", "ask": "values", "marks": VALUES},
            {"id": "windows", "ask": "windows", "marks": WINDOWS} | ({"at": student.at} if student.at else {}),
            {"id": "pruned", "ask": "pruned", "marks": PRUNED},
            {"id": "move", "ask": "move", "marks": MOVE},
        ]
        report = _marked(tree, asked, written(paper))
        difference = float(report.exact_marks - fair(paper))
        found.differences.append(difference)
        key, value = student.knows
        found.recognised.append(report.counted.convention.as_data()[key] == value)
        if difference < found.worst[0] - WORSE:
            lost = f"{tree.nested} {dict(paper.slips.handed_up)} {sorted(paper.slips.missed) or ''}".rstrip()
            found.worst = difference, f"{difference:.2f}: {lost}"
    return found


def _marked(tree: PaperTree, questions: list[dict[str, Any]], answers: dict[str, Any]) -> Report:
    grader = _grader(json.dumps({"game": {"tree": tree.nested}, "questions": questions}))
    return grader.grade(Answer("honest", "student", answers))


@lru_cache(maxsize=2000)
def _grader(asked: str) -> Grader:
    exercise = {"plymark": "exercise/1", "id": "honest", "convention": "aima3", **json.loads(asked)}
    return Grader(load_exercise_data(exercise))


def fair(paper: Paper) -> Fraction:
    """All marks but one item of the values for every wrong value, and the price of every missed stop."""
    items = len(paper.tree.children)
    stops = search(paper.tree, paper.habit, Slips(paper.slips.handed_up)).stops
    lost = Fraction(PRUNED, max(len(stops), 2)) * len(paper.slips.missed)
    if paper.slips.missed and not paper.stops:
        lost = Fraction(PRUNED)
    return OUT_OF - Fraction(VALUES, items) * len(paper.slips.handed_up) - lost


def written(paper: Paper) -> dict[str, Any]:
    """The four questions, answered from the student's own scratch paper."""
    nodes = paper.tree.children
    windows = paper.exit if paper.habit.writes_exit else paper.entry
    return {
        "values": {node: _number(paper.handed_up[node]) if node in paper.handed_up else "-" for node in nodes},
        "windows": {node: [_number(each) for each in windows[node]] if node in windows else "-" for node in nodes},
        "pruned": paper.pruned or "none",
        "move": paper.move,
    }


def _number(value: float) -> str:
    return ("inf" if value > 0 else "-inf") if value in (inf, -inf) else str(int(value))


def bounds(paper: Paper) -> dict[str, str]:
    """The nodes of which the student knows only a bound, with that bound."""
    known: dict[str, tuple[float, float]] = {leaf: (value, value) for leaf, value in paper.tree.leaf.items()}
    seen, found = set(paper.visited), {}
    for node in reversed([each for each in paper.visited if each not in paper.tree.leaf]):
        pick = max if paper.tree.maximises[node] else min
        ends = [known[child] if child in seen else (-inf, inf) for child in paper.tree.children[node]]
        low, high = pick(end[0] for end in ends), pick(end[1] for end in ends)
        handed = paper.handed_up[node]
        if low == high:
            known[node] = handed, handed
        elif high <= paper.meant[node]:
            known[node], found[node] = (-inf, handed), f"<= {_number(handed)}"
        else:
            known[node], found[node] = (handed, inf), f">= {_number(handed)}"
    return found


def _shares(papers: Sequence[PaperTree]) -> Iterator[tuple[str, float, int]]:
    """What honest students earn whose slip makes them claim or visit more, and those who claim everything."""
    inequalities = {"id": "asked", "ask": "inequalities", "marks": 3}
    windows = {"id": "asked", "ask": "windows", "at": "entry", "marks": 4}
    visited = {"id": "asked", "ask": "visited", "marks": 2}

    def entry(paper: Paper) -> Any:
        return written(paper)["windows"]

    def leaves(paper: Paper) -> Any:
        return [node for node in paper.visited if node in paper.tree.leaf]

    for label, question, answer, missed, wrong in (
        ("inequalities, no slip", inequalities, bounds, 0, 0),
        ("inequalities, one wrong value", inequalities, bounds, 0, 1),
        ("windows, no slip", windows, entry, 0, 0),
        ("windows, one missed cut", windows, entry, 1, 0),
        ("visited leaves, no slip", visited, leaves, 0, 0),
        ("visited leaves, one missed cut", visited, leaves, 1, 0),
        ("visited leaves, one wrong value", visited, leaves, 0, 1),
        ("visited leaves, one wrong value and one missed cut", visited, leaves, 1, 1),
    ):
        made = [with_slip_of(random.Random(place), tree, Habit(), missed, wrong) for place, tree in enumerate(papers)]
        shares = [
            _share(paper.tree, question, answer(paper) or "none", paper.pruned or "none") for paper in made if paper
        ]
        if shares:
            yield label, fmean(shares), len(shares)
    yield from _claims(papers, inequalities, windows, visited)


def _claims(
    papers: Sequence[PaperTree], inequalities: dict[str, Any], windows: dict[str, Any], visited: dict[str, Any]
) -> Iterator[tuple[str, float, int]]:
    below = [_share(tree, inequalities, dict.fromkeys(tree.children, "<= 1"), "none") for tree in papers]
    yield "attack: inequalities, a bound at every node", fmean(below), len(below)
    everywhere = [_share(tree, windows, dict.fromkeys(tree.children, "(-inf, inf)"), "none") for tree in papers]
    yield "attack: windows, (−∞, +∞) at every node", fmean(everywhere), len(everywhere)
    listed = [_share(tree, visited, list(tree.leaf), "none") for tree in papers]
    yield "attack: visited, every leaf listed", fmean(listed), len(listed)
    rest = [_share(tree, visited, list(tree.leaf)[:-1], list(tree.leaf)[-1:]) for tree in papers]
    yield "attack: visited, the last leaf crossed out and the rest listed", fmean(rest), len(rest)


def _share(tree: PaperTree, question: dict[str, Any], answer: Any, pruned: Any) -> float:
    """Of the question's marks; the pruned leaves are asked too, since they say where the student stopped."""
    questions = [question, {"id": "pruned", "ask": "pruned", "marks": PRUNED}]
    found = _marked(tree, questions, {"asked": answer, "pruned": pruned}).questions()[0]
    return float(found.marks / question["marks"])
