"""Work on one item of many, and what comes of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from solver.jobs.document_sources import Source
from solver.kernel.errors import DocumentError, Problem

Item = TypeVar("Item")
Outcome = TypeVar("Outcome")


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
class Timed(Generic[Item]):
    """Work with a watch."""

    work: Callable[[Item], Result]

    def __call__(self, item: Item) -> Result:
        begun = time.perf_counter()
        result = self.work(item)
        return result._replace(seconds=time.perf_counter() - begun)


def failure_of(source: Source, error: DocumentError) -> Result:
    return Result(source, problems=error.problems, total=error.total)
