"""Bodies with students' answers: JSON whose numbers keep their spelling, whatever this process makes of the rest."""

from __future__ import annotations

import json
from collections.abc import Collection
from typing import Any
from unicodedata import normalize

import orjson

from grader.service.base.service_problems import ServiceProblem
from grader.service.http.json_bodies import json_of
from solver.kernel import DEFAULT_LIMITS

ANSWERS = "answers"
MOST_NAMED = 50
OBJECT = {"type": "object"}


class _Twice(Exception):
    pass


def schema(**others: Any) -> dict[str, Any]:
    """Of a body with answers and perhaps more, for OpenAPI."""
    properties = {ANSWERS: OBJECT, **others}
    whole = {"type": "object", "required": list(properties), "properties": properties, "additionalProperties": False}
    return {"application/json": {"schema": whole}}


def read_answers(raw: bytes, others: Collection[str] = ()) -> dict[str, Any]:
    """The body's fields, of which `answers` is an object and the others are there; 422 for anything else."""
    data = json_of(raw)
    if not isinstance(data, dict):
        raise ServiceProblem(422, "shape", "the body must be a JSON object")
    for name in data:
        if name != ANSWERS and name not in others:
            raise ServiceProblem(422, "field", f"{name[:60]}: there is no such field here")
    for name in (ANSWERS, *others):
        if name not in data:
            raise ServiceProblem(422, "field", f"{name}: this field is needed")
    if not isinstance(data[ANSWERS], dict):
        raise ServiceProblem(422, "field", "answers: an object with the answers by question")
    if _is_deeper(data, DEFAULT_LIMITS.nesting):
        raise ServiceProblem(422, "too-deep", f"answers: nested deeper than {DEFAULT_LIMITS.nesting} levels")
    try:
        spelt: dict[str, Any] = _spelt(raw)
    except _Twice as twice:
        raise ServiceProblem(422, "duplicate-key", f"{str(twice)[:60]}: written twice in one object") from None
    return {**data, ANSWERS: spelt[ANSWERS]}


def answers_bytes(raw: bytes, parts: Collection[str] = ()) -> bytes:
    """What stands under `answers` in a body that was read before; only what is under these names, if there are any."""
    answers = _spelt(raw)[ANSWERS]
    if parts:
        answers = {name: each for name, each in answers.items() if normalize("NFC", name) in parts}
    return orjson.dumps(answers)


def beside_parts(raw: bytes, parts: Collection[str]) -> list[str]:
    """What stands under `answers` and answers no part of an exam."""
    answers: dict[str, Any] = _spelt(raw)[ANSWERS]
    odd = [name for name, each in answers.items() if normalize("NFC", name) not in parts or not isinstance(each, dict)]
    return odd[:MOST_NAMED]


def verbatim(raw: bytes) -> orjson.Fragment:
    """JSON that goes out as it is."""
    return orjson.Fragment(raw)


def _spelt(raw: bytes) -> Any:
    return _decoder.decode(raw.decode())


def _number(text: str) -> orjson.Fragment:
    return orjson.Fragment(text)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        names = [name for name, _ in pairs]
        raise _Twice(next(name for name in names if names.count(name) > 1))
    return members


_decoder = json.JSONDecoder(parse_int=_number, parse_float=_number, object_pairs_hook=_once)


def _is_deeper(data: Any, most: int) -> bool:
    """Every mapping or list is a level, the outermost included."""
    level = [data]
    for _ in range(most):
        level = [
            each
            for one in level
            for each in (one.values() if isinstance(one, dict) else one)
            if isinstance(each, dict | list)
        ]
        if not level:
            return False
    return True
