"""Exports, read by other eyes than those that wrote them, give the marks that plymark gives; and answers come back."""

from __future__ import annotations

import csv
import io
import json
import random
import re
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from html import escape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from typer import Exit

from grader.cli.export import export_exercises
from grader.delivery.systems.answer_boxes import CHOICE, TEXT, TICKS, Box, answer_in
from grader.delivery.systems.canvas import as_canvas_marks
from grader.delivery.systems.exercise_forms import CarriedQuestion, exercise_form, introduction
from grader.delivery.systems.exporter import IN_CANVAS, ExportOptions, standalone, zipped
from grader.delivery.systems.moodle import cloze_text
from grader.delivery.systems.system_registry import EXPORTERS
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise
from grader.intake.system_responses import kind_of, read_responses
from grader.kernel.csv_sheets import CsvRows
from grader.marking.grader import Grader
from grader.marking.run import Broken
from grader.people.roster import read_roster
from grader.questions.exercise import Exercise
from grader.questions.registry import ask_of
from solver.kernel import DEFAULT_LIMITS, UsageError
from tests.support.command import plymark_within as plymark
from tests.support.learning_systems import canvas_quizzes, cloze, moodle_questions
from tests.support.paths import ROOT

EXERCISES = sorted((ROOT / "exercises").glob("*.yaml"))
OPTIONS = ExportOptions()

STRICT = """
plymark: exercise/1
id: strict
title: "Signs } # ~ / \\" \\\\ { <b> & * [x] ]]>"
text: "Signs } # ~ / \\" \\\\ {1:SA:=x} <b> & [b1] ]]>"
game: {tree: [[3, 12.5, 8], [2, 4, 6], [14, 5, 2]]}
convention: aima3
questions:
  - {id: values, ask: values, marks: 4, rubric: {weights: {A: 2}}}
  - {id: truth, ask: values, of: minimax, nodes: [B, C, D], marks: 3}
  - {id: windows, ask: windows, marks: 2}
  - {id: bounds, ask: inequalities, nodes: [C, D], marks: 1}
  - {id: move, ask: move, marks: 1}
  - {id: count, ask: count, marks: 1}
  - {id: fewest, ask: fewest, marks: 1.5}
  - {id: prunable, ask: prunable, nodes: [L1, L5], marks: 1}
  - {id: doubled, ask: transform, by: "2*v + 3", marks: 1}
  - {id: claim, ask: choice, claim: alpha-beta-same-value, marks: 1}
marking: {follow_through: 0, other_convention: none}
"""
FRACTIONS = """
plymark: exercise/1
id: fractions
language: pt
game:
  tree:
    turn: chance
    children:
      - {p: 1/3, id: B, turn: min, children: [1, -2.5]}
      - {p: 2/3, id: C, turn: min, children: [4, 7]}
questions:
  - {id: values, ask: values, marks: 3}
marking: {follow_through: 0, other_convention: none}
"""
VECTORS = """
plymark: exercise/1
id: vectors
game: {players: [A, B, C], tree: [[[1, 2, 6], [4, 2, 3]], [[6, 1, 2], [7, 4, 1]]]}
questions: [{id: vectors, ask: vectors, marks: 3}]
marking: {follow_through: 0, other_convention: none}
"""
ROUNDED = """
plymark: exercise/1
id: rounded
game: {tree: {turn: chance, children: [{p: 1/4, value: 1}, {p: 3/4, value: 2.5}]}}
questions: [{id: values, ask: values, digits: 1, marks: 1}]
marking: {follow_through: 0, other_convention: none}
"""
DOCUMENTS = {"strict": STRICT, "fractions": FRACTIONS, "vectors": VECTORS, "rounded": ROUNDED}


def exercise(folder: Path, text: str, name: str = "exercise") -> Exercise:
    file = folder / f"{name}.yaml"
    file.write_text(text, "utf-8")
    return load_exercise(file)


def responses(box: Box, chance: random.Random) -> str:
    """What somebody may write into a box: right, wrong by a known mistake, or nonsense."""
    spelt = list(box.choices) if box.kind == CHOICE else list(box.accepted)
    wrong = [] if box.kind == CHOICE else [text for each in box.wrong for text in each.texts]
    nonsense = [] if box.kind == CHOICE else ["99", "x", "(1, 2)", "2.4", "2,5", ">= 2", "<= 3"]
    return chance.choice([*spelt, *(spelt * 2), *wrong, *nonsense, ""])


