"""The bodies of requests that hold documents: JSON whose numbers keep their spelling."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from grader.service.tasks.refusing import WRONG, refused
from grader.service.work.problems import Refused
from solver.documents import read_raw
from solver.kernel import DEFAULT_LIMITS, ProblemLog, UsageError, one_of


class Spelling(str):
    """A number as it is spelt."""

    __slots__ = ()


def read_body(raw: bytes, known: Iterable[str]) -> dict[str, Any]:
    """The members of a JSON object, every number in it spelt as it was; Refused if it is none, UsageError for a member
    that is not known."""
    try:
        data = json.loads(
            raw.decode("utf-8-sig") or "{}",
            parse_float=Spelling,
            parse_int=Spelling,
            parse_constant=_constant,
            object_pairs_hook=_mapping,
        )
    except (ValueError, RecursionError):
        raise _not_json(raw) from None
    if not isinstance(data, dict):
        raise Refused(WRONG, "wrong-type", "the body must be a JSON object")
    for name in data:
        one_of("field", name, sorted(known))
    return data


def document_bytes(written: Any) -> tuple[bytes, bool]:
    """A document that is an object or text, and whether it was text: only then do lines and columns mean anything."""
    if isinstance(written, str) and not isinstance(written, Spelling):
        return written.encode("utf-8", "surrogatepass"), True
    if not isinstance(written, Mapping):
        raise UsageError("a document is an object or text")
    return json.dumps(written, ensure_ascii=False).encode("utf-8", "surrogatepass"), False


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key is written twice")
    return made


def _constant(word: str) -> Any:
    raise ValueError(word)


def _not_json(raw: bytes) -> Refused:
    """With the words of the reader of documents, which knows the place."""
    problems = ProblemLog(DEFAULT_LIMITS.problems)
    read_raw(raw, "body.json", DEFAULT_LIMITS, problems, careful=True)
    # What is empty is for the documents inside to judge.
    found = sorted(problem for problem in problems.kept if problem.code != "null")
    if found:
        return refused(found, len(found))
    return Refused(WRONG, "syntax", "the body is not JSON")
