"""A sketch and its fill as the data of exercise/1."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from grader.documents.exercise import EXERCISE
from grader.generating.recipe.parts import Recipe
from grader.generating.search.fill import Fill, LoopTo
from grader.generating.search.labels import Labels, in_names, labels, text_in_names
from grader.generating.search.sketch import Sketch
from solver.game import Unknown
from solver.kernel import as_written, number_text


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
