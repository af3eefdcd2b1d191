"""MCTS against a plain one of the test's own, the textbook's figure by hand, and exact comparisons against decimals."""

from dataclasses import replace
from decimal import Decimal, localcontext
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from solver.game import Node, Tree
from solver.game.game_tree import NOWHERE, Move, NodeId
from solver.kernel import Refusal
from solver.kernel.irrational import SquareRoot, decimal_text, root_of_log
from solver.pipeline import load, load_bytes, load_tree
from solver.search.algorithms.mcts import Count, Mcts, choice_at, mcts, switch_point, ucb1
from tests.judges import brute_force
from tests.support.paths import ROOT
from tests.support.strategies import as_json, bushy_trees, chance_trees, document, minimax_trees

SPECS = ROOT / "specs"
PRECISION = 150

WINS = st.sampled_from([0, 1, Fraction(1, 2)])
ANY = st.sampled_from([-1, 0, 1, Fraction(1, 2), 3])
CONSTANTS = st.sampled_from([None, 0, 1, Fraction(7, 5), Fraction(3, 2), 5])


def textbook() -> Tree:
    return load(SPECS / "mcts-textbook.yaml").tree


def tree_of(drawn: Any, **changes: Any) -> Tree:
    return replace(load_bytes(as_json(document(drawn))).tree, **changes)


def statistics(tree: Tree, found: Mcts) -> dict[str, tuple[Any, int]]:
    return {name: (found.totals[node], found.visits[node]) for node, name in enumerate(tree.ids) if found.visits[node]}


# The textbook.


@pytest.mark.parametrize(("exploration", "chosen"), [("7/5", "B"), ("3/2", "D"), ("0", "B"), ("3", "C")])
def test_choice_at_the_root(exploration: str, chosen: str) -> None:
    tree = replace(textbook(), exploration=Fraction(exploration))
    choice = choice_at(tree, Node(0))
    assert tree.ids[choice.chosen] == chosen
    if exploration == "7/5":
        assert choice.ucb1 is not None
        assert [decimal_text(value, 4) for value in choice.ucb1 if value != "inf"] == ["1.0975", "1.0501", "1.0877"]


def test_switch_point() -> None:
    best, second, last = Count(Node(1), 60, 79), Count(Node(3), 2, 11), Count(Node(2), 1, 10)
    switch = switch_point(best, second, 100)
    assert switch is not None
    assert switch == switch_point(second, best, 100)
    assert decimal_text(switch, 4) == "1.4243"
    assert switch_point(second, Count(Node(4), 2, 11), 100) is None
    assert switch_point(Count(Node(4), 5, 10), best, 100) is not None
    assert switch_point(Count(Node(4), 9, 10), best, 100) is None
    assert switch_point(best, last, 1) is None
    # The choice changes exactly there: at 80 digits, with the rest cut off or one unit more.
    digits = Fraction(decimal_text(switch, 80))
    unit = Fraction(1, 10**80)
    for exploration, chosen in [(digits - unit, "B"), (digits + unit, "D")]:
        tree = replace(textbook(), exploration=exploration)
        assert tree.ids[choice_at(tree, Node(0)).chosen] == chosen
        one_more = mcts(replace(tree, playouts=(1,)), 1, traced=0)
        assert one_more.visits[tree.index[chosen]] == tree.visits[tree.index[chosen]] + 1  # type: ignore[index]


def test_one_iteration_of_the_figure() -> None:
    """AIMA 4e, Figure 5.10: down to 27/35, a new node, Black wins; only Black's nodes gain a win."""
    tree = textbook()
    found = mcts(tree, 1)
    (step,) = found.trace
    assert [tree.ids[node] for node in step.path] == ["A", "B", "E", "G", "I"]
    assert [tree.ids[choice.node] for choice in step.choices] == ["A", "B", "E", "G"]
    values = [
        [value if value == "inf" else decimal_text(value, 4) for value in choice.ucb1 or ()] for choice in step.choices
    ]
    assert values == [["1.0975", "1.0501", "1.0877"], ["0.7039", "0.6893"], ["1.2430", "1.2131"], ["inf", "inf"]]
    assert (tree.ids[step.expanded or 0], step.listed, step.playout, step.result) == ("I", True, (), 1)
    after: dict[str, Any] = {tree.ids[count.node]: (count.total, count.visits) for count in step.after}
    assert after == {"A": (37, 101), "B": (61, 80), "E": (16, 54), "G": (28, 36), "I": (0, 1)}
    unchanged = {"C": (1, 10), "D": (2, 11), "F": (3, 26), "H": (10, 18)}
    assert statistics(tree, found) == {**after, **unchanged}
    assert [found.credited[node] for node in step.path] == ["min", "max", "min", "max", "min"]


