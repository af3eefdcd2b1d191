"""Marking: 10,000 answers in one run, beside a process for each answer; and the memory that it takes."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.commands import PYTHON, ROOT
from benchmarks.games import SEED
from benchmarks.measure import Ratio, interleaved, show, title

ANSWERS, QUICK_ANSWERS = 10_000, 100
ALONE, QUICK_ALONE = 20, 2
ROUNDS, QUICK_ROUNDS = 3, 1

EXERCISE = """plymark: exercise/1
id: marked
game:
  tree: {tree}
convention: aima3
questions:
  - {{id: values, ask: values, marks: 4}}
  - {{id: windows, ask: windows, at: entry, marks: 4}}
  - {{id: pruned, ask: pruned, marks: 2}}
  - {{id: move, ask: move, marks: 1}}
"""


def marking(quick: bool) -> list[Ratio]:
    title("Marking: answers to an exercise with 40 nodes, with full diagnosis and feedback, to JSON reports")
    count, alone = (QUICK_ANSWERS, QUICK_ALONE) if quick else (ANSWERS, ALONE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        exercise = folder / "exercise.yaml"
        draw = random.Random(SEED)
        leaves = iter(draw.sample(range(100), 27))
        tree = [[[next(leaves) for _ in range(3)] for _ in range(3)] for _ in range(3)]
        exercise.write_text(EXERCISE.format(tree=tree))
        few, many = folder / "few.jsonl", folder / "many.jsonl"
        written = [json.dumps(_answer(draw, place)) for place in range(count)]
        many.write_text("\n".join(written))
        few.write_text("\n".join(written[: count // 10]))
        singles = []
        for place in range(alone):
            single = folder / f"{place}.json"
            single.write_text(written[place])
            singles.append(single)
        contenders = {
            "one run": lambda: _grade(exercise, [many]),
            "a process each": lambda: [_grade(exercise, [single]) for single in singles],
        }
        seconds = interleaved(contenders, QUICK_ROUNDS if quick else ROUNDS)
        each = min(seconds["one run"].wall) / count
        print(f"  {count:,} answers in one run: {min(seconds['one run'].wall):.1f} s, {1000 * each:.2f} ms each")
        print(f"  a process for each answer: {1000 * min(seconds['a process each'].wall) / alone:.0f} ms each")
        memory = [_peak(exercise, path) for path in (few, many)]
        print(f"  peak memory: {memory[0]:.0f} MB for {count // 10:,} answers, {memory[1]:.0f} MB for {count:,}")
        ratio = Ratio(
            f"{count:,} answers in one run / a process each, clock",
            seconds["one run"].wall,
            seconds["a process each"].wall,
            scale=count / alone,
            target=20,
            inverse=True,
        )
        return show([ratio])


def _answer(draw: random.Random, place: int) -> dict[str, Any]:
    """Nodes of every kind, some right, some not; a third of the answers cross out leaves at random."""
    inner = "ABCDEFGHIJKLM"
    return {
        "plymark": "answer/1",
        "exercise": "marked",
        "student": f"s{place}",
        "answers": {
            "values": {name: draw.choice(["3", "12", "<= 30", "45", "60"]) for name in inner},
            "windows": {name: draw.choice([["-inf", "inf"], ["12", "inf"], ["30", "60"]]) for name in inner},
            "pruned": draw.sample([f"L{leaf}" for leaf in range(1, 28)], draw.randint(1, 6)),
            "move": draw.choice(["a1", "a2", "a3"]),
        },
    }


def _grade(exercise: Path, answers: list[Path]) -> None:
    command = [str(PYTHON.parent / "plymark"), "grade", str(exercise), *map(str, answers), "--format", "json"]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def _peak(exercise: Path, answers: Path) -> float:
    """The largest resident size of a run, in MB."""
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, "
        "stderr=subprocess.DEVNULL, check=True); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    command = [str(PYTHON.parent / "plymark"), "grade", str(exercise), str(answers), "--format", "json"]
    done = subprocess.run([str(PYTHON), "-c", code, *command], check=True, capture_output=True, text=True)
    return int(done.stdout) * (1 if sys.platform == "darwin" else 1024) / 1e6
