"""The exercise of `--demo`, and what its class makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

EXERCISE: Mapping[str, Any] = {
    "plymark": "exercise/1",
    "id": "two-ply",
    "title": "Alpha-beta on a two-ply game tree",
    "text": "Search the tree with alpha-beta, from left to right.",
    "game": {
        "tree": {
            "id": "A",
            "turn": "max",
            "children": [
                {"move": "a1", "id": "B", "turn": "min", "children": [3, 12, 8]},
                {"move": "a2", "id": "C", "turn": "min", "children": [2, 4, 6]},
                {"move": "a3", "id": "D", "turn": "min", "children": [14, 5, 2]},
            ],
        }
    },
    "convention": "aima3",
    "questions": [
        {"id": "values", "ask": "values", "marks": 4, "text": "What does each inner node return?"},
        {
            "id": "windows",
            "ask": "windows",
            "at": "entry",
            "marks": 4,
            "text": "Write down (α, β) as each inner node is entered.",
        },
        {"id": "pruned", "ask": "pruned", "marks": 2, "text": "Which leaves are pruned?"},
        {"id": "move", "ask": "move", "marks": 1, "text": "Which move does MAX play?"},
    ],
    "marking": {"follow_through": 1, "accept": ["aima4"], "other_convention": "half"},
}


@dataclass(frozen=True, slots=True)
class DemoStudent:
    id: str
    name: str
    answers: Mapping[str, Any]


_EVERYTHING = "(−∞, ∞)"


def _answers(values: str, windows: str, pruned: str, move: str) -> dict[str, Any]:
    """Values and windows in the order of A, B, C, D, separated by `;`."""
    cells = {
        question: {node: text.strip() for node, text in zip("ABCD", written.split(";"), strict=True) if text.strip()}
        for question, written in (("values", values), ("windows", windows))
    }
    return {**cells, "pruned": pruned, "move": move}


_WINDOWS = f"{_EVERYTHING};{_EVERYTHING};(3, ∞);(3, ∞)"
_RIGHT = _answers("3;3;<= 2;2", _WINDOWS, "L5, L6", "a1")

STUDENTS = (
    DemoStudent("s01", "Amal Haddad", _RIGHT),
    DemoStudent("s02", "Bruno Carvalho", _answers("3;3;≤2;2", "-inf, inf;-inf, inf;3, inf;3, inf", "L5 L6", "a1")),
    DemoStudent("s03", "Chen Wei", _answers("3;3;2;2", _WINDOWS, "L5, L6", "a1")),
    DemoStudent("s04", "Dara O'Neill", _answers("8;8;<= 2;<= 5", _WINDOWS.replace("3", "8"), "L5, L6, L9", "a1")),
    DemoStudent("s05", "Elif Yılmaz", _answers("3;3;<= 2;5", _WINDOWS, "L5, L6", "a1")),
    DemoStudent("s06", "Farid Karimi", _answers("3;3;2;2", f"{_EVERYTHING};" * 3 + _EVERYTHING, "none", "a1")),
    DemoStudent("s07", "Grace Okafor", _answers("6;12;6;14", ";;(12, ∞);three", "L5 L6 L8 L9", "a2")),
    DemoStudent("s08", "Hana Sato", _answers("3;3;<= 2;2", f"{_EVERYTHING};{_EVERYTHING};(3, ∞);(2, ∞)", "L6", "a1")),
    DemoStudent("s09", "Inês Duarte", _answers("3;3;;2", _WINDOWS, "L5, L6", "")),
    DemoStudent("s10", "Jonas Berg", {}),
    DemoStudent("s11", "Kavya Nair", _answers("14;12;6;14", _WINDOWS, "L5, L6", "a3")),
    DemoStudent("s12", "Luca Ferri", _answers("3;three;<= 2;2", _WINDOWS, "the last two below C", "a1")),
)
