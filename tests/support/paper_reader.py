"""A student who has nothing but the text of a printed exam: finds the sheets in it, reads each tree, and answers.

Nothing of Plymark is used here but `plymark solve`, and that only on the tree that was read.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, starmap
from typing import Any

_OWNER = re.compile(r"^Name (.+?) {2,}Student ID (\S+)$", re.MULTILINE)
_CODES = re.compile(r" {2,}Variant (.+)$", re.MULTILINE)
_FOOT = re.compile(r"^.*Page \d+ of \d+.*$", re.MULTILINE)
_EXERCISE = re.compile(r"^Exercise \d+: .*$", re.MULTILINE)
_BELOW_THE_TREE = "The tree is for your working"
_QUESTION = re.compile(r"^\d+\. +", re.MULTILINE)
_COLUMN = re.compile(r"\.([a-z]\w*)")
"""The question's name, in the name of the column that stands in its boxes."""
_TURN = re.compile(r"\b(MAX|MIN|chance)\b")

Answer = dict[str, Any]


@dataclass(frozen=True)
class Task:
    """An exercise on a sheet: its variant, its tree as a game/1 document, and its questions by name."""

    variant: str
    game: str
    questions: dict[str, str]


@dataclass(frozen=True)
class Sheet:
    student: str
    name: str
    tasks: tuple[Task, ...]


def text_of(pdf: str) -> str:
    return subprocess.run(["pdftotext", "-layout", pdf, "-"], capture_output=True, check=True).stdout.decode()


def sheets(text: str) -> Iterator[Sheet]:
    """A sheet begins on the page that has a name and an ID at its head, and ends before the next one."""
    pages = [_FOOT.sub("", page) for page in text.split("\f")]
    starts = [place for place, page in enumerate(pages) if _OWNER.search(page)]
    for start, end in zip(starts, [*starts[1:], len(pages)], strict=True):
        yield _sheet("\n".join(pages[start:end]))


def _sheet(text: str) -> Sheet:
    owner, codes = _OWNER.search(text), _CODES.search(text)
    assert owner and codes
    exercises = _EXERCISE.split(text)[1:]
    variants = codes[1].split(" + ")
    return Sheet(owner[2], owner[1], tuple(starmap(_task, zip(variants, exercises, strict=True))))


def _task(variant: str, text: str) -> Task:
    drawn, _, below = text.partition(_BELOW_THE_TREE)
    asked = _QUESTION.split(below)[1:]
    names = [found[1] for each in asked if (found := _COLUMN.search(each))]
    return Task(variant, _game(drawn), dict(zip(names, asked, strict=True)))


def _game(drawn: str) -> str:
    """The tree, level by level: names, whose turn it is, what stands at the branches; last, leaves over their names."""
    lines = [line for line in drawn.splitlines() if line.strip()]
    first = next(place for place, line in enumerate(lines) if _TURN.fullmatch(line.strip()))
    turns = [turn.lower() for line in lines for turn in _TURN.findall(line)]
    rows = [row for line in lines[first - 1 :] if (row := _TURN.sub("", line).split())]
    *inner, values, leaves = rows
    below = [{"id": name, "value": value.replace("−", "-")} for name, value in zip(leaves, values, strict=True)]
    levels = list(zip(inner[::2], inner[1::2], turns, strict=True))
    for names, branches, turn in reversed(levels):
        below = list(_level(names, branches, turn, below))
    (root,) = below
    return json.dumps({"plymark": "game/1", "tree": root}, ensure_ascii=False)


def _level(names: Sequence[str], branches: Sequence[str], turn: str, below: Sequence[Answer]) -> Iterator[Answer]:
    families = _families_of_chance(branches) if turn == "chance" else _families_by_name(branches)
    children = iter(zip(branches, below, strict=True))
    for name, size in zip(names, families, strict=True):
        key = "p" if turn == "chance" else "move"
        mine = [{**child, key: branch} for branch, child in (next(children) for _ in range(size))]
        yield {"id": name, "turn": turn, "children": mine}


def _families_by_name(moves: Sequence[str]) -> list[int]:
    """b1, b2, c1, c2, c3: two moves of one node and three of the next."""
    return [len(list(family)) for _, family in groupby(moves, key=lambda move: move.rstrip("0123456789"))]


def _families_of_chance(probabilities: Sequence[str]) -> list[int]:
    """1/3, 2/3, 0.25, 0.75: whatever adds up to 1 belongs to one node."""
    sizes, total = [0], Fraction(0)
    for probability in probabilities:
        if total == 1:
            sizes, total = [*sizes, 0], Fraction(0)
        sizes[-1] += 1
        total += Fraction(probability)
    return sizes


def answers(task: Task, solution: Answer) -> Answer:
    """What each question wants, by its words, taken from a solution of the tree."""
    nodes = {name: node for name, node in solution["nodes"].items() if node["turn"]}
    found: Answer = {}
    for name, text in task.questions.items():
        if "each inner node return?" in text:
            found[name] = {node: _returned(each) for node, each in nodes.items()}
        elif "each inner node worth?" in text:
            found[name] = {node: each["value"] for node, each in nodes.items()}
        elif "window (α, β) of each inner node as it is entered?" in text:
            found[name] = {node: _window(each["entry"]) for node, each in nodes.items()}
        elif "Which leaves does alpha-beta prune?" in text:
            found[name] = solution["pruned"]["leaves"] or "none"
        elif "Which move is best at the root?" in text:
            found[name] = solution["move"]
        else:
            raise ValueError(text)
    return found


def _returned(node: Answer) -> Any:
    bounds = {"at-most": "<= ", "at-least": ">= ", "exact": ""}
    return "-" if node["known"] == "unvisited" else f"{bounds[node['known']]}{node['returned']}"


def _window(ends: Sequence[Any] | None) -> str:
    return "-" if ends is None else f"({ends[0]}, {ends[1]})"
