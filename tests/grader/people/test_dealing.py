"""Who gets which variant: dealt in the order of the roster, written down, and obeyed from then on."""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.people.roster import Student, read_roster
from grader.people.variant_allocation import (
    Allocation,
    assign,
    deal,
    find_record,
    read_record,
    record_sheet,
    student_key,
    variants_by_student,
)
from grader.people.variant_ownership import VariantOwnership
from solver.kernel import UsageError

CHI_SQUARE_29 = 58.3
"""Exceeded once in a thousand times by 29 degrees of freedom."""

secrets = st.text(min_size=1, max_size=8).filter(
    lambda text: text.encode("utf-8", "ignore") == text.encode("utf-8", "replace")
)
sizes = st.integers(1, 9)
classes = st.integers(0, 60)


def class_of(count: int, first: int = 0) -> list[Student]:
    return [Student(f"Student {number}", f"s{number}") for number in range(first, first + count)]


def variants_of_size(count: int) -> list[str]:
    return [f"exam-{number:02d}" for number in range(count)]


def dealt(students: list[Student], count: int, secret: str, record: list[Allocation] | None = None) -> list[Allocation]:
    return deal(students, variants_of_size(count), secret, "exam", record or [])


@given(classes, sizes, secrets)
def test_every_block_has_every_variant_once(students: int, variants: int, secret: str) -> None:
    found = [line.variant for line in dealt(class_of(students), variants, secret)]
    for start in range(0, students - variants + 1, variants):
        assert sorted(found[start : start + variants]) == variants_of_size(variants)
    counts = Counter(found)
    assert max(counts.values(), default=0) - min((counts[each] for each in variants_of_size(variants)), default=0) <= 1


@given(classes, st.integers(2, 9), secrets)
def test_neighbours_never_have_the_same(students: int, variants: int, secret: str) -> None:
    assert all(one.variant != next_.variant for one, next_ in pairwise(dealt(class_of(students), variants, secret)))


@given(classes, st.integers(0, 20), sizes, secrets)
def test_whoever_is_appended_changes_nobody_elses(students: int, more: int, variants: int, secret: str) -> None:
    before = dealt(class_of(students), variants, secret)
    after = dealt(class_of(students + more), variants, secret)
    assert after[:students] == before
    # Nor does it matter whether the first were dealt earlier, and written down.
    assert dealt(class_of(students + more), variants, secret, before) == after


@given(classes, sizes, secrets, st.randoms(use_true_random=False))
def test_what_was_written_is_obeyed(students: int, variants: int, secret: str, numbers: random.Random) -> None:
    record = dealt(class_of(students), variants, secret)
    changed = [Allocation(line.student, line.name, numbers.choice(variants_of_size(variants))) for line in record]
    here = class_of(5, 1000) + class_of(students)[::2]
    found = dealt(here, variants, "another", changed)
    assert found[:students] == changed, "whoever is gone keeps the line"
    assert [line.student for line in found[students:]] == [student.id for student in class_of(5, 1000)]
    for place in range(max(1, students), len(found)):
        block = {line.variant for line in found[place - place % variants : place]}
        assert found[place].variant not in block or variants == 1
        assert found[place].variant != found[place - 1].variant or variants == 1


@given(st.lists(st.tuples(st.text(max_size=6), st.text(max_size=6)), max_size=8))
def test_the_list_is_read_as_it_was_written(people: list[tuple[str, str]]) -> None:
    students = [Student(name.strip(), id.strip()) for id, name in people if (id or name).strip()]
    students = [each for each in students if student_key(each.id or each.name)]
    lines = dealt(students, 3, "s")
    read = read_record(record_sheet(lines), "exam.students.csv")
    assert variants_by_student(read) == variants_by_student(lines)
    assert dealt(students, 3, "s", read) == read


def test_the_order_depends_on_the_secret_the_folder_and_the_block() -> None:
    names, students = variants_of_size(8), class_of(16)
    orders = {
        tuple(line.variant for line in deal(students, names, secret, folder))
        for secret in ("a", "b")
        for folder in ("one", "two")
    }
    assert len(orders) == 4
    found = [line.variant for line in deal(students, names, "a", "one")]
    assert found[:8] != found[8:]
    assert found == [line.variant for line in deal(students, names[::-1], b"a", "one")], "in whatever order files come"


def test_every_order_is_as_likely_as_any_other() -> None:
    firsts = Counter(deal(class_of(1), variants_of_size(30), f"secret {n}", "exam")[0].variant for n in range(3_000))
    assert sum((firsts[each] - 100) ** 2 / 100 for each in variants_of_size(30)) < CHI_SQUARE_29


