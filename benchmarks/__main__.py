"""`python -m benchmarks`: every part, or those that are named."""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.measure import Ratio, title
from benchmarks.recorded import record, recorded, regressions
from benchmarks.shown import copied, show_in_docs

PARTS = (
    "pipeline",
    "search",
    "startup",
    "scale",
    "growth",
    "drawing",
    "diagnosis",
    "marking",
    "generating",
    "booklets",
    "practice",
    "service",
    "keystroke",
    "hall",
    "desk",
    "honest",
    "attacks",
)
"""Each is a function in the module of its name, which is imported only if it is asked for."""
LONG = ("honest", "attacks")
"""Run only when they are named."""
PACKAGES = (
    "plymark",
    "pyyaml",
    "jsonschema",
    "jsonschema-rs",
    "orjson",
    "typer",
    "easyAI",
    "open_spiel",
    "fastapi",
    "uvicorn",
)


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks", description="Ratios of times from one run.")
    options.add_argument(
        "parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; without it all but the last two"
    )
    options.add_argument("--quick", action="store_true", help="a smoke test of seconds; its figures mean nothing")
    options.add_argument("--record", action="store_true", help="keep the ratios, for later runs to be held to")
    options.add_argument("--write", action="store_true", help="show what is printed in docs/benchmarks.md")
    options.add_argument("--files", type=int, help="pipeline, scale: how many files are written")
    options.add_argument("--profile", choices=["pipeline"], help="print where the time goes instead")
    options.add_argument("--nodes", type=int, help="growth: only one random tree of so many nodes, in JSON")
    options.add_argument("--students", type=int, default=1_000, help="booklets: up to this many, such as 10000")
    options.add_argument("--trees", type=int, help="honest: how many trees are drawn")
    options.add_argument("--recipes", metavar="PATTERN", help="attacks: only these recipes, such as alpha-beta-*")
    options.add_argument("--variants", type=int, help="attacks: how many variants of each recipe")
    options.add_argument("--kept", type=Path, help="attacks: a folder where variants are kept from run to run")
    options.add_argument("--climb", choices=["yes", "no", "only"], default="yes", help="attacks: the hill climb")
    chosen = options.parse_args()
    if unknown := set(chosen.parts) - set(PARTS):
        options.error(f"there is no part {', '.join(sorted(unknown))}")
    # What is started compiles its modules once, as it does for users.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    setting = _setting()
    print(setting)
    if chosen.profile:
        from benchmarks.stages import profile_pipeline

        profile_pipeline(chosen.quick)
        return
    own: dict[str, dict[str, Any]] = {
        "pipeline": {"files": chosen.files},
        "scale": {"files": chosen.files},
        "growth": {"nodes": chosen.nodes},
        "booklets": {"students": chosen.students},
        "honest": {"trees": chosen.trees},
        "attacks": {
            "recipes": chosen.recipes,
            "variants": chosen.variants,
            "kept": chosen.kept,
            "climb": chosen.climb,
        },
    }
    ratios: list[Ratio] = []
    for name in chosen.parts or [name for name in PARTS if name not in LONG]:
        with copied() as printed:
            ratios += _part(name)(chosen.quick, **own.get(name, {})) or []
        if chosen.write and not chosen.quick:
            show_in_docs(name, _command(name), setting, printed.getvalue(), PARTS)
    if ratios and not chosen.quick:
        _summarise(ratios)
        if chosen.record:
            record(ratios)
        elif worse := regressions(ratios, recorded()):
            title("Worse than recorded by more than a third")
            print("\n".join(worse))
            sys.exit(1)


def _part(name: str) -> Callable[..., list[Ratio] | None]:
    part: Callable[..., list[Ratio] | None] = getattr(importlib.import_module(f"benchmarks.{name}"), name)
    return part


def _setting() -> str:
    versions = ", ".join(f"{name} {version}" for name in PACKAGES if (version := _version(name)))
    busy = f"{os.getloadavg()[0]:.1f} other programs running"
    return f"Python {platform.python_version()} on {os.cpu_count()} cores ({platform.machine()}), {busy}; {versions}."


def _command(part: str) -> str:
    """What was called, for this part alone."""
    options = [word for word in sys.argv[1:] if word not in {*PARTS, "--record", "--write"}]
    return " ".join(["python -m benchmarks", part, *options])


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _summarise(ratios: list[Ratio]) -> None:
    judged = [ratio for ratio in ratios if ratio.target is not None]
    missed = [ratio for ratio in judged if not ratio.met]
    title(f"{len(judged) - len(missed)} of {len(judged)} targets met")
    for ratio in missed:
        print(ratio)


if __name__ == "__main__":
    main()
