"""A tree is built by clicking: each click is a change of the document's text, which keeps its comments and its form. A
tree in the flat form is first written anew with each node inside its parent.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction

from grader.service.tasks.document_text import Edit, Span, edited, indented, line_end, spans, spelt_scalar, starts_line
from grader.service.tasks.task_input import refusing
from grader.service.tasks.tree_source import (
    CHANCE,
    CHILDREN,
    PLAIN_TURNS,
    TREE,
    TURN,
    VALUE,
    NodeOutline,
    PlacedNode,
    TreeText,
    leaf_value,
    listed,
    node_outlines,
    tree_text,
)
from grader.service.workers.task_results import message
from solver.game import turn_named
from solver.kernel import UsageError, number_text, parse_number

ROOT, NODES, TO = "root", "nodes", "to"
_COMMENT = re.compile(r"#.*")


def flat_game(document: Span) -> Span | None:
    """The mapping with `root` and `nodes`; None of a document that has no such tree."""
    game = document.get("game") or document
    nodes = game.get(NODES) if game.get(ROOT) and not game.get(TREE) else None
    return game if nodes is not None and nodes.kind == "mapping" else None


def nested(text: str) -> str:
    """The same game with `tree`."""
    game = flat_game(spans(text))
    if game is None:
        raise UsageError("there is no tree in the flat form here")
    if game.flow:
        raise UsageError("this game is written in braces: write its keys in lines first")
    nodes, root = game.get(NODES), game.get(ROOT)
    assert nodes is not None and root is not None
    end = line_end(text, nodes.end)
    comments = _comments(nodes, end)
    # What stands behind `root` would go with its line.
    behind = re.search(r"\s(#.*)", text[root.end : line_end(text, root.end)])
    head = [*([behind[1].rstrip()] if behind else []), *comments.pop("", [])]
    lines = [*head, f"{TREE}:", *(f"  {line}" for line in _tree(nodes, root, comments))]
    return edited(text, [(nodes.outset, end, game.separator.join(lines)), *game.without(root)])


def _tree(nodes: Span, root: Span, comments: dict[str, list[str]]) -> Iterator[str]:
    """The lines of the tree, in document order; without recursion, since trees may be deep."""
    left = {node.key.text: node for node in nodes.items if node.key}
    names = set(left)
    pending: list[tuple[Span, list[str], int]] = [(root, [], 0)]
    while pending:
        child, edge, depth = pending.pop()
        indent = " " * 4 * depth
        dash = indent[2:] + "- " if depth else ""
        if child.kind != "scalar" or child.text not in names:
            if depth == 0:
                raise UsageError(f"{ROOT} names no node")
            leaf = _flow(child)
            yield f"{dash}{{{', '.join([*edge, f'value: {leaf}'])}}}" if edge else dash + leaf
            continue
        node = left.pop(child.text, None)
        if node is None or node.key is None:
            raise UsageError(f"{child.text} is the child of two nodes: a tree cannot hold it twice")
        yield from (indent[2:] + comment for comment in comments.get(child.text, []))
        pairs = [f"id: {node.key.written}", *edge, *_pairs(node, CHILDREN)]
        children = node.get(CHILDREN)
        inside = children is not None and any(item.kind != "scalar" or item.text in names for item in children.items)
        if children is not None:
            pairs.append(f"{CHILDREN}:" if inside else f"{CHILDREN}: {_flow(children)}")
        yield dash + pairs[0]
        yield from (indent + pair for pair in pairs[1:])
        if children is not None and inside:
            edges = ((item.get(TO) or item, _pairs(item, TO) if item.get(TO) else []) for item in children.items)
            pending += reversed([(target, before, depth + 1) for target, before in edges])
    if left:
        raise UsageError(f"{next(iter(left))} is not below the root: take it out or connect it first")


def _pairs(mapping: Span, without: str = "") -> list[str]:
    return [f"{item.key.written}: {_flow(item)}" for item in mapping.items if item.key and item.key.text != without]


def _flow(span: Span) -> str:
    """In one line, without comments."""
    if span.kind == "list":
        return f"[{', '.join(map(_flow, span.items))}]"
    if span.kind == "mapping":
        return f"{{{', '.join(_pairs(span))}}}"
    return json.dumps(span.text, ensure_ascii=False) if "\n" in span.written else span.written


def _comments(nodes: Span, end: int) -> dict[str, list[str]]:
    """By node, in order: what stands above it, at its end or inside it. By "" what stands before all of them."""
    at = nodes.outset
    owners = [("", line_end(nodes.source, at))]
    owners += [(node.key.text, line_end(nodes.source, node.end)) for node in nodes.items if node.key]
    comments: dict[str, list[str]] = {}
    for start, after in [*_scalars(nodes), (end, end)]:
        for comment in _COMMENT.finditer(nodes.source, at, start):
            owner = next(name for name, last in owners if comment.start() <= last)
            comments.setdefault(owner, []).append(comment[0].rstrip())
        at = after
    return comments


def _scalars(span: Span) -> Iterator[tuple[int, int]]:
    """From where to where, in document order."""
    if span.key is not None:
        yield span.key.start, span.key.end
    if span.kind == "scalar":
        yield span.start, span.end
    for item in span.items:
        yield from _scalars(item)


LONGEST = 200
NEST = "nest"
TRUTHS = ("true", "false")
PLAYERS, UNKNOWNS = "players", "unknowns"
MOST = 7
"""Players that pictures have colours for."""
_NAME = re.compile(r"[^\W\d][\w']*")


@message
class EditedTree:
    text: str
    nodes: tuple[NodeOutline, ...] = ()
    players: tuple[str, ...] = ()
    flat: bool = False
    """A tree in the flat form has no nodes here until it is nested."""


def edit_tree(text: str, op: str | None = None, path: Sequence[int] = (), to: str = "") -> EditedTree:
    """The text after a change of the node at the path; nothing is changed without an `op`."""
    with refusing():
        name = op
        if name == NEST:
            text, name = nested(text), None
        document = spans(text)
        if flat_game(document) is not None:
            return EditedTree(text, flat=True)
        tree = tree_text(document)
        if name is not None:
            change = OPERATIONS.get(name)
            if change is None:
                raise UsageError(f"there is no change called {name[:40]!r}; there are {', '.join(OPERATIONS)}")
            text = edited(text, change(tree, tree.at(tuple(path)), to.strip()[:LONGEST]))
            tree = tree_text(spans(text))
        return EditedTree(text, node_outlines(tree), tree.players)


def add(tree: TreeText, node: PlacedNode, _to: str) -> list[Edit]:
    """One more child. A leaf becomes an inner node: its value is the first child's, and there is a second child."""
    children = node.children
    if children is None:
        return _branched(tree, node)
    new = _new_leaf(tree, node.turn)
    if any(child.get("p") for child in children.items):
        new = f"{{p: 0, value: {_bare(new)}}}"
    return [children.with_last(new)]


