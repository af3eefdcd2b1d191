"""What is said at a node: what a leaf shows, why a search stopped, and what an inner node comes to once its search is
over.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from solver.game.convention import Bound
from solver.game.game_tree import AND, CHANCE, MAX, MIN, OR, Loop, Node, Outcome
from solver.kernel.exact import Number
from solver.languages.facts import MOST_ITEMS, Fact, Formula, Items, Limit, Sentence
from solver.search.trace import Cut
from solver.story.search_facts import About, Happening, expectation, fact


def is_clamped(about: About, happening: Happening) -> bool:
    """Whether fail-hard returns another number than the leaf's own."""
    return about.search is not None and happening.value != about.solution.values[happening.node]


def clamped_sentence(about: About, happening: Happening) -> Sentence:
    leaf = happening.node
    facts = {
        "leaf": about.name(leaf),
        "value": fact(about.solution.values[leaf]),
        "window": about.window(leaf),
        "handed": fact(happening.value),
    }
    return Sentence("leaf.clamped", None, facts)


def leaf_sentence(about: About, happening: Happening) -> Sentence:
    leaf = happening.node
    name, what = about.name(leaf), about.tree.leaf[leaf]
    if isinstance(what, Loop):
        return Sentence("leaf.loop", None, {"leaf": name, "target": what.target})
    if isinstance(what, Outcome):
        return Sentence("leaf.goal" if what is Outcome.GOAL else "leaf.failure", None, {"leaf": name})
    if is_clamped(about, happening):
        return clamped_sentence(about, happening)
    key = "leaf.estimate" if about.is_estimate(leaf) else "leaf.value"
    return Sentence(key, None, {"leaf": name, "value": fact(happening.value)})


_SEEN = {
    (MIN, "leaf"): "cut.leaf.min",
    (MAX, "leaf"): "cut.leaf.max",
    (MIN, "handed"): "cut.handed.min",
    (MAX, "handed"): "cut.handed.max",
    (MIN, "node"): "cut.node.min",
    (MAX, "node"): "cut.node.max",
}
_WHY = {
    ("alpha", "near"): "cut.alpha.near",
    ("alpha", "deep"): "cut.alpha.deep",
    ("alpha", "window"): "cut.alpha.window",
    ("alpha", "chance"): "cut.alpha.chance",
    ("alpha", "extreme"): "cut.alpha.extreme",
    ("beta", "near"): "cut.beta.near",
    ("beta", "deep"): "cut.beta.deep",
    ("beta", "window"): "cut.beta.window",
    ("beta", "chance"): "cut.beta.chance",
    ("beta", "extreme"): "cut.beta.extreme",
}


def cut_premise(about: About, happening: Happening, probed: set[Node]) -> list[Sentence]:
    """What the child that led to a cut shows about the node."""
    cut = happening.cut
    assert cut is not None
    turn = about.tree.turn[cut.node]
    if turn == CHANCE:
        assert about.search is not None
        return _seen_at_chance(about, cut, probed, about.search.scale.number(cut.value))
    child, sentences = happening.node, []
    if about.tree.turn[child] is not None:
        kind = "node"
    elif is_clamped(about, happening) or about.is_estimate(child):
        kind = "handed"
        sentences.append(leaf_sentence(about, happening))
    else:
        kind = "leaf"
    facts: dict[str, Fact] = {"node": about.name(cut.node), "value": fact(happening.value)}
    if kind != "handed":
        facts["child"] = about.name(child)
    return [*sentences, Sentence(_SEEN[str(turn), kind], None, facts)]


