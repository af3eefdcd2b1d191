"""Several players: max^n against all ways of breaking ties, paranoid search, shallow pruning."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.game import Tree as SolverTree
from solver.kernel import Refusal
from solver.pipeline import load, load_bytes, solve
from solver.search.algorithms.maxn import maxn
from solver.search.algorithms.paranoid import paranoid_tree
from solver.search.algorithms.shallow import Shallow, shallow_pruning
from tests.judges import brute_force
from tests.judges.brute_force import Tree, is_leaf, nodes
from tests.support.paths import ROOT
from tests.support.strategies import PlayersGame, as_json, document, player_games

SPECS = ROOT / "specs"


def tree_of(game: PlayersGame, **claims: Any) -> SolverTree:
    loaded = load_bytes(as_json(document(game.tree, head=game.head))).tree
    return replace(loaded, **claims)


# max^n: every way of breaking ties.


def strategies_of(tree: Tree) -> Iterator[dict[Any, int]]:
    """Every choice of one child at every node of a player: all strategy profiles."""
    movers = [(path, node) for path, node in nodes(tree) if not is_leaf(node) and node[0] != "chance"]
    for choice in product(*(range(len(node[1])) for _, node in movers)):
        yield dict(zip([path for path, _ in movers], choice, strict=True))


def outcome(tree: Tree, profile: dict[Any, int], path: Any = ()) -> tuple[Any, ...]:
    if is_leaf(tree):
        return tuple(tree)
    below = [outcome(child, profile, (*path, place)) for place, child in enumerate(tree[1])]
    return tuple(brute_force.mean(below, tree[2])) if tree[0] == "chance" else below[profile[path]]


def is_equilibrium(tree: Tree, profile: dict[Any, int], side_of: dict[str, int], path: Any = ()) -> bool:
    """Nobody gains anywhere by another choice, given what follows."""
    if is_leaf(tree):
        return True
    below = [outcome(child, profile, (*path, place)) for place, child in enumerate(tree[1])]
    if tree[0] != "chance":
        own = side_of[tree[0]]
        if any(vector[own] > below[profile[path]][own] for vector in below):
            return False
    return all(is_equilibrium(child, profile, side_of, (*path, place)) for place, child in enumerate(tree[1]))


def profiles(tree: Tree) -> int:
    count = 1
    for _, node in nodes(tree):
        count *= 1 if is_leaf(node) or node[0] == "chance" else len(node[1])
    return count


@settings(max_examples=250)
@given(player_games(max_leaves=7).filter(lambda game: profiles(game.tree) <= 150), st.booleans())
def test_every_equilibrium_vector_is_some_way_of_breaking_ties(game: PlayersGame, last: bool) -> None:
    tree, side_of = game.tree, game.side_of
    expected = {outcome(tree, profile) for profile in strategies_of(tree) if is_equilibrium(tree, profile, side_of)}
    loaded = tree_of(game)
    found = maxn(loaded, loaded.leaf, last)  # type: ignore[arg-type]
    assert found.vectors is not None
    assert set(found.vectors) == expected
    assert len(found.vectors) == len(expected)
    assert tuple(found.value[0]) in expected
    assert list(found.value[0]) == brute_force.maxn(tree, side_of, last)


def test_a_single_agent_takes_the_best_leaf() -> None:
    tree = load_bytes(b"plymark: game/1\nplayers: [Ann]\ntree: [[3, 5], [4, 1]]\n")
    solution = solve(tree)
    assert (solution.value, solution.vectors, solution.move) == ((5,), [(5,)], "a1")


def test_a_general_sum_game() -> None:
    """B's tie decides what A gets: both vectors are equilibria, and A's best move depends on it."""
    game = load_bytes(b"plymark: game/1\nplayers: [A, B]\ntree: [[[1, 1], [5, 1]], [[3, 0], [2, 2]]]\n")
    solution = solve(game)
    assert solution.vectors == [(5, 1), (2, 2)]
    assert (solution.value, solution.move) == ((2, 2), "a2")


# Paranoid search.


def paranoid(tree: Tree, own: int, side_of: dict[str, int]) -> Any:
    """The root's side maximises its number, everybody else minimises it."""
    if is_leaf(tree):
        return tree[own]
    below = [paranoid(child, own, side_of) for child in tree[1]]
    if tree[0] == "chance":
        return sum(Fraction(p) * value for p, value in zip(tree[2], below, strict=True))
    return max(below) if side_of[tree[0]] == own else min(below)


