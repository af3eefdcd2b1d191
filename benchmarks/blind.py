"""Answers of somebody who has not searched: one number, the first leaf, everything crossed out, claims everywhere."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from math import inf
from statistics import median_low
from typing import Any

from grader.questions.exercise import Exercise, Question
from solver.game import MAX, MIN, Node, Tree
from solver.kernel import number_text

MOST_LEAVES = 64
Worth = Callable[[Tree, Node], Fraction]


@dataclass(frozen=True, slots=True)
class Guess:
    """How every question of an exercise is answered alike."""

    worth: Worth
    """What is written at an inner node."""
    crossed: Callable[[Tree], list[Node]] = lambda _tree: []
    """The leaves that are crossed out."""
    bound: str | None = None
    """`<=` or `>=` before every number; None: only where a bound is asked for, by who moves."""
    place: int = 0
    """The child that is played."""
    yes: bool = True


def numbers(tree: Tree) -> list[Fraction]:
    """Of the leaves, in order; where there are none, 0 and 1."""
    flat: list[Any] = []
    for node in tree.leaves:
        leaf = tree.leaf[node]
        flat += leaf if isinstance(leaf, tuple) else [leaf]
    return [Fraction(each) for each in flat if _is_number(each)] or [Fraction(0), Fraction(1)]


def _is_number(value: object) -> bool:
    return isinstance(value, int | Fraction)


def _above(tree: Tree, _node: Node) -> Fraction:
    return max(numbers(tree)) + 60


def _below(tree: Tree, _node: Node) -> Fraction:
    return min(numbers(tree)) - 60


def _median(tree: Tree, _node: Node) -> Fraction:
    return median_low(numbers(tree))


def _first(tree: Tree, _node: Node) -> Fraction:
    return numbers(tree)[0]


def _first_below(tree: Tree, node: Node) -> Fraction:
    while tree.children[node]:
        node = tree.children[node][0]
    leaf = tree.leaf[node]
    value: Any = leaf[0] if isinstance(leaf, tuple) else leaf
    return Fraction(value) if _is_number(value) else numbers(tree)[0]


def _largest(tree: Tree, _node: Node) -> Fraction:
    return max(numbers(tree))


def _two(tree: Tree, node: Node) -> Fraction:
    """The largest leaf at first children and the root, the smallest elsewhere."""
    parent = tree.parent[node]
    return max(numbers(tree)) if parent < 0 or tree.children[parent][0] == node else min(numbers(tree))


def _all_but_first(tree: Tree) -> list[Node]:
    return list(tree.leaves[1:])


def _later(tree: Tree) -> list[Node]:
    """Every leaf but the first below a node that is not a first child."""
    return [
        child
        for node in tree.inner
        if (parent := tree.parent[node]) >= 0 and tree.children[parent][0] != node
        for child in tree.children[node][1:]
        if tree.turn[child] is None
    ]


BLIND: dict[str, Guess] = {
    "constant, above all leaves": Guess(_above),
    "constant, below all leaves": Guess(_below, yes=False),
    "constant, the median": Guess(_median),
    "constant, the first leaf": Guess(_first),
    "constant, the largest leaf": Guess(_largest, place=-1),
    "first leaf below each node": Guess(_first_below),
    "all crossed out": Guess(_median, lambda tree: list(tree.leaves)),
    "all but the first crossed out, above": Guess(_above, _all_but_first),
    "all but the first crossed out, median": Guess(_median, _all_but_first),
    "all but the first crossed out, first leaf": Guess(_first, _all_but_first),
    "later leaves crossed out, first leaf below": Guess(_first_below, _later),
    "a bound everywhere, <=": Guess(_median, bound="<="),
    "a bound everywhere, >=": Guess(_median, bound=">="),
    "two numbers": Guess(_two),
    "two numbers, later leaves crossed out": Guess(_two, _later),
}
"""Every leaf that is not crossed out is listed as visited."""


def constant(number: Fraction) -> Guess:
    return Guess(lambda _tree, _node: number)


def answers(exercise: Exercise, guess: Guess) -> dict[str, Any]:
    return {question.id: answered(exercise, question, guess) for question in exercise.questions}


def answered(exercise: Exercise, question: Question, guess: Guess) -> Any:
    tree = exercise.game.tree
    write = _WRITERS[question.ask]
    return write(tree, question, guess)


def asked_nodes(tree: Tree, question: Question) -> list[Node]:
    return [node for node in tree.inner if question.nodes is None or tree.ids[node] in question.nodes]


def windows(tree: Tree, worth: Worth) -> dict[Node, tuple[tuple[float, float], tuple[float, float]]]:
    """On entry and on leaving, of a search that takes each node's worth as it is written and stops nowhere."""
    found: dict[Node, tuple[tuple[float, float], tuple[float, float]]] = {}

    def visit(node: Node, alpha: float, beta: float) -> None:
        entry = alpha, beta
        for child in tree.children[node]:
            if tree.children[child]:
                visit(child, alpha, beta)
            leaf: Any = tree.leaf[child]
            value = worth(tree, child) if tree.children[child] else leaf if _is_number(leaf) else worth(tree, node)
            if tree.turn[node] == MAX and value < beta:
                alpha = max(alpha, float(value))
            elif tree.turn[node] == MIN and value > alpha:
                beta = min(beta, float(value))
        found[node] = entry, (alpha, beta)

    visit(Node(0), -inf, inf)
    return found


