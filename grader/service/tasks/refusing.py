"""Errors of the solver and the grader, as refusals with all their problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from grader.service.work.problems import Refused
from solver.kernel import DocumentError, Problem, Refusal, UsageError, clipped

WRONG = 422


@contextmanager
def refusing(extra: Mapping[str, Any] | None = None, places: bool = True) -> Iterator[None]:
    """`extra` is added to each problem; `places` says whether lines and columns mean anything to whoever reads them."""
    try:
        yield
    except DocumentError as error:
        raise refused(error.problems, error.total, extra, places) from None
    except Refusal as refusal:
        found = {"code": refusal.code, "message": clipped(refusal.message), "hint": clipped(refusal.hint)}
        raise Refused(WRONG, refusal.code, clipped(refusal.message), [{**(extra or {}), **found}]) from None
    except UsageError as error:
        raise wrong_option(str(error)) from None


def refused(
    problems: Sequence[Problem], total: int, extra: Mapping[str, Any] | None = None, places: bool = True
) -> Refused:
    first, more = problems[0], total - 1
    detail = clipped(first.message) + (f", and {more:,} more problem{'' if more == 1 else 's'}" if more else "")
    return Refused(WRONG, first.code, detail, [_problem(each, extra or {}, places) for each in problems], total)


def wrong_option(words: str) -> Refused:
    """An option, or a field beside the documents, that is wrong."""
    return Refused(WRONG, "option", clipped(words))


def _problem(problem: Problem, extra: Mapping[str, Any], places: bool) -> dict[str, Any]:
    where = {"line": problem.place.line, "column": problem.place.column} if places else {}
    said = {"code": problem.code, "message": clipped(problem.message), "hint": clipped(problem.hint)}
    return {**extra, **where, **said}
