"""Game → solution → board → picture → file: the way of a drawing, composed on one page.

What is asked of a drawing, and what comes of it; the kinds of pictures by the ending of the file's name: how one
board is written, and how the stages of a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from solver.drawing.boards import Board, board
from solver.drawing.embedding import page_figure
from solver.drawing.latex_picture import latex
from solver.drawing.moments import moments, stage_count
from solver.drawing.outline import outline, outlined_legend
from solver.drawing.pdf_and_png import pages_pdf, pdf, png, slides_pdf
from solver.drawing.picture_parts import Picture, add_frame, legend
from solver.drawing.slideshow import ACROSS, DOWN, TREE_ACROSS, TREE_DOWN, slide, stages_page
from solver.drawing.svg_picture import svg
from solver.drawing.tree_layout import picture, pictures
from solver.drawing.view import (
    FINISHED,
    LEAST_PICTURE,
    MOST_LEAVES,
    PRUNING,
    SIZES,
    THEMES,
    View,
    require_shown,
    stages_from,
)
from solver.game.convention import DEFAULT, Convention
from solver.game.game_builder import Game, cut_off, plies
from solver.kernel.errors import UsageError
from solver.languages.facts import Amount
from solver.languages.translation import Language, language
from solver.pipeline import DEFAULT_SAMPLING, solve
from solver.search.algorithms.algorithm_registry import ALGORITHMS, natural_algorithm
from solver.search.solution import Sampling, Solution
from solver.story.stage_captions import captions

WIDTHLESS = (".tex", ".txt")
"""Files that are set by others."""
_SLIDES = (".pdf", ".svg", ".png")


@dataclass(frozen=True, slots=True)
class Request:
    ending: str = ".svg"
    """Of the file's name: what kind of picture it is to be."""
    algorithm: str = "auto"
    convention: Convention = DEFAULT
    depth: int | None = None
    sampling: Sampling = DEFAULT_SAMPLING
    language: str = "en"
    show: frozenset[str] | None = None
    """Without it, what such a picture usually shows."""
    blank: bool = False
    stages: str | None = None
    """Numbers such as 3 or 1-5,7; `all`; or None for the finished search."""
    fine: bool = False
    """A stage for every node entered, evaluated or finished, not for every leaf alone."""
    theme: str = "auto"
    """auto follows the reader's own setting where the format can; elsewhere it is light."""
    most_leaves: int | None = MOST_LEAVES
    """More are folded and counted; None draws everything."""
    width: int | None = None
    """CSS pixels that there are across: a tree that needs more is drawn in the narrow layout."""
    scale: float | None = None
    """PNG: pixels of the file for a pixel of the SVG; without it, 2, or less for a very large picture."""

    title: str | None = None
    """Above the picture; without it, a title is only where there is room for one anyway."""
    legend: bool = False
    """What the signs mean, below the picture."""
    size: str | None = None
    """Of pages: a4, letter or slides; without it, stages as PDF are on A4, and all else has the size of the picture."""

    def check(self) -> None:
        """UsageError for what cannot be meant."""
        if self.theme not in THEMES:
            raise UsageError(f"unknown theme {self.theme!r}; choose one of {', '.join(THEMES)}")
        for name in sorted(self.show or ()):
            require_shown(name)
        if self.most_leaves is not None and self.most_leaves < 1:
            raise UsageError(f"at least one leaf must be drawn, not {self.most_leaves:,}")
        if self.width is not None and self.width < LEAST_PICTURE:
            raise UsageError(f"a picture is at least {LEAST_PICTURE} pixels wide, not {self.width:,}")
        if self.width is not None and self.ending in WIDTHLESS:
            raise UsageError(f"a width is for pictures, not for {self.ending}: leave --width out")
        if self.size is not None and self.size not in SIZES:
            raise UsageError(f"unknown size {self.size!r}; choose one of {', '.join(SIZES)}")
        if self.size is not None and self.ending not in (_SLIDES if self.size == "slides" else (".pdf",)):
            raise UsageError(f"{self.size} is a size of {', '.join(_SLIDES if self.size == 'slides' else ('.pdf',))}")
        if self.scale is not None and not (isfinite(self.scale) and self.scale > 0):
            raise UsageError(f"a scale must be a number above 0, not {self.scale}")


@dataclass(frozen=True, slots=True)
class Stage:
    number: int
    """How many leaves have been evaluated, or fine steps taken."""
    total: int
    """Of all that there are."""
    board: Board
    caption: str
    """What happened, and why."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """A file."""

    content: bytes
    number: str = ""
    """Of a stage, to be added to the file's name; empty if there is one file."""


WriteBoard = Callable[[Board, Request], bytes]
WriteStages = Callable[[str, Sequence[Stage], Request], Iterable[Drawing]]


@dataclass(frozen=True, slots=True)
class PictureFormat:
    one: WriteBoard | None
    """None where only the stages of a search can be written."""
    stages: WriteStages
    """From a title and the stages."""
    numbered: bool = False
    """Whether each stage is a file of its own."""


