"""Ratios of an earlier run, kept beside the code: a run that is worse by more than a third fails."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.measure import Ratio

FILE = Path(__file__).with_name("recorded.json")
WORSE = 4 / 3


def recorded() -> dict[str, float]:
    found: dict[str, float] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return found


def record(ratios: Sequence[Ratio]) -> None:
    """Keep these, and those of parts that were not run."""
    kept = recorded() | {ratio.label: round(ratio.value, 3) for ratio in ratios}
    FILE.write_text(json.dumps(dict(sorted(kept.items())), indent=1, ensure_ascii=False) + "\n")


def regressions(ratios: Sequence[Ratio], before: Mapping[str, float]) -> list[str]:
    """A line for each ratio that is worse by more than a third."""
    found = []
    for ratio in ratios:
        was = before.get(ratio.label)
        if was is None:
            continue
        worse = was / ratio.value if ratio.inverse else ratio.value / was
        if worse > WORSE:
            found.append(f"  {ratio.label}: {ratio.value:.2f}, recorded {was:.2f}")
    return found
