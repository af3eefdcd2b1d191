"""The formats a solution can be written in, by name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.game.building.build import Game
from solver.render.data import solution_data
from solver.render.json import json_bytes
from solver.render.text import solution_text
from solver.render.yaml import yaml_bytes
from solver.search.solution import Solution


@dataclass(frozen=True, slots=True)
class SolutionFormat:
    ending: str
    """Of the output file's name."""
    write: Callable[[Game, Solution, str, bool], bytes]
    """From the game, its solution, the file to name in it (or nothing) and whether colour is wanted."""


def _data(solution: Solution, file: str) -> dict[str, object]:
    data = solution_data(solution)
    return {"plymark": data["plymark"], "file": file, **data} if file else data


def _text(game: Game, solution: Solution, file: str, colour: bool) -> bytes:
    heading = f"── {file} ──\n\n" if file else ""
    return (heading + solution_text(game, solution, colour) + ("\n" if file else "")).encode()


def _json(game: Game, solution: Solution, file: str, colour: bool) -> bytes:
    return json_bytes(_data(solution, file))


def _yaml(game: Game, solution: Solution, file: str, colour: bool) -> bytes:
    return (b"---\n" if file else b"") + yaml_bytes(_data(solution, file))


FORMATS = {
    "text": SolutionFormat(".txt", _text),
    "json": SolutionFormat(".json", _json),
    "yaml": SolutionFormat(".yaml", _yaml),
}
