"""Plymark's solver: game documents to exact, annotated solutions.

from solver import load, solve
solution = solve(load("specs/two-ply.yaml"))
solution.value, solution.move
"""

from importlib import import_module
from typing import Any

from solver.algorithms.registry import ALGORITHMS
from solver.batch import Result, failed, run
from solver.building.build import Game
from solver.choices import DETAILS, SHOWN, THEMES
from solver.convention import CHOICES as CONVENTION_CHOICES
from solver.convention import NAMED as CONVENTIONS
from solver.convention import Bound, Convention, Window, convention_from, sensible
from solver.errors import DocumentError, PlymarkError, Refusal, UsageError
from solver.events import CUT, EVALUATED
from solver.exact import Number, number_advice, number_text, parse_number, plain
from solver.expectation import expected
from solver.languages.codes import LANGUAGES
from solver.limits import DEFAULT_LIMITS, Limits
from solver.pipeline import (
    build_inside,
    check_bytes,
    convention_from_text,
    load,
    load_bytes,
    load_tree,
    paused_collection,
    read_document,
    read_file,
    refused,
    solve,
)
from solver.problems import WHOLE_FILE, Place, Problem, ProblemLog, quoted
from solver.reading.document import REPORTED, Document
from solver.reading.read import read as read_raw
from solver.render.data import solution_data
from solver.render.numbers import bound as bound_text
from solver.render.numbers import shown as value_text
from solver.render.registry import FORMATS
from solver.search import Cut, Search
from solver.searching import searched
from solver.solution import Sampling, Solution, Value
from solver.sources import Source, carries, named_source, output_names, sources, tree_source
from solver.tasks import SolveTask, exhausted, read_source
from solver.tree import AND, CHANCE, MAX, MIN, OR, Loop, Outcome, Tree, Unknown, Vector
from solver.window import initial_window

# What most calls never need is loaded when it is first asked for.
_LATER = {
    "FORBIDDEN_SIGNS": "solver.reading.characters:FORBIDDEN",
    "LATEX_PLAIN": "solver.drawing.latex_styles:PLAIN",
    "LATEX_STYLES": "solver.drawing.latex_styles:STYLES",
    "LATEX_UNICODE": "solver.drawing.latex_styles:UNICODE",
    "PICTURE_FAMILY": "solver.drawing.measure:FAMILY",
    "PICTURE_FONTS": "solver.drawing.measure:FONTS",
    "Amount": "solver.languages.facts",
    "AnalyseTask": "solver.analysing",
    "Asked": "solver.analyses",
    "Between": "solver.languages.facts",
    "Board": "solver.drawing.board",
    "Comparison": "solver.analysis.soundness",
    "Drawing": "solver.drawing.request",
    "Enclosed": "solver.irrational",
    "Fact": "solver.languages.facts",
    "Formula": "solver.languages.facts",
    "Items": "solver.languages.facts",
    "KeyStop": "solver.analysis.soundness",
    "Language": "solver.languages.language",
    "Limit": "solver.languages.facts",
    "Request": "solver.drawing.request",
    "Root": "solver.analysis.polynomials",
    "RootOfLog": "solver.irrational",
    "Sentence": "solver.languages.facts",
    "Skipped": "solver.analysis.soundness:Item",
    "Soundness": "solver.analysis.soundness",
    "Telling": "solver.showing",
    "View": "solver.drawing.view",
    "against_mistakes": "solver.analysis.opponent:against",
    "board": "solver.drawing.board",
    "captions": "solver.story.captions",
    "choice_at": "solver.algorithms.mcts",
    "decimal_text": "solver.irrational",
    "draw": "solver.drawing.draw",
    "drawings": "solver.showing",
    "expectiminimax": "solver.algorithms.expectiminimax",
    "explained": "solver.showing",
    "explanation": "solver.story.telling",
    "fewest_leaves": "solver.analysis.orders:fewest",
    "font_faces": "solver.drawing.font_faces",
    "horizon": "solver.analysis.horizon",
    "import_game": "solver.interchange.registry",
    "increasing_changes": "solver.analysis.transforms:invariance",
    "json_bytes": "solver.render.json",
    "language": "solver.languages.language",
    "latex_colours": "solver.drawing.latex_styles:colours",
    "latex_forest": "solver.drawing.latex:_forest",
    "latex_plain_signs": "solver.drawing.latex_text:plain_signs",
    "latex_takes": "solver.drawing.latex_text:is_plain",
    "latex_unicode_signs": "solver.drawing.latex_text:unicode_signs",
    "leaves_below": "solver.analysis.soundness",
    "leaves_evaluated": "solver.analysis.orders:evaluated",
    "markup": "solver.drawing.svg",
    "mcts": "solver.algorithms.mcts",
    "most_leaves": "solver.analysis.orders:most",
    "needs_extra": "solver.extras",
    "one_unknown": "solver.analysis.unknowns",
    "opponent_mistakes": "solver.analysis.opponent:mistakes",
    "picture": "solver.drawing.picture",
    "plan_text": "solver.algorithms.and_or",
    "prunable": "solver.analysis.prunable",
    "pruned_nodes": "solver.analysis.pruning",
    "pruned_ranges": "solver.analysis.unknowns",
    "read_formula": "solver.analysis.formula",
    "reordered": "solver.analysis.orders",
    "root_of_log": "solver.irrational",
    "rows": "solver.render.rows",
    "rules_of": "solver.analysis.pruning",
    "shallow_pruning": "solver.algorithms.shallow:shallow",
    "shape": "solver.analysis.shape",
    "shown_from": "solver.drawing.view",
    "simulate_plan": "solver.analysis.plans:simulate",
    "soundness": "solver.analysis.soundness",
    "squared": "solver.irrational",
    "story_of": "solver.story.telling",
    "style_sheet": "solver.drawing.style",
    "substituted": "solver.analysis.unknowns",
    "svg": "solver.drawing.svg",
    "transform_compared": "solver.analysis.transforms:compare",
    "witness": "solver.analysis.prunable",
}
"""By name, the module that has it, and what it is called there if that is another name."""

