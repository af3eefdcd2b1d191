"""Bytes → document: decides between JSON and YAML, applies the size limits, collects every problem."""

from __future__ import annotations

import json
import re
import unicodedata
from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser

from solver.documents.assemble import TooDeep, assemble, check_escaped_characters
from solver.documents.characters import decode, place_at
from solver.documents.document import Document
from solver.documents.json_events import JsonError, json_events
from solver.kernel.limits import Limits
from solver.kernel.problems import WHOLE_FILE, Place, ProblemLog

_BLANKS = b"\xef\xbb\xbf \t\r\n"


def read_raw(raw: bytes, name: str, limits: Limits, problems: ProblemLog, careful: bool = False) -> Document | None:
    """The document in a file's bytes, as far as it could be read; what is wrong with it goes to `problems`.

    JSON that looks harmless takes a fast path without places; `careful` asks for places in any case.
    """
    must_be_json = name.lower().endswith(".json")
    may_be_json = must_be_json or raw[:4096].lstrip(_BLANKS).startswith(b"{")
    if too_large(len(raw), limits.json_bytes if may_be_json else limits.yaml_bytes, problems):
        return None
    text = decode(raw, problems)
    if text is None:
        return None
    if not text.strip():
        problems.add(WHOLE_FILE, "empty-document", "there is no document in this file")
        return None
    if may_be_json:
        if not careful and not problems and (document := _fast_json(text, limits)):
            document.reread = lambda: read_raw(raw, name, limits, ProblemLog(limits.problems), careful=True)
            return document
        trial = ProblemLog(limits.problems)
        try:
            document = assemble(json_events(text), text, limits, trial)
        except TooDeep:
            document = None
        except JsonError as error:
            document = None
            trial.add(Place(error.mark.line + 1, error.mark.column + 1), "syntax", f"not JSON: {error.message}")
            if not must_be_json:
                return None if too_large(len(raw), limits.yaml_bytes, problems) else _yaml(text, limits, problems)
        _look_behind_escapes(document, text, trial)
        problems.extend(trial)
        return document
    return _yaml(text, limits, problems)


def too_large(size: int, largest: int, problems: ProblemLog) -> bool:
    if size > largest:
        problems.add(WHOLE_FILE, "too-large", f"the file has {size:,} bytes; at most {largest:,} are read")
    return size > largest


def _yaml(text: str, limits: Limits, problems: ProblemLog) -> Document | None:
    try:
        document = assemble(CParser(text).get_event, text, limits, problems)
    except TooDeep:
        return None
    except YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        place = Place(mark.line + 1, mark.column + 1) if mark else WHOLE_FILE
        if mark and mark.index >= len(text):
            # At the end of the text the parser counts a line that nobody wrote.
            place = place_at(text, len(text.rstrip()))
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
        problems.add(place, "syntax", f"not YAML: {what}", _yaml_advice(text, what))
        return None
    _look_behind_escapes(document, text, problems)
    return document


def _yaml_advice(text: str, what: str) -> str:
    if "character that cannot start any token" in what or "tab" in what:
        return "indent with spaces, not tabs, and put strings that start with a special character in quotes"
    if "mapping values are not allowed" in what:
        return "put a string that contains a colon in quotes"
    if "unexpected end of stream" in what:
        return "a quote or bracket is opened and not closed"
    if "unknown escape" in what:
        return "put the text in single quotes, or write each backslash twice"
    if "did not find expected" in what:
        return "look at the indentation and the brackets just before this place"
    return ""


def _look_behind_escapes(document: Document | None, text: str, problems: ProblemLog) -> None:
    if document is not None and "\\" in text:
        check_escaped_characters(document, problems)


# Anything that the careful path would have to judge: empty strings, bare words, escapes of odd characters.
_NOT_PLAIN_JSON = re.compile(r'""|true|false|null|NaN|Infinity|\\[bfu]').search


class _Doubtful(Exception):
    """The fast path met something that needs a place or a second look."""


def _fast_json(text: str, limits: Limits) -> Document | None:
    """Numbers stay text and so no float is ever made; None if there is any doubt."""
    if _NOT_PLAIN_JSON(text):
        return None
    is_ascii, longest = text.isascii(), limits.text_length

    def mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if not is_ascii:
            made = {unicodedata.normalize("NFC", key): value for key, value in pairs}
        if len(made) != len(pairs):
            raise _Doubtful
        for key, value in pairs:
            if len(key) > longest or (type(value) is str and len(value) > longest):
                raise _Doubtful
        return made

    try:
        data = json.loads(text, object_pairs_hook=mapping, parse_float=str, parse_int=str)
    except (ValueError, RecursionError, _Doubtful):
        return None
    return Document(data) if _levels(data) <= limits.nesting else None


def _levels(data: Any) -> int:
    """How deep mappings and lists are nested, found level by level."""
    levels, here = 0, [data]
    while here:
        levels += 1
        inside = (container.values() if type(container) is dict else container for container in here)
        here = [item for items in inside for item in items if type(item) is not str]
    return levels