def on_canvas(of: Exercise) -> Sequence[CarriedQuestion]:
    return as_canvas_marks(exercise_form(of, OPTIONS, IN_CANVAS)).questions


def by_plymark(of: Exercise, carried: Sequence[CarriedQuestion], texts: Sequence[str]) -> dict[str, Fraction]:
    rest = iter(texts)
    written = {
        each.question.id: answer_in(each.question, each.boxes, [next(rest) for _ in each.boxes]) for each in carried
    }
    answers = {name: answer for name, answer in written.items() if answer is not None}
    report = Grader(of).grade(Answer(of.id, "s", answers))
    return {found.question.id: found.marks for found in report.questions()}


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "rounded"])
def test_moodle_marks_as_plymark_does(name: str, tmp_path: Path) -> None:
    of = exercise(tmp_path, DOCUMENTS[name])
    made = EXPORTERS["moodle"].write([of], ExportOptions(faithful_only=True))
    assert isinstance(made.content, bytes)
    carried = [each for each in exercise_form(of, OPTIONS).questions if not each.provisional]
    (parts,) = moodle_questions(made.content).values()
    boxes = [box for each in carried for box in each.boxes]
    assert len(parts) == len(boxes) > 0
    scale = sum((part.weight for part in parts), Fraction(0)) / sum(each.question.marks for each in carried)
    chance = random.Random(6)
    seen = set()
    for attempt in range(150):
        texts = [responses(box, chance) if attempt else box.right for box in boxes]
        earned = sum(part.weight * part.matched(text)[0] for part, text in zip(parts, texts, strict=True)) / scale
        marks = sum(by_plymark(of, carried, texts).values())
        assert earned == marks, texts
        seen.add(marks)
        assert attempt or marks == sum(each.question.marks for each in carried)
    assert len(seen) > 2


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name != "rounded"])
def test_canvas_marks_as_plymark_does(name: str, tmp_path: Path) -> None:
    of = exercise(tmp_path, DOCUMENTS[name])
    made = EXPORTERS["canvas"].write([of], ExportOptions(faithful_only=True))
    assert isinstance(made.content, bytes)
    carried = {each.question.id: each for each in on_canvas(of) if not each.provisional}
    (items,) = canvas_quizzes(made.content).values()
    assert [item.title for item in items] == [f"{of.id}/{each}" for each in carried] != []
    chance = random.Random(7)
    for attempt in range(150):
        for item in items:
            each = carried[item.title.partition("/")[2]]
            texts = [responses(box, chance) if attempt else box.right for box in each.boxes]
            marks = by_plymark(of, [each], texts)[each.question.id]
            assert abs(item.marks(texts) - marks) < Fraction(1, 1000), (item.title, texts)
            assert attempt or marks == each.question.marks


def test_what_is_provisional_has_a_reason(tmp_path: Path) -> None:
    strict = exercise(tmp_path, STRICT)
    loose = exercise(tmp_path, STRICT.replace("{follow_through: 0, other_convention: none}", "{}"), "loose")
    assert [each.question.id for each in exercise_form(strict, OPTIONS).questions if each.provisional] == []
    there = {each.question.id: each.provisional for each in on_canvas(strict)}
    assert there["values"] == "Canvas marks every box alike" and there["truth"] is None
    rounded = exercise(tmp_path, ROUNDED, "rounded")
    more_digits = ["numbers with more digits are right too"]
    assert [each.provisional for each in on_canvas(rounded)] == more_digits
    assert [each.provisional for each in exercise_form(rounded, OPTIONS).questions] == more_digits
    reasons = {each.question.id: each.provisional for each in exercise_form(loose, OPTIONS).questions}
    assert reasons["values"] == reasons["move"] == "no follow-through"
    assert reasons["fewest"] is reasons["claim"] is None
    two_ply = exercise_form(load_exercise(ROOT / "exercises" / "two-ply.yaml"), OPTIONS)
    assert {each.question for each in two_ply.provisional} == {"values", "windows", "pruned", "move"}