def _branched(tree: TreeText, node: PlacedNode) -> list[Edit]:
    turn, span = tree.next_turn(node), node.span
    new, truths = _new_leaf(tree, turn), turn in ("or", "and")
    if span.kind == "mapping":
        value = leaf_value(span)
        if value is None:
            raise UsageError("this leaf has no value that its first child could have")
        pair = span.source[value.outset : value.end]
        first = value.written if value is span.get(VALUE) and not truths else f"{{{pair}}}"
        written = f"turn: {spelt_scalar(turn)}{span.separator}children: [{first}, {new}]"
        return [(value.outset, value.end, written)]
    children = f"[{span.written}, {new}]"
    implied = turn == tree.implied(len(node.path)) and not truths
    return [span.becomes(children if implied else f"{{turn: {spelt_scalar(turn)}, children: {children}}}")]


def _new_leaf(tree: TreeText, turn: str | None) -> str:
    if turn in ("or", "and"):
        return "{value: true}"
    return f"[{', '.join('0' * tree.parties)}]" if tree.parties else "0"


def _bare(leaf: str) -> str:
    return leaf.removeprefix("{value: ").removesuffix("}")


def remove(tree: TreeText, node: PlacedNode, _to: str) -> list[Edit]:
    """A node with all below it. Without children its parent would be nothing: that becomes a leaf."""
    if node.parent is None:
        raise UsageError("the root stays: a tree has one")
    parent, children = node.parent.span, node.parent.children
    assert children is not None
    if len(children.items) > 1:
        return children.without(children.items[node.path[-1]])
    leaf = _bare(_new_leaf(tree, node.parent.turn))
    if children is parent:
        return [parent.becomes(leaf)]
    turn = parent.get(TURN)
    return [(children.outset, children.end, f"value: {leaf}"), *(parent.without(turn) if turn is not None else [])]


