"""Mistakes as a student hands them in: written down, read, marked under every convention, and diagnosed."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from benchmarks.exam_games import LARGE, SMALL, exam_tree
from benchmarks.measure import title
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_data
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.mistakes.behaviour import Behaviour, key_behaviour, mistake_of
from grader.mistakes.cells import cells_of
from grader.mistakes.registry import MODELS
from grader.mistakes.words import CROSSED, ENTRY, PLAYED, WORTH
from solver.game import Tree
from solver.search import Solution

TREES, QUICK_TREES = 12, 2
"""On each, every mistake that shows."""
RANDOM = 60
"""Sets of leaves for every tree."""
VISIBLE = 2
QUESTIONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "values, windows, pruned leaves and the move": (
        ("values", "windows", "pruned", "move"),
        (WORTH, ENTRY, CROSSED, PLAYED),
    ),
    "pruned leaves only": (("pruned",), (CROSSED,)),
}
BOUND = {"like": "aima3", "cut": "at-bound", "order": "left-to-right", "ties": "first", "window": ["-inf", "inf"]}
PRINTED: dict[str, dict[str, Any]] = {
    "a name alone": {"convention": "aima3"},
    "cut, order, ties and window printed": {"convention": BOUND},
    "other conventions as errors": {"convention": "aima3", "marking": {"other_convention": "as-errors"}},
}


def graded_mistakes(draw: random.Random, quick: bool) -> None:
    """Every model's own output must be named, or be right under another convention."""
    count = QUICK_TREES if quick else TREES
    trees = [nested(exam_tree(draw, SMALL if place % 2 else LARGE)[1]) for place in range(count)]
    for name, (asks, words) in QUESTIONS.items():
        title(f"Diagnosis of own outputs handed in, {count} exam-like trees; asked are {name}")
        for printed, keys in PRINTED.items():
            seen = Counter(each for tree in trees for each in _handed_in(tree, asks, words, keys))
            total = seen.total()
            shares = ", ".join(f"{what} {number / total:.1%}" for what, number in sorted(seen.items()))
            print(f"  {printed:<38}{total:>5} answers: {shares}", flush=True)
    title("Diagnosis of sets of leaves at random handed in, as the only answer")
    for size, shapes in (("8 leaves", SMALL), ("12 to 24 leaves", LARGE)):
        trees = [nested(exam_tree(draw, shapes)[1]) for _ in range(count)]
        seen = Counter(each for tree in trees for each in _at_random(draw, tree))
        shares = ", ".join(f"{what} {number / seen.total():.2%}" for what, number in sorted(seen.items()))
        print(f"  {size:<18}{seen.total():>5} answers: {shares}", flush=True)


def _grader(tree: Any, asks: tuple[str, ...], keys: Mapping[str, Any]) -> Grader:
    questions = [{"id": ask, "ask": ask, "marks": 1, **({"at": "entry"} if ask == "windows" else {})} for ask in asks]
    data = {"plymark": "exercise/1", "id": "drawn", "game": {"tree": tree}, "questions": questions, **keys}
    return Grader(load_exercise_data(data))


def _handed_in(tree: Any, asks: tuple[str, ...], words: tuple[str, ...], keys: Mapping[str, Any]) -> Iterator[str]:
    """Of every model that shows: what becomes of its own output."""
    grader = _grader(tree, asks, keys)
    solution = grader.declared.solution("alpha-beta")
    key = key_behaviour(solution)
    right = cells_of(key, key, solution.tree, words)
    for name, model in MODELS.items():
        behaviour = model.run(solution.tree, solution.convention, solution)
        if behaviour is not None:
            cells = cells_of(behaviour, key, solution.tree, words)
            if sum(cells[cell] != right[cell] for cell in right) >= VISIBLE:
                answers = written(solution, behaviour, asks)
                yield _becomes(mistake_of(name), grader.grade(Answer("drawn", "s", answers)))


def _becomes(mistake: str, report: Report) -> str:
    if report.best.marks == report.exercise.out_of:
        return "right by another convention"
    if not report.diagnosis:
        return "LOST"
    first = report.diagnosis[0]
    if mistake not in (first.mistake, *first.same_here):
        return "WRONG"
    return "named" if first.sure else "named as possible"


def _at_random(draw: random.Random, tree: Any) -> Iterator[str]:
    grader = _grader(tree, ("pruned",), PRINTED["a name alone"])
    names = [str(grader.declared.tree.ids[leaf]) for leaf in grader.declared.tree.leaves]
    for _ in range(RANDOM):
        crossed = [name for name in names if draw.random() < 0.5]
        found = grader.grade(Answer("drawn", "s", {"pruned": crossed or "none"})).diagnosis
        yield "none" if not found else "called a mistake" if found[0].sure else "perhaps one"


def written(solution: Solution, behaviour: Behaviour, asks: tuple[str, ...]) -> dict[str, Any]:
    """An answer to these questions by somebody who behaves so; where that says nothing, as the key has it."""
    tree, key = solution.tree, key_behaviour(solution)
    values = key.values if behaviour.values is None else behaviour.values
    windows = key.windows if behaviour.windows is None else behaviour.windows
    pruned = key.pruned if behaviour.pruned is None else behaviour.pruned
    move = key.move if behaviour.move is None else behaviour.move
    assert values is not None and windows is not None and pruned is not None and move is not None
    entries = {node: windows[node][0] if windows.get(node) else None for node in tree.inner}
    says: dict[str, Any] = {
        "values": {str(tree.ids[node]): "-" if worth is None else str(worth) for node, worth in values.items()},
        "windows": {
            str(tree.ids[node]): "-" if each is None else list(map(str, each)) for node, each in entries.items()
        },
        "pruned": [str(tree.ids[leaf]) for leaf in tree.leaves if leaf in pruned] or "none",
        "move": str(tree.move[move]),
    }
    return {ask: says[ask] for ask in asks}


def nested(tree: Tree, node: int = 0) -> Any:
    """The tree as lists."""
    below = tree.children[node]
    return [nested(tree, child) for child in below] if below else tree.leaf[node]