@pytest.mark.slow
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_every_exercise_of_ours_exports_and_the_key_earns_everything(path: Path) -> None:
    of = load_exercise(path)
    made = EXPORTERS["moodle"].write([of], OPTIONS)
    assert isinstance(made.content, bytes)
    (parts,) = moodle_questions(made.content).values()
    carried = exercise_form(of, OPTIONS).questions
    boxes = [box for each in carried for box in each.boxes]
    right = [box.right if box.worth else "" for box in boxes]
    for part, box, text in zip(parts, boxes, right, strict=True):
        assert not box.worth or part.matched(text)[0] > 1 - Fraction(1, 10**6)
    assert sum(by_plymark(of, carried, right).values()) == sum(each.question.marks for each in carried)
    # Every spelling that a system is told to accept is right here too.
    for each in carried:
        for box in each.boxes:
            if box.kind == TEXT and len(each.boxes) == 1:
                for text in box.accepted:
                    assert by_plymark(of, [each], [text])[each.question.id] == each.question.marks, text
    canvas = EXPORTERS["canvas"].write([of], OPTIONS)
    assert isinstance(canvas.content, bytes)
    (items,) = canvas_quizzes(canvas.content).values()
    assert len(items) == len(carried)
    for item, each in zip(items, on_canvas(of), strict=True):
        assert item.marks([box.right for box in each.boxes]) == item.points, item.title


def test_known_mistakes_are_told() -> None:
    of = load_exercise(ROOT / "exercises" / "two-ply.yaml")
    made = EXPORTERS["moodle"].write([of], OPTIONS).content
    assert isinstance(made, bytes)
    (parts,) = moodle_questions(made).values()
    share, feedback = parts[0].matched("14")
    assert share == 0 and feedback.startswith("Everyone maximises.")
    assert parts[2].matched("<= 2")[0] == parts[2].matched("2")[0] == parts[2].matched("≤2")[0] == 1
    in_persian = EXPORTERS["moodle"].write([of], ExportOptions(language="fa")).content
    assert isinstance(in_persian, bytes)
    text = in_persian.decode()
    assert 'dir="rtl" lang="fa"' in text and "همه" in text
    assert moodle_questions(in_persian)


@pytest.mark.parametrize("language", ["pt", "es", "fa"])
def test_choices_and_digits_of_the_students_language(language: str, tmp_path: Path) -> None:
    of = exercise(tmp_path, STRICT)
    carried = exercise_form(of, ExportOptions(language=language)).questions
    boxes = {(each.question.id, box.item): box for each in carried for box in each.boxes}
    assert boxes["prunable", "L5"].choices != ("yes", "no")
    right = [box.right if box.worth else "" for each in carried for box in each.boxes]
    assert sum(by_plymark(of, carried, right).values()) == of.out_of
    for each in carried:
        for box in each.boxes:
            if box.kind == CHOICE:
                assert 0 < len(box.accepted) < len(box.choices)
    if language == "fa":
        assert {"۳", "3"} <= set(boxes["values", "A"].accepted) and {"(۳, ∞)", "(۳، ∞)", "(3، inf)"} <= set(
            boxes["windows", "C"].accepted
        )
    else:
        assert not any("۰" <= sign <= "۹" for box in boxes.values() for text in box.accepted for sign in text)
    made = EXPORTERS["moodle"].write([of], ExportOptions(language=language)).content
    assert isinstance(made, bytes) and moodle_questions(made)


def test_signs_mean_nothing_to_the_cloze_grammar() -> None:
    nasty = "} # ~ / \" \\ {2:SA:=x} = % & &amp; < > * '"
    feedback = cloze_text(escape(nasty))
    (part,) = cloze(f"{{1:SHORTANSWER:={cloze_text(nasty)}~%0%{cloze_text(nasty * 2)}#{feedback}}}")
    assert part.answers[0][1] == nasty and part.answers[1][1] == nasty * 2 and part.answers[1][3] == nasty
    assert len(part.answers) == 2


