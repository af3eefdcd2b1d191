"""Star1 and Star2: the worked examples by hand, and laws judged by a plain recursive search."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cache
from math import inf
from random import Random
from typing import Any

import pytest

from solver.game.convention import DEFAULT, Convention, NamedWindow
from solver.game.game_builder import cut_off
from solver.game.game_tree import CHANCE, MAX, NOWHERE, Move, Node, NodeId
from solver.game.game_tree import Tree as SolverTree
from solver.kernel import Refusal
from solver.kernel.exact import simplest
from solver.pipeline import load, load_bytes, solve
from solver.search import Solution
from solver.search.algorithms.star import star_solution
from solver.search.star_trace import star_stages
from solver.search.trace import BACKED_UP, CUT, ENTERED, EVALUATED, MOVED, Rank, Search
from tests.judges.brute_force import Path as Place
from tests.judges.brute_force import Tree, Window, is_leaf, leaves, minimax, mirrored, nodes, replaced
from tests.support.paths import ROOT
from tests.support.strategies import as_json, document

SPECS = ROOT / "specs"
STARS = pytest.mark.parametrize("probe", [False, True], ids=["star1", "star2"])


# A judge: the definitions, recursive and plain, with sums made afresh and floats for the infinities alone.


@dataclass
class Judge:
    bounds: Window
    probe: bool = False
    cut: str = "at-bound"
    update: str = "after-test"
    returns: str = "fail-soft"
    order: str = "left-to-right"
    visited: list[Place] = field(default_factory=list)
    windows: dict[Place, list[Window]] = field(default_factory=dict)
    returned: dict[Place, Any] = field(default_factory=dict)
    cuts: list[Any] = field(default_factory=list)

    def search(self, node: Tree, path: Place, window: Window, by: Any, **probing: Any) -> Any:
        if is_leaf(node):
            self.come(path, window)
            value, done = node, True
        elif node[0] == "chance":
            self.come(path, window)
            value, done = self.chance(node, path, *window, by), True
        else:
            value, window, done = self.player(node, path, *window, by, **probing)
        if self.returns == "fail-hard":
            value = min(max(value, window[0]), window[1])
        self.returned[path] = value
        return value, done

    def come(self, path: Place, window: Window) -> None:
        if path not in self.visited:
            self.visited.append(path)
        seen = self.windows.setdefault(path, [])
        if not seen or seen[-1] != window:
            seen.append(window)

    def places(self, node: Tree) -> list[int]:
        places = list(range(len(node[1])))
        return places[::-1] if self.order == "right-to-left" else places

    def low(self, value: Any, alpha: Any) -> bool:
        return bool(value <= alpha if self.cut == "at-bound" else value < alpha)

    def high(self, value: Any, beta: Any) -> bool:
        return bool(value >= beta if self.cut == "at-bound" else value > beta)

    def player(
        self, node: Tree, path: Place, alpha: Any, beta: Any, by: Any, first_only: bool = False, so_far: Any = None
    ) -> Any:
        maximising, places = node[0] == "max", self.places(node)
        v = (-inf if maximising else inf) if so_far is None else so_far
        if so_far is not None:
            places.pop(0)
            if maximising and v >= alpha and v > self.bounds[0]:
                alpha, by = v, (path, by[1])
            if not maximising and v <= beta and v < self.bounds[1]:
                beta, by = v, (by[0], path)
        entry = (alpha, beta)
        self.come(path, entry)
        while places:
            below = (*path, places.pop(0))
            value, _ = self.search(node[1][below[-1]], below, (alpha, beta), by)
            v = max(v, value) if maximising else min(v, value)
            stop = self.high(v, beta) if maximising else self.low(v, alpha)
            if not stop or self.update == "before-test":
                if maximising and v > alpha:
                    alpha, by = v, (path, by[1])
                if not maximising and v < beta:
                    beta, by = v, (by[0], path)
                self.come(path, (alpha, beta))
            if stop:
                if places:
                    self.note_cut(path, below, "beta" if maximising else "alpha", v, (alpha, beta), by)
                return v, entry, True
            if first_only and places:
                return v, entry, False
        return v, entry, True

    def chance(self, node: Tree, path: Place, alpha: Any, beta: Any, by: Any) -> Any:
        lowest, highest = self.bounds
        worth = [[lowest, highest] for _ in node[1]]
        done: set[int] = set()
        probes = [place for place in self.places(node) if self.probe and not is_leaf(node[1][place])]
        probes = [place for place in probes if node[1][place][0] != "chance"]
        for phase, place in [(1, place) for place in probes] + [(2, place) for place in self.places(node)]:
            if place in done:
                continue
            child, below = node[1][place], (*path, place)
            window = self.handed_down(node, worth, place, alpha, beta)
            options: dict[str, Any] = {}
            if phase == 1:
                options = {"first_only": True}
                window = (lowest, window[1]) if child[0] == "max" else (window[0], highest)
            elif place in probes:
                options = {"so_far": self.returned[below]}
            setters = tuple(by[side] if window[side] == (alpha, beta)[side] else path for side in (0, 1))
            value, finished = self.search(child, below, window, setters, **options)
            if finished:
                done.add(place)
                worth[place] = [value, value]
            else:
                worth[place][0 if child[0] == "max" else 1] = value
            low, high = (sum(p * each[end] for p, each in zip(node[2], worth, strict=True)) for end in (0, 1))
            if self.low(high, alpha) or self.high(low, beta):
                kind, v = ("alpha", high) if self.low(high, alpha) else ("beta", low)
                if len(done) < len(worth):
                    shown = min(max(v, alpha), beta) if self.returns == "fail-hard" else v
                    self.note_cut(path, below, kind, shown, (alpha, beta), by)
                return v
        return low

    def handed_down(self, node: Tree, worth: Any, place: int, alpha: Any, beta: Any) -> Window:
        lowest, highest = self.bounds
        p = node[2][place]
        if p == 0:
            return lowest, highest
        least = sum(p * low for other, (p, (low, _)) in enumerate(zip(node[2], worth, strict=True)) if other != place)
        most = sum(p * high for other, (p, (_, high)) in enumerate(zip(node[2], worth, strict=True)) if other != place)
        a, b = (alpha - most) / p, (beta - least) / p
        return min(max(a, lowest), highest), min(max(b, lowest), highest)

    def note_cut(self, path: Place, after: Place, kind: str, value: Any, window: Window, by: Any) -> None:
        side = 0 if kind == "alpha" else 1
        self.cuts.append((path, after, kind, value, window[side], by[side]))


# Trees, bounds, and what a solution says, by path.


def any_tree(dice: Random) -> Tree:
    """Players and chance mixed: mostly in regular plies, as in games with dice, so that bounds cross chance nodes."""
    plies = dice.choice([2, 3, 3, 4, 4])
    start = dice.randrange(4)
    regular = ["max", "chance", "min", "chance", "max", "chance", "min", "chance"][start : start + plies]
    return subtree(dice, regular if dice.random() < 0.7 else [dice.choice(TURNS) for _ in range(plies)])


def subtree(dice: Random, turns: list[str]) -> Tree:
    if not turns or dice.random() < 0.1:
        return dice.choice(VALUES)
    children = [subtree(dice, turns[1:]) for _ in range(dice.choice([1, 2, 2, 3, 3]))]
    if turns[0] != "chance":
        return turns[0], children
    weights = [dice.choice([1, 1, 2, 3, 0]) for _ in children]
    weights = weights if any(weights) else [1 for _ in children]
    return "chance", children, [Fraction(weight, sum(weights)) for weight in weights]


def bounded(tree: Tree, dice: Random) -> tuple[Tree, Window]:
    """A tree with bounds: those of its own leaves, or wider ones."""
    values = [node for _, node in nodes(tree) if is_leaf(node)]
    return tree, dice.choice([(min(values), max(values)), (Fraction(-5, 2), Fraction(3)), (-4, 6)])


def drawn_game(dice: Random) -> tuple[Tree, Window]:
    return bounded(any_tree(dice), dice)


TURNS = ("max", "min", "chance")
# Few values, so that ties and cuts on equality are common.
VALUES = [Fraction(text) for text in ["-2", "-1", "0", "1", "2", "3", "1/3", "-5/2"]]
ALL = (-inf, inf)


def drawn_keys(dice: Random) -> dict[str, Any]:
    """Every convention that makes sense, each as often."""
    cut, returns = dice.choice([("at-bound", "fail-soft"), ("at-bound", "fail-hard"), ("past-bound", "fail-soft")])
    update = dice.choice(["after-test", "before-test"])
    order = dice.choice(["left-to-right", "right-to-left"])
    return {"cut": cut, "returns": returns, "update": update, "order": order}


def drawn_window(dice: Random) -> Window:
    if dice.random() < 0.6:
        return ALL
    ends: list[Any] = [-inf, *VALUES, inf]
    low, high = sorted(dice.sample(ends, 2))
    return low, high


@dataclass(frozen=True)
class Case:
    tree: Tree
    bounds: Window
    keys: dict[str, Any]
    window: Window
    solution: Solution
    search: Search

    @property
    def paths(self) -> list[Place]:
        return [path for path, _ in nodes(self.tree)]

    @property
    def pruned_leaves(self) -> list[Place]:
        paths = self.paths
        return [paths[node] for node in self.solution.pruned if self.solution.tree.turn[node] is None]


@cache
def cases(probe: bool) -> list[Case]:
    """The same drawn games, conventions and windows for every law, each solved once."""
    found = []
    for number in range(CASES):
        dice = Random(number)
        tree, bounds = drawn_game(dice)
        keys, window = drawn_keys(dice), drawn_window(dice)
        found.append(Case(tree, bounds, keys, window, *solved((tree, bounds), probe, keys, window)))
    return found


CASES = 1_500


def built(tree: Tree, bounds: Window | None) -> SolverTree:
    """As `load` builds it, without the way through a document."""
    found = list(nodes(tree))
    index = {path: Node(node) for node, (path, _) in enumerate(found)}
    probability: list[Any] = [None] * len(found)
    for path, node in found:
        for place, p in enumerate(node[2] if not is_leaf(node) and node[0] == "chance" else []):
            probability[index[*path, place]] = simplest(p)
    return SolverTree(
        ids=tuple(NodeId(f"N{node}") for node in range(len(found))),
        turn=tuple(None if is_leaf(node) else node[0] for _, node in found),
        parent=tuple(index[path[:-1]] if path else NOWHERE for path, _ in found),
        children=tuple(
            () if is_leaf(node) else tuple(index[*path, place] for place in range(len(node[1]))) for path, node in found
        ),
        depth=tuple(len(path) for path, _ in found),
        move=tuple(None if not path else Move(f"m{path[-1]}") for path, _ in found),
        probability=tuple(probability),
        leaf=tuple(simplest(node) if is_leaf(node) else None for _, node in found),
        bounds=bounds,
    )


def convention(keys: dict[str, Any], window: Window = (-inf, inf)) -> Convention:
    bounds: Any = tuple("-inf" if each == -inf else "inf" if each == inf else each for each in window)
    return Convention(**keys, window=bounds)


def solved(game: tuple[Tree, Window], probe: bool, keys: Any, window: Window = (-inf, inf)) -> tuple[Solution, Search]:
    solution = star_solution(built(*game), convention(keys, window), probe)
    assert solution.search is not None
    return solution, solution.search


def bound(search: Search, rank: Rank | None) -> Any:
    assert rank is not None
    shown = search.scale.number(rank)
    return float(shown) if isinstance(shown, str) else shown


def pair(search: Search, ranks: Any) -> Window:
    return bound(search, ranks[0]), bound(search, ranks[1])


# Laws.


@STARS
def test_the_root_hands_up_its_value_if_the_window_contains_it(probe: bool) -> None:
    for case in cases(probe):
        value, (alpha, beta) = minimax(case.tree), case.window
        assert case.solution.value == value == case.search.scale.numbers[case.search.true[0]]
        returned = bound(case.search, case.search.returned[0])
        if alpha <= value <= beta:
            assert returned == value
        elif value < alpha:
            assert value <= returned <= alpha
        else:
            assert value >= returned >= beta


@pytest.mark.slow
@STARS
@pytest.mark.parametrize("window", ["utilities", "bounds"])
def test_the_windows_of_utilities_and_bounds_contain_the_value(probe: bool, window: NamedWindow) -> None:
    for case in cases(probe)[:500]:
        search = star_solution(case.solution.tree, Convention(**case.keys, window=window), probe).search
        assert search is not None
        values = [node for _, node in nodes(case.tree) if is_leaf(node)]
        assert pair(search, search.entry[0]) == (case.bounds if window == "bounds" else (min(values), max(values)))
        assert search.returned[0] == search.true[0]


@STARS
def test_pruned_leaves_can_have_any_value_within_the_bounds(probe: bool) -> None:
    pruning = 0
    for case in cases(probe):
        value = minimax(case.tree)
        if case.window[0] < value < case.window[1]:
            pruning += bool(case.pruned_leaves)
            for anything in case.bounds:
                assert minimax(replaced(case.tree, dict.fromkeys(case.pruned_leaves, anything))) == value
    assert pruning > CASES / 10


@pytest.mark.slow
@STARS
def test_no_leaf_is_evaluated_twice_and_none_unseen_is_read(probe: bool) -> None:
    for case in cases(probe):
        search = case.search
        evaluated = [node for kind, node, _ in search.events if kind == EVALUATED]
        assert len(evaluated) == len(set(evaluated)) <= len(leaves(case.tree))
        assert len(set(search.visited)) == len(search.visited)
        assert sorted([*search.visited, *case.solution.pruned]) == list(range(len(case.solution.tree)))
        if case.pruned_leaves:
            # The same search, event for event, whatever the leaves hold that it did not evaluate.
            other = replaced(case.tree, dict.fromkeys(case.pruned_leaves, case.bounds[1]))
            assert told(solved((other, case.bounds), probe, case.keys, case.window)[1]) == told(search)


def told(search: Search) -> list[Any]:
    """The events, with numbers in place of ranks."""
    shown: dict[int, Callable[[Search, Any], Any]]
    shown = {ENTERED: pair, MOVED: pair, EVALUATED: bound, BACKED_UP: bound}
    return [(kind, node, what if kind == CUT else shown[kind](search, what)) for kind, node, what in search.events]


@STARS
def test_windows_visits_and_cuts_are_the_judges(probe: bool) -> None:
    kinds = set()
    for case in cases(probe):
        judge = Judge(case.bounds, probe, **case.keys)
        judge.search(case.tree, (), case.window, (None, None))
        search, tree, path = case.search, case.solution.tree, case.paths
        assert [path[node] for node in search.visited] == judge.visited
        for node, place in enumerate(path):
            if place not in judge.returned:
                assert (search.returned[node], search.entry[node], search.exit[node]) == (None, None, None)
                continue
            assert bound(search, search.returned[node]) == judge.returned[place]
            assert pair(search, search.entry[node]) == judge.windows[place][0]
            assert pair(search, search.exit[node]) == judge.windows[place][-1]
            if tree.turn[node] is not None:
                assert [pair(search, each) for each in search.windows[node]] == judge.windows[place]
        found = [
            (
                path[cut.node],
                path[cut.after],
                cut.kind,
                bound(search, cut.value),
                bound(search, cut.bound),
                None if cut.set_by is None else path[cut.set_by],
            )
            for cut in search.cuts
        ]
        assert found == judge.cuts
        for cut in search.cuts:
            kinds.add((tree.turn[cut.node], cut.kind, cut.deep))
            below = tree.children[cut.node]
            assert cut.skipped == tuple(child for child in below if search.returned[child] is None)
            assert cut.deep == (cut.set_by is not None and cut.set_by != tree.parent[cut.node])
    assert {(turn, kind) for turn, kind, _ in kinds} == {
        ("max", "beta"),
        ("min", "alpha"),
        ("chance", "alpha"),
        ("chance", "beta"),
    }
    assert {deep for _, _, deep in kinds} == {True, False}


@STARS
def test_every_pruned_node_is_below_a_cut(probe: bool) -> None:
    for case in cases(probe):
        cut = {cut.node for cut in case.search.cuts}
        for node in case.solution.pruned:
            above = node
            while above not in cut:
                above = case.solution.tree.parent[above]
                assert above >= 0, "pruned without a cut"


@STARS
def test_what_is_known_of_a_node_is_true(probe: bool) -> None:
    for case in cases(probe):
        search = case.search
        for node, (_, below) in zip(case.solution.tree.nodes, nodes(case.tree), strict=True):
            value = minimax(below)
            low, high = pair(search, search.interval(node))
            assert low <= value <= high
            if search.returned[node] is not None:
                returned, known = bound(search, search.returned[node]), search.known(node)
                claims = {"exact": value == returned, "at-most": value <= returned, "at-least": value >= returned}
                assert claims[known]


@pytest.mark.parametrize(
    ("levels", "tree", "known"),
    [
        ("[max, chance, max]", "[[10, 10], [[5, 9], -2]]", "at-most"),
        ("[min, chance, min]", "[[-10, -10], [[-5, -9], 2]]", "at-least"),
    ],
)
def test_what_an_empty_window_returns_is_a_bound(levels: str, tree: str, known: str) -> None:
    """C is entered with α at the most that a leaf can be worth, or β at the least: so its outcome D is searched with an
    empty window, and fail-hard returns that bound, whatever D is worth."""
    game = load_bytes(f"plymark: game/1\nbounds: [-10, 10]\nlevels: {levels}\ntree: {tree}\n".encode())
    search = star_solution(game.tree, Convention(returns="fail-hard"), probe=False).search
    assert search is not None
    assert search.known(game.tree.index[NodeId("D")]) == known


@STARS
def test_without_chance_it_is_alpha_beta(probe: bool) -> None:
    for number in range(500):
        dice = Random(number)
        tree = subtree(dice, [dice.choice(["max", "min"]) for _ in range(4)])
        game = load_bytes(as_json(document(tree)))
        its = convention(drawn_keys(dice), drawn_window(dice))
        ours, expected = star_solution(game.tree, its, probe).search, solve(game, "alpha-beta", its).search
        assert ours is not None and expected is not None
        assert (ours, ours.exit, list(ours.events)) == (expected, expected.exit, expected.events)
        assert (ours.true, ours.ends) == (expected.true, expected.ends)


def test_star2_without_players_to_probe_is_star1() -> None:
    for number in range(500):
        dice = Random(number)
        game = bounded(subtree(dice, ["max", "min", "chance", "chance"]), dice)
        keys, window = drawn_keys(dice), drawn_window(dice)
        assert solved(game, True, keys, window)[1] == solved(game, False, keys, window)[1]


@STARS
def test_right_to_left_is_left_to_right_on_the_mirrored_tree(probe: bool) -> None:
    for case in cases(probe)[:500]:
        other = "left-to-right" if case.keys["order"] == "right-to-left" else "right-to-left"
        _, mirror = solved((mirrored(case.tree), case.bounds), probe, {**case.keys, "order": other}, case.window)
        here, there = (
            [bound(search, search.returned[node]) for node in search.visited] for search in (case.search, mirror)
        )
        assert here == there


def interval(tree: Tree, seen: set[Place], bounds: Window, path: Place = ()) -> Window:
    """What the leaves seen imply about a node that may have been visited."""
    if all(leaf[: len(path)] != path for leaf in seen):
        return -inf, inf
    if is_leaf(tree):
        return tree, tree
    below = [interval(child, seen, bounds, (*path, place)) for place, child in enumerate(tree[1])]
    if tree[0] != "chance":
        best = max if tree[0] == "max" else min
        return best(low for low, _ in below), best(high for _, high in below)
    ends = [[min(max(end, bounds[0]), bounds[1]) for end in each] for each in below]
    low, high = (sum(p * each[end] for p, each in zip(tree[2], ends, strict=True)) for end in (0, 1))
    return low, high


@STARS
def test_intervals_and_stages_are_what_the_leaves_imply(probe: bool) -> None:
    for case in cases(probe)[:400]:
        path, subtrees, bounds = case.paths, dict(nodes(case.tree)), case.bounds
        seen: set[Place] = set()
        before = {place: interval(subtrees[place], set(), bounds, place) for place in path}
        for leaf, changed in star_stages(case.solution.tree, case.search):
            seen.add(path[leaf])
            now = {place: interval(subtrees[place], seen, bounds, place) for place in path}
            expected = {place: now[place] for place in path if now[place] != before[place] and place != path[leaf]}
            assert {path[node]: (as_float(low), as_float(high)) for node, low, high in changed} == expected
            # Innermost first: on a path, that is the order of the nodes turned round.
            assert [node for node, _, _ in changed] == sorted([node for node, _, _ in changed], reverse=True)
            before = now
        assert {
            path[node]: pair(case.search, each) for node, each in enumerate(zip(*case.search.ends, strict=True))
        } == before
        assert seen == {path[node] for node in case.search.visited if case.solution.tree.turn[node] is None}


def as_float(end: Any) -> Any:
    return float(end) if isinstance(end, str) else end


# Worked examples.


def example(spec: str, probe: bool, its: Convention = DEFAULT) -> tuple[Solution, Search]:
    solution = star_solution(load(SPECS / f"{spec}.yaml").tree, its, probe)
    assert solution.search is not None
    return solution, solution.search


def named(solution: Solution, found: Any) -> list[str]:
    return [str(solution.tree.ids[node]) for node in found]


def entries(solution: Solution, search: Search) -> dict[str, Any]:
    inner = [node for node in search.visited if solution.tree.turn[node] is not None]
    return {str(solution.tree.ids[node]): pair(search, search.entry[node]) for node in inner}


def cuts(solution: Solution, search: Search) -> list[Any]:
    ids = solution.tree.ids
    return [
        (
            ids[cut.node],
            ids[cut.after],
            cut.kind,
            bound(search, cut.value),
            bound(search, cut.bound),
            None if cut.set_by is None else ids[cut.set_by],
            named(solution, cut.skipped),
        )
        for cut in search.cuts
    ]


def test_star1_by_hand() -> None:
    """A = MAX of three chance nodes over MIN nodes, every leaf in [0, 10].

    B: no α yet, so E and F are searched in (0, 10): 6 and 8, B = 7. Then α = 7.
    C: G in (A, 10) with A = (7 − 1/2·10) / (1/2) = 4: MIN[5, 7] = 5. H in A = (7 − 1/2·5) / (1/2) = 9: its 4 ≤ 9 cuts,
       and C ≤ 1/2·5 + 1/2·4 = 9/2.
    D: I in A = (7 − 1/4·10) / (3/4) = 6: its 2 ≤ 6 cuts, and D ≤ 3/4·2 + 1/4·10 = 4 ≤ 7 cuts J off.
    """
    solution, search = example("star-chance-cut", False)
    assert solution.value == 7 and solution.move == "a1"
    assert entries(solution, search) == {
        "A": (-inf, inf),
        "B": (-inf, inf),
        "E": (0, 10),
        "F": (0, 10),
        "C": (7, inf),
        "G": (4, 10),
        "H": (9, 10),
        "D": (7, inf),
        "I": (6, 10),
    }
    assert cuts(solution, search) == [
        ("H", "L7", "alpha", 4, 9, "C", ["L8"]),
        ("I", "L9", "alpha", 2, 6, "D", ["L10"]),
        ("D", "I", "alpha", 4, 7, "A", ["J"]),
    ]
    assert named(solution, solution.pruned) == ["L8", "L10", "J", "L11", "L12"]
    c, d = solution.tree.index[NodeId("C")], solution.tree.index[NodeId("D")]
    assert [bound(search, search.returned[node]) for node in (c, d)] == [Fraction(9, 2), 4]
    assert [search.known(node) for node in (c, d)] == ["at-most", "at-most"]
    assert [pair(search, search.interval(node)) for node in (c, d)] == [(Fraction(5, 2), Fraction(9, 2)), (0, 4)]


def test_fail_hard_hands_up_alpha() -> None:
    solution, search = example("star-chance-cut", False, Convention(returns="fail-hard"))
    returned = {name: search.returned[solution.tree.index[NodeId(name)]] for name in "ABCDGHI"}
    assert {name: bound(search, rank) for name, rank in returned.items()} == {
        "A": 7,
        "B": 7,
        "C": 7,
        "D": 7,
        "G": 5,
        "H": 9,
        "I": 6,
    }


def test_star2_by_hand() -> None:
    """B = 7, and C's three outcomes are equally likely, every leaf in [0, 10].

    Star1: D in A = 3·7 − 10 − 10 = 1: MIN[2, 5, 6] = 2; E in A = 21 − 2 − 10 = 9: 3 cuts; C ≤ (2 + 3 + 10) / 3 = 5.
    Star2: probing D gives D ≤ 2, C ≤ 22/3; probing E in the same A = 9 gives E ≤ 3, C ≤ 5 ≤ 7. Two leaves, not four.
    """
    solution, search = example("star-probing", False)
    assert named(solution, search.visited) == ["A", "B", "C", "D", "L1", "L2", "L3", "E", "L4"]
    solution, search = example("star-probing", True)
    assert named(solution, search.visited) == ["A", "B", "C", "D", "L1", "E", "L4"]
    assert entries(solution, search) == {"A": (-inf, inf), "C": (7, inf), "D": (1, 10), "E": (9, 10)}
    assert cuts(solution, search) == [
        ("E", "L4", "alpha", 3, 9, "C", ["L5", "L6"]),
        ("C", "E", "alpha", 5, 7, "A", ["F"]),
    ]
    d = solution.tree.index[NodeId("D")]
    assert search.known(d) == "at-most" and bound(search, search.returned[d]) == 2


def test_a_probed_outcome_goes_on_where_it_was_left() -> None:
    """A = MIN[4, C], C = 1/2·D + 1/2·E, every leaf in [0, 10], so C fails high at β = 4.

    Probes: D in (0, min(8, 10)) finds 2, E in (0, 6) finds 1; C ≥ 3/2. D again in B = 8 − 1 = 7: 3, so C ≥ 2; E again
    in B = 8 − 3 = 5: its second child, 6, makes C ≥ 9/2.
    """
    tree = ("min", [4, ("chance", [("max", [2, 3]), ("max", [1, 6, 0])], [Fraction(1, 2), Fraction(1, 2)])])
    solution = star_solution(load_bytes(as_json(document(tree, head={"bounds": [0, 10]}))).tree, DEFAULT, True)
    search = solution.search
    assert search is not None
    assert named(solution, search.visited) == ["A", "L1", "B", "C", "L2", "D", "L4", "L3", "L5"]
    windows = {str(solution.tree.ids[node]): search.windows[node] for node in solution.tree.inner}
    assert {name: [pair(search, each) for each in found] for name, found in windows.items()} == {
        "A": [(-inf, inf), (-inf, 4)],
        "B": [(-inf, 4)],
        "C": [(0, 8), (2, 8), (2, 7), (3, 7)],
        "D": [(0, 6), (1, 6), (1, 5)],
    }
    assert cuts(solution, search) == [("D", "L5", "beta", 6, 5, "B", ["L6"])]
    assert bound(search, search.returned[solution.tree.index[NodeId("B")]]) == Fraction(9, 2)


# Refusals and size.


@STARS
def test_without_bounds_nothing_may_be_pruned(probe: bool) -> None:
    tree = load_bytes(as_json(document(("max", [1, ("chance", [2, 3], [Fraction(1, 2)] * 2)])))).tree
    with pytest.raises(Refusal, match="outweigh") as refusal:
        star_solution(tree, DEFAULT, probe)
    assert (refusal.value.node, refusal.value.code) == ("A", "bounds-needed")
    assert "bounds: [L, U]" in refusal.value.hint


def test_an_estimate_outside_the_bounds_is_refused() -> None:
    raw = {
        "plymark": "game/1",
        "bounds": [0, 1],
        "tree": {"turn": "chance", "children": [1, {"id": "X", "turn": "max", "estimate": 2, "children": [0, 1]}]},
    }
    game = cut_off(load_bytes(as_json(raw)), 1)
    with pytest.raises(Refusal, match="outside the bounds") as refusal:
        star_solution(game.tree, DEFAULT, False)
    assert refusal.value.node == "X"


@pytest.mark.slow
@STARS
def test_a_hundred_thousand_plies(probe: bool) -> None:
    """MAX and chance in alternation; every outcome but one is sure, so that numbers stay small."""
    plies = 100_000
    tree = chain(plies)
    solution = star_solution(tree, DEFAULT, probe)
    assert solution.search is not None
    assert solution.value == 1
    assert solution.search.returned[0] == solution.search.true[0]
    assert sum(len(changed) for _, changed in star_stages(tree, solution.search)) >= plies


def chain(plies: int) -> SolverTree:
    """Each inner node has the next one and, at MAX, a leaf after it."""
    turns: list[str | None] = [MAX if depth % 2 else CHANCE for depth in range(plies)]
    inner = [Node(ply) for ply in range(plies)]
    bottom = plies
    after = {
        node: Node(bottom + 1 + place) for place, node in enumerate(reversed([n for n in inner if turns[n] == MAX]))
    }
    children = [(Node(node + 1), *([after[node]] if node in after else [])) for node in inner]
    size = bottom + 1 + len(after)
    parent = [NOWHERE] * size
    for node, below in zip(inner, children, strict=True):
        for child in below:
            parent[child] = node
    return SolverTree(
        ids=tuple(NodeId(f"N{node}") for node in range(size)),
        turn=(*turns, *[None] * (size - plies)),
        parent=tuple(parent),
        children=(*children, *[()] * (size - plies)),
        depth=(0,) * size,
        move=(None,) * size,
        probability=tuple(1 if up >= 0 and turns[up] == CHANCE else None for up in parent),
        leaf=(*[None] * plies, 1, *[0] * len(after)),
        bounds=(0, 2),
    )


def test_a_number_too_long_to_print_is_refused() -> None:
    """All leaves are 0, so every value is; but the windows on the way down have ever more digits."""
    tall: Tree = Fraction(0)
    for _ in range(150):
        p = Fraction(10**39 + 3, 10**39 + 7)
        tall = ("chance", [Fraction(0), tall], [1 - p, p])
    flat = document(("max", [Fraction(1, 3), tall]), "flat", {"bounds": [0, 1]})
    tree = load_bytes(as_json(flat)).tree
    assert solve(load_bytes(as_json(flat)), "expectiminimax").value == Fraction(1, 3)
    with pytest.raises(Refusal, match="digits") as refusal:
        star_solution(tree, DEFAULT, False)
    assert refusal.value.code == "result-size"
    assert star_solution(replace(tree, bounds=(0, Fraction(1, 3))), DEFAULT, False).value == Fraction(1, 3)
