"""What the ready recipes make, judged by plain recursion over the written exercises: nothing of the generator's own
measures is used, and keys are read as they are printed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from math import log, sqrt
from typing import Any

import pytest
import yaml

from grader.documents.exercise_file import load_exercise_bytes
from grader.generating.quality_card import Generated
from grader.generating.recipe_file import load_recipe
from grader.questions.registry import ASKS
from solver.pipeline import solve
from solver.search import ALGORITHMS
from tests.judges.brute_force import alpha_beta, fewest_and_most, leaves, maxn, minimax, nodes, replaced
from tests.support.paths import ROOT
from tests.support.ready import made as made_ready

pytestmark = pytest.mark.slow

RECIPES = sorted(path.stem for path in (ROOT / "recipes").glob("*.yaml"))
LEVELS = ("easy", "medium", "hard")
COUNT = 4
CHANGES: dict[str, Callable[[Fraction], Fraction]] = {
    "-v": lambda v: -v,
    "v*v": lambda v: v * v,
    "v*v - 20*v": lambda v: v * v - 20 * v,
}


def made(name: str) -> list[Generated]:
    return made_ready(name, COUNT)


def of(*families: str) -> list[Any]:
    """A test's parameters: every exercise of these families."""
    names = [name for name in RECIPES if name.rpartition("-")[0] in families or name in families]
    return [pytest.param(name, number, id=f"{name}-{number}") for name in names for number in range(COUNT)]


class Written:
    """An exercise as the file says it."""

    def __init__(self, name: str, number: int) -> None:
        self.made = made(name)[number]
        self.game: dict[str, Any] = yaml.load(self.made.document, yaml.BaseLoader)["game"]
        self.questions = {each["id"]: each for each in yaml.load(self.made.document, yaml.BaseLoader)["questions"]}
        self.key: dict[str, dict[str, str]] = self.made.card["key"]["answers"]
        self.ids: dict[tuple[int, ...], str] = {}
        self.moves: dict[str, int] = {}
        self.estimates: dict[tuple[int, ...], Any] = {}
        self.tree = self._nested(self.game["tree"], ())

    def _nested(self, node: dict[str, Any], path: tuple[int, ...]) -> Any:
        self.ids[path] = node["id"]
        if len(path) == 1:
            self.moves[node["move"]] = path[0]
        if "estimate" in node:
            self.estimates[path] = Fraction(node["estimate"])
        if "turn" not in node:
            return self._leaf(node)
        children = [self._nested(child, (*path, place)) for place, child in enumerate(node["children"])]
        chances = [[Fraction(child["p"]) for child in node["children"]]] if node["turn"] == "chance" else []
        return (node["turn"], children, *chances)

    def _leaf(self, node: dict[str, Any]) -> Any:
        value = node.get("value", "false")
        if isinstance(value, list):
            return [Fraction(each) for each in value]
        if value in ("true", "false"):
            return value == "true"
        return value if value in self.game.get("unknowns", ()) else Fraction(value)

    def pruned(self, tree: Any) -> set[str]:
        """The leaves that textbook alpha-beta does not come to."""
        visited = set(alpha_beta(tree).visited)
        return {self.ids[path] for path in leaves(tree) if path not in visited}


def number(text: str) -> Fraction:
    return Fraction(text.replace("−", "-"))


def of_first(tree: Any, mover: str) -> Any:
    """A game of several players as its first player fears it."""
    if isinstance(tree, list):
        return tree[0]
    return ("max" if tree[0] == mover else "min", [of_first(child, mover) for child in tree[1]])


def crossed_out(written: Written, question: str) -> set[str]:
    """The leaves that a printed key means: it names a skipped subtree by its root."""
    names = {name for each in written.key[question].values() for name in each.split(", ")}
    tops = [path for path, name in written.ids.items() if name in names]
    return {written.ids[path] for path in leaves(written.tree) if any(path[: len(top)] == top for top in tops)}


