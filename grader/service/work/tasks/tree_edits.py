"""A tree is built by clicking: each click is a change of the document's text, which keeps its comments and its form."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from grader.service.work.messages import message
from grader.service.work.tasks.refusing import refusing
from grader.service.work.tasks.tree_fields import bare, branched, new_leaf, with_field
from grader.service.work.tasks.tree_flat import flat_game, nested
from grader.service.work.tasks.tree_places import (
    CHILDREN,
    SAYS_VALUE,
    TURN,
    VALUE,
    NodeOutline,
    Placed,
    TreeText,
    node_outlines,
    shares,
    tree_text,
)
from grader.service.work.tasks.tree_players import set_players, with_unknowns
from grader.service.work.tasks.tree_text import (
    Span,
    appended,
    replaced,
    spans,
    swapped,
    with_pair,
    without_item,
    without_pair,
)
from solver.kernel import UsageError, parse_number

LONGEST = 200
NEST = "nest"
TRUTHS = ("true", "false")
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
            text = change(text, tree, tree.at(tuple(path)), to.strip()[:LONGEST])
            tree = tree_text(spans(text))
        return EditedTree(text, node_outlines(tree), tree.players)


def add(text: str, tree: TreeText, node: Placed, _to: str) -> str:
    """One more child. A leaf becomes an inner node: its value is the first child's, and there is a second child."""
    children = node.children
    if children is None:
        return branched(text, tree, node)
    new = new_leaf(tree, node.turn or "")
    if any(each.kind == "mapping" and "p" in each.names for each in children.items):
        new = f"{{p: 0, value: {bare(new)}}}"
    return appended(text, children, new)


def remove(text: str, tree: TreeText, node: Placed, _to: str) -> str:
    """A node with all below it. Without children its parent would be nothing: that becomes a leaf."""
    if node.parent is None:
        raise UsageError("the root stays: a tree has one")
    children = node.parent.children
    assert children is not None
    if len(children.items) > 1:
        return without_item(text, children, node.path[-1])
    parent, leaf = node.parent.span, bare(new_leaf(tree, node.parent.turn or ""))
    if parent.kind == "list":
        return replaced(text, parent.start, parent.end, leaf)
    key = parent.key(CHILDREN)
    assert key is not None
    text = replaced(text, key.start, children.end, f"value: {leaf}")
    if TURN not in parent.names:
        return text
    return without_pair(text, tree_text(spans(text)).at(node.parent.path).span, TURN)


def earlier(text: str, _tree: TreeText, node: Placed, _to: str) -> str:
    return _moved(text, node, -1)


def later(text: str, _tree: TreeText, node: Placed, _to: str) -> str:
    return _moved(text, node, 0)


def set_value(text: str, tree: TreeText, node: Placed, to: str) -> str:
    """A number, an unknown's name, true or false; of several players numbers with commas between. A name that is new
    is declared as an unknown."""
    if node.turn is not None:
        raise UsageError("an inner node has no value of its own: it is worth what its children give it")
    parts = [each.strip() for each in to.strip("[]()").split(",")]
    if len(parts) > 1 and len(parts) != tree.parties:
        raise UsageError(f"a leaf has {tree.parties or 1} number{'s' if tree.parties > 1 else ''}, not {len(parts)}")
    for each in parts:
        if parse_number(each) is None and not _NAME.fullmatch(each):
            raise UsageError(f"a value is a number such as 3, -2.5 or 1/3, not {each[:40]!r}")
    written = f"[{', '.join(parts)}]" if len(parts) > 1 else parts[0]
    text = _with_value(text, node.span, written)
    names = [each for each in parts if parse_number(each) is None and each.lower() not in TRUTHS]
    return with_unknowns(text, tree_text(spans(text)), names)


def _with_value(text: str, span: Span, written: str) -> str:
    if span.kind != "mapping":
        return replaced(text, span.start, span.end, written)
    key = next((name for name in SAYS_VALUE if name in span.names), None)
    if key is None:
        return with_pair(text, span, VALUE, written, first=False)
    start, end = span.key(key), span.get(key)
    assert start is not None and end is not None
    return replaced(text, start.start, end.end, f"value: {written}")


def set_turn(text: str, tree: TreeText, node: Placed, to: str) -> str:
    if node.turn is None:
        raise UsageError("nobody moves at a leaf")
    if to == node.turn:
        return text
    return with_field(text, tree, node, TURN, to)


def _field(key: str) -> Callable[[str, TreeText, Placed, str], str]:
    def set_field(text: str, tree: TreeText, node: Placed, to: str) -> str:
        return with_field(text, tree, node, key, to)

    return set_field


def set_probability(text: str, tree: TreeText, node: Placed, to: str) -> str:
    """Where the other outcomes have none yet, they share what is left: all have one, or none has."""
    if node.parent is None or node.parent.turn != "chance":
        raise UsageError("only what follows a chance node has a probability")
    written = parse_number(to) if to else None
    if to and (written is None or not 0 <= written <= 1):
        raise UsageError(f"a probability is a number from 0 to 1, such as 1/3, not {to[:40]!r}")
    assert node.parent.children is not None
    places = [(*node.parent.path, place) for place in range(len(node.parent.children.items))]
    bare = [path for path in places if path != node.path and tree.at(path).said("p") is None]
    text = with_field(text, tree, node, "p", to)
    others = [path for path in places if path != node.path] if not to else bare if len(bare) == len(places) - 1 else []
    share = str(shares(len(others), Fraction(written))) if written is not None else ""
    for path in others:
        again = tree_text(spans(text))
        text = with_field(text, again, again.at(path), "p", share)
    return text


def _moved(text: str, node: Placed, step: int) -> str:
    children = node.parent.children if node.parent is not None else None
    if children is None or not 0 <= node.path[-1] + step < len(children.items) - 1:
        raise UsageError("there is no sibling on that side")
    return swapped(text, children, node.path[-1] + step)


OPERATIONS: Mapping[str, Callable[[str, TreeText, Placed, str], str]] = {
    "add": add,
    "remove": remove,
    "earlier": earlier,
    "later": later,
    "value": set_value,
    "turn": set_turn,
    "id": _field("id"),
    "move": _field("move"),
    "p": set_probability,
    "players": set_players,
}
