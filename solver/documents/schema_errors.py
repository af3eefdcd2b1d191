"""Why a document does not conform to its schema, in our own words, at the exact place.

Each mapping and list that a `$ref` of the schema leads to is a unit that is explained alone: the reference is put on
a list instead of being followed, so nothing recurses through the tree. What is reported is replaced by `REPORTED`,
so that the later checks can go on with the rest of the document.
"""

from __future__ import annotations

import difflib
from collections import deque
from collections.abc import Iterator
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError
from jsonschema.validators import extend

from solver.documents.document import REPORTED, Container, Document
from solver.documents.document_schemas import conforms, schema
from solver.kernel.errors import ProblemLog, quoted

_TYPES = {
    "object": "a mapping",
    "array": "a list",
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}

_ID_PATTERN = "^[^"
"""How the schemas' patterns of ids start; the others are of numbers."""

MOST_ERRORS = 100
"""Of one list; the rest are counted."""


class Unit(NamedTuple):
    """A mapping or list, the definition it must conform to, and where it hangs."""

    definition: str
    item: Any
    holder: Any
    key: Any


def explain_invalid(document: Document, kind: str, problems: ProblemLog) -> None:
    """Report what is wrong with a document that does not conform; once the log is full, bad units are only counted."""
    one = _OneAtATime(kind)
    pending = deque([Unit("", document.data, None, None)])
    while pending:
        unit = pending.popleft()
        if problems.full:
            problems.total += not conforms(kind, unit.item, unit.definition)
            continue
        reporter = _Reporter(document, unit, problems)
        # All errors are found before the first is reported, since reporting blanks what is wrong; and unknown keys come
        # first, since a misspelt key explains a missing one.
        for error in sorted(one.errors(unit), key=lambda error: error.validator != "additionalProperties"):
            reporter.report(error)
        problems.total += one.only_counted
        below = one.below
        if len(below) > 1:
            below = [each for each in below if not conforms(kind, each.item, each.definition)]
        pending.extend(below)


