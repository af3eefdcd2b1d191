"""The notebook in docs/ runs, and prints and draws what it shows; `--update-goldens` runs it anew."""

from __future__ import annotations

from typing import Any

import pytest

from solver.pipeline import load, load_tree, solve
from solver.render import rows
from tests.support.machine import package
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


def outputs(notebook: Any) -> list[Any]:
    """What each cell printed and drew; a table's markup depends on the version of pandas."""
    found = []
    for cell in notebook.cells:
        if cell.cell_type == "code":
            for output in cell.outputs:
                data = output.get("data", {"stream": output.get("text")})
                found.append({kind: text for kind, text in data.items() if kind != "text/html"})
    return found


@pytest.mark.filterwarnings("default")
def test_the_notebook_runs(update_goldens: bool) -> None:
    nbformat = package("nbformat")
    shown = nbformat.read(NOTEBOOK, as_version=4)
    fresh = nbformat.read(NOTEBOOK, as_version=4)
    package("nbclient").NotebookClient(fresh, timeout=600, resources={"metadata": {"path": NOTEBOOK.parent}}).execute()
    for cell in fresh.cells:
        cell.metadata.pop("execution", None)
    if update_goldens:
        nbformat.write(fresh, NOTEBOOK)
        shown = fresh
    assert outputs(fresh) == outputs(shown)
    assert sum("image/svg+xml" in output for output in outputs(fresh)) >= 4


def test_short_reprs() -> None:
    game = load(NOTEBOOK.parent.parent / "specs" / "two-ply.yaml")
    assert repr(game) == "<Game Two-ply game tree: 13 nodes, 9 leaves>"
    assert repr(solve(game)) == "<Solution by alpha-beta: value 3, move a1, 7 of 9 leaves>"
    assert repr(solve(load_tree("7/3"))) == "<Solution by alpha-beta: value 7/3, 1 of 1 leaves>"
    assert repr(solve(load(NOTEBOOK.parent.parent / "specs" / "three-players.yaml"))).startswith(
        "<Solution by maxn: value (1, 2, 6), move a1"
    )


def test_rows_are_exact() -> None:
    found = {row["node"]: row for row in rows(solve(load_tree("[[1/3, 2.5], [0.1, 4]]")))}
    assert str(found["A"]["value"]) == "1/3"
    assert (found["C"]["entry_alpha"], found["C"]["entry_beta"]) == (found["A"]["value"], float("inf"))
    assert found["L4"] == {
        "node": "L4", "parent": "C", "move": "c2", "turn": None, "depth": 2, "value": 4, "best": (), "on_line": False,
        "pruned": True, "returned": None, "known": "unvisited", "entry_alpha": None, "entry_beta": None,
        "exit_alpha": None, "exit_beta": None, "interval_low": -float("inf"), "interval_high": float("inf"),
    }  # fmt: skip