def test_the_convention_and_the_code_stand_in_every_export(tmp_path: Path) -> None:
    of = exercise(tmp_path, STRICT.replace("id: strict", "id: strict-07"))
    moodle = EXPORTERS["moodle"].write([of], OPTIONS).content
    assert isinstance(moodle, bytes)
    root = ElementTree.fromstring(moodle)
    text, name = root[1].findtext("questiontext/text") or "", root[1].findtext("name/text") or ""
    assert "(strict-07)" in text and "(strict-07)" in name
    assert "fail-soft" in text
    deep = exercise_form(load_exercise(ROOT / "exercises" / "deep-cut.yaml"), OPTIONS)
    assert any("Reaching a bound is enough for a cut" in rule for rule in deep.rules)
    page = "".join(introduction(deep, "x", str))
    assert all(rule in page for rule in deep.rules)
    # The picture is the blank one.
    picture = root[1].findtext("questiontext/file") or ""
    assert len(picture) > 1000 and "✂" not in text
    canvas = EXPORTERS["canvas"].write([of], OPTIONS).content
    assert isinstance(canvas, bytes)
    archive = zipfile.ZipFile(io.BytesIO(canvas))
    quiz = next(name for name in archive.namelist() if re.fullmatch(r"(g\w+)/\1\.xml", name))
    assert "strict-07" in archive.read(quiz).decode() and "fail-soft" in archive.read(quiz).decode()


@pytest.mark.parametrize("target", EXPORTERS)
def test_the_same_bytes_every_time(target: str, tmp_path: Path) -> None:
    """On two processes as on one."""
    of = exercise(tmp_path, STRICT)
    both = [of, replace(of, id="other")]
    done: list[int] = []
    on_two = replace(OPTIONS, jobs=2, heard=lambda: done.append(1))
    assert EXPORTERS[target].write(both, on_two) == EXPORTERS[target].write(both, OPTIONS)
    assert len(done) == (0 if target == "gradescope" else 2)


@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_a_packed_exercise_stands_alone(path: Path, tmp_path: Path) -> None:
    of = load_exercise(path)
    file = tmp_path / "packed.json"
    file.write_bytes(standalone(of, DEFAULT_LIMITS))
    again = load_exercise(file)
    assert (again.questions, again.marking, again.convention) == (of.questions, of.marking, of.convention)
    one, other = Grader(of).declared, Grader(again).declared
    for question in of.questions:
        assert ask_of(question).shown(one.of(question)) == ask_of(question).shown(other.of(question))


