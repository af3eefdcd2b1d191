"""A tree as somebody types it: a document, or nested lists alone; solved, drawn and told, at any stage."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader.service.tasks.options import RequestOptions
from grader.service.tasks.refusing import refusing
from grader.service.tasks.solving import explain, solve
from grader.service.work.messages import message
from grader.service.work.problems import Refused
from solver.drawing import Request
from solver.game import CONVENTIONS
from solver.jobs import drawn_figure, given_source
from solver.search import ALGORITHMS

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
        return drawn_figure(given_source(raw), request, stage)


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
