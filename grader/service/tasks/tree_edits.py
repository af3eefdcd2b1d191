"""A tree is built by clicking: each click edits the document's text, and keeps its comments and its form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from grader.service.tasks.refusing import refusing
from grader.service.tasks.tree_flat import flat_game, nested
from grader.service.tasks.tree_places import (
    CHANCE,
    CHILDREN,
    PLAIN_TURNS,
    TURN,
    VALUE,
    NodeOutline,
    Placed,
    TreeText,
    leaf_value,
    listed,
    node_outlines,
    tree_text,
)
from grader.service.tasks.tree_text import Edit, Span, edited, indented, spans, spelt_scalar, starts_line
from grader.service.work.messages import message
from solver.kernel import UsageError, number_text, parse_number

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


def add(tree: TreeText, node: Placed, _to: str) -> list[Edit]:
    """One more child. A leaf becomes an inner node: its value is the first child's, and there is a second child."""
    children = node.children
    if children is None:
        return _branched(tree, node)
    new = _new_leaf(tree, node.turn)
    if any(child.get("p") for child in children.items):
        new = f"{{p: 0, value: {_bare(new)}}}"
    return [children.with_last(new)]


def _branched(tree: TreeText, node: Placed) -> list[Edit]:
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


def remove(tree: TreeText, node: Placed, _to: str) -> list[Edit]:
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


def _moved_by(step: int) -> Callable[[TreeText, Placed, str], list[Edit]]:
    def moved(_tree: TreeText, node: Placed, _to: str) -> list[Edit]:
        children = node.parent.children if node.parent is not None else None
        if children is None or not 0 <= node.path[-1] + step < len(children.items):
            raise UsageError("there is no sibling on that side")
        return children.swapped(min(node.path[-1], node.path[-1] + step))

    return moved


def set_value(tree: TreeText, node: Placed, to: str) -> list[Edit]:
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


def set_turn(tree: TreeText, node: Placed, to: str) -> list[Edit]:
    if node.turn is None:
        raise UsageError("nobody moves at a leaf")
    return _with_field(tree, node, TURN, to) if to != node.turn else []


def set_probability(tree: TreeText, node: Placed, to: str) -> list[Edit]:
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


def _setting(key: str) -> Callable[[TreeText, Placed, str], list[Edit]]:
    return lambda tree, node, to: _with_field(tree, node, key, to)


def _with_field(tree: TreeText, node: Placed, key: str, to: str) -> list[Edit]:
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


def set_players(tree: TreeText, _node: Placed, to: str) -> list[Edit]:
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
    edits += [span.becomes(spelt_scalar(_renamed(tree.players, names, span.text))) for span in turns]
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


OPERATIONS: Mapping[str, Callable[[TreeText, Placed, str], list[Edit]]] = {
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