def test_without_a_roster_the_id_alone_decides() -> None:
    assert assign("s1024", "secret", 30) == assign(" S1024 ", b"secret", 30)
    assert assign("jose\u0301", "secret", 10_000) == assign("Jos\u00e9", "secret", 10_000)
    for count, secret in ((0, "secret"), (3, "")):
        with pytest.raises(UsageError):
            assign("s1024", secret, count)


@pytest.mark.parametrize("name", ["s{}", "{:07}", "student{}@example.org"])
def test_ids_spread_evenly(name: str) -> None:
    students = [name.format(number) for number in range(10_000)]
    counts = Counter(assign(student, "secret", 30) for student in students)
    even = len(students) / 30
    assert sum((counts[variant] - even) ** 2 / even for variant in range(30)) < CHI_SQUARE_29
    moved = sum(assign(student, "secret", 30) != assign(student, "other", 30) for student in students)
    assert moved / len(students) == pytest.approx(29 / 30, abs=0.01)


def test_a_name_is_no_formula() -> None:
    lines = deal([Student("=1+1"), Student("Ana", "s2")], ["only"], "secret", "only")
    raw = record_sheet(lines)
    assert raw.decode() == "student,name,variant\n,'=1+1,only\ns2,Ana,only\n"
    assert deal([Student("=1+1"), Student("Ana", "s2")], ["only"], "secret", "only", read_record(raw, "x")) == [
        Allocation("", "'=1+1", "only"),
        Allocation("s2", "Ana", "only"),
    ]


def test_parts_of_an_exam_have_a_column() -> None:
    lines = [Allocation("s1", "Ana", "a-01", "a"), Allocation("s1", "Ana", "b-02", "b")]
    assert record_sheet(lines).decode().splitlines()[0] == "student,name,variant,part"
    assert read_record(record_sheet(lines), "x") == lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("student,name\ns1,Ana\n", "has the columns student, name and variant"),
        ("student,variant\ns1,a\nS1,b\n", "x.csv:3: S1 appears twice, first at line 2"),
        ("student,variant\ns1,\n", "x.csv:2: the row does not say who got which variant"),
        ('student,variant\n"s1,a\n', "a quote is opened and not closed"),
    ],
)
def test_a_broken_list_is_told(text: str, said: str) -> None:
    with pytest.raises(UsageError, match=said):
        read_record(text.encode(), "x.csv")


def test_a_list_of_variants_that_are_gone_is_told() -> None:
    with pytest.raises(UsageError, match="gives s1 the variant 'exam-09', which is not among these"):
        dealt(class_of(2), 3, "s", [Allocation("s1", "", "exam-09")])
    with pytest.raises(UsageError, match="no variants"):
        dealt(class_of(2), 0, "s")


def test_the_list_is_found_beside_the_variants(tmp_path: Path) -> None:
    lines = dealt(class_of(4), 3, "s")
    assert find_record(tmp_path, variants_of_size(3)) is None and find_record(None, []) is None
    (tmp_path / "exam.students.csv").write_bytes(record_sheet(lines))
    (tmp_path / "other.students.csv").write_text("student,variant\ns1,other-01\n")
    assert find_record(tmp_path, variants_of_size(3)) == (tmp_path / "exam.students.csv", lines)
    (tmp_path / "copy.students.csv").write_bytes(record_sheet(lines))
    with pytest.raises(UsageError, match="keep one of them"):
        find_record(tmp_path, variants_of_size(3))


def test_whose_a_variant_was() -> None:
    names = variants_of_size(5)
    roster = read_roster(b"id,name,email\ns0,Ana,ana@x.org\ns1,Bo,bo@x.org\ns2,Cy,cy@x.org\n")
    lines = deal([Student("Ana", "s0"), Student("Bo", "s1"), Student("Cy", "s2")], names, "s", "exam")
    known = VariantOwnership(names, roster, b"s")
    assert [known.variant(each) for each in ("s0", "BO@x.org", "Cy")] == [line.variant for line in lines]
    assert known.variant("nobody") is None
    record = [Allocation("s1", "", names[4])]
    assert VariantOwnership(names, roster, b"s", record).variant("s1") == names[4]
    assert VariantOwnership(names, None, b"", record).variant("s1") == names[4], "the list needs no secret"
    assert VariantOwnership(names, None, b"s").variant("s1") == names[assign("s1", "s", 5)]
    assert VariantOwnership(names).variant("s1") is None and not VariantOwnership(names).tells
