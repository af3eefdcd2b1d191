"""Games to analyses, as the command line calls it."""

from __future__ import annotations

from dataclasses import dataclass

from solver.analysis.analysis_request import NO_REQUEST, AnalysisRequest
from solver.analysis.tree_analysis import analyse
from solver.game.convention import DEFAULT, Convention
from solver.jobs.document_loading import read_game, result_of, with_game
from solver.jobs.document_sources import Source
from solver.jobs.work_results import Result
from solver.kernel.errors import DEFAULT_LIMITS, Limits
from solver.render.analysis_data import analysis_data
from solver.render.analysis_text import analysis_text
from solver.render.writers import json_bytes
from solver.render.yaml import yaml_bytes


@dataclass(frozen=True, slots=True)
class AnalyseTask:
    """Analyse a game, and write the analysis down."""

    convention: Convention = DEFAULT
    asked: AnalysisRequest = NO_REQUEST
    format: str = "text"
    limits: Limits = DEFAULT_LIMITS

    def __call__(self, source: Source) -> Result:
        return result_of(source, self._analysed)

    def _analysed(self, source: Source) -> bytes:
        game = read_game(source, self.limits)
        analysis = with_game(game, lambda game: analyse(game, self.convention, self.asked))
        if self.format == "json":
            return json_bytes(analysis_data(analysis, self.asked.digits))
        if self.format == "yaml":
            return yaml_bytes(analysis_data(analysis, self.asked.digits))
        return analysis_text(analysis, self.asked.digits).encode()
