"""AND-OR search against the textbook's recursion and against all strategies; plans against plain execution."""

import json
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.analysis.plan_simulation import Fault, simulate_plan
from solver.game import Node, Tree
from solver.game.game_tree import NOWHERE, Move, NodeId, Outcome
from solver.kernel import Refusal
from solver.pipeline import load, load_bytes, load_tree
from solver.search.algorithms.and_or import and_or, plan_text
from tests.support.paths import ROOT

SPECS = ROOT / "specs"

# A leaf is True, False or a number of steps up to the ancestor that it leads back to; an inner node is a tuple.
LEAVES = st.sampled_from([True, True, True, False, 0, 1, 3])
INNER = ["or", "and"]
DRAWN = st.recursive(
    LEAVES, lambda below: st.tuples(st.sampled_from(INNER), st.lists(below, min_size=1, max_size=3)), max_leaves=9
)


def built(drawn: Any) -> Tree:
    """The tree with ids n0, n1, … in document order, as a document would give it."""
    count = 0

    def node(part: Any, above: list[str]) -> dict[str, Any]:
        nonlocal count
        name = f"n{count}"
        count += 1
        if isinstance(part, tuple):
            return {"id": name, "turn": part[0], "children": [node(child, [*above, name]) for child in part[1]]}
        if isinstance(part, bool) or not above:
            return {"id": name, "value": part is True}
        return {"id": name, "loop": above[max(0, len(above) - 1 - part)]}

    return load_bytes(json.dumps({"plymark": "game/1", "tree": node(drawn, [])}).encode()).tree


def move(node: int, place: int) -> str:
    return f"n{node}{place + 1}"


class Textbook:
    """Figure 4.11, recursive, on the drawn tree; nodes are counted in document order."""

    def __init__(self, drawn: Any, step: int = 1) -> None:
        self.step = step
        self.visited: list[int] = []
        self.plan = self.search(drawn, 0)

    def search(self, part: Any, number: int) -> list[Any] | None:
        self.visited.append(number)
        if not isinstance(part, tuple):
            return [] if part is True else None
        turn, children = part
        numbers = list(numbered(part, number))
        plans = {}
        for place in list(range(len(children)))[:: self.step]:
            plan = self.search(children[place], numbers[place])
            if turn == "or" and plan is not None:
                return [move(number, place), *plan]
            if turn == "and" and plan is None:
                return None
            plans[f"n{numbers[place]}"] = plan
        if turn == "or":
            return None
        if len(children) == 1:
            return plans[f"n{numbers[0]}"]
        return [{f"n{each}": plans[f"n{each}"] for each in numbers}]


def size(part: Any) -> int:
    return 1 + sum(map(size, part[1])) if isinstance(part, tuple) else 1


def numbered(part: Any, number: int) -> Iterator[int]:
    """The children's numbers."""
    number += 1
    for child in part[1]:
        yield number
        number += size(child)


def strategies(part: Any, number: int = 0) -> list[tuple[list[Any], bool]]:
    """Every way of choosing a move at every or node that comes up: its plan, and whether it leads to goals only."""
    if not isinstance(part, tuple):
        return [([], part is True)]
    below = [strategies(child, each) for child, each in zip(part[1], numbered(part, number), strict=True)]
    if part[0] == "or":
        return [([move(number, place), *plan], good) for place, ways in enumerate(below) for plan, good in ways]
    if len(below) == 1:
        return below[0]
    names = [f"n{each}" for each in numbered(part, number)]
    return [
        ([dict(zip(names, [plan for plan, _ in ways], strict=True))], all(good for _, good in ways))
        for ways in product(*below)
    ]


