"""How much processor time a run of tests takes, in units that are alike on slow machines and fast ones."""

from __future__ import annotations

import time
from statistics import median

try:
    import resource
except ImportError:
    resource = None  # type: ignore[assignment]

ROUNDS, TURNS = 5, 10_000_000


class Budget:
    """From where it is made until it is asked: of this process and those that it has started and waited for."""

    def __init__(self, loops: int) -> None:
        self.loops = loops
        self._rounds = [_loop() for _ in range(ROUNDS)]
        self._begun = _seconds()

    def verdict(self) -> tuple[bool, str]:
        """Whether it was kept, and the figures."""
        seconds = _seconds() - self._begun
        loop = median(self._rounds + [_loop() for _ in range(ROUNDS)])
        used = round(seconds / loop)
        said = f"{seconds:.0f} s, or {used} plain loops of {loop:.2f} s; {self.loops} are allowed"
        return used <= self.loops, said


def _loop() -> float:
    """Seconds of a plain loop."""
    begun = time.process_time()
    count = 0
    for turn in range(TURNS):
        count += turn & 1
    return time.process_time() - begun


def _seconds() -> float:
    if resource is None:
        return time.process_time()
    used = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)
