"""Every question type on every game that can answer it, by every algorithm that it takes: nothing crashes, a perfect
answer gets full marks, a blank one and nonsense get nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_bytes
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.marking.report import LEVELS
from grader.marking.verify import verified
from grader.questions.claims import CLAIMS
from grader.questions.exercise import Exercise
from grader.questions.registry import ASKS
from grader.reports.report_formats import report_data
from solver.kernel import DocumentError
from solver.pipeline import load
from tests.support.marks import mostly_slow
from tests.support.paths import ROOT

SPECS = sorted((ROOT / "specs").iterdir())
WAYS: dict[str, list[dict[str, Any]]] = {
    "values": [{}, {"of": "search"}, {"of": "minimax"}],
    "windows": [{"at": "entry"}, {"at": "exit"}, {"at": "all"}],
    "visited": [{"what": "leaves"}, {"what": "nodes"}],
    "count": [{"what": "evaluated"}, {"what": "visited"}],
    "fewest": [{"what": "fewest"}, {"what": "most"}],
    "reorder": [{"goal": "most"}, {"goal": "least"}],
    "depths": [{"depths": [1]}],
    "opponent": [{"errs": "1/10"}, {"errs": "threshold"}],
    "transform": [{"by": "2*v + 3"}, {"by": "-v"}],
    "choice": [{"claim": claim} for claim in list(CLAIMS)[:4]],
}
NONSENSE = ["", "-", "none", "zz", "∞", "<= 3", ["zz"], {"A": "zz"}, {"zz": "1"}, [[[]]], "1e9", "L1, L2", "yes"]
WORDS = words_of("en")


def ways(spec: Path, ask: str) -> list[dict[str, Any]]:
    tree = load(spec).tree
    if ask in ("range", "assign") and tree.unknowns:
        unknown, move = tree.unknowns[0], str(tree.move[tree.children[0][0]])
        leaf = str(tree.ids[tree.leaves[-1]])
        conditions: list[dict[str, Any]] = [{"move": move}, {"pruned": leaf}, {"value": 3}]
        if ask == "range":
            return [{"unknown": unknown, "when": when} for when in conditions]
        return [{"goal": goal} for goal in (*conditions, "most")]
    return WAYS.get(ask, [{}])


def exercises(spec: Path, ask: str) -> list[Exercise]:
    found = []
    for way in ways(spec, ask):
        for algorithm in (None, *(ASKS[ask].algorithms or ())):
            question = {"id": "q", "ask": ask, "marks": 6, **way, **({"algorithm": algorithm} if algorithm else {})}
            data = {"plymark": "exercise/1", "id": "e", "game": str(spec), "questions": [question]}
            try:
                found.append(verified(load_exercise_bytes(json.dumps(data).encode(), "e.json", base=spec.parent)))
            except DocumentError:
                continue
    return found


@pytest.mark.parametrize("spec", mostly_slow(SPECS, 4), ids=lambda path: path.stem)
def test_every_question(spec: Path) -> None:
    asked = 0
    for ask in ASKS:
        for exercise in exercises(spec, ask):
            grader, (question,) = Grader(exercise), exercise.questions
            perfect = ASKS[ask].perfect(grader.declared.of(question))
            answers = [{"q": perfect}, {}, *({"q": text} for text in NONSENSE)]
            reports = [grader.grade(Answer("e", "s", given)) for given in answers]
            assert reports[0].marks == exercise.out_of, (ask, question.parameters, question.algorithm, perfect)
            assert reports[1].marks == 0, (ask, question.parameters)
            assert all(0 <= report.marks <= exercise.out_of for report in reports)
            for level in LEVELS:
                assert report_data(reports[0], level, WORDS)["marks"] == 6
                assert report_data(reports[-1], level, WORDS)["plymark"] == "report/1"
            asked += 1
    assert asked > 2
