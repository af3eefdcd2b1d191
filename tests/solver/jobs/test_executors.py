"""Work on many items, here or on several processes: in order, in constant memory; only what kills one is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from solver.jobs import Executor, LocalProcesses, ThisProcess, map_in_order
from tests.support.paths import ROOT


def doubled(number: int) -> int:
    return 2 * number


def lost(number: int, why: str) -> str:
    return f"{number} {why}"


def dies_at_seven(number: int) -> int | str:
    if number == 7:
        os._exit(9)
    return number


def sleeps_at_seven(number: int) -> int | str:
    if number == 7:
        time.sleep(600)
    return number


def dies_once(note: Path) -> str:
    """As a process does that is killed for another's sake."""
    if note.name == "3" and not note.exists():
        note.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return note.name


def not_lost(_note: Path, why: str) -> str:
    return why


EXECUTORS = [ThisProcess(), *(LocalProcesses(*sizes) for sizes in [(1, 3), (2, 1), (2, 7), (3, 100)])]


@pytest.mark.parametrize("executor", EXECUTORS, ids=repr)
def test_results_come_in_order(executor: Executor) -> None:
    assert list(map_in_order(doubled, range(50), executor, lost)) == [2 * each for each in range(50)]


def test_nothing_gives_nothing() -> None:
    assert list(map_in_order(doubled, [], LocalProcesses(2, 5), lost)) == []


def test_who_kills_every_process_is_lost_alone() -> None:
    expected = [each if each != 7 else "7 crash" for each in range(20)]
    assert list(map_in_order(dies_at_seven, range(20), LocalProcesses(2, 5), lost)) == expected


def test_who_takes_too_long_is_lost_alone() -> None:
    expected = [each if each != 7 else "7 timeout" for each in range(20)]
    assert list(map_in_order(sleeps_at_seven, range(20), LocalProcesses(2, 5, timeout=2.0), lost)) == expected


def test_who_is_killed_once_is_tried_again(tmp_path: Path) -> None:
    items = [tmp_path / str(number) for number in range(8)]
    assert list(map_in_order(dies_once, items, LocalProcesses(2, 4), not_lost)) == [each.name for each in items]


def test_items_are_taken_as_results_are() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(10_000):
            taken.append(number)
            yield number

    results = map_in_order(doubled, items(), LocalProcesses(2, 10), lost)
    assert next(results) == 0
    assert len(taken) <= 100
    results.close()


KILLED = """
import os, sys, time
from solver.jobs import LocalProcesses, map_in_order

def never_ends(number):
    print(os.getpid(), flush=True)
    while True:
        pass

if __name__ == "__main__":
    list(map_in_order(never_ends, range(2), LocalProcesses(2, 1), never_ends))
"""


@pytest.mark.slow
def test_processes_end_with_the_one_that_was_killed(tmp_path: Path) -> None:
    """Also in the middle of an item."""
    (tmp_path / "run.py").write_text(KILLED, encoding="ascii")
    command = [sys.executable, str(tmp_path / "run.py")]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout is not None
        assert len([run.stdout.readline() for _ in range(2)]) == 2
        run.kill()
        # The end of the last one that could still write.
        assert run.stdout.read() == ""
