"""A node as text that says more than before: with a name or a turn, or with children in place of a value."""

from __future__ import annotations

from grader.service.tasks.tree_places import CHILDREN, SAYS_VALUE, TURN, VALUE, Placed, TreeText
from grader.service.tasks.tree_text import (
    indented,
    line_start,
    replaced,
    spelt_scalar,
    with_pair,
    without_pair,
)
from solver.kernel import UsageError


def with_field(text: str, tree: TreeText, node: Placed, key: str, to: str) -> str:
    span = node.span
    if span.kind == "mapping":
        found = span.get(key)
        if found is not None:
            return replaced(text, found.start, found.end, spelt_scalar(to)) if to else without_pair(text, span, key)
        return with_pair(text, span, key, spelt_scalar(to)) if to else text
    if not to:
        return text
    said = f"{key}: {spelt_scalar(to)}"
    if node.turn is None:
        return replaced(text, span.start, span.end, f"{{{said}, value: {text[span.start : span.end]}}}")
    keys = [said, *([] if key == TURN else [f"{TURN}: {spelt_scalar(node.turn)}"])]
    if span.flow:
        written = f"{{{', '.join(keys)}, {CHILDREN}: {text[span.start : span.end]}}}"
        return replaced(text, span.start, span.end, written)
    # A list in lines: its keys stand above it, and it moves to the right below them.
    indent = " " * span.column
    after_key = not text[line_start(text, span.start) : span.start].strip()
    deeper = 2 if after_key and span.column <= tree.game.column else 0
    inner = "\n".join(indented(text, span.start, span.end, deeper))
    lines = f"\n{indent}{' ' * deeper}".join([*keys, f"{CHILDREN}:", inner])
    return replaced(text, span.start, span.end, " " * deeper + lines)


def branched(text: str, tree: TreeText, node: Placed) -> str:
    turn, span = tree.next_turn(node), node.span
    new = new_leaf(tree, turn)
    if span.kind == "mapping":
        key = next((name for name in SAYS_VALUE if name in span.names), None)
        start, end = (span.key(key), span.get(key)) if key else (None, None)
        if start is None or end is None:
            raise UsageError("this leaf has no value that its first child could have")
        value = text[end.start : end.end]
        value = value if key == VALUE and turn not in ("or", "and") else f"{{{text[start.start : end.end]}}}"
        between = ", " if span.flow else f"\n{' ' * span.column}"
        written = f"turn: {spelt_scalar(turn)}{between}children: [{value}, {new}]"
        return replaced(text, start.start, end.end, written)
    inside = f"[{text[span.start : span.end]}, {new}]"
    listed = turn == tree.implied(len(node.path)) and turn not in ("or", "and")
    written = inside if listed else f"{{turn: {spelt_scalar(turn)}, children: {inside}}}"
    return replaced(text, span.start, span.end, written)


def new_leaf(tree: TreeText, turn: str) -> str:
    if turn in ("or", "and"):
        return "{value: true}"
    return f"[{', '.join('0' * tree.parties)}]" if tree.parties else "0"


def bare(leaf: str) -> str:
    return leaf.removeprefix("{value: ").removesuffix("}")
