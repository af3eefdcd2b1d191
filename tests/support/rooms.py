"""How many of the lines of each room the tests ran, from what coverage recorded."""

from __future__ import annotations

from dataclasses import dataclass

import coverage

from tests.support.paths import ROOT
from tests.test_architecture import FLOORS


@dataclass
class Covered:
    name: str
    lines: int = 0
    run: int = 0

    @property
    def percent(self) -> float:
        return 100 * self.run / self.lines if self.lines else 100.0


def rooms_covered() -> list[Covered]:
    """Every room of both packages, from the ground up; files that were never imported count as not run."""
    recorded = coverage.Coverage(config_file=str(ROOT / "pyproject.toml"), data_file=str(ROOT / ".coverage"))
    recorded.load()
    found = []
    for package, floors in FLOORS.items():
        for room in (room for floor in floors for room in floor):
            covered = Covered(f"{package}/{room}")
            for file in sorted((ROOT / package / room).rglob("*.py")):
                _, lines, _, missing, _ = recorded.analysis2(str(file))
                covered.lines += len(lines)
                covered.run += len(lines) - len(missing)
            found.append(covered)
    return found


def rooms_table(rooms: list[Covered], at_least: int | None = None) -> str:
    total = Covered("all", sum(room.lines for room in rooms), sum(room.run for room in rooms))
    return "".join(
        f"{room.name:<22}{room.run:>6} of {room.lines:>5}{room.percent:>7.1f} %"
        f"{'  too few' if at_least and room.percent < at_least else ''}\n"
        for room in (*rooms, total)
    )
