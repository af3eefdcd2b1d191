"""Where the time of the pipeline goes, stage by stage."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.games import small_files
from benchmarks.measure import title
from benchmarks.pipeline import bare_events, solve_folder
from solver.documents.document_reader import read_raw
from solver.documents.document_schemas import conforms
from solver.game.game_builder import build
from solver.kernel import Limits
from solver.kernel.errors import ProblemLog
from solver.pipeline import paused_collection, read_file, solve
from solver.render import solution_data
from solver.render.writers import json_bytes
from solver.search import Solution

WHOLE = "the pipeline in one piece"


def profile_pipeline(quick: bool) -> None:
    """Print the milliseconds of every stage over all files, the fastest of some rounds."""
    with tempfile.TemporaryDirectory() as folder:
        files = small_files(Path(folder), 60 if quick else 1_000)
        title(f"Stages of the pipeline: {len(files.texts):,} files, {files.nodes:,} nodes, ms")
        paths = sorted(files.path.iterdir())
        best: dict[str, float] = {}
        for _ in range(2 if quick else 7):
            for stage, seconds in _round(paths).items():
                best[stage] = min(seconds, best.get(stage, seconds))
        events = best.pop("events alone")
        best["sum of the stages"] = sum(seconds for stage, seconds in best.items() if stage != WHOLE)
        best["events alone"] = events
        for stage, seconds in best.items():
            print(f"  {stage:<52} {seconds * 1e3:8.1f}   {seconds / events:5.2f} × events alone")


def _round(paths: list[Path]) -> dict[str, float]:
    limits = Limits()
    spent: dict[str, float] = {}

    def stage(name: str, work: Callable[[Any], Any], items: list[Any]) -> list[Any]:
        start = time.process_time()
        done = [work(item) for item in items]
        spent[name] = time.process_time() - start
        return done

    def fewest_and_most(solution: Solution) -> object:
        """A solution remembers them, so `data` does not count them again."""
        return solution.fewest_and_most

    with paused_collection():
        raws = stage("file", read_file, paths)
        stage("events alone", bare_events, [raw.decode() for raw in raws])
        documents = stage("read", lambda raw: read_raw(raw, "", limits, ProblemLog(20)), raws)
        stage("conforms", lambda document: conforms("game/1", document.data), documents)
        games = stage("build", lambda document: build(document, limits, ProblemLog(20)), documents)
        solutions = stage("solve", solve, games)
        stage("fewest and most", fewest_and_most, solutions)
        data = stage("data", solution_data, solutions)
        stage("json", json_bytes, data)
    start = time.process_time()
    solve_folder(paths[0].parent, jobs=1)
    spent[WHOLE] = time.process_time() - start
    return spent
