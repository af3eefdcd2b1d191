"""Many documents: in order, on several processes, and none lost when a process dies."""

from __future__ import annotations

import os
from collections.abc import Generator
from pathlib import Path

import pytest

from solver.jobs import (
    DaskCluster,
    LocalProcesses,
    Result,
    SolveTask,
    Source,
    ThisProcess,
    Work,
    file_executor,
    lost_file,
    map_in_order,
    sources,
)
from solver.kernel import UsageError

GAMES = 150


def written(folder: Path) -> list[Source]:
    for number in range(GAMES):
        (folder / f"{number:03}.yaml").write_text(f"plymark: game/1\ntree: [[{number}, 5], [7, {number % 9}]]\n")
    return sources([str(folder)])


def run(work: Work, found: list[Source], jobs: int) -> Generator[Result, None, None]:
    return map_in_order(work, found, file_executor(found, jobs), lost_file)


def test_processes_give_the_same_bytes_in_the_same_order(tmp_path: Path) -> None:
    found = written(tmp_path)
    task = SolveTask(name_file=True)
    alone = [result.output for result in run(task, found, jobs=1)]
    together = [result.output for result in run(task, found, jobs=2)]
    assert alone == together
    assert len(set(alone)) == GAMES


def dies_at_seven(source: Source) -> Result:
    if source.name.endswith("007.yaml"):
        os._exit(9)
    return Result(source, b"done")


@pytest.mark.slow
def test_a_process_that_dies_loses_its_own_file_only(tmp_path: Path) -> None:
    found = written(tmp_path)
    results = list(run(dies_at_seven, found, jobs=2))
    assert [result.source for result in results] == found
    dead = [result for result in results if result.problems]
    assert [(result.source.name[-8:], result.problems[0].code) for result in dead] == [("007.yaml", "crash")]


def test_progress_is_made_in_constant_memory(tmp_path: Path) -> None:
    """Results come as they are asked for, not all at the end."""
    found = written(tmp_path)
    results = run(SolveTask(), found * 20, jobs=2)
    assert next(results).source == found[0]
    results.close()


def test_who_does_the_work_is_chosen_by_where_files_are_and_by_their_number(tmp_path: Path) -> None:
    files, typed = written(tmp_path), sources(["-"])
    assert file_executor(files[:1]) == ThisProcess()
    assert file_executor(files, jobs=2) == LocalProcesses(2, GAMES // 16)
    assert file_executor(typed, jobs=2) == ThisProcess()
    assert isinstance(file_executor(files, cluster="tcp://127.0.0.1:9"), DaskCluster)
    with pytest.raises(UsageError, match="--cluster reads files"):
        file_executor(typed, cluster="tcp://127.0.0.1:9")


@pytest.mark.parametrize(("why", "words"), [("crash", "crashed"), ("timeout", "longer than --timeout")])
def test_a_file_that_was_given_up_says_why(tmp_path: Path, why: str, words: str) -> None:
    (problem,) = lost_file(written(tmp_path)[0], why).problems
    assert (problem.code, words in problem.message) == (why, True)