def _files(write: Callable[[str, float, float, Request], bytes]) -> PictureFormat:
    """A file for each picture, from an SVG and its size; of several, each has the number of its stage."""

    def one(board: Board, request: Request) -> bytes:
        return write(*_sized_svg(_picture(board, request), None, request), request)

    def several(_title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
        digits = len(str(stages[-1].number))
        for stage, drawn in zip(stages, _pictures(stages, request), strict=True):
            number = f"{stage.number:0{digits}}" if len(stages) > 1 else ""
            yield Drawing(write(*_sized_svg(drawn, stage, request), request), number)

    return PictureFormat(one, several, numbered=True)


def _sized_svg(drawn: Picture, stage: Stage | None, request: Request) -> tuple[str, float, float]:
    """The SVG of a picture, or of its slide, and how wide and high it is."""
    if _is_slide(request):
        return _slide(drawn, stage, request), ACROSS, DOWN
    return svg(drawn, _theme(request)), drawn.width, drawn.height


def _theme(request: Request) -> str:
    """Only an SVG can follow its reader's setting."""
    return "light" if request.theme == "auto" and request.ending != ".svg" else request.theme


def _is_slide(request: Request) -> bool:
    return request.size == "slides"


def _slide(drawn: Picture, stage: Stage | None, request: Request) -> str:
    count, caption = ("", "") if stage is None else (_counted(stage), stage.caption)
    return slide(drawn, drawn.board.title, count, caption, _theme(request))


def _counted(stage: Stage) -> str:
    return stage.board.language.say("page.stage", number=Amount(stage.number), total=Amount(stage.total))


def _pictures(stages: Sequence[Stage], request: Request) -> list[Picture]:
    boards = [stage.board for stage in stages]
    entries = legend(boards) if request.legend else ()
    return [add_frame(each, _above(request), entries, _proportion(request)) for each in pictures(boards, request.width)]


def _picture(board: Board, request: Request) -> Picture:
    drawn = picture(board, request.width)
    return add_frame(drawn, _above(request), legend([board]) if request.legend else (), _proportion(request))


def _proportion(request: Request) -> float:
    return TREE_ACROSS / TREE_DOWN if _is_slide(request) else 0.0


def _above(request: Request) -> str:
    """The title that is drawn with a picture; pages and slides have one of their own."""
    apart = request.ending == ".html" or request.size is not None or (request.ending == ".pdf" and request.stages)
    return "" if apart else request.title or ""


def _svg(markup: str, _width: float, _height: float, _request: Request) -> bytes:
    return markup.encode()


def _png(markup: str, width: float, height: float, request: Request) -> bytes:
    scale = 1.0 if request.scale is None and _is_slide(request) else request.scale
    return png(markup, width, height, scale)


def _pdf(board: Board, request: Request) -> bytes:
    drawn = _picture(board, request)
    if _is_slide(request):
        return slides_pdf(board.title, [_slide(drawn, None, request)], [board.description])
    if request.size is not None:
        return pages_pdf(board.title, [drawn], [""], [""], request.theme, request.size)
    return pdf(drawn, request.theme)


def _pdf_stages(title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
    """One or two on a page."""
    drawn = _pictures(stages, request)
    if _is_slide(request):
        slides = [_slide(each, stage, request) for each, stage in zip(drawn, stages, strict=True)]
        yield Drawing(slides_pdf(title, slides, [stage.caption for stage in stages]))
    elif len(stages) == 1 and request.size is None:
        yield Drawing(pdf(drawn[0], request.theme))
    else:
        labels, captions = [_counted(stage) for stage in stages], [stage.caption for stage in stages]
        yield Drawing(pages_pdf(title, drawn, labels, captions, request.theme, request.size or "a4"))


def _latex(board: Board, request: Request) -> bytes:
    return latex([board], (), request.title or "", legend([board]) if request.legend else ()).encode()


def _latex_stages(_title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
    boards, captions = [stage.board for stage in stages], [stage.caption for stage in stages]
    yield Drawing(latex(boards, captions, request.title or "", legend(boards) if request.legend else ()).encode())


def _text(board: Board, request: Request) -> bytes:
    return (outline(board) + (outlined_legend(legend([board]), board) if request.legend else "")).encode()


def _text_stages(_title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
    parts = [f"{_counted(stage)}\n{stage.caption}\n\n{outline(stage.board)}" for stage in stages]
    boards = [stage.board for stage in stages]
    meanings = outlined_legend(legend(boards), boards[0]) if request.legend else ""
    yield Drawing(("\n".join(parts) + meanings).encode())


def _page(title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
    captions, numbers = [stage.caption for stage in stages], [stage.number for stage in stages]
    words, total = stages[0].board.language, stages[0].total
    page = stages_page(title, _pictures(stages, request), captions, words, numbers, total, request.theme)
    yield Drawing(page.encode())


ENDINGS = {
    ".svg": _files(_svg),
    ".png": _files(_png),
    ".pdf": PictureFormat(_pdf, _pdf_stages),
    ".tex": PictureFormat(_latex, _latex_stages),
    ".txt": PictureFormat(_text, _text_stages),
    ".html": PictureFormat(None, _page),
}

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
        next(stage_board for _, stage_board in _boards(solution, view, words, [min(stage, count)], solution.title))
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
    texts = captions(solution, words, request.fine)
    named = request.title or solution.title
    boards = _boards(solution, view, words, chosen, named, request.fine)
    stages = [Stage(number, count, stage_board, texts[number]) for number, stage_board in boards]
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
            stage_board = board(solution.tree, view, words, title, solution, moment)
            if len(stage_board.items) * len(chosen) > MOST_DRAWN_NODES:
                message = f"{len(chosen):,} pictures of {len(stage_board.items):,} nodes are too many to draw at once"
                raise UsageError(f"{message}; choose fewer with --stage, or a smaller number of --leaves")
            yield moment.stage, stage_board
        if moment.stage >= chosen[-1]:
            return
