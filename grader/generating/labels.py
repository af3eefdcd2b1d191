"""What the nodes of an exercise are called, and the questions in those names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any

from grader.generating.draws import Draw
from grader.generating.sketch import Sketch

LEAF_LETTERS = "LPTUVXZ"
_IN_BRACES = re.compile(r"\{(\w+)\}")
# A single letter is a name after such a word; elsewhere it may be an article, or a player.
_BARE = re.compile(r"\b(?:L[0-9]+|[a-z][1-9][0-9]?)\b|(?<=\bat )[A-Z]\b|(?<=\bnode )[A-Z]\b|(?<=\bbelow )[A-Z]\b")


@dataclass(frozen=True, slots=True)
class Labels:
    """By node its id, and the move that leads to it (none at the root)."""

    ids: tuple[str, ...]
    moves: tuple[str, ...]


def labels(sketch: Sketch, start: int = 0, leaf_letter: str = "L") -> Labels:
    """Inner nodes by consecutive letters from `start` on, leaves by a letter and a number."""
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
    """Other letters for another variant, as long as the alphabet lasts; none that an unknown or a player has."""
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
    """A question of the recipe in the names of a variant."""
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


def text_in_names(text: str, plain: Labels, own: Labels) -> str:
    """Names in braces as they are in a variant: {L4}, {B}, {a2}. Other braces stay."""
    names = dict(zip((*plain.ids, *plain.moves[1:]), (*own.ids, *own.moves[1:]), strict=True))
    return _IN_BRACES.sub(lambda found: names.get(found[1], found[0]), text)


def bare_name(text: str, others: Collection[str] = ()) -> str | None:
    """A node or a move of the recipe that appears in a text without braces, where other labels would make it wrong."""
    return next((name for name in _BARE.findall(_IN_BRACES.sub("", text)) if name not in others), None)


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    return [names.get(each, each) for each in value] if isinstance(value, list) else names.get(value, value)
