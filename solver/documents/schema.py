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
    "answer/1": "answer",
    "recipe/1": "recipe",
    "solution/1": "solution",
    "report/1": "report",
}
"""Each kind of document that can be checked, and its schema's name."""


@cache
def schema(kind: str) -> dict[str, Any]:
    """A kind's JSON Schema. The wheel carries the folder inside the package, a checkout beside it."""
    inside = Path(__file__).parents[1] / "schemas"
    folder = inside if inside.is_dir() else Path(__file__).parents[2] / "schemas"
    loaded: dict[str, Any] = json.loads((folder / f"{KINDS[kind]}.schema.json").read_bytes())
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
