"""Document → game: growing the columns, naming the nodes, checking what needs the whole tree.

Written names win, and generated ones step around them. A game can be cut off at a depth, with estimates in place of
what lies below (AIMA 3e, section 5.4): the cut-off test takes the place of the terminal test, and the evaluation
that of the utility. What is left is a tree like any other, and every algorithm solves it as it is.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, cast

from solver.documents.document import Document
from solver.game.convention import Convention
from solver.game.game_declarations import first_few, read_declarations
from solver.game.game_tree import AND, CHANCE, NOWHERE, OR, Leaf, Loop, Move, Node, NodeId, Outcome, Tree, Unknown
from solver.game.tree_growth import NO_NAME, Columns, Origin, TooManyNodes, grow_flat, grow_nested, origin_place
from solver.kernel.errors import Limits, Place, ProblemLog, Refusal, quoted
from solver.kernel.exact import RESULT_DIGITS, Number, fits, number_text, simplest, total
from solver.kernel.value_types import Pictured, own_text


@dataclass(frozen=True, slots=True, repr=False)
class Game(Pictured):
    """A tree with what its document says about it, and where each node is in the text."""

    tree: Tree
    title: str | None
    source: str | None
    document: Document
    origins: list[Origin]
    """Of every node, unless the document has no places."""

    def __repr__(self) -> str:
        return f"<Game {self.title or 'without a title'}: {len(self.tree)} nodes, {len(self.tree.leaves)} leaves>"

    def place(self, node: str) -> Place:
        """Where the node with this id is written; a document that was read without places is read again."""
        if self.document.reread is None or (again := self.document.reread()) is None:
            return origin_place(self.document, self.origins[self.tree.index[NodeId(node)]])
        game = build(again, Limits(nodes=sys.maxsize), ProblemLog(0))
        assert game is not None
        return game.place(node)


def build(document: Document, limits: Limits, problems: ProblemLog) -> Game | None:
    """The game of a document that conforms to its schema or was repaired; None if no tree could be grown."""
    data: Any = document.data
    if not isinstance(data, dict):
        return None
    columns = Columns(document, read_declarations(document, problems), limits, problems)
    try:
        if "tree" in data:
            grow_nested(columns, data)
        elif isinstance(data.get("nodes"), dict):
            grow_flat(columns, data)
    except TooManyNodes:
        return None
    if not columns.turn:
        return None
    return Game(_finished(columns), own_text(data.get("title")), data.get("source"), document, columns.origins)


def _finished(columns: Columns) -> Tree:
    def duplicate_id(node: int, first: int) -> None:
        raw = _raw(columns.origin(node))
        origin = (raw, "id") if isinstance(raw, dict) else columns.origin(node)
        columns.report(
            origin, "duplicate-id", f"id {quoted(columns.ids[node])} is taken by the node at line {_line(first)}"
        )

    def duplicate_move(node: int, first: int) -> None:
        raw = _raw(columns.origin(node))
        if isinstance(raw, dict) and "move" in raw:
            columns.edges[node] = (raw, "move")
        line = columns.place(columns.edge(first)).line
        message = f"move {quoted(columns.move[node])} is taken by the sibling at line {line}"
        columns.report_edge(node, "duplicate-move", message)

    def _line(node: int) -> int:
        return columns.place(columns.origin(node)).line

    name_nodes(columns.ids, columns.turn, columns.children, duplicate_id)
    name_moves(columns.ids, columns.move, columns.children, duplicate_move)
    if CHANCE in columns.turn:
        settle_chances(columns)
    statistics = cast("dict[str, dict[Node, Number]]", columns.statistics)
    tree = Tree(
        ids=cast("tuple[NodeId, ...]", tuple(columns.ids)),
        turn=tuple(columns.turn),
        parent=cast("tuple[Node, ...]", tuple(columns.parent)),
        children=tuple(map(tuple, columns.children)),
        depth=tuple(columns.depth),
        move=cast("tuple[Move | None, ...]", (None, *columns.move[1:])),
        probability=tuple(map(columns.probability.get, range(len(columns.turn)))),
        leaf=tuple(columns.leaf),
        estimates=statistics["estimate"],
        visits=statistics["visits"],
        totals=statistics["total"],
        **columns.declared.for_tree(),
    )
    check_leaves(tree, columns.report_node)
    check_claims(tree, columns.report_node)
    return tree


def _raw(origin: Origin) -> Any:
    container, key = origin
    return container[key]


def letters() -> Iterator[str]:
    """A, B, …, Z, AA, AB, …"""
    count = 0
    while True:
        count += 1
        rest, name = count, ""
        while rest:
            rest, digit = divmod(rest - 1, 26)
            name = chr(ord("A") + digit) + name
        yield name


def name_nodes(
    ids: list[str],
    turns: Sequence[str | None],
    children: Sequence[Sequence[int]],
    duplicate: Callable[[int, int], None],
) -> None:
    """Inner nodes get letters breadth first, leaves L1, L2, … left to right; `duplicate` hears of equal written ids."""
    if len(set(ids)) == len(ids) and NO_NAME not in ids:
        return
    taken: dict[str, int] = {}
    for node, name in enumerate(ids):
        if name != NO_NAME and taken.setdefault(name, node) != node:
            duplicate(node, taken[name])
    if NO_NAME not in ids:
        return
    free_letters = (name for name in letters() if name not in taken)
    level = [0]
    while level:
        for node in level:
            if ids[node] == NO_NAME and turns[node] is not None:
                ids[node] = next(free_letters)
        level = [child for node in level for child in children[node]]
    count = 0
    for node, name in enumerate(ids):
        if name == NO_NAME:
            count += 1
            while f"L{count}" in taken:
                count += 1
            ids[node] = f"L{count}"


def name_moves(
    ids: Sequence[str], moves: list[str], children: Sequence[Sequence[int]], duplicate: Callable[[int, int], None]
) -> None:
    """Unnamed moves get the parent's id in lower case and the child's position: a1, a2, …; a taken one becomes a1_2."""
    for node, below in enumerate(children):
        if not below:
            continue
        written = {moves[child] for child in below}
        if len(written) == len(below) and NO_NAME not in written:
            continue
        taken: dict[str, int] = {}
        for child in below:
            if moves[child] != NO_NAME and taken.setdefault(moves[child], child) != child:
                duplicate(child, taken[moves[child]])
        stem = ids[node].lower()
        for position, child in enumerate(below, start=1):
            if moves[child] == NO_NAME:
                name = f"{stem}{position}"
                again = 1
                while name in taken:
                    again += 1
                    name = f"{stem}{position}_{again}"
                taken[name] = child
                moves[child] = name


Report = Callable[[int, str, str], None]


def settle_chances(columns: Columns) -> None:
    """Uniform where no probability is given; otherwise all are given and add up to exactly 1."""
    for node, turn in enumerate(columns.turn):
        if turn != CHANCE:
            continue
        below = columns.children[node]
        given = [child for child in below if child in columns.with_probability]
        if not given:
            for child in below:
                columns.probability[child] = simplest(Fraction(1, len(below)))
            continue
        if len(given) < len(below):
            for child in below:
                if child not in columns.with_probability:
                    message = (
                        f"chance node {columns.ids[node]}: no probability here, but there is one on other children"
                    )
                    columns.report_edge(child, "probability-missing", message, "give p on all children or on none")
            continue
        chances = [columns.probability[child] for child in below if child in columns.probability]
        if len(chances) == len(below) and (added := _sum(chances)) != 1:
            shown = f"more than {RESULT_DIGITS:,} digits" if added is None else str(added)
            message = f"chance node {columns.ids[node]}: probabilities add up to {shown}, not 1"
            columns.report_node(node, "probability-sum", message)


def _sum(chances: Sequence[Number]) -> Number | None:
    """None where the exact sum grows too long to be of use: adding on would take quadratic time."""
    added = Fraction(0)
    for chance in chances:
        added += chance
        if not fits(added):
            return None
    return simplest(added)


def check_leaves(tree: Tree, report: Report) -> None:
    """Numbers below MAX, MIN and chance; vectors below players; true, false and loops below or and and."""
    if tree.only_numbers and not tree.players and not tree.turns & {OR, AND}:
        return
    for node in tree.leaves:
        leaf = tree.leaf[node]
        above = tree.turn[tree.parent[node]] if node else None
        if leaf is None:
            continue
        logical = isinstance(leaf, Outcome | Loop)
        if above in (OR, AND) and not logical:
            report(node, "leaf-value", f"{tree.name(node)}: below `or` and `and` nodes a leaf is true, false or a loop")
        elif above not in (OR, AND, None) and logical:
            report(node, "leaf-value", f"{tree.name(node)}: true, false and loops belong below `or` and `and` nodes")
        elif tree.players and not isinstance(leaf, tuple):
            report(
                node,
                "vector",
                f"{tree.name(node)}: a vector is needed here, one number for each of {first_few(tree.sides)}",
            )
        if isinstance(leaf, Loop) and not _is_ancestor(tree, leaf, node):
            report(node, "loop", f"{tree.name(node)}: {leaf.target} is not an ancestor")


def _is_ancestor(tree: Tree, loop: Loop, node: Node) -> bool:
    target = tree.index.get(loop.target, -1)
    return 0 <= target < node <= tree.last[target]


def check_claims(tree: Tree, report: Report) -> None:
    """`sum` and `bounds`, at every leaf that is known."""
    if tree.sum is None and tree.bounds is None:
        return
    for node in tree.leaves:
        numbers = _numbers(tree.leaf[node])
        if not numbers:
            continue
        if tree.sum is not None and tree.players and (added := total(numbers)) != tree.sum:
            report(
                node,
                "sum-claim",
                f"{tree.name(node)}: the vector adds up to {number_text(added)}, not {number_text(tree.sum)}",
            )
        if tree.bounds is not None:
            low, high = tree.bounds
            claimed = f"{number_text(low)} to {number_text(high)}"
            for number in numbers:
                if not low <= number <= high:
                    message = f"{tree.name(node)}: {number_text(number)} lies outside the bounds {claimed}"
                    report(node, "bounds-claim", message)


def _numbers(leaf: Leaf | None) -> tuple[Number, ...]:
    if leaf is None or isinstance(leaf, Unknown | Loop | Outcome):
        return ()
    return leaf if isinstance(leaf, tuple) else (leaf,)


def plies(tree: Tree, depth: int, convention: Convention) -> int:
    """A depth in half-moves; a round is one move of every player."""
    return depth if convention.depth_unit == "ply" else depth * max(2, len(tree.players))


def cut_off(game: Game, depth: int) -> Game:
    """The game down to a depth; Refusal, naming the node, where the search would stop at one without an estimate."""
    tree = game.tree
    estimates = tree.estimates or {}
    kept = [node for node in tree.nodes if tree.depth[node] <= depth]
    new = dict(zip(kept, tree.nodes, strict=False))
    leaf = []
    for node in kept:
        stopped = tree.depth[node] == depth and tree.turn[node] is not None
        if stopped and node not in estimates:
            message = f"the depth limit stops at {tree.name(node)}, which has no estimate"
            raise Refusal(tree.ids[node], "no-estimate", message, "give it an estimate, or choose another depth")
        leaf.append(estimates[node] if stopped else tree.leaf[node])
    shorter = replace(
        tree,
        ids=tuple(tree.ids[node] for node in kept),
        turn=tuple(tree.turn[node] if tree.depth[node] < depth else None for node in kept),
        parent=tuple(new[tree.parent[node]] if node else NOWHERE for node in kept),
        children=tuple(
            tuple(new[child] for child in tree.children[node]) if tree.depth[node] < depth else () for node in kept
        ),
        depth=tuple(tree.depth[node] for node in kept),
        move=tuple(tree.move[node] for node in kept),
        probability=tuple(tree.probability[node] for node in kept),
        leaf=tuple(leaf),
        estimates={new[node]: estimate for node, estimate in estimates.items() if node in new},
        visits={new[node]: visits for node, visits in (tree.visits or {}).items() if node in new},
        totals={new[node]: total for node, total in (tree.totals or {}).items() if node in new},
    )
    return replace(game, tree=shorter, origins=[game.origins[node] for node in kept if game.origins])
