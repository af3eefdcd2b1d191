"""What the paths of a batch mean (files and folders, patterns, archives, JSON Lines and addresses), and one document's
way through the pipeline: what becomes of it whatever goes wrong.
"""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

from solver.game.game_builder import Game
from solver.jobs.document_sources import (
    LINES,
    STDIN,
    TAR,
    ZIP,
    Source,
    carries,
    is_remote,
    read_remote,
    remote_sources,
    sources,
)
from solver.jobs.work_results import Result, failure_of
from solver.kernel.errors import WHOLE_FILE, DocumentError, Limits, Problem, Refusal, UsageError
from solver.pipeline import GAME, load_bytes, load_tree, paused_collection, read_file, refused


def expand_paths(paths: Iterable[str], absolute: bool = False, lines: bool = True) -> list[Source]:
    """Every document that the paths mean, in their order. `absolute`: to be opened by processes in other folders.
    `lines`: whether each line of JSON Lines is one; else the file is."""
    matches = _expanded(paths, (*ZIP, *TAR, *LINES) if lines else (*ZIP, *TAR))
    return [_absolute(source) for source in matches] if absolute else matches


def _absolute(source: Source) -> Source:
    if source.is_stdin or is_remote(source.name):
        return source
    inside = os.path.abspath(source.inside) if source.inside else ""
    return source._replace(path=os.path.abspath(source.path or source.name), inside=inside)


def _expanded(paths: Iterable[str], opened: tuple[str, ...]) -> list[Source]:
    matches: list[Source] = []
    plain: list[str] = []
    for path in paths:
        if is_remote(path):
            matches.extend(remote_sources(path))
            continue
        for each in _matching(path):
            if each.lower().endswith(opened) and os.path.isfile(each):
                # Imported only here: archives are rare.
                from solver.jobs.archives import inside

                matches.extend(inside(each))
            else:
                plain.append(each)
                matches.extend(sources([each]))
    sources(each for each in plain if each == STDIN)
    return matches


def _matching(path: str) -> list[str]:
    if not any(sign in path for sign in "*?[") or os.path.exists(path):
        return [path]
    # Imported only here: shells expand patterns themselves, mostly.
    from glob import glob

    matches = sorted(glob(path, recursive=True))
    if not matches:
        raise UsageError(f"no file matches {path}")
    return matches


T = TypeVar("T")


def attempt(source: Source, make: Callable[[Source], T]) -> T:
    """What `make` makes of a source; DocumentError also where this machine has too little memory for it."""
    with paused_collection():
        try:
            return make(source)
        except (MemoryError, RecursionError) as error:
            message = f"this machine ran out of memory: {type(error).__name__}"
            raise DocumentError([Problem(WHOLE_FILE, "crash", message)]) from None


def result_of(source: Source, make: Callable[[Source], bytes | None]) -> Result:
    """An attempt as a result: what `make` makes is the output; None passes the document over."""
    try:
        output = attempt(source, make)
    except DocumentError as error:
        return failure_of(source, error)
    return Result(source, skipped=True) if output is None else Result(source, output)


def read_source(source: Source, limits: Limits) -> bytes:
    if source.raw is not None:
        return source.raw
    if source.inside:
        # Imported only here: archives are rare.
        from solver.jobs.archives import read_inside

        return read_inside(source, max(limits.yaml_bytes, limits.json_bytes))
    if source.is_stdin:
        return sys.stdin.buffer.read(max(limits.yaml_bytes, limits.json_bytes) + 1)
    if is_remote(source.name):
        return read_remote(source.name, max(limits.yaml_bytes, limits.json_bytes))
    path = source.path or source.name
    if source.in_folder and stat.S_ISFIFO(mode_of(path)):
        # To open one would be to wait for somebody who writes into it.
        raise DocumentError([Problem(WHOLE_FILE, "no-file", "cannot be read: this is a pipe")])
    return read_file(path, limits)


def mode_of(path: str) -> int:
    """What kind of file it is; 0 if that cannot be learnt."""
    try:
        return os.stat(path).st_mode
    except (OSError, ValueError):
        return 0


def read_game(source: Source, limits: Limits) -> Game:
    """The game in a source; DocumentError with every problem of it otherwise."""
    if source.tree is not None:
        return load_tree(source.tree, limits)
    return load_bytes(read_source(source, limits), source.name, limits)


def batch_game(source: Source, limits: Limits) -> Game | None:
    """The same for one of many; None for a file of a folder that carries no game."""
    if not source.in_folder:
        return read_game(source, limits)
    raw = read_source(source, limits)
    return load_bytes(raw, source.name, limits) if carries(raw, GAME) else None


def with_game(game: Game, make: Callable[[Game], T]) -> T:
    """What `make` makes of a game; a refusal becomes a problem at the place of its node."""
    try:
        return make(game)
    except Refusal as refusal:
        raise refused(refusal, game) from None
