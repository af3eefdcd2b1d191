"""1,000 small YAML files through check, solve and JSON output, against parsing alone and against the ordinary way."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import yaml
from yaml._yaml import CParser  # type: ignore[import-not-found,unused-ignore]

from benchmarks.commands import PLYMARK
from benchmarks.games import Folder, small_files
from benchmarks.measure import Ratio, Work, interleaved, show, title
from benchmarks.ordinary import ordinary
from solver.jobs import SolveTask, run, sources

SAMPLE = 50
"""The ordinary pipeline gets this many files only; its time is scaled by their share of the text."""


def pipeline(quick: bool) -> list[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        files = small_files(Path(folder), 60 if quick else 1_000)
        title(f"Pipeline: {len(files.texts):,} files, {files.nodes:,} nodes, {files.size / 1e6:.2f} MB of YAML")
        return _measured(files, rounds=2 if quick else 7)


def _measured(files: Folder, rounds: int) -> list[Ratio]:
    sample = files.texts[: min(SAMPLE, len(files.texts) // 6)]
    _same_values(files, sample)
    contenders: dict[str, Work] = {
        "ours": lambda: solve_folder(files.path, jobs=1),
        "all cores": lambda: solve_folder(files.path, jobs=None),
        "events": lambda: _each(bare_events, files.texts),
        "parse": lambda: _each(_parse, files.texts),
        "load": lambda: [yaml.load(text, Loader=yaml.CSafeLoader) for text in files.texts],
        "ordinary": lambda: [ordinary(text) for text in sample],
    }
    if PLYMARK.exists():
        contenders["command"] = lambda: subprocess.run(
            [PLYMARK, "solve", files.path], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
    found = interleaved(contenders, rounds)
    scale = files.size / sum(map(len, sample))
    ours, events, cores = found["ours"], found["events"], found["all cores"]
    ratios = [
        Ratio("one process / a bare loop over CParser.get_event", ours.cpu, events.cpu, target=3),
        Ratio("one process / for _ in yaml.parse(text, CSafeLoader)", ours.cpu, found["parse"].cpu, target=3),
        Ratio("one process / yaml.load(text, CSafeLoader)", ours.cpu, found["load"].cpu),
        Ratio("all cores / a bare loop over CParser.get_event", cores.wall, events.wall, target=3),
        Ratio("ordinary pipeline / one process", ours.cpu, found["ordinary"].cpu, scale, target=20, inverse=True),
        Ratio("ordinary pipeline / all cores", cores.wall, found["ordinary"].wall, scale, target=20, inverse=True),
    ]
    if "command" in found:
        command = found["command"].wall
        ratios += [
            Ratio("plymark solve FOLDER / a bare loop over CParser.get_event", command, events.wall, target=3),
            Ratio("ordinary pipeline / plymark solve FOLDER", command, found["ordinary"].wall, scale, 20, inverse=True),
        ]
    return show(ratios)


def solve_folder(folder: Path, jobs: int | None) -> list[bytes]:
    """What `plymark solve FOLDER` does, without the printing."""
    outputs = [result.output for result in run(SolveTask(name_file=True), sources([str(folder)]), jobs)]
    assert all(outputs), "a benchmark game was not solved"
    return outputs


def bare_events(text: str) -> None:
    """PyYAML's C parser run to the end of a text."""
    next_event = CParser(text).get_event
    while next_event() is not None:
        pass


def _each(work: Callable[[str], None], texts: list[str]) -> None:
    for text in texts:
        work(text)


def _parse(text: str) -> None:
    for _ in yaml.parse(text, Loader=yaml.CSafeLoader):
        pass


def _same_values(files: Folder, sample: list[str]) -> None:
    ours = [json.loads(output)["value"] for output in solve_folder(files.path, jobs=1)]
    theirs = [json.loads(ordinary(text))["value"] for text in sample]
    assert ours[: len(theirs)] == theirs, "the two pipelines find different values"