def _moved_by(step: int) -> Callable[[TreeText, PlacedNode, str], list[Edit]]:
    def moved(_tree: TreeText, node: PlacedNode, _to: str) -> list[Edit]:
        children = node.parent.children if node.parent is not None else None
        if children is None or not 0 <= node.path[-1] + step < len(children.items):
            raise UsageError("there is no sibling on that side")
        return children.swapped(min(node.path[-1], node.path[-1] + step))

    return moved


def set_value(tree: TreeText, node: PlacedNode, to: str) -> list[Edit]:
    """A number, an unknown's name, true or false; of several players numbers with commas between. A name that is new
    is declared as an unknown."""
    if node.turn is not None:
        raise UsageError("an inner node has no value of its own: it is worth what its children give it")
    parts = [part.strip() for part in to.strip("[]()").split(",")]
    if len(parts) > 1 and len(parts) != tree.parties:
        raise UsageError(f"a leaf has {tree.parties or 1} number{'s' if tree.parties > 1 else ''}, not {len(parts)}")
    names = [part for part in parts if parse_number(part) is None]
    for name in names:
        if not _NAME.fullmatch(name):
            raise UsageError(f"a value is a number such as 3, -2.5 or 1/3, not {name[:40]!r}")
    value = _with_value(node.span, f"[{', '.join(parts)}]" if len(parts) > 1 else parts[0])
    return [value, *_with_unknowns(tree, [name for name in names if name.lower() not in TRUTHS])]


def _with_value(span: Span, written: str) -> Edit:
    if span.kind != "mapping":
        return span.becomes(written)
    value, pair = leaf_value(span), f"{VALUE}: {written}"
    return span.with_last(pair) if value is None else (value.outset, value.end, pair)


def _with_unknowns(tree: TreeText, names: list[str]) -> list[Edit]:
    """With these names declared, where they are not yet."""
    declared = tree.game.get(UNKNOWNS)
    known = [item.text for item in declared.items] if declared is not None else []
    new = [name for name in dict.fromkeys(names) if name not in known]
    if not new:
        return []
    return [tree.declaring(UNKNOWNS, new) if declared is None else declared.with_last(*map(spelt_scalar, new))]


def set_turn(tree: TreeText, node: PlacedNode, to: str) -> list[Edit]:
    if node.turn is None:
        raise UsageError("nobody moves at a leaf")
    return _with_field(tree, node, TURN, to) if to != node.turn else []


def set_probability(tree: TreeText, node: PlacedNode, to: str) -> list[Edit]:
    """Where the other outcomes have none yet, they share what is left: all have one, or none has."""
    parent = node.parent
    if parent is None or parent.turn != CHANCE:
        raise UsageError("only what follows a chance node has a probability")
    p = parse_number(to) if to else 0
    if p is None or not 0 <= p <= 1:
        raise UsageError(f"a probability is a number from 0 to 1, such as 1/3, not {to[:40]!r}")
    edits = _with_field(tree, node, "p", to)
    others = [other for other in tree.nodes() if other.path[:-1] == parent.path and other.path not in ((), node.path)]
    if not to or all(other.field("p") is None for other in others):
        share = str((1 - Fraction(p)) / len(others)) if to and others else ""
        edits += [edit for other in others for edit in _with_field(tree, other, "p", share)]
    return edits


def _setting(key: str) -> Callable[[TreeText, PlacedNode, str], list[Edit]]:
    return lambda tree, node, to: _with_field(tree, node, key, to)


