"""One game's way to its pictures, or to its story, as the command line calls it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from solver.drawing.entry import draw
from solver.drawing.request import Drawing, Request
from solver.game.building.build import Game
from solver.game.convention import DEFAULT, Convention
from solver.jobs.inputs import Source
from solver.jobs.solving import exhausted, read_source
from solver.kernel.errors import Refusal
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.languages.lookup import language
from solver.pipeline.stages import DEFAULT_SAMPLING, load_bytes, load_tree, refused, solve
from solver.search.solution import Sampling
from solver.story.telling import explanation

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Telling:
    """How a search is to be explained."""

    algorithm: str = "auto"
    convention: Convention = DEFAULT
    depth: int | None = None
    sampling: Sampling = DEFAULT_SAMPLING
    language: str = "en"
    detail: str = "brief"


def drawings(source: Source, request: Request, limits: Limits = DEFAULT_LIMITS) -> list[Drawing]:
    """The files of a drawing; DocumentError with every problem of the game otherwise."""
    return _made(source, limits, lambda game: draw(game, request))


def explained(source: Source, telling: Telling, limits: Limits = DEFAULT_LIMITS) -> Iterator[str]:
    """The lines of an explanation; DocumentError with every problem of the game otherwise."""
    words = language(telling.language)

    def tell(game: Game) -> Iterator[str]:
        solution = solve(game, telling.algorithm, telling.convention, telling.depth, telling.sampling)
        return explanation(game, solution, words, telling.detail)

    return _made(source, limits, tell)


def _made(source: Source, limits: Limits, make: Callable[[Game], T]) -> T:
    try:
        if source.tree is not None:
            game = load_tree(source.tree, limits)
        else:
            game = load_bytes(read_source(source, limits), source.name, limits)
        try:
            return make(game)
        except Refusal as refusal:
            raise refused(refusal, game) from None
    except (MemoryError, RecursionError) as error:
        raise exhausted(error) from None
