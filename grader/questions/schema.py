"""What the JSON Schemas say of the types of question, from what the types declare.

`tools/schemas.py` writes it into the schemas; a test compares.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from grader.questions.ask import Ask

FORBIDDEN: dict[str, Any] = {"not": {}}
OTHER_KEYS = ("nodes", "depth")
"""Keys that only some types take, though they are no parameters."""


def with_types(schema: dict[str, Any], asks: Iterable[Ask]) -> dict[str, Any]:
    """A schema whose questions can be of these types, in this order. Only rules about types are changed."""
    asks = list(asks)
    question = schema["$defs"]["question"]
    listed = {**question["properties"]["ask"], "enum": [ask.name for ask in asks]}
    changed = {**question, "properties": {**question["properties"], "ask": listed}}
    if "allOf" in question:
        keys = [*dict.fromkeys(parameter.key for parameter in _parameters(question, asks))]
        changed["allOf"] = [_rule(ask, keys, question["properties"]) for ask in asks]
    return {**schema, "$defs": {**schema["$defs"], "question": changed}}


def _parameters(question: dict[str, Any], asks: list[Ask]) -> Iterable[Any]:
    """All of them, in the order in which the schema explains them."""
    known = {parameter.key: parameter for ask in asks for parameter in ask.parameters}
    return [known[key] for key in question["properties"] if key in known]


def _rule(ask: Ask, keys: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    condition = {"title": "Ask", "description": "What is asked.", "examples": [ask.name], "const": ask.name}
    own = {parameter.key: parameter for parameter in ask.parameters}
    allowed: dict[str, Any] = {
        key: FORBIDDEN for key in (*keys, *OTHER_KEYS) if key not in own and key not in ask.takes
    }
    for key, parameter in own.items():
        if parameter.choices:
            explained = {name: properties[key][name] for name in ("title", "description")}
            choices = list(parameter.choices)
            allowed[key] = {**explained, "examples": choices, "enum": choices}
    order = [*keys, *OTHER_KEYS]
    then: dict[str, Any] = {"properties": {key: allowed[key] for key in order if key in allowed}}
    required = [key for key, parameter in own.items() if parameter.required]
    if required:
        then = {"required": required, **then}
    return {"if": {"required": ["ask"], "properties": {"ask": condition}}, "then": then}