# Every algorithm, every question.


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_has_recipes_of_three_levels(algorithm: str) -> None:
    assert {f"{algorithm}-{level}" for level in LEVELS} <= set(RECIPES)


def test_levels_become_harder() -> None:
    """Trees become deeper or, where they are as deep, larger."""
    for family in {name.rpartition("-")[0] for name in RECIPES if name.endswith("-medium")}:
        cards = [[each.card["difficulty"] for each in made(f"{family}-{level}")] for level in LEVELS]
        sizes = [min((card["depth"], card["nodes"]) for card in level) for level in cards]
        assert sizes[0] < sizes[1] < sizes[2], family


def test_every_question_type_is_asked() -> None:
    asked = {question["ask"] for name in RECIPES for question in made(name)[0].data["questions"]}
    assert asked == set(ASKS)


@pytest.mark.parametrize("name", RECIPES)
def test_variants_do_not_share_names_with_players_or_unknowns(name: str) -> None:
    recipe = load_recipe(ROOT / "recipes" / f"{name}.yaml")
    if recipe.parallel:
        for number_ in range(COUNT):
            written = Written(name, number_)
            taken = {each.upper() for each in (*recipe.players, *recipe.unknowns)}
            assert not {each.rstrip("0123456789") for each in written.ids.values()} & taken


# Values, moves and pruned leaves.


@pytest.mark.parametrize(
    ("name", "number_"), of("minimax", "alpha-beta", "expectiminimax", "star1", "star2", "ordering")
)
def test_values_and_moves(name: str, number_: int) -> None:
    written = Written(name, number_)
    worth = {written.ids[path]: minimax(node) for path, node in nodes(written.tree)}
    for question, key in written.key.items():
        if written.questions[question]["ask"] == "values":
            assert {node: number(text) for node, text in key.items()} == {node: worth[node] for node in key}
        if written.questions[question]["ask"] == "move":
            best = written.tree[1][written.moves[key["move"]]]
            assert minimax(best) == minimax(written.tree)


@pytest.mark.parametrize(("name", "number_"), of("alpha-beta"))
def test_pruned_leaves(name: str, number_: int) -> None:
    written = Written(name, number_)
    right = written.pruned(written.tree)
    places = {place for place, path in enumerate(leaves(written.tree), 1) if written.ids[path] in right}
    assert set(written.made.card["difficulty"]["pruned_at"]) == places
    if "pruned" in written.key:
        assert crossed_out(written, "pruned") == right
    if "visited" in written.key and written.questions["visited"].get("what") != "nodes":
        order = [written.ids[path] for path in alpha_beta(written.tree).visited if path in set(leaves(written.tree))]
        assert list(written.key["visited"].values()) == order


@pytest.mark.parametrize(("name", "number_"), of("star1", "star2"))
def test_what_star_prunes_cannot_matter(name: str, number_: int) -> None:
    written = Written(name, number_)
    low, high = map(Fraction, written.game["bounds"])
    algorithm = written.questions["pruned"]["algorithm"]
    solution = solve(load_exercise_bytes(written.made.document, "e.yaml").game, algorithm)
    gone = {solution.tree.ids[node] for node in solution.pruned}
    places = [path for path in leaves(written.tree) if written.ids[path] in gone]
    assert places
    for extreme in (low, high):
        changed = replaced(written.tree, dict.fromkeys(places, extreme))
        assert minimax(changed) == minimax(written.tree)
        assert minimax(changed[1][written.moves[written.key["move"]["move"]]]) == minimax(written.tree)


@pytest.mark.parametrize(("name", "number_"), of("paranoid"))
def test_one_against_all(name: str, number_: int) -> None:
    written = Written(name, number_)
    feared = of_first(written.tree, "A")
    worth = {written.ids[path]: minimax(node) for path, node in nodes(feared)}
    assert {node: number(text) for node, text in written.key["values"].items()} == {
        node: worth[node] for node in written.key["values"]
    }
    assert crossed_out(written, "pruned") == written.pruned(feared)


