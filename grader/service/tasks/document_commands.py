"""Documents without any state: checked, solved, analysed, explained, drawn and marked as the command of that
name does; and trees as somebody types them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from grader.intake.document_check import CheckTask
from grader.kernel.option_values import LEVELS
from grader.languages import words_of
from grader.marking.from_data import answer_from, exercise_from
from grader.marking.grader import Grader
from grader.reports.report_formats import report_data
from grader.service.tasks.task_input import (
    SEARCH,
    RequestOptions,
    Spelling,
    document_bytes,
    read_body,
    refused,
    refusing,
)
from grader.service.workers.task_results import message
from grader.service.workers.work_problems import Refused
from solver.analysis import AnalysisRequest
from solver.drawing import THEMES, Request, shown_from
from solver.game import CONVENTIONS
from solver.jobs import (
    AnalyseTask,
    ExplainOptions,
    Result,
    SolveTask,
    attempt,
    draw_source,
    draw_source_figure,
    explain_source,
    given_source,
)
from solver.kernel import UsageError, one_of, parse_number
from solver.languages import LANGUAGES
from solver.render import FORMATS, json_bytes
from solver.search import ALGORITHMS
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
        outcome = attempt(given_source(raw), lambda source: CheckTask().checked(raw, source))
    return ValidDocument(outcome.kind, outcome.id)


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
        asked = AnalysisRequest(names, chance, given.text("transform"), given.whole("digits", 4, most=100))
        return MEDIA_TYPES[format], _output(AnalyseTask(given.convention(), asked, format)(given_source(raw)))


def explain(raw: bytes, options: Mapping[str, str]) -> Explanation:
    """The lines that `plymark explain` prints."""
    with refusing():
        given = RequestOptions(options, [*SEARCH, "detail", "digits", "language"])
        telling = ExplainOptions(
            algorithm=given.algorithm(),
            convention=given.convention(),
            depth=given.depth(),
            sampling=given.sampling(),
            language=given.language(),
            detail=given.one_of("detail", DETAILS, "brief"),
        )
        return Explanation(telling.language, tuple(explain_source(given_source(raw), telling)))


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
        return draw_source(given_source(raw), request)[0].content


def _output(result: Result) -> bytes:
    if result.problems:
        raise refused(result.problems, result.total)
    return result.output


def grade(body: bytes) -> bytes:
    """report/1 as JSON, from `{exercise, answer, language, feedback}`; documents are objects or text."""
    with refusing():
        data = read_body(body, ("exercise", "answer", "language", "feedback"))
        level = _named(data, "feedback", LEVELS) or "full"
        language = _named(data, "language", LANGUAGES)
        exercise_raw, exercise_placed = _document(data, "exercise")
        answer_raw, answer_placed = _document(data, "answer")
    with refusing({"document": "exercise"}, exercise_placed):
        exercise = exercise_from(exercise_raw)
    with refusing({"document": "answer"}, answer_placed):
        answer = answer_from(answer_raw, exercise)
        report = Grader(exercise).grade(answer)
        return json_bytes(report_data(report, level, words_of(language or answer.language or exercise.language)))


def _document(data: dict[str, Any], name: str) -> tuple[bytes, bool]:
    if name not in data:
        raise UsageError(f"the field {name!r} is missing")
    return document_bytes(data[name])


def _named(data: dict[str, Any], name: str, names: Iterable[str]) -> str | None:
    written = data.get(name)
    if written is not None and (not isinstance(written, str) or isinstance(written, Spelling)):
        raise UsageError(f"{name} must be one of {', '.join(names)}")
    return None if written is None else one_of(name, written, names)


_BEFORE, _AFTER = "tree: ", "\nplymark: game/1\n"
_SEARCH = ("algorithm", "convention", "depth")


@message
class TreeSolution:
    """What the commands solve and explain say of a tree, and its picture for a page, finished or at a stage."""

    text: str
    sentences: tuple[str, ...]
    figure: str
    stages: int


@message
class SearchChoices:
    algorithms: tuple[str, ...]
    conventions: tuple[str, ...]


def is_nested(text: str) -> bool:
    return text.lstrip().startswith("[")


def tree_bytes(text: str) -> bytes:
    """game/1; nested lists stand on the first line after a key."""
    document = f"{_BEFORE}{text}{_AFTER}" if is_nested(text) else text
    return document.encode("utf-8", "surrogatepass")


def try_tree(text: str, options: Mapping[str, str], language: str, stage: int | None) -> TreeSolution:
    """Problems are at lines and columns of what was typed."""
    raw = tree_bytes(text)
    search = {name: value for name, value in options.items() if name in _SEARCH and value}
    try:
        solved = solve(raw, {**search, "format": "text"})[1].decode("utf-8")
        explanation = explain(raw, {**search, "language": language})
    except Refused as refused:
        raise (_moved(refused, text) if is_nested(text) else refused) from None
    picture, stages = _figure(raw, search, language, stage)
    return TreeSolution(solved, explanation.sentences, picture, stages)


def try_choices() -> SearchChoices:
    """What can be chosen beside a tree."""
    return SearchChoices(("auto", *ALGORITHMS), tuple(CONVENTIONS))


def _figure(raw: bytes, search: Mapping[str, str], language: str, stage: int | None) -> tuple[str, int]:
    with refusing():
        given = RequestOptions(search, _SEARCH)
        request = Request(
            algorithm=given.algorithm(),
            convention=given.convention(),
            depth=given.depth(),
            language=language,
        )
        return draw_source_figure(given_source(raw), request, stage)


def _moved(refused: Refused, text: str) -> Refused:
    """Problems at places of what was typed: without the key before its first line, and the lines after its last."""
    problems = [_placed(each, text) for each in refused.problems]
    return Refused(refused.status, refused.code, refused.detail, problems)


def _placed(problem: Mapping[str, Any], text: str) -> dict[str, Any]:
    lines = text.splitlines() or [""]
    line, column = problem.get("line", 1), problem.get("column", 1)
    if line > len(lines):
        line, column = len(lines), len(lines[-1]) + 1
    elif line == 1:
        column = max(1, column - len(_BEFORE))
    return {**problem, "line": line, "column": column}
