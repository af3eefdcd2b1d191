"""Why a search stopped at a node."""

from __future__ import annotations

from solver.game.convention import Bound
from solver.game.tree import CHANCE, MAX, MIN, Node
from solver.kernel.exact import Number
from solver.languages.facts import Fact, Items, Limit, Sentence
from solver.search.trace import Cut
from solver.story.about import About, expectation, fact
from solver.story.happenings import Happening
from solver.story.leaves import is_clamped, leaf_sentence

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


def seen(about: About, happening: Happening, probed: set[Node]) -> list[Sentence]:
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


def why(about: About, cut: Cut, probed: set[Node]) -> Sentence:
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
        "leaves": pruned_by(about, cut, probed),
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


def pruned_by(about: About, cut: Cut, probed: set[Node]) -> Items:
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