@pytest.mark.parametrize(("name", "number_"), of("maxn", "teams"))
def test_vectors(name: str, number_: int) -> None:
    written = Written(name, number_)
    teams = written.game.get("teams") or {player: [player] for player in written.game["players"]}
    side_of = {player: side for side, members in enumerate(teams.values()) for player in members}
    for path, node in nodes(written.tree):
        if isinstance(node, tuple):
            printed = written.key["vectors"][written.ids[path]].strip("()").split(", ")
            assert [number(each) for each in printed] == maxn(node, side_of) == maxn(node, side_of, last=True)
        elif "sum" in written.game:
            assert sum(node) == Fraction(written.game["sum"])


# Unknown leaves, depth limits, opponents, orders, changes of all leaves.


@pytest.mark.parametrize(("name", "number_"), of("unknown-leaf"))
def test_ranges_of_an_unknown_leaf(name: str, number_: int) -> None:
    """At every value where something can change, and between each two of them."""
    written = Written(name, number_)
    place = next(path for path, node in nodes(written.tree) if node == "x")
    low, high = map(int, written.game["bounds"])
    width = {"unknown-leaf-easy": (2, 18), "unknown-leaf-medium": (1, 19), "unknown-leaf-hard": (2, 28)}[name]
    for question, key in written.key.items():
        when = written.questions[question].get("when")
        if when is None:
            continue
        right = []
        for twice in range(2 * low, 2 * high + 1):
            x = Fraction(twice, 2)
            tree = replaced(written.tree, {place: x})
            if "pruned" in when:
                wanted = when["pruned"] if isinstance(when["pruned"], list) else [when["pruned"]]
                holds = set(wanted) <= written.pruned(tree)
            else:
                holds = minimax(tree[1][written.moves[when["move"]]]) == minimax(tree)
            right += [x] if holds else []
        sign, end = key["range"].split(" ")[1:]
        inside = [Fraction(each, 2) for each in range(2 * low, 2 * high + 1)]
        assert right == [x for x in inside if (x <= number(end) if sign == "≤" else x >= number(end))]
        assert width[0] <= right[-1] - right[0] <= width[1]


@pytest.mark.parametrize(("name", "number_"), of("unknown-leaf"))
def test_values_for_an_unknown_leaf(name: str, number_: int) -> None:
    written = Written(name, number_)
    place = next(path for path, node in nodes(written.tree) if node == "x")
    low, high = map(int, written.game["bounds"])
    for question, key in written.key.items():
        goal = written.questions[question].get("goal")
        if goal is None:
            continue
        pruned = written.pruned(replaced(written.tree, {place: number(key["values"].removeprefix("x = "))}))
        if goal == "most":
            others = (written.pruned(replaced(written.tree, {place: Fraction(x, 2)})) for x in range(2 * low, 2 * high))
            assert len(pruned) == max(map(len, others))
        else:
            assert goal["pruned"] in pruned


@pytest.mark.parametrize(("name", "number_"), of("depth-limit"))
def test_depth_limits(name: str, number_: int) -> None:
    written = Written(name, number_)

    def stopped(tree: Any, depth: int, path: tuple[int, ...] = ()) -> Any:
        if not isinstance(tree, tuple):
            return tree
        if len(path) == depth:
            return written.estimates[path]
        return (tree[0], [stopped(child, depth, (*path, place)) for place, child in enumerate(tree[1])])

    moves = set()
    for item, text in written.key["depths"].items():
        depth, what = item.split(" ")
        tree = stopped(written.tree, int(depth))
        if what == "value":
            assert number(text) == minimax(tree)
        else:
            assert minimax(tree[1][written.moves[text]]) == minimax(tree)
            moves.add(text)
    assert len(moves) >= 2
    shorter = stopped(written.tree, int(written.questions["values"]["depth"]))
    worth = {written.ids[path]: minimax(node) for path, node in nodes(shorter)}
    assert {node: number(text) for node, text in written.key["values"].items()} == {
        node: worth[node] for node in written.key["values"]
    }


