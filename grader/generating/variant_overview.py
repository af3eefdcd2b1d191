"""An overview of all variants: which measures vary, whether an exercise is far from the rest, and two checks.

Each is solved again by other means, and answered by rules of thumb. The other means use none of the solver's
algorithms. Values are computed by backward induction over the written data. A leaf is pruned if an elder sibling on
the way to it is already too good for one side (Baudet 1978), without a search.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from grader.generating.quality_card import Generated
from solver.game import AND, CHANCE, MAX, MIN, OR
from solver.kernel import number_text, parse_number
from solver.render import value_text
from solver.search import ALGORITHMS

USUAL = {"cut": "at-bound", "order": "left-to-right", "window": ["-inf", "inf"]}
"""The choices of a convention that the rule about elder siblings assumes."""


@dataclass(frozen=True, slots=True)
class WrittenTree:
    """A tree as it is written: by node in document order, what is needed to solve it."""

    turn: list[str | None]
    children: list[list[int]]
    written: list[dict[str, Any]]

    @property
    def leaves(self) -> list[int]:
        return [node for node, turn in enumerate(self.turn) if turn is None]


def plain_tree(tree: dict[str, Any]) -> WrittenTree:
    found = WrittenTree([], [], [])
    pending: list[tuple[dict[str, Any], int]] = [(tree, -1)]
    while pending:
        node, parent = pending.pop()
        if parent >= 0:
            found.children[parent].append(len(found.turn))
        pending.extend((child, len(found.turn)) for child in reversed(node.get("children", ())))
        found.turn.append(node.get("turn"))
        found.children.append([])
        found.written.append(node)
    return found


def backward_induction(tree: WrittenTree, side_of: dict[str, int]) -> list[Any]:
    """The value of every node: a number, a vector, or whether a plan succeeds."""
    worth: list[Any] = [None] * len(tree.turn)
    for node in range(len(tree.turn) - 1, -1, -1):
        turn, below = tree.turn[node], [worth[child] for child in tree.children[node]]
        if turn is None:
            worth[node] = _leaf(tree.written[node])
        elif turn in (MAX, OR):
            worth[node] = max(below)
        elif turn in (MIN, AND):
            worth[node] = min(below)
        elif turn == CHANCE:
            chances = [Fraction(tree.written[child]["p"]) for child in tree.children[node]]
            worth[node] = _mean(below, chances)
        else:
            worth[node] = max(below, key=lambda vector: vector[side_of[turn]])
    return worth


def _leaf(written: dict[str, Any]) -> Any:
    value = written.get("value", "false")
    if isinstance(value, list):
        return tuple(Fraction(each) for each in value)
    return value == "true" if value in ("true", "false") else parse_number(value)


def _mean(below: list[Any], chances: list[Fraction]) -> Any:
    if isinstance(below[0], tuple):
        weighed = [[p * each for each in vector] for p, vector in zip(chances, below, strict=True)]
        return tuple(map(sum, zip(*weighed, strict=True)))
    return sum(p * value for p, value in zip(chances, below, strict=True))


def pruned_places(tree: WrittenTree, worth: Sequence[Any]) -> list[int]:
    """The positions of the pruned leaves, from 1, for an open window, left to right, with cuts at the bound."""
    lowest, highest = min(worth[leaf] for leaf in tree.leaves) - 1, max(worth[leaf] for leaf in tree.leaves) + 1
    window: list[tuple[Any, Any]] = [(lowest, highest)] * len(tree.turn)
    for node, children in enumerate(tree.children):
        low, high = window[node]
        for child in children:
            window[child] = (low, high)
            if tree.turn[node] == MAX:
                low = max(low, worth[child])
            else:
                high = min(high, worth[child])
    return [place for place, leaf in enumerate(tree.leaves, 1) if window[leaf][0] >= window[leaf][1]]


def agrees_with_card(data: dict[str, Any], card: dict[str, Any]) -> bool | None:
    """Whether the card has what the other means find. None if they do not apply: unknown leaves, depth limits, MCTS,
    paranoid search."""
    game, key = data["game"], card["key"]
    tree = plain_tree(game["tree"])
    written = data.get("convention")
    declared = written if isinstance(written, dict) else {}
    other_rule = bool(game.get("players")) and "ties" in declared
    same_game = key["algorithm"] is not None and not ALGORITHMS[key["algorithm"]].another_game
    known = same_game and card["difficulty"]["nodes"] == len(tree.turn)
    if not known or other_rule:
        return None
    sides = game.get("teams") or {player: [player] for player in game.get("players", ())}
    worth = backward_induction(
        tree, {player: side for side, members in enumerate(sides.values()) for player in members}
    )
    if key["value"] != value_text(worth[0]):
        return False
    if isinstance(worth[0], bool) or tree.turn[0] == CHANCE:
        return True
    if worth[tree.children[0][key["best_move"] - 1]] != worth[0]:
        return False
    unusual = any(name in USUAL and choice != USUAL[name] for name, choice in declared.items())
    if key["algorithm"] != "alpha-beta" or unusual:
        return True
    return bool(card["difficulty"]["pruned_at"] == pruned_places(tree, worth))


Guess = Callable[[WrittenTree, list[list[Any]]], int]

GUESSES: dict[str, Guess] = {
    "the first": lambda _tree, _below: 1,
    "the last": lambda _tree, below: len(below),
    "the middle one": lambda _tree, below: (len(below) + 1) // 2,
    "towards the largest leaf": lambda _tree, below: _best([max(each) for each in below]),
    "towards the smallest leaf": lambda _tree, below: _best([-min(each) for each in below]),
    "towards the largest mean": lambda _tree, below: _best([Fraction(sum(each)) / len(each) for each in below]),
    "towards the largest smallest leaf": lambda _tree, below: _best([min(each) for each in below]),
    "towards the largest first leaf": lambda _tree, below: _best([each[0] for each in below]),
}
"""Rules of thumb that need no search; a good tree does not reward them."""


def _best(numbers: list[Any]) -> int:
    return numbers.index(max(numbers)) + 1


def guesses(exercises: Sequence[tuple[dict[str, Any], dict[str, Any]]]) -> dict[str, str]:
    """By rule of thumb, in how many exercises (data and card) it gives the best move."""
    right: Counter[str] = Counter()
    asked = 0
    for data, card in exercises:
        tree = plain_tree(data["game"]["tree"])
        below = list(_leaves_by_move(tree)) if set(tree.turn) <= {MAX, MIN, CHANCE, None} else []
        if card["key"]["best_move"] is None or not below or "mcts" in data["game"] or "unknowns" in data["game"]:
            continue
        asked += 1
        if tree.turn[0] == MIN:
            below = [[-each for each in leaves] for leaves in below]
        right.update(name for name, guess in GUESSES.items() if guess(tree, below) == card["key"]["best_move"])
    return {name: f"{right[name]} of {asked}" for name in GUESSES} if asked else {}


def _leaves_by_move(tree: WrittenTree) -> Iterator[list[Any]]:
    for child in tree.children[0]:
        found: list[Any] = []
        pending = [child]
        while pending:
            node = pending.pop()
            pending.extend(reversed(tree.children[node]))
            if tree.turn[node] is None:
                found.append(_leaf(tree.written[node]))
        yield found


FAR = 4
"""An outlier is further from the median than this many median distances (each at least 1)."""
MEASURES = ("steps", "window_updates", "pruned", "near_misses", "different_wrong_answers")


def overview_of(found: Sequence[Generated]) -> dict[str, Any]:
    """What varies, the outliers, what copying or guessing would earn, and whether other means give the same key."""
    verdicts = {each.id: agrees_with_card(each.data, each.card) for each in found}
    return {
        **measure_spread([each.card for each in found]),
        "answers": answer_counts([each.plain_key for each in found]),
        "best_move_by_guessing": guesses([(each.data, each.card) for each in found]),
        "solved_again": {
            "agree": sum(verdict is True for verdict in verdicts.values()),
            "differ": [name for name, verdict in verdicts.items() if verdict is False],
            "not_possible": sum(verdict is None for verdict in verdicts.values()),
        },
    }


def measure_spread(cards: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """By measure, the smallest, the median, the largest and the outliers; and how best moves and root values vary."""
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


def answer_counts(keys: Sequence[Mapping[str, Mapping[str, str]]]) -> dict[str, dict[str, Any]]:
    """By question, how many different answers there are in the recipe's own names, and the most frequent one: what
    somebody would get who copies, or has seen another variant."""
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
