"""What the paths of a batch mean: files and folders, patterns, archives, JSON Lines and addresses."""

from __future__ import annotations

import os
from collections.abc import Iterable

from solver.jobs.inputs import LINES, STDIN, TAR, ZIP, Source, sources
from solver.jobs.remote import is_remote, remote_sources
from solver.kernel.errors import UsageError


def expanded(paths: Iterable[str], absolute: bool = False, lines: bool = True) -> list[Source]:
    """Every document that the paths mean, in their order. `absolute`: to be opened by processes in other folders.
    `lines`: whether each line of JSON Lines is one; else the file is."""
    found = _expanded(paths, (*ZIP, *TAR, *LINES) if lines else (*ZIP, *TAR))
    return [_absolute(source) for source in found] if absolute else found


def _absolute(source: Source) -> Source:
    if source.is_stdin or is_remote(source.name):
        return source
    inside = os.path.abspath(source.inside) if source.inside else ""
    return source._replace(path=os.path.abspath(source.path or source.name), inside=inside)


def _expanded(paths: Iterable[str], opened: tuple[str, ...]) -> list[Source]:
    found: list[Source] = []
    plain: list[str] = []
    for path in paths:
        if is_remote(path):
            found.extend(remote_sources(path))
            continue
        for each in _matching(path):
            if each.lower().endswith(opened) and os.path.isfile(each):
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