@pytest.mark.parametrize(("name", "number_"), of("opponent"))
def test_opponents_who_err(name: str, number_: int) -> None:
    written = Written(name, number_)

    def against(tree: Any, p: Fraction) -> Fraction:
        if not isinstance(tree, tuple):
            return Fraction(tree)
        values = [against(child, p) for child in tree[1]]
        return max(values) if tree[0] == "max" else (1 - p) * min(values) + p * max(values)

    assert number(written.key["value"]["value"]) == against(written.tree, Fraction(written.questions["value"]["errs"]))
    threshold = number(written.key["threshold"]["range"].split(" ")[2])
    assert Fraction(1, 6) <= threshold <= Fraction(5, 6)
    safe = written.tree[1][written.moves[written.key["safe"]["move"]]]
    step = Fraction(1, 10**6)
    assert against(safe, threshold - step) == against(written.tree, threshold - step)
    assert against(safe, threshold + step) < against(written.tree, threshold + step)


@pytest.mark.parametrize("name", ["ordering-easy", "ordering-medium"])
def test_fewest_and_most_leaves(name: str) -> None:
    written = Written(name, 0)
    fewest, most = fewest_and_most(written.tree)
    assert int(written.key["fewest"]["fewest"]) == fewest
    assert "most" not in written.key or int(written.key["most"]["fewest"]) == most
    assert int(written.key["count"]["count"]) == len(leaves(written.tree)) - len(written.pruned(written.tree))


@pytest.mark.parametrize(("name", "number_"), of("concepts"))
def test_changes_of_all_leaves(name: str, number_: int) -> None:
    written = Written(name, number_)
    for question, key in written.key.items():
        if written.questions[question]["ask"] != "transform":
            continue
        change = CHANGES[written.questions[question]["by"]]
        values = {path: change(node) for path, node in nodes(written.tree) if not isinstance(node, tuple)}
        after = replaced(written.tree, values)
        same = written.pruned(written.tree) == written.pruned(after)
        assert (key["pruned"] == "same") == same
        best = [
            {place for place, child in enumerate(tree[1]) if minimax(child) == minimax(tree)}
            for tree in (written.tree, after)
        ]
        assert {"same": best[0] & best[1], "different": best[0] != best[1]}[key["move"].split(" / ")[0]]


@pytest.mark.parametrize(("name", "number_"), of("mcts"))
def test_ucb1(name: str, number_: int) -> None:
    written = Written(name, number_)
    root = written.game["tree"]
    visits, constant = int(root["visits"]), float(written.game["mcts"]["exploration"])
    values = {
        child["id"]: int(child["total"]) / int(child["visits"]) + constant * sqrt(log(visits) / int(child["visits"]))
        for child in root["children"]
    }
    assert {child: float(written.key["ucb"][child]) for child in values} == pytest.approx(values, abs=0.005001)
    assert written.key["ucb"]["select"].split(", ")[0] == max(values, key=lambda child: values[child])
    ordered = sorted(values.values())
    assert all(high - low >= 0.05 - 1e-9 for low, high in pairwise(ordered))


@pytest.mark.parametrize(("name", "number_"), of("and-or"))
def test_plans(name: str, number_: int) -> None:
    written = Written(name, number_)

    def succeeds(tree: Any) -> bool:
        if not isinstance(tree, tuple):
            return bool(tree)
        return (any if tree[0] == "or" else all)(map(succeeds, tree[1]))

    assert succeeds(written.tree)
    first = written.key["plan"]["plan"].strip("[]").split(",")[0]
    place = written.moves[first]
    assert succeeds(written.tree[1][place])
    assert not any(succeeds(child) for child in written.tree[1][:place])
