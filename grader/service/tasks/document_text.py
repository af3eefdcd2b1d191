"""Where things stand in the text of a document, and changes of that text which leave all else as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import yaml

from solver.documents import read_raw
from solver.kernel import DEFAULT_LIMITS, DocumentError, ProblemLog, UsageError

Edit = tuple[int, int, str]
"""From where to where in a text, and what is written there instead."""
_PLAIN = re.compile(r"[A-Za-z0-9_+\-./∞]+")
_NOT_PLAIN = re.compile(r"[-?](\s|$)|(null|Null|NULL|~)$")


@dataclass(slots=True)
class Span:
    """A scalar, a list or a mapping, from its first character to behind its last one, comments after it left out."""

    source: str = field(repr=False)
    """The text of the whole document."""
    kind: str
    start: int
    end: int
    column: int
    flow: bool = False
    text: str = ""
    items: list[Span] = field(default_factory=list)
    key: Span | None = None
    """Of what is in a mapping."""
    outset: int = 0
    """Where its key begins, or in a list its dash."""

    @property
    def written(self) -> str:
        return self.source[self.start : self.end]

    @property
    def separator(self) -> str:
        """Between what is in it."""
        if self.flow and self.kind == "mapping" and self.source[self.start] != "{":
            raise UsageError(f"write `{self.written[:40]}` in braces first: {{{self.written[:40]}}}")
        return ", " if self.flow else f"\n{' ' * self.column}"

    def get(self, key: str) -> Span | None:
        return next((item for item in self.items if item.key is not None and item.key.text == key), None)

    def becomes(self, written: str) -> Edit:
        return self.start, self.end, written

    def with_first(self, pair: str) -> Edit:
        """A mapping with one more pair, before the others."""
        if not self.items:
            return self.with_last(pair)
        return self.items[0].outset, self.items[0].outset, pair + self.separator

    def with_last(self, *written: str) -> Edit:
        """With more items, or pairs, behind the others."""
        if self.kind == "scalar":
            raise UsageError(f"nothing can be added to {self.text[:40]!r}: write a list")
        dash = "- " if self.kind == "list" and not self.flow else ""
        added = self.separator.join(dash + item for item in written)
        if not self.items:
            return self.end - 1, self.end - 1, added
        at = self.items[-1].end if self.flow else line_end(self.source, self.end)
        return at, at, self.separator + added

    def without(self, item: Span) -> list[Edit]:
        place, source = self.items.index(item), self.source
        start, end = item.outset, item.end
        following = self.items[place + 1].outset if place + 1 < len(self.items) else None
        if self.flow and following is not None:
            comma = source.index(",", end) + 1
            end = comma + len(source[comma:]) - len(source[comma:].lstrip(" "))
        elif self.flow and place:
            comma = source.index(",", self.items[place - 1].end)
            if "#" in source[comma:start]:
                return [(comma, comma + 1, ""), (start, end, "")]
            start = comma
        elif not self.flow and starts_line(source, start):
            return [(line_start(source, start), min(line_end(source, end) + 1, len(source)), "")]
        elif not self.flow and following is not None and "#" not in source[end:following]:
            # After a dash: what comes next takes its place, unless a comment stands between.
            end = following
        return [(start, end, "")]

    def swapped(self, place: int) -> list[Edit]:
        """An item and the next one change places; in a block each takes the comment at its end along."""
        pair = self.items[place : place + 2]
        ends = [item.end if self.flow else line_end(self.source, item.end) for item in pair]
        first, second = zip((item.start for item in pair), ends, strict=True)
        return [(*first, self.source[slice(*second)]), (*second, self.source[slice(*first)])]


def spans(text: str) -> Span:
    """Of a document that our own reader can read; DocumentError with its problems for any other."""
    problems = ProblemLog(DEFAULT_LIMITS.problems)
    document = read_raw(text.encode("utf-8", "surrogatepass"), "", DEFAULT_LIMITS, problems, careful=True)
    if problems or document is None:
        raise DocumentError(sorted(problems.kept), problems.total)
    try:
        return _span(text, yaml.compose(text, Loader=yaml.CSafeLoader))
    except yaml.YAMLError:
        raise UsageError("this document cannot be changed by clicking: write it as YAML") from None


def _span(source: str, node: Any) -> Span:
    span = Span(source, "scalar", node.start_mark.index, node.end_mark.index, node.start_mark.column)
    if isinstance(node, yaml.ScalarNode):
        span.text = node.value
        if node.style in ("|", ">"):
            # The parser counts the line break behind such a text as its own.
            span.end = span.start + len(span.written.rstrip())
        return span
    span.flow = bool(node.flow_style)
    at = span.start
    if isinstance(node, yaml.MappingNode):
        span.kind = "mapping"
        for key, value in node.value:
            item = _span(source, value)
            item.key = _span(source, key)
            item.outset = item.key.start
            span.items.append(item)
    else:
        span.kind = "list"
        for value in node.value:
            item = _span(source, value)
            dash = f"\n{' ' * span.column}-" if span.items else "-"  # comments have dashes too, in other columns
            item.outset = item.start if span.flow else source.index(dash, at) + len(dash) - 1
            span.items.append(item)
            at = item.end
    if not span.flow and span.items:
        # And what stands between a block and the next token as the block's.
        span.end = span.items[-1].end
    return span


def edited(text: str, edits: Iterable[Edit]) -> str:
    """After edits that do not overlap."""
    for start, end, written in sorted(edits, reverse=True):
        text = text[:start] + written + text[end:]
    return text


def line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def starts_line(text: str, at: int) -> bool:
    return not text[line_start(text, at) : at].strip()


def line_end(text: str, at: int) -> int:
    """Before the end of the line, its comment included."""
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def spelt_scalar(written: str) -> str:
    """As YAML writes a text in one line; in quotes where it would mean something else."""
    plain = _PLAIN.fullmatch(written) and not _NOT_PLAIN.match(written)
    return written if plain else json.dumps(written, ensure_ascii=False)


def indented(text: str, by: int) -> str:
    """With its lines moved to the right, but for blank ones."""
    return re.sub(r"^(?=[ \t]*\S)", " " * by, text, flags=re.MULTILINE)
