"""Constant answers: what somebody could write who has not seen the tree, in the names that the recipe gives to nodes.

They are made from the keys of some exercises: the keys themselves, what is right most often item by item, one thing for
all items, everything, and nothing. Where words or moves can be chosen from, each of them is a constant, too.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from grader.questions.answer_key import KeyedQuestion
from grader.questions.registry import ask_of
from solver.kernel import Number, number_text

REPEATED = 3
"""How many of the most frequent items are written everywhere."""
MOST_NUMBERS = 41
"""Of a range with more numbers, this many are tried as constants."""
SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4))
"""Names that are in so many of the keys make a list."""


def written(raw: Any) -> str:
    """A constant as text, by which constants are compared."""
    return json.dumps(raw, sort_keys=True, ensure_ascii=False)


def given_constants(question: KeyedQuestion, numbers: Sequence[Number]) -> Iterator[Any]:
    """Those that need no key: nothing, each word or move, and each number where a question has many right answers."""
    ask = ask_of(question)
    yield "none"
    items = list(ask.keyed(question))
    for item in items:
        for option in ask.options(question, item) or ask.words:
            yield option if len(items) == 1 else dict.fromkeys(items, option)
    right = ask.perfect(question)
    if ask.many_right and isinstance(right, dict) and all(_is_number(each) for each in right.values()):
        step = max(1, -(-len(numbers) // MOST_NUMBERS))
        for number in numbers[::step]:
            yield dict.fromkeys(right, number_text(number))


def keyed_constants(keys: Sequence[Any]) -> Iterator[Any]:
    """Those that are made from several keys."""
    tables = [key for key in keys if isinstance(key, dict)]
    if tables:
        yield usual(tables)
        items = list(dict.fromkeys(item for key in tables for item in key))
        atoms = Counter(written(each) for key in tables for each in key.values())
        for text, _ in sorted(atoms.items(), key=lambda each: (-each[1], each[0]))[:REPEATED]:
            yield dict.fromkeys(items, json.loads(text))
    lists = [key for key in keys if isinstance(key, list) and all(isinstance(each, str) for each in key)]
    if lists:
        times = Counter(name for key in lists for name in set(key))
        order = sorted(times, key=lambda name: (_mean_place(lists, name), name))
        for share in SHARES:
            yield [name for name in order if times[name] >= share * len(keys)] or "none"
        yield order


def usual(tables: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Of each item, what is right most often."""
    found: dict[str, Any] = {}
    for item in dict.fromkeys(item for key in tables for item in key):
        times = Counter(written(key[item]) for key in tables if item in key)
        found[item] = json.loads(min(times, key=lambda text: (-times[text], text)))
    return found


def _mean_place(lists: Sequence[list[str]], name: str) -> Fraction:
    places = [Fraction(key.index(name), len(key)) for key in lists if name in key]
    return sum(places, Fraction(0)) / len(places)


def _is_number(text: Any) -> bool:
    return isinstance(text, str) and text.lstrip("-−").replace("/", "").replace(".", "").isdigit()
