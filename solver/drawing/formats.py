"""The kinds of pictures by the ending of the file's name: how one board is written, and how the stages of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from solver.drawing.boards import Board
from solver.drawing.frames import framed
from solver.drawing.latex import latex
from solver.drawing.legend import legend
from solver.drawing.outline import outline, outlined_legend
from solver.drawing.pdf import pages_pdf, pdf, slides_pdf
from solver.drawing.pictures import picture, pictures
from solver.drawing.placed import Picture
from solver.drawing.png import png
from solver.drawing.request import Drawing, Request, Stage
from solver.drawing.slides import ACROSS, DOWN, TREE_ACROSS, TREE_DOWN, slide
from solver.drawing.stages_page import stages_page
from solver.drawing.svg_markup import svg
from solver.languages.facts import Amount

One = Callable[[Board, Request], bytes]
Stages = Callable[[str, Sequence[Stage], Request], Iterable[Drawing]]


@dataclass(frozen=True, slots=True)
class PictureFormat:
    one: One | None
    """None where only the stages of a search can be written."""
    stages: Stages
    """From a title and the stages."""
    numbered: bool = False
    """Whether each stage is a file of its own."""


def _files(write: Callable[[str, float, float, Request], bytes]) -> PictureFormat:
    """A file for each picture, from an SVG and its size; of several, each has the number of its stage."""

    def one(board: Board, request: Request) -> bytes:
        return write(*_made(_picture(board, request), None, request), request)

    def several(_title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
        digits = len(str(stages[-1].number))
        for stage, drawn in zip(stages, _pictures(stages, request), strict=True):
            number = f"{stage.number:0{digits}}" if len(stages) > 1 else ""
            yield Drawing(write(*_made(drawn, stage, request), request), number)

    return PictureFormat(one, several, numbered=True)


def _made(drawn: Picture, stage: Stage | None, request: Request) -> tuple[str, float, float]:
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
    return [framed(each, _above(request), entries, _proportion(request)) for each in pictures(boards, request.width)]


def _picture(board: Board, request: Request) -> Picture:
    drawn = picture(board, request.width)
    return framed(drawn, _above(request), legend([board]) if request.legend else (), _proportion(request))


def _proportion(request: Request) -> float:
    return TREE_ACROSS / TREE_DOWN if _is_slide(request) else 0.0


def _above(request: Request) -> str:
    """The title that is drawn with a picture; pages and slides have one of their own."""
    apart = request.ending == ".html" or request.size is not None or (request.ending == ".pdf" and request.stages)
    return "" if apart else request.title or ""


def _svg(made: str, _width: float, _height: float, _request: Request) -> bytes:
    return made.encode()


def _png(made: str, width: float, height: float, request: Request) -> bytes:
    scale = 1.0 if request.scale is None and _is_slide(request) else request.scale
    return png(made, width, height, scale)


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
