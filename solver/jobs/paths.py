"""What the paths of a batch mean: files and folders, patterns, archives and JSON Lines."""

from __future__ import annotations

import os
from collections.abc import Iterable

from solver.jobs.inputs import LINES, STDIN, TAR, ZIP, Source, sources
from solver.kernel.errors import UsageError


def expanded(paths: Iterable[str]) -> list[Source]:
    """Every document that the paths mean, in their order."""
    found: list[Source] = []
    plain: list[str] = []
    for path in paths:
        for each in _matching(path):
            if each.lower().endswith((*ZIP, *TAR, *LINES)) and os.path.isfile(each):
                # Imported only here: archives are rare.
                from solver.jobs.archives import inside

                found.extend(inside(each))
            else:
                plain.append(each)
                found.extend(sources([each]))
    sources(each for each in plain if each == STDIN)
    return found


def _matching(path: str) -> list[str]:
    if not any(sign in path for sign in "*?[") or os.path.exists(path):
        return [path]
    # Imported only here: shells expand patterns themselves, mostly.
    from glob import glob

    found = sorted(glob(path, recursive=True))
    if not found:
        raise UsageError(f"no file matches {path}")
    return found
