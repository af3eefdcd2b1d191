"""One document's way through the pipeline, and what becomes of it whatever goes wrong."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable
from typing import TypeVar

from solver.game.building.build import Game
from solver.jobs.inputs import Source, carries
from solver.jobs.remote import is_remote, read_remote
from solver.jobs.work import Result, failed
from solver.kernel.errors import DocumentError, Refusal
from solver.kernel.limits import Limits
from solver.kernel.problems import WHOLE_FILE, Problem
from solver.pipeline.stages import GAME, load_bytes, load_tree, paused_collection, read_file, refused

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
        return failed(source, error)
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
