"""Work on one document after another, and what became of each."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import NamedTuple, TypeVar

from solver.jobs.inputs import Source
from solver.kernel.errors import DocumentError
from solver.kernel.problems import Problem

Item = TypeVar("Item")
Made = TypeVar("Made")

FILES_PER_CHUNK = 250


class Entry(NamedTuple):
    """A line of the ledger of an output folder."""

    name: str
    """Of the result, below the folder."""
    made_from: str
    bytes: str


class Result(NamedTuple):
    """What became of one document: output, or problems, or nothing if it was not of the kind asked for. What was
    written to a file is not handed on."""

    source: Source
    output: bytes = b""
    problems: Sequence[Problem] = ()
    total: int = 0
    skipped: bool = False
    kept: bool = False
    """Whether it was there already."""
    entry: Entry | None = None
    """What the ledger is to say of it."""
    seconds: float = 0.0
    """How long it took, where that was measured."""


Work = Callable[[Source], Result]
"""A function of a module, so that other processes can be given it."""


@dataclass(frozen=True, slots=True)
class Timed:
    """Work with a watch."""

    work: Work

    def __call__(self, source: Source) -> Result:
        begun = time.perf_counter()
        result = self.work(source)
        return result._replace(seconds=time.perf_counter() - begun)


def failed(source: Source, error: DocumentError) -> Result:
    return Result(source, problems=error.problems, total=error.total)


def in_turn(work: Callable[[Item], Made], chunk: Iterable[Item]) -> Iterator[Made]:
    # Cyclic garbage collection would walk every fresh tree again and again; it waits until the chunk is done.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        for item in chunk:
            yield work(item)
    finally:
        if was_enabled:
            gc.enable()


def chunks_of(found: Iterable[Source]) -> Iterator[list[Source]]:
    rest = iter(found)
    while chunk := list(islice(rest, FILES_PER_CHUNK)):
        yield chunk
