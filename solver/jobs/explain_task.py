"""A game to its story, as the command line calls it; one, or each of many."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from solver.game.convention import DEFAULT, Convention
from solver.game.game_builder import Game
from solver.jobs.document_loading import attempt, batch_game, read_game, result_of, with_game
from solver.jobs.document_sources import Source
from solver.jobs.work_results import Result
from solver.kernel.errors import DEFAULT_LIMITS, Limits
from solver.languages.translation import language
from solver.pipeline import DEFAULT_SAMPLING, solve
from solver.search.solution import Sampling
from solver.story.search_story import explanation


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """How a search is to be explained."""

    algorithm: str = "auto"
    convention: Convention = DEFAULT
    depth: int | None = None
    sampling: Sampling = DEFAULT_SAMPLING
    language: str = "en"
    detail: str = "brief"


def explain_source(source: Source, telling: ExplainOptions, limits: Limits = DEFAULT_LIMITS) -> Iterator[str]:
    """The lines of an explanation; DocumentError with every problem of the game otherwise."""
    return attempt(
        source, lambda source: with_game(read_game(source, limits), lambda game: _explanation_lines(game, telling))
    )


def _explanation_lines(game: Game, telling: ExplainOptions) -> Iterator[str]:
    solution = solve(game, telling.algorithm, telling.convention, telling.depth, telling.sampling)
    return explanation(game, solution, language(telling.language), telling.detail)


@dataclass(frozen=True, slots=True)
class ExplainTask:
    """The story of each of many games."""

    telling: ExplainOptions
    limits: Limits = DEFAULT_LIMITS

    def __call__(self, source: Source) -> Result:
        return result_of(source, self._explained)

    def _explained(self, source: Source) -> bytes | None:
        game = batch_game(source, self.limits)
        if game is None:
            return None
        return with_game(
            game, lambda game: "".join(f"{line}\n" for line in _explanation_lines(game, self.telling)).encode()
        )
