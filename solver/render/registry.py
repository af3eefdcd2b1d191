"""The formats a solution can be written in, by name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from solver.game.building.build import Game
from solver.render.data import ALL, NONE, solution_data, solution_parts
from solver.render.json import json_bytes, json_with
from solver.render.yaml import yaml_bytes
from solver.search.solution import Solution


class SolutionFormat(NamedTuple):
    ending: str
    """Of the output file's name."""
    writer: Callable[[Game, Solution, str, bool, str], bytes]

    def write(self, game: Game, solution: Solution, file: str, colour: bool, nodes: str = ALL) -> bytes:
        """From the game, its solution, the file to name in it (or nothing), whether colour is wanted, which nodes."""
        return self.writer(game, solution, file, colour, nodes)


def _named(data: dict[str, Any], file: str) -> dict[str, Any]:
    return {"plymark": data["plymark"], "file": file, **data} if file else data


def _text(game: Game, solution: Solution, file: str, colour: bool, nodes: str) -> bytes:
    from solver.render.text import solution_text

    heading = f"── {file} ──\n\n" if file else ""
    return (heading + solution_text(game, solution, colour, nodes == ALL) + ("\n" if file else "")).encode()


def _json(_game: Game, solution: Solution, file: str, _colour: bool, nodes: str) -> bytes:
    head, told = solution_parts(solution, nodes)
    named = _named(head, file)
    return json_bytes(named) if nodes == NONE else json_with(named, "nodes", told)


def _yaml(_game: Game, solution: Solution, file: str, _colour: bool, nodes: str) -> bytes:
    return (b"---\n" if file else b"") + yaml_bytes(_named(solution_data(solution, nodes), file))


FORMATS = {
    "text": SolutionFormat(".txt", _text),
    "json": SolutionFormat(".json", _json),
    "yaml": SolutionFormat(".yaml", _yaml),
}