def test_the_command_names_what_it_cannot_do(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two_ply = str(ROOT / "exercises" / "two-ply.yaml")
    export_exercises([two_ply], "moodle", tmp_path / "quiz.xml", OPTIONS)
    told = capsys.readouterr().err
    assert "provisional: two-ply: values: no follow-through" in told
    assert moodle_questions((tmp_path / "quiz.xml").read_bytes())
    assert export_exercises([two_ply], "moodle", tmp_path / "none.xml", ExportOptions(faithful_only=True)) == 1
    assert "left out: two-ply: values" in capsys.readouterr().err
    copy = tmp_path / "two-ply.yaml"
    copy.write_text(STRICT.replace("id: strict", "id: two-ply"), "utf-8")
    with pytest.raises(UsageError, match="both called 'two-ply'"):
        export_exercises([two_ply, str(copy)], "moodle", tmp_path / "x.xml", OPTIONS)
    broken = tmp_path / "broken.yaml"
    broken.write_text("plymark: exercise/1\nid: x\n", "utf-8")
    with pytest.raises(Exit) as stopped:
        export_exercises([two_ply, str(broken)], "canvas", tmp_path / "x.zip", OPTIONS)
    assert stopped.value.exit_code == 1
    assert "broken.yaml:" in capsys.readouterr().err and not (tmp_path / "x.zip").exists()


# The way back


def sheet(*rows: Sequence[str]) -> bytes:
    buffer = io.StringIO()
    csv.writer(buffer).writerows(rows)
    return buffer.getvalue().encode()


def moodle_cell(texts: Sequence[str], word: str = "part") -> str:
    return "; ".join(f"{word} {number}: {text}" for number, text in enumerate(texts, start=1))


def filled(carried: Sequence[CarriedQuestion]) -> list[str]:
    return [box.right if box.worth else "" for each in carried for box in each.boxes]


def canvas_cell(each: CarriedQuestion, texts: Sequence[str]) -> str:
    """What was ticked stands there like the texts of several boxes."""
    if each.boxes[0].kind == TICKS:
        texts = texts[0].split("; ")
    return texts[0] if len(texts) == 1 else ",".join(text.replace(",", "\\,") for text in texts)


HEADER = ["Last name", "First name", "Email address", "State", "Grade/11.00", "Question 1", "Response 1"]


def moodle_row(of: Exercise) -> list[str]:
    """A student who has everything right."""
    answered = moodle_cell(filled(exercise_form(of, OPTIONS).questions))
    return ["Lovelace", "Ada", "ada@example.org", "Finished", "3", f"The tree ({of.id}) …", answered]


@pytest.mark.slow
@pytest.mark.parametrize("path", EXERCISES, ids=lambda path: path.stem)
def test_moodle_and_canvas_responses_come_back(path: Path) -> None:
    of = load_exercise(path)
    carried = exercise_form(of, OPTIONS).questions
    full = sum(each.question.marks for each in carried)
    row = moodle_row(of)
    (answer,) = read_responses(rows_of(sheet(HEADER, row)), "r.csv", [of])
    assert isinstance(answer, Answer) and answer.student == "ada@example.org"
    assert Grader(of).grade(answer).exact_marks == full
    columns = [f"{900 + place}: Which? ({of.id}/{each.question.id}) b1" for place, each in enumerate(carried)]
    cells = []
    there = on_canvas(of)
    rest = iter(filled(there))
    for each in there:
        cells.append(canvas_cell(each, [next(rest) for _ in each.boxes]))
    header = ["name", "id", "sis_id", "section", "submitted", *(cell for each in columns for cell in (each, "1.0"))]
    values = ["Ada Lovelace", "7", "s1", "A", "2026-11-16", *(cell for each in cells for cell in (each, "0.0"))]
    assert kind_of(header) == "canvas"
    (answer,) = read_responses(rows_of(sheet(header, values)), "c.csv", [of])
    assert isinstance(answer, Answer) and answer.student == "s1"
    assert Grader(of).grade(answer).exact_marks == full


def rows_of(raw: bytes) -> CsvRows:
    return CsvRows(io.BytesIO(raw), 10**6)


def test_responses_of_several_variants_with_a_roster(tmp_path: Path) -> None:
    variants = [exercise(tmp_path, STRICT.replace("id: strict", f"id: v{number}"), f"v{number}") for number in range(2)]
    roster = read_roster(b"id,name,login,e-mail\ns1,Ada Lovelace,ada,ada@x.org\ns2,Alan Turing,alan,alan@x.org\n")
    one, other = (filled(exercise_form(of, OPTIONS).questions) for of in variants)
    other[0] = "odd; part 7: text"
    rows = [
        ["Turing", "Alan", "ALAN@x.org", "Finished", "3", "… (v1) …", moodle_cell(other, "parte")],
        ["Lovelace", "Ada", "", "Finished", "3", "… (v0) …", moodle_cell(one, "بخش")],
        ["Nobody", "X", "x@x.org", "Finished", "3", "… (v0) …", moodle_cell(one)],
        ["Few", "Ada", "ada@x.org", "Finished", "3", "… (v0) …", moodle_cell(one[:3])],
        ["Overall average", "", "", "", "3.00", "", "-"],
    ]
    alan, ada, nobody, few = read_responses(rows_of(sheet(HEADER, *rows)), "r.csv", variants, roster)
    assert isinstance(alan, Answer) and (alan.student, alan.exercise, alan.name) == ("s2", "v1", "Alan Turing")
    assert alan.answers["values"]["A"] == "odd; part 7: text"
    assert isinstance(ada, Answer) and (ada.student, ada.exercise, ada.variant) == ("s1", "v0", "v0")
    assert isinstance(nobody, Broken) and nobody.line == 4 and "roster" in nobody.problems[0].message
    assert isinstance(few, Broken) and "3 parts" in few.problems[0].message
    without_text = [[*HEADER[:5], "Response 1"], [*rows[0][:5], rows[0][6]]]
    (untold,) = read_responses(rows_of(sheet(*without_text)), "r.csv", variants, roster)
    assert isinstance(untold, Broken) and "variant" in untold.problems[0].message


def test_canvas_responses_with_a_gap_are_not_guessed() -> None:
    of = load_exercise(ROOT / "exercises" / "two-ply.yaml")
    header = ["name", "id", "12: text (two-ply/values)", "4.0", "13: text (two-ply/move)", "1.0"]
    found = list(
        read_responses(
            rows_of(sheet(header, ["Ada", "7", "3,3,2", "1", "a1", "1"], ["B", "8", "3,,2,2", "", "", ""])), "c", [of]
        )
    )
    assert isinstance(found[0], Broken) and "3 answers for 4 boxes" in found[0].problems[0].message
    assert isinstance(found[1], Answer) and found[1].answers == {"values": {"A": "3", "C": "2", "D": "2"}}


def test_archives_have_no_time_in_them() -> None:
    with zipfile.ZipFile(io.BytesIO(zipped({"a": b"1"}))) as archive:
        assert archive.infolist()[0].date_time == (1980, 1, 1, 0, 0, 0)


@pytest.mark.slow
def test_grade_takes_a_learning_systems_own_sheet(tmp_path: Path) -> None:
    path = ROOT / "exercises" / "two-ply.yaml"
    of = load_exercise(path)
    row = moodle_row(of)
    (tmp_path / "r.csv").write_bytes(sheet(HEADER, row))
    (tmp_path / "roster.csv").write_text("student,e-mail\ns1815,ada@example.org\n", "utf-8")
    ran = plymark("grade", path, tmp_path / "r.csv", "--roster", tmp_path / "roster.csv", "-f", "json")
    assert ran.code == 0, ran.stderr
    report = json.loads(ran.stdout)
    assert (report["student"], report["marks"]) == ("s1815", 11)


@pytest.mark.slow
def test_many_variants_are_told_of_once(tmp_path: Path) -> None:
    for number in range(5):
        text = (ROOT / "exercises" / "two-ply.yaml").read_text("utf-8").replace("id: two-ply", f"id: v{number}")
        (tmp_path / f"v{number}.yaml").write_text(text.replace("../specs", str(ROOT / "specs")), "utf-8")
    ran = plymark("export", tmp_path, "--to", "moodle", "--out", tmp_path / "quiz.xml")
    assert ran.code == 0 and "provisional: v0 and 4 more: values: no follow-through\n" in ran.stderr
    assert len(ran.stderr.splitlines()) < 8


@pytest.mark.slow
def test_nothing_is_lost_by_an_export(tmp_path: Path) -> None:
    """Neither its own input, nor where another export left variants, nor by an empty one."""
    path = tmp_path / "two-ply.yaml"
    text = (ROOT / "exercises" / "two-ply.yaml").read_text("utf-8").replace("../specs", str(ROOT / "specs"))
    path.write_text(text, "utf-8")
    assert plymark("export", path, "--to", "moodle", "--out", path).code == 2 and path.read_text("utf-8") == text
    ran = plymark("export", path, "--to", "canvas", "--faithful-only", "--out", tmp_path / "q.zip")
    assert ran.code == 1 and "nothing is written" in ran.stderr and not (tmp_path / "q.zip").exists()
    assert plymark("export", path, "--to", "prairielearn", "--out", tmp_path / "course").code == 0
    path.write_text(text.replace("id: two-ply", "id: other"), "utf-8")
    (folder,) = {file.parent for file in (tmp_path / "course").rglob("exercises/*.json")}
    (folder / "old.json").write_bytes(b"{}")
    path.write_text(text, "utf-8")
    ran = plymark("export", path, "--to", "prairielearn", "--out", tmp_path / "course")
    assert ran.code == 2 and "earlier export, such as old.json" in ran.stderr


def test_one_question_is_made_of_variants_only(tmp_path: Path) -> None:
    ran = plymark("export", ROOT / "exercises", "--to", "gradescope", "--out", tmp_path / "a.zip")
    assert ran.code == 2 and "not variants of one another" in ran.stderr


def test_a_roster_that_is_not_there_is_no_crash(tmp_path: Path) -> None:
    path = ROOT / "exercises" / "two-ply.yaml"
    ran = plymark("grade", path, ROOT / "exercises" / "answers", "--roster", tmp_path / "no.csv")
    assert ran.code == 2 and "no.csv" in ran.stderr
