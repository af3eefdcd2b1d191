"""Sets of exercises to be attacked: the variants of a recipe, their keys, and other trees of the same shape."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

from benchmarks.commands import ROOT
from benchmarks.games import SEED
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_bytes, load_exercise_data
from grader.generating.generation import generate
from grader.generating.recipe_file import load_recipe
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.questions.exercise import Exercise
from grader.questions.registry import ASKS
from solver.game import Tree
from solver.kernel import DocumentError, Refusal

TWO_VALUED = frozenset({"choice", "prunable", "transform"})
"""Questions that are answered by yes or no."""
MOST_SHUFFLES = 20
"""How often a tree is shuffled before it is given up."""
FIGURE = "figure-5.2"
TWO_PLY = [[3, 12, 8], [2, 4, 6], [14, 5, 2]]


@dataclass
class Variant:
    exercise: Exercise
    data: dict[str, Any]

    @cached_property
    def grader(self) -> Grader:
        return Grader(self.exercise)

    @cached_property
    def key(self) -> dict[str, Any]:
        """The right answer to every question."""
        declared = self.grader.declared
        return {each.id: ASKS[each.ask].perfect(declared.of(each)) for each in self.exercise.questions}

    @property
    def tree(self) -> Tree:
        return self.exercise.game.tree

    def marked(self, answers: dict[str, Any]) -> Report:
        return self.grader.grade(Answer(self.exercise.id, "attacker", _as_read(answers)))

    def share(self, question: str, answer: Any) -> float:
        """What an answer to this question alone earns of its marks."""
        report = self.marked({question: answer})
        found = next(each for each in report.questions() if each.question.id == question)
        return float(found.marks / found.question.marks)


def _as_read(answers: Any) -> Any:
    """As reading a file would leave it: texts, lists and mappings."""
    if isinstance(answers, dict):
        return {str(key): _as_read(each) for key, each in answers.items()}
    return [_as_read(each) for each in answers] if isinstance(answers, list | tuple) else str(answers)


def recipe_names(pattern: str | None = None) -> list[str]:
    return [path.stem for path in sorted((ROOT / "recipes").glob(f"{pattern or '*'}.yaml"))]


def drawn(recipe: str, count: int, kept: Path | None = None) -> list[Variant]:
    """So many variants of a recipe, the same in every run; `kept` is a folder that saves making them again."""
    folder = None if kept is None else kept / recipe
    if folder is not None and len(found := sorted(folder.glob("*.yaml"))) >= count:
        return [_loaded(path.read_bytes(), path.name) for path in found[:count]]
    made = generate(load_recipe(ROOT / "recipes" / f"{recipe}.yaml"), count, SEED)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        for each in made:
            (folder / f"{each.id}.yaml").write_bytes(each.document)
    return [_loaded(each.document, f"{each.id}.yaml") for each in made]


def _loaded(document: bytes, name: str) -> Variant:
    return Variant(load_exercise_bytes(document, name), yaml.safe_load(document))


def figure(leaves: list[list[int]] | None = None) -> Variant:
    """Figure 5.2 with the questions and marks of the contract, or other leaves in its place."""
    data = {
        "plymark": "exercise/1",
        "id": FIGURE,
        "game": {"tree": leaves or TWO_PLY},
        "convention": "aima3",
        "questions": [
            {"id": "values", "ask": "values", "marks": 4},
            {"id": "windows", "ask": "windows", "at": "entry", "marks": 4},
            {"id": "pruned", "ask": "pruned", "marks": 2},
            {"id": "move", "ask": "move", "marks": 1},
        ],
    }
    return Variant(load_exercise_data(data), data)


def shuffled(variant: Variant, draw: random.Random) -> Variant | None:
    """The same tree with its numbers at other places; None where no such tree can be asked the same."""
    for _ in range(MOST_SHUFFLES):
        data = json.loads(json.dumps(variant.data))
        for key in ("value", "estimate"):
            slots = [node for node in _written(data["game"]["tree"]) if _moves(node, key)]
            values = [node[key] for node in slots]
            draw.shuffle(values)
            for node, value in zip(slots, values, strict=True):
                node[key] = value
        for node in _written(data["game"]["tree"]):
            if node.get("total") is not None and int(node["visits"]) > 0:
                node["total"] = draw.randint(0, int(node["visits"]))
        try:
            found = Variant(load_exercise_data(data), data)
            assert found.key is not None
        except (DocumentError, Refusal):
            continue
        return found
    return None


def _written(node: Any) -> Iterator[dict[str, Any]]:
    if isinstance(node, dict):
        yield node
        for child in node.get("children", ()):
            yield from _written(child)


def _moves(node: dict[str, Any], key: str) -> bool:
    """Whether a number, vector or outcome is written there; an unknown stays where it is."""
    return key in node and (not isinstance(node[key], str) or node[key].strip("-")[:1].isdigit())


def by_position(answer: Any, source: Tree, target: Tree) -> Any:
    """An answer to one tree put to another: what names a node or a move names the one at the same place there."""
    names = _names(source, target)
    return _renamed(answer, names)


def _renamed(answer: Any, names: dict[str, str]) -> Any:
    if isinstance(answer, dict):
        return {_name(key, names): _renamed(each, names) for key, each in answer.items()}
    if isinstance(answer, list | tuple):
        return [_renamed(each, names) for each in answer]
    return _name(answer, names)


def _name(text: Any, names: dict[str, str]) -> Any:
    if isinstance(text, str) and " " in text:
        return " ".join(names.get(word, word) for word in text.split(" "))
    return names.get(text, text)


def _names(source: Tree, target: Tree) -> dict[str, str]:
    """By path from the root; what the other tree lacks there, by its number among the leaves or the inner nodes."""
    places = {path: node for node, path in enumerate(_paths(target))}
    found: dict[str, str] = {}
    for node, path in enumerate(_paths(source)):
        leaf = source.turn[node] is None
        other = places.get(path)
        if other is None or (target.turn[other] is None) != leaf:
            alike = [each for each in target.nodes if (target.turn[each] is None) == leaf]
            before = sum((source.turn[each] is None) == leaf for each in range(node))
            other = alike[min(before, len(alike) - 1)]
        found[str(source.ids[node])] = str(target.ids[other])
        if source.move[node] is not None and target.move[other] is not None:
            found[str(source.move[node])] = str(target.move[other])
    return found


def _paths(tree: Tree) -> list[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = [()]
    for node in tree.nodes[1:]:
        parent = tree.parent[node]
        paths.append((*paths[parent], tree.children[parent].index(node)))
    return paths
