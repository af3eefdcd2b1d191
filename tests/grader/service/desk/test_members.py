"""What teachers paste as a list of members."""

from __future__ import annotations

import pytest

from grader.service.desk.members import listed
from grader.service.problems import ServiceProblem

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
