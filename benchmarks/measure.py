"""Interleaved, repeated measurements, and the ratios that are printed from them."""

from __future__ import annotations

import gc
import math
import resource
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Work = Callable[[], object]


@dataclass(frozen=True, slots=True)
class Seconds:
    """Of every round: by the clock, and on processors, which other programs on the machine disturb less."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)


def interleaved(contenders: Mapping[str, Work], rounds: int) -> dict[str, Seconds]:
    """Each contender once in every round, the order turning by one from round to round; one warm-up is not counted."""
    seconds = {name: Seconds() for name in contenders}
    names = list(contenders)
    for name in names:
        contenders[name]()
    for turn in range(rounds):
        for name in names[turn % len(names) :] + names[: turn % len(names)]:
            gc.collect()
            wall, cpu = time.perf_counter(), processor_time()
            contenders[name]()
            seconds[name].cpu.append(processor_time() - cpu)
            seconds[name].wall.append(time.perf_counter() - wall)
    return seconds


def processor_time() -> float:
    """Seconds that this process and those it started and saw end have spent on processors."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


@dataclass(frozen=True, slots=True)
class Ratio:
    """`ours` divided by `theirs`: of the fastest rounds, with the spread over the rounds."""

    label: str
    ours: list[float]
    theirs: list[float]
    scale: float = 1.0
    """How much more work there is in ours than in theirs, where a sample stands for the whole."""
    target: float | None = None
    inverse: bool = False
    """Show how many times faster ours is, and compare that with the target from below."""

    @property
    def value(self) -> float:
        return self._of(min(self.ours), min(self.theirs))

    @property
    def rounds(self) -> list[float]:
        return [self._of(ours, theirs) for ours, theirs in zip(self.ours, self.theirs, strict=True)]

    @property
    def met(self) -> bool | None:
        if self.target is None:
            return None
        return self.value >= self.target if self.inverse else self.value <= self.target

    def _of(self, ours: float, theirs: float) -> float:
        ratio = ours / (theirs * self.scale)
        return 1 / ratio if self.inverse else ratio

    def __str__(self) -> str:
        median = statistics.median(self.rounds)
        spread = f"{min(self.rounds):6.2f} to {max(self.rounds):.2f}, median {median:.2f}"
        goal = "" if self.target is None else f"{'≥' if self.inverse else '≤'} {self.target:g}"
        verdict = {None: "", True: "met", False: "MISSED"}[self.met]
        return f"  {self.label:<64} {self.value:7.2f} ×   ({spread:<34}) {goal:>6} {verdict}".rstrip()


def exponent(spent: Sequence[tuple[float, float]]) -> float:
    """Of the growth from the first size to the last, in pairs of size and seconds: 1 where time is proportional."""
    (small, first), *_, (large, last) = spent
    return math.log(last / first) / math.log(large / small)


def title(text: str) -> None:
    print(f"\n{text}\n", flush=True)


def show(ratios: list[Ratio]) -> list[Ratio]:
    """Print ratios, and hand them on."""
    for ratio in ratios:
        print(ratio, flush=True)
    return ratios
