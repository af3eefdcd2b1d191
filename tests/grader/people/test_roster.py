"""Rosters: a text with a name a line, or a sheet with a column for the id and others for whatever names a student."""

from __future__ import annotations

import pytest

from grader.people.roster import Student, read_roster, roster_from
from solver.kernel import UsageError


def test_a_roster_is_a_name_a_line() -> None:
    found = roster_from("\ufeffAda\r\n\n  # away\n Alan Turing \n".encode(), "class.txt")
    assert found == [Student("Ada"), Student("Alan Turing")]
    for nobody in (b"", b"# nobody\n", b"\xff\xfe"):
        with pytest.raises(UsageError):
            roster_from(nobody, "class.txt")


def test_a_sheet_says_who_is_who() -> None:
    found = read_roster("Name,Student ID,e-mail\nZoë  Ray,s1,zoe@x.org\n,s2,\nAda,,ada@x.org\n".encode())
    assert found.ids == ("s1", "s2", "Ada"), "without an id, the name stands for it"
    assert found.student([], ["?", "ZOE\u0308 ray"]) == found.student(["Zoe@X.org"]) == "s1"
    assert found.student(["ada@x.org"]) == "Ada"
    assert found.names == {"s1": "Zoë  Ray", "Ada": "Ada"}


def test_only_what_tells_students_apart_names_one() -> None:
    """Not a first name, a section, an attempt, or whatever else a sheet says of somebody."""
    found = read_roster(
        b"id,first name,last name,group,e-mail\ns7,Alexander,Schmidt,1,alex@x.org\ns8,Alex,Roe,2,roe@x.org\n"
    )
    assert found.student(["alex@x.org"], ["Alex Roe"]) == "s7", "an address before a name"
    assert found.student([], ["Alex"]) is found.student(["1"], ["2"]) is None
    assert found.student([], ["roe alex"]) == found.student([], ["Alex Roe"]) == "s8"


def test_what_two_students_share_names_neither() -> None:
    found = read_roster(b"student,name,login\n1,Ada,x\n2,Ada,x\n3,Bo,y\n")
    assert found.student(["x"], ["Ada"]) is None
    assert found.student(["y"]) == found.student([], ["bo"]) == "3"


@pytest.mark.parametrize("joint", [",", ";", "\t"])
def test_spreadsheets_separate_as_they_like(joint: str) -> None:
    raw = "sep=;\r\n" if joint == ";" else ""
    raw += joint.join(["Student", "ID", "SIS Login ID"]) + "\r\n" + joint.join(["Ray, Zoë", "17", "zray"]) + "\r\n"
    raw = raw.replace("Ray, Zoë", '"Ray, Zoë"')
    found = roster_from(f"\ufeff{raw}".encode(), "class.csv")
    assert found == [Student("Ray, Zoë", "zray")], "Canvas writes the name below Student"


def test_nobody_gets_lost() -> None:
    with pytest.raises(UsageError, match="3: s1 appears twice, first at line 2"):
        read_roster(b"id,name\ns1,A\ns1,B\n")
    with pytest.raises(UsageError, match="2: the row does not say who"):
        read_roster(b"id,name,group\n,,7\n")


def test_a_sheet_needs_a_column_for_the_id() -> None:
    for raw in (b"", b"name\nAda\n", b"\xff\xfe"):
        with pytest.raises(UsageError):
            read_roster(raw)
