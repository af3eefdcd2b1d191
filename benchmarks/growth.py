"""Time and memory for trees of 10³ to 10⁶ nodes; per node they stay the same where growth is linear."""

from __future__ import annotations

import json
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable
from itertools import islice, product
from pathlib import Path
from typing import Any

from benchmarks.commands import PYTHON, ROOT
from benchmarks.games import SEED
from benchmarks.measure import exponent, processor_time, title
from solver.kernel import Limits
from solver.pipeline import load, paused_collection, solve
from solver.render import FORMATS

SIZES = (1_000, 10_000, 100_000, 1_000_000)
QUICK_SIZES = (1_000, 10_000)
LIMITS = Limits(yaml_bytes=2**30, json_bytes=2**30)


def wide(size: int) -> dict[str, Any]:
    """A root with leaves."""
    draw = random.Random(SEED)
    return {"tree": [draw.randint(-size, size) for _ in range(size - 1)]}


def deep(size: int) -> dict[str, Any]:
    """A chain in the flat form, one leaf beside each inner node."""
    draw = random.Random(SEED)
    inner = size // 2
    nodes = {
        f"N{ply}": {"turn": ("max", "min")[ply % 2], "children": [f"N{ply + 1}", draw.randint(-size, size)]}
        for ply in range(inner)
    }
    return {"root": "N0", "nodes": {**nodes, f"N{inner}": {"value": 0}}}


def mixed(size: int) -> dict[str, Any]:
    """A random tree: every inner node has two to five children."""
    draw = random.Random(SEED)
    level: list[Any] = [draw.randint(-size, size) for _ in range(size * 5 // 7)]
    while len(level) > 1:
        rest = iter(level)
        level = []
        while below := list(islice(rest, draw.randint(2, 5))):
            level.append(below)
    return {"tree": level[0]}


SHAPES: dict[str, Callable[[int], dict[str, Any]]] = {"wide": wide, "deep": deep, "random": mixed}


def as_json(game: dict[str, Any]) -> str:
    return json.dumps({"plymark": "game/1", **game})


def as_yaml(game: dict[str, Any]) -> str:
    """Blocks outside; a tree, or a node of the flat form, on one line."""
    if "tree" in game:
        return f"plymark: game/1\ntree: {json.dumps(game['tree'])}\n"
    nodes = "".join(f"  {name}: {json.dumps(node)}\n" for name, node in game["nodes"].items())
    return f"plymark: game/1\nroot: {game['root']}\nnodes:\n{nodes}"


FORMS = {"json": as_json, "yaml": as_yaml}


def growth(quick: bool, nodes: int | None = None) -> None:
    """Each tree in a process of its own, so that its peak of memory is its own too."""
    title("Growth: a document's text to its solution in JSON; per node, it stays level where growth is linear")
    print(f"  {'tree':<8}{'form':<6}{'nodes':>11}{'seconds':>10}{'µs per node':>13}{'MB':>9}{'bytes per node':>16}")
    if nodes:
        _shown("random", "json", as_json(mixed(nodes)))
        return
    for (shape, grown), (form, written) in product(SHAPES.items(), FORMS.items()):
        spent = []
        for size in QUICK_SIZES if quick else SIZES:
            spent.append(_shown(shape, form, written(grown(size))))
        print(f"  {shape:<8}{form:<6}exponent {exponent(spent[-3:]):.2f}", flush=True)


def _shown(shape: str, form: str, text: str) -> tuple[float, float]:
    """A line of the table; its nodes and seconds."""
    nodes, seconds, memory = _alone(text, form)
    print(
        f"  {shape:<8}{form:<6}{nodes:>11,.0f}{seconds:>10.3f}{seconds / nodes * 1e6:>13.1f}"
        f"{memory / 1e6:>9,.0f}{memory / nodes:>16,.0f}",
        flush=True,
    )
    return nodes, seconds


def _alone(text: str, form: str) -> list[float]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, f"game.{form}")
        path.write_text(text)
        command = [str(PYTHON), "-m", "benchmarks.growth", str(path)]
        done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [float(word) for word in done.stdout.split()]


def one(path: str) -> tuple[int, float, int]:
    """Nodes, seconds on a processor, and the bytes by which the peak of memory rose."""
    before, start = _peak(), processor_time()
    with paused_collection():
        game = load(path, LIMITS)
        FORMATS["json"].write(game, solve(game), "", False)
    return len(game.tree), processor_time() - start, _peak() - before


def _peak() -> int:
    """The largest resident size so far, in bytes.

    Linux hands getrusage's figure down from the process that started this one, so its own record is read there.
    """
    record = Path("/proc/self/status")
    if record.exists():
        return 1024 * int(record.read_text().partition("VmHWM:")[2].split()[0])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    print(*one(sys.argv[1]))
