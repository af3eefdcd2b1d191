"""Games to solutions, as the command line and other processes call it."""

from __future__ import annotations

from dataclasses import dataclass

from solver.game.convention import DEFAULT, Convention
from solver.game.game_builder import Game
from solver.jobs.document_loading import batch_game, result_of, with_game
from solver.jobs.document_sources import Source
from solver.jobs.work_results import Result
from solver.kernel.errors import DEFAULT_LIMITS, Limits
from solver.pipeline import DEFAULT_SAMPLING, solve
from solver.render.data_format import ALL
from solver.render.solution_formats import FORMATS
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
    nodes: str = ALL

    def __call__(self, source: Source) -> Result:
        return result_of(source, self._solved)

    def _solved(self, source: Source) -> bytes | None:
        """None for a file of a folder that carries no game."""
        game = batch_game(source, self.limits)
        if game is None:
            return None
        return with_game(game, lambda game: self._written(game, source.name if self.name_file else ""))

    def _written(self, game: Game, file: str) -> bytes:
        solution = solve(game, self.algorithm, self.convention, self.depth, self.sampling)
        return FORMATS[self.format].write(game, solution, file, self.colour, self.nodes)
