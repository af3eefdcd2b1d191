"""What nodes and moves of an exercise are called, and questions that use these names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from grader.generating.recipe.names_in_text import IN_BRACES
from grader.generating.search.draws import Draw
from grader.generating.search.sketch import Sketch

LEAF_LETTERS = "LPTUVXZ"


@dataclass(frozen=True, slots=True)
class Labels:
    """By node, its id and the move that leads to it (empty at the root)."""

    ids: tuple[str, ...]
    moves: tuple[str, ...]


def labels(sketch: Sketch, start: int = 0, leaf_letter: str = "L") -> Labels:
    """Consecutive letters for inner nodes, from `start` on; a letter and a number for leaves."""
    ids: list[str] = []
    inner = leaf = 0
    for turn in sketch.turn:
        if turn is None:
            leaf += 1
            ids.append(f"{leaf_letter}{leaf}")
        else:
            ids.append(_letters(start + inner))
            inner += 1
    moves = [""] * len(ids)
    for node, children in enumerate(sketch.children):
        for place, child in enumerate(children, 1):
            moves[child] = f"{ids[node].lower()}{place}"
    return Labels(tuple(ids), tuple(moves))


def drawn_labels(sketch: Sketch, draw: Draw, others: Iterable[str] = ()) -> Labels:
    """Other letters for another variant, if the alphabet has enough, without the names of unknowns and players."""
    inner = sum(turn is not None for turn in sketch.turn)
    taken = {name.upper() for name in others}
    starts = range(max(1, len(ascii_uppercase) - inner + 1))
    apart = [start for start in starts if not taken & {_letters(start + place) for place in range(inner)}]
    start = draw.choice(apart or starts)
    used = {_letters(start + place) for place in range(inner)} | taken
    # A leaf P1 and a move p1 could be taken for one another, so inner nodes do not share the leaves' letter.
    free = [letter for letter in LEAF_LETTERS if letter not in used]
    return labels(sketch, start, draw.choice(free)) if free else labels(sketch)


def _letters(number: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = ascii_uppercase[rest] + text
    return text


def in_names(question: Mapping[str, Any], plain: Labels, own: Labels) -> dict[str, Any]:
    """A question of the recipe with the names of a variant."""
    ids = dict(zip(plain.ids, own.ids, strict=True))
    moves = dict(zip(plain.moves, own.moves, strict=True))
    found: dict[str, Any] = dict(question)
    if "text" in found:
        found["text"] = text_in_names(found["text"], plain, own)
    if isinstance(found.get("nodes"), list):
        found["nodes"] = [ids.get(name, name) for name in found["nodes"]]
    for key in ("when", "goal"):
        wanted = found.get(key)
        if isinstance(wanted, dict):
            found[key] = {name: _renamed(value, moves if name == "move" else ids) for name, value in wanted.items()}
    rubric = found.get("rubric")
    if isinstance(rubric, dict) and isinstance(rubric.get("weights"), dict):
        weights = {ids.get(name, name): weight for name, weight in rubric["weights"].items()}
        found["rubric"] = {**rubric, "weights": weights}
    return found


def text_in_names(text: str | dict[str, str], plain: Labels, own: Labels) -> str | dict[str, str]:
    """A text, or all in a mapping from languages, with its names in braces, such as {L4}, {B} or {a2}, replaced by
    those of a variant. Other braces stay."""
    if isinstance(text, dict):
        return {code: str(text_in_names(each, plain, own)) for code, each in text.items()}
    names = dict(zip((*plain.ids, *plain.moves[1:]), (*own.ids, *own.moves[1:]), strict=True))
    return IN_BRACES.sub(lambda found: names.get(found[1], found[0]), text)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    return [names.get(each, each) for each in value] if isinstance(value, list) else names.get(value, value)
