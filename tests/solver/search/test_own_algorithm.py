"""An algorithm is one file: two that exist only here are solved by, drawn, explained, asked about, marked and exported.

One only compares values, and brings no sentence of its own; the other prunes, and so has windows, cuts and stages.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from grader import Answer, Grader, export, load_exercise, load_exercise_bytes, paper, report_data
from grader.intake.document_check import CheckTask
from grader.languages import words_of
from grader.marking.report import LEVELS
from grader.marking.verify import verified
from grader.questions.registry import ASKS
from solver.documents.document_schemas import KINDS, conforms, schema
from solver.drawing import Request, draw
from solver.game.convention import Convention
from solver.game.game_tree import MAX, MINIMAX_TREES, Tree
from solver.jobs import SolveTask, sources
from solver.kernel import DocumentError
from solver.languages.codes import LANGUAGES
from solver.languages.translation import language
from solver.pipeline import load_bytes, solve
from solver.render import FORMATS
from solver.search import ALGORITHMS, Algorithm, Sampling, Solution, run_alpha_beta
from solver.story import explanation

GAME = b"plymark: game/1\ntitle: Two plies\ntree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]\n"


def negamax(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    """The value for whoever moves is the largest of what the children are worth to their own movers, negated."""
    own: list[Any] = list(tree.leaf)
    sign = [1 if turn == MAX else -1 for turn in tree.turn]
    for node in tree.bottom_up():
        own[node] = sign[node] * max(sign[node] * own[child] for child in tree.children[node])
    return Solution(tree, NEGAMAX.name, convention, own)


def hasty(tree: Tree, convention: Convention, _: Sampling) -> Solution:
    """Alpha-beta that moves its bounds before it tests them, whatever the convention says of that."""
    search = run_alpha_beta(tree, replace(convention, update="before-test"))
    return Solution(tree, HASTY.name, convention, search.scale.values(search.true), search)


NEGAMAX = Algorithm("negamax", MINIMAX_TREES, negamax)
HASTY = Algorithm("hasty", MINIMAX_TREES, hasty, prunes=True, opening="open.alpha-beta")
OWN = [NEGAMAX, HASTY]


@pytest.fixture(params=OWN, ids=lambda algorithm: algorithm.name)
def own(request: pytest.FixtureRequest) -> Iterator[Algorithm]:
    algorithm: Algorithm = request.param
    ALGORITHMS.register(algorithm)
    yield algorithm
    ALGORITHMS.unregister(algorithm.name)


def exercise_text(algorithm: str, language: str = "en") -> bytes:
    questions = [
        {"id": "values", "ask": "values", "marks": 4, "algorithm": algorithm},
        {"id": "move", "ask": "move", "marks": 1, "algorithm": algorithm},
        {"id": "line", "ask": "line", "marks": 1, "algorithm": algorithm},
    ]
    if ALGORITHMS[algorithm].prunes:
        questions += [
            {"id": "pruned", "ask": "pruned", "marks": 2, "algorithm": algorithm},
            {"id": "windows", "ask": "windows", "marks": 4, "algorithm": algorithm},
        ]
    head = {"plymark": "exercise/1", "id": "own", "language": language}
    return json.dumps(head | {"game": {"tree": [[3, 12, 8], [2, 4, 6], [14, 5, 2]]}, "questions": questions}).encode()


def test_schemas_list_the_registered_algorithms() -> None:
    """And no others: in each kind of document that names one."""
    listing = []
    for kind in KINDS:
        waiting: list[Any] = [schema(kind)]
        while waiting:
            part = waiting.pop()
            if isinstance(part, dict):
                enum = part.get("properties", {}).get("algorithm", {}).get("enum")
                if enum is not None:
                    listing.append(kind)
                    assert [name for name in enum if name != "auto"] == list(ALGORITHMS), kind
            waiting.extend(part.values() if isinstance(part, dict) else part if isinstance(part, list) else ())
    assert set(listing) >= {"exercise/1", "recipe/1", "solution/1"}


def test_every_listed_algorithm_says_its_own_name() -> None:
    assert [ALGORITHMS[name].name for name in ALGORITHMS] == list(ALGORITHMS)


def test_solve(own: Algorithm, tmp_path: Any) -> None:
    game = load_bytes(GAME)
    solution = solve(game, own.name)
    assert solution.value == 3
    assert solution.move == "a1"
    for name, form in FORMATS.items():
        written = form.write(game, solution, "", False)
        assert own.name in written.decode()
        if name != "text":
            assert not CheckTask()(_file(tmp_path, f"solution.{name}", written)).problems
    file = _file(tmp_path, "game.yaml", GAME)
    assert SolveTask(own.name, format="yaml")(file).output == FORMATS["yaml"].write(game, solution, "", False)


def _file(folder: Any, name: str, content: bytes) -> Any:
    (folder / name).write_bytes(content)
    (found,) = sources([str(folder / name)])
    return found


@pytest.mark.parametrize("ending", [".svg", ".tex", ".txt", ".html"])
def test_draw(own: Algorithm, ending: str) -> None:
    game = load_bytes(GAME)
    for stages in (None, "all"):
        assert all(drawing.content for drawing in draw(game, Request(ending, own.name, stages=stages)))
    if ending != ".html":
        assert draw(game, Request(ending, own.name, blank=True))[0].content


@pytest.mark.parametrize("code", LANGUAGES)
def test_explain(own: Algorithm, code: str) -> None:
    game = load_bytes(GAME)
    for detail in ("brief", "full"):
        told = "\n".join(explanation(game, solve(game, own.name), language(code), detail))
        assert "3" in told or "۳" in told
        assert (own.name in told) is not bool(own.opening)


@pytest.mark.parametrize("code", LANGUAGES)
def test_exercise_and_export(own: Algorithm, code: str, tmp_path: Any) -> None:
    file = _file(tmp_path, "exercise.json", exercise_text(own.name, code))
    result = CheckTask()(file)
    assert b"valid exercise/1" in result.output, result.problems
    exercise = verified(load_exercise(file.name))
    grader = Grader(exercise)
    key = {each.id: ASKS[each.ask].perfect(grader.declared.of(each)) for each in exercise.questions}
    report = grader.grade(Answer("own", "s", key))
    assert report.marks == exercise.out_of
    assert grader.grade(Answer("own", "s", {})).marks == 0
    assert conforms("report/1", json.loads(json.dumps(report_data(report, LEVELS[-1], words_of(code)), default=str)))
    for to in ("moodle", "canvas", "prairielearn"):
        assert export([exercise], to).content
    for kind in ("sheet", "key", "solution"):
        for to in ("latex", "html"):
            (page,) = paper([exercise], kind, code, to).values()
            assert own.name in page.decode() or not own.prunes


def test_unregistered_again() -> None:
    """What no test registers is as unknown as before."""
    assert not {each.name for each in OWN} & set(ALGORITHMS)
    with pytest.raises(DocumentError):
        load_exercise_bytes(exercise_text("minimax").replace(b'"minimax"', b'"negamax"'))


def test_a_name_is_taken_once() -> None:
    with pytest.raises(ValueError, match="there is an algorithm minimax already"):
        ALGORITHMS.register(replace(NEGAMAX, name="minimax"))
    with pytest.raises(ValueError, match="minimax was not registered"):
        ALGORITHMS.unregister("minimax")
