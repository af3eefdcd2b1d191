"""The stops of a search, and a pruned set beside them. On trees with chance nodes a cut test is not v against α or β:
there stops are compared with the key's own."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from grader.questions.answer_key import KeyedQuestion
from solver.analysis import ByKey, ByReplay, CrossedOutItem, KeySearch, KeyStop, Soundness
from solver.game import CHANCE, ROOT, Convention, Node, NodeId, Tree, initial_window
from solver.kernel import Number
from solver.search import Cut, Search

MOST_REMEMBERED = 4_096
"""Of the pruned sets that were judged."""


def stops_of(question: KeyedQuestion) -> Mapping[str, Cut]:
    """The stops of the key by name, in the order of the search; none where nothing is searched."""
    solution, tree = question.solution, question.solution.tree
    if solution.search is None:
        return {}
    cuts: Sequence[Cut] = solution.search.cuts
    if CHANCE in tree.turns:
        leaves = [node for node in solution.pruned if not tree.children[node]]
        cuts = seen_stops(tree, question.convention, cuts, leaves)
    return {stop_name(tree.ids[cut.node], tree.ids[cut.after]): cut for cut in cuts}


def stop_name(node: str, after: str | None) -> str:
    return node if after is None else f"{node} after {after}"


def judged(question: KeyedQuestion, crossed: frozenset[str], handed_up: Mapping[Node, Number]) -> Soundness:
    """Crossed-out leaves beside the stops of a search: the key's, or the one with these values. Many students cross out
    the same."""
    tree, convention, found = question.solution.tree, question.convention, question.exercise.judged
    if CHANCE in tree.turns:
        return by_cuts(tree, convention, crossed, stops_of(question).values())
    window = initial_window(tree, convention)
    # Which tree it is depends on the algorithm, the depth and what a depth counts.
    of = (question.algorithm, question.depth, convention.depth_unit)
    by = (of, convention.cut, convention.order, window)
    asked = (*by, crossed, frozenset(handed_up.items()))
    if asked not in found:
        if len(found) >= MOST_REMEMBERED:
            found.clear()
        if handed_up:
            search = KeySearch(tree, convention, window, handed_up)
        else:
            search = found[by] if by in found else found.setdefault(by, KeySearch(tree, convention, window))
        index: Mapping[str, Node] = tree.index  # type: ignore[assignment]
        leaves = {index[leaf] for leaf in crossed}
        # Whether the root's value survives depends on the leaves and the window alone.
        surviving = (of, window, crossed)
        if surviving not in found:
            found[surviving] = search.value_survives(leaves)
        found[asked] = search.judge(leaves, found[surviving])
    known: Soundness = found[asked]
    return known


def judged_at_best(question: KeyedQuestion, crossed: frozenset[str], search: Search) -> Soundness:
    """The same beside a search that has been made, where every stop is taken to be sound that may be: whether it is,
    takes a replay to find out."""
    return by_cuts(question.solution.tree, question.convention, crossed, search.cuts, unproved="sound")


def by_cuts(
    tree: Tree,
    convention: Convention,
    crossed: Collection[str],
    cuts: Iterable[Cut],
    unproved: ByReplay = "unsound",
) -> Soundness:
    """A pruned set beside a search's cuts: a stop is right, late inside one of them, or else `unproved`."""
    key = {(cut.node, cut.after): _leaves(tree, cut.skipped) for cut in cuts}
    spared = {leaf for leaves in key.values() for leaf in leaves}
    right: set[tuple[int, int]] = set()
    late: set[str] = set()
    items: list[CrossedOutItem] = []
    for node, after, skipped, stop in runs(tree, convention, crossed):
        leaves = _leaves(tree, skipped)
        verdict: ByKey | None = None
        if stop and (node, after) in key:
            verdict = "right"
            right.add((node, after))  # type: ignore[arg-type]
        elif spared.issuperset(leaves):
            verdict = "late"
            late.update(leaves)
        items.append(_item(tree, node, after, skipped, leaves, stop, "sound" if verdict else unproved, verdict))
    stops = []
    for cut in cuts:
        leaves = key[cut.node, cut.after]
        hit = (cut.node, cut.after) in right
        item = _item(tree, cut.node, cut.after, cut.skipped, leaves, True, "sound", "right")
        stops.append(KeyStop(item, "right" if hit else "late" if late.intersection(leaves) else "missed"))
    return Soundness(tuple(items), tuple(stops), True)


def seen_stops(tree: Tree, convention: Convention, cuts: Sequence[Cut], pruned: Iterable[int]) -> list[Cut]:
    """A search's cuts as its pruned leaves show them. Star2 probes children before it searches them; where it then
    cuts, it leaves out the rest of what it has probed, and that lies further down than the cut."""
    found: list[tuple[int, Cut]] = []
    crossed = {str(tree.ids[node]) for node in pruned}
    for node, after, skipped, _ in runs(tree, convention, crossed):
        if after is not None and (cut := origin(tree, cuts, node, after)) is not None:
            found.append((cuts.index(cut), cut._replace(node=node, after=after, skipped=skipped)))
    # In the order of the search.
    return [stop for _, stop in sorted(found, key=lambda each: each[0])]


def origin(tree: Tree, cuts: Sequence[Cut], node: Node, after: int) -> Cut | None:
    """The cut by which a search left out what comes after a child: its own, or that of the nearest node above."""
    here = [cut for cut in cuts if cut.node == node and cut.after == after]
    above = [cut for cut in cuts if cut.node <= node <= tree.last[cut.node]]
    return next(iter(here), max(above, key=lambda cut: cut.node, default=None))


def runs(
    tree: Tree, convention: Convention, crossed: Collection[str]
) -> Iterator[tuple[Node, Node | None, tuple[Node, ...], bool]]:
    """Children of visited nodes that were left out together, in search order: the node, the child before, the children,
    and whether the run reaches the last child."""
    step = -1 if convention.order == "right-to-left" else 1
    gone = left_out(tree, crossed)
    for node in tree.inner:
        if gone[node]:
            if node == 0:
                yield ROOT, None, (ROOT,), False
            continue
        before: Node | None = None
        run: list[Node] = []
        for child in tree.children[node][::step]:
            if gone[child]:
                run.append(child)
                continue
            if run:
                yield node, before, tuple(run), False
            before, run = child, []
        if run:
            yield node, before, tuple(run), True


def left_out(tree: Tree, crossed: Collection[str]) -> Sequence[bool]:
    """By node, whether all its leaves are crossed out."""
    gone = [name in crossed for name in tree.ids]
    for node in tree.bottom_up():
        gone[node] = all(gone[child] for child in tree.children[node])
    return gone


def _leaves(tree: Tree, nodes: Iterable[int]) -> tuple[NodeId, ...]:
    return tuple(tree.ids[node] for top in nodes for node in range(top, tree.last[top] + 1) if not tree.children[node])


def _item(
    tree: Tree,
    node: Node,
    after: int | None,
    skipped: Iterable[int],
    leaves: tuple[NodeId, ...],
    stop: bool,
    soundness: ByReplay,
    key: ByKey | None,
) -> CrossedOutItem:
    return CrossedOutItem(
        node=tree.ids[node],
        after=None if after is None else tree.ids[after],
        skipped=tuple(tree.ids[each] for each in skipped),
        leaves=leaves,
        stop=stop,
        soundness=soundness,
        key=key,
    )
