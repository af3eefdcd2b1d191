"""Bytes → document: decides between JSON and YAML, applies the size limits, collects every problem.

JSON without anything odd in it is read by Python's own parser, and without places; the careful parser reads the rest.
"""

from __future__ import annotations

import json
import re
import unicodedata
from functools import cache, partial
from typing import Any

import yaml

from solver.documents.document import Document, decode, place_at
from solver.documents.document_parser import JsonError, TooDeep, assemble, check_escaped_characters, json_events
from solver.kernel.errors import WHOLE_FILE, Limits, Place, ProblemLog, UsageError


class Doubtful(Exception):
    """JSON with something in it that must be read carefully."""


# Anything that the careful path would have to judge: empty strings, bare words, escapes of any characters but those
# that answers are full of: −, ∞, ≤, ≥, α and β.
_NOT_PLAIN = ('""', "true", "false", "null", "NaN", "Infinity")
_ODD_ESCAPE = re.compile(r"\\(?:[bf]|u(?!22(?:12|1[eE]|6[45])|03[bB][12]))").search


def plain_json(text: str, limits: Limits) -> Any:
    """Data in which numbers stay text, so that no float is ever made; Doubtful if it is not plain."""
    if any(odd in text for odd in _NOT_PLAIN) or _ODD_ESCAPE(text):
        raise Doubtful
    try:
        data = _decoder(text.isascii()).decode(text)
    except (ValueError, RecursionError):
        raise Doubtful from None
    # No string is longer than its text, and nothing is nested deeper than there are brackets.
    if len(text) > limits.text_length or text.count("{") + text.count("[") > limits.nesting:
        _look_at_levels(data, limits)
    return data


@cache
def _decoder(only_ascii: bool) -> json.JSONDecoder:
    mapping = _mapping if only_ascii else _normal_mapping
    return json.JSONDecoder(object_pairs_hook=mapping, parse_float=str, parse_int=str)


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    entries = dict(pairs)
    if len(entries) != len(pairs):
        raise Doubtful
    return entries


def _normal_mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return _mapping([(unicodedata.normalize("NFC", key), value) for key, value in pairs])


def _look_at_levels(data: Any, limits: Limits) -> None:
    """Doubtful if mappings and lists are nested too deep, or a string in them is too long."""
    level, here, longest = 0, [data], limits.text_length
    while here:
        level += 1
        if level > limits.nesting:
            raise Doubtful
        inside: list[Any] = []
        for each in here:
            inside += each
            if type(each) is dict:
                inside += each.values()
        if any(len(item) > longest for item in inside if type(item) is str):
            raise Doubtful
        here = [item for item in inside if type(item) is not str]


_BLANKS = b"\xef\xbb\xbf \t\r\n"


class NotJson(Exception):
    """A text that need not be JSON is none."""


def read_raw(raw: bytes, name: str, limits: Limits, problems: ProblemLog, careful: bool = False) -> Document | None:
    """The document in a file's bytes, as far as it could be read; what is wrong with it goes to `problems`.

    A document without a problem keeps no places, unless `careful` asks for them.
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
    if not careful and not problems and (document := _without_places(text, may_be_json, limits)) is not None:
        # Not a lambda: where processes share no memory, what they are given to work with is pickled.
        document.reread = partial(_with_places, raw, name, limits)
        return document
    if may_be_json:
        try:
            return _json(text, must_be_json, limits, problems)
        except NotJson:
            if too_large(len(raw), limits.yaml_bytes, problems):
                return None
    return _yaml(text, limits, problems)


def _without_places(text: str, may_be_json: bool, limits: Limits) -> Document | None:
    """None if there may be a problem, which needs places."""
    if may_be_json:
        try:
            return Document(plain_json(text, limits))
        except Doubtful:
            return None
    problems = ProblemLog(0)
    document = _yaml(text, limits, problems, places=False)
    return None if problems else document


def _with_places(raw: bytes, name: str, limits: Limits) -> Document | None:
    return read_raw(raw, name, limits, ProblemLog(limits.problems), careful=True)


def too_large(size: int, largest: int, problems: ProblemLog) -> bool:
    if size > largest:
        problems.add(WHOLE_FILE, "too-large", f"the file has {size:,} bytes; at most {largest:,} are read")
    return size > largest


def _json(text: str, must_be_json: bool, limits: Limits, problems: ProblemLog) -> Document | None:
    trial = ProblemLog(limits.problems)
    try:
        document = assemble(json_events(text), text, limits, trial)
    except TooDeep:
        document = None
    except JsonError as error:
        if not must_be_json:
            raise NotJson from None
        document = None
        trial.add(Place(error.mark.line + 1, error.mark.column + 1), "syntax", f"not JSON: {error.message}")
    _look_behind_escapes(document, text, trial)
    problems.extend(trial)
    return document


def _yaml(text: str, limits: Limits, problems: ProblemLog, places: bool = True) -> Document | None:
    if not yaml.__with_libyaml__:
        # PyYAML's other parser, in Python, words problems differently and is many times slower.
        raise UsageError(
            "YAML cannot be read, since this PyYAML was built without libyaml; install one that has it: "
            "pip install --force-reinstall --only-binary pyyaml pyyaml"
        )
    try:
        parser = yaml.cyaml.CParser(text)  # type: ignore[attr-defined]
        document = assemble(parser.get_event, text, limits, problems, places)
    except TooDeep:
        return None
    except yaml.YAMLError as error:
        mark: Any = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        place = Place(mark.line + 1, mark.column + 1) if mark else WHOLE_FILE
        if mark and mark.index >= len(text):
            # At the end of the text the parser counts a line that nobody wrote.
            place = place_at(text, len(text.rstrip()))
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be read"
        problems.add(place, "syntax", f"not YAML: {what}", _yaml_advice(what))
        return None
    _look_behind_escapes(document, text, problems)
    return document


def _yaml_advice(what: str) -> str:
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
