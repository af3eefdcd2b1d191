"""Generated exercises, verified by what the generator does not use: brute force, the solver, the mistakes' models."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from functools import cache
from hashlib import blake2b
from itertools import product
from math import inf
from pathlib import Path
from typing import Any

import pytest
import yaml
from brute_force import alpha_beta, minimax
from jsonschema import Draft202012Validator

from grader.commands.generate import generate_exercises
from grader.diagnosis import cells_of
from grader.exercise import Exercise, load_exercise_bytes
from grader.generating.assigning import assign
from grader.generating.draws import Draw
from grader.generating.finding import Effort, find
from grader.generating.generate import Generated, generate, variant_code
from grader.generating.measures import count
from grader.generating.parallel import twin_blocks
from grader.generating.proofs import check_possible
from grader.generating.recipe import Recipe, load_recipe, load_recipe_bytes
from grader.generating.sketch import draw_sketch
from grader.generating.spread import spread
from grader.mistakes.behaviour import key_behaviour
from grader.mistakes.registry import MODELS
from solver import (
    CHANCE,
    CONVENTION_CHOICES,
    DEFAULT_LIMITS,
    DocumentError,
    Tree,
    UsageError,
    check_bytes,
    load_tree,
    sensible,
    solve,
)
from solver.problems import CODES, EXERCISE_CODES, RECIPE_CODES
from solver.schema import schema

ROOT = Path(__file__).parent.parent
RECIPES = sorted((ROOT / "recipes").glob("*.yaml"))
BAD = ROOT / "tests" / "bad_recipes"
CASES = sorted(BAD.rglob("*.yaml"))
SEED = 2026
SHOWCASE = "alpha-beta-hard"


def ready(name: str) -> Recipe:
    return load_recipe(ROOT / "recipes" / f"{name}.yaml")


@cache
def made(name: str, number: int = 30) -> list[Generated]:
    return generate(ready(name), number, SEED)


def exercise_of(each: Generated) -> Exercise:
    return load_exercise_bytes(each.document, f"{each.id}.yaml")


def recipe_of(text: str) -> Recipe:
    return load_recipe_bytes(f"plymark: recipe/1\nid: r\n{text}".encode())


def nested(tree: Tree, node: int = 0) -> Any:
    """As `brute_force` has trees: the turn and the children, or the value of a leaf."""
    if tree.turn[node] is None:
        return tree.leaf[node]
    children = [nested(tree, child) for child in tree.children[node]]
    chances = [[tree.probability[child] for child in tree.children[node]]] if tree.turn[node] == CHANCE else []
    return (tree.turn[node], children, *chances)


def paths(tree: Tree) -> dict[int, tuple[int, ...]]:
    found: dict[int, tuple[int, ...]] = {0: ()}
    for node in tree.inner:
        for place, child in enumerate(tree.children[node]):
            found[child] = (*found[node], place)
    return found


# Thirty parallel variants of four plies, with a deep cut.


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
            convention = sensible(replace(exercise.convention, cut=cut, update=update, returns=returns, ties=ties))
        except UsageError:
            continue
        solution = solve(exercise.game, "alpha-beta", convention)
        search = solution.search
        assert search is not None
        entry = [None if window is None else tuple(map(search.scale.number, window)) for window in search.entry]
        keys.add((tuple(solution.values), tuple(solution.visited), tuple(solution.pruned), tuple(entry), solution.move))
        record = alpha_beta(nested(tree), cut, update, returns)
        assert [path_of[node] for node in solution.visited] == record.visited
    assert len(keys) == 1
    assert next(iter(keys))[0][0] == minimax(nested(tree))


@pytest.mark.parametrize("number", range(30))
def test_a_variant_shows_every_mistake(number: int) -> None:
    exercise = exercise_of(made(SHOWCASE)[number])
    asked = {"values", "entry", "pruned", "visited", "move"}
    shown: set[str] = set()
    made_in_it: set[str] = set()
    searched = solve(exercise.game, "alpha-beta", exercise.convention)
    for solution, words in ((searched, asked - {"values"}), (solve(exercise.game, "minimax"), {"values"})):
        key = key_behaviour(solution)
        for name, model in MODELS.items():
            behaviour = model.run(exercise.game.tree, exercise.convention, solution)
            if behaviour is not None:
                made_in_it.add(name)
                of_key, of_model = (cells_of(each, key, solution.tree, words) for each in (key, behaviour))
                shown |= {name} if of_key != of_model else set()
    assert made_in_it - shown == {"A1", "A18"}
    assert len(made_in_it) == 25


def test_the_variants_are_parallel() -> None:
    seen = set()
    for each in made(SHOWCASE):
        solution = solve(exercise_of(each).game)
        tree, search = solution.tree, solution.search
        assert search is not None
        cuts = tuple(
            (cut.kind, tree.depth[cut.node], sum(tree.last[child] - child + 1 for child in cut.skipped))
            for cut in search.cuts
        )
        updates = sum(max(0, len(windows) - 1) for windows in search.windows)
        seen.add((tree.parent, tree.turn, cuts, len(solution.visited), updates))
        assert max(tree.depth) == 4
        assert any(cut.deep for cut in search.cuts)
        assert any(tree.children[child] for cut in search.cuts for child in cut.skipped)
        assert {cut.kind for cut in search.cuts} == {"alpha", "beta"}
        assert Fraction(1, 4) <= Fraction(sum(tree.turn[node] is None for node in solution.pruned), len(tree.leaves))
        assert len(solution.moves) == 1
        assert solution.move != tree.move[tree.children[0][0]]
    assert len(seen) == 1


def test_the_variants_differ_in_numbers_order_and_labels() -> None:
    leaves = [
        [tree.leaf[leaf] for leaf in tree.leaves] for tree in (exercise_of(each).game.tree for each in made(SHOWCASE))
    ]
    assert all(len(set(each)) == len(each) and all(1 <= value <= 40 for value in each) for each in leaves)  # type: ignore[operator]
    orders = {tuple(sorted(each).index(value) for value in each) for each in leaves}  # type: ignore[type-var]
    assert len(orders) >= 25
    assert len({exercise_of(each).game.tree.ids for each in made(SHOWCASE)}) >= 10
    assert len({each.id for each in made(SHOWCASE)}) == 30


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    code = (
        "import sys; from grader.generating.generate import generate; from grader.generating.recipe import load_recipe;"
        f"[sys.stdout.buffer.write(each.document + repr(each.card).encode()) "
        f"for each in generate(load_recipe('recipes/{SHOWCASE}.yaml'), 5, {SEED})]"
    )
    here = b"".join(each.document + repr(each.card).encode() for each in made(SHOWCASE)[:5])
    for hashing in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hashing}
        ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, check=True)
        assert ran.stdout == here
    other = generate(ready(SHOWCASE), 2, SEED + 1)
    assert {each.document for each in other}.isdisjoint(each.document for each in made(SHOWCASE))


# Ready recipes.


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_ready_recipes_hold_what_they_promise(path: Path) -> None:
    recipe = load_recipe(path)
    found = made(path.stem, 30 if path.stem == SHOWCASE else 6)
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
    assert spread([each.card for each in found])["outliers"] == {}


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_ready_recipes_help_editors(path: Path) -> None:
    text = path.read_text()
    assert text.startswith("# yaml-language-server: $schema=../schemas/recipe.schema.json\n")
    assert check_bytes(path.read_bytes()) == ("recipe/1", None)
    assert load_recipe(path).id == path.stem
    Draft202012Validator(json.loads((ROOT / "schemas" / "recipe.schema.json").read_bytes())).validate(
        yaml.safe_load(text)
    )


def test_an_exercise_does_not_depend_on_how_many_there_are() -> None:
    assert [each.document for each in made(SHOWCASE, 4)] == [each.document for each in made(SHOWCASE)[:4]]


def test_exercises_that_are_not_parallel_have_the_usual_names() -> None:
    found = generate(replace(ready("minimax-hard"), parallel=False), 6, SEED)
    trees = [exercise_of(each).game.tree for each in found]
    assert {tree.ids[:2] for tree in trees} == {("A", "B")}
    assert len({tree.parent for tree in trees}) > 1


def test_progress_is_told() -> None:
    heard: list[tuple[int, int]] = []
    generate(ready("minimax-easy"), 3, SEED, progress=lambda done, examined: heard.append((done, examined)))
    assert heard == sorted(heard)
    assert heard[-1][0] == 3


# What is drawn.


@pytest.mark.parametrize(("style", "fits"), [
    ("distinct", lambda values: len(set(values)) == 8 and all(isinstance(each, int) for each in values)),
    ("small", lambda values: all(isinstance(each, int) for each in values)),
    ("halves", lambda values: len(set(values)) == 8 and all(Fraction(each).denominator <= 2 for each in values)),
    ("signs", lambda values: len(set(values)) == 8 and sum(each < 0 for each in values) == 4 and 0 not in values),
])  # fmt: skip
def test_styles_of_leaves(style: str, fits: Any) -> None:
    recipe = recipe_of(
        "shape: {levels: [{turn: max, children: 2}, {turn: min, children: 4}]}\n"
        f"leaves: {{range: [-6, 6], style: {style}}}\nquestions: [{{id: move, ask: move, marks: 1}}]\n"
        "require: {unique_move: true}\n"
    )
    for each in generate(recipe, 20, SEED):
        tree = exercise_of(each).game.tree
        values: list[Any] = [tree.leaf[leaf] for leaf in tree.leaves]
        assert fits(values), values
        assert all(-6 <= value <= 6 for value in values)


def test_chances_add_up_and_have_small_denominators() -> None:
    for each in made("expectiminimax-hard", 6):
        tree = exercise_of(each).game.tree
        for node in tree.inner:
            if tree.turn[node] == CHANCE:
                chances = [Fraction(tree.probability[child] or 0) for child in tree.children[node]]
                assert sum(chances) == 1
                assert all(chance > 0 and chance.denominator <= 12 for chance in chances)
                assert len(set(chances)) > 1


def test_statistics_add_up() -> None:
    for each in made("mcts-hard", 6):
        tree = exercise_of(each).game.tree
        assert tree.visits is not None
        assert tree.totals is not None
        for node, visits in tree.visits.items():
            assert 0 <= tree.totals[node] <= visits
            below = [child for child in tree.children[node] if child in tree.visits]
            if below:
                assert sum(tree.visits[child] for child in below) == visits
                assert tree.totals[node] + sum(tree.totals[child] for child in below) == visits


def test_a_game_of_one_player_has_vectors_of_one_number() -> None:
    recipe = recipe_of(
        "shape: {levels: [{turn: A, children: 2}, {turn: chance, children: 2}]}\nleaves: {style: small}\n"
        "questions: [{id: move, ask: move, marks: 1}]\nrequire: {unique_move: true}\n"
    )
    for each in generate(recipe, 3, SEED):
        tree = exercise_of(each).game.tree
        assert tree.players == ("A",)
        assert all(isinstance(leaf, tuple) and len(leaf) == 1 for leaf in (tree.leaf[node] for node in tree.leaves))


def test_irregular_trees_have_leaves_from_the_depth_on() -> None:
    recipe = recipe_of(
        "shape:\n  levels: [{turn: max, children: [2, 3]}, {turn: min, children: 2}, {turn: max, children: 2}]\n"
        "  irregular: {probability: 1/2, from: 2}\nquestions: [{id: move, ask: move, marks: 1}]\n"
    )
    trees = [exercise_of(each).game.tree for each in generate(recipe, 20, SEED)]
    assert {tree.depth[leaf] for tree in trees for leaf in tree.leaves} == {2, 3}
    assert {len(tree.children[0]) for tree in trees} == {2, 3}


def test_draws_are_fair_and_repeatable() -> None:
    draw = Draw("fair", 1)
    counts = Counter(draw.below(6) for _ in range(6_000))
    assert set(counts) == set(range(6))
    assert all(900 < times < 1_100 for times in counts.values())
    # Written down once: another version of Python, or another machine, must give the same.
    repeated = Draw("plymark", 7)
    assert [repeated.below(100) for _ in range(6)] == KNOWN_DRAWS


KNOWN_DRAWS = [51, 56, 21, 42, 81, 68]


def test_blocks_of_leaves_that_can_change_places() -> None:
    draw = Draw("blocks")
    levels = ", ".join(f"{{turn: {turn}, children: 2}}" for turn in ("max", "min", "max"))
    recipe = recipe_of(f"shape: {{levels: [{levels}]}}\nquestions: [{{id: m, ask: move, marks: 1}}]\n")
    assert sorted(twin_blocks(draw_sketch(recipe, draw))) == [(0, 2, 2), (0, 4, 4), (4, 6, 2)]


# What is counted.


def brute_near_misses(tree: Tree) -> int:
    """By plain recursion over windows: values next to the bound among the values of the leaves."""
    order = sorted({tree.leaf[leaf] for leaf in tree.leaves})  # type: ignore[type-var]
    found = 0

    def search(node: int, low: Any, high: Any) -> Any:
        nonlocal found
        if tree.turn[node] is None:
            return tree.leaf[node]
        best: Any = -inf if tree.turn[node] == "max" else inf
        bound = high if tree.turn[node] == "max" else low
        for child in tree.children[node]:
            value = (
                search(child, max(low, best), high) if tree.turn[node] == "max" else search(child, low, min(high, best))
            )
            best = max(best, value) if tree.turn[node] == "max" else min(best, value)
            if best >= high if tree.turn[node] == "max" else best <= low:
                return best
            last = child == tree.children[node][-1]
            if not last and abs(bound) != inf and abs(order.index(best) - order.index(bound)) == 1:
                found += 1
        return best

    search(0, -inf, inf)
    return found


def test_near_misses_and_cuts_are_counted_right() -> None:
    numbers = random.Random(5)
    for _ in range(200):
        leaves = iter(numbers.sample(range(60), 24))
        text = json.dumps([[[[next(leaves) for _ in range(2)] for _ in range(2)] for _ in range(2)] for _ in range(3)])
        solution = solve(load_tree(text))
        counted = count(solution)
        record = alpha_beta(nested(solution.tree))
        evaluated = sum(len(path) == 4 for path in record.visited)
        assert counted.pruned == 24 - evaluated
        assert counted.visits == len(record.visited)
        assert counted.tempting_non_cut == brute_near_misses(solution.tree)
        assert counted.alpha_cuts + counted.beta_cuts == len(counted.events)
        assert sum(size for _, _, size in counted.events) == len(solution.pruned)


# Recipes that cannot be.


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(BAD)))
def test_every_problem_is_told(
    case: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    update_goldens: bool,
) -> None:
    monkeypatch.chdir(case.parent)
    assert generate_exercises(case.name, 2, "1", tmp_path / "out", DEFAULT_LIMITS) == 1
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
        most = max(most, count(solve(load_tree(json.dumps(level)))).pruned)
    check_possible(recipe_of(text % most))
    with pytest.raises(DocumentError, match="impossible"):
        check_possible(recipe_of(text % (most + 1)))


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


def test_climbing_finds_what_drawing_blindly_finds() -> None:
    recipe = ready("alpha-beta-medium")
    for seed in range(3):
        for patience in (1, 60):
            found = find(recipe, Draw("both ways", seed), Effort(), patience=patience)
            assert not found.quick.total
            assert not found.thorough.total


# Variants for students.


def test_a_student_always_gets_the_same_variant() -> None:
    assert assign("s1024", "secret", 30) == assign(" S1024 ", b"secret", 30)
    students = [f"s{number}" for number in range(3_000)]
    counts = Counter(assign(student, "secret", 30) for student in students)
    assert set(counts) == set(range(30))
    assert all(60 <= times <= 145 for times in counts.values())
    moved = sum(assign(student, "secret", 30) != assign(student, "other", 30) for student in students)
    assert moved > 2_800
    for count_, secret in ((0, "secret"), (3, "")):
        with pytest.raises(UsageError):
            assign("s1024", secret, count_)


def test_codes_tell_the_number_and_the_seed() -> None:
    recipe = ready(SHOWCASE)
    assert variant_code(recipe, SEED, 6).startswith("07")
    assert len({variant_code(recipe, seed, 0) for seed in range(30)}) > 20


# The command.


def test_the_command_writes_exercises_cards_and_a_look_at_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "exam"
    path = str(ROOT / "recipes" / f"{SHOWCASE}.yaml")
    assert generate_exercises(path, 4, str(SEED), out, DEFAULT_LIMITS) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"4 exercises in {out}, ")
    assert "\nparallel: " in said
    names = [each.id for each in made(SHOWCASE)[:4]]
    assert sorted(file.name for file in out.iterdir()) == sorted(
        [*(f"{name}{ending}" for name in names for ending in (".yaml", ".card.json")), f"{SHOWCASE}.variants.json"]
    )
    for each in made(SHOWCASE)[:4]:
        assert (out / f"{each.id}.yaml").read_bytes() == each.document
        card = json.loads((out / f"{each.id}.card.json").read_bytes())
        assert (card["exercise"], card["recipe"], card["seed"]) == (each.id, SHOWCASE, str(SEED))
    together = json.loads((out / f"{SHOWCASE}.variants.json").read_bytes())
    assert list(together["variants"]) == names
    assert together["different_sequences_of_cuts"] == 1
    with pytest.raises(UsageError, match="is a file"):
        generate_exercises(path, 1, "1", out / f"{names[0]}.yaml", DEFAULT_LIMITS)
    with pytest.raises(UsageError, match="--count"):
        generate_exercises(path, 0, "1", out, DEFAULT_LIMITS)


def test_outliers_are_told() -> None:
    cards = [json.loads(json.dumps(each.card)) for each in made(SHOWCASE)]
    cards[3]["difficulty"]["steps"] += 9
    assert spread(cards)["outliers"] == {cards[3]["exercise"]: ["steps"]}


# The schema and the page.


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


def test_the_showcase_is_what_it_was() -> None:
    """The same bytes on every machine: if a recipe or the generator is changed on purpose, so is this."""
    digest = blake2b(b"".join(each.document for each in made(SHOWCASE)), digest_size=8).hexdigest()
    assert digest == SHOWCASE_DIGEST


SHOWCASE_DIGEST = "4dc807a24a3e3414"