def test_one_iteration_that_white_wins() -> None:
    tree = replace(textbook(), playouts=(0,))
    after: dict[str, Any] = {
        tree.ids[count.node]: (count.total, count.visits) for count in mcts(tree, 1).trace[0].after
    }
    assert after == {"A": (38, 101), "B": (60, 80), "E": (17, 54), "G": (27, 36), "I": (1, 1)}


def test_final_move_by_visits_or_by_value() -> None:
    tree = load_tree(
        "{turn: max, visits: 12, total: 4, children: ["
        "{move: often, visits: 10, total: 6, value: 0}, {move: rarely, visits: 2, total: 2, value: 0}]}"
    ).tree
    found = mcts(tree, 0)
    assert (tree.move[found.by_visits or 0], tree.move[found.by_value or 0]) == ("often", "rarely")
    assert found.trace == () and found.checkpoints == ()
    # The root's total is MIN's: 4 of 12, so MAX has 8 of 12.
    assert found.estimate(Node(0)) == Fraction(2, 3)
    assert found.estimate(Node(1)) == Fraction(3, 5)


def test_ties_go_to_the_first_in_search_order() -> None:
    tree = load_tree("[[1, 1], [1, 1]]").tree
    assert mcts(tree, 1).trace[0].path == (0, 1)
    assert mcts(tree, 1, right_to_left=True).trace[0].path == (0, 4)
    assert mcts(tree, 2).by_visits == 1
    assert mcts(tree, 2, right_to_left=True).by_visits == 4
    equal = replace(tree, visits={Node(0): 4, Node(1): 2, Node(4): 2}, totals={Node(1): 1, Node(4): 1})
    assert choice_at(equal, Node(0)).chosen == 1
    assert choice_at(equal, Node(0), right_to_left=True).chosen == 4


# Laws.


class Plain:
    """The four stages with listed results, recursive, on a drawn MAX/MIN tree; nodes are paths, logarithms decimals."""

    def __init__(self, drawn: Any, exploration: Any, wins: bool) -> None:
        self.drawn, self.wins = drawn, wins
        self.square = Decimal(2)
        if exploration is not None:
            self.square = (Decimal(exploration.numerator) / exploration.denominator) ** 2
        self.counts: dict[tuple[int, ...], list[Any]] = {}

    def play(self, result: Any) -> None:
        self.visit(self.drawn, (), "min" if self.drawn[0] == "max" else "max", result)

    def visit(self, part: Any, path: tuple[int, ...], came: str, result: Any) -> None:
        if not brute_force.is_leaf(part) and (path in self.counts or path == ()):
            place = self.pick(path, len(part[1]))
            self.visit(part[1][place], (*path, place), part[0], result)
        count = self.counts.setdefault(path, [0, 0])
        count[0] += result if came == "max" else 1 - result if self.wins else -result
        count[1] += 1

    def pick(self, path: tuple[int, ...], children: int) -> int:
        best, most = 0, None
        for place in range(children):
            if (*path, place) not in self.counts:
                return place
            total, visits = self.counts[*path, place]
            value = Decimal(total.numerator) / (total.denominator * visits)
            value += (self.square * Decimal(self.counts[path][1]).ln() / visits).sqrt()
            if most is None or value > most + Decimal(10) ** -60:
                best, most = place, value
        return best


@settings(max_examples=300)
@given(bushy_trees(3, WINS) | bushy_trees(3, ANY), CONSTANTS, st.data())
def test_search_is_the_plain_one(drawn: Any, exploration: Any, data: Any) -> None:
    inside = all(0 <= value <= 1 for value in leaf_values(drawn))
    playouts = data.draw(st.lists(WINS if inside else ANY, min_size=1, max_size=40))
    tree = tree_of(drawn, exploration=exploration, playouts=tuple(playouts))
    with localcontext() as context:
        context.prec = PRECISION
        plain = Plain(drawn, exploration, inside and all(0 <= result <= 1 for result in playouts))
        for result in playouts:
            plain.play(result)
    found = mcts(tree, len(playouts), traced=0)
    paths = [path for path, _ in brute_force.nodes(drawn)]
    ours = {path: [found.totals[node], found.visits[node]] for node, path in enumerate(paths) if found.visits[node]}
    assert ours == plain.counts
    assert mcts(tree, len(playouts), traced=len(playouts)).totals == found.totals


def leaf_values(drawn: Any) -> list[Any]:
    return [part for _, part in brute_force.nodes(drawn) if brute_force.is_leaf(part)]


