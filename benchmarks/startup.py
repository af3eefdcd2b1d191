"""How long a person waits for one small game, against the imports that any such command needs."""

from __future__ import annotations

import importlib.util
import subprocess
import tempfile
from collections.abc import Callable

from benchmarks.commands import PLYMARK, PYTHON, ROOT, compiled_in
from benchmarks.measure import Ratio, interleaved, show, title

IMPORTS = "typer, yaml" if importlib.util.find_spec("typer") else "click, yaml"
"""What the usual command of this kind loads; Plymark needs click only."""


def startup(quick: bool) -> list[Ratio]:
    title("Start-up: plymark solve specs/two-ply.yaml")
    if not PLYMARK.exists():
        print(f"  left out: there is no {PLYMARK.name} beside this Python; install the project first")
        return []
    with tempfile.TemporaryDirectory() as compiled:
        setting = compiled_in(compiled)

        def started(*command: object) -> Callable[[], object]:
            words = [str(word) for word in command]
            return lambda: subprocess.run(words, check=True, capture_output=True, env=setting)

        found = interleaved(
            {
                "plymark": started(PLYMARK, "solve", ROOT / "specs" / "two-ply.yaml"),
                "imports": started(PYTHON, "-c", f"import {IMPORTS}"),
                "nothing": started(PYTHON, "-c", "pass"),
            },
            rounds=3 if quick else 25,
        )
    ours, imports = found["plymark"], found["imports"]
    target = 1.4 if "typer" in IMPORTS else None
    return show(
        [
            Ratio(f'plymark solve / python -c "import {IMPORTS}", processor', ours.cpu, imports.cpu, target=target),
            Ratio('plymark solve / python -c "pass", processor', ours.cpu, found["nothing"].cpu),
        ]
    )
