"""A game to its pictures, or to its story, as the command line calls it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.drawing.entry import draw
from solver.drawing.request import Drawing, Request
from solver.game.building.build import Game
from solver.game.convention import DEFAULT, Convention
from solver.jobs.inputs import Source
from solver.jobs.trial import attempt, read_game, with_game
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.languages.lookup import language
from solver.pipeline.stages import DEFAULT_SAMPLING, solve
from solver.search.solution import Sampling
from solver.story.telling import explanation


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
    return attempt(source, lambda source: with_game(read_game(source, limits), lambda game: draw(game, request)))


def explained(source: Source, telling: Telling, limits: Limits = DEFAULT_LIMITS) -> Iterator[str]:
    """The lines of an explanation; DocumentError with every problem of the game otherwise."""
    words = language(telling.language)

    def tell(game: Game) -> Iterator[str]:
        solution = solve(game, telling.algorithm, telling.convention, telling.depth, telling.sampling)
        return explanation(game, solution, words, telling.detail)

    return attempt(source, lambda source: with_game(read_game(source, limits), tell))
