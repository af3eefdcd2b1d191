"""From a sketch and a fill to an exercise: its labels, its data as exercise/1 has it, and a template that takes any
fill, so that questions are read once for each sketch and not for every tree.

Questions, convention and marking are copied from the recipe into each exercise, with other names but in the same
order. So what is wrong in an exercise is reported where the recipe has it, at the same position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from string import ascii_uppercase
from typing import Any

from grader.documents.exercise_file import EXERCISE, exercise_from_data
from grader.generating.exercise_measures import exposure
from grader.generating.random_trees import Draw, Fill, LoopTo, Sketch
from grader.generating.recipe_parts import IN_BRACES, Recipe
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from solver.documents import Document, Marks
from solver.game import Loop, Node, Outcome, Unknown
from solver.kernel import as_written, number_text

LEAF_LETTERS = "LPTUVXZ"


@dataclass(frozen=True, slots=True)
class Labels:
    """By node, its id and the move that leads to it (empty at the root)."""

    ids: tuple[str, ...]
    moves: tuple[str, ...]


def labels(sketch: Sketch, start: int = 0, leaf_letter: str = "L") -> Labels:
    """Consecutive letters for inner nodes, from `start` on; a letter and a number for leaves."""
    ids: list[str] = []
    inner = leaf = 0
    for turn in sketch.turn:
        if turn is None:
            leaf += 1
            ids.append(f"{leaf_letter}{leaf}")
        else:
            ids.append(_letters(start + inner))
            inner += 1
    moves = [""] * len(ids)
    for node, children in enumerate(sketch.children):
        for place, child in enumerate(children, 1):
            moves[child] = f"{ids[node].lower()}{place}"
    return Labels(tuple(ids), tuple(moves))


def drawn_labels(sketch: Sketch, draw: Draw, others: Iterable[str] = ()) -> Labels:
    """Other letters for another variant, if the alphabet has enough, without the names of unknowns and players."""
    inner = sum(turn is not None for turn in sketch.turn)
    taken = {name.upper() for name in others}
    starts = range(max(1, len(ascii_uppercase) - inner + 1))
    apart = [start for start in starts if not taken & {_letters(start + place) for place in range(inner)}]
    start = draw.choice(apart or starts)
    used = {_letters(start + place) for place in range(inner)} | taken
    # A leaf P1 and a move p1 could be taken for one another, so inner nodes do not share the leaves' letter.
    free = [letter for letter in LEAF_LETTERS if letter not in used]
    return labels(sketch, start, draw.choice(free)) if free else labels(sketch)


def _letters(number: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = ascii_uppercase[rest] + text
    return text


def in_names(question: Mapping[str, Any], plain: Labels, own: Labels) -> dict[str, Any]:
    """A question of the recipe with the names of a variant."""
    ids = dict(zip(plain.ids, own.ids, strict=True))
    moves = dict(zip(plain.moves, own.moves, strict=True))
    found: dict[str, Any] = dict(question)
    if "text" in found:
        found["text"] = text_in_names(found["text"], plain, own)
    if isinstance(found.get("nodes"), list):
        found["nodes"] = [ids.get(name, name) for name in found["nodes"]]
    for key in ("when", "goal"):
        wanted = found.get(key)
        if isinstance(wanted, dict):
            found[key] = {name: _renamed(value, moves if name == "move" else ids) for name, value in wanted.items()}
    rubric = found.get("rubric")
    if isinstance(rubric, dict) and isinstance(rubric.get("weights"), dict):
        weights = {ids.get(name, name): weight for name, weight in rubric["weights"].items()}
        found["rubric"] = {**rubric, "weights": weights}
    return found


def text_in_names(text: str | dict[str, str], plain: Labels, own: Labels) -> str | dict[str, str]:
    """A text, or all in a mapping from languages, with its names in braces, such as {L4}, {B} or {a2}, replaced by
    those of a variant. Other braces stay."""
    if isinstance(text, dict):
        return {code: str(text_in_names(each, plain, own)) for code, each in text.items()}
    names = dict(zip((*plain.ids, *plain.moves[1:]), (*own.ids, *own.moves[1:]), strict=True))
    return IN_BRACES.sub(lambda found: names.get(found[1], found[0]), text)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    return [names.get(each, each) for each in value] if isinstance(value, list) else names.get(value, value)


def exercise_data(recipe: Recipe, sketch: Sketch, fill: Fill, own: Labels | None = None, name: str = "") -> Any:
    """What the reader would give for such an exercise: strings, lists and dicts."""
    plain = labels(sketch)
    own = own or plain
    game: dict[str, Any] = {}
    if recipe.players:
        game["players"] = list(recipe.players)
    if recipe.teams:
        game["teams"] = {team: list(members) for team, members in recipe.teams.items()}
    if recipe.leaves.sum is not None:
        game["sum"] = number_text(recipe.leaves.sum)
    unknowns = [leaf.name for leaf in fill.leaf if isinstance(leaf, Unknown)]
    if unknowns:
        game["unknowns"] = unknowns
    if recipe.leaves.bounds:
        game["bounds"] = [number_text(recipe.leaves.low), number_text(recipe.leaves.high)]
    if recipe.statistics is not None:
        game["mcts"] = {"exploration": recipe.statistics.exploration, "playouts": [str(fill.playout)]}
    game["tree"] = _tree(sketch, fill, own)
    title, text = (each and text_in_names(as_written(each), plain, own) for each in (recipe.title, recipe.text))
    data: dict[str, Any] = {"plymark": EXERCISE, "id": name or recipe.id, "title": title, "text": text}
    data |= {"language": recipe.language, "game": game, "convention": recipe.convention}
    data["questions"] = [in_names(question, plain, own) for question in recipe.questions]
    data["marking"] = recipe.marking
    return {key: value for key, value in data.items() if value is not None}


def _tree(sketch: Sketch, fill: Fill, own: Labels) -> Any:
    nodes: list[dict[str, Any]] = []
    values = iter(fill.leaf)
    for node, turn in enumerate(sketch.turn):
        here: dict[str, Any] = {"id": own.ids[node]}
        if node:
            here["move"] = own.moves[node]
        if node in fill.probability:
            here["p"] = str(fill.probability[node])
        if turn is None:
            here.update(_leaf(next(values), own))
        else:
            here["turn"] = turn
            if node in fill.estimates:
                here["estimate"] = number_text(fill.estimates[node])
            if node in fill.visits:
                here["visits"], here["total"] = str(fill.visits[node]), str(fill.totals[node])
            here["children"] = []
        nodes.append(here)
        if node:
            nodes[sketch.parent[node]]["children"].append(here)
    return nodes[0]


def _leaf(value: Any, own: Labels) -> dict[str, Any]:
    if isinstance(value, int | Fraction):
        return {"value": number_text(value)}
    if isinstance(value, str):
        return {"value": value}
    if isinstance(value, Unknown):
        return {"value": value.name}
    if isinstance(value, LoopTo):
        return {"loop": own.ids[value.node]}
    return {"value": [number_text(number) for number in value]}


COPIED = ("questions", "convention", "marking")


def marks_in_recipe(data: dict[str, Any], recipe: Document) -> Marks:
    """For all that an exercise copies, the marks of the recipe; the rest of the exercise has none."""
    written = recipe.data
    assert isinstance(written, dict)
    own = recipe.marks[id(written)]
    of_key = {key: own[2 * position + 1 : 2 * position + 3] for position, key in enumerate(written)}
    marks = {id(data): [own[0], *chain.from_iterable(of_key.get(key, of_key["questions"]) for key in data)]}
    pending: list[tuple[Any, Any]] = [(data[key], written[key]) for key in COPIED if key in data]
    while pending:
        here, there = pending.pop()
        if isinstance(here, dict | list):
            marks[id(here)] = recipe.marks[id(there)]
            items = (each.values() if isinstance(each, dict) else each for each in (here, there))
            pending.extend(zip(*items, strict=True))
    return marks


class Template:
    """A sketch and an exercise made from it, into which any fill can be put."""

    def __init__(self, recipe: Recipe, sketch: Sketch, fill: Fill) -> None:
        self.recipe, self.sketch = recipe, sketch
        self.sample = _exercise(recipe, sketch, fill)
        self.leaves = sketch.leaves

    def exercise(self, fill: Fill) -> Exercise:
        if self.recipe.statistics is not None:
            return _exercise(self.recipe, self.sketch, fill)
        game = self.sample.game
        leaf: list[Any] = [None] * len(game.tree)
        for node, value in zip(self.leaves, fill.leaf, strict=True):
            leaf[node] = self._leaf(value)
        chances = tuple(fill.probability.get(node) for node in range(len(game.tree)))
        estimates = {Node(node): estimate for node, estimate in fill.estimates.items()} or None
        tree = replace(game.tree, leaf=tuple(leaf), probability=chances, estimates=estimates)
        return replace(self.sample, game=replace(game, tree=tree))

    def possible_mistakes(self) -> tuple[str, ...]:
        """Mistakes that can be made in a tree of this shape, whatever its numbers are."""
        return exposure(AnswerKey(self.sample)).made

    def _leaf(self, value: Any) -> Any:
        if isinstance(value, LoopTo):
            return Loop(self.sample.game.tree.ids[value.node])
        return Outcome(value) if isinstance(value, str) else value


def _exercise(recipe: Recipe, sketch: Sketch, fill: Fill) -> Exercise:
    data = exercise_data(recipe, sketch, fill)
    return exercise_from_data(data, marks=marks_in_recipe(data, recipe.document))
