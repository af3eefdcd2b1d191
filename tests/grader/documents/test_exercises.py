"""Exercises, answers and reports as documents: what is read from them, and every problem at its place.

A case of `bad_exercises/<code>/` is a document and, in the same name plus `.expected`, what `plymark check` says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from grader.cli.command_outcome import report_problems
from grader.documents.answer_file import load_answer_bytes, require_answer_to
from grader.documents.exercise_file import exercise_from_data, load_exercise, load_exercise_bytes, load_exercise_data
from grader.intake.document_check import CheckTask
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise, Policy, Question, Rubric
from grader.questions.registry import ASKS
from solver.analysis.horizon_effect import horizon
from solver.analysis.leaf_transformations import read_formula, transform_compared
from solver.analysis.move_ordering import order_with_fewest
from solver.analysis.opponent_model import against_mistakes
from solver.analysis.tree_shape import accept, prunable
from solver.analysis.unknowns import one_unknown
from solver.documents.document_schemas import conforms, schema
from solver.game import CONVENTIONS, Convention, Game, Node
from solver.game.convention import DEFAULT
from solver.jobs import sources
from solver.kernel import DocumentError, Limits, Refusal
from solver.kernel.errors import CODES, EXERCISE_CODES
from solver.pipeline import check_bytes, load, load_bytes
from solver.search.algorithms.mcts import choice_at
from tests.support.paths import ROOT

BAD = ROOT / "tests" / "bad_exercises"
CASES = sorted(path for path in BAD.rglob("*") if path.suffix in (".yaml", ".json"))
EXERCISES = sorted((ROOT / "exercises").glob("*.yaml"))
ANSWERS = sorted((ROOT / "exercises" / "answers").glob("*.yaml"))
SPECS = sorted((ROOT / "specs").iterdir())

HEAD = "plymark: exercise/1\nid: e\n"
TWO_PLY = "game: {tree: [[3, 12, 8], [2, 4, 6], [14, 5, 2]]}\n"


def exercise_of(*questions: str, game: str = TWO_PLY, rest: str = "") -> Exercise:
    listed = "".join(f"  - {question}\n" for question in questions)
    return load_exercise_bytes(f"{HEAD}{game}{rest}questions:\n{listed}".encode())


def question_of(text: str, game: str = TWO_PLY) -> Question:
    return exercise_of(text, game=game).questions[0]


def problems_of(load: Callable[..., object], *arguments: Any) -> list[str]:
    with pytest.raises(DocumentError) as caught:
        load(*arguments)
    return [str(problem) for problem in caught.value.problems]


# Every problem is told.


def said_about(case: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(case.parent)
    (source,) = sources([case.name])
    result = CheckTask()(source)
    assert result.problems, f"{case} is valid"
    report_problems(result)
    return capsys.readouterr().err


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(BAD)))
def test_every_problem_is_told(
    case: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, update_goldens: bool
) -> None:
    said = said_about(case, capsys, monkeypatch)
    expected = case.with_name(f"{case.name}.expected")
    if update_goldens:
        expected.write_text(said, "utf-8")
    assert said == expected.read_text("utf-8")
    assert f"[{case.parent.name}]\n" in said


def test_every_code_has_a_case() -> None:
    assert not EXERCISE_CODES.keys() & CODES.keys()
    assert {case.parent.name for case in CASES} >= EXERCISE_CODES.keys() - {"other-exercise", "override"}


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.relative_to(BAD)))
def test_a_bad_exercise_says_the_same_in_json(case: Path) -> None:
    """Other places, but the same problems."""
    if case.suffix == ".json" or case.parent.name in ("kind", "null") or "game: ../" in case.read_text():
        pytest.skip("is JSON, or has a problem that JSON cannot have")
    if not case.read_text().startswith("plymark: exercise/1"):
        pytest.skip("no exercise")
    raw = json.dumps(yaml.load(case.read_text(), yaml.BaseLoader)).encode()

    def codes(text: bytes, name: str) -> list[str]:
        with pytest.raises(DocumentError) as caught:
            load_exercise_bytes(text, name, base=case.parent)
        return sorted(problem.code for problem in caught.value.problems)

    assert codes(raw, "exercise.json") == codes(case.read_bytes(), case.name)


# The examples.


@pytest.mark.parametrize("path", [*EXERCISES, *ANSWERS], ids=lambda path: path.name)
def test_examples_are_valid_and_help_editors(path: Path) -> None:
    kind = "exercise" if path in EXERCISES else "answer"
    up = "../" * (len(path.relative_to(ROOT).parts) - 1)
    assert path.read_text().startswith(f"# yaml-language-server: $schema={up}schemas/{kind}.schema.json\n")
    (source,) = sources([str(path)])
    result = CheckTask()(source)
    assert result.output.startswith(f"{path}: valid {kind}/1, ".encode()), result.problems
    assert check_bytes(path.read_bytes()) == (f"{kind}/1", None)


@pytest.mark.slow
@pytest.mark.parametrize("path", [*EXERCISES, *ANSWERS], ids=lambda path: path.name)
def test_an_editor_accepts_the_examples(path: Path) -> None:
    """By another validator, and with the types that another YAML reader gives."""
    kind = "exercise" if path in EXERCISES else "answer"
    written = json.loads((ROOT / "schemas" / f"{kind}.schema.json").read_bytes())
    Draft202012Validator.check_schema(written)
    Draft202012Validator(written).validate(yaml.safe_load(path.read_text()))


@pytest.mark.parametrize("kind", ["exercise/1", "answer/1", "report/1"])
def test_what_a_schema_shows_as_examples_conforms_to_it(kind: str) -> None:
    whole = json.loads(json.dumps(schema(kind)))
    Draft202012Validator.check_schema(whole)
    pending: list[Any] = [whole]
    shown = 0
    while pending:
        here = pending.pop()
        if isinstance(here, list):
            pending.extend(here)
        elif isinstance(here, dict):
            pending.extend(item for key, item in here.items() if key not in ("examples", "const", "enum"))
            examples = here.get("examples", []) if isinstance(here.get("examples"), list) and here is not whole else []
            shown += len(examples)
            for example in examples:
                Draft202012Validator({**here, "$defs": whole.get("$defs", {})}).validate(example)
    assert shown > 5


def test_every_ask_but_choice_is_in_an_example_or_here() -> None:
    asked = {question.ask for path in EXERCISES for question in load_exercise(path).questions}
    assert asked == ASKS.keys() - {"choice"}


def test_the_contracts_exercise() -> None:
    exercise = load_exercise(ROOT / "exercises" / "two-ply.yaml")
    assert (exercise.id, exercise.language) == ("two-ply", "en") and exercise.out_of == 11
    assert exercise.title == "Alpha-beta on the two-ply game tree"
    assert exercise.game.tree.ids == load(ROOT / "specs" / "two-ply.yaml").tree.ids
    assert (exercise.convention, exercise.printed) == (DEFAULT, frozenset())
    assert exercise.marking == Policy(Fraction(1), (CONVENTIONS["aima4"],), "half")
    assert [(each.id, each.ask, int(each.marks)) for each in exercise.questions] == [
        ("values", "values", 4),
        ("windows", "windows", 4),
        ("pruned", "pruned", 2),
        ("move", "move", 1),
    ]
    assert exercise.questions[1].parameters == {"at": "entry"}
    assert exercise.question("move") == exercise.questions[3]
    assert exercise.question("none") is None


def test_the_contracts_answer() -> None:
    answer = load_answer_bytes((ROOT / "exercises" / "answers" / "two-ply-right.yaml").read_bytes(), "a.yaml")
    assert (answer.exercise, answer.student, answer.ignored, answer.source) == ("two-ply", "s1024", (), "a.yaml")
    assert answer.answers == {
        "values": {"A": "3", "B": "3", "C": "<= 2", "D": "2"},
        "windows": {"A": ["-inf", "inf"], "B": ["-inf", "inf"], "C": ["3", "inf"], "D": ["3", "inf"]},
        "pruned": ["L5", "L6"],
        "move": "a1",
    }


# What is read.


def test_what_is_not_written() -> None:
    exercise = exercise_of("{id: q, ask: values, marks: 1}")
    assert exercise.convention == DEFAULT and exercise.marking == Policy()
    assert (exercise.title, exercise.text, exercise.language) == (None, None, "en") and exercise.out_of == 1
    assert exercise.questions == (Question("q", "values", Fraction(1)),)
    assert exercise.questions[0].rubric == Rubric(late=Fraction(1, 2), unsound=Fraction(3, 2), missed=Fraction(1))


@pytest.mark.parametrize(
    ("written", "convention", "printed"),
    [
        ("aima4", CONVENTIONS["aima4"], set()),
        ("{like: aima4}", CONVENTIONS["aima4"], set()),
        ("{like: aima4, ties: last}", Convention(update="before-test", ties="last"), {"ties"}),
        ("{cut: at-bound, window: [-inf, 10]}", Convention(window=("-inf", 10)), {"cut", "window"}),
    ],
)
def test_keys_that_are_written_out_are_printed(written: str, convention: Convention, printed: set[str]) -> None:
    exercise = exercise_of("{id: q, ask: move, marks: 1}", rest=f"convention: {written}\n")
    assert exercise.convention == convention and set(exercise.printed) == printed


UNKNOWN = "game: {unknowns: [x], tree: [[3, 12, 8], [x, 4, 6], [14, 5, 2]]}\n"
UNKNOWNS = "game: {unknowns: [x, y], tree: [[3, x], [2, y]]}\n"
ESTIMATED = "game: {tree: {turn: max, estimate: 1, children: [{turn: min, estimate: 2, children: [3]}]}}\n"
CHANCE = "game: {levels: [max, chance], bounds: [0, 12], tree: [[3, 12], [2, 4]]}\n"


@pytest.mark.parametrize(
    ("text", "game", "parameters"),
    [
        ("ask: values", TWO_PLY, {}),
        ("ask: values, of: minimax", TWO_PLY, {"of": "minimax"}),
        ("ask: windows", TWO_PLY, {}),
        ("ask: visited", TWO_PLY, {"what": "leaves"}),
        ("ask: visited, what: nodes", TWO_PLY, {"what": "nodes"}),
        ("ask: count", TWO_PLY, {"what": "evaluated"}),
        ("ask: fewest", TWO_PLY, {"what": "fewest"}),
        ("ask: reorder", TWO_PLY, {"goal": "most"}),
        ("ask: range, when: {pruned: L5}", UNKNOWN, {"unknown": "x", "when": {"pruned": ("L5",)}}),
        (
            "ask: range, unknown: x, when: {pruned: [L5, L6]}",
            UNKNOWN,
            {"unknown": "x", "when": {"pruned": ("L5", "L6")}},
        ),
        ("ask: range, when: {value: 7/2}", UNKNOWN, {"unknown": "x", "when": {"value": Fraction(7, 2)}}),
        ("ask: range, when: {move: a2}", UNKNOWN, {"unknown": "x", "when": {"move": "a2"}}),
        ("ask: assign, goal: least", UNKNOWNS, {"unknowns": ("x", "y"), "goal": "least"}),
        ("ask: assign, unknowns: [y, x], goal: {move: a1}", UNKNOWNS, {"unknowns": ("y", "x"), "goal": {"move": "a1"}}),
        ("ask: depths, depths: [0, 2, 1]", ESTIMATED, {"depths": (0, 2, 1)}),
        ("ask: opponent, errs: 0.1", TWO_PLY, {"errs": Fraction(1, 10), "model": "worst"}),
        ("ask: opponent, errs: threshold, model: random", TWO_PLY, {"errs": "threshold", "model": "random"}),
        ("ask: transform, by: 2*v  +  3", TWO_PLY, {"by": "2*v + 3"}),
        ("ask: choice, claim: alpha-beta-same-value", TWO_PLY, {"claim": "alpha-beta-same-value"}),
    ],
)
def test_parameters(text: str, game: str, parameters: dict[str, Any]) -> None:
    assert question_of(f"{{id: q, marks: 1, {text}}}", game).parameters == parameters


def test_the_rest_of_a_question() -> None:
    question = question_of(
        "{id: q, ask: values, marks: 3/2, text: Why?, nodes: [C, A], digits: 2, algorithm: minimax, depth: 3}"
    )
    assert question == Question("q", "values", Fraction(3, 2), "Why?", ("C", "A"), 2, "minimax", 3)


@pytest.mark.parametrize(
    ("text", "rubric"),
    [
        # teaching's schemes: marks off an error, weights, 7 + 20 + 3 by questions, all or nothing, sets, caps
        ("ask: values, rubric: {scheme: per-error, each: 3}", Rubric("per-error", each=Fraction(3))),
        (
            "ask: values, rubric: {scheme: per-error, each: 0.5, floor: 1}",
            Rubric("per-error", Fraction(1, 2), Fraction(1)),
        ),
        ("ask: values, rubric: {weights: {A: 2, B: 1/2}}", Rubric(weights={"A": Fraction(2), "B": Fraction(1, 2)})),
        ("ask: move, rubric: {scheme: all-or-nothing}", Rubric("all-or-nothing")),
        ("ask: prunable, rubric: {scheme: right-minus-wrong, cap: 2}", Rubric("right-minus-wrong", cap=Fraction(2))),
        ("ask: pruned, rubric: {unsound: 2, late: 0}", Rubric(unsound=Fraction(2), late=Fraction(0))),
        ("ask: pruned, rubric: {weights: {C: 2}}", Rubric(weights={"C": Fraction(2)})),
    ],
)
def test_rubrics(text: str, rubric: Rubric) -> None:
    assert question_of(f"{{id: q, marks: 4, {text}}}").rubric == rubric


@pytest.mark.parametrize(
    ("ask", "game", "weights"),
    [
        ("depths, depths: [1, 2]", ESTIMATED, "{'2': 3}"),
        ("transform, by: v", TWO_PLY, "{move: 3}"),
        ("prunable", TWO_PLY, "{L5: 3}"),
    ],
)
def test_weights_of_items_that_are_no_inner_nodes(ask: str, game: str, weights: str) -> None:
    rubric = question_of(f"{{id: q, marks: 4, ask: {ask}, rubric: {{weights: {weights}}}}}", game).rubric
    assert list(rubric.weights.values()) == [3]


def test_names_are_compared_in_nfc() -> None:
    game = "game: {tree: {id: é, turn: max, children: [1]}}\n"
    assert question_of("{id: q, ask: values, nodes: [e\u0301], marks: 1}", game).nodes == ("é",)


def test_a_games_path_starts_from_the_exercise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "games").mkdir()
    (tmp_path / "sheets").mkdir()
    (tmp_path / "games" / "g.yaml").write_text("plymark: game/1\ntree: [3, 5]\n")
    path = tmp_path / "sheets" / "e.yaml"
    path.write_text(f"{HEAD}game: ../games/g.yaml\nquestions: [{{id: q, ask: move, marks: 1}}]\n")
    monkeypatch.chdir("/")
    assert len(load_exercise(path).game.tree) == 3
    assert problems_of(load_exercise_bytes, path.read_bytes()) == ["3:7: a path is not followed here [game]"]


def test_a_game_inside_knows_its_places() -> None:
    exercise = exercise_of("{id: q, ask: move, marks: 1}", game="game:\n  tree:\n    - 3\n    - [4, 5]\n")
    assert exercise.game.place("B") == (6, 7)


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_data_gives_the_exercise_that_its_file_gives(path: Path) -> None:
    strings, typed = (yaml.load(path.read_bytes(), loader) for loader in (yaml.BaseLoader, yaml.CSafeLoader))
    by_file = contents(load_exercise(path))
    assert contents(load_exercise_data(typed, base=path.parent)) == by_file
    if isinstance(strings["game"], dict):
        assert contents(exercise_from_data(strings)) == by_file


def contents(exercise: Exercise) -> tuple[object, ...]:
    """All but where it was read from."""
    return exercise.game.tree, replace(exercise, game=None, source="")  # type: ignore[arg-type]


def test_numbers_in_data_are_exact() -> None:
    tree = [Fraction(1, 3), Decimal("0.10"), 0.1, 10**30, "2/6"]
    question = {"id": "q", "ask": "move", "marks": Fraction(3, 2)}
    data = {"plymark": "exercise/1", "id": "e", "game": MappingProxyType({"tree": tree}), "questions": (question,)}
    exercise = load_exercise_data(data, "by hand")
    third, tenth = Fraction(1, 3), Fraction(1, 10)
    assert exercise.game.tree.leaf[1:] == (third, tenth, tenth, 10**30, third)
    assert (exercise.out_of, exercise.source) == (Fraction(3, 2), "by hand")


@pytest.mark.parametrize(("question", "code"), [
    ({"id": "q", "ask": "move"}, "missing-key"),
    ({"id": "q", "ask": "move", "marks": None}, "null"),
    ({"id": "q", "ask": "move", "marks": float("nan")}, "number"),
    ({"id": "q", "ask": "values", "marks": 1, "nodes": ["Q"]}, "unknown-node"),
    ({"id": "q", "ask": "move", "marks": 1, "text": "\ud800"}, "encoding"),
])  # fmt: skip
def test_data_is_checked_like_a_file(question: dict[str, Any], code: str) -> None:
    data = {"plymark": "exercise/1", "id": "e", "game": {"tree": [3, 5]}, "questions": [question]}
    assert [said.rpartition("[")[2] for said in problems_of(load_exercise_data, data)] == [f"{code}]"]


def test_data_is_made_of_plain_things() -> None:
    with pytest.raises(TypeError, match="strings and numbers; this is"):
        load_exercise_data({"plymark": "exercise/1", "id": object()})


def test_another_kind_is_refused() -> None:
    game = (ROOT / "specs" / "two-ply.yaml").read_bytes()
    assert problems_of(load_exercise_bytes, game) == ["1:1: this is game/1, not exercise/1 [kind]"]
    exercise = (ROOT / "exercises" / "two-ply.yaml").read_bytes()
    assert problems_of(load_bytes, exercise) == ["1:1: this is exercise/1, not game/1 [kind]"]


@pytest.mark.slow
def test_a_chain_of_a_hundred_thousand_plies(tmp_path: Path) -> None:
    nodes: dict[str, dict[str, object]] = {
        f"n{n}": {"turn": "min" if n % 2 else "max", "children": [n, f"n{n + 1}"]} for n in range(100_000)
    }
    nodes["n100000"] = {"value": 7}
    (tmp_path / "chain.json").write_text(json.dumps({"plymark": "game/1", "root": "n0", "nodes": nodes}))
    (tmp_path / "e.yaml").write_text(f"{HEAD}game: chain.json\nquestions: [{{id: q, ask: pruned, marks: 1}}]\n")
    assert len(load_exercise(tmp_path / "e.yaml").game.tree) == 200_001


# The table of asks, against the schema and against what the analyses themselves accept.


PARAMETERS: dict[str, Any] = {
    "of": "search",
    "at": "entry",
    "unknown": "x",
    "when": {"value": "3"},
    "unknowns": ["x"],
    "depths": ["1"],
    "errs": "0.1",
    "model": "worst",
    "exploration": "1.4",
    "by": "v",
    "claim": "c",
    "goal": "most",
}
WHAT = {"visited": ["leaves", "nodes"], "count": ["evaluated", "pruned", "visited"], "fewest": ["fewest", "most"]}


@pytest.mark.parametrize("ask", ASKS)
def test_the_schema_takes_the_parameters_of_the_table(ask: str) -> None:
    def accepted(**keys: Any) -> bool:
        return conforms("exercise/1", {"id": "q", "ask": ask, "marks": "1", **keys}, "#/$defs/question")

    own = {parameter.key for parameter in ASKS[ask].parameters}
    given = {key: value for key, value in PARAMETERS.items() if key in own}
    assert accepted(**given)
    for key, value in PARAMETERS.items():
        assert accepted(**{**given, key: value}) == (key in own), key
    for what in ("leaves", "nodes", "evaluated", "pruned", "visited", "fewest", "most", "none"):
        assert accepted(**given, what=what) == (what in WHAT.get(ask, ())), what
    needed = {key for key in given if not accepted(**{other: given[other] for other in given if other != key})}
    assert needed == {parameter.key for parameter in ASKS[ask].parameters if parameter.required}
    for key, value in {"nodes": ["B"], "depth": "2"}.items():
        assert accepted(**given, **{key: value}) == (key in ASKS[ask].takes), key
    for parameter in ASKS[ask].parameters:
        if parameter.choices:
            assert all(accepted(**{**given, parameter.key: choice}) for choice in parameter.choices)


def test_the_schema_and_the_table_have_the_same_asks() -> None:
    assert schema("exercise/1")["$defs"]["question"]["properties"]["ask"]["enum"] == list(ASKS)
    assert schema("report/1")["$defs"]["question"]["properties"]["ask"]["enum"] == list(ASKS)


def test_the_game_inside_is_the_games_schema() -> None:
    game, inside = schema("game/1"), schema("exercise/1")["$defs"]
    assert {name: inside[name] for name in game["$defs"]} == game["$defs"]
    properties = {name: rule for name, rule in game["properties"].items() if name != "plymark"}
    assert inside["game"]["properties"] == properties
    assert all(inside["game"][key] == game[key] for key in ("type", "additionalProperties", "if", "then", "else"))


def accepts(find: Callable[[], object]) -> bool:
    try:
        find()
    except Refusal:
        return False
    return True


@pytest.mark.parametrize("path", SPECS, ids=lambda path: path.name)
def test_what_can_be_asked_is_what_the_analyses_accept(path: Path) -> None:
    game = load(path)
    tree = game.tree
    exercise = Exercise("e", None, None, "en", game, DEFAULT, frozenset(), (), Policy(), Fraction(1), "e")

    def can_ask(ask: str, **parameters: Any) -> bool:
        question = Question("q", ask, Fraction(1), parameters=parameters)
        return ASKS[ask].why_not(KeyedQuestion(question, AnswerKey(exercise))) is None

    somebody = tree.turn[0] not in (None, "chance")
    assert can_ask("prunable") == accepts(lambda: prunable(tree))
    assert can_ask("reorder", goal="most") == accepts(lambda: order_with_fewest(tree))
    assert can_ask("fewest", what="fewest") == accepts(lambda: order_with_fewest(tree))
    assert can_ask("range", when={"value": 3}) == accepts(lambda: one_unknown(tree))
    opponents = accepts(lambda: against_mistakes(tree, Fraction(1, 10), "worst")) and "min" in tree.turns
    assert can_ask("opponent", errs=Fraction(1, 10)) == opponents
    changes = accepts(lambda: transform_compared(tree, read_formula("2*v + 3"), DEFAULT)) and somebody
    assert can_ask("transform", by="2*v + 3") == changes
    assert can_ask("plan") == bool(tree.turns & {"or", "and"})
    assert can_ask("vectors") == bool(tree.players)
    assert can_ask("ucb") == (bool(tree.visits) and accepts(lambda: choice_at(tree, Node(0))))
    assert can_ask("depths", depths=(1, 2)) == (accepts(lambda: accept(tree, "")) and _depths_work(game))
    assert can_ask("choice")


def _depths_work(game: Game) -> bool:
    """By the table of all depths; the last stands for every deeper one."""
    levels = horizon(game, DEFAULT).levels
    return all(levels[min(depth, len(levels) - 1)].refused is None for depth in (1, 2))


@pytest.mark.parametrize(
    ("text", "game"),
    [
        ("ask: pruned, algorithm: star1", CHANCE),
        ("ask: windows, algorithm: star2", CHANCE),
        ("ask: values", CHANCE),
        ("ask: move, depth: 1", ESTIMATED),
        ("ask: values, algorithm: paranoid", "game: {players: [A, B], tree: [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]}\n"),
        ("ask: prunable", UNKNOWNS),
        ("ask: plan, algorithm: and-or", "game: {tree: {turn: or, children: [{value: false}]}}\n"),
        ("ask: range, unknown: x, when: {value: 3}, algorithm: alpha-beta", UNKNOWN),
    ],
)
def test_what_can_be_asked_with_the_right_words(text: str, game: str) -> None:
    assert question_of(f"{{id: q, marks: 1, {text}}}", game).id == "q"


# Answers: strict about what is needed, lenient about the rest.

ANSWER = "plymark: answer/1\nexercise: two-ply\nstudent: s1\n"


def test_what_an_answer_must_not_say_gains_nothing() -> None:
    text = f"{ANSWER}marks: 11\nreport: {{marks: 11}}\nlanguage: de\nname: [x]\nvariant: b\nanswers: {{move: a1}}\n"
    answer = load_answer_bytes(text.encode())
    assert answer.ignored == ("marks", "report", "language", "name")
    assert (answer.variant, answer.name, answer.language) == ("b", None, None)
    assert answer.answers == {"move": "a1"}


@pytest.mark.parametrize(
    ("answers", "read"),
    [
        ("answers:", {}),
        ("answers: {}", {}),
        ("answers: {values: {A: 3, B: , C: ~, D: ''}}", {"values": {"A": "3"}}),
        ("answers: {move: }", {}),
        ("answers: {line: [a1, '', b1]}", {"line": ["a1", "", "b1"]}),
        ("answers: {a: [{b: , c: 1}]}", {"a": [{"c": "1"}]}),
        ("answers: {move: [a1]}", {"move": ["a1"]}),
        (f"answers: {{move: {'x' * 5000}}}", {"move": "x" * 5000}),
        ("answers: {é: 1}", {"é": "1"}),
    ],
)
def test_cells(answers: str, read: dict[str, Any]) -> None:
    assert load_answer_bytes(f"{ANSWER}{answers}\n".encode()).answers == read


def test_json_reads_like_yaml() -> None:
    data = {"plymark": "answer/1", "exercise": "e", "student": 12, "answers": {"v": {"A": 3, "B": None, "C": ""}}}
    assert load_answer_bytes(json.dumps(data).encode()).answers == {"v": {"A": "3"}}
    plain = {**data, "answers": {"v": {"A": 3.50, "B": [1, 2]}}}
    answer = load_answer_bytes(json.dumps(plain).encode(), "a.json")
    assert (answer.student, answer.answers) == ("12", {"v": {"A": "3.5", "B": ["1", "2"]}})


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("plymark: game/1\ntree: 3\n", ['1:1: this is "game/1" [kind]']),
        ("[1, 2]", ["1:1: the document does not say what it is [kind]"]),
        (
            "plymark: answer/1\nstudent:\n",
            [
                '1:1: key "answers" is missing [missing-key]',
                '1:1: key "exercise" is missing [missing-key]',
                '2:9: "student" is empty [null]',
            ],
        ),
        (f"{ANSWER}answers: [a1]\n", ['4:10: "answers" must be a mapping from questions [wrong-type]']),
        (
            f"plymark: answer/1\nexercise: e\nstudent: {'s' * 5000}\nanswers: {{}}\n",
            ["3:10: a string of 5,000 characters; at most 4,096 are allowed [long-text]"],
        ),
        (
            '{"plymark": "answer/1", "exercise": ["e"], "student": "s", "answers": {}}',
            ['1:37: "exercise" must be a string [wrong-type]'],
        ),
        (f"{ANSWER}answers: {{a: *b}}\n", ["4:14: alias *b is not allowed [alias]"]),
        (f"{ANSWER}answers: {{a: 1, a: 2}}\n", None),
        (f"{ANSWER}answers: {'[' * 200}\n", None),
        ("", None),
    ],
)
def test_what_cannot_be_marked(text: str, told: list[str] | None) -> None:
    found = problems_of(load_answer_bytes, text.encode())
    assert found and (told is None or found == told)


def test_deep_nesting_and_large_files_are_refused() -> None:
    deep = f"{ANSWER}answers: {{a: {'[' * 300}{']' * 300}}}\n".encode()
    assert [line[-9:] for line in problems_of(load_answer_bytes, deep)] == ["[nesting]"]
    large = f"{ANSWER}answers: {{a: {'x' * 70_000}}}\n".encode()
    service = Limits(yaml_bytes=64 * 1024, json_bytes=64 * 1024)
    assert "[too-large]" in problems_of(load_answer_bytes, large, "", service)[0]
    assert len(load_answer_bytes(large).answers["a"]) == 70_000


def test_an_answer_to_another_exercise() -> None:
    exercise = exercise_of("{id: q, ask: move, marks: 1}")
    with pytest.raises(DocumentError) as caught:
        require_answer_to(exercise.id, load_answer_bytes(f"{ANSWER}answers: {{}}\n".encode()))
    told = '2:11: this answers the exercise "two-ply", not "e" [other-exercise]'
    assert [str(problem) for problem in caught.value.problems] == [told]
    require_answer_to(exercise.id, load_answer_bytes(b"plymark: answer/1\nexercise: e\nstudent: s\nanswers: {}\n"))


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.sampled_from(["A", "x", "most", "1/0", "a1"]),
    lambda inside: (
        st.lists(inside, max_size=3) | st.dictionaries(st.sampled_from([*PARAMETERS, "A"]), inside, max_size=3)
    ),
    max_leaves=8,
)


def told_about(load: Callable[[], object]) -> tuple[Any, int]:
    """What was read, and how many problems were told."""
    try:
        return load(), 0
    except DocumentError as error:
        return None, min(len(error.problems), error.total)


@given(JSON, JSON, JSON)
def test_no_answer_breaks_the_reader(exercise: Any, answers: Any, extra: Any) -> None:
    data = {"plymark": "answer/1", "exercise": exercise, "student": "s", "answers": answers, "marks": extra}
    answer, problems = told_about(lambda: load_answer_bytes(json.dumps(data).encode()))
    assert problems or (answer.ignored == ("marks",) and isinstance(answer.answers, dict))


def _places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    items = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(place for key, item in items for place in _places(item, (*path, key)))]


WHOLE: list[Any] = [yaml.safe_load(path.read_text()) for path in EXERCISES]


@given(st.data())
def test_no_exercise_breaks_the_checks(data: st.DataObject) -> None:
    """Some part of a good exercise replaced by anything gives an exercise, or problems."""
    exercise = json.loads(json.dumps(data.draw(st.sampled_from(WHOLE))))
    for _ in range(data.draw(st.integers(1, 2))):
        place = data.draw(st.sampled_from(_places(exercise)[1:]))
        holder = exercise
        for step in place[:-1]:
            holder = holder[step]
        holder[place[-1]] = data.draw(JSON)
    read, problems = told_about(lambda: load_exercise_bytes(json.dumps(exercise).encode(), base=ROOT / "exercises"))
    assert problems or isinstance(read, Exercise)


# Reports.

REPORT: dict[str, Any] = {
    "plymark": "report/1",
    "exercise": "two-ply",
    "student": "s1024",
    "marks": 8.33,
    "out_of": 11,
    "questions": [
        {
            "id": "pruned",
            "ask": "pruned",
            "marks": "4/3",
            "out_of": 2,
            "items": [{"item": "C after L4", "given": None, "marks": -0.5}],
        }
    ],
    "feedback": [],
    "feedback_level": "none",
    "ignored": ["marks"],
}


def report_is_valid(level: str, **item: Any) -> bool:
    report = json.loads(json.dumps(REPORT))
    report["feedback_level"] = level
    if level in ("hints", "full"):
        report["convention"] = Convention().as_data()
    diagnosis = item.pop("diagnosis", None)
    if diagnosis is not None:
        report["diagnosis"] = diagnosis
    report["questions"][0]["items"][0] |= item
    try:
        return check_bytes(json.dumps(report).encode(), "r.json") == ("report/1", None)
    except DocumentError:
        return False


@pytest.mark.parametrize("level", ["none", "marks", "hints", "full"])
def test_a_report_tells_what_its_level_allows(level: str) -> None:
    assert report_is_valid(level)
    assert report_is_valid(level, diagnosis=[{"mistake": "A2", "explains": 0.95, "same_here": ["A3"]}]) == (
        level in ("hints", "full")
    )
    assert report_is_valid(level, verdict="late") == (level in ("hints", "full"))
    assert report_is_valid(level, expected=[3, "inf"]) == (level == "full")
    assert not report_is_valid(level, verdict="nearly")


# The docs.


@pytest.mark.parametrize("kind", ["exercise", "answer", "report"])
def test_every_key_is_documented(kind: str) -> None:
    page = (ROOT / "docs" / f"{kind}.md").read_text("utf-8")
    whole = schema(f"{kind}/1")
    parts = [whole, *(whole.get("$defs", {}).get(name, {}) for name in ("question", "rubric", "condition", "item"))]
    names = {name for part in parts for name in part.get("properties", {})}
    names |= set(whole["properties"].get("marking", {}).get("properties", {}))
    for name in sorted(names):
        assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", page), name


@pytest.mark.parametrize("ask", ASKS)
def test_every_ask_is_documented(ask: str) -> None:
    assert f"\n| `{ask}`" in (ROOT / "docs" / "exercise.md").read_text("utf-8")
