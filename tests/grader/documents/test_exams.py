"""exam/1: what is loaded, what is scaled, and every problem at its place."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from grader.documents.answer_file import Answer
from grader.documents.exam import Exam
from grader.documents.exam_file import exam_of, load_exam, load_exam_bytes, load_exam_data, scaled
from grader.documents.exercise_file import load_exercise, load_exercise_data
from grader.intake.document_check import CheckTask
from solver.jobs import sources
from solver.kernel import DocumentError, UsageError
from solver.kernel.errors import CODES, EXAM_CODES, EXERCISE_CODES, RECIPE_CODES
from tests.support.paths import ROOT

BAD = ROOT / "tests" / "bad_exams"
CASES = sorted(BAD.rglob("*.yaml"))
TWO_PLY = ROOT / "exercises" / "two-ply.yaml"


def move(name: str, marks: Any = 1, question: str = "move", **more: Any) -> dict[str, Any]:
    """A small exercise that asks for the move."""
    asked = {"id": question, "ask": "move", "marks": marks, **more}
    return {"plymark": "exercise/1", "id": name, "game": {"tree": [[3, 5], [2, 9]]}, "questions": [asked]}


def exam(*parts: dict[str, Any], **more: Any) -> Exam:
    return load_exam_data({"plymark": "exam/1", "id": "midterm", "parts": list(parts), **more})


def problems(load: Callable[[], object]) -> list[tuple[int, str, str]]:
    with pytest.raises(DocumentError) as raised:
        load()
    return [(problem.place.line, problem.code, problem.message) for problem in raised.value.problems]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_problem_is_at_its_place(case: Path, monkeypatch: pytest.MonkeyPatch, update_goldens: bool) -> None:
    monkeypatch.chdir(case.parent)
    (source,) = sources([case.name])
    found = CheckTask()(source)
    said = "".join(f"{case.name}:{problem}\n" for problem in found.problems)
    expected = case.with_name(f"{case.name}.expected")
    if update_goldens:
        expected.write_text(said, "utf-8")
    assert said == expected.read_text("utf-8")
    assert f"[{case.parent.name}]\n" in said


def test_every_code_has_a_case() -> None:
    assert not EXAM_CODES.keys() & (CODES.keys() | EXERCISE_CODES.keys() | RECIPE_CODES.keys())
    assert {case.parent.name for case in CASES} == EXAM_CODES.keys()


def test_paths_start_from_the_file_and_folders_are_variants(tmp_path: Path) -> None:
    below = tmp_path / "below" / "moves"
    below.mkdir(parents=True)
    for name in ("m-2", "m-1"):
        (below / f"{name}.json").write_text(str(move(name)).replace("'", '"'))
    (below / "m-1.card.json").write_text('{"what": "a card of the generator"}')
    file = tmp_path / "below" / "midterm.yaml"
    file.write_text(
        "plymark: exam/1\nid: midterm\ntitle: Midterm\nparts:\n  - {variants: moves/, marks: 7}\n"
        f"  - {{exercise: {TWO_PLY}}}\n"
    )
    found = load_exam(file)
    assert (found.id, found.title, found.language) == ("midterm", "Midterm", "en") and found.out_of == 18
    assert {name: list(part.exercises) for name, part in found.parts.items()} == {
        "m": ["m-1", "m-2"],
        "two-ply": ["two-ply"],
    }
    assert found.several == {"m": ["m-1", "m-2"]} and found.places["two-ply"].line == 6
    with pytest.raises(DocumentError, match="a path is not followed here"):
        load_exam_bytes(file.read_bytes())


def test_marks_scale_everything_exactly() -> None:
    rubric = {"scheme": "per-error", "each": "1/2", "floor": "1/4", "cap": 2}
    whole = load_exercise_data(
        {
            "plymark": "exercise/1",
            "id": "e",
            "game": {"tree": [[3, 5], [2, 9]]},
            "questions": [
                {"id": "values", "ask": "values", "marks": 2, "rubric": rubric},
                {"id": "move", "ask": "move", "marks": 1},
            ],
        }
    )
    found = scaled(whole, Fraction(10))
    assert [question.marks for question in found.questions] == [Fraction(20, 3), Fraction(10, 3)]
    values = found.questions[0].rubric
    assert (values.each, values.floor, values.cap) == (Fraction(5, 3), Fraction(5, 6), Fraction(20, 3))
    assert found.out_of == 10 and scaled(whole, whole.out_of) is whole
    part = exam({"variants": [move("a", 2), move("b", 5)], "marks": "7.5"}).parts["variants"]
    assert [each.out_of for each in part] == [Fraction(15, 2)] * 2


def test_parts_have_names_of_their_own() -> None:
    """A folder whose ids start like an exercise, or like another folder's, is still told apart."""
    parts: list[dict[str, Any]] = [
        {"exercise": move("ab")},
        {"variants": [move("ab-1"), move("ab-2")]},
        {"variants": [move("ab-3"), move("ab-4")]},
        {"variants": [move("x"), move("y")]},
    ]
    assert list(exam(*parts).parts) == ["ab", "ab-5", "ab-6", "variants"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ({"parts": []}, "no-children"),
        ({"parts": [{"exercise": move("a")}] * 101}, "part"),
        ({"parts": [{"exercise": move("a"), "variants": [move("b")]}]}, "conflicting-keys"),
        ({"parts": [{"marks": 3}]}, "missing-key"),
        ({"parts": [{"variants": []}]}, "no-children"),
        ({"parts": [{"variants": [5]}]}, "wrong-type"),
        ({"parts": ["two-ply.yaml"]}, "wrong-type"),
        ({"parts": [{"exercise": move("a"), "marks": "ten"}]}, "number"),
        ({"parts": [{"exercise": move("a"), "marks": -1}]}, "wrong-value"),
        ({"parts": [{"exercise": {**move("a"), "game": "two-ply.yaml"}}]}, "game"),
        ({"parts": [{"exercise": move("a", 0)}]}, "wrong-value"),
        ({"parts": [{"exercise": {"plymark": "exam/1", "id": "midterm", "parts": []}}]}, "part"),
        ({"parts": [{"exercise": move("a")}], "part": 3}, "unknown-key"),
        ({"parts": [{"exercise": move("a")}], "id": "mid term"}, "bad-id"),
        ({"parts": [{"exercise": move("a")}], "language": "xx"}, "wrong-value"),
    ],
)
def test_what_is_wrong_is_said(data: dict[str, Any], code: str) -> None:
    found = problems(lambda: load_exam_data({"plymark": "exam/1", "id": "midterm", **data}))
    assert code in {each for _, each, _ in found}