def first_movers(tree: Tree) -> set[str]:
    if is_leaf(tree):
        return set()
    return {tree[0]} if tree[0] != "chance" else set().union(*map(first_movers, tree[1]))


@settings(max_examples=250)
@given(player_games(max_leaves=10))
def test_paranoid_search_is_one_side_against_the_rest(game: PlayersGame) -> None:
    tree, side_of = game.tree, game.side_of
    loaded = tree_of(game)
    sides = {side_of[player] for player in first_movers(tree)}
    if len(sides) != 1:
        with pytest.raises(Refusal) as refusal:
            paranoid_tree(loaded)
        assert refusal.value.code == "algorithm" and refusal.value.node in loaded.ids
        return
    [own] = sides
    seen = paranoid_tree(loaded)
    assert seen.turns <= {"max", "min", "chance"} and seen.only_numbers
    assert (seen.ids, seen.move, seen.children) == (loaded.ids, loaded.move, loaded.children)
    value = paranoid(tree, own, side_of)
    found = load_bytes(as_json(document(game.tree, head=game.head)))
    solution = solve(replace(found, tree=seen))
    assert solution.algorithm == ("expectiminimax" if "chance" in seen.turns else "alpha-beta")
    assert solution.value == value
    # It is never more than what the side can be sure of with all others against it, by max^n's own account.
    exact = maxn(loaded, loaded.leaf, False).vectors  # type: ignore[arg-type]
    assert exact is None or all(vector[own] >= value for vector in exact)


def test_paranoid_on_the_textbook_game() -> None:
    """A's numbers 1 4 | 6 7 || 5 1 | 7 5: B and C minimise, so A gets 1 either way."""
    game = load(SPECS / "three-players.yaml")
    solution = solve(replace(game, tree=paranoid_tree(game.tree)))
    assert [solution.values[node] for node in game.tree.inner] == [1, 1, 1, 6, 1, 1, 5]
    assert solution.search is not None
    assert [game.tree.ids[node] for node in solution.pruned if game.tree.turn[node] is None] == ["L7", "L8"]


def test_partners_are_on_the_roots_side() -> None:
    seen = paranoid_tree(load(SPECS / "two-teams.yaml").tree)
    assert [seen.turn[node] for node in seen.inner if seen.depth[node] < 3] == ["max", "min", "max", "min", "max"]
    assert seen.bounds == (-4, 4)


@pytest.mark.parametrize(
    ("text", "node", "words"),
    [
        ("players: [A, B]\ntree: [1, 2]", "L1", "nobody moves"),
        ("players: [A, B]\nlevels: [chance]\ntree: [[1, 2], [2, 1]]", "A", "nobody moves"),
        ("tree: [[1, 2], [3]]", "A", "players and chance"),
        (
            "players: [A, B]\nlevels: [chance]\ntree: [{turn: A, children: [[1, 2]]}, {turn: B, children: [[1, 2]]}]",
            "C",
            "after the chance root",
        ),
    ],
)
def test_paranoid_refusals_name_the_node(text: str, node: str, words: str) -> None:
    with pytest.raises(Refusal, match=words) as refusal:
        paranoid_tree(load_bytes(f"plymark: game/1\n{text}\n".encode()).tree)
    assert (refusal.value.node, refusal.value.code) == (node, "algorithm")


# Shallow pruning.