class _OneAtATime:
    """Validates a unit alone; what its references lead to is noted in `below`, to be validated later."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.whole = schema(kind)
        self.item: Any = None
        self.below: list[Unit] = []
        self.only_counted = 0
        rules = {
            "$ref": self._reference,
            "items": self._items,
            "additionalProperties": self._additional,
            "type": self._type,
        }
        self.validator: Any = extend(Draft202012Validator, rules)  # type: ignore[no-untyped-call]

    def errors(self, unit: Unit) -> Iterator[ValidationError]:
        self.item, self.below, self.only_counted = unit.item, [], 0
        yield from self.validator(self._resolved(unit.definition)).iter_errors(unit.item)

    def _resolved(self, target: str) -> Any:
        return self.whole["$defs"][target.removeprefix("#/$defs/")] if target else self.whole

    def _passed(self, target: str, item: Any, holder: Any, key: Any) -> bool:
        """Whether an item below needs no look now: a container waits for its turn, a scalar may conform."""
        if isinstance(item, dict | list):
            self.below.append(Unit(target, item, holder, key))
            return True
        return conforms(self.kind, item, target)

    def _reference(self, validator: Any, target: str, item: Any, _rules: Any) -> Iterator[ValidationError]:
        if item is not self.item and isinstance(self.item, dict):
            key = next((key for key, value in self.item.items() if value is item), None)
            if self._passed(target, item, self.item if key is not None else None, key):
                return
        yield from validator.descend(item, self._resolved(target))

    # The library would print a whole subtree into a message nobody reads, and take seconds for thousands of children.

    def _type(self, validator: Any, types: Any, item: Any, _rules: Any) -> Iterator[ValidationError]:
        if not any(validator.is_type(item, name) for name in ([types] if isinstance(types, str) else types)):
            yield ValidationError("wrong type")

    def _items(self, validator: Any, rule: Any, item: Any, rules: Any) -> Iterator[ValidationError]:
        if isinstance(item, list) and rule.keys() == {"type"}:
            wrong = [place for place, each in enumerate(item) if any(self._type(validator, rule["type"], each, rule))]
            self.only_counted += len(wrong[MOST_ERRORS:])
            for place in wrong[:MOST_ERRORS]:
                types, each = rule["type"], item[place]
                yield ValidationError("", "type", (place,), validator_value=types, instance=each, schema=rule)
            return
        if not isinstance(item, list) or "$ref" not in rule:
            yield from Draft202012Validator.VALIDATORS["items"](validator, rule, item, rules)
            return
        for position, each in enumerate(item):
            if not self._passed(rule["$ref"], each, item, position):
                yield from validator.descend(each, self._resolved(rule["$ref"]), path=position)

    def _additional(self, validator: Any, rule: Any, item: Any, rules: Any) -> Iterator[ValidationError]:
        if not isinstance(item, dict) or not isinstance(rule, dict) or "$ref" not in rule:
            yield from Draft202012Validator.VALIDATORS["additionalProperties"](validator, rule, item, rules)
            return
        for key, each in item.items():
            if key not in rules.get("properties", ()) and not self._passed(rule["$ref"], each, item, key):
                yield from validator.descend(each, self._resolved(rule["$ref"]), path=key)


class _Reporter:
    """Puts the errors of one unit into words, and blanks what they are about."""

    def __init__(self, document: Document, unit: Unit, problems: ProblemLog) -> None:
        self.document = document
        self.unit = unit
        self.problems = problems
        self.unknown: list[str] = []

    def report(self, error: ValidationError) -> None:
        holder, key, bad = self._found(list(error.relative_path))
        if holder == REPORTED:
            return
        rule: Any = error.validator_value
        match error.validator:
            case "additionalProperties":
                self._unknown_keys(bad, error.schema)
            case "required":
                self._missing_key(bad, str(error.message.split("'")[1]))
            case "not":
                self._conflict(holder, key)
            case "pattern" if bad != REPORTED and not rule.startswith(_ID_PATTERN):
                message = f"{quoted(bad)} is not a number"
                self.problems.add(self._place(holder, key, bad), "number", message)
            case "pattern" if bad != REPORTED:
                name: Any = error.instance
                place = self.document.key_place(bad, name) if isinstance(bad, dict) else self._place(holder, key, bad)
                hint = "an id has no white space and no / or \\"
                self.problems.add(place, "bad-id", f"{quoted(name)} cannot be an id", hint)
            case "type" | "const" | "enum" | "minItems" | "maxItems" | "minProperties" | "minimum":
                if bad != REPORTED:
                    code, message = _wording(str(error.validator), rule, key, bad)
                    hint = _nearest(rule, bad) if error.validator == "enum" else ""
                    self.problems.add(self._place(holder, key, bad), code, message, hint)
                if holder is not None:
                    wants_list = rule == "array" or error.validator in ("minItems", "maxItems")
                    holder[key] = [REPORTED] if wants_list else REPORTED

    def _found(self, path: list[Any]) -> tuple[Any, Any, Any]:
        """What an error is about, and where it hangs; REPORTED in place of the latter if that was blanked before."""
        if not path:
            return self.unit.holder, self.unit.key, self.unit.item
        holder: Any = self.unit.item
        for step in path[:-1]:
            holder = holder[step]
            if holder in (REPORTED, [REPORTED]):
                return REPORTED, None, None
        return holder, path[-1], holder[path[-1]]

    def _place(self, holder: Any, key: Any, bad: Any) -> Any:
        if isinstance(bad, dict | list):
            return self.document.place(bad)
        return self.document.place(holder, key)

    def _unknown_keys(self, bad: Any, rules: Any) -> None:
        known = list(rules["properties"])
        missing = [name for name in known if not self.document.is_written(bad, name)]
        self.unknown = [key for key in bad if key not in known]
        for key in self.unknown:
            if not self.problems.full:
                close = difflib.get_close_matches(key.lower(), missing, n=1, cutoff=0.6)
                hint = f"did you mean {close[0]}?" if close else f"known here: {', '.join(known)}"
                if key == "plymark":
                    hint = "leave it out: only a file of its own says what it is"
                place = self.document.key_place(bad, key)
                self.problems.add(place, "unknown-key", f"unknown key {quoted(key)}", hint)
            else:
                self.problems.total += 1
            bad[key] = REPORTED

    def _missing_key(self, bad: Any, key: str) -> None:
        meant = ("value", "children", "features", "loop") if key == "value" else (key,)
        misspelt = any(difflib.get_close_matches(name.lower(), meant) for name in self.unknown[:20])
        if not misspelt:
            self.problems.add(self.document.place(bad), "missing-key", *_missing(bad, key))
        bad[key] = REPORTED

    def _conflict(self, holder: Any, key: str) -> None:
        names = (
            "estimate",
            "children",
            "value",
            "features",
            "tree",
            "nodes",
            "loop",
            "pruned",
            "scheme",
            "move",
            "feedback_level",
            *(["exercise"] if key == "variants" else []),
        )
        beside = next((name for name in names if name in holder and name != key), "the rest")
        # A question's keys depend on what it asks.
        beside = f"ask: {holder['ask']}" if "ask" in holder else beside
        place = self.document.key_place(holder, key)
        self.problems.add(
            place,
            "conflicting-keys",
            f"{quoted(key)} cannot be combined with {quoted(beside)}",
            _CONFLICTS.get(key, ""),
        )


_CONFLICTS = {
    "value": "a leaf has a value, an inner node has children; remove one",
    "loop": "a leaf has a value or a loop, an inner node has children; remove one",
    "features": "features give the value or the estimate; remove one",
    "estimate": "only inner nodes have an estimate; a leaf has its value",
    "levels": "levels give turns to nested lists; in the flat form every node has its turn",
    "variants": "a part is an exercise for all, or variants; remove one",
    "each": "each is what an error costs under scheme: per-error",
    "diagnosis": "a report of this feedback_level has no diagnosis",
    "verdict": "a report of this feedback_level has no verdicts",
    "expected": "a report of this feedback_level does not reveal the key",
}


def _missing(bad: Container, key: str) -> tuple[str, str]:
    if "plymark" not in bad and key == "turn":
        return "an inner node needs a turn", "write turn: max, min, chance, or a player's name"
    if "plymark" not in bad and key == "value":
        return "a node needs children, or a value if it is a leaf", ""
    if key == "tree":
        return "a game needs a tree, or root and nodes", "for example tree: [[3, 12, 8], [2, 4, 6]]"
    return f"key {quoted(key)} is missing", ""


def _nearest(allowed: list[Any], bad: Any) -> str:
    """A hint for a misspelt word."""
    words = [word for word in allowed if isinstance(word, str)]
    close = difflib.get_close_matches(bad.lower(), words, n=1) if isinstance(bad, str) else []
    return f"did you mean {close[0]}?" if close else ""


def _wording(validator: str, rule: Any, key: Any, bad: Any) -> tuple[str, str]:
    """Code and message for a value that is of the wrong type, size or not among those allowed."""
    name = "the document" if key is None else quoted(key) if isinstance(key, str) else f"item {key + 1}"
    actual = "a mapping" if isinstance(bad, dict) else "a list" if isinstance(bad, list) else quoted(bad)
    if validator == "type":
        # A string may stand for a number, and a number or true for a string: only what is really meant is said.
        meant = [rule] if isinstance(rule, str) else ["number"] if rule == ["string", "number"] else rule
        meant = ["string", *rule[3:]] if rule[:3] == ["string", "number", "boolean"] else meant
        allowed = " or ".join(_TYPES[each] for each in meant)
        return "wrong-type", f"{name} must be {allowed}, not {actual}"
    if validator in ("const", "enum"):
        # Schemas list what YAML writes as true and JSON may write as "true"; people read it once.
        words = dict.fromkeys(
            str(each).lower() if isinstance(each, bool) else str(each)
            for each in ([rule] if validator == "const" else rule)
        )
        allowed = " or ".join(words)
        return "wrong-value", f"{name} must be {allowed}, not {actual}"
    if validator == "minimum":
        return "wrong-value", f"{name} must be at least {rule}, not {actual}"
    if not bad:
        return "no-children", f"{name} must not be empty"
    return "wrong-type", f"{name} must have {rule} items, not {len(bad)}"
