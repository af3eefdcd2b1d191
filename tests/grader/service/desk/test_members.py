"""What teachers paste as a list of members."""

from __future__ import annotations

import pytest

from grader.service.base.service_problems import ServiceProblem
from grader.service.features.members.pages import listed, numbered
from grader.service.features.members.queries import Person

ANA = {"id": "s01", "name": "Ana Sousa", "email": "ana@example.org", "role": "student"}


@pytest.mark.parametrize(
    "lines",
    [
        "s01, Ana Sousa, ana@example.org",
        "s01;Ana Sousa;ana@example.org\r\n",
        "s01\tAna\tSousa\tana@example.org",
        "id,name,email\ns01,Ana Sousa,ana@example.org\n",
    ],
)
def test_lines_and_sheets_are_read_alike(lines: str) -> None:
    assert listed(lines, "student") == [ANA]


@pytest.mark.parametrize("lines", ["", " \n", "id,name\ns01,Ana\ns01,Bruno"])
def test_what_is_no_list_is_refused(lines: str) -> None:
    """A sheet that is wrong is not taken for lines: nobody is called `id`."""
    with pytest.raises(ServiceProblem):
        listed(lines, "student")


def test_names_alone_have_ids_found_for_them() -> None:
    """The next that is free; the same list once more finds the same people."""
    lines = "Ana Sousa\nBruno Dias, bruno@example.org\ns01, Chen Wei"
    made = numbered(listed(lines, "student"), [])
    assert [(each["id"], each["name"]) for each in made] == [
        ("s02", "Ana Sousa"),
        ("s03", "Bruno Dias"),
        ("s01", "Chen Wei"),
    ]
    people = [Person("m", each["id"], each["name"], each["email"], "student") for each in made]
    assert numbered(listed(lines, "student"), people) == made


@pytest.mark.parametrize("code", ["a/b", "a\\b", "x" * 65])
def test_what_can_be_no_id_is_told_in_words(code: str) -> None:
    with pytest.raises(ServiceProblem, match="cannot be an id"):
        numbered(listed(f"{code}, Ana", "student"), [])


@pytest.mark.parametrize(
    "lines",
    [
        "Name\nAna Sousa\nBruno Dias",
        "First name,Last name\nAna,Sousa\nBruno,Dias\n",
        "Apellidos;Nombre(s)\nSousa;Ana\nDias;Bruno",
    ],
)
def test_a_sheet_of_names_alone_has_no_member_called_as_its_titles(lines: str) -> None:
    assert [(each["id"], each["name"]) for each in numbered(listed(lines, "student"), [])] == [
        ("s01", "Ana Sousa"),
        ("s02", "Bruno Dias"),
    ]


def test_titles_without_anybody_below_are_refused() -> None:
    with pytest.raises(ServiceProblem):
        listed("First name,Last name\n", "student")