def test_a_folder_with_one_broken_variant_says_which(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"m-{number}.json").write_text(str(move(f"m-{number}", 0 if number == 1 else 1)).replace("'", '"'))
    raw = b"plymark: exam/1\nid: m\nparts:\n  - variants: .\n"
    ((line, code, message),) = problems(lambda: load_exam_bytes(raw, "m.yaml", base=tmp_path))
    assert (line, code) == (4, "part") and "m-1.json:1:" in message and "wrong-value" in message


def test_an_exam_in_a_folder_of_variants_is_not_one_of_them(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(str(move("a")).replace("'", '"'))
    inside = {"plymark": "exam/1", "id": "self", "parts": [{"exercise": move("b")}]}
    (tmp_path / "self.json").write_text(str(inside).replace("'", '"'))
    (tmp_path / "whole.yaml").write_text("plymark: exam/1\nid: whole\nparts:\n  - variants: .\n")
    assert [each.id for each in load_exam(tmp_path / "whole.yaml")] == ["a"]


def test_exercises_together_are_an_exam() -> None:
    chance = load_exercise(ROOT / "exercises" / "chance.yaml")
    found = exam_of([load_exercise(TWO_PLY), chance])
    assert list(found.parts) == ["two-ply", "chance"] and not found.has_variants
    with pytest.raises(UsageError, match="two exercises have the id 'chance'"):
        exam_of([chance, chance])


EXAM = exam({"exercise": move("a")}, {"variants": [move("b-1"), move("b-2")], "marks": 4})


def answered(answers: dict[str, Any], name: str = "midterm") -> Answer:
    return Answer(name, "s1", answers)


def test_an_answer_is_split_into_parts() -> None:
    first, second = EXAM.split(answered({"b-2": {"move": "a1"}, "a": {"move": "a2"}}))
    assert (first.part, first.exercise.id, first.answer.answers) == ("a", "a", {"move": "a2"})
    assert (second.part, second.exercise.id, second.answer.exercise) == ("b", "b-2", "b-2")
    assert first.known and second.known and not second.not_theirs


def test_a_part_of_which_nothing_is_said_is_blank() -> None:
    first, second = EXAM.split(answered({}))
    assert first.known and not second.known and second.answer.answers == {}
    _, known = EXAM.split(answered({}), {"b": "b-2"})
    assert known.known and known.exercise.id == "b-2" and not known.not_theirs


def test_another_students_variant_is_noticed() -> None:
    _, second = EXAM.split(answered({"b-1": {"move": "a1"}}), {"b": "b-2"})
    assert second.exercise.id == "b-1" and second.not_theirs


@pytest.mark.parametrize(
    ("answers", "name", "message"),
    [
        ({}, "other", 'answers the exercise "other", not "midterm"'),
        ({"b-1": {"move": "a1"}, "b-2": {"move": "a1"}}, "midterm", "two variants of one part"),
        ({"c": {}}, "midterm", 'answers "c", which is in no part'),
        ({"move": "a1"}, "midterm", 'answers "move", which is in no part'),
        ({f"forged-{n}": {} for n in range(5_000)}, "midterm", "in no part"),
    ],
)
def test_what_cannot_be_split_is_refused(answers: dict[str, Any], name: str, message: str) -> None:
    with pytest.raises(DocumentError, match=message) as raised:
        EXAM.split(answered(answers, name))
    assert len(raised.value.problems) <= 20


def test_hints_for_wrong_names() -> None:
    for name, hint in (("b", "under the id of the exercise that the student had"), ("b-3", "did you mean b-")):
        with pytest.raises(DocumentError) as raised:
            EXAM.answered(answered({name: {"move": "a1"}}))
        assert hint in raised.value.problems[0].hint


def test_an_empty_variant_beside_an_answered_one_says_nothing() -> None:
    assert EXAM.answered(answered({"b-1": {}, "b-2": {"move": "a1"}})) == {"b": "b-2"}
    assert EXAM.answered(answered({"b-1": {}})) == {"b": "b-1"}


@pytest.mark.parametrize("odd", [["a1"], "a1", 5])
def test_a_part_that_is_no_mapping_is_left_aside(odd: Any) -> None:
    answer = answered({"a": odd, "b-1": {"move": "a1"}})
    first, second = EXAM.split(answer)
    assert first.answer.answers == {} and second.answer.answers == {"move": "a1"}
    assert EXAM.left_aside(answer) == ("a",)


def test_names_are_compared_in_one_form() -> None:
    found = exam({"exercise": move("caf\u00e9")})
    assert found.answered(answered({"cafe\u0301": {"move": "a1"}})) == {"caf\u00e9": "caf\u00e9"}
