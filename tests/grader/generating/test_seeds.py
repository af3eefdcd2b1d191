"""Seeds: drawn unless one is given, printed and kept; practice has a space of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.documents.exercise_file import load_exercise_bytes
from grader.generating.generation import generate
from grader.generating.random_trees import Seed
from grader.kernel.seeds import DRAWN, draw_seed
from grader.practice.ready_exercises import exercise_of
from solver.kernel import UsageError
from tests.support.command import plymark, plymark_within
from tests.support.ready import ready

RECIPE = "minimax-medium"
RUN = re.compile(r"--seed ([0-9a-f]{16}) makes the same again\n")


def test_a_seed_is_drawn_and_printed_and_makes_the_same_again(tmp_path: Path) -> None:
    seeds = set()
    for name in ("first", "second"):
        ran = plymark_within("generate", RECIPE, "-n", "2", "--out", tmp_path / name)
        assert ran.code == 0
        seed = RUN.search(ran.stderr)
        assert seed, ran.stderr
        seeds.add(seed[1])
        again = plymark_within("generate", RECIPE, "-n", "2", "--seed", seed[1], "--out", tmp_path / f"{name}-again")
        assert RUN.search(again.stderr) is None
        files = {file.name: file.read_bytes() for file in (tmp_path / name).iterdir()}
        assert files == {file.name: file.read_bytes() for file in (tmp_path / f"{name}-again").iterdir()}
        assert json.loads(files[f"{RECIPE}.variants.json"])["seed"] == seed[1]
    assert len(seeds) == 2


def test_other_exercises_in_the_folder_are_named_with_their_seed(tmp_path: Path) -> None:
    first = RUN.search(plymark_within("generate", RECIPE, "-n", "1", "--out", tmp_path / "x").stderr)
    refused = plymark_within("generate", RECIPE, "-n", "1", "--out", tmp_path / "x")
    assert first
    assert refused.code == 2
    assert f"--seed {first[1]} makes them again" in refused.stderr


def test_the_python_function_draws_one_as_well() -> None:
    first, second = (generate(ready(RECIPE), 1)[0] for _ in range(2))
    assert first.document != second.document
    assert DRAWN.fullmatch(first.card["seed"])
    assert generate(ready(RECIPE), 1, first.card["seed"])[0].document == first.document


def test_drawn_seeds_have_64_bits() -> None:
    drawn = [int(draw_seed(), 16) for _ in range(200)]
    assert len(set(drawn)) == 200
    for bit in range(64):
        assert 40 < sum(each >> bit & 1 for each in drawn) < 160


@pytest.mark.parametrize("seed", ["0", "7", "alpha"])
def test_practice_shows_nothing_that_the_same_seed_generates(seed: str) -> None:
    practised = leaves_of(exercise_of(RECIPE, seed).document)
    assert practised not in [leaves_of(each.document) for each in generate(ready(RECIPE), 12, seed)]


def leaves_of(document: bytes) -> list[object]:
    tree = load_exercise_bytes(document).game.tree
    return [tree.leaf[node] for node in tree.leaves]


@given(st.text(alphabet="/practice0r", max_size=12), st.from_regex("[0-9a-z]{1,16}", fullmatch=True))
def test_no_text_gives_the_draws_of_practice(text: str, seed: str) -> None:
    """Nor what would have to be written to look like it."""
    own = Seed(seed, practice=True).draw("r", 0, 0).below(2**64)
    for typed in (text, seed, f"practice/{seed}", f"/practice/{seed}", f"/practice/r/{seed}", f"practice/r/{seed}"):
        assert Seed(typed).draw("r", 0, 0).below(2**64) != own
        assert Seed(typed).draw("practice", 0, 0).below(2**64) != own


@pytest.mark.slow
def test_a_seed_that_is_no_text_is_refused_in_words(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="UTF-8"):
        generate(ready(RECIPE), 1, "\udcff")
    ran = plymark("generate", RECIPE, "--seed", "\udcff", "--out", tmp_path / "x")
    assert (ran.code, ran.stderr) == (2, "plymark: a seed is text in UTF-8\n")
