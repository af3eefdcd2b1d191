"""Why a document does not conform to its schema, in our own words, at the exact place.

Each mapping and list that a `$ref` of the schema leads to is explained alone: the reference is put on a list instead
of being followed, so nothing recurses through the tree. What is reported is replaced by `REPORTED`, so that the later
checks can go on with the rest of the document.
"""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from solver.problems import ProblemLog, quoted
from solver.reading.document import PASSED_OVER, REPORTED, Container, Document
from solver.schema import conforms, schema

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a text",
    "number": "a number",
    "boolean": "true or false",
}


def explain_invalid(document: Document, kind: str, problems: ProblemLog) -> None:
    """Report what is wrong with a document that does not conform; once the log is full, bad nodes are only counted."""
    data: Any = document.data
    if not isinstance(data, dict):
        problems.add(document.place(data), "wrong-type", "a Plymark document is a mapping with `plymark: …` in it")
        document.data = REPORTED
        return
    one = _OneAtATime(kind)
    pending: deque[tuple[str, Any]] = deque([("", data)])
    while pending:
        definition, instance = pending.popleft()
        if problems.full:
            problems.total += 1
            continue
        # All are found before the first is reported, since reporting blanks what is wrong; and unknown keys come
        # first, since a misspelt key explains a missing one.
        errors = sorted(one.errors(definition, instance), key=lambda error: error.validator != "additionalProperties")
        unknown: set[str] = set()
        for error in errors:
            _report(document, instance, error, unknown, problems)
        below = one.below
        if len(below) > 1:
            below = [(target, item) for target, item in below if not conforms(kind, item, target)]
        pending.extend(below)


