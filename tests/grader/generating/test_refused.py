"""Recipes that cannot be: every problem told, and every proof true."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

from grader.cli.generate import generate_exercises
from grader.generating.exercise_measures import count_search
from grader.generating.generation import generate
from grader.generating.recipe_proofs import check_possible
from solver.kernel import DEFAULT_LIMITS, DocumentError
from solver.kernel.errors import CODES, EXERCISE_CODES, RECIPE_CODES
from solver.pipeline import load_tree, solve
from tests.support.paths import ROOT
from tests.support.ready import SEED, recipe_of

BAD = ROOT / "tests" / "bad_recipes"
CASES = sorted(BAD.rglob("*.yaml"))


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(BAD)))
def test_every_problem_is_told(
    case: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    update_goldens: bool,
) -> None:
    monkeypatch.chdir(case.parent)
    assert generate_exercises(case.name, 2, "1", tmp_path / "out", DEFAULT_LIMITS, quiet=True) == 1
    assert not (tmp_path / "out").exists()
    said = capsys.readouterr().err
    expected = case.with_name(f"{case.name}.expected")
    if update_goldens:
        expected.write_text(said, "utf-8")
    assert said == expected.read_text("utf-8")
    assert f"[{case.parent.name}]\n" in said


def test_every_code_has_a_case() -> None:
    assert not RECIPE_CODES.keys() & (CODES.keys() | EXERCISE_CODES.keys())
    assert {case.parent.name for case in CASES} >= RECIPE_CODES.keys()


@pytest.mark.parametrize("shape", [(2, 2), (3, 2), (2, 2, 2), (2, 3, 2)])
def test_what_is_proved_about_pruning_is_true_and_sharp(shape: tuple[int, ...]) -> None:
    """The most that any of many trees prunes, best orders among them, can be asked for; one leaf more cannot."""
    levels = [f"{{turn: {'min' if depth % 2 else 'max'}, children: {most}}}" for depth, most in enumerate(shape)]
    text = f"shape: {{levels: [{', '.join(levels)}]}}\nquestions: [{{id: p, ask: pruned, marks: 1}}]\n"
    text += "require: {pruned: %d}\n"
    numbers, most = random.Random(1), 0
    size = 1
    for each in shape:
        size *= each
    for _ in range(3_000):
        level: list[Any] = numbers.sample(range(size), size)
        for each in reversed(shape[1:]):
            level = [level[start : start + each] for start in range(0, len(level), each)]
        most = max(most, count_search(solve(load_tree(json.dumps(level)))).pruned)
    check_possible(recipe_of(text % most))
    with pytest.raises(DocumentError, match="impossible"):
        check_possible(recipe_of(text % (most + 1)))


PLIES = "shape: {levels: [%s]}\n"
TWO, THREE, FOUR = (
    PLIES % ", ".join(f"{{turn: {'min' if depth % 2 else 'max'}, children: 2}}" for depth in range(plies))
    for plies in (2, 3, 4)
)
CHANCE_ROOT = PLIES % "{turn: chance, children: 3}, {turn: max, children: 2}"
PLAYERS = PLIES % "{turn: A, children: 2}, {turn: B, children: 2}"
MOVE, CUTS = "questions: [{id: q, ask: move, marks: 1}]\n", "questions: [{id: q, ask: pruned, marks: 1}]\n"
RANGE = "questions: [{id: q, ask: range, when: {move: a1}, marks: 1}]\n"


@pytest.mark.parametrize(("text", "said"), [
    (TWO + MOVE + "leaves: {range: [1, 3]}", "4 leaves cannot all be different: the range has 3 numbers"),
    (TWO + MOVE + "leaves: {range: [-1, 9], style: signs}", "the range has 2 numbers"),
    (TWO + MOVE + "leaves: {range: [1/3, 2/3]}", "there is no number in the range"),
    (TWO + MOVE + "require: {value: 41}", "no leaf is worth 41"),
    (PLAYERS + MOVE + "leaves: {range: [0, 4], sum: 9}", "vectors of 2 numbers add up to 0 to 8, not to 9"),
    (TWO + MOVE + "estimates: {range: [1/3, 2/3]}", "no whole number in the range of the estimates"),
    (CHANCE_ROOT + MOVE + "probabilities: {denominator: 2}", "3 outcomes need a denominator of at least 3"),
    (CHANCE_ROOT + MOVE + "probabilities: {denominator: 3, equal: false}", "equally likely"),
    (CHANCE_ROOT + MOVE + "require: {unique_move: true}", "nobody moves at a chance node"),
    (TWO + MOVE + "require: {move_at: 3}", "the root has at most 2 moves"),
    (PLIES % "{turn: max, children: 1}" + MOVE + "require: {move_at: not-first}", "a single move"),
    (TWO + RANGE + "unknowns: {x: L9}", "there is no leaf L9: the tree has at most 4"),
    (TWO + RANGE + "unknowns: {x: L1}\nrequire: {pruned: 1}", "while x is unknown"),
    (TWO + RANGE + "unknowns: {x: L1, y: L2, z: L3, w: L4}", "no leaf is left with a number"),
    (TWO + RANGE + "leaves: {bounds: true}\nunknowns: {x: L1}\nrequire: {unknown_width: 40}", "which are 39 wide"),
    (TWO + RANGE + "unknowns: {x: L1}\nrequire: {unknown_width: 2}", "without bounds such a range has no end"),
    (TWO + MOVE + "require: {unknown_parts: 1}", "`ask: range`"),
    (TWO + MOVE + "require: {depth_moves: 1}", "`ask: depths`"),
    (
        TWO + "estimates: {range: [1, 9]}\nquestions: [{id: q, ask: depths, depths: [1, 2], marks: 1}]\n"
        "require: {depth_moves: 3}",
        "2 depths and 2 moves give at most 2",
    ),
    (TWO + MOVE + "require: {threshold: 1/2}", "errs: threshold"),
    (TWO + "questions: [{id: q, ask: opponent, errs: threshold, marks: 1}]\nrequire: {threshold: 3}", "0 and 1"),
    (TWO + MOVE + "require: {ucb_gap: 0.1}", "no statistics"),
    (TWO + MOVE + "require: {plan: any}", "`or` and `and` nodes"),
    (THREE + CUTS + "require: {deep_cuts: 1}", "a deep cut needs 4 plies; the tree has 3"),
    (TWO + CUTS + "require: {beta_cuts: 1}", "a beta cut needs a max node"),
    (TWO + CUTS + "require: {inner_cuts: 1}", "one more ply is needed"),
    (FOUR + CUTS + "require: {alpha_cuts: 1, beta_cuts: 0, deep_cuts: 2}", "there are at most 1 cuts"),
    (THREE + CUTS + "require: {pruned: 1, alpha_cuts: 1, beta_cuts: 1}", "2 cuts prune at least 2 leaves"),
    (TWO + "questions: [{id: q, ask: move, algorithm: minimax, marks: 1}]\nrequire: {alpha_cuts: 1}", "that prunes"),
    (TWO + CUTS + "require: {pruned: 2}", "at least 3 of 4 leaves are evaluated"),
    (TWO + CUTS + "require: {pruned_share: 1/2}", "at least 3 of 4 leaves are evaluated"),
    (
        TWO + "questions: [{id: q, ask: values, of: search, marks: 1}]\n"
        "require: {pruned: 1, convention_proof: true}",
        "of: minimax",
    ),
    (
        TWO + "questions: [{id: q, ask: windows, at: exit, marks: 1}]\nrequire: {pruned: 1, convention_proof: true}",
        "at: entry",
    ),
    (TWO + CUTS + "require: {exposes: [A1]}", "A1 shows only where values are equal"),
])  # fmt: skip
def test_every_proof(text: str, said: str) -> None:
    with pytest.raises(DocumentError) as found:
        check_possible(recipe_of(text))
    assert [problem.code for problem in found.value.problems] == ["impossible"]
    assert said in found.value.problems[0].message
    assert found.value.problems[0].place.line > 2


def test_what_is_not_proved_impossible_is_found() -> None:
    """The least that the proofs let through, next to what they refuse."""
    for text in (
        FOUR + CUTS + "require: {deep_cuts: 1, pruned: [1, 8]}\nleaves: {range: [1, 16]}",
        THREE + CUTS + "require: {pruned: 2, alpha_cuts: 0, beta_cuts: 2}",
        THREE + CUTS + "require: {inner_cuts: 1}",
        PLAYERS + MOVE + "leaves: {range: [0, 4], style: small, sum: 8}",
        TWO + RANGE + "leaves: {range: [0, 9], bounds: true}\nunknowns: {x: L1}\nrequire: {unknown_width: 8}",
    ):
        assert len(generate(recipe_of(text), 1, SEED)) == 1


def test_giving_up_names_what_failed_most() -> None:
    recipe = recipe_of(
        "shape: {levels: [{turn: max, children: 2}, {turn: min, children: 2}]}\nleaves: {range: [1, 9]}\n"
        "questions: [{id: p, ask: pruned, marks: 1}]\nrequire:\n  unique_move: true\n  value: 9\n"
    )
    with pytest.raises(DocumentError, match=r"^8:3: none of 50 trees .* failed: value 50 times.*\[not-found\]$"):
        generate(recipe, 1, SEED, effort=50)


def test_too_few_different_exercises_are_an_error() -> None:
    recipe = recipe_of(
        "shape: {levels: [{turn: max, children: 2}]}\nleaves: {range: [1, 2]}\ncount: 3\n"
        "questions: [{id: m, ask: move, marks: 1}]\n"
    )
    assert len(generate(recipe, 2, SEED)) == 2
    with pytest.raises(DocumentError, match="only 2 different exercises"):
        generate(recipe, None, SEED)
