"""The small form of the benchmarks of speed: every part runs to its end and prints ratios with a spread."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

RATIO = re.compile(r"^  (.+?) +([\d.]+) ×   \( *([\d.]+) to ([\d.]+), median ([\d.]+) *\)", re.MULTILINE)
EXPECTED = {
    "pipeline": ("in memory / yaml.load(text, CSafeLoader)", "plymark solve FOLDER of JSON / loading the same in YAML"),
    "search": ("all derived / the textbook's recursive dictionaries", "true values alone / the textbook's"),
    "startup": ('plymark solve / python -c "pass"',),
    "scale": ("gain of two jobs / gain of two loops", "gain of two Dask workers / gain of two loops"),
    "marking": ("answers in one run / a process each", "wrong answers, all: marking / summing"),
}


@pytest.mark.slow
@pytest.mark.parametrize("part", EXPECTED)
def test_a_part_prints_its_ratios(part: str) -> None:
    command = [sys.executable, "-m", "benchmarks", part, "--quick"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    ratios = RATIO.findall(ran.stdout)
    for label in EXPECTED[part]:
        assert any(label in found for found, *_ in ratios), ran.stdout
    for _, *figures in ratios:
        value, least, most, median = map(float, figures)
        assert value > 0 and 0 < least <= median <= most


@pytest.mark.slow
def test_growth_prints_an_exponent_for_every_shape() -> None:
    command = [sys.executable, "-m", "benchmarks", "growth", "--quick"]
    ran = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert len(re.findall(r"^  (wide|deep|random) +(json|yaml) +exponent [\d.]+$", ran.stdout, re.MULTILINE)) == 6
