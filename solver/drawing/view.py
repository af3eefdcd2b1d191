"""What a picture is to show."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.drawing.choices import MOST_LEAVES, SHOWN
from solver.kernel.errors import UsageError
from solver.kernel.names import nearest

FINISHED = frozenset({"names", "moves", "probabilities", "values", "windows", "cuts", "line"})
PRUNING = frozenset({"windows", "intervals"})
"""What only searches that prune have."""


@dataclass(frozen=True, slots=True)
class View:
    show: frozenset[str] = FINISHED
    blank: bool = False
    """Boxes to fill in, in place of what the search finds out."""
    most_leaves: int | None = MOST_LEAVES
    """More are folded and counted; None draws everything."""
    alternating: bool = False
    """Whether windows and intervals share a place, for a page that shows one of them at a time."""


def shown_from(text: str | None) -> frozenset[str] | None:
    """The choice of `--show`: names from SHOWN with commas between; None for what is usual."""
    if text is None:
        return None
    names = [name.strip() for name in text.split(",") if name.strip()]
    for name in names:
        require_shown(name)
    return frozenset(names)


def require_shown(name: str) -> None:
    """UsageError for what no picture shows."""
    if name not in SHOWN:
        meant = nearest(name, SHOWN)
        advice = "choose from" if meant is None else f"did you mean {meant}? The choices are"
        raise UsageError(f"cannot show {name!r}; {advice} {', '.join(SHOWN)}")


def stages_from(text: str, count: int) -> Sequence[int]:
    """The choice of `--stage`: 3, or 1-5,7; 0 is before the first leaf."""
    chosen: list[int] = []
    for part in text.split(","):
        first, dash, last = (each.strip() for each in part.partition("-"))
        ends = (first, last) if dash else (first, first)
        if not all(end.isascii() and end.isdigit() and len(end) < 10 for end in ends):
            raise UsageError(f"--stage takes numbers such as 3 or 1-5,7, not {text!r}")
        low, high = map(int, ends)
        if low > high or high > count:
            raise UsageError(f"--stage {part.strip()}: this search has the stages 0 to {count:,}")
        chosen.extend(range(low, high + 1))
    return sorted(set(chosen))
