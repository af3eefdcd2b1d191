"""A tree in the flat form, written anew with each node inside its parent. Every comment stays, with its node."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from grader.service.tasks.tree_places import CHILDREN, VALUE
from grader.service.tasks.tree_text import Span, line_end, line_start, replaced, spans, without_pair
from solver.kernel import UsageError

ROOT, NODES, TO = "root", "nodes", "to"
Pairs = list[tuple[str, str]]


def flat_game(document: Span) -> Span | None:
    """The mapping with `root` and `nodes`; None of a document that has no such tree."""
    inner = document.get("game") if document.kind == "mapping" else None
    game = inner if inner is not None else document
    fits = game.kind == "mapping" and "tree" not in game.names and {ROOT, NODES} <= set(game.names)
    nodes = game.get(NODES) if fits else None
    return game if nodes is not None and nodes.kind == "mapping" else None


def nested(text: str) -> str:
    """The same game with `tree`."""
    game = flat_game(spans(text))
    if game is None:
        raise UsageError("there is no tree in the flat form here")
    if game.flow:
        raise UsageError("this game is written in braces: write its keys in lines first")
    key, nodes, root = game.key(NODES), game.get(NODES), game.get(ROOT)
    assert key is not None and nodes is not None and root is not None
    end = line_end(text, nodes.end)
    said = _comments(text, key.start, end, nodes)
    indent = " " * game.column
    # What stands behind `root` would go with its line.
    head = [each for each in (_behind(text, root.end), *said.pop("", [])) if each]
    lines = [*head, "tree:", *(f"  {line}" for line in _tree(text, nodes, root.text, said))]
    written = replaced(text, key.start, end, f"\n{indent}".join(lines))
    found = flat_root(spans(written))
    return without_pair(written, found, ROOT)


def flat_root(document: Span) -> Span:
    inner = document.get("game")
    return inner if inner is not None else document


def _tree(text: str, nodes: Span, root: str, said: dict[str, list[str]]) -> Iterator[str]:
    """The lines of the tree, in document order; without recursion, since trees may be deep."""
    left = dict(zip(nodes.names, nodes.items, strict=True))
    pending: list[tuple[Span | str, Pairs, int]] = [(root, [], 0)]
    while pending:
        child, before, depth = pending.pop()
        name = child if isinstance(child, str) else child.text if child.kind == "scalar" else None
        known = name is not None and name in nodes.names
        start = " " * (4 * depth - 2) + "- " if depth else ""
        if not known:
            if depth == 0:
                raise UsageError(f"{ROOT} names no node")
            assert isinstance(child, Span)
            value = _flow(text, child)
            yield start + (f"{{{_paired([*before, (VALUE, value)])}}}" if before else value)
            continue
        assert name is not None
        span = left.pop(name, None)
        if span is None:
            raise UsageError(f"{name} is the child of two nodes: a tree cannot hold it twice")
        place = nodes.keys[nodes.names.index(name)]
        children = span.get(CHILDREN) if span.kind == "mapping" else None
        own = [("id", text[place.start : place.end]), *before, *_pairs(text, span, CHILDREN)]
        yield from (" " * max(0, 4 * depth - 2) + each for each in said.get(name, []))
        if children is not None and all(
            each.kind == "scalar" and each.text not in nodes.names for each in children.items
        ):
            own.append((CHILDREN, _flow(text, children)))
            children = None
        for number, (key, value) in enumerate(own):
            yield f"{' ' * 4 * depth if number else start}{key}: {value}"
        if children is not None:
            yield f"{' ' * 4 * depth}{CHILDREN}:"
            pending += [(*_edge(text, each), depth + 1) for each in reversed(children.items)]
    if left:
        raise UsageError(f"{next(iter(left))} is not below the root: take it out or connect it first")


def _leaves_only(children: Span, nodes: Span) -> bool:
    return all(each.kind == "scalar" and each.text not in nodes.names for each in children.items)


def _edge(text: str, child: Span) -> tuple[Span, Pairs]:
    """A child, and what its edge says."""
    target = child.get(TO) if child.kind == "mapping" else None
    return (child, []) if target is None else (target, _pairs(text, child, TO))


def _pairs(text: str, mapping: Span, without: str) -> Pairs:
    return [
        (text[key.start : key.end], _flow(text, item))
        for key, item in zip(mapping.keys, mapping.items, strict=True)
        if key.text != without
    ]


def _paired(pairs: Pairs) -> str:
    return ", ".join(f"{key}: {value}" for key, value in pairs)


def _flow(text: str, span: Span) -> str:
    """In one line, without comments."""
    if span.kind == "list":
        return f"[{', '.join(_flow(text, each) for each in span.items)}]"
    if span.kind == "mapping":
        return f"{{{_paired(_pairs(text, span, ''))}}}"
    written = text[span.start : span.end]
    return json.dumps(span.text, ensure_ascii=False) if "\n" in written else written


def _behind(text: str, at: int) -> str:
    """The comment at the end of a line."""
    found = re.search(r"\s#.*", text[at : line_end(text, at)])
    return found[0].strip() if found else ""


def _comments(text: str, start: int, end: int, nodes: Span) -> dict[str, list[str]]:
    """By node, in order: what stands above it, at its end or inside it. By "" what stands before all of them."""
    taken = sorted((each.start, each.end) for each in _scalars(nodes))
    bounds = [(name, line_end(text, item.end)) for name, item in zip(nodes.names, nodes.items, strict=True)]
    found: dict[str, list[str]] = {}
    at = start
    while (at := text.find("#", at, end)) >= 0:
        inside = next((stop for begin, stop in taken if begin <= at < stop), None)
        if inside is not None or text[at - 1] not in " \t\n":
            at = inside or at + 1
            continue
        stop = line_end(text, at)
        first = line_start(text, at) <= start
        owner = "" if first else next((name for name, last in bounds if at <= last), "")
        found.setdefault(owner, []).append(text[at:stop].rstrip())
        at = stop
    return found


def _scalars(span: Span) -> Iterator[Span]:
    pending = [span]
    while pending:
        each = pending.pop()
        if each.kind == "scalar":
            yield each
        pending += [*each.keys, *each.items]
