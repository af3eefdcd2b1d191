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
from grader.generating.draws import Draw
from grader.generating.finding import Effort, find
from grader.generating.generate import Generated, generate, variant_code
from grader.generating.measures import count
from grader.generating.parallel import twin_blocks
from grader.generating.parts import Recipe
from grader.generating.proofs import check_possible
from grader.generating.recipe import load_recipe, load_recipe_bytes
from grader.generating.sketch import Sketch, arranged, carried, draw_fill, draw_sketch
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
        for node in tree.inner:
            window = entry[node]
            if window is not None:
                assert tuple(float(bound) for bound in window) == record.windows[path_of[node]][0]
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
    """Judged by the textbook's search alone."""
    seen = set()
    for each in made(SHOWCASE):
        tree = exercise_of(each).game.tree
        plain = nested(tree)
        record = alpha_beta(plain)
        inner = {path for node, path in paths(tree).items() if tree.children[node]}
        seen.add((tree.parent, tree.turn, *signature(tree)))
        assert max(tree.depth) == 4
        assert any(cut["deep"] for cut in record.cuts)
        assert any(path in inner for cut in record.cuts for path in cut["skipped"])
        assert {cut["kind"] for cut in record.cuts} == {"alpha", "beta"}
        evaluated = sum(path not in inner for path in record.visited)
        assert Fraction(1, 4) <= 1 - Fraction(evaluated, len(tree.leaves)) <= Fraction(11, 20)
        worth = [minimax(child) for child in plain[1]]
        assert worth.count(max(worth)) == 1
        assert worth[0] < max(worth)
    assert len(seen) == 1


def signature(tree: Tree) -> tuple[Any, ...]:
    """Of the textbook's search: its cuts (kind, depth, how many nodes are skipped), visits and moves of the window."""
    record, all_paths = alpha_beta(nested(tree)), list(paths(tree).values())
    size = {path: sum(other[: len(path)] == path for other in all_paths) for path in all_paths}
    cuts = tuple((cut["kind"], len(cut["node"]), sum(size[path] for path in cut["skipped"])) for cut in record.cuts)
    return cuts, len(record.visited), sum(len(windows) - 1 for windows in record.windows.values())


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


def test_the_same_seed_gives_the_same_bytes_in_another_process() -> None:
    """However sets are ordered there, and however many exercises are made."""
    code = (
        "import sys; from grader.generating.generate import generate; from grader.generating.recipe import load_recipe;"
        f"[sys.stdout.buffer.write(each.document + repr(each.card).encode()) for name in {KINDS!r} "
        f"for each in generate(load_recipe(f'recipes/{{name}}.yaml'), 3, {SEED})]"
    )
    here = b"".join(each.document + repr(each.card).encode() for name in KINDS for each in made(name, 4)[:3])
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
    assert recipe.parallel is None or spread([each.card for each in found])["outliers"] == {}


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
    found = generate(replace(ready("minimax-hard"), parallel=None), 6, SEED)
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


# Names and arrangements.


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


def test_an_arrangement_keeps_the_tree() -> None:
    recipe = ready("alpha-beta-hard")
    draw = Draw("arranged", 1)
    sketch = draw_sketch(recipe, draw)
    fill = draw_fill(recipe, sketch, draw)

    def looks(sketch: Sketch, leaf: dict[int, Any], node: int = 0) -> Any:
        """Whatever the order of siblings."""
        if not sketch.children[node]:
            return (str(leaf[node]),)
        return (sketch.turn[node], *sorted(looks(sketch, leaf, child) for child in sketch.children[node]))

    plain = looks(sketch, dict(zip(sketch.leaves, fill.leaf, strict=True)))
    orders = set()
    for _ in range(20):
        now, before = arranged(sketch, draw)
        leaf = carried(sketch, fill, now, before).leaf
        assert looks(now, dict(zip(now.leaves, leaf, strict=True))) == plain
        orders.add((now.parent, leaf))
    assert len(orders) > 10


def test_rearranged_variants_have_the_same_cuts() -> None:
    seen = set()
    for each in made("alpha-beta-medium"):
        tree = exercise_of(each).game.tree
        # Wherever it stands, a node has as many children.
        shape = tuple(sorted((tree.depth[node], len(tree.children[node])) for node in tree.inner))
        seen.add((*signature(tree), shape))
    assert len(seen) == 1


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
    (TWO + MOVE + "require: {plan: any}", "or and and nodes"),
    (THREE + CUTS + "require: {deep_cuts: 1}", "a deep cut needs 4 plies; the tree has 3"),
    (TWO + CUTS + "require: {beta_cuts: 1}", "a beta cut needs a max node"),
    (TWO + CUTS + "require: {inner_cuts: 1}", "one more ply is needed"),
    (FOUR + CUTS + "require: {alpha_cuts: 1, beta_cuts: 0, deep_cuts: 2}", "there are at most 1 cuts"),
    (THREE + CUTS + "require: {pruned: 1, alpha_cuts: 1, beta_cuts: 1}", "2 cuts prune at least 2 leaves"),
    (TWO + "questions: [{id: q, ask: move, algorithm: minimax, marks: 1}]\nrequire: {alpha_cuts: 1}", "that prunes"),
    (TWO + CUTS + "require: {pruned: 2}", "of 4 leaves at least 3 are evaluated"),
    (TWO + CUTS + "require: {pruned_share: 1/2}", "of 4 leaves at least 3 are evaluated"),
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


def test_climbing_finds_what_drawing_blindly_finds() -> None:
    recipe = ready("alpha-beta-medium")
    for seed in range(3):
        for patience in (1, 60):
            found = find(recipe, Draw("both ways", seed), Effort(), patience=patience)
            assert not found.quick.total
            assert not found.thorough.total


# Codes of variants.


def test_codes_tell_the_number_and_the_seed() -> None:
    recipe = ready(SHOWCASE)
    assert variant_code(recipe, SEED, 6).startswith("07")
    assert len({variant_code(recipe, seed, 0) for seed in range(30)}) > 20


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


SHOWCASE_DIGEST = "13a05c06dede8617"
