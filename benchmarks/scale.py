"""Many files on several cores and on a cluster: what is gained, beside what plain loops gain there; and the memory.

Two processes at once never run quite as fast as one alone, whatever they do. So a gain is judged by that of two
independent loops in the same round, which share nothing but the machine.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path

from benchmarks.commands import IN_MEMORY, PLYMARK, peak_megabytes
from benchmarks.games import small_files
from benchmarks.measure import Ratio, Work, interleaved, show, title

FILES, QUICK_FILES = 8_000, 300
LOOP = "sum(number * number for number in range(30_000_000))"
QUICK_LOOP = "sum(number * number for number in range(300_000))"


def scale(quick: bool, files: int | None = None) -> list[Ratio]:
    count = files or (QUICK_FILES if quick else FILES)
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as name:
        folder = Path(name)
        (folder / "games").mkdir()
        small_files(folder / "games", count)
        title(f"Scale: {count:,} files solved and written by one process, by two, and by two workers of a Dask cluster")
        ratios = _gains(folder, QUICK_LOOP if quick else LOOP, rounds=1 if quick else 3)
        few = folder / "few"
        few.mkdir()
        small_files(few, count // 10)
        peaks = [peak_megabytes(*_solve(each, folder / f"of-{each.name}")) for each in (few, folder / "games")]
        print(f"  peak memory: {peaks[0]:.0f} MB for {count // 10:,} files, {peaks[1]:.0f} MB for {count:,}")
        return show(ratios)


def _gains(folder: Path, loop: str, rounds: int) -> list[Ratio]:
    try:
        from tests.system.test_cluster import cluster_of
    except ImportError:
        print("  without the extra `cluster` there is no Dask to compare with")
        return _compared(folder, loop, rounds, None)
    with cluster_of(2, folder / "cluster") as cluster:
        return _compared(folder, loop, rounds, cluster.address)


def _compared(folder: Path, loop: str, rounds: int, cluster: str | None) -> list[Ratio]:
    games = folder / "games"
    contenders: dict[str, Work] = {
        "loop": partial(_loops, loop, 1),
        "loops": partial(_loops, loop, 2),
        "one": partial(_solved, games, "--jobs", "1"),
        "two": partial(_solved, games, "--jobs", "2"),
    }
    gains = [("two", "two jobs", 0.9)]
    if cluster:
        contenders["dask"] = partial(_solved, games, "--cluster", cluster)
        gains.append(("dask", "two Dask workers", 0.75))
    wall = {name: seconds.wall for name, seconds in interleaved(contenders, rounds).items()}
    print(f"  two loops at once: {2 * min(wall['loop']) / min(wall['loops']):.2f} times as fast as one after the other")
    ratios = []
    for name, label, target in gains:
        print(f"  {label}: {min(wall['one']) / min(wall[name]):.2f} times as fast as one process")
        # The gain, one / mine, divided by that of the loops, 2 × loop / loops.
        ours = [mine * 2 * loop_ for mine, loop_ in zip(wall[name], wall["loop"], strict=True)]
        theirs = [one * loops for one, loops in zip(wall["one"], wall["loops"], strict=True)]
        ratios.append(Ratio(f"gain of {label} / gain of two loops, clock", ours, theirs, target=target, inverse=True))
    return ratios


def _loops(loop: str, number: int) -> None:
    started = [subprocess.Popen([sys.executable, "-c", loop]) for _ in range(number)]
    for process in started:
        assert process.wait() == 0


def _solve(games: Path, out: Path, *options: str) -> list[str]:
    return [str(PLYMARK), "solve", str(games), "--out", str(out), "--quiet", *(options or ("--jobs", "1"))]


def _solved(games: Path, *options: str) -> None:
    with tempfile.TemporaryDirectory(dir=games.parent) as out:
        subprocess.run(_solve(games, Path(out) / "out", *options), check=True, capture_output=True)
