"""A game to its pictures, or to its story, as the command line calls it; one, or each of many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.drawing.entry import draw, figure
from solver.drawing.request import Drawing, Request
from solver.game.building.build import Game
from solver.game.convention import DEFAULT, Convention
from solver.jobs.inputs import Source
from solver.jobs.trial import attempt, batch_game, read_game, result_of, with_game
from solver.jobs.work import Result
from solver.kernel.errors import DocumentError, UsageError
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.kernel.problems import WHOLE_FILE, Problem
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
    return attempt(source, lambda source: with_game(read_game(source, limits), lambda game: _told(game, telling)))


def _told(game: Game, telling: Telling) -> Iterator[str]:
    solution = solve(game, telling.algorithm, telling.convention, telling.depth, telling.sampling)
    return explanation(game, solution, language(telling.language), telling.detail)


@dataclass(frozen=True, slots=True)
class DrawTask:
    """A picture of each of many games, in one file."""

    request: Request
    limits: Limits = DEFAULT_LIMITS

    def __call__(self, source: Source) -> Result:
        return result_of(source, self._drawn)

    def _drawn(self, source: Source) -> bytes | None:
        game = batch_game(source, self.limits)
        if game is None:
            return None
        try:
            (drawing,) = with_game(game, lambda game: draw(game, self.request))
        except UsageError as error:
            # What makes sense for most may not for this one: it has fewer stages, or more leaves.
            raise DocumentError([Problem(WHOLE_FILE, "picture", str(error))]) from None
        return drawing.content


@dataclass(frozen=True, slots=True)
class ExplainTask:
    """The story of each of many games."""

    telling: Telling
    limits: Limits = DEFAULT_LIMITS

    def __call__(self, source: Source) -> Result:
        return result_of(source, self._explained)

    def _explained(self, source: Source) -> bytes | None:
        game = batch_game(source, self.limits)
        if game is None:
            return None
        return with_game(game, lambda game: "".join(f"{line}\n" for line in _told(game, self.telling)).encode())
