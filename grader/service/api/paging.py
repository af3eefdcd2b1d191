"""`?limit=` and `?after=`."""

from __future__ import annotations

from grader.service.api.routing import ApiCall
from grader.service.problems import ServiceProblem
from grader.service.store.paging import Page

USUAL, MOST = 50, 500
LONGEST_KEY = 64


def page(call: ApiCall, number: bool = False) -> Page:
    limit, after = call.query("limit"), call.query("after")
    if limit is not None and not (limit.isascii() and limit.isdigit() and 1 <= int(limit[:9]) <= MOST):
        raise ServiceProblem(422, "parameter", f"limit: a whole number from 1 to {MOST}")
    if after is not None and (
        len(after) > LONGEST_KEY or (number and not (after.isascii() and after.isdigit() and len(after) < 19))
    ):
        raise ServiceProblem(422, "parameter", "after: what `next` of the page before says")
    return Page(int(limit) if limit else USUAL, after)
