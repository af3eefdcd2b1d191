"""How long a person waits for one small game, against the smallest program of this kind."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

from benchmarks.commands import PLYMARK, PYTHON, ROOT, compiled_in
from benchmarks.measure import Ratio, interleaved, show, title

SMALLEST = """\
import typer, yaml
app = typer.Typer()
@app.command()
def main(file: str):
    print(file)
app()
"""
"""A command that loads what reading options and YAML needs, and does nothing."""
GAME = ROOT / "specs" / "two-ply.yaml"


def startup(quick: bool) -> list[Ratio]:
    title("Start-up: plymark solve specs/two-ply.yaml")
    if not PLYMARK.exists():
        print(f"  left out: there is no {PLYMARK.name} beside this Python; install the project first")
        return []
    with tempfile.TemporaryDirectory() as folder:
        smallest = Path(folder, "smallest.py")
        smallest.write_text(SMALLEST, encoding="utf-8")
        setting = compiled_in(str(Path(folder, "compiled")))

        def started(*command: object) -> Callable[[], object]:
            words = [str(word) for word in command]
            return lambda: subprocess.run(words, check=True, capture_output=True, env=setting)

        found = interleaved(
            {
                "plymark": started(PLYMARK, "solve", GAME),
                "smallest": started(PYTHON, smallest, GAME),
                "nothing": started(PYTHON, "-c", "pass"),
            },
            rounds=3 if quick else 50,
        )
    ours = found["plymark"]
    return show(
        [
            Ratio("plymark solve / the smallest typer command", ours.cpu, found["smallest"].cpu, target=1.3),
            Ratio('plymark solve / python -c "pass", processor', ours.cpu, found["nothing"].cpu),
        ]
    )