class _OneAtATime:
    """Validates a mapping or list alone; what its references lead to is noted in `below`, to be validated later."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.whole = schema(kind)
        self.instance: Any = None
        self.below: list[tuple[str, Any]] = []
        rules = {
            "$ref": self._reference,
            "items": self._items,
            "additionalProperties": self._additional,
            "type": self._type,
        }
        self.validator: Any = extend(Draft202012Validator, rules)  # type: ignore[no-untyped-call]

    def errors(self, definition: str, instance: Any) -> Iterator[ValidationError]:
        self.instance, self.below = instance, []
        yield from self.validator(_resolved(self.whole, definition)).iter_errors(instance)

    def _passed(self, target: str, item: Any) -> bool:
        """Whether an item below needs no look now: a container waits for its turn, a scalar may conform."""
        if isinstance(item, dict | list):
            self.below.append((target, item))
            return True
        return conforms(self.kind, item, target)

    def _reference(self, validator: Any, target: str, item: Any, _rules: Any) -> Iterator[ValidationError]:
        if item is self.instance or not self._passed(target, item):
            yield from validator.descend(item, _resolved(self.whole, target))

    # The library would print a whole subtree into a message nobody reads, and take seconds for thousands of children.

    def _type(self, validator: Any, types: Any, instance: Any, _rules: Any) -> Iterator[ValidationError]:
        if not any(validator.is_type(instance, name) for name in ([types] if isinstance(types, str) else types)):
            yield ValidationError("wrong type")

    def _items(self, validator: Any, rule: Any, instance: Any, rules: Any) -> Iterator[ValidationError]:
        if isinstance(instance, list) and isinstance(rule, dict) and "$ref" in rule:
            for position, item in enumerate(instance):
                if not self._passed(rule["$ref"], item):
                    yield from validator.descend(item, _resolved(self.whole, rule["$ref"]), path=position)
        else:
            yield from Draft202012Validator.VALIDATORS["items"](validator, rule, instance, rules)

    def _additional(self, validator: Any, rule: Any, instance: Any, rules: Any) -> Iterator[ValidationError]:
        if isinstance(instance, dict) and isinstance(rule, dict) and "$ref" in rule:
            for key, item in instance.items():
                if key not in rules.get("properties", ()) and not self._passed(rule["$ref"], item):
                    yield from validator.descend(item, _resolved(self.whole, rule["$ref"]), path=key)
        else:
            yield from Draft202012Validator.VALIDATORS["additionalProperties"](validator, rule, instance, rules)


def _resolved(whole: dict[str, Any], target: str) -> Any:
    if not target:
        return whole
    _, _, name = target.partition("#/$defs/")
    return whole["$defs"][name]


def _report(document: Document, instance: Any, error: ValidationError, unknown: set[str], problems: ProblemLog) -> None:
    path = list(error.relative_path)
    holder: Any = instance
    for step in path[:-1]:
        holder = holder[step]
    last: Any = path[-1] if path else None
    bad: Any = holder[last] if path else instance
    place = document.place(bad) if isinstance(bad, dict | list) else document.place(holder, last)
    rule: Any = error.validator_value
    found: Any = error.instance
    match error.validator:
        case "additionalProperties":
            unknown |= _report_unknown_keys(document, bad, error, problems)
            return
        case "required":
            _report_missing(document, bad, str(error.message.split("'")[1]), unknown, problems)
            return
        case None:
            problems.add(
                document.key_place(holder, last), "conflicting-keys", _conflict(last, holder), _CONFLICTS.get(last, "")
            )
            return
        case "type":
            allowed = " or ".join(
                _TYPES[name] for name in ([rule] if isinstance(rule, str) else rule) if name in _TYPES
            )
            problems.add(place, "wrong-type", f"{_the(last)} must be {allowed}, not {_found(bad)}")
        case "const" | "enum":
            allowed = " or ".join(map(str, [rule] if error.validator == "const" else rule))
            problems.add(place, "wrong-value", f"{_the(last)} must be {allowed}, not {_found(bad)}")
        case "minItems" | "maxItems" | "minProperties":
            if bad:
                problems.add(place, "wrong-type", f"{_the(last)} must have {rule} items, not {len(bad)}")
            else:
                problems.add(place, "no-children", f"{_the(last)} must not be empty")
        case "pattern":
            where = document.key_place(bad, found) if isinstance(bad, dict) else place
            problems.add(where, "bad-id", f"{quoted(found)} cannot be an id", "an id has no white space and no / or \\")
            return
        case other:
            problems.add(place, "wrong-value", f"{_the(last)} does not fit: {other} {rule}")
    if path:
        holder[last] = [REPORTED] if last in ("children", "tree") else REPORTED


def _report_unknown_keys(document: Document, bad: Any, error: ValidationError, problems: ProblemLog) -> set[str]:
    schema_here: Any = error.schema
    known = list(schema_here["properties"])
    unknown = [key for key in bad if key not in known and not key.startswith(PASSED_OVER)]
    for key in unknown:
        if problems.full:
            problems.total += 1
            continue
        close = difflib.get_close_matches(key.lower(), [name for name in known if name not in bad], n=1, cutoff=0.6)
        hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(known)}"
        problems.add(document.key_place(bad, key), "unknown-key", f"unknown key {quoted(key)}", hint)
    return set(unknown)


def _report_missing(document: Document, bad: Any, key: str, unknown: set[str], problems: ProblemLog) -> None:
    if "plymark" in bad and key != "tree":
        problem = f"key {quoted(key)} is missing", ""
    elif "children" in bad and key == "turn":
        problem = "an inner node needs a turn", "write turn: max, min, chance, or a player's name"
    elif key == "value":
        problem = "a node needs children, or a value if it is a leaf", ""
    elif key == "tree":
        problem = "a game needs a tree, or root and nodes", "for example tree: [[3, 12, 8], [2, 4, 6]]"
    else:
        problem = f"key {quoted(key)} is missing", ""
    meant = ("value", "children", "features", "loop") if key == "value" else (key,)
    misspelt = any(difflib.get_close_matches(name.lower(), meant) for name in list(unknown)[:20])
    bad[key] = REPORTED
    if not misspelt:
        problems.add(document.place(bad), "missing-key", *problem)


_CONFLICTS = {
    "value": "a leaf has a value, an inner node has children; remove one",
    "loop": "a leaf has a value or a loop, an inner node has children; remove one",
    "features": "features give the value or the estimate; remove one",
    "estimate": "only inner nodes have an estimate; a leaf has its value",
    "levels": "levels give turns to nested lists; in the flat form every node has its turn",
}


def _conflict(key: str, holder: Container) -> str:
    others = [
        name
        for name in ("children", "value", "features", "estimate", "tree", "nodes")
        if name in holder and name != key
    ]
    return f"{quoted(key)} cannot stand beside {quoted(others[0])}" if others else f"{quoted(key)} cannot stand here"


def _the(key: str | int | None) -> str:
    return "the list" if key is None else quoted(key) if isinstance(key, str) else f"item {key + 1}"


def _found(bad: Any) -> str:
    return "a mapping" if isinstance(bad, dict) else "a list" if isinstance(bad, list) else quoted(bad)
