"""`python -m benchmarks`: every part, or those that are named."""

from __future__ import annotations

import argparse
import importlib.metadata
import os
import platform

from benchmarks.diagnosis import diagnosis
from benchmarks.drawing import drawing
from benchmarks.generating import generating
from benchmarks.growth import growth
from benchmarks.marking import marking
from benchmarks.measure import Ratio, title
from benchmarks.pipeline import pipeline
from benchmarks.search import search
from benchmarks.stages import profile_pipeline
from benchmarks.startup import startup

PARTS = {
    "pipeline": pipeline,
    "search": search,
    "startup": startup,
    "growth": growth,
    "drawing": drawing,
    "diagnosis": diagnosis,
    "marking": marking,
    "generating": generating,
}
PACKAGES = ("plymark", "pyyaml", "jsonschema", "jsonschema-rs", "orjson", "click", "easyAI", "open_spiel")


def main() -> None:
    options = argparse.ArgumentParser(prog="python -m benchmarks", description="Ratios of times from one run.")
    options.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all without it")
    options.add_argument("--quick", action="store_true", help="a smoke test of seconds; its figures mean nothing")
    options.add_argument("--profile", choices=["pipeline"], help="print where the time goes instead")
    chosen = options.parse_args()
    if unknown := set(chosen.parts) - set(PARTS):
        options.error(f"there is no part {', '.join(sorted(unknown))}")
    print(_setting())
    if chosen.profile:
        profile_pipeline(chosen.quick)
        return
    ratios: list[Ratio] = []
    for name in chosen.parts or PARTS:
        ratios += PARTS[name](chosen.quick) or []
    if ratios and not chosen.quick:
        _summarise(ratios)


def _setting() -> str:
    versions = ", ".join(f"{name} {version}" for name in PACKAGES if (version := _version(name)))
    return f"Python {platform.python_version()} on {os.cpu_count()} cores ({platform.machine()}); {versions}"


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
