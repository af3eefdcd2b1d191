"""A game to its pictures, or to its story, as the command line calls it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.drawing.entry import draw, figure
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


def drawn_figure(source: Source, request: Request, stage: int | None = None) -> tuple[str, int]:
    """A picture for a page that has the style sheet of such pictures, wide and narrow, and the number of stages."""
    limits = DEFAULT_LIMITS
    return attempt(source, lambda each: with_game(read_game(each, limits), lambda game: figure(game, request, stage)))


def explained(source: Source, telling: Telling, limits: Limits = DEFAULT_LIMITS) -> Iterator[str]:
    """The lines of an explanation; DocumentError with every problem of the game otherwise."""
    words = language(telling.language)

    def tell(game: Game) -> Iterator[str]:
        solution = solve(game, telling.algorithm, telling.convention, telling.depth, telling.sampling)
        return explanation(game, solution, words, telling.detail)

    return attempt(source, lambda source: with_game(read_game(source, limits), tell))
