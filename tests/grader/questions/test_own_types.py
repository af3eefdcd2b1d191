"""A type of question is one file: two that exist only here go everywhere that a type of question goes."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from grader import (
    Answer,
    ClassSummary,
    Exercise,
    ExportOptions,
    Grader,
    class_summary,
    export,
    generate,
    load_exercise,
    load_exercise_bytes,
    load_recipe_bytes,
    paper,
    report_data,
    words_of,
)
from grader.delivery.papers.paper_registry import FORMATS as PAPERS
from grader.delivery.systems.system_registry import EXPORTERS
from grader.intake.document_check import CheckTask
from grader.marking.report import LEVELS
from grader.questions.ask import Ask
from grader.questions.registry import ASKS, register, unregister
from grader.reports.output_options import OutputOptions
from grader.reports.report_outputs import CLASS_OUTPUTS, OUTPUTS
from solver.documents.document_schemas import conforms, schema
from solver.jobs import named_source
from solver.kernel import DocumentError
from solver.languages import LANGUAGES
from tests.grader.questions.own import heights, outcomes
from tests.support.paths import ROOT

OWN = (heights.ASK, outcomes.ASK)
DATA: dict[str, Any] = {
    "plymark": "exercise/1",
    "id": "own",
    "game": {"tree": [[3, 12, 8], [2, [4, 1], 6], [14, 5, 2]]},
    "questions": [{"id": "h", "ask": "heights", "marks": 4}, {"id": "o", "ask": "outcomes", "marks": 2}],
}
RECIPE = b"""
plymark: recipe/1
id: own
shape: {levels: [{turn: max, children: 2}, {turn: min, children: 3}]}
leaves: {range: [-9, 9]}
questions:
  - {id: h, ask: heights, marks: 4}
  - {id: o, ask: outcomes, marks: 2}
"""


@pytest.fixture(autouse=True)
def own_types() -> Iterator[None]:
    for ask in OWN:
        register(ask)
    yield
    for ask in OWN:
        unregister(ask)


@pytest.fixture
def exercise(tmp_path: Path) -> Exercise:
    file = tmp_path / "own.json"
    file.write_text(json.dumps(DATA), encoding="utf-8")
    return load_exercise(file)


def perfect(grader: Grader) -> dict[str, Any]:
    return {question.id: ASKS[question.ask].perfect(question) for question in grader.declared.questions}


def test_check(exercise: Exercise) -> None:
    result = CheckTask()(named_source(exercise.source))
    assert b"valid exercise/1" in result.output and not result.problems
    assert [question.ask for question in exercise.questions] == ["heights", "outcomes"]


def test_a_parameter_that_it_does_not_take_is_refused() -> None:
    spoilt = json.dumps({**DATA, "questions": [{"id": "h", "ask": "heights", "marks": 4, "nodes": ["L1"]}]})
    with pytest.raises(DocumentError, match="heights is asked of inner nodes; L1 is a leaf"):
        load_exercise_bytes(spoilt.encode(), "own.json")


def test_a_type_that_is_not_registered_is_refused() -> None:
    unregister(heights.ASK)
    try:
        with pytest.raises(DocumentError):
            load_exercise_bytes(json.dumps(DATA).encode(), "own.json")
    finally:
        register(heights.ASK)


def test_marks_and_follow_through(exercise: Exercise) -> None:
    grader = Grader(exercise)
    assert grader.grade(Answer("own", "s", perfect(grader))).marks == exercise.out_of
    assert grader.grade(Answer("own", "s", {})).marks == 0
    # E is the node inside C. Its height is 1; C then has 2 and A 3, or, from a wrong 4 at E, 5 and 6.
    slip = {"A": "6", "B": "1", "C": "5", "D": "1", "E": "4"}
    marked = grader.grade(Answer("own", "s", {"h": slip, "o": "L1, L2"}))
    verdicts = {item.item.name: item.verdict for question in marked.questions() for item in question.items}
    assert verdicts == {
        "A": "follow-through",
        "B": "right",
        "C": "follow-through",
        "D": "right",
        "E": "wrong",
        "outcomes": "wrong",
    }


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("level", LEVELS)
def test_reports(exercise: Exercise, code: str, level: str) -> None:
    grader, words = Grader(exercise), words_of(code)
    for answers in (perfect(grader), {"h": {"A": "7", "B": "x"}}, {}):
        report = grader.grade(Answer("own", "s", answers))
        assert conforms("report/1", json.loads(json.dumps(report_data(report, level, words), default=str)))
        for output in OUTPUTS.values():
            assert b"".join(output.write([report], OutputOptions(words, level=level)))


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_class_page(exercise: Exercise, code: str) -> None:
    grader = Grader(exercise)
    reports = [grader.grade(Answer("own", name, given)) for name, given in (("a", perfect(grader)), ("b", {}))]
    found: ClassSummary = class_summary(exercise, reports)
    for write in CLASS_OUTPUTS.values():
        assert write(found, OutputOptions(words_of(code)))


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("to", [name for name in EXPORTERS if name != "gradescope"])
def test_learning_systems(exercise: Exercise, to: str, code: str) -> None:
    made = export([exercise], to, ExportOptions(language=code))
    assert made.content and not made.left_out and not made.is_empty


@pytest.mark.slow
def test_gradescope(exercise: Exercise, tmp_path: Path) -> None:
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "six-1.16.0-py2.py3-none-any.whl").write_bytes(b"")
    assert export([exercise], "gradescope", ExportOptions(wheels=wheels)).content


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("to", PAPERS)
@pytest.mark.parametrize("kind", ["sheet", "key", "solution"])
def test_papers(exercise: Exercise, kind: str, to: str, code: str) -> None:
    assert all(paper([exercise], kind, code, to).values())


def test_recipes() -> None:
    for made in generate(load_recipe_bytes(RECIPE, "own.yaml"), 2, seed=3):
        exercise = load_exercise_bytes(made.document)
        grader = Grader(exercise)
        assert [question.ask for question in exercise.questions] == ["heights", "outcomes"]
        assert grader.grade(Answer(exercise.id, "s", perfect(grader))).marks == exercise.out_of


# What holds for every type.


def test_schemas_list_the_types() -> None:
    """The tests' own have been added to each list."""
    for kind in ("exercise/1", "recipe/1", "report/1"):
        assert schema(kind)["$defs"]["question"]["properties"]["ask"]["enum"] == list(ASKS), kind


