"""A game to its pictures, as the command line calls it; one, or each of many."""

from __future__ import annotations

from dataclasses import dataclass

from solver.drawing.picture_files import Drawing, Request, draw, figure
from solver.jobs.document_loading import attempt, batch_game, read_game, result_of, with_game
from solver.jobs.document_sources import Source
from solver.jobs.work_results import Result
from solver.kernel.errors import DEFAULT_LIMITS, WHOLE_FILE, DocumentError, Limits, Problem, UsageError


def draw_source(source: Source, request: Request, limits: Limits = DEFAULT_LIMITS) -> list[Drawing]:
    """The files of a drawing; DocumentError with every problem of the game otherwise."""
    return attempt(source, lambda source: with_game(read_game(source, limits), lambda game: draw(game, request)))


def draw_source_figure(source: Source, request: Request, stage: int | None = None) -> tuple[str, int]:
    """A picture for a page that has the style sheet of such pictures, wide and narrow, and the number of stages."""
    limits = DEFAULT_LIMITS
    return attempt(source, lambda each: with_game(read_game(each, limits), lambda game: figure(game, request, stage)))


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
