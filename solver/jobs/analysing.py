"""One game's way to its analysis, as the command line calls it."""

from __future__ import annotations

from dataclasses import dataclass

from solver.analysis.analyse import Asked, analyse
from solver.game.convention import DEFAULT, Convention
from solver.jobs.inputs import Source
from solver.jobs.solving import exhausted, read_source
from solver.jobs.work import Result, failed
from solver.kernel.errors import DocumentError, Refusal
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.pipeline.stages import load_bytes, paused_collection, refused
from solver.render.analysis_data import analysis_data
from solver.render.analysis_text import analysis_text
from solver.render.json import json_bytes

DEFAULT_ASKED = Asked()


@dataclass(frozen=True, slots=True)
class AnalyseTask:
    """Analyse a game, and write the analysis down."""

    convention: Convention = DEFAULT
    asked: Asked = DEFAULT_ASKED
    format: str = "text"
    limits: Limits = DEFAULT_LIMITS

    def __call__(self, source: Source) -> Result:
        with paused_collection():
            try:
                game = load_bytes(read_source(source, self.limits), source.name, self.limits)
                try:
                    found = analyse(game, self.convention, self.asked)
                except Refusal as refusal:
                    return failed(source, refused(refusal, game))
            except DocumentError as error:
                return failed(source, error)
            except (MemoryError, RecursionError) as error:
                return failed(source, exhausted(error))
            if self.format == "json":
                return Result(source, json_bytes(analysis_data(found, self.asked.digits)))
            return Result(source, analysis_text(found, self.asked.digits).encode())