@st.composite
def sum_games(draw: Any) -> tuple[PlayersGame, Any, Any]:
    """Games of a constant sum: vectors from 0 up that add up to 6, all moved by a number; the bounds may be loose."""
    players = ["Ann", "Bob", "Cem", "Dé"][: draw(st.sampled_from([1, 2, 3, 3, 3, 4]))]
    teams = draw(st.sampled_from([{}, {}, {"North": players[::2], "East": players[1::2]}])) if len(players) > 2 else {}
    sides = len(teams or players)
    moved = draw(st.sampled_from([0, -2, Fraction(1, 2)]))
    random, plies = draw(st.randoms(use_true_random=True)), draw(st.integers(1, 4))

    def grown(ply: int) -> Tree:
        if ply == plies or (ply and random.random() < 0.1):
            ends = [0, *sorted(random.randint(0, 6) for _ in range(sides - 1)), 6]
            return [high - low + moved for low, high in pairwise(ends)]
        below = [grown(ply + 1) for _ in range(random.choice([1, 2, 2, 3]))]
        if random.random() < 0.1:
            return "chance", below, [Fraction(1, len(below))] * len(below)
        # Mostly in turn, now and then out of it.
        return random.choice([players[ply % len(players)]] * 4 + players), below

    low = moved - draw(st.sampled_from([0, 0, 1]))
    high = draw(st.sampled_from([6 + moved, 100]))
    return PlayersGame(grown(0), players, teams), 6 + sides * moved, (low, high)


def searched(game: PlayersGame, total: Any, bounds: Any, **rules: Any) -> tuple[SolverTree, Shallow]:
    tree = tree_of(game, sum=total, bounds=bounds)
    return tree, shallow_pruning(tree, tree.leaf, **rules)  # type: ignore[arg-type]


@settings(max_examples=400)
@given(sum_games(), st.booleans(), st.booleans())
def test_shallow_pruning_keeps_the_vector_of_the_first_best(drawn: Any, past_bound: bool, from_right: bool) -> None:
    game, total, bounds = drawn
    tree, found = searched(game, total, bounds, past_bound=past_bound, right_to_left=from_right)
    cut = {each.node for each in found.cuts if each.kind == "shallow"}
    exact = maxn(tree, tree.leaf, take_last=from_right)  # type: ignore[arg-type]
    root = found.returned[0]
    assert root == exact.value[0]
    mover = tree.turn[0]
    if mover not in (None, "chance"):
        own = game.side_of[str(mover)]
        assert root is not None and exact.vectors is not None
        assert root[own] == brute_force.maxn(game.tree, game.side_of, last=from_right)[own]
    for node, vector in enumerate(found.returned):
        if vector is not None and not any(above in cut for above in path_to(tree, node)):
            assert vector == exact.value[node]
    assert sorted({*found.visited, *found.pruned}) == list(range(len(tree)))
    assert not set(found.visited) & set(found.pruned)


def path_to(tree: SolverTree, node: int) -> list[int]:
    path = [node]
    while path[-1]:
        path.append(tree.parent[path[-1]])
    return path


@settings(max_examples=400)
@given(sum_games())
def test_pruned_leaves_may_be_any_vector_of_the_sum(drawn: Any) -> None:
    """What is not seen cannot affect the result: put each extreme vector of the sum and bounds there."""
    game, total, bounds = drawn
    tree, found = searched(game, total, bounds)
    pruned = [leaf for leaf in tree.leaves if found.returned[leaf] is None]
    sides = len(game.sides)
    low = bounds[0]
    richest = total - (sides - 1) * low
    if richest > bounds[1]:
        return
    for side in range(sides):
        vector = tuple(richest if each == side else low for each in range(sides))
        leaf: Any = list(tree.leaf)
        for node in pruned:
            leaf[node] = vector
        assert maxn(tree, leaf, take_last=False).value[0] == found.returned[0]
        assert shallow_pruning(tree, leaf).visited == found.visited


@settings(max_examples=250)
@given(sum_games())
def test_each_cut_says_why(drawn: Any) -> None:
    game, total, bounds = drawn
    tree, found = searched(game, total, bounds)
    sides = len(game.sides)
    for cut in found.cuts:
        assert cut.skipped == tuple(child for child in tree.children[cut.node] if found.returned[child] is None)
        assert cut.skipped
        own = game.side_of[str(tree.turn[cut.node])]
        vector = found.returned[cut.node]
        assert vector is not None and vector[own] == cut.value
        if cut.kind == "immediate":
            assert cut.value == cut.limit == cut.bound == min(bounds[1], total - (sides - 1) * bounds[0])
        else:
            above = tree.turn[tree.parent[cut.node]]
            assert above != "chance" and game.side_of[str(above)] != own
            assert cut.limit <= cut.bound
            assert cut.limit == min(bounds[1], total - cut.value - (sides - 2) * bounds[0])
    skipped = {node for cut in found.cuts for child in cut.skipped for node in range(child, tree.last[child] + 1)}
    assert skipped == set(found.pruned)


