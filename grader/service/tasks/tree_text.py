"""Where things stand in the text of a document, and changes of that text which leave all else as it is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml

from solver.documents import read_raw
from solver.kernel import DEFAULT_LIMITS, DocumentError, ProblemLog, UsageError

_PLAIN = re.compile(r"[A-Za-z0-9_+\-./∞]+")
_NOT_PLAIN = re.compile(r"[-?](\s|$)|(null|Null|NULL|~)$")


@dataclass(slots=True)
class Span:
    """A scalar, a list or a mapping, from its first character to behind its last one, comments after it left out."""

    kind: str
    start: int
    end: int
    column: int
    flow: bool = False
    text: str = ""
    items: list[Span] = field(default_factory=list)
    keys: list[Span] = field(default_factory=list)
    """Of a mapping: beside its items."""

    def get(self, key: str) -> Span | None:
        return next((item for name, item in zip(self.keys, self.items, strict=True) if name.text == key), None)

    def key(self, key: str) -> Span | None:
        return next((name for name in self.keys if name.text == key), None)

    @property
    def names(self) -> list[str]:
        return [each.text for each in self.keys]


def spans(text: str) -> Span:
    """Of a document that our own reader can read; DocumentError with its problems for any other."""
    problems = ProblemLog(DEFAULT_LIMITS.problems)
    document = read_raw(text.encode("utf-8", "surrogatepass"), "", DEFAULT_LIMITS, problems, careful=True)
    if problems or document is None:
        raise DocumentError(sorted(problems.kept), problems.total)
    try:
        return _span(yaml.compose(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError:
        raise UsageError("this document cannot be changed by clicking: write it as YAML") from None


def _span(node: Any) -> Span:
    start, end, column = node.start_mark.index, node.end_mark.index, node.start_mark.column
    if isinstance(node, yaml.ScalarNode):
        return Span("scalar", start, end, column, text=node.value)
    if isinstance(node, yaml.SequenceNode):
        found = Span("list", start, end, column, bool(node.flow_style), items=[_span(each) for each in node.value])
    else:
        found = Span("mapping", start, end, column, bool(node.flow_style))
        found.keys = [_span(key) for key, _ in node.value]
        found.items = [_span(item) for _, item in node.value]
    if not found.flow and found.items:
        # The parser counts what stands between a block and the next token as its own.
        found.end = found.items[-1].end
    return found


def replaced(text: str, start: int, end: int, by: str) -> str:
    return text[:start] + by + text[end:]


def line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def line_end(text: str, at: int) -> int:
    """Before the end of the line, its comment included."""
    found = text.find("\n", at)
    return len(text) if found < 0 else found


def appended(text: str, items: Span, item: str) -> str:
    """With one more item at the end of a list."""
    if items.flow:
        at = items.items[-1].end if items.items else items.end - 1
        return replaced(text, at, at, f", {item}" if items.items else item)
    end = line_end(text, items.items[-1].end)
    return replaced(text, end, end, f"\n{' ' * items.column}- {item}")


def with_pair(text: str, mapping: Span, key: str, value: str, first: bool = True) -> str:
    """A mapping with one more pair, before the others or behind them."""
    if mapping.flow:
        at = mapping.start + 1 if first or not mapping.items else mapping.items[-1].end
        between = ("", ", " if mapping.items else "") if first or not mapping.items else (", ", "")
        return replaced(text, at, at, f"{between[0]}{key}: {value}{between[1]}")
    if first:
        return replaced(text, mapping.start, mapping.start, f"{key}: {value}\n{' ' * mapping.column}")
    end = line_end(text, mapping.end)
    return replaced(text, end, end, f"\n{' ' * mapping.column}{key}: {value}")


def without_pair(text: str, mapping: Span, key: str) -> str:
    place = mapping.names.index(key)
    return _without(text, mapping, place, mapping.keys[place].start, mapping.items[place].end)


def without_item(text: str, items: Span, place: int) -> str:
    start = items.items[place].start
    if not items.flow:
        start = text.rfind("-", 0, start)
    return _without(text, items, place, start, items.items[place].end)


def _without(text: str, within: Span, place: int, start: int, end: int) -> str:
    starts = [each.start for each in (within.keys or within.items)]
    if within.flow and place + 1 < len(within.items):
        # With the comma behind it, and the space after that.
        after = text.index(",", end) + 1
        return replaced(text, start, after + len(text[after:]) - len(text[after:].lstrip(" ")), "")
    if within.flow and place:
        comma = text.index(",", within.items[place - 1].end)
        if "#" in text[comma:start]:
            return replaced(replaced(text, start, end, ""), comma, comma + 1, "")
        return replaced(text, comma, end, "")
    if within.flow:
        return replaced(text, start, end, "")
    whole_line = not text[line_start(text, start) : start].strip()
    if whole_line:
        return replaced(text, line_start(text, start), min(line_end(text, end) + 1, len(text)), "")
    # After a dash: what comes next takes its place, unless a comment stands between.
    if place + 1 < len(within.items):
        following = starts[place + 1] if within.keys else text.rfind("-", 0, starts[place + 1])
        return replaced(text, start, end if "#" in text[end:following] else following, "")
    return replaced(text, start, end, "")


def swapped(text: str, items: Span, one: int) -> str:
    """An item and the next one change places; in a block each takes the comment at its end along."""
    first, second = items.items[one], items.items[one + 1]
    ends = [each.end if items.flow else line_end(text, each.end) for each in (first, second)]
    a, between, b = text[first.start : ends[0]], text[ends[0] : second.start], text[second.start : ends[1]]
    return replaced(text, first.start, ends[1], b + between + a)


def spelt_scalar(written: str) -> str:
    """As YAML writes a text in one line; in quotes where it would mean something else."""
    if _PLAIN.fullmatch(written) and not _NOT_PLAIN.match(written):
        return written
    return '"' + written.replace("\\", "\\\\").replace('"', '\\"') + '"'


def indented(text: str, start: int, end: int, by: int) -> Iterator[str]:
    """The lines between two places, moved to the right."""
    for number, line in enumerate(text[start:end].split("\n")):
        yield line if not number or not line.strip() else " " * by + line
