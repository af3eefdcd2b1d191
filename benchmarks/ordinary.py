"""The ordinary pipeline (SafeLoader, jsonschema.validate, recursive dictionaries, json.dumps), and a competent one."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any

import jsonschema
import jsonschema_rs
import yaml

from solver.documents.document_schemas import schema

Node = dict[str, Any]


@cache
def _validator() -> jsonschema_rs.Validator:
    return jsonschema_rs.validator_for(schema("game/1"))


def competent(text: str) -> str:
    """The same with the quickest common parts: the C loader, a compiled validator that is kept, compact JSON."""
    document = yaml.load(text, Loader=yaml.CSafeLoader)
    _validator().validate(document)
    windows: dict[str, Any] = {}
    value = _value(document["tree"], -math.inf, math.inf, windows)
    return json.dumps({"value": value, "nodes": windows})


def ordinary(text: str) -> str:
    """A document's text to its solution's."""
    document = yaml.load(text, Loader=yaml.SafeLoader)
    jsonschema.validate(document, schema("game/1"))
    windows: dict[str, Any] = {}
    value = _value(document["tree"], -math.inf, math.inf, windows)
    return json.dumps({"value": value, "nodes": windows}, indent=2)


def _value(node: Node, alpha: float, beta: float, windows: dict[str, Any]) -> float:
    facts = windows[node["id"]] = {"entry": [alpha, beta], "exit": [alpha, beta]}
    if "value" in node:
        value = facts["value"] = node["value"]
        return value  # type: ignore[no-any-return]
    maximising = node["turn"] == "max"
    value = -math.inf if maximising else math.inf
    for child in node["children"]:
        below = _value(child, alpha, beta, windows)
        if maximising:
            value = max(value, below)
            if value >= beta:
                break
            alpha = max(alpha, value)
        else:
            value = min(value, below)
            if value <= alpha:
                break
            beta = min(beta, value)
    facts["exit"] = [alpha, beta]
    facts["value"] = value
    return value
