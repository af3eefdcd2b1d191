"""Generated exercises, verified by what the generator does not use: brute force, the solver, the mistakes' models."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

from grader.generating.generation import generate, variant_code
from grader.generating.hill_climbing import Effort, find_exercise
from grader.generating.random_trees import Draw, Seed
from grader.generating.recipe_file import load_recipe
from grader.generating.recipe_parts import BOUNDED
from grader.generating.variant_overview import measure_spread
from grader.mistakes.behaviour import key_behaviour
from grader.mistakes.cells import cells_of
from grader.mistakes.registry import MODELS
from solver.documents import Document, read_raw
from solver.documents.document_schemas import schema
from solver.game import CONVENTION_CHOICES, Tree, sensible
from solver.kernel import UsageError
from solver.pipeline import check_bytes, solve
from tests.judges.brute_force import alpha_beta, minimax
from tests.support.paths import ROOT
from tests.support.ready import SEED, exercise_of, made, nested, ready, recipe_of

RECIPES = sorted((ROOT / "recipes").glob("*.yaml"))
SHOWCASE = "alpha-beta-hard"


def paths(tree: Tree) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {0: ()}
    for node in tree.inner:
        for place, child in enumerate(tree.children[node]):
            found[child] = (*found[node], place)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_a_variant_has_one_key_whatever_the_convention(number: int) -> None:
    exercise = exercise_of(made(SHOWCASE)[number])
    tree = exercise.game.tree
    path_of = paths(tree)
    keys = set()
    for cut, update, returns, ties in product(
        *(CONVENTION_CHOICES[key] for key in ("cut", "update", "returns", "ties"))
    ):
        try:
            changes: dict[str, Any] = {"cut": cut, "update": update, "returns": returns, "ties": ties}
            convention = sensible(replace(exercise.convention, **changes))
        except UsageError:
            continue
        solution = solve(exercise.game, "alpha-beta", convention)
        search = solution.search
        assert search is not None
        entry = [None if window is None else tuple(map(search.scale.number, window)) for window in search.entry]
        keys.add((tuple(solution.values), tuple(solution.visited), tuple(solution.pruned), tuple(entry), solution.move))
        record = alpha_beta(nested(tree), cut, update, returns)
        assert [path_of[node] for node in solution.visited] == record.visited
        for node in tree.inner:
            window = entry[node]
            if window is not None:
                assert tuple(float(bound) for bound in window) == record.windows[path_of[node]][0]
    assert len(keys) == 1
    assert next(iter(keys))[0][0] == minimax(nested(tree))


@pytest.mark.slow
@pytest.mark.parametrize("number", range(30))
def test_a_variant_shows_every_mistake(number: int) -> None:
    exercise = exercise_of(made(SHOWCASE)[number])
    asked = {"worth", "entry", "crossed", "sequence", "played"}
    shown: set[str] = set()
    made_in_it: set[str] = set()
    searched = solve(exercise.game, "alpha-beta", exercise.convention)
    for solution, words in ((searched, asked - {"worth"}), (solve(exercise.game, "minimax"), {"worth"})):
        key = key_behaviour(solution)
        for name, model in MODELS.items():
            behaviour = model.run(exercise.game.tree, exercise.convention, solution)
            if behaviour is not None:
                made_in_it.add(name)
                of_key, of_model = (cells_of(each, key, solution.tree, words) for each in (key, behaviour))
                shown |= {name} if of_key != of_model else set()
    assert made_in_it - shown == {"A1", "A18"}
    assert len(made_in_it) == 25


@pytest.mark.slow
def test_parallel_variants() -> None:
    """Judged by the textbook's search alone."""
    seen = set()
    for each in generate(replace(ready(SHOWCASE), parallel="true"), 10, SEED):
        tree = exercise_of(each).game.tree
        seen.add((tree.parent, tree.turn, *signature(tree)))
    assert len(seen) == 1


@pytest.mark.slow
def test_bounded_variants() -> None:
    """Judged by the textbook's search alone: other cuts and other best moves, but everything that is required."""
    signatures, moves, visits = set(), set(), []
    for each in made(SHOWCASE):
        tree = exercise_of(each).game.tree
        plain = nested(tree)
        record = alpha_beta(plain)
        inner = {path for node, path in paths(tree).items() if tree.children[node]}
        signatures.add(signature(tree))
        visits.append(len(record.visited))
        assert max(tree.depth) == 4
        assert any(cut["deep"] for cut in record.cuts)
        assert any(path in inner for cut in record.cuts for path in cut["skipped"])
        assert {cut["kind"] for cut in record.cuts} == {"alpha", "beta"}
        evaluated = sum(path not in inner for path in record.visited)
        assert Fraction(1, 4) <= 1 - Fraction(evaluated, len(tree.leaves)) <= Fraction(11, 20)
        worth = [minimax(child) for child in plain[1]]
        assert worth.count(max(worth)) == 1
        moves.add(worth.index(max(worth)))
    assert len(signatures) > 10
    assert moves == {0, 1, 2}
    assert max(visits) <= 2 * min(visits)


