"""Variants by place, part and attempt, as the lists on paper deal them."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.people.roster import Student
from grader.people.variant_allocation import deal
from grader.service.base.service_problems import RuleViolation
from grader.service.rules.variant_dealing import (
    FRESH,
    WAYS,
    PartOfAssignment,
    first_variant,
    read_way,
    staffs_variant,
    students_variant,
)
from solver.kernel import UsageError

parts = st.builds(
    PartOfAssignment,
    st.sampled_from(["alpha-beta", "chance"]),
    st.integers(1, 9).map(lambda count: tuple(f"tree-{number:02d}" for number in range(count))),
    st.binary(min_size=1, max_size=8),
)
places = st.integers(0, 80)


def attempts_of(part: PartOfAssignment, place: int, count: int, way: str) -> list[str]:
    had: list[str] = []
    for _ in range(count):
        had.append(students_variant(part, place, had, way))
    return had


@given(parts, st.integers(1, 60))
def test_places_are_dealt_as_on_paper(part: PartOfAssignment, count: int) -> None:
    lines = deal([Student("", f"s{n}") for n in range(count)], part.variants, part.secret, part.name)
    assert [first_variant(part, place) for place in range(count)] == [line.variant for line in lines]


@given(parts, st.integers(0, 8))
def test_every_block_has_every_variant_once(part: PartOfAssignment, block: int) -> None:
    size = len(part.variants)
    found = [students_variant(part, place) for place in range(block * size, (block + 1) * size)]
    assert sorted(found) == sorted(part.variants)


@given(parts, places)
def test_neighbours_never_have_the_same(part: PartOfAssignment, place: int) -> None:
    assert students_variant(part, place) != students_variant(part, place + 1) or len(part.variants) == 1


@given(parts, places, st.integers(1, 12))
def test_the_same_stays_the_same(part: PartOfAssignment, place: int, count: int) -> None:
    assert set(attempts_of(part, place, count, "same")) == {first_variant(part, place)}


@given(parts, places, st.integers(1, 3))
def test_fresh_ones_are_all_had_before_they_repeat_in_order(part: PartOfAssignment, place: int, rounds: int) -> None:
    size = len(part.variants)
    had = attempts_of(part, place, rounds * size, FRESH)
    assert had[0] == first_variant(part, place)
    assert sorted(had[:size]) == sorted(part.variants)
    assert had == had[:size] * rounds


@given(parts, places, st.lists(st.sampled_from(["tree-00", "tree-01", "gone"]), min_size=1, max_size=4))
def test_what_was_had_is_obeyed_when_variants_change(part: PartOfAssignment, place: int, had: list[str]) -> None:
    there = [each for each in had if each in part.variants]
    assert students_variant(part, place, had) == (there[-1] if there else first_variant(part, place))
    fresh = students_variant(part, place, had, FRESH)
    assert had.count(fresh) == min(had.count(each) for each in part.variants)


@given(parts, st.text(max_size=6), st.integers(1, 12))
def test_staff_get_a_variant_of_their_own(part: PartOfAssignment, person: str, count: int) -> None:
    had: list[str] = []
    for _ in range(count):
        had.append(staffs_variant(part, person, had, FRESH))
    size = len(part.variants)
    assert len(set(had[:size])) == min(count, size)
    assert staffs_variant(part, person) == had[0] == staffs_variant(part, person, had[:1])


def test_parts_secrets_and_places_are_dealt_apart() -> None:
    variants = tuple(f"tree-{number:02d}" for number in range(12))
    rows = {
        tuple(first_variant(PartOfAssignment(name, variants, secret), place) for place in range(24))
        for name in ("alpha-beta", "chance")
        for secret in ("one", "two")
    }
    assert len(rows) == 4


def test_a_neighbours_first_does_not_tell_ones_second() -> None:
    """Each has an order of their own: who comes next in the block is no better a guess than anybody."""
    part = PartOfAssignment("alpha-beta", tuple(f"tree-{number:02d}" for number in range(10)), "secret")
    rows = [attempts_of(part, place, 2, FRESH) for place in range(2_000)]
    told = sum(one[1] == other[0] for one, other in pairwise(rows))
    assert 120 < told < 330
    assert max(Counter(row[1] for row in rows).values()) < 300


def test_what_cannot_be_dealt_is_told() -> None:
    assert [read_way(way) for way in WAYS] == list(WAYS)
    with pytest.raises(RuleViolation, match='variants is one of same, fresh, not "random"'):
        read_way("random")
    for part in (PartOfAssignment("a", (), "s"), PartOfAssignment("a", ("x",), "")):
        with pytest.raises(UsageError):
            students_variant(part, 0)


@pytest.mark.slow
def test_the_rules_load_nothing_heavy() -> None:
    """The process that answers requests reads no documents and marks nothing."""
    rules = "assignment_dates, assignment_rules, grade_counting, times, variant_dealing"
    code = f"import sys; from grader.service.rules import {rules}; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    ours = {".".join(name.split(".")[:2]) for name in loaded if name.startswith(("solver.", "grader."))}
    assert ours == {"solver.kernel", "grader.kernel", "grader.people", "grader.service"}
