"""`--nodes`: what nobody asks for is not made, and the rest stays as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml

from solver.jobs import SolveTask, Source
from solver.pipeline import check_bytes, load, solve
from solver.render import FORMATS
from tests.support.command import plymark_within

TWO_PLY, ROLL = "specs/two-ply.yaml", "specs/backgammon-roll.yaml"


def solved(file: str, **options: Any) -> bytes:
    found = SolveTask(**options)(Source(file, file))
    assert not found.problems
    return found.output


@pytest.mark.parametrize("file", [TWO_PLY, ROLL, "specs/star-probing.yaml", "specs/vacuum-plan.yaml"])
def test_what_is_left_is_as_before(file: str) -> None:
    whole, cuts, none = (json.loads(solved(file, nodes=nodes)) for nodes in ("all", "cuts", "none"))
    assert set(whole) - set(none) <= {"nodes", "stages"}
    assert none == {key: value for key, value in whole.items() if key in none}
    where = {cut["node"] for cut in whole.get("cuts", ())}
    assert cuts == {**none, "nodes": {name: facts for name, facts in whole["nodes"].items() if name in where}}
    for nodes in ("all", "cuts", "none"):
        assert check_bytes(solved(file, nodes=nodes), "x.json")[0] == "solution/1"
        assert yaml.safe_load(solved(file, nodes=nodes, format="yaml")) == json.loads(solved(file, nodes=nodes))


def test_nothing_is_found_out_that_is_not_told() -> None:
    """Values of unvisited nodes and intervals belong to `nodes`, the intervals to `stages` too."""
    game = load(TWO_PLY)
    solution = solve(game)
    FORMATS["json"].write(game, solution, "", False, "none")
    assert solution.search is not None
    assert "interval" not in vars(solution.search)


def test_many_nodes_are_written_in_pieces_that_do_not_show() -> None:
    raw = json.dumps({"plymark": "game/1", "tree": [[number % 7, number] for number in range(1_200)]}).encode()
    output = SolveTask()(Source("x.json", "x.json", raw=raw)).output
    data = json.loads(output)
    assert len(data["nodes"]) == data["counts"]["nodes"] == 3_601
    assert output == json.dumps(data, separators=(",", ":")).encode() + b"\n"


def test_the_command() -> None:
    whole, short = (plymark_within("solve", TWO_PLY, *more) for more in ((), ("--nodes", "none")))
    assert whole.stdout.endswith(short.stdout.partition("\n\n")[2])
    assert "├" in whole.stdout and "├" not in short.stdout
    wrong = plymark_within("solve", TWO_PLY, "--nodes", "some")
    assert wrong.code == 2
    assert "all" in wrong.stderr