def signature(tree: Tree) -> tuple[Any, ...]:
    """Of the textbook's search: its cuts (kind, depth, how many nodes are skipped), visits and moves of the window."""
    record, all_paths = alpha_beta(nested(tree)), list(paths(tree).values())
    size = {path: sum(other[: len(path)] == path for other in all_paths) for path in all_paths}
    cuts = tuple((cut["kind"], len(cut["node"]), sum(size[path] for path in cut["skipped"])) for cut in record.cuts)
    return cuts, len(record.visited), sum(len(windows) - 1 for windows in record.windows.values())


@pytest.mark.slow
def test_the_variants_differ_in_numbers_order_and_labels() -> None:
    leaves = [
        [tree.leaf[leaf] for leaf in tree.leaves] for tree in (exercise_of(each).game.tree for each in made(SHOWCASE))
    ]
    assert all(len(set(each)) == len(each) and all(1 <= value <= 40 for value in each) for each in leaves)  # type: ignore[operator]
    orders = {tuple(sorted(each).index(value) for value in each) for each in leaves}  # type: ignore[type-var]
    assert len(orders) >= 25
    assert len({exercise_of(each).game.tree.ids for each in made(SHOWCASE)}) >= 10
    assert len({each.id for each in made(SHOWCASE)}) == 30


KINDS = (
    SHOWCASE,
    "alpha-beta-medium",
    "star2-easy",
    "paranoid-easy",
    "unknown-leaf-medium",
    "depth-limit-easy",
    "mcts-easy",
)


@pytest.mark.slow
def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    """However sets are ordered there, and however many exercises are made."""
    code = (
        "import sys; from grader import generate, load_recipe;"
        f"[sys.stdout.buffer.write(each.document + repr(each.card).encode()) for name in {KINDS!r} "
        f"for each in generate(load_recipe(f'recipes/{{name}}.yaml'), 3, {SEED})]"
    )
    here = b"".join(each.document + repr(each.card).encode() for name in KINDS for each in made(name, 4)[:3])
    environment = {**os.environ, "PYTHONHASHSEED": "1"}
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert ran.stdout == here
    other = generate(ready(SHOWCASE), 2, SEED + 1)
    assert {each.document for each in other}.isdisjoint(each.document for each in made(SHOWCASE))