def three(tree: str, claims: str = "sum: 9\nbounds: [0, 9]\n") -> SolverTree:
    return load_bytes(f"plymark: game/1\nplayers: [A, B, C]\n{claims}tree: {tree}\n".encode()).tree


def ids(tree: SolverTree, places: Any) -> list[str]:
    return [tree.ids[place] for place in places]


def test_a_shallow_cut_by_hand() -> None:
    """A has 3 already. At C, B has 7 of 9 after its first child, so A can have 2 at most: the rest is not looked at."""
    tree = three("[[[3, 3, 3], [6, 1, 2]], [[1, 7, 1], [9, 0, 0]]]")
    found = shallow_pruning(tree, tree.leaf)  # type: ignore[arg-type]
    assert ids(tree, found.pruned) == ["L4"]
    [cut] = found.cuts
    assert (tree.ids[cut.node], tree.ids[cut.after], cut.kind) == ("C", "L3", "shallow")
    assert (cut.value, cut.limit, cut.bound) == (7, 2, 3)
    assert found.returned[0] == (3, 3, 3)


def test_an_immediate_cut_by_hand() -> None:
    tree = three("[[[0, 9, 0], [2, 5, 2]], [[1, 7, 1], [9, 0, 0]]]")
    found = shallow_pruning(tree, tree.leaf)  # type: ignore[arg-type]
    assert [(tree.ids[cut.node], cut.kind, cut.value) for cut in found.cuts] == [("B", "immediate", 9)]
    assert ids(tree, found.pruned) == ["L2"]


def test_equality_cuts_only_at_the_bound() -> None:
    tree = three("[[[3, 3, 3], [6, 1, 2]], [[1, 6, 2], [9, 0, 0]]]")
    assert ids(tree, shallow_pruning(tree, tree.leaf).pruned) == ["L4"]  # type: ignore[arg-type]
    assert shallow_pruning(tree, tree.leaf, past_bound=True).pruned == []  # type: ignore[arg-type]


def test_deep_cuts_are_not_made() -> None:
    """A has 3; C has 6 after L2, so A can have 3 at most there. But C goes on to L3, leaving B with 0: so B takes
    L4, where A has 7. A cut after L2 would have kept B, and A, from it."""
    tree = three("[[3, 2, 4], [[[2, 1, 6], [2, 0, 7]], [7, 1, 1]]]")
    found = shallow_pruning(tree, tree.leaf)  # type: ignore[arg-type]
    assert found.pruned == []
    assert found.returned[0] == maxn(tree, tree.leaf, False).value[0] == (7, 1, 1)  # type: ignore[arg-type]


@pytest.mark.parametrize("claims", ["", "sum: 9\n", "bounds: [0, 9]\n"])
def test_a_general_sum_may_not_be_pruned(claims: str) -> None:
    tree = three("[[[3, 3, 3], [6, 1, 2]], [[1, 6, 2], [9, 0, 0]]]", claims)
    with pytest.raises(Refusal, match="good for one side need not be bad for another") as refusal:
        shallow_pruning(tree, tree.leaf)  # type: ignore[arg-type]
    assert (refusal.value.code, refusal.value.node) == ("bounds-needed", "A")


@pytest.mark.slow
def test_depth_is_no_limit() -> None:
    plies = 20_000
    nodes = [f"N{ply}: {{turn: {'AB'[ply % 2]}, children: [N{ply + 1}, {{to: [1, 1]}}]}}" for ply in range(plies)]
    text = ", ".join([*nodes, f"N{plies}: {{value: [1, 1]}}"])
    head = "plymark: game/1\nplayers: [A, B]\nsum: 2\nbounds: [0, 2]\n"
    tree = load_bytes(f"{head}root: N0\nnodes: {{{text}}}\n".encode()).tree
    assert shallow_pruning(tree, tree.leaf).returned[0] == (1, 1)  # type: ignore[arg-type]
    assert len(paranoid_tree(tree)) == len(tree)