OTHER_WORDS = {
    "grader/answers/__init__.py": "names of functions that read",
    "grader/cli/generate.py": "measures of variants",
    "grader/delivery/papers/paper_figures.py": "layers of a picture",
    "grader/delivery/systems/answer_boxes.py": "kinds of boxes",
    "grader/delivery/systems/prairielearn_server.py": "kinds of boxes",
    "grader/delivery/exercise_wording.py": "fields of a board",
    "grader/documents/question_fields.py": "keys of conditions, and kinds of parameters",
    "grader/generating/generation.py": "keys of a recipe",
    "grader/generating/requirement_distance.py": "requirements of recipes",
    "grader/generating/recipe_proofs.py": "requirements of recipes",
    "grader/generating/recipe_file.py": "keys of a recipe",
    "grader/generating/recipe_parts.py": "requirements of recipes",
    "grader/generating/exercise_template.py": "keys of a game and of conditions",
    "grader/generating/quality_card.py": "fields of a card",
    "grader/generating/variant_overview.py": "measures of variants",
    "grader/mistakes/ucb.py": "a family of mistakes",
    "grader/mistakes/vectors.py": "a family of mistakes",
    "grader/cli/check.py": "where a problem is",
    "grader/feedback/own_tree.py": "the state of a node in a picture",
    "grader/feedback/zips.py": "a kind of activity in Moodle",
    "grader/reports/feedback_sentences.py": "a number in a sentence",
    "grader/service/http/json_bodies.py": "where a problem is",
    "grader/service/features/documents/api.py": "options of commands",
    "grader/service/features/exercises/api.py": "an option of a command",
    "grader/service/features/review/api.py": "how many answers are equal",
    "grader/service/features/exercises/pages.py": "an option of a command",
    "grader/service/run/demo.py": "answers to the demonstration's exercise",
    "grader/service/base/service_problems.py": "where a problem is",
    "grader/service/features/jobs/queries.py": "an option of a command",
    "grader/service/features/jobs/job_runner.py": "an option of a command",
    "grader/service/store/store_backup.py": "the name of a file",
    "grader/service/features/review/queries.py": "how many answers are equal",
    "grader/service/tasks/document_preview.py": "keys of documents, measures of an exercise, and where a problem is",
    "grader/service/tasks/practice_exercises.py": "what is asked about somebody's own tree",
    "grader/service/tasks/task_input.py": "where a problem is",
    "grader/service/tasks/document_commands.py": "options of commands, where a problem is",
    "grader/service/http/answer_sheet.py": "kinds of boxes, and keys of a node",
    "grader/service/http/page_texts.py": "how many, in a sentence",
    "grader/service/features/practice/pages.py": "where a problem is",
    "grader/service/tasks/tree_edits.py": "a key of a node",
    "grader/service/tasks/tree_source.py": "a key of a node",
    "grader/service/features/writing/pages.py": "how many variants",
    "grader/practice/ready_exercises.py": "opponent is a topic",
}
"""Modules outside `questions/` in which the name of a type also means something else, and what."""


def test_nothing_outside_questions_knows_a_type() -> None:
    """No literal equal to a type's name, no class of a type, and no comparison of a question's `ask`."""
    classes = {type(ask).__name__ for ask in ASKS.values()}
    named = set()
    for file in sorted((ROOT / "grader").rglob("*.py")):
        path = file.relative_to(ROOT).as_posix()
        if path.startswith("grader/questions/"):
            continue
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value in ASKS:
                named.add(path)
            if isinstance(node, ast.Compare | ast.Match):
                subject = node.left if isinstance(node, ast.Compare) else node.subject
                asked = isinstance(subject, ast.Attribute) and subject.attr == "ask"
                assert not asked, f"{path}:{node.lineno} branches on the type of a question"
            if isinstance(node, ast.ImportFrom) and str(node.module).startswith("grader.questions"):
                assert not classes & {alias.name for alias in node.names}, f"{path}:{node.lineno} imports a type"
    assert named == set(OTHER_WORDS)


@pytest.mark.parametrize("ask", [ask for ask in ASKS.values() if ask not in OWN], ids=lambda ask: ask.name)
def test_a_type_declares_itself(ask: Ask) -> None:
    keys = [parameter.key for parameter in ask.parameters]
    assert len(set(keys)) == len(keys)
    assert set(ask.takes) <= {"nodes", "depth"}
    assert f"\n| `{ask.name}`" in (ROOT / "docs" / "exercise.md").read_text("utf-8")