@pytest.mark.parametrize("name", ["alpha-beta-medium", "mcts-easy"])
def test_only_finished_exercises_are_written_and_read_again(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    recipe, read = ready(name), []

    def read_raw_noted(raw: bytes, *rest: Any, **options: Any) -> Document | None:
        read.append(raw)
        return read_raw(raw, *rest, **options)

    monkeypatch.setattr("solver.pipeline.read_raw", read_raw_noted)
    assert read == [each.document for each in generate(recipe, 3, SEED)]


@pytest.mark.slow
@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_ready_recipes_hold_what_they_promise(path: Path) -> None:
    recipe = load_recipe(path)
    found = made(path.stem, 30 if path.stem == SHOWCASE else 4)
    assert len({each.document for each in found}) == len(found)
    for each in found:
        assert all(each.card["holds"].values()), each.card
        asked = set(recipe.require.ranges) | set(recipe.require.switches)
        assert asked <= each.card["holds"].keys()
        exercise = exercise_of(each)
        assert exercise.id == each.id
        assert yaml.load(each.document, yaml.BaseLoader) == each.data
        assert set(each.card["key"]["answers"]) == {question.id for question in exercise.questions}
        if isinstance(recipe.require.exposes, tuple):
            assert set(recipe.require.exposes) <= set(each.card["mistakes"]["exposed"])
        if exercise.game.tree.only_numbers and recipe.statistics is None:
            assert solve(exercise.game).value == minimax(nested(exercise.game.tree))
    assert recipe.parallel in (None, BOUNDED) or measure_spread([each.card for each in found])["outliers"] == {}


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_ready_recipes_help_editors(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("# yaml-language-server: $schema=../schemas/recipe.schema.json\n")
    assert check_bytes(path.read_bytes()) == ("recipe/1", None)
    assert load_recipe(path).id == path.stem
    Draft202012Validator(json.loads((ROOT / "schemas" / "recipe.schema.json").read_bytes())).validate(
        yaml.safe_load(text)
    )


@pytest.mark.slow
def test_an_exercise_does_not_depend_on_how_many_there_are() -> None:
    assert [each.document for each in made(SHOWCASE, 4)] == [each.document for each in made(SHOWCASE)[:4]]


def test_exercises_that_are_not_parallel_have_the_usual_names() -> None:
    found = generate(replace(ready("minimax-hard"), parallel=None), 6, SEED)
    trees = [exercise_of(each).game.tree for each in found]
    assert {tree.ids[:2] for tree in trees} == {("A", "B")}
    assert len({tree.parent for tree in trees}) > 1


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []
    generate(ready("minimax-easy"), 3, SEED, progress=lambda done, examined: heard.append((done, examined)))
    assert heard == sorted(heard)
    assert heard[-1][0] == 3


def test_names_in_texts_follow_the_labels() -> None:
    recipe = recipe_of(
        "title: About {L3}\nshape: {levels: [{turn: max, children: 2}, {turn: min, children: 2}]}\n"
        "unknowns: {x: L3}\nparallel: true\nquestions:\n"
        '  - {id: q, ask: range, when: {pruned: L4}, marks: 1, text: "Is {L4} cut for {x} in {1, 2} by {B}, {a2}?"}\n'
    )
    seen = set()
    for each in generate(recipe, 6, SEED):
        tree = exercise_of(each).game.tree
        ids = [str(each) for each in tree.ids]
        leaf = [ids[node] for node in tree.leaves]
        assert each.data["title"] == f"About {leaf[2]}"
        asked = each.data["questions"][0]
        assert asked["text"] == f"Is {leaf[3]} cut for {{x}} in {{1, 2}} by {ids[1]}, {tree.move[tree.children[0][1]]}?"
        assert asked["when"] == {"pruned": leaf[3]}
        seen.add(leaf[3])
    assert len(seen) > 1


@pytest.mark.slow
def test_rearranged_variants_have_the_same_cuts() -> None:
    seen = set()
    for each in generate(replace(ready("alpha-beta-medium"), parallel="rearranged"), 10, SEED):
        tree = exercise_of(each).game.tree
        # Wherever it stands, a node has as many children.
        shape = tuple(sorted((tree.depth[node], len(tree.children[node])) for node in tree.inner))
        seen.add((*signature(tree), shape))
    assert len(seen) == 1


def test_climbing_finds_what_drawing_blindly_finds(monkeypatch: pytest.MonkeyPatch) -> None:
    recipe = ready("alpha-beta-medium")
    for seed in range(3):
        for patience in (1, 60):
            monkeypatch.setattr("grader.generating.hill_climbing.PATIENCE", patience)
            found = find_exercise(recipe, Draw("both ways", seed), Effort())
            assert not found.quick.total
            assert not found.thorough.total


def test_codes_tell_the_number_and_the_seed() -> None:
    recipe = ready(SHOWCASE)
    assert variant_code(recipe, Seed("2026"), 6).startswith("07")
    assert len({variant_code(recipe, Seed(str(seed)), 0) for seed in range(30)}) > 20


def test_every_key_is_documented() -> None:
    page, whole = (ROOT / "docs" / "generating.md").read_text("utf-8"), schema("recipe/1")
    parts = [
        whole,
        whole["$defs"]["level"],
        *whole["properties"].values(),
        whole["properties"]["shape"]["properties"]["irregular"],
    ]
    names = {name for part in parts for name in part.get("properties", {})} - {
        "follow_through",
        "accept",
        "other_convention",
    }
    assert len(names) > 30
    for name in sorted(names):
        assert re.search(rf"`{name}[`:]", page), name


def test_questions_are_those_of_exercises() -> None:
    ours, theirs = schema("recipe/1"), schema("exercise/1")
    for name in ("question", "condition", "rubric", "convention"):
        assert ours["$defs"][name] == theirs["$defs"][name]
    for name in ("language", "convention", "marking"):
        assert ours["properties"][name] == theirs["properties"][name]


def test_what_the_schema_shows_as_examples_conforms_to_it() -> None:
    whole = schema("recipe/1")
    Draft202012Validator.check_schema(whole)
    Draft202012Validator(whole).validate(whole["examples"][0])
    for part in (
        whole["properties"],
        whole["properties"]["require"]["properties"],
        whole["$defs"]["level"]["properties"],
    ):
        for item in part.values():
            for example in item["examples"]:
                Draft202012Validator({**item, "$defs": whole["$defs"]}).validate(example)


@pytest.mark.slow
def test_first_exercises_are_what_they_were() -> None:
    """The same bytes on every machine: if a recipe or the generator is changed on purpose, so is this. Which exercises
    follow also depends on how answers are marked."""
    digest = blake2b(b"".join(made(name, 4)[0].document for name in KINDS), digest_size=8).hexdigest()
    assert digest == FIRST_DIGEST


FIRST_DIGEST = "c8a1caeb9632e617"