__all__ = [
    "ALGORITHMS",
    "AND",
    "CHANCE",
    "CONVENTIONS",
    "CONVENTION_CHOICES",
    "CUT",
    "DEFAULT_LIMITS",
    "DETAILS",
    "EVALUATED",
    "FORBIDDEN_SIGNS",
    "FORMATS",
    "LANGUAGES",
    "LATEX_PLAIN",
    "LATEX_STYLES",
    "LATEX_UNICODE",
    "MAX",
    "MIN",
    "OR",
    "PICTURE_FAMILY",
    "PICTURE_FONTS",
    "REPORTED",
    "SHOWN",
    "THEMES",
    "WHOLE_FILE",
    "Amount",
    "AnalyseTask",
    "Asked",
    "Between",
    "Board",
    "Bound",
    "Comparison",
    "Convention",
    "Cut",
    "Document",
    "DocumentError",
    "Drawing",
    "Enclosed",
    "Fact",
    "Formula",
    "Game",
    "Items",
    "KeyStop",
    "Language",
    "Limit",
    "Limits",
    "Loop",
    "Number",
    "Outcome",
    "Place",
    "PlymarkError",
    "Problem",
    "ProblemLog",
    "Refusal",
    "Request",
    "Result",
    "Root",
    "RootOfLog",
    "Sampling",
    "Search",
    "Sentence",
    "Skipped",
    "Solution",
    "SolveTask",
    "Soundness",
    "Source",
    "Telling",
    "Tree",
    "Unknown",
    "UsageError",
    "Value",
    "Vector",
    "View",
    "Window",
    "against_mistakes",
    "board",
    "bound_text",
    "build_inside",
    "captions",
    "carries",
    "check_bytes",
    "choice_at",
    "convention_from",
    "convention_from_text",
    "decimal_text",
    "draw",
    "drawings",
    "exhausted",
    "expected",
    "expectiminimax",
    "explained",
    "explanation",
    "failed",
    "fewest_leaves",
    "font_faces",
    "horizon",
    "import_game",
    "increasing_changes",
    "initial_window",
    "json_bytes",
    "language",
    "latex_colours",
    "latex_forest",
    "latex_plain_signs",
    "latex_takes",
    "latex_unicode_signs",
    "leaves_below",
    "leaves_evaluated",
    "load",
    "load_bytes",
    "load_tree",
    "markup",
    "mcts",
    "most_leaves",
    "named_source",
    "needs_extra",
    "number_advice",
    "number_text",
    "one_unknown",
    "opponent_mistakes",
    "output_names",
    "parse_number",
    "paused_collection",
    "picture",
    "plain",
    "plan_text",
    "prunable",
    "pruned_nodes",
    "pruned_ranges",
    "quoted",
    "read_document",
    "read_file",
    "read_formula",
    "read_raw",
    "read_source",
    "refused",
    "reordered",
    "root_of_log",
    "rows",
    "rules_of",
    "run",
    "searched",
    "sensible",
    "shallow_pruning",
    "shape",
    "shown_from",
    "simulate_plan",
    "solution_data",
    "solve",
    "soundness",
    "sources",
    "squared",
    "story_of",
    "style_sheet",
    "substituted",
    "svg",
    "transform_compared",
    "tree_source",
    "value_text",
    "witness",
]


# A notebook asks a solution, or a game, for its picture. Drawing lies above both, so the door joins them.
def _solution_svg(solution: Solution) -> str:
    return str(import_module("solver.drawing.draw").solution_svg(solution))


def _game_svg(game: Game) -> str:
    return str(import_module("solver.drawing.draw").game_svg(game))


Solution._repr_svg_ = _solution_svg  # type: ignore[attr-defined]
Game._repr_svg_ = _game_svg  # type: ignore[attr-defined]


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'solver' has no attribute {name!r}")
    module, _, called = _LATER[name].partition(":")
    return getattr(import_module(module), called or name)
