"""Game → solution → board → picture → file: the way of a drawing, composed on one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.drawing.boards import Board, board
from solver.drawing.embedding import page_figure
from solver.drawing.formats import ENDINGS
from solver.drawing.moments import moments, stage_count
from solver.drawing.pictures import picture
from solver.drawing.request import Drawing, Request, Stage
from solver.drawing.svg_markup import svg
from solver.drawing.view import FINISHED, PRUNING, View, stages_from
from solver.game.building.build import Game
from solver.game.cutoff import cut_off, plies
from solver.kernel.errors import UsageError
from solver.languages.lookup import Language, language
from solver.pipeline.stages import solve
from solver.search.algorithms.registry import ALGORITHMS, natural_algorithm
from solver.search.solution import Solution
from solver.story.stage_captions import captions

MOST_STAGES, MOST_DRAWN_NODES = 200, 20_000
"""Pictures of one search, and nodes in all of them together; of more, some are to be chosen."""


def draw(game: Game, request: Request) -> list[Drawing]:
    """The files of a drawing; Refusal where the game is not to be drawn blank and cannot be solved."""
    check_request(request)
    one = ENDINGS[request.ending].one
    words = language(request.language)
    if request.blank:
        assert one is not None
        return [Drawing(one(_blank(game, request, words), request))]
    solution = solve(game, request.algorithm, request.convention, request.depth, request.sampling)
    view = _view(request, prunes=solution.search is not None)
    if one is None or request.stages is not None:
        return _staged(solution, view, request, words)
    return [Drawing(one(board(solution.tree, view, words, request.title or solution.title, solution), request))]


def check_request(request: Request) -> None:
    """UsageError for what can be meant of no game."""
    request.check()
    if not request.ending:
        raise UsageError(f"a file's name ends in the kind of picture: {', '.join(ENDINGS)}")
    if request.ending not in ENDINGS:
        raise UsageError(f"unknown kind of picture {request.ending!r}; choose one of {', '.join(ENDINGS)}")
    staged = request.stages is not None or ENDINGS[request.ending].one is None
    if request.fine and not staged:
        raise UsageError("--fine is for stages: add --stages, or --stage with numbers")
    if request.blank and staged:
        raise UsageError("a blank picture has no stages")


def check_one_file(request: Request) -> None:
    """UsageError also where a drawing may have several files."""
    check_request(request)
    if request.stages is not None and not request.stages.isdecimal() and ENDINGS[request.ending].numbered:
        whole = ", ".join(ending for ending, each in ENDINGS.items() if not each.numbered)
        raise UsageError(f"the stages of several games are drawn as {whole}: a file for each game")


def figure(game: Game, request: Request, stage: int | None = None) -> tuple[str, int]:
    """What a page's `<figure>` holds of a search, finished or at a stage, at most the last one; and how many stages
    there are, 0 for a search that has none."""
    request.check()
    words = language(request.language)
    solution = solve(game, request.algorithm, request.convention, request.depth, request.sampling)
    view, count = _view(request, prunes=solution.search is not None), stage_count(solution)
    if stage is None or not count:
        return page_figure(board(solution.tree, view, words, solution.title, solution)), count
    return page_figure(
        next(made for _, made in _boards(solution, view, words, [min(stage, count)], solution.title))
    ), count


def solution_svg(solution: Solution) -> str:
    """A solution as it shows itself in a notebook."""
    return svg(picture(board(solution.tree, View(), language("en"), solution.title, solution)))


def game_svg(game: Game) -> str:
    """A game as it shows itself in a notebook: the tree as it was written."""
    view = View(frozenset({"names", "moves", "probabilities"}))
    return svg(picture(board(game.tree, view, language("en"), game.title or "")))


def _blank(game: Game, request: Request, words: Language) -> Board:
    if request.depth is not None:
        game = cut_off(game, plies(game.tree, request.depth, request.convention))
    return board(game.tree, _view(request, _prunes(request.algorithm, game)), words, request.title or game.title or "")


def _prunes(algorithm: str, game: Game) -> bool:
    if algorithm == "auto":
        return natural_algorithm(game.tree).prunes
    return algorithm in ALGORITHMS and ALGORITHMS[algorithm].prunes


def _view(request: Request, prunes: bool) -> View:
    """Windows and intervals are for algorithms that prune; a page lets its reader choose."""
    alternating = prunes and request.ending == ".html" and request.show is None
    show = FINISHED if request.show is None else request.show
    show = show | PRUNING if alternating else show if prunes else show - PRUNING
    return View(show, request.blank, request.most_leaves, alternating)


def _staged(solution: Solution, view: View, request: Request, words: Language) -> list[Drawing]:
    count = stage_count(solution, request.fine)
    if not count:
        raise UsageError(f"{solution.algorithm} has no stages to draw")
    chosen = _chosen(request, count)
    told = captions(solution, words, request.fine)
    named = request.title or solution.title
    boards = _boards(solution, view, words, chosen, named, request.fine)
    stages = [Stage(number, count, made, told[number]) for number, made in boards]
    title = named or words.say("picture.title")
    return list(ENDINGS[request.ending].stages(title, stages, request))


def _chosen(request: Request, count: int) -> Sequence[int]:
    """Which stages to draw; a page that is gone through starts before anything happened."""
    if request.stages in (None, "all"):
        chosen: Sequence[int] = range(0 if request.ending == ".html" else 1, count + 1)
    else:
        assert request.stages is not None
        chosen = stages_from(request.stages, count)
    if len(chosen) > MOST_STAGES:
        message = f"this search has {count:,} stages, and at most {MOST_STAGES} are drawn at once"
        raise UsageError(f"{message}; choose some, such as --stage 1-{MOST_STAGES}")
    return chosen


def _boards(
    solution: Solution, view: View, words: Language, chosen: Sequence[int], title: str = "", fine: bool = False
) -> Iterator[tuple[int, Board]]:
    wanted = set(chosen)
    for moment in moments(solution, fine):
        if moment.stage in wanted:
            made = board(solution.tree, view, words, title, solution, moment)
            if len(made.items) * len(chosen) > MOST_DRAWN_NODES:
                message = f"{len(chosen):,} pictures of {len(made.items):,} nodes are too many to draw at once"
                raise UsageError(f"{message}; choose fewer with --stage, or a smaller number of --leaves")
            yield moment.stage, made
        if moment.stage >= chosen[-1]:
            return
