"""What a key or an answer says, as facts that every language shows, and the one spelling that report/1 has of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

from solver.game import Window
from solver.languages import Amount, Between, Fact, Formula, Items, Limit, NameRun, Percent, Sentence
from solver.render import bound_text, value_text

SIGNS = {"exact": "", "at-most": "≤ ", "at-least": "≥ ", "=": "", "<=": "≤ ", ">=": "≥ ", "<": "< ", ">": "> "}
NEVER_VISITED, NOTHING_THERE = Sentence("paper.word.unvisited"), Sentence("paper.word.none")
NO_BOUND = Sentence("paper.word.no-bound")
NO_NUMBER, EVERY_NUMBER = Formula(("∅",)), Formula(("ℝ",))
SHORTEST_RUN = 3
_SPELT = {"unvisited": "-", "no-bound": "none"}
_JOINTS = {"and": ", ", "then": ", ", "or": " / "}


def worth_fact(known: str, value: Any) -> Fact:
    """A value, or a bound with its sign."""
    if isinstance(value, bool):
        return word("true" if value else "false")
    number: Fact = value if isinstance(value, tuple) else Limit(value)
    return Formula((SIGNS[known], number)) if SIGNS[known] else number


def word(name: str) -> Sentence:
    """One of the answers to a question that offers a few."""
    return Sentence(f"paper.word.{name}")


def windows_fact(windows: Sequence[Window]) -> Fact:
    """The windows that a node went through; of none, that it was never visited."""
    if not windows:
        return NEVER_VISITED
    parts: list[Fact] = [part for window in windows for part in (" → ", Between(window))]
    return parts[1] if len(windows) == 1 else Formula(tuple(parts[1:]))


def either(facts: Iterable[Fact]) -> Fact:
    """One, or several that are equally right."""
    found = tuple(facts)
    return found[0] if len(found) == 1 else Items(found, len(found), "or")


def leaves_fact(leaves: Iterable[str], place: Mapping[str, int]) -> Items:
    """Leaves of a tree, those that follow one another as runs; `place` has all of the tree's, in their order."""
    runs: list[list[str]] = []
    for leaf in sorted(leaves, key=place.__getitem__):
        if runs and place[runs[-1][-1]] + 1 == place[leaf]:
            runs[-1].append(leaf)
        else:
            runs.append([leaf])
    facts: list[Fact] = []
    for run in runs:
        facts += [NameRun(tuple(run))] if len(run) >= SHORTEST_RUN else run
    return Items(tuple(facts), len(facts), "then")


def spelt(fact: Fact) -> str:
    """The spelling that reports, as data, and learning systems have, whatever the language. Answers may have it too."""
    match fact:
        case str():
            return fact
        case Sentence():
            name = fact.key.rpartition(".")[2]
            return _SPELT.get(name, name)
        case Items():
            return _JOINTS[fact.joint].join(map(spelt, fact.shown))
        case NameRun():
            return ", ".join(fact.names)
        case Formula():
            return "".join(map(spelt, fact.parts))
        case Between():
            low, high = map(bound_text, fact.ends)
            return f"[{low}, {high}]" if fact.closed else f"({low}, {high})"
        case Limit():
            return bound_text(fact.bound)
        case Amount() | Percent():
            return spelt(fact.number)
        case Decimal():
            return f"{fact:f}".replace("-", "−")
        case int() | Fraction() | tuple():
            return value_text(fact)
