"""What an inner node comes to once its search is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.game.tree import AND, CHANCE, MAX, MIN, OR, Node
from solver.languages.facts import MOST_ITEMS, Fact, Formula, Items, Sentence
from solver.story.about import About, expectation, fact

_BEST = {
    (MAX, True): "back.max",
    (MIN, True): "back.min",
    (MAX, False): "back.max.many",
    (MIN, False): "back.min.many",
}


def finished(about: About, node: Node, value: Any) -> list[Sentence]:
    """How a node that was searched to its end got its value."""
    turn = about.tree.turn[node]
    if turn == CHANCE:
        return _mean(about, node, value)
    if turn in (OR, AND):
        return [_success(about, node, bool(value))]
    if about.tree.players:
        return _player(about, node)
    return _best(about, node, str(turn))


def reckoned(about: About, node: Node, value: Any) -> Formula:
    """`C = min(9, 15) = 9`, where what the children returned gives the value like that; else `C = 9`."""
    plain = about.equation(node, value)
    handed = list(about.outcome_values(node))
    if not 1 < len(handed) <= MOST_RECKONED or any(isinstance(each, str | tuple | None) for each in handed):
        return plain
    turn = about.tree.turn[node]
    if turn == CHANCE:
        sum_of = about.weighted(node, iter(handed), value)
        exact = expectation(about.tree, about.in_order(node), handed) == value
        return Formula((about.name(node), " = ", *sum_of.parts)) if exact else plain
    if turn not in _OF or _OF[turn][1](handed) != value:
        return plain
    return Formula((about.name(node), f" = {_OF[turn][0]}", tuple(handed), " = ", fact(value)))


MOST_RECKONED = 5
"""A formula has no more operands than these."""
_OF: dict[str | None, tuple[str, Callable[[list[Any]], Any]]] = {MAX: ("max", max), MIN: ("min", min)}


def _best(about: About, node: Node, turn: str) -> list[Sentence]:
    children = about.in_order(node)
    facts: dict[str, Fact] = {"node": about.name(node), "worth": about.worth(node)}
    if len(children) == 1:
        return [Sentence("back.only", None, {**facts, "child": about.worth(children[0])})]
    if len(children) > MOST_ITEMS:
        return [about.by_mover(node, _BEST[turn, False], len(children), facts)]
    listed = Items(tuple(map(about.worth, children)), len(children))
    sentences = [about.by_mover(node, _BEST[turn, True], None, {**facts, "children": listed})]
    if any(len(worth.parts) > 3 for worth in map(about.worth, children)):
        sentences.append(Sentence("back.clamped", None, {"window": about.window(node)}))
    return sentences


def _mean(about: About, node: Node, value: Any) -> list[Sentence]:
    name = about.name(node)
    if isinstance(value, tuple):
        shown = about.weighted(node, about.outcome_values(node), value)
        return [Sentence("back.chance", None, {"node": name, "sum": shown})]
    mean = expectation(about.tree, about.in_order(node), about.outcome_values(node))
    shown = about.weighted(node, about.outcome_values(node), mean)
    known = about.known(node)
    sentences = [Sentence("back.chance", None, {"node": name, "sum": shown})]
    if mean != value:
        facts: dict[str, Fact] = {"node": name, "window": about.window(node), "handed": fact(value)}
        sentences.append(Sentence("back.chance.clamped", None, facts))
    elif known != "exact":
        sentences.append(Sentence("back.chance.bound", None, {"worth": about.worth(node)}))
    return sentences


def _player(about: About, node: Node) -> list[Sentence]:
    tree, values = about.tree, about.solution.values
    player = str(tree.turn[node])
    own = (tree.side_of or {})[player]
    chosen = about.solution.choice(node)
    assert chosen is not None
    best: Any = values[node]
    facts: dict[str, Fact] = {
        "node": about.name(node),
        "player": player,
        "child": about.name(chosen),
        "value": fact(best),
    }
    children = about.in_order(node)
    gets = Items(tuple(_own_number(about, child, own) for child in children[:MOST_ITEMS]), len(children))
    sentences = [Sentence("back.player", None, {**facts, "numbers": gets})]
    ties = [child for child in children if child in about.solution.best[node]]
    if len(ties) > 1:
        last = about.solution.convention.ties == "last"
        key = "tie.last" if last else "tie.first"
        sentences.append(Sentence(key, None, {"player": player, "children": about.names(ties)}))
    return sentences


def _own_number(about: About, child: Node, own: int) -> Formula:
    vector: Any = about.solution.values[child]
    return Formula((about.name(child), ": ", vector[own]))


def _success(about: About, node: Node, value: bool) -> Sentence:
    tree = about.tree
    is_or = tree.turn[node] == OR
    if value is not is_or:
        # Every child was needed.
        key = "or.failure" if is_or else "and.success"
        return Sentence(key, None, {"node": about.name(node), "children": about.names(about.in_order(node))})
    decided = next(child for child in about.in_order(node) if about.solution.values[child] is value)
    facts: dict[str, Fact] = {"node": about.name(node), "child": about.name(decided)}
    rest = about.in_order(node)[about.in_order(node).index(decided) + 1 :]
    if is_or:
        facts["move"] = str(tree.move[decided])
    if not rest:
        return Sentence("or.success" if is_or else "and.failure", None, facts)
    facts["leaves"] = about.leaves_below(rest)
    return Sentence("or.success.rest" if is_or else "and.failure.rest", None, facts)
