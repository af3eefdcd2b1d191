"""A tree in the flat form, written anew with each node inside its parent. Every comment stays, with its node."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from grader.service.tasks.tree_places import CHILDREN, TREE
from grader.service.tasks.tree_text import Span, edited, line_end, spans
from solver.kernel import UsageError

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
