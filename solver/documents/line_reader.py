"""Block YAML as people and programs write it, read line by line: each line has a key, an item or nothing.

It reports nothing. Whatever it does not know for certain (text over several lines, escapes, tags, nulls, equal keys, a
limit that is passed, a mistake) it leaves to the careful reader by raising `Doubtful`. What it reads, data and places,
is what the careful reader reads: a test compares the two.
"""

from __future__ import annotations

import re
from typing import Any

from solver.documents.document import NULLS, Doubtful, Mark, Marks, Spot
from solver.documents.flow_reader import FIRST, INSIDE, LONGEST_KEY, normal_key, read_flow, unquoted
from solver.documents.plain_json import plain_json
from solver.kernel.limits import Limits

_HEAD = re.compile(rf"""( *)((?:- +)*)(-?[^\x00-/:-@\[-^`{{-\x7f]{INSIDE}|"[^"]+"|'[^']+')""").fullmatch
_ITEM = re.compile(r"( *)((?:- +)+)(.*)|( *)((?:- +)*-)()").fullmatch
_PLAIN = re.compile(rf"(?:{FIRST}|-(?=[^ ]))[^:#]*(?:(?::(?! |\Z)|(?<! )#)[^:#]*)*(?<! )").fullmatch
_QUOTED = re.compile(r"""("[^"]+"|'(?:[^']|'')+')(?: +#.*| *)""").fullmatch
_LIKE_JSON = re.compile(r'\[+[-0-9"]|\{"').match
_UNUSUAL = re.compile("[\t\\\\\ufffe\uffff]").search

Head = tuple[tuple[tuple[int, bool], ...], str]
"""What stands before a colon: the columns of dashes, each with False, then that of the key with True; and the key."""

_MOST_REMEMBERED = 1 << 14
_heads: dict[str, Head] = {}
_plain: set[str] = set()
"""Texts met before a colon, and plain ones behind it: they recur from line to line and from file to file."""


def read_lines(text: str, limits: Limits, marks: Marks | None = None) -> Any:
    """The data in a YAML text, and in `marks` the places of all of it; Doubtful where the careful reader must look."""
    lines = _lines(text, limits)
    if len(lines) == 1 and (lines[0][:1] in "[{" or ": " not in lines[0]):
        return _single(lines[0], limits, marks)
    heads, plain, deepest, longest = _heads, _plain, limits.nesting, limits.text_length
    long = len(text) > longest and max(map(len, lines)) > longest
    root: list[Any] = []
    here: Any = root
    here_marks: list[Mark] = []
    stack: list[tuple[Any, int, bool, list[Mark]]] = []
    indent, in_mapping, waiting, key = -1, False, True, ""
    for number, line in enumerate(lines):
        before, colon, value = line.partition(": ")
        head = heads.get(before) if colon else heads.get(before[:-1]) if before[-1:] == ":" else None
        if head is None:
            if not (start := line.lstrip(" ")) or start[0] == "#":
                continue
            head, value = _looked_at(line, before, colon, value)
        openers, name = head
        for column, maps in openers:
            if waiting:
                # What was announced begins to the right of it; a list may also stand right below its key.
                if column < indent + (maps or not in_mapping) or len(stack) >= deepest:
                    raise Doubtful
                new: Any = {} if maps else []
                if in_mapping:
                    here[key] = new
                else:
                    here.append(new)
                stack.append((here, indent, in_mapping, here_marks))
                if marks is not None:
                    here_marks.append(spot := Spot(number, column))
                    marks[id(new)] = here_marks = [spot]
                here, indent, in_mapping = new, column, maps
            elif column != indent or maps is not in_mapping:
                while column < indent or (maps and column == indent and not in_mapping):
                    here, indent, in_mapping, here_marks = stack.pop()
                if column != indent or maps is not in_mapping:
                    raise Doubtful
            waiting = True
        if in_mapping:
            if name in here:
                raise Doubtful
            key = name
            if marks is not None:
                here_marks.append(Spot(number, indent))
        item: Any = value
        if value not in plain and not _is_plain(value):
            item = _value(line, len(line) - len(value), number, len(stack), limits, marks)
            if item is None:
                continue
        waiting = False
        if long and type(item) is str and len(item) > longest:
            raise Doubtful
        if in_mapping:
            here[key] = item
        else:
            here.append(item)
        if marks is not None:
            here_marks.append(Spot(number, len(line) - len(value.lstrip(" "))))
    if waiting:
        raise Doubtful
    return root[0]


def _lines(text: str, limits: Limits) -> list[str]:
    """The lines of a text that has nothing unusual anywhere."""
    if limits.text_length < LONGEST_KEY or _UNUSUAL(text):
        raise Doubtful
    if "\r" in text:
        text = text.replace("\r\n", "\n")
        if "\r" in text:
            raise Doubtful
    return text.rstrip("\n").split("\n")


def _single(line: str, limits: Limits, marks: Marks | None) -> Any:
    """A document that is one value on one line, such as the name of a convention."""
    if line.startswith(("-", "...")) or (item := _value(line, 0, 0, 0, limits, marks)) is None:
        raise Doubtful
    if type(item) is str and len(item) > limits.text_length:
        raise Doubtful
    return item


def _looked_at(line: str, before: str, colon: str, value: str) -> tuple[Head, str]:
    """A line whose start was not met before, taken apart: what opens, and the value."""
    if not colon and before[-1:] == ":":
        before, colon = before[:-1], ":"
    if colon and (found := _HEAD(before)):
        key = found[3] if found[3][0] not in "\"'" else unquoted(found[3])
        if key in NULLS:
            raise Doubtful
        head = (*_dashes(found[2], len(found[1])), (found.start(3), True)), normal_key(key)
        if len(_heads) >= _MOST_REMEMBERED:
            _heads.clear()
        _heads[before] = head
        return head, value
    if found := _ITEM(line):
        indent, dashes, item = found.groups()[:3] if found[2] else found.groups()[3:]
        return (_dashes(dashes, len(indent)), ""), item
    raise Doubtful


def _dashes(text: str, column: int) -> tuple[tuple[int, bool], ...]:
    return tuple((column + place, False) for place, sign in enumerate(text) if sign == "-")


def _is_plain(value: str) -> bool:
    if _PLAIN(value) is None or value in NULLS:
        return False
    if len(value) <= LONGEST_KEY:
        if len(_plain) >= _MOST_REMEMBERED:
            _plain.clear()
        _plain.add(value)
    return True


def _value(line: str, at: int, number: int, depth: int, limits: Limits, marks: Marks | None) -> Any:
    """What stands from a column of a line to its end; None for nothing but a comment."""
    value = line[at:].strip(" ")
    at = len(line) - len(line[at:].lstrip(" "))
    if not value or value[0] == "#":
        return None
    if value[0] in "[{":
        if marks is None and _LIKE_JSON(value):
            try:
                return plain_json(value, limits, depth, LONGEST_KEY)
            except Doubtful:
                pass
        return read_flow(line, at, number, depth, limits, marks)
    if found := _QUOTED(value):
        return unquoted(found[1])
    value = value.partition(" #")[0].rstrip(" ")
    if not _is_plain(value):
        raise Doubtful
    return value
