"""The stages composed: what each takes, gives and refuses."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from solver.game import CONVENTIONS
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, Refusal, UsageError
from solver.pipeline import (
    check_bytes,
    convention_from_text,
    load,
    load_bytes,
    load_tree,
    paused_collection,
    read_file,
    refused,
    solve,
)
from tests.support.paths import ROOT

TWO_PLY = ROOT / "specs" / "two-ply.yaml"


def test_a_file_its_bytes_and_its_tree_are_the_same_game() -> None:
    leaves = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"
    whole = load(TWO_PLY)
    assert load_bytes(TWO_PLY.read_bytes()).tree.leaf == whole.tree.leaf == load_tree(leaves).tree.leaf
    assert check_bytes(TWO_PLY.read_bytes())[0] == "game/1"
    assert solve(whole).value == solve(load_tree(leaves), "minimax").value == 3


def test_another_kind_of_document_is_no_game() -> None:
    raw = (ROOT / "exercises" / "two-ply.yaml").read_bytes()
    assert check_bytes(raw) == ("exercise/1", None)
    with pytest.raises(DocumentError, match=r"this is exercise/1, not game/1"):
        load_bytes(raw)


@pytest.mark.parametrize("text", ["[[1, 2], [3", "[[1, x], [3, 4]]", "[]"])
def test_a_bad_tree_is_refused_with_places(text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        load_tree(text)
    assert all(problem.place.line == 1 for problem in caught.value.problems)


def test_all_problems_are_reported_at_once_up_to_the_limit() -> None:
    raw = b"plymark: game/1\ntree: [[1, a b], [c d, 2], [e f, 3]]\n"
    with pytest.raises(DocumentError) as caught:
        load_bytes(raw)
    assert len(caught.value.problems) == 3
    with pytest.raises(DocumentError) as caught:
        load_bytes(raw, limits=Limits(problems=2))
    assert len(caught.value.problems) == 2


def test_conventions_by_name_and_by_keys() -> None:
    for name, convention in CONVENTIONS.items():
        assert convention_from_text(name) == convention
    assert convention_from_text("{like: aima4, cut: past-bound}").cut == "past-bound"
    for bad in ("nonsense", "{like: aima3", "{cut: sideways}", ""):
        with pytest.raises(UsageError):
            convention_from_text(bad)


def test_algorithms_and_depth() -> None:
    game = load(ROOT / "specs" / "tic-tac-toe-cut-off.yaml")
    assert len(solve(game, depth=1).visited) < len(solve(game, "minimax").visited)
    with pytest.raises(UsageError, match="unknown algorithm"):
        solve(game, "nonsense")


def test_a_refusal_becomes_a_problem_at_its_node() -> None:
    game = load(ROOT / "specs" / "three-players.yaml")
    with pytest.raises(Refusal) as caught:
        solve(game, "alpha-beta")
    (problem,) = refused(caught.value, game).problems
    assert problem.code == caught.value.code and problem.place == game.place(caught.value.node)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    (tmp_path / "large.yaml").write_bytes(b"#" * 2000)
    for path in (tmp_path / "none.yaml", tmp_path, "nul\0byte"):
        with pytest.raises(DocumentError, match="cannot be read"):
            read_file(path)
    with pytest.raises(DocumentError):
        read_file(tmp_path / "large.yaml", Limits(yaml_bytes=1000, json_bytes=1000))
    assert len(read_file(tmp_path / "large.yaml", DEFAULT_LIMITS)) == 2000


@pytest.mark.parametrize("was", [True, False])
def test_collection_is_as_before_afterwards(was: bool) -> None:
    before = gc.isenabled()
    try:
        (gc.enable if was else gc.disable)()
        with paused_collection():
            assert not gc.isenabled()
        assert gc.isenabled() == was
    finally:
        (gc.enable if before else gc.disable)()
