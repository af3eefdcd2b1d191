"""A hill climb: somebody who answers again and again, and sees only what a level of feedback shows."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from benchmarks.blind import BLIND, answers, numbers
from benchmarks.variants import Variant
from grader.languages import words_of
from grader.questions.exercise import Question
from grader.reports.report_formats import report_data
from solver.game import Tree
from solver.kernel import number_text

LEVELS = ("none", "marks", "hints")
START = "constant, the median"
RIGHT = "right"
ONE_THING = 0.25
"""How often a single thing is changed where rows are told apart: what follows from a wrong value looks settled."""

Shown = dict[str, tuple[float, dict[str, float]]]
"""By question: its marks, and how well each row did as far as that is told."""


def climbed(variant: Variant, level: str, tries: int, draw: random.Random) -> float:
    """The share that the answer kept in the end earns, after so many answers."""
    kept = answers(variant.exercise, BLIND[START])
    shown = _shown(variant, kept, level)
    left = tries - 1
    while left > 0:
        by_rows = level != "none" and draw.random() > ONE_THING
        trial = {
            each.id: _changed(draw, variant.tree, each, kept[each.id], _settled(shown, each.id) if by_rows else None)
            for each in variant.exercise.questions
        }
        seen, left = _shown(variant, trial, level), left - 1
        merged = {name: _kept(name, kept, trial, shown, seen) for name in kept}
        if merged not in (kept, trial) and left:
            seen, left = _shown(variant, merged, level), left - 1
        if merged != kept and _total(seen) >= _total(shown):
            kept, shown = merged, seen
    return float(variant.marked(kept).exact_marks / variant.exercise.out_of)


def _settled(shown: Shown, question: str) -> set[str]:
    return {row for row, well in shown[question][1].items() if well >= 1}


def _total(shown: Shown) -> float:
    return sum(marks for marks, _ in shown.values())


def _shown(variant: Variant, given: dict[str, Any], level: str) -> Shown:
    """What the report says, and nothing else."""
    data = report_data(variant.marked(given), level, words_of("en"))
    found: Shown = {}
    for question in data["questions"]:
        rows = question["items"]
        share = float(_number(question["out_of"])) / max(1, len(rows))
        told = {
            row["item"]: 1.0
            if row.get("verdict") == RIGHT
            else min(0.99, _number(row.get("marks", 0)) / share)
            if row.get("verdict")
            else _number(row.get("marks", 0)) / share
            for row in rows
        }
        found[question["id"]] = _number(question["marks"]), told
    return found


def _number(text: Any) -> float:
    above, _, below = str(text).partition("/")
    return float(above) / float(below or 1)


def _kept(name: str, kept: dict[str, Any], trial: dict[str, Any], shown: Shown, seen: Shown) -> Any:
    """Of one question: the rows that did better, else the whole if its marks did."""
    old, new = kept[name], trial[name]
    rows, now = shown[name][1], seen[name][1]
    if isinstance(old, dict) and isinstance(new, dict) and now:
        better = {item: each for item, each in new.items() if now.get(item, 0) > rows.get(item, 0)}
        return {**old, **better}
    return new if seen[name][0] > shown[name][0] else old


def _changed(draw: random.Random, tree: Tree, question: Question, old: Any, settled: set[str] | None) -> Any:
    """Another answer: where rows are told apart, every row that is not settled; else one thing."""
    if question.ask in _WHOLE:
        return _WHOLE[question.ask](draw, tree, question, old)
    if not isinstance(old, dict):
        return old
    open_rows = [item for item in old if settled is None or item not in settled]
    if not open_rows:
        return old
    chosen = [draw.choice(open_rows)] if settled is None else open_rows
    return {item: _part(draw, tree, question, item, each) if item in chosen else each for item, each in old.items()}


def _part(draw: random.Random, tree: Tree, question: Question, item: str, old: Any) -> Any:
    match question.ask:
        case "vectors":
            leaf: Any = tree.leaf[draw.choice(tree.leaves)]
            return [number_text(each) for each in leaf]
        case "backup":
            return [str(max(0, int(each) + draw.randint(-1, 1))) for each in old]
        case "reorder":
            return draw.sample(old, len(old))
        case _:
            return draw.choice(_texts(draw, tree, question, item))


def _texts(draw: random.Random, tree: Tree, question: Question, item: str) -> list[Any]:
    """What might be written there."""
    number, other = (number_text(draw.choice(numbers(tree))) for _ in range(2))
    first = draw.choice(tree.children[0])
    texts: dict[str, list[Any]] = {
        "values": [number, number, number, "-"],
        "inequalities": [f"<= {number}", f">= {number}", number],
        "windows": [["-inf", "inf"], [number, "inf"], ["-inf", number], [number, other], "-"],
        "depths": [number if item.endswith("value") else str(tree.move[first])],
        "ucb": [str(tree.ids[first]) if item == "select" else f"{draw.randint(0, 250) / 100:.2f}"],
        "prunable": ["yes", "no"],
        "transform": ["same", "different"],
        "assign": [number],
    }
    return texts[question.ask]


def _toggled(draw: random.Random, tree: Tree, question: Question, old: Any) -> Any:
    """One leaf or node more or fewer, in document order."""
    whole = tree.nodes if question.parameters.get("what") == "nodes" else tree.leaves
    had = set(old) if isinstance(old, list) else set()
    changed = had ^ {str(tree.ids[draw.choice(whole)])}
    return [str(tree.ids[node]) for node in tree.nodes if str(tree.ids[node]) in changed] or "none"


def _move(draw: random.Random, tree: Tree, _question: Question, _old: Any) -> Any:
    return str(tree.move[draw.choice(tree.children[0])])


def _line(draw: random.Random, tree: Tree, _question: Question, _old: Any) -> Any:
    node, line = tree.nodes[0], []
    while tree.children[node]:
        node = draw.choice(tree.children[node])
        line.append(str(tree.move[node]))
    return line


def _range(draw: random.Random, tree: Tree, _question: Question, _old: Any) -> Any:
    return f"{tree.unknowns[0]} {draw.choice(('<=', '>=', '<', '>'))} {number_text(draw.choice(numbers(tree)))}"


def _opponent(draw: random.Random, tree: Tree, question: Question, _old: Any) -> Any:
    if question.parameters.get("errs") == "threshold":
        return f"p > {draw.randint(1, 9)}/{draw.randint(2, 12)}"
    return number_text(draw.choice(numbers(tree)))


def _plan(draw: random.Random, tree: Tree, _question: Question, _old: Any) -> Any:
    def plan(node: Any) -> list[Any]:
        if not tree.children[node]:
            return []
        action = draw.choice(tree.children[node])
        return [str(tree.move[action]), {str(tree.ids[each]): plan(each) for each in tree.children[action]}]

    return plan(tree.nodes[0])


_WHOLE: dict[str, Callable[[random.Random, Tree, Question, Any], Any]] = {
    "pruned": _toggled,
    "visited": _toggled,
    "move": _move,
    "line": _line,
    "count": lambda draw, tree, _question, _old: str(draw.randint(0, len(tree))),
    "fewest": lambda draw, tree, _question, _old: str(draw.randint(1, len(tree.leaves))),
    "range": _range,
    "opponent": _opponent,
    "plan": _plan,
    "choice": lambda draw, _tree, _question, _old: draw.choice(("true", "false")),
}
