"""Tests mirror the rooms, and the fast run reaches each of them."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.support.paths import ROOT
from tests.test_architecture import FLOORS

ROOMS = [Path(package, room) for package, floors in FLOORS.items() for rooms in floors for room in rooms]


@pytest.mark.parametrize("room", ROOMS, ids=str)
def test_a_room_has_tests_that_are_not_all_slow(room: Path) -> None:
    files = list((ROOT / "tests" / room).glob("test_*.py"))
    assert files, f"tests/{room} has no tests"
    assert any(not re.search(r"^pytestmark = .*slow", file.read_text("utf-8"), re.M) for file in files)


def test_no_tests_of_rooms_that_are_not_there() -> None:
    there = {
        Path(package, each.name)
        for package in FLOORS
        for each in (ROOT / "tests" / package).iterdir()
        if (each / "__init__.py").exists()
    }
    assert there == set(ROOMS)


def test_tests_stand_in_rooms_or_in_folders_of_their_own() -> None:
    here = {file.relative_to(ROOT / "tests").parts[0] for file in (ROOT / "tests").rglob("test_*.py")}
    assert here == {*FLOORS, "benchmarks", "laws", "system", "judges", "test_architecture.py"}