def execute(tree: Tree, node: int, steps: list[Any], path: tuple[str, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every play of a plan: its path and how it ends."""
    path = (*path, tree.ids[node])
    while steps and isinstance(steps[0], dict) and tree.ids[node] in steps[0]:
        steps = [*steps[0][tree.ids[node]], *steps[1:]]
    if tree.turn[node] == "and":
        for child in tree.children[node]:
            yield from execute(tree, child, steps, path)
    elif steps and isinstance(steps[0], dict):
        yield path, "missing-outcome"
    elif tree.turn[node] is None:
        yield path, str(getattr(tree.leaf[node], "value", "loop"))
    elif not steps:
        yield path, "ends-early"
    else:
        children = {tree.move[child]: child for child in tree.children[node]}
        if steps[0] in children:
            yield from execute(tree, children[steps[0]], steps[1:], path)
        else:
            yield path, "unknown-move"


@settings(max_examples=1500)
@given(DRAWN, st.booleans())
def test_search_is_the_textbooks(drawn: Any, right_to_left: bool) -> None:
    tree = built(drawn)
    found = and_or(tree, right_to_left)
    textbook = Textbook(drawn, -1 if right_to_left else 1)
    assert found.plan == textbook.plan
    assert list(found.visited) == textbook.visited
    parts = [drawn]
    for node, success in enumerate(found.success):
        part = parts.pop(0)
        parts[:0] = part[1] if isinstance(part, tuple) else []
        assert success == (Textbook(part).plan is not None), node


@settings(max_examples=600)
@given(DRAWN)
def test_failure_means_that_no_strategy_works(drawn: Any) -> None:
    tree = built(drawn)
    found = and_or(tree)
    ways = strategies(drawn)
    assert (found.plan is not None) == any(good for _, good in ways)
    if found.plan is not None:
        assert simulate_plan(tree, found.plan).works
        assert (found.plan, True) in ways
    for plan, good in ways[:200]:
        assert simulate_plan(tree, plan).works == good


@st.composite
def plans(draw: Any, drawn: Any) -> Any:
    """A strategy's plan with something changed: a step dropped, added or renamed, an outcome left out."""
    ways = strategies(drawn)
    text = json.dumps(ways[draw(st.integers(0, min(len(ways), 50) - 1))][0])
    for _ in range(draw(st.integers(0, 2))):
        plan = json.loads(text)
        lists = [plan]
        for each in lists:
            lists += [below for step in each if isinstance(step, dict) for below in step.values()]
        each = lists[draw(st.integers(0, len(lists) - 1))]
        place = draw(st.integers(0, len(each)))
        if place == len(each):
            each.append(draw(st.sampled_from(["n01", "n11", {"n1": []}])))
        elif isinstance(each[place], dict) and draw(st.booleans()):
            each[place].pop(next(iter(each[place])), None)
        else:
            each[place : place + 1] = draw(st.sampled_from([[], ["n02"], ["n01", "n12"]]))
        text = json.dumps(plan)
    return json.loads(text)


@settings(max_examples=1500)
@given(st.data())
def test_simulation_is_plain_execution(data: Any) -> None:
    drawn = data.draw(DRAWN)
    tree = built(drawn)
    plan = data.draw(plans(drawn))
    plays = list(execute(tree, 0, plan))
    bad = [play for play in plays if play[1] != "true"]
    found = simulate_plan(tree, plan)
    assert found.works == (not bad)
    if found.failed is None:
        assert found.goals == tuple(path[-1] for path, _ in plays)
    else:
        path, end = bad[0]
        assert found.failed.path == path
        assert found.failed.fault.value == {"false": "failure"}.get(end, end)


def test_the_erratic_vacuum_world() -> None:
    tree = load(SPECS / "vacuum-plan.yaml").tree
    found = and_or(tree)
    assert found.plan == ["Suck", {"s5": ["Right", "Suck"], "s7": []}]
    assert found.text == "[Suck, if s5 then [Right, Suck] else []]"
    # Sucking in s5 leads back to s1 at once: its other outcome is not looked at, nor what else s6 could do.
    assert [tree.ids[node] for node in found.visited] == ["s1", "s1-Suck", "s5", "s5-Suck", "L1", "s6", "s8", "s7"]
    failing = {tree.ids[node] for node in range(len(tree)) if not found.success[node]}
    assert failing == {"s5-Suck", "s4-Suck", *(tree.ids[node] for node in tree.leaves if tree.ids[node][0] == "L")}
    assert simulate_plan(tree, found.plan).goals == ("s8", "s7")
    other = and_or(tree, right_to_left=True)
    assert other.text == "[Right, Suck, if s4 then [Left, Suck] else []]"
    assert simulate_plan(tree, other.plan or ()).works


@pytest.mark.parametrize(
    ("plan", "fault", "path", "step"),
    [
        (["Suck", {"s5": ["Right", "Suck"]}], Fault.MISSING_OUTCOME, "s1 s1-Suck s7", {"s5": ["Right", "Suck"]}),
        (["Suck", {"s7": []}], Fault.MISSING_OUTCOME, "s1 s1-Suck s5", {"s7": []}),
        (["Suck"], Fault.ENDS_EARLY, "s1 s1-Suck s5", None),
        ([], Fault.ENDS_EARLY, "s1", None),
        (["Mop"], Fault.UNKNOWN_MOVE, "s1", "Mop"),
        ([3], Fault.UNKNOWN_MOVE, "s1", 3),
        (["Suck", {"s5": ["Suck"], "s7": []}], Fault.LOOP, "s1 s1-Suck s5 s5-Suck L1", None),
        (["Right", "Suck", {"s4": ["Suck"], "s8b": []}], Fault.LOOP, "s1 s2 s2-Suck s4 s4-Suck L6", None),
    ],
)
def test_why_a_plan_fails(plan: Any, fault: Fault, path: str, step: Any) -> None:
    found = simulate_plan(load(SPECS / "vacuum-plan.yaml").tree, plan)
    assert found.failed is not None
    assert (found.failed.fault, found.failed.path, found.failed.step) == (fault, tuple(path.split()), step)


@pytest.mark.parametrize(
    ("plan", "idle"),
    [
        (["Suck", "Right", "Suck"], ("s7",)),
        (["Suck", {"s5": ["Right"], "s7": []}, "Suck"], ("s7",)),
        (["Suck", {"s5": ["Right", {"s6": "Suck"}], "s7": []}], ()),
        ([{"s1": ["Suck"]}, {"s5": ["Right", "Suck"], "s7": [], "s9": ["Mop"]}], ()),
    ],
)
def test_other_ways_of_writing_a_plan_that_works(plan: Any, idle: tuple[str, ...]) -> None:
    found = simulate_plan(load(SPECS / "vacuum-plan.yaml").tree, plan)
    assert found.works
    assert found.idle == idle


def test_a_failure_leaf_is_no_loop() -> None:
    tree = load_tree("{turn: or, children: [{move: a, value: false}]}").tree
    failed = simulate_plan(tree, ["a"]).failed
    assert failed is not None
    assert failed.fault is Fault.FAILURE
    assert and_or(tree).text == "failure"


def test_notation() -> None:
    assert plan_text([]) == "[]"
    assert plan_text(["a", "b"]) == "[a, b]"
    three = plan_text(["a", {"s1": ["b", {"t1": [], "t2": ["d"]}], "s2": [], "s3": ["c"]}])
    assert three == "[a, if s1 then [b, if t1 then [] else [d]] else if s2 then [] else [c]]"
    assert plan_text([{"s1": ["a"], "s2": []}]) == "[if s1 then [a] else []]"


def test_roots_of_every_kind() -> None:
    assert and_or(load_tree("{id: g, value: true}").tree).plan == []
    assert and_or(load_tree("{id: g, value: false}").tree).plan is None
    one = load_tree("{turn: and, children: [{turn: or, children: [{move: a, value: true}]}]}").tree
    assert and_or(one).plan == ["a"]
    two = load_tree("{turn: and, children: [{id: s, value: true}, {id: t, value: true}]}").tree
    assert and_or(two).plan == [{"s": [], "t": []}]


@pytest.mark.parametrize(("text", "node"), [("[3, 4]", "A"), ("3", "L1")])
def test_other_trees_are_refused(text: str, node: str) -> None:
    with pytest.raises(Refusal) as refusal:
        and_or(load_tree(text).tree)
    assert (refusal.value.node, refusal.value.code) == (node, "algorithm")


def chain(levels: int) -> Tree:
    """or and and in turn, each and node with a goal g before the next or node o; a goal at the end."""
    kinds = "oag" * levels + "g"
    turn = {"o": "or", "a": "and", "g": None}
    children = {"o": (1,), "a": (1, 2), "g": ()}
    parent = {"o": -2, "a": -1, "g": -1}
    end = len(kinds) - 1
    return Tree(
        ids=tuple(NodeId(f"{kind}{place // 3}") for place, kind in enumerate(kinds)),
        turn=tuple(turn[kind] for kind in kinds),
        parent=(
            NOWHERE,
            *(Node(place + (-2 if place == end else parent[kinds[place]])) for place in range(1, end + 1)),
        ),
        children=tuple(tuple(Node(place + step) for step in children[kind]) for place, kind in enumerate(kinds)),
        depth=tuple(place // 3 * 2 + "oag".index(kind) for place, kind in enumerate(kinds)),
        move=(None, *(Move("go") for _ in range(end))),
        probability=(None,) * (end + 1),
        leaf=tuple(Outcome.GOAL if kind == "g" else None for kind in kinds),
    )


@pytest.mark.slow
def test_depth_is_no_limit() -> None:
    tree = chain(50_000)
    found = and_or(tree)
    assert found.plan is not None
    assert len(found.visited) == len(tree) == 150_001
    assert len(simulate_plan(tree, found.plan).goals) == 50_001
    assert found.text.startswith("[go, if g0 then [] else [go, if g1 then [] else [go")
    assert found.text.count("[go") == 50_000