def _write_values(tree: Tree, question: Question, guess: Guess) -> Any:
    before = f"{guess.bound} " if guess.bound else ""
    return {str(tree.ids[node]): before + number_text(guess.worth(tree, node)) for node in asked_nodes(tree, question)}


def _write_bounds(tree: Tree, question: Question, guess: Guess) -> Any:
    return {
        str(tree.ids[node]): f"{guess.bound or ('>=' if tree.turn[node] == MAX else '<=')} "
        f"{number_text(guess.worth(tree, node))}"
        for node in asked_nodes(tree, question)
    }


def _write_windows(tree: Tree, question: Question, guess: Guess) -> Any:
    found = windows(tree, guess.worth)
    at = question.parameters.get("at")
    written: dict[str, Any] = {}
    for node in asked_nodes(tree, question):
        entry, leaving = ([_end(each) for each in window] for window in found[node])
        both = [entry] if entry == leaving else [entry, leaving]
        written[str(tree.ids[node])] = both if at == "all" else leaving if at == "exit" else entry
    return written


def _end(value: float) -> str:
    if value in (inf, -inf):
        return "inf" if value > 0 else "-inf"
    return number_text(Fraction(value).limit_denominator(1000))


def _write_pruned(tree: Tree, _question: Question, guess: Guess) -> Any:
    return [str(tree.ids[node]) for node in guess.crossed(tree)] or "none"


def _write_move(tree: Tree, _question: Question, guess: Guess) -> Any:
    return str(tree.move[_child(tree, Node(0), guess)])


def _child(tree: Tree, node: Node, guess: Guess) -> Node:
    """The one that is played; the last where there are fewer."""
    return tree.children[node][min(guess.place, len(tree.children[node]) - 1)]


def _write_line(tree: Tree, _question: Question, guess: Guess) -> Any:
    node, line = Node(0), []
    while tree.children[node]:
        node = _child(tree, node, guess)
        line.append(str(tree.move[node]))
    return line


def _write_visited(tree: Tree, question: Question, guess: Guess) -> Any:
    crossed = set(guess.crossed(tree))
    whole = tree.nodes if question.parameters.get("what") == "nodes" else tree.leaves
    return [str(tree.ids[node]) for node in whole if node not in crossed]


def _write_count(tree: Tree, question: Question, guess: Guess) -> Any:
    crossed = len(guess.crossed(tree))
    what = question.parameters.get("what")
    return str(crossed if what == "pruned" else (len(tree) if what == "visited" else len(tree.leaves)) - crossed)


def _write_range(tree: Tree, question: Question, guess: Guess) -> Any:
    return f"{_unknown(tree, question)} {guess.bound or '<='} {number_text(guess.worth(tree, Node(0)))}"


def _unknown(tree: Tree, question: Question) -> str:
    return str(question.parameters.get("unknown") or tree.unknowns[0])


def _write_reorder(tree: Tree, _question: Question, guess: Guess) -> Any:
    """As printed, or all turned round."""
    turned = 1 if guess.place == 0 else -1
    return {
        str(tree.ids[node]): [str(tree.ids[child]) for child in tree.children[node]][::turned] for node in tree.inner
    }


def _write_assign(tree: Tree, _question: Question, guess: Guess) -> Any:
    return {name: number_text(guess.worth(tree, Node(0))) for name in tree.unknowns}


