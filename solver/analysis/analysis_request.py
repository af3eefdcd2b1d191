"""What is asked of an analysis."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from solver.kernel.exact import Number


@dataclass(frozen=True, slots=True)
class AnalysisRequest:
    """What the caller wants to know beyond what every analysis tells."""

    pruned: Sequence[str] | None = None
    """A pruned set to be judged."""
    errs: Number | None = None
    """How likely MIN errs at each of its nodes."""
    transform: str | None = None
    """A change of the leaves, such as `2*v + 3`."""
    digits: int = 3


NO_REQUEST = AnalysisRequest()
