"""Which variant of each part a member gets, in which attempt; nobody without the assignment's secret can tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from grader.people.variant_allocation import deal_places, order_by_secret, secret_key
from grader.service.base.service_problems import require_one_of

SAME, FRESH = WAYS = ("same", "fresh")


@dataclass(frozen=True, slots=True)
class PartOfAssignment:
    """A part, its variants, and the secret they are dealt by."""

    name: str
    """Each part of an exam is dealt for itself."""
    variants: tuple[str, ...]
    secret: str | bytes


def read_way(value: Any, field: str = "variants") -> str:
    return require_one_of(WAYS, value, field)


def first_variant(part: PartOfAssignment, place: int) -> str:
    """What the student at a place, from 0, is dealt."""
    return _row(part, 1 << place.bit_length())[place]


def students_variant(part: PartOfAssignment, place: int, had: Sequence[str] = (), way: str = SAME) -> str:
    """Of a student's next attempt, `had` being the variants of those before, the earliest first."""
    return _next(part, ("place", place), first_variant(part, place), had, way)


def staffs_variant(part: PartOfAssignment, person: str, had: Sequence[str] = (), way: str = SAME) -> str:
    """Of a try that counts for nobody."""
    return _next(part, ("person", person), None, had, way)


@lru_cache(maxsize=128)
def _row(part: PartOfAssignment, places: int) -> tuple[str, ...]:
    """The first places of a part. A block depends on the one before, so that all are dealt at once, and kept."""
    return tuple(deal_places(part.variants, part.secret, part.name, places))


def _next(part: PartOfAssignment, who: tuple[str, object], first: str | None, had: Sequence[str], way: str) -> str:
    """What was dealt is obeyed: the same again, while it exists; or of all variants the next that was had least often,
    in an order of their own, so that nobody's second variant is told by a neighbour's first."""
    there = [each for each in had if each in part.variants]
    if way == SAME and there:
        return there[-1]
    if first is not None and not there:
        return first
    order = order_by_secret(secret_key(part.secret), part.variants, part.name, *who)
    if first is not None:
        order = [first, *(each for each in order if each != first)]
    return min(order, key=there.count)
