"""The kinds of pictures by the ending of the file's name: how one board is written, and how the stages of a search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from solver.drawing.boards import Board
from solver.drawing.latex import latex
from solver.drawing.lettering import letters
from solver.drawing.outline import outline
from solver.drawing.pdf import figure_pdf, pdf
from solver.drawing.pictures import picture, pictures
from solver.drawing.placed import Picture
from solver.drawing.png import png
from solver.drawing.request import Drawing, Request, Stage
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


def _files(write: Callable[[Picture, Request], bytes]) -> PictureFormat:
    """A file for each picture; of several, each has the number of its stage."""

    def one(board: Board, request: Request) -> bytes:
        return write(picture(board, request.width), request)

    def several(title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
        digits = len(str(stages[-1].number))
        for stage, drawn in zip(stages, _pictures(stages, request), strict=True):
            number = f"{stage.number:0{digits}}" if len(stages) > 1 else ""
            yield Drawing(write(drawn, request), number)

    return PictureFormat(one, several)


def _pictures(stages: Sequence[Stage], request: Request) -> list[Picture]:
    return pictures([stage.board for stage in stages], request.width)


def _svg(drawn: Picture, request: Request) -> bytes:
    return svg(drawn, request.theme).encode()


def _png(drawn: Picture, request: Request) -> bytes:
    return png(drawn, request.theme, request.scale)


def _pdf(board: Board, request: Request) -> bytes:
    return pdf(picture(board, request.width), request.theme)


def _pdf_stages(title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
    """One page, like Figure 5.5 in the book."""
    if len(stages) == 1:
        yield Drawing(_pdf(stages[0].board, request))
        return
    captions = [stage.caption for stage in stages]
    labels, words = letters(len(stages)), stages[0].board.language
    yield Drawing(figure_pdf(title, _pictures(stages, request), labels, captions, words, request.theme))


def _latex(board: Board, request: Request) -> bytes:
    return latex([board]).encode()


def _latex_stages(title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
    yield Drawing(latex([stage.board for stage in stages], [stage.caption for stage in stages]).encode())


def _text(board: Board, request: Request) -> bytes:
    return outline(board).encode()


def _text_stages(title: str, stages: Sequence[Stage], request: Request) -> Iterator[Drawing]:
    say = stages[0].board.language.say
    parts: list[str] = []
    for stage in stages:
        heading = say("page.stage", number=Amount(stage.number), total=Amount(stage.total))
        parts.append(f"{heading}\n{stage.caption}\n\n{outline(stage.board)}")
    yield Drawing("\n".join(parts).encode())


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
