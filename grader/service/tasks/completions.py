"""What an editor can offer while a document is written: the schemas, shortened to keys, words and what they mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.mistakes.behaviour import mistake_of
from grader.mistakes.registry import MODELS
from grader.questions.claims import CLAIMS
from solver.documents import KINDS, schema_of
from solver.game import CONVENTIONS

Shape = dict[str, Any]
IDS, TURNS, UNKNOWNS, MOVES = "ids", "turns", "unknowns", "moves"
WRITTEN_BEFORE = {
    "root": IDS,
    "loop": IDS,
    "to": IDS,
    "pruned": IDS,
    "nodes": IDS,
    "turn": TURNS,
    "levels": TURNS,
    "unknown": UNKNOWNS,
    "unknowns": UNKNOWNS,
    "move": MOVES,
}
"""Keys whose words are written elsewhere in the same document, and which of them they are."""
DEFINES = {("game", "unknowns"), ("game", "nodes"), ("node_mapping", "move"), ("edge", "move"), ("recipe", "unknowns")}
"""Where such words are written first."""
NOT_BY_TEACHERS = ("answer/1", "solution/1", "report/1")
BOOLEAN = [True, False, "true", "false"]


def completion_shapes() -> dict[str, Any]:
    """By kind `{root, shapes}`. A shape has `title` and `text`; `keys` with a shape each; `any`, the shape of keys that
    a document names itself; `items`; `values` to choose from; `examples`; `from`, which words of the document to take;
    `also`, names of shapes whose parts it has too; `unless`, which keys do not go with a value of another key."""
    return {kind: _kind(schema_of(kind), name) for kind, name in KINDS.items() if kind not in NOT_BY_TEACHERS}


def _kind(whole: Mapping[str, Any], name: str) -> dict[str, Any]:
    shapes = {each: _shape(part, each) for each, part in whole.get("$defs", {}).items()}
    root = _shape(whole, name)
    listed = (
        (shapes.get("convention"), list(CONVENTIONS)),
        (_below(shapes.get("question"), "claim"), list(CLAIMS)),
        (_below(root, "require", "exposes"), sorted({mistake_of(each) for each in MODELS})),
    )
    for shape, words in listed:
        if shape is not None:
            shape.get("items", shape)["values"] = words
    if "flat_child" in shapes:
        shapes["flat_child"]["from"] = IDS
    return {"root": root, "shapes": shapes}


def _below(shape: Shape | None, *keys: str) -> Shape | None:
    for key in keys:
        shape = (shape or {}).get("keys", {}).get(key)
    return shape


def _shape(part: Mapping[str, Any], within: str = "", key: str = "") -> Shape:
    found: Shape = {
        shown: part[said]
        for said, shown in (("title", "title"), ("description", "text"))
        if isinstance(part.get(said), str)
    }
    _gather(part, found, within)
    examples = [each for each in part.get("examples", []) if not isinstance(each, dict | list)]
    source = WRITTEN_BEFORE.get(key) if (within, key) not in DEFINES else None
    if source is not None:
        found.get("items", found)["from"] = source
        if part.get("type") != "array":
            found["from"] = source
    elif examples and "values" not in found and "keys" not in found:
        found["examples"] = examples
    return found


def _gather(part: Mapping[str, Any], found: Shape, within: str) -> None:
    """All that a schema may allow, whichever of its conditions holds."""
    if "$ref" in part:
        found.setdefault("also", []).append(part["$ref"].rpartition("/")[2])
    for key, inner in part.get("properties", {}).items():
        if inner != {"not": {}}:
            found.setdefault("keys", {}).setdefault(key, _shape(inner, within, key))
    for said, shown in (("items", "items"), ("additionalProperties", "any")):
        if isinstance(part.get(said), dict):
            found[shown] = _shape(part[said], within)
    words = part.get("enum", [part["const"]] if "const" in part else [])
    if words:
        found["values"] = [*words[:2], *words[4:]] if words[:4] == BOOLEAN else list(words)
    for branch in ("then", "else"):
        if isinstance(part.get(branch), dict):
            _gather(part[branch], found, within)
    for rule in part.get("allOf", []):
        for key, condition in rule.get("if", {}).get("properties", {}).items():
            apart = [name for name, inner in rule["then"].get("properties", {}).items() if inner == {"not": {}}]
            found.setdefault("unless", {}).setdefault(key, {})[str(condition.get("const"))] = apart
