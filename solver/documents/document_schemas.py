"""The schemas of the document kinds, and a quick yes or no from them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

from solver.documents.document import Data

KINDS = {
    "game/1": "game",
    "exercise/1": "exercise",
    "exam/1": "exam",
    "answer/1": "answer",
    "recipe/1": "recipe",
    "solution/1": "solution",
    "report/1": "report",
}
"""Each kind of document that can be checked, and its schema's name."""

_offered: dict[str, list[str]] = {}
"""For each key, what registries offer beyond the words that the schemas list for it."""


@cache
def schema(kind: str) -> dict[str, Any]:
    """A kind's JSON Schema. The wheel carries the folder inside the package, a checkout beside it."""
    inside = Path(__file__).parents[1] / "schemas"
    folder = inside if inside.is_dir() else Path(__file__).parents[2] / "schemas"
    loaded: dict[str, Any] = json.loads((folder / f"{KINDS[kind]}.schema.json").read_bytes())
    return _widened(loaded) if _offered else loaded


def offer(key: str, word: str) -> None:
    """Let documents say a word wherever a schema lists the words of this key."""
    _offered.setdefault(key, []).append(word)
    _forget()


def withdraw(key: str, word: str) -> None:
    _offered[key].remove(word)
    if not _offered[key]:
        del _offered[key]
    _forget()


def _forget() -> None:
    schema.cache_clear()
    _validator.cache_clear()


def _widened(loaded: dict[str, Any]) -> dict[str, Any]:
    """The same schema, in which the words of every key are followed by those that are offered."""
    waiting: list[Any] = [loaded]
    while waiting:
        part = waiting.pop()
        if isinstance(part, dict):
            for key, words in _offered.items():
                listed = part.get("properties", {}).get(key, {})
                if isinstance(listed, dict) and "enum" in listed:
                    listed["enum"] = [*listed["enum"], *words]
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return loaded


def conforms(kind: str, data: Data, definition: str = "") -> bool:
    """Whether data conforms to a kind's schema, or to one of the definitions in it."""
    return _validator(kind, definition).is_valid(data)


@cache
def _validator(kind: str, definition: str) -> jsonschema_rs.Validator:
    whole = schema(kind)
    if definition:
        whole = {"$schema": whole["$schema"], "$ref": definition, "$defs": whole["$defs"]}
    return jsonschema_rs.validator_for(whole, retriever=_never)


def _never(uri: str) -> Any:
    raise ValueError(f"no reference is ever fetched: {uri}")