@settings(max_examples=300)
@given(chance_trees() | minimax_trees(), st.integers(0, 60), st.integers(0, 5), st.booleans())
def test_counts_are_conserved(drawn: Any, steps: int, seed: int, right_to_left: bool) -> None:
    tree = tree_of(drawn)
    found = mcts(tree, steps, seed, right_to_left, traced=steps)
    assert found.visits[0] == steps == len(found.trace)
    for node in tree.inner:
        below = sum(found.visits[child] for child in tree.children[node])
        # A node is played out from once, when it is new; the root never is.
        assert found.visits[node] == below + (1 if node and found.visits[node] else 0)
    results: dict[Node, list[Any]] = {node: [] for node in tree.nodes}
    for step in found.trace:
        assert step.path[0] == 0
        assert step.result == tree.leaf[step.playout[-1] if step.playout else step.path[-1]]
        for up, down in zip((*step.path, *step.playout), (*step.path, *step.playout)[1:], strict=False):
            assert tree.parent[down] == up
        for node in step.path:
            results[node].append(step.result)
    for node, its in results.items():
        assert found.estimate(node) == (Fraction(sum(its)) / len(its) if its else None)
    assert found == mcts(tree, steps, seed, right_to_left, traced=steps)
    untraced = mcts(tree, steps, seed, right_to_left, traced=0)
    assert replace(found, trace=()) == untraced


@settings(max_examples=200)
@given(chance_trees(), st.integers(1, 40), st.integers(0, 5))
def test_totals_are_the_results_for_the_side_that_moved_in(drawn: Any, steps: int, seed: int) -> None:
    tree = tree_of(drawn)
    assume(tree.inner)
    found = mcts(tree, steps, seed, traced=steps)
    inside = all(0 <= value <= 1 for value in leaf_values(drawn))
    assert found.constant_sum == inside
    for node in range(1, len(tree)):
        up = tree.parent[node]
        while up and tree.turn[up] == "chance":
            up = tree.parent[up]
        opponent = {"max": "min", "min": "max", "chance": "max"}
        side = tree.turn[up] if tree.turn[up] != "chance" else opponent[str(tree.turn[0])]
        its = [step.result for step in found.trace if node in step.path]
        mine = its if side == "max" else [1 - each if inside else -each for each in its]
        assert found.totals[node] == sum(mine)


def test_checkpoints() -> None:
    tree = load_tree("[[1, 0], [1, 1], [0, 0]]").tree
    found = mcts(tree, 100)
    assert [point.step for point in found.checkpoints] == [1, 2, 4, 8, 16, 32, 64, 100]
    assert [sum(point.visits) for point in found.checkpoints] == [1, 2, 4, 8, 16, 32, 64, 100]
    last = found.checkpoints[-1]
    assert sum(last.shares) == 1
    assert last.shares[1] == Fraction(found.visits[tree.children[0][1]], 100)
    assert last.estimate == found.estimate(Node(0))


@pytest.mark.parametrize(
    ("text", "value", "move"),
    [
        ("[[1, 0], [1, 1], [0, 0]]", 1, "a2"),
        ("[[[1, 0], [0, 0]], [[0, 1], [1, 1]]]", 1, "a2"),
        (
            "{turn: min, children: [{turn: max, children: [1, 0.5]}, {turn: max, children: [0.25, 0]}]}",
            Fraction(1, 4),
            "a2",
        ),
        (
            "{turn: max, children: [0.5, {turn: chance, children: [{p: 0.75, value: 1}, {p: 0.25, value: 0}]}]}",
            0.75,
            "a2",
        ),
        ("[[-1, 1], [0, 1]]", 0, "a2"),
    ],
)
def test_estimates_tend_to_the_minimax_value(text: str, value: Any, move: str) -> None:
    tree = load_tree(text).tree
    found = mcts(tree, 4000, seed=7)
    assert found.by_visits is not None
    assert tree.move[found.by_visits] == move
    errors = [abs(point.estimate - Fraction(value)) for point in found.checkpoints]
    assert errors[-1] < Fraction(1, 25)
    assert errors[-1] < max(errors[:4])
    assert found.checkpoints[-1].shares[1] > Fraction(9, 10)


def test_chance_is_drawn_by_probability() -> None:
    tree = load_tree("{turn: chance, children: [{p: 1/6, value: 0}, {p: 0, value: 5}, {p: 5/6, value: 1}]}").tree
    found = mcts(tree, 6000)
    assert found.visits[2] == 0
    assert abs(found.visits[1] - 1000) < 120
    assert (found.by_visits, found.by_value) == (None, None)
    assert found.trace[0].choices[0].ucb1 is None


