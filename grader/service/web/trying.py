"""Try a tree: written as YAML or as nested lists, it is solved, drawn, explained and stepped through. Nothing is kept:
the tree is in the address, or in the form if it is too long for one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from fastapi import APIRouter, Response

from grader.service import tasks
from grader.service.access.who import Who
from grader.service.web.calls import PageCall
from grader.service.web.pages import page
from grader.service.web.rendering import render
from grader.service.work.problems import Refused

router = APIRouter()
LONGEST_TREE = 4_000
"""Characters of a tree that fit in an address."""
LONGEST_STAGE = 6
LONGEST_OPTION = 400
EXAMPLE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


@page(router, "GET", "/try", who=Who.SOLVERS)
@page(router, "POST", "/try", who=Who.SOLVERS)
async def try_a_tree(call: PageCall) -> Response:
    sent = {**dict(call.request.query_params), **dict(call.form.pairs)}
    tree = sent.get("tree", "")
    chosen = {
        "algorithm": sent.get("algorithm", "auto")[:LONGEST_OPTION],
        "convention": (sent.get("own", "").strip() or sent.get("convention", "aima3"))[:LONGEST_OPTION],
    }
    written = sent.get("stage", "")
    stage = int(written) if written.isascii() and written.isdigit() and len(written) <= LONGEST_STAGE else None
    choices = await call.service.workers.run(tasks.try_choices)
    found: tasks.TreeSolution | None = None
    problems: Sequence[Mapping[str, Any]] = []
    status = 200
    if tree.strip():
        try:
            found = await call.service.workers.run(tasks.try_tree, tree, chosen, call.language, stage)
        except Refused as refused:
            status = refused.status
            # What is wrong with an option is at no line of the tree.
            problems = refused.problems or [{"line": None, "message": refused.detail, "hint": "", "code": refused.code}]
    share = _share(call, tree, chosen) if found is not None and len(tree) <= LONGEST_TREE else ""
    return render(
        call,
        "try.html",
        status,
        tree=tree or ("" if call.request.method == "POST" else EXAMPLE),
        chosen=chosen,
        own="" if chosen["convention"] in choices.conventions else chosen["convention"],
        conventions=choices.conventions,
        algorithms=choices.algorithms,
        found=found,
        problems=problems,
        stage=stage,
        share=share,
        longest=LONGEST_TREE,
    )


def _share(call: PageCall, tree: str, chosen: dict[str, str]) -> str:
    query = urlencode({"tree": tree, **chosen})
    return call.url(f"/try?{query}")
