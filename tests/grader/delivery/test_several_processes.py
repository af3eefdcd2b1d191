"""What goes to another process and comes back: exercises, forms, errors and searches."""

from __future__ import annotations

import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from grader.delivery.systems.exercise_forms import exercise_form
from grader.delivery.systems.exporter import ExportOptions
from grader.documents.exercise_file import load_exercise
from grader.generating.quality_card import Generated
from grader.marking.grader import Grader
from grader.marking.verify import verified
from solver.kernel import WHOLE_FILE, DocumentError, PlymarkError, Problem, Refusal, UsageError
from solver.pipeline import load, solve
from solver.search import ALGORITHMS
from tests.support.command import plymark_within
from tests.support.paths import ROOT
from tests.support.ready import RECIPES, made

PROBLEM = Problem(WHOLE_FILE, "not-found", "nothing was found", "ask for fewer")
ERRORS = [
    Refusal("C", "bounds-needed", "nothing may be pruned at C", "add bounds"),
    Refusal("", "depth", "no depth is left"),
    DocumentError([PROBLEM]),
    DocumentError([PROBLEM] * 5, 9),
    UsageError("there is no such option"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_error_comes_back_as_it_was(error: PlymarkError) -> None:
    back = pickle.loads(pickle.dumps(error))
    assert type(back) is type(error)
    assert str(back) == str(error)
    assert vars(back) == vars(error)


@pytest.mark.parametrize("path", sorted((ROOT / "exercises").glob("*.yaml")), ids=lambda path: path.stem)
def test_an_exercise_travels_without_its_searches(path: Path) -> None:
    exercise = verified(load_exercise(path))
    Grader(exercise).declared.attempt("maxn")
    assert exercise.searches
    back = pickle.loads(pickle.dumps(exercise))
    assert replace(back, game=exercise.game) == exercise
    assert back.game.tree.ids == exercise.game.tree.ids
    assert not back.searches
    assert not back.judged
    boxes = exercise_form(exercise, ExportOptions())
    assert pickle.loads(pickle.dumps(boxes)).questions == boxes.questions


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("name", ["two-ply", "star-chance-cut", "three-players", "mcts-textbook"])
def test_a_solution_comes_back_as_it_was(name: str, algorithm: str) -> None:
    game = load(ROOT / "specs" / f"{name}.yaml")
    try:
        solution = solve(game, algorithm)
    except Refusal:
        return
    back = pickle.loads(pickle.dumps(solution))
    assert back.values == solution.values
    assert back.line == solution.line
    if solution.search is not None:
        assert back.search.events == solution.search.events
        assert back.search.ends == solution.search.ends


@pytest.mark.parametrize("name", ["paranoid-easy", "star1-easy"])
def test_two_processes_export_what_one_does(name: str, tmp_path: Path) -> None:
    write(made(name, 2), tmp_path / "variants")
    for jobs in ("1", "2"):
        export(tmp_path / "variants", "moodle", tmp_path / jobs, jobs)
    assert (tmp_path / "2").read_bytes() == (tmp_path / "1").read_bytes()


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(path.stem for path in RECIPES.glob("*.yaml")))
def test_every_ready_recipe_is_exported_on_two_processes(name: str, tmp_path: Path) -> None:
    write(made(name, 2), tmp_path / "variants")
    for target in ("moodle", "canvas", "prairielearn"):
        export(tmp_path / "variants", target, tmp_path / target, "2")
        assert (tmp_path / target).exists()


def write(variants: list[Generated], folder: Path) -> None:
    folder.mkdir()
    for each in variants:
        (folder / f"{each.id}.yaml").write_bytes(each.document)


def export(folder: Path, target: str, out: Path, jobs: str) -> None:
    ran = plymark_within("export", folder, "--to", target, "--out", out, "--jobs", jobs, "--quiet")
    assert ran.code == 0, ran.stderr
