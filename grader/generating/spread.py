"""A look at all variants together: which measures vary, and whether one exercise lies far from the rest."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from grader.generating.generate import Generated
from grader.generating.stress import checked, guesses
from solver.kernel import number_text

FAR = 4
"""In median distances from the median, with one unit at least: further away is an outlier."""
MEASURES = ("steps", "window_updates", "pruned", "near_misses", "different_wrong_answers")


def look_at_all(found: Sequence[Generated]) -> dict[str, Any]:
    """What varies, who lies far off, what copying or guessing would earn, and whether other means find the same."""
    verdicts = {each.id: checked(each.data, each.card) for each in found}
    return {
        **spread([each.card for each in found]),
        "answers": answers([each.plain_key for each in found]),
        "best_move_by_guessing": guesses([(each.data, each.card) for each in found]),
        "solved_again": {
            "agree": sum(verdict is True for verdict in verdicts.values()),
            "differ": [name for name, verdict in verdicts.items() if verdict is False],
            "not_possible": sum(verdict is None for verdict in verdicts.values()),
        },
    }


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
    places = Counter(tuple(card["difficulty"]["pruned_at"]) for card in cards)
    moves = Counter(str(card["key"]["best_move"]) for card in cards)
    values = Counter(card["key"]["value"] for card in cards)
    cuts = Counter(str([tuple(cut.values()) for cut in card["difficulty"]["cuts"]]) for card in cards)
    return {
        "exercises": len(cards),
        "measures": measures,
        "best_move_at": dict(sorted(moves.items())),
        "different_root_values": len(values),
        "different_sequences_of_cuts": len(cuts),
        "different_places_of_pruned_leaves": len(places),
        "outliers": dict(sorted(outliers.items())),
    }


def answers(keys: Sequence[Mapping[str, Mapping[str, str]]]) -> dict[str, dict[str, Any]]:
    """By question how many different answers the exercises have, in the recipe's names, and which is most frequent:
    what somebody who copies, or has seen another variant, would get."""
    found: dict[str, dict[str, Any]] = {}
    for name in keys[0] if keys else ():
        given = Counter("; ".join(f"{item}: {text}" for item, text in key[name].items()) for key in keys)
        most, times = min(given.items(), key=lambda each: (-each[1], each[0]))
        found[name] = {"different": len(given), "most_frequent": most, "share": f"{times} of {len(keys)}"}
    return found


def median(numbers: Sequence[int | Fraction]) -> Fraction:
    ordered = sorted(numbers)
    half = len(ordered) // 2
    return Fraction(ordered[half]) if len(ordered) % 2 else Fraction(ordered[half - 1] + ordered[half]) / 2


def _measure(card: dict[str, Any], name: str) -> int:
    part = "mistakes" if name == "different_wrong_answers" else "difficulty"
    number: int = card[part][name]
    return number
