"""Small files through check, solve and JSON output, against loading YAML alone and against two other ways."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import yaml
from yaml.cyaml import CParser  # type: ignore[attr-defined]

from benchmarks.commands import IN_MEMORY, PLYMARK, compiled_in
from benchmarks.games import Folder, small_files, smallest_files
from benchmarks.measure import Ratio, Work, exponent, interleaved, show, title
from benchmarks.ordinary import competent, ordinary
from solver.jobs import SolveTask, file_executor, lost_file, map_in_order, sources

BATCH = 4_000
SAMPLE = 50
"""The ordinary pipeline gets this many files only; its time is scaled by their share of the text."""


def pipeline(quick: bool, files: int | None = None) -> list[Ratio]:
    """At two sizes, the larger of which is judged."""
    count = files or (60 if quick else 1_000)
    spent = []
    for size in (count // 4, count):
        with tempfile.TemporaryDirectory() as folder:
            written = small_files(Path(folder), size)
            title(f"Pipeline: {size:,} files, {written.nodes:,} nodes, {written.size / 1e6:.2f} MB of YAML")
            ratios = _measured(written, rounds=2 if quick or size > 5_000 else 3)
            spent.append((written.nodes, min(ratios[0].ours)))
    print(f"\n  growth of the time with the nodes: exponent {exponent(spent):.2f}")
    return ratios + _batch(100 if quick else BATCH, rounds=2 if quick else 5)


def _batch(count: int, rounds: int) -> list[Ratio]:
    """Many smaller files through the whole command to one stream, in YAML and in JSON."""
    if not PLYMARK.exists():
        return []
    with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder, tempfile.TemporaryDirectory() as compiled:
        texts = smallest_files(Path(folder), count)
        title(f"Batch: {count:,} files, {sum(map(len, texts)) / 1e6:.2f} MB of YAML, and the same games in JSON")

        def solved(form: str) -> Work:
            words = [str(PLYMARK), "solve", f"{folder}/{form}", "--format", "json", "--jobs", "1", "--quiet"]
            setting = compiled_in(compiled)
            return lambda: subprocess.run(words, check=True, stdout=subprocess.DEVNULL, env=setting)

        found = interleaved(
            {"load": lambda: _each(load, texts), "yaml": solved("yaml"), "json": solved("json")}, rounds
        )
    loading = found["load"].cpu
    return show(
        [
            Ratio(
                "plymark solve FOLDER of YAML / yaml.load(text, CSafeLoader)", found["yaml"].cpu, loading, target=1.3
            ),
            Ratio("plymark solve FOLDER of JSON / loading the same in YAML", found["json"].cpu, loading, target=0.95),
        ]
    )


def _measured(files: Folder, rounds: int) -> list[Ratio]:
    sample = files.texts[: min(SAMPLE, len(files.texts) // 6)]
    _same_values(files, sample)
    contenders: dict[str, Work] = {
        "ours": lambda: solve_folder(files.path, jobs=1),
        "events": lambda: _each(bare_events, files.texts),
        "load": lambda: [load(text) for text in files.texts],
        "competent": lambda: [competent(text) for text in files.texts],
        "ordinary": lambda: [ordinary(text) for text in sample],
    }
    if PLYMARK.exists():
        contenders["command"] = lambda: _command(files.path, compiled)
    with tempfile.TemporaryDirectory() as compiled:
        found = interleaved(contenders, rounds)
    scale = files.size / sum(map(len, sample))
    ours, loading, usual = found["ours"].cpu, found["load"].cpu, found["ordinary"].cpu
    ratios = [
        Ratio("in memory / yaml.load(text, CSafeLoader)", ours, loading),
        Ratio("in memory / a bare loop over CParser.get_event", ours, found["events"].cpu),
        Ratio("competent pipeline / in memory", ours, found["competent"].cpu, inverse=True),
        Ratio("ordinary pipeline / in memory", ours, usual, scale, target=100, inverse=True),
    ]
    if "command" in found:
        command = found["command"].cpu
        ratios += [
            Ratio("plymark solve FOLDER --out / yaml.load(text, CSafeLoader)", command, loading),
            Ratio("ordinary pipeline / plymark solve FOLDER --out", command, usual, scale, target=100, inverse=True),
        ]
    return show(ratios)


def _command(folder: Path, compiled: str) -> None:
    """The whole command in a process of its own, files read and files written."""
    with tempfile.TemporaryDirectory() as out:
        words = [str(PLYMARK), "solve", str(folder), "--out", out, "--jobs", "1"]
        subprocess.run(words, check=True, capture_output=True, env=compiled_in(compiled))


def solve_folder(folder: Path, jobs: int | None) -> list[bytes]:
    """What `plymark solve FOLDER` does, without the printing."""
    games = sources([str(folder)])
    results = map_in_order(SolveTask(name_file=True), games, file_executor(games, jobs), lost_file)
    outputs = [result.output for result in results]
    assert all(outputs), "a benchmark game was not solved"
    return outputs


def load(text: str) -> object:
    return yaml.load(text, Loader=yaml.CSafeLoader)


def bare_events(text: str) -> None:
    """PyYAML's C parser run to the end of a text."""
    next_event = CParser(text).get_event
    while next_event() is not None:
        pass


def _each(work: Callable[[str], object], texts: list[str]) -> None:
    for text in texts:
        work(text)


def _same_values(files: Folder, sample: list[str]) -> None:
    ours = [json.loads(output)["value"] for output in solve_folder(files.path, jobs=1)]
    theirs = [json.loads(ordinary(text))["value"] for text in sample]
    assert ours[: len(theirs)] == theirs, "the two pipelines find different values"
