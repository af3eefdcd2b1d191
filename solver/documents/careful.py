"""The careful reader: every reading rule, applied to the events of a parser, and every problem reported at its place.

It needs PyYAML; `read.py` loads it only for what the quick readers leave to it.
"""

from __future__ import annotations

from typing import Any

from yaml import YAMLError
from yaml._yaml import CParser

from solver.documents.assemble import TooDeep, assemble, check_escaped_characters
from solver.documents.characters import place_at
from solver.documents.document import Document
from solver.documents.json_events import JsonError, json_events
from solver.kernel.limits import Limits
from solver.kernel.problems import WHOLE_FILE, Place, ProblemLog


class NotJson(Exception):
    """A text that need not be JSON is none."""


def careful_json(text: str, must_be_json: bool, limits: Limits, problems: ProblemLog) -> Document | None:
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


def careful_yaml(text: str, limits: Limits, problems: ProblemLog) -> Document | None:
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