def _write_prunable(tree: Tree, question: Question, guess: Guess) -> Any:
    nodes = question.nodes or [str(tree.ids[node]) for node in tree.leaves]
    return dict.fromkeys(nodes, "yes" if guess.yes else "no")


def _write_vectors(tree: Tree, question: Question, guess: Guess) -> Any:
    return {
        str(tree.ids[node]): [number_text(guess.worth(tree, node))] * len(tree.sides)
        for node in asked_nodes(tree, question)
    }


def _write_depths(tree: Tree, question: Question, guess: Guess) -> Any:
    value, move = number_text(guess.worth(tree, Node(0))), _write_move(tree, question, guess)
    depths = question.parameters["depths"]
    return {f"{depth} {what}": text for depth in depths for what, text in (("value", value), ("move", move))}


def _write_opponent(tree: Tree, question: Question, guess: Guess) -> Any:
    if question.parameters.get("errs") == "threshold":
        return f"p {'<' if guess.bound == '<=' else '>'} 1/2"
    return number_text(guess.worth(tree, Node(0)))


def _write_plan(tree: Tree, _question: Question, guess: Guess) -> Any:
    def plan(node: Node) -> list[Any]:
        if not tree.children[node]:
            return []
        action = _child(tree, node, guess)
        return [str(tree.move[action]), {str(tree.ids[each]): plan(each) for each in tree.children[action]}]

    return plan(Node(0))


def _write_ucb(tree: Tree, _question: Question, guess: Guess) -> Any:
    children = [str(tree.ids[child]) for child in tree.children[0]]
    return {
        **dict.fromkeys(children, number_text(guess.worth(tree, Node(0)))),
        "select": str(tree.ids[_child(tree, Node(0), guess)]),
    }


def _write_backup(tree: Tree, _question: Question, guess: Guess) -> Any:
    """A visit more everywhere, and a win more or not."""
    counted, totals = tree.visits or {}, tree.totals or {}
    return {
        str(tree.ids[node]): [number_text(totals.get(node, 0) + guess.yes), number_text(visits + 1)]
        for node, visits in counted.items()
    }


def _write_transform(_tree: Tree, _question: Question, guess: Guess) -> Any:
    return dict.fromkeys(("move", "pruned"), "same" if guess.yes else "different")


def _write_choice(_tree: Tree, _question: Question, guess: Guess) -> Any:
    return "true" if guess.yes else "false"


_WRITERS: dict[str, Callable[[Tree, Question, Guess], Any]] = {
    "values": _write_values,
    "windows": _write_windows,
    "inequalities": _write_bounds,
    "pruned": _write_pruned,
    "move": _write_move,
    "line": _write_line,
    "visited": _write_visited,
    "count": _write_count,
    "fewest": _write_count,
    "range": _write_range,
    "reorder": _write_reorder,
    "assign": _write_assign,
    "prunable": _write_prunable,
    "vectors": _write_vectors,
    "depths": _write_depths,
    "opponent": _write_opponent,
    "plan": _write_plan,
    "ucb": _write_ucb,
    "backup": _write_backup,
    "transform": _write_transform,
    "choice": _write_choice,
}


def at_random(draw: random.Random) -> Guess:
    """For one tree: a leaf of it at every node, some leaves crossed out, any move, yes or no."""
    chosen: dict[Node, Fraction] = {}
    share = draw.random() / 2
    crossed = [draw.random() < share for _ in range(MOST_LEAVES)]

    def worth(tree: Tree, node: Node) -> Fraction:
        return chosen.setdefault(node, draw.choice(numbers(tree)))

    def cross(tree: Tree) -> list[Node]:
        return [leaf for place, leaf in enumerate(tree.leaves) if crossed[place % MOST_LEAVES]]

    return Guess(worth, cross, place=draw.choice((0, 1, -1)), yes=draw.random() < 0.5)


def carried_up(draw: random.Random) -> Guess:
    """For one tree: random leaves at the nodes above leaves, and from there what MAX and MIN really make of them."""
    bottom: dict[Node, Fraction] = {}

    def worth(tree: Tree, node: Node) -> Fraction:
        inner = [child for child in tree.children[node] if tree.children[child]]
        if not inner:
            return bottom.setdefault(node, draw.choice(numbers(tree)))
        values = [worth(tree, child) for child in inner]
        return max(values) if tree.turn[node] == MAX else min(values) if tree.turn[node] == MIN else values[0]

    return Guess(worth)
