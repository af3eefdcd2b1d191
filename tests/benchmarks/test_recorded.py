"""A benchmark's run fails where a ratio is worse than the recorded one by more than a third."""

from __future__ import annotations

from benchmarks.measure import Ratio
from benchmarks.recorded import recorded, regressions


def test_worse_by_more_than_a_third() -> None:
    slower, faster = Ratio("time", [2.0], [1.0]), Ratio("speed", [1.0], [2.0], inverse=True)
    assert regressions([slower, faster], {"time": 1.6, "speed": 2.5}) == []
    assert len(regressions([slower, faster], {"time": 1.4, "speed": 2.8})) == 2
    assert regressions([slower], {}) == []


def test_recorded_ratios_are_numbers() -> None:
    assert all(value > 0 for value in recorded().values())
