"""A filled sketch as exercise/1, in plain data and in YAML."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from grader.documents.exercise import EXERCISE
from grader.generating.fill import Back, Fill
from grader.generating.labels import Labels, in_names, labels, text_in_names
from grader.generating.parts import Recipe
from grader.generating.sketch import Sketch
from solver.game import Unknown
from solver.kernel import number_text

_PLAIN = re.compile(r"(?:[A-Za-z_][A-Za-z0-9_-]*|-?\d+(?:\.\d+)?|\d+/\d+|exercise/1)\Z").match
_WORDS = frozenset({"y", "n", "yes", "no", "on", "off", "null", "nan", "inf"})


def exercise_data(recipe: Recipe, sketch: Sketch, fill: Fill, own: Labels | None = None, name: str = "") -> Any:
    """What a document says: strings, lists and mappings."""
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
    title, text = (each and text_in_names(each, plain, own) for each in (recipe.title, recipe.text))
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
    if isinstance(value, Back):
        return {"loop": own.ids[value.node]}
    return {"value": [number_text(number) for number in value]}


def yaml_bytes(data: dict[str, Any]) -> bytes:
    """One line for each node that has only leaves below it, and for each question."""
    return "".join(f"{line}\n" for line in _lines(data)).encode()


def _lines(data: dict[str, Any]) -> Iterator[str]:
    for key, value in data.items():
        if key == "game":
            yield "game:"
            for name, item in value.items():
                if name == "tree":
                    yield "  tree:"
                    yield from _tree_lines(item)
                else:
                    yield f"  {name}: {_flow(item)}"
        elif key == "questions":
            yield "questions:"
            yield from (f"  - {_flow(item)}" for item in value)
        else:
            yield f"{key}: {_flow(value)}"


def _tree_lines(tree: dict[str, Any]) -> Iterator[str]:
    pending: list[tuple[dict[str, Any], str, bool]] = [(tree, "    ", False)]
    while pending:
        node, space, listed = pending.pop()
        dash = f"{space[:-2]}- " if listed else space
        below = node.get("children", ())
        if not any("children" in child for child in below):
            yield dash + _flow(node)
            continue
        first = True
        for key, value in node.items():
            if key != "children":
                yield f"{dash if first else space}{key}: {_flow(value)}"
                first = False
        yield f"{space}children:"
        pending.extend((child, f"{space}    ", True) for child in reversed(below))


def _flow(value: Any) -> str:
    """Nested no deeper than a question or a node above leaves is."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_scalar(key)}: {_flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return _scalar(value)


def _scalar(value: Any) -> str:
    text = str(value)
    return text if _PLAIN(text) and text.lower() not in _WORDS else json.dumps(text, ensure_ascii=False)
