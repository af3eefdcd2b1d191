"""docs/claims.md: every claim, with the very words that students read, and when it is true."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import assume, given

from grader.documents.exercise_file import load_exercise_data
from grader.languages import words_of
from grader.questions.answer_key import AnswerKey
from grader.questions.claims import CLAIMS, judge, statement, why_not
from solver.kernel import DocumentError
from tests.support.paths import ROOT
from tests.support.strategies import minimax_trees, nested

PAGE = (ROOT / "docs" / "claims.md").read_text("utf-8")
ROWS = {row[0]: row[1:] for row in re.findall(r"^\| `([a-z-]+)` \| (.+?) \| (.+?) \| (.+?) \|$", PAGE, re.MULTILINE)}


def test_the_page_lists_every_claim_with_its_words() -> None:
    words = words_of("en")
    assert {claim: row[0] for claim, row in ROWS.items()} == {claim: words.tell(statement(claim)) for claim in CLAIMS}
    assert list(ROWS) == list(CLAIMS)


@given(minimax_trees())
def test_what_is_always_or_never_true_is(tree: Any) -> None:
    data = {
        "plymark": "exercise/1",
        "id": "any",
        "game": {"tree": nested(tree)},
        "questions": [{"id": "m", "ask": "choice", "claim": "value-is-a-leaf", "marks": 1}],
    }
    try:
        key = AnswerKey(load_exercise_data(data))
    except DocumentError:
        assume(False)
        return
    for claim, (_, _, when) in ROWS.items():
        if why_not(claim, key) is None:
            assert not when.startswith("never") or not judge(claim, key).truth, claim
            assert "always" not in when or judge(claim, key).truth, claim


@pytest.mark.parametrize(("wrong", "near"), [("prune-here", "prunes-here"), ("uniqe-best-move", "unique-best-move")])
def test_an_unknown_claim_leads_to_the_nearest_and_to_the_page(wrong: str, near: str) -> None:
    data = {
        "plymark": "exercise/1",
        "id": "any",
        "game": {"tree": [[3, 12], [2, 4]]},
        "questions": [{"id": "m", "ask": "choice", "claim": wrong, "marks": 1}],
    }
    with pytest.raises(DocumentError) as caught:
        load_exercise_data(data)
    (problem,) = caught.value.problems
    assert f"did you mean {near}?" in problem.message and "docs/claims.md" in problem.message
    assert "…" not in problem.message