def test_seeds_draw_the_same_everywhere() -> None:
    """Pinned: whatever Python runs it, these are the draws."""
    tree = load_tree("[[[1, 0, 2], [3, 4, 5]], [[6, 7], [8, 9, 10]]]").tree
    results = [[step.result for step in mcts(tree, 12, seed, traced=12).trace] for seed in (0, 1)]
    assert results[0] != results[1]
    assert results == PINNED


PINNED = [[4, 9, 6, 9, 6, 7, 7, 7, 7, 7, 6, 7], [2, 8, 6, 8, 6, 7, 7, 7, 7, 7, 8, 6]]


# Numbers.


@settings(max_examples=500)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 40), st.integers(0, 40), st.integers(0, 12))
def test_switch_points_are_right(fewer: int, extra: int, wins: int, more_wins: int, slack: int) -> None:
    more = fewer + extra
    first, second = Count(Node(1), min(wins, fewer), fewer), Count(Node(2), min(more_wins, more), more)
    parent = fewer + more + slack
    switch = switch_point(first, second, parent)
    difference = Fraction(second.total) / more - Fraction(first.total) / fewer
    assert (switch is None) == (difference <= 0)
    if switch is not None:
        with localcontext() as context:
            context.prec = PRECISION
            roots = [(Decimal(parent).ln() / visits).sqrt() for visits in (fewer, more)]
            value = Decimal(difference.numerator) / difference.denominator / (roots[0] - roots[1])
            assert decimal_text(switch, 30) == f"{value.quantize(Decimal(1).scaleb(-30)):f}"


def test_ucb1_of_the_unvisited_and_of_root_two() -> None:
    assert ucb1(0, 0, 5, 1) == "inf"
    assert ucb1(1, 2, 10, SquareRoot(2)) == root_of_log(Fraction(1, 2), 1, 10)
    assert ucb1(3, 4, 1, 2) == root_of_log(Fraction(3, 4), 0, 1)


# Refusals and size.


@pytest.mark.parametrize(
    ("text", "node", "word"),
    [
        ("{turn: or, children: [{value: true}]}", "A", "or node A"),
        ("{id: g, value: true}", "g", "leaf g"),
        ("{turn: max, children: [{visits: 3, value: 1}]}", "A", "0 visits, its children 3"),
        ("{turn: max, visits: 4, children: [{visits: 3, value: 1}, {visits: 2, value: 1}]}", "A", "children 5"),
        ("{turn: max, visits: 4, total: 5, children: [1]}", "A", "total of 5 in 4 visits"),
        ("{turn: max, visits: 4, children: [{total: 1, value: 7}]}", "L1", "total of 1 in 0 visits"),
    ],
)
def test_refusals(text: str, node: str, word: str) -> None:
    with pytest.raises(Refusal, match=word) as refusal:
        mcts(load_tree(text).tree, 1)
    assert (refusal.value.node, refusal.value.code) == (node, "algorithm")


def test_refusals_of_constants_and_unknown_leaves() -> None:
    tree = load_tree("[3, 4]").tree
    with pytest.raises(Refusal, match="0 or more, not -1"):
        mcts(replace(tree, exploration=-1), 1)
    with pytest.raises(Refusal, match="UCB1 chooses at max and min nodes"):
        choice_at(tree, Node(1))
    raw = b"plymark: game/1\nunknowns: [x]\nmcts: {playouts: [1]}\ntree: [x, 1]\n"
    unknown = load_bytes(raw).tree
    assert mcts(unknown, 1).trace[0].result == 1
    assert mcts(unknown, 2, traced=2).trace[1].result == 1
    with pytest.raises(Refusal, match="whose value is unknown") as refusal:
        mcts(replace(unknown, playouts=()), 1)
    assert refusal.value.node == "L1"


def test_a_leaf_alone_is_its_own_result() -> None:
    found = mcts(load_tree("0.5").tree, 3)
    assert (found.visits, found.totals, found.by_visits) == ((3,), (Fraction(3, 2),), None)
    assert found.trace[0].expanded is None


def test_depth_is_no_limit() -> None:
    plies = 100_000
    tree = Tree(
        ids=tuple(NodeId(f"n{ply}") for ply in range(plies + 1)),
        turn=(*("max" if ply % 2 == 0 else "min" for ply in range(plies)), None),
        parent=(NOWHERE, *(Node(ply) for ply in range(plies))),
        children=(*((Node(ply + 1),) for ply in range(plies)), ()),
        depth=tuple(range(plies + 1)),
        move=(None, *(Move("on") for _ in range(plies))),
        probability=(None,) * (plies + 1),
        leaf=(*(None for _ in range(plies)), 1),
    )
    assert mcts(tree, 5).visits[:7] == (5, 5, 4, 3, 2, 1, 0)