def _with_field(tree: TreeText, node: PlacedNode, key: str, to: str) -> list[Edit]:
    """A node with a key more, or with another value of it; without the key if there is nothing to say."""
    span, pair = node.span, f"{key}: {spelt_scalar(to)}"
    value = span.get(key)
    if value is not None:
        return [value.becomes(spelt_scalar(to))] if to else span.without(value)
    if not to:
        return []
    if span.kind == "mapping":
        return [span.with_first(pair)]
    keys = [pair, f"{TURN}: {spelt_scalar(node.turn)}"] if node.turn is not None and key != TURN else [pair]
    if node.turn is None or span.flow:
        inner = VALUE if node.turn is None else CHILDREN
        return [span.becomes(f"{{{', '.join(keys)}, {inner}: {span.written}}}")]
    # A list in lines: its keys stand above it, further to the right than what they belong to.
    deeper = 2 if starts_line(span.source, span.start) and span.column <= tree.game.column else 0
    return [span.becomes(indented(span.separator.join([*keys, f"{CHILDREN}:", span.written]), deeper))]


def set_players(tree: TreeText, _node: PlacedNode, to: str) -> list[Edit]:
    """Names with commas between, or none. Who was MAX becomes the first, who was MIN the second; a leaf's number
    becomes a vector, of two players the number and its opposite."""
    names = [name for part in re.split(r"[,;،]", to) if (name := part.strip())]
    _require_players(tree, names)
    if tuple(names) == tree.players:
        return []
    turns, edits = [], []
    for place in tree.nodes():
        span = place.span.get(VALUE if place.turn is None else TURN)
        if place.turn is not None:
            turns += [span] if span is not None else []
        elif span is not None or place.span.kind != "mapping":
            value = span or place.span
            edits.append(value.becomes(_vector(_numbers(tree, value), len(names))))
    levels = tree.game.get("levels")
    turns += levels.items if levels is not None else []
    edits += [
        span.becomes(spelt_scalar(_renamed(tree.players, names, turn_named(span.text, tree.players)))) for span in turns
    ]
    declared = tree.game.get(PLAYERS)
    if declared is None:
        return [*edits, tree.declaring(PLAYERS, names)]
    if not names:
        return [*edits, *tree.game.without(declared)]
    if len(declared.items) != len(names):
        return [*edits, declared.becomes(listed(names))]
    return [*edits, *(old.becomes(spelt_scalar(new)) for old, new in zip(declared.items, names, strict=True))]


def _require_players(tree: TreeText, names: list[str]) -> None:
    if tree.game.get("teams"):
        raise UsageError("this game has teams: change its players in the text")
    if len(names) > MOST:
        raise UsageError(f"at most {MOST} players, not {len(names)}")
    taken = [name for name in names if name in PLAIN_TURNS]
    if taken:
        raise UsageError(f"{taken[0]} is not a player's name: without players it is MAX's and MIN's turn")
    if len(set(names)) < len(names):
        raise UsageError("two players have the same name")


def _numbers(tree: TreeText, value: Span) -> list[str]:
    if value.kind == "mapping":
        numbers = (value.get(name) for name in tree.players)
        return [number.written if number is not None else "0" for number in numbers]
    return [part.written for part in (value.items if value.kind == "list" else [value])]


def _vector(numbers: list[str], count: int) -> str:
    if not count:
        return numbers[0]
    if count == 2 and len(numbers) == 1:
        number = parse_number(numbers[0])
        numbers = [*numbers, number_text(-number) if number is not None else "0"]
    return f"[{', '.join([*numbers, *('0' for _ in range(count))][:count])}]"


def _renamed(before: tuple[str, ...], names: list[str], turn: str) -> str:
    old = before or ("max", "min")
    if turn == CHANCE or turn not in old:
        return turn
    new = names or ["max", "min"]
    return new[old.index(turn) % len(new)]


OPERATIONS: Mapping[str, Callable[[TreeText, PlacedNode, str], list[Edit]]] = {
    "add": add,
    "remove": remove,
    "earlier": _moved_by(-1),
    "later": _moved_by(1),
    "value": set_value,
    "turn": set_turn,
    "id": _setting("id"),
    "move": _setting("move"),
    "p": set_probability,
    "players": set_players,
}
