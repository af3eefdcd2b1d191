"""A look at all variants together: which measures vary, and whether one exercise lies far from the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from solver import number_text

FAR = 4
"""In median distances from the median, with one unit at least: further away is an outlier."""
MEASURES = ("steps", "window_updates", "pruned", "near_misses", "different_wrong_answers")


def spread(cards: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """By measure the smallest, the median, the largest and the outliers; and where the best moves and roots are."""
    measures: dict[str, Any] = {}
    outliers: dict[str, list[str]] = {}
    for name in MEASURES:
        numbers = [_measure(card, name) for card in cards]
        middle = median(numbers)
        reach = FAR * max(Fraction(1), median([abs(number - middle) for number in numbers]))
        measures[name] = {"least": min(numbers), "median": number_text(middle), "most": max(numbers)}
        for card, number in zip(cards, numbers, strict=True):
            if abs(number - middle) > reach:
                outliers.setdefault(card["exercise"], []).append(name)
    moves = Counter(str(card["key"]["best_move"]) for card in cards)
    values = Counter(card["key"]["value"] for card in cards)
    cuts = Counter(str([tuple(cut.values()) for cut in card["difficulty"]["cuts"]]) for card in cards)
    return {
        "exercises": len(cards),
        "measures": measures,
        "best_move_at": dict(sorted(moves.items())),
        "different_root_values": len(values),
        "different_sequences_of_cuts": len(cuts),
        "outliers": dict(sorted(outliers.items())),
    }


def median(numbers: Sequence[int | Fraction]) -> Fraction:
    ordered = sorted(numbers)
    half = len(ordered) // 2
    return Fraction(ordered[half]) if len(ordered) % 2 else Fraction(ordered[half - 1] + ordered[half]) / 2


def _measure(card: dict[str, Any], name: str) -> int:
    part = "mistakes" if name == "different_wrong_answers" else "difficulty"
    number: int = card[part][name]
    return number