def cut_reason(about: About, cut: Cut, probed: set[Node]) -> Sentence:
    """Which bound was reached, who set it, and what is pruned."""
    assert about.search is not None
    number = about.search.scale.number
    bound, value = number(cut.bound), number(cut.value)
    if about.tree.turn[cut.node] == CHANCE:
        # The test is made before fail-hard clamps the value.
        _, value = _mean_at_best(about, cut, probed)
    kind = _kind(about, cut, bound)
    facts: dict[str, Fact] = {
        "node": about.name(cut.node),
        "bound": Limit(bound),
        "test": about.test(cut.kind, value, bound),
        "leaves": leaves_pruned_by(about, cut, probed),
    }
    levels: int | None = None
    if cut.set_by is not None:
        facts["setter"] = about.name(cut.set_by)
        if kind == "deep":
            levels = about.tree.depth[cut.node] - about.tree.depth[cut.set_by]
    key = _WHY[cut.kind, kind]
    if cut.set_by is None or kind not in ("near", "deep"):
        return Sentence(key, levels, facts)
    return about.by_mover(cut.set_by, key, levels, facts)


def leaves_pruned_by(about: About, cut: Cut, probed: set[Node]) -> Items:
    """The leaves that a cut prunes: at a chance node, also what its probes left open."""
    tree = about.tree
    roots: list[Node] = []
    skipped = set(cut.skipped)
    for child in tree.children[cut.node]:
        if child in skipped:
            roots.append(child)
        elif child in probed:
            roots.extend(below for below in tree.children[child] if about.returned(below) is None)
    return about.leaves_below(roots)


def _kind(about: About, cut: Cut, bound: Bound) -> str:
    tree = about.tree
    if cut.set_by is None:
        return "window"
    if tree.turn[cut.set_by] == CHANCE:
        extreme = tree.bounds is not None and bound == tree.bounds[0 if cut.kind == "alpha" else 1]
        return "extreme" if extreme else "chance"
    return "deep" if cut.deep else "near"


def _mean_at_best(about: About, cut: Cut, probed: set[Node]) -> tuple[list[Number], Number]:
    """The outcomes of a chance node with an extreme value for all that is not known yet, and their mean."""
    tree = about.tree
    assert tree.bounds is not None
    alpha = cut.kind == "alpha"
    limit = tree.bounds[1 if alpha else 0]
    skipped = set(cut.skipped)

    def value(child: Node) -> Number:
        # A probe bounds a MIN node from above and a MAX node from below; the other side stays open.
        open_side = child in probed and (tree.turn[child] == MAX) == alpha
        known: Number = limit if child in skipped or open_side else about.returned(child)
        return known

    children = about.in_order(cut.node)
    values = list(map(value, children))
    return values, expectation(tree, children, values)


def _seen_at_chance(about: About, cut: Cut, probed: set[Node], handed: Bound) -> list[Sentence]:
    assert about.tree.bounds is not None
    values, mean = _mean_at_best(about, cut, probed)
    alpha, name = cut.kind == "alpha", about.name(cut.node)
    facts: dict[str, Fact] = {
        "node": name,
        "limit": about.tree.bounds[1 if alpha else 0],
        "sum": about.weighted(cut.node, iter(values), mean),
    }
    sentences = [Sentence("cut.chance.alpha" if alpha else "cut.chance.beta", None, facts)]
    if mean != handed:
        clamped: dict[str, Fact] = {"node": name, "window": about.window(cut.node), "handed": Limit(handed)}
        sentences.append(Sentence("back.chance.clamped", None, clamped))
    return sentences


_BEST = {
    (MAX, True): "back.max",
    (MIN, True): "back.min",
    (MAX, False): "back.max.many",
    (MIN, False): "back.min.many",
}


def value_sentence(about: About, node: Node, value: Any) -> list[Sentence]:
    """How a node that was searched to its end got its value."""
    turn = about.tree.turn[node]
    if turn == CHANCE:
        return _mean(about, node, value)
    if turn in (OR, AND):
        return [_success(about, node, bool(value))]
    if about.tree.players:
        return _player(about, node)
    return _best(about, node, str(turn))


def value_formula(about: About, node: Node, value: Any) -> Formula:
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
