"""One document's way through the pipeline, as the command line and other processes call it."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from solver.game.convention import DEFAULT, Convention
from solver.jobs.inputs import Source, carries
from solver.jobs.work import Result, failed
from solver.kernel.errors import DocumentError, Refusal
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.kernel.problems import WHOLE_FILE, Problem
from solver.pipeline.stages import (
    DEFAULT_SAMPLING,
    GAME,
    load_bytes,
    load_tree,
    paused_collection,
    read_file,
    refused,
    solve,
)
from solver.render.registry import FORMATS
from solver.search.solution import Sampling


@dataclass(frozen=True, slots=True)
class SolveTask:
    """How to solve, and how to write the solution down."""

    algorithm: str = "auto"
    convention: Convention = DEFAULT
    depth: int | None = None
    sampling: Sampling = DEFAULT_SAMPLING
    format: str = "json"
    limits: Limits = DEFAULT_LIMITS
    name_file: bool = False
    colour: bool = False

    def __call__(self, source: Source) -> Result:
        with paused_collection():
            try:
                if source.tree is not None:
                    game = load_tree(source.tree, self.limits)
                else:
                    raw = read_source(source, self.limits)
                    if source.in_folder and not carries(raw, GAME):
                        return Result(source, skipped=True)
                    game = load_bytes(raw, source.name, self.limits)
                try:
                    solution = solve(game, self.algorithm, self.convention, self.depth, self.sampling)
                    file = source.name if self.name_file else ""
                    return Result(source, FORMATS[self.format].write(game, solution, file, self.colour))
                except Refusal as refusal:
                    return failed(source, refused(refusal, game))
            except DocumentError as error:
                return failed(source, error)
            except (MemoryError, RecursionError) as error:
                return failed(source, exhausted(error))


def read_source(source: Source, limits: Limits) -> bytes:
    if source.is_stdin:
        return sys.stdin.buffer.read(max(limits.yaml_bytes, limits.json_bytes) + 1)
    return read_file(source.path or source.name, limits)


def exhausted(error: BaseException) -> DocumentError:
    return DocumentError([Problem(WHOLE_FILE, "crash", f"this machine ran out of memory: {type(error).__name__}")])
