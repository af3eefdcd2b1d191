"""A document without any state: checked, solved, analysed, explained, drawn; each as the command of that name does."""

from __future__ import annotations

from collections.abc import Mapping

from grader.intake.checking import CheckTask
from grader.service.tasks.options import SEARCH, RequestOptions
from grader.service.tasks.refusing import refused, refusing
from grader.service.work.messages import message
from solver.analysis import Asked
from solver.drawing import THEMES, Request, shown_from
from solver.jobs import AnalyseTask, Result, SolveTask, Telling, attempt, drawings, explained, given_source
from solver.kernel import UsageError, parse_number
from solver.render import FORMATS
from solver.story import DETAILS

MEDIA_TYPES = {"json": "application/json", "text": "text/plain; charset=utf-8", "yaml": "application/yaml"}


@message
class ValidDocument:
    kind: str
    id: str | None
    """None for kinds that have none."""


@message
class Explanation:
    language: str
    sentences: tuple[str, ...]


def check(raw: bytes) -> ValidDocument:
    with refusing():
        found = attempt(given_source(raw), lambda source: CheckTask().checked(raw, source))
    return ValidDocument(found.kind, found.id)


def solve(raw: bytes, options: Mapping[str, str]) -> tuple[str, bytes]:
    """The media type, and what `plymark solve` prints."""
    with refusing():
        given = RequestOptions(options, [*SEARCH, "digits", "format"])
        format = given.one_of("format", FORMATS, "json")
        task = SolveTask(given.algorithm(), given.convention(), given.depth(), given.sampling(), format)
        return MEDIA_TYPES[format], _output(task(given_source(raw)))


def analyse(raw: bytes, options: Mapping[str, str]) -> tuple[str, bytes]:
    """The media type, and what `plymark analyse` prints."""
    with refusing():
        given = RequestOptions(options, ["convention", "digits", "errs", "format", "pruned", "transform"])
        format = given.one_of("format", MEDIA_TYPES, "json")
        errs, pruned = given.text("errs"), given.text("pruned")
        chance = None if errs is None else parse_number(errs)
        if errs is not None and (chance is None or not 0 <= chance <= 1):
            raise UsageError(f"errs is a probability from 0 to 1, not {errs[:40]!r}")
        names = None if pruned is None else [name.strip() for name in pruned.split(",") if name.strip()]
        asked = Asked(names, chance, given.text("transform"), given.whole("digits", 4, most=100))
        return MEDIA_TYPES[format], _output(AnalyseTask(given.convention(), asked, format)(given_source(raw)))


def explain(raw: bytes, options: Mapping[str, str]) -> Explanation:
    """The lines that `plymark explain` prints."""
    with refusing():
        given = RequestOptions(options, [*SEARCH, "detail", "digits", "language"])
        telling = Telling(
            algorithm=given.algorithm(),
            convention=given.convention(),
            depth=given.depth(),
            sampling=given.sampling(),
            language=given.language(),
            detail=given.one_of("detail", DETAILS, "brief"),
        )
        return Explanation(telling.language, tuple(explained(given_source(raw), telling)))


def draw(raw: bytes, options: Mapping[str, str]) -> bytes:
    """The SVG that `plymark draw` writes: one picture, so one stage at most."""
    with refusing():
        given = RequestOptions(options, [*SEARCH, "blank", "language", "leaves", "show", "stage", "theme"])
        stage, leaves = given.whole("stage", None), given.whole("leaves", None)
        request = Request(
            ending=".svg",
            algorithm=given.algorithm(),
            convention=given.convention(),
            depth=given.depth(),
            sampling=given.sampling(),
            language=given.language(),
            show=shown_from(given.text("show")),
            blank=given.flag("blank"),
            stages=None if stage is None else str(stage),
            theme=given.one_of("theme", THEMES, "auto"),
            most_leaves=Request().most_leaves if leaves is None else leaves or None,
        )
        return drawings(given_source(raw), request)[0].content


def _output(result: Result) -> bytes:
    if result.problems:
        raise refused(result.problems, result.total)
    return result.output
