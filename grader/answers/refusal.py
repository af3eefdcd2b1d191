"""What is said of an answer that cannot be read, and how much of an answer is read at all."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import wraps
from types import MappingProxyType
from typing import Any, Concatenate, ParamSpec, TypeVar

LONGEST_TEXT = 10_000
DEEPEST = 20
MOST_ITEMS = 100_000
LONGEST_REPORTED = 2_000
LONGEST_QUOTED = 80
"""Characters of what was given that a refusal repeats."""

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "unreadable.empty": "nothing is written",
        "unreadable.too-long": "too long, too deep or too many items",
        "unreadable.character": "a character that hides or reorders what is written; {sign}",
        "unreadable.shape": "a list or mapping where text is expected, or the reverse",
        "unreadable.number": "not a number",
        "unreadable.infinity": "infinite, where a number is expected",
        "unreadable.thousands": "the comma or point may separate thousands",
        "unreadable.mixed": "two numbers side by side, such as 1 1/2",
        "unreadable.exponent": "an exponent: 1e3",
        "unreadable.percent": "per mille",
        "unreadable.about": "about right, where an exact number is asked",
        "unreadable.zero": "a denominator of 0",
        "unreadable.digits": "more than 40 digits",
        "unreadable.bound": "neither a number nor a bound such as <= 2",
        "unreadable.window": "not two bounds",
        "unreadable.range": "not a range such as x <= 3 or (2, 5]",
        "unreadable.range.reversed": "an interval that ends before it begins; {low} {high}",
        "unreadable.range.name": "is about something other than the unknown; {name} {unknown}",
        "unreadable.name": "names nothing here; {name}",
        "unreadable.name.ambiguous": "names several things here; {name}",
        "unreadable.not-below": "a node crossed out at another one that it is not below; {name} {node}",
        "unreadable.stop": "a stop after something that is no child of its node; {name}",
        "unreadable.boolean": "neither yes nor no",
        "unreadable.counts": "not a result and its number of visits",
        "unreadable.vector": "not a list of numbers",
        "unreadable.plan": "not a plan",
    }
)
"""Every reason, as a catalogue's key, with what it means and its facts; `given` is a fact of each."""

P = ParamSpec("P")
T = TypeVar("T")


class Unreadable(Exception):
    """An answer, or a part of one, that cannot be read; `facts` are in the sentence of its reason."""

    def __init__(self, reason: str, **facts: str | int) -> None:
        super().__init__(reason)
        self.reason = reason
        self.facts: Mapping[str, str | int] = facts

    @property
    def given(self) -> str:
        """What could not be read."""
        return str(self.facts.get("given", ""))

    def __str__(self) -> str:
        return ", ".join([self.reason, *(f"{name}: {fact}" for name, fact in self.facts.items())])


def reader(function: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], T]:
    """A function that reads raw data: limits come first, and a refusal quotes what was given."""

    @wraps(function)
    def read(raw: Any, /, *args: P.args, **options: P.kwargs) -> T:
        try:
            check_size(raw)
            return function(raw, *args, **options)
        except Unreadable as refusal:
            if "given" not in refusal.facts:
                refusal.facts = {"given": quoted(raw), **refusal.facts}
            raise

    return read


def check_size(raw: Any) -> None:
    """Refuse what is too long, too deep, too much, or no text, list or mapping."""
    level, depth, items = [raw], 0, 0
    while level:
        inner: list[Any] = []
        for item in level:
            if isinstance(item, str):
                if len(item) > LONGEST_TEXT:
                    raise Unreadable("unreadable.too-long")
            elif isinstance(item, list | dict):
                items += len(item)
                if items > MOST_ITEMS:
                    raise Unreadable("unreadable.too-long")
                inner.extend(item)
                if isinstance(item, dict):
                    inner.extend(item.values())
            elif item is not None:
                raise Unreadable("unreadable.shape")
        # Scalars inside the deepest list are one level further, so lists are what is counted.
        depth += 1
        if depth >= DEEPEST and any(isinstance(item, list | dict) for item in inner):
            raise Unreadable("unreadable.too-long")
        level = inner


def raw_text(raw: Any) -> str:
    """What was written, for the report: text as it is, lists and mappings as compact JSON, at most 2,000 characters."""
    return _shortened(raw, LONGEST_REPORTED)


def quoted(raw: Any) -> str:
    return _shortened(raw, LONGEST_QUOTED)


def _shortened(raw: Any, most: int) -> str:
    if isinstance(raw, str) and len(raw) <= most and raw.isascii():
        # Nearly all that students write.
        return raw
    pieces, length = [], 0
    for piece in _json_pieces(raw, most + 1):
        pieces.append(piece)
        length += len(piece)
        if length > most:
            break
    # A lone surrogate could not be written to any file.
    text = "".join(pieces).encode("utf-8", "replace").decode("utf-8")
    return text if len(text) <= most else text[:most] + "…"


def _json_pieces(raw: Any, most: int) -> Iterator[str]:
    """The JSON of raw data, piece by piece, without recursion: data may be nested to any depth."""
    if isinstance(raw, str) or raw is None:
        yield (raw or "")[:most]
        return
    stack: list[Iterator[tuple[str, Any]]] = [iter([("", raw)])]
    closing = [""]
    while stack:
        lead, item = next(stack[-1], (None, None))
        if lead is None:
            stack.pop()
            yield closing.pop()
            continue
        yield lead
        if isinstance(item, list):
            yield "["
            stack.append(("," if place else "", inner) for place, inner in enumerate(item))
            closing.append("]")
        elif isinstance(item, dict):
            yield "{"
            stack.append(_members(item, most))
            closing.append("}")
        else:
            yield _json(item, most)


def _members(mapping: Mapping[Any, Any], most: int) -> Iterator[tuple[str, Any]]:
    for place, (name, item) in enumerate(mapping.items()):
        yield f"{',' if place else ''}{_json(name, most)}:", item


def _json(scalar: Any, most: int) -> str:
    if scalar is None or isinstance(scalar, bool | int | float):
        return json.dumps(scalar)
    return json.dumps(str(scalar)[:most], ensure_ascii=False)
