"""Lists and mappings in brackets that begin and end on one line of YAML: `{turn: min, children: [1, 2]}`."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

from solver.documents.document import NULLS, Doubtful, Mark, Marks, Spot
from solver.kernel.limits import Limits

LONGEST_KEY = 256
"""Well below what YAML allows a key on one line to have."""

# Sets of signs are written as what they leave out: those with all letters of the world in them take long to compile.
FIRST = r"""[^\x00-\x20!"#%&'*,\-:>?@\[\\\]`{|}\x7f]"""
"""What plain text may begin with, anywhere."""
_LEFT_OUT = r"""\x00-\x1f"#,:?\[\\\]`{}\x7f"""
INSIDE = rf"(?:[^{_LEFT_OUT}]*[^{_LEFT_OUT} ])?"
"""How plain text may go on, anywhere."""
_PLAIN = rf"(?:-(?={FIRST}))?{FIRST}{INSIDE}"
_TOKEN = re.compile(rf""" *(?:([\[{{])|({_PLAIN})(:(?= ))?|("[^"]+"|'(?:[^']|'')+')(:?))""").match
_SEPARATOR = re.compile(r" *([,\]}])").match
_CLOSING = re.compile(r" *[\]}]").match
_NOTHING = re.compile(r"(?: +#.*| *)").fullmatch


def unquoted(text: str) -> str:
    """What a text in quotes, without escapes, means."""
    return text[1:-1] if text[0] == '"' else text[1:-1].replace("''", "'")


def normal_key(text: str) -> str:
    """A key as documents have it."""
    if len(text) > LONGEST_KEY or text == "<<":
        raise Doubtful
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def read_flow(line: str, at: int, number: int, depth: int, limits: Limits, marks: Marks | None) -> Any:
    """The collection that begins at a column of a line, so deep in the document; only a comment may follow it."""
    outermost: list[Any] = []
    here: Any = outermost
    here_marks: list[Mark] = []
    stack: list[tuple[Any, list[Mark]]] = []
    key, awaits_key, longest = "", False, limits.text_length
    while True:
        if (found := _TOKEN(line, at)) is None:
            raise Doubtful
        opening, plain, plain_colon, quoted, quoted_colon = found.groups()
        at = found.end()
        text = plain or (unquoted(quoted) if quoted else "")
        if len(text) > longest or text in NULLS - {""} or awaits_key != bool(plain_colon or quoted_colon):
            raise Doubtful
        here_marks.append(spot := Spot(number, found.start(1 if opening else 2 if plain else 4)))
        if awaits_key:
            key, awaits_key = normal_key(text), False
            if key in here:
                raise Doubtful
            continue
        item: Any = text if not opening else [] if opening == "[" else {}
        if type(here) is dict:
            here[key] = item
        else:
            here.append(item)
        if opening:
            if len(stack) + depth >= limits.nesting:
                raise Doubtful
            stack.append((here, here_marks))
            here, here_marks = item, [spot]
            if marks is not None:
                marks[id(item)] = here_marks
            if not _CLOSING(line, at):
                awaits_key = opening == "{"
                continue
        while stack:
            if (separator := _SEPARATOR(line, at)) is None:
                raise Doubtful
            at = separator.end()
            if separator[1] == ",":
                awaits_key = type(here) is dict
                break
            if (separator[1] == "]") != (type(here) is list):
                raise Doubtful
            here, here_marks = stack.pop()
        else:
            if _NOTHING(line, at) is None:
                raise Doubtful
            return outermost[0]
