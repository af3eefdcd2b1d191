"""The best constant answer to a question over a set of variants, and what chance alone would give it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain
from statistics import fmean
from typing import Any

from benchmarks.blind import BLIND, Guess, answered, constant, numbers
from benchmarks.variants import TWO_VALUED, Variant, by_position, shuffled
from grader.questions.exercise import Question

SCREENED, KEPT = 5, 6
"""Candidates are compared on so many variants; so many of them on all."""
MOST_NUMBERS = 12
ONE_OF_MANY = frozenset({"count", "fewest", "range", "opponent", "plan"})
"""Questions with one right answer out of those that other trees of the same shape have."""
MANY_RIGHT = frozenset({"reorder", "assign"})
"""Questions with many right answers: a key is one of them, and only the marking knows the others."""
NUMBERED = frozenset({"values", "windows", "inequalities", "vectors", "range", "assign", "depths", "opponent", "ucb"})


@dataclass(frozen=True, slots=True)
class Candidate:
    """The same answer to every variant, in its own names."""

    answer: Callable[[Variant], Any]
    source: Variant | None = None
    """The variant whose key it is, on which it is not measured: nobody has to guess what they were told."""

    def mean(self, variants: Sequence[Variant], share: Callable[[Variant, Any], float]) -> float:
        measured = [each for each in variants if each is not self.source] or variants
        return fmean(share(each, self.answer(each)) for each in measured)


@dataclass(frozen=True, slots=True)
class Best:
    question: Question
    answer: Callable[[Variant], Any]
    share: float
    """The mean of what it earns over the set."""


def best_constant(question: Question, variants: Sequence[Variant]) -> Best:
    # What anybody could write comes first: a key that says the same is not measured on its own variant.
    candidates = chain(_candidates(question, variants), (_key_of(question, variant) for variant in variants))
    pool = list(_distinct(candidates, variants[0], variants[-1]))
    few = variants[:SCREENED]

    def share(variant: Variant, answer: Any) -> float:
        return variant.share(question.id, answer)

    if len(few) < len(variants):
        pool.sort(key=lambda each: -each.mean(few, share))
        pool = pool[:KEPT]
    found = [Best(question, each.answer, each.mean(variants, share)) for each in pool]
    return max(found, key=lambda each: each.share)


def _distinct(candidates: Iterable[Candidate], *on: Variant) -> Iterator[Candidate]:
    seen: set[str] = set()
    for candidate in candidates:
        written = json.dumps([candidate.answer(each) for each in on])
        if written not in seen:
            seen.add(written)
            yield candidate


def _candidates(question: Question, variants: Sequence[Variant]) -> Iterator[Candidate]:
    """Beside the keys of variants: single numbers; every choice, move and way of crossing out."""
    if question.ask in ("count", "fewest"):
        yield from (_always(str(number)) for number in range(max(len(each.tree) for each in variants)))
        return
    drawn = sorted({number for each in variants for number in numbers(each.tree)})
    some = [drawn[place * (len(drawn) - 1) // (MOST_NUMBERS - 1)] for place in range(MOST_NUMBERS)]
    for number in dict.fromkeys([*some, drawn[0] - 60, drawn[-1] + 60]) if question.ask in NUMBERED else ():
        yield _by(question, constant(number))
        yield _by(question, Guess(_worth(number), bound=">="))
        yield _by(question, Guess(_worth(number), bound="<="))
    for guess in BLIND.values():
        yield _by(question, Guess(_worth(drawn[0]), guess.crossed))
    for place in range(min(len(each.tree.children[0]) for each in variants)):
        yield _by(question, Guess(_worth(drawn[0]), place=place))
    yield _by(question, Guess(_worth(drawn[0]), place=-1, yes=False))


def _worth(number: Fraction) -> Callable[[Any, Any], Fraction]:
    return lambda _tree, _node: number


def _always(text: str) -> Candidate:
    return Candidate(lambda _variant: text)


def _by(question: Question, guess: Guess) -> Candidate:
    return Candidate(lambda variant: answered(variant.exercise, _own(question, variant), guess))


def _own(question: Question, variant: Variant) -> Question:
    """The variant's question: it names its own nodes."""
    return next(each for each in variant.exercise.questions if each.id == question.id)


def _key_of(question: Question, source: Variant) -> Candidate:
    return Candidate(lambda variant: by_position(source.key[question.id], source.tree, variant.tree), source)


def chance_level(question: Question, variants: Sequence[Variant], others: Sequence[Variant]) -> float:
    """What the best constant would earn if the keys were spread over the answers that the tree permits.

    One move out of those at the root, one of yes and no; one of the different keys of other trees of the same shape;
    and where an answer has parts, the most that a constant has of the parts of the other trees' keys, compared part by
    part: nothing here depends on how answers are marked, unless many answers are right.
    """
    if question.ask in TWO_VALUED:
        return 1 / 2
    if question.ask == "move":
        return fmean(1 / len(each.tree.children[0]) for each in variants)
    if not others:
        return 0.0
    if question.ask in ONE_OF_MANY:
        positions = {json.dumps(by_position(each.key[question.id], each.tree, others[0].tree)) for each in others}
        return 1 / len(positions)
    if question.ask in MANY_RIGHT:
        return best_constant(question, others).share

    def share(variant: Variant, answer: Any) -> float:
        return common_share(answer, variant.key[question.id])

    pool = _distinct(_candidates(question, others), others[0], others[-1])
    return max(each.mean(others, share) for each in pool)


def common_share(given: Any, key: Any) -> float:
    """The share of the key's parts that the answer has, less its parts that the key has not."""
    mine, right = _parts(given), _parts(key)
    return (
        max(0.0, (len(mine & right) - len(_places(mine) - _places(right))) / len(right)) if right else float(not mine)
    )


def _parts(answer: Any) -> frozenset[tuple[str, str]]:
    """Places with what is written there; of a list, its entries."""
    if isinstance(answer, dict):
        return frozenset((str(place), _plain(each)) for place, each in answer.items())
    if isinstance(answer, list):
        return frozenset((_plain(each), "") for each in answer)
    return frozenset() if answer == "none" else frozenset({("", _plain(answer))})


def _places(parts: frozenset[tuple[str, str]]) -> frozenset[str]:
    return frozenset(place for place, _ in parts)


_SIGNS = str.maketrans({"−": "-", "≤": "<=", "≥": ">=", "(": "", ")": "", " ": "", "+": ""})


def _plain(text: Any) -> str:
    """Without the differences that printing makes."""
    if isinstance(text, list | tuple):
        return ",".join(map(_plain, text))
    return str(text).replace("∞", "inf").translate(_SIGNS)


def other_trees(variants: Sequence[Variant], draw: random.Random, times: int = 1) -> list[Variant]:
    """The same shapes, with the numbers of each at other places."""
    return [other for _ in range(times) for each in variants if (other := shuffled(each, draw)) is not None]
