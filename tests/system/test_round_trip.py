"""Answers that learning systems collected come back, each to its variant.

`round_trip/` holds what the systems themselves wrote: a quiz of Moodle 5.0.8 with a random slot, taken by four
students, and its Responses report in several settings.
"""

from __future__ import annotations

import csv
import io
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import plymark_within as plymark
from tests.support.paths import ROOT

HERE = ROOT / "tests" / "round_trip"
VARIANTS = HERE / "variants"
FIRST, SECOND, THIRD = (f"alpha-beta-easy-{code}" for code in ("01JY", "02GX", "03VN"))
RIGHT = {"values": {"N": 7, "O": 7, "P": 1, "Q": 3}, "pruned": ["X5", "X6", "X9"], "move": "n1"}
"""To the second."""


def reports(*arguments: str | Path) -> dict[str, Any]:
    ran = plymark("grade", *arguments, "--format", "json")
    return {report["student"]: report for report in map(json.loads, ran.stdout.splitlines())}


def answer(student: str, exercise: str = SECOND, **more: str) -> dict[str, Any]:
    return {"plymark": "answer/1", "exercise": exercise, "student": student, **more, "answers": RIGHT}


def lines(path: Path, *answers: dict[str, Any]) -> Path:
    path.write_text("".join(json.dumps(each) + "\n" for each in answers), "utf-8")
    return path


@pytest.mark.parametrize("name", ["moodle", "moodle-right"])
def test_responses_of_a_random_slot_go_to_their_variants(name: str) -> None:
    found = reports(VARIANTS, HERE / f"{name}.csv")
    told = {student.split("@")[0]: (report["exercise"], report["marks"]) for student, report in found.items()}
    assert told == {"u0": (SECOND, 8), "u1": (SECOND, 6), "u2": (THIRD, 7), "u3": (FIRST, 0)}


def test_a_student_who_saved_nothing_earns_nothing() -> None:
    """The right answers were downloaded as well, and are nobody's."""
    found = reports(VARIANTS, HERE / "moodle-unfinished.csv")
    assert [report["marks"] for report in found.values()] == [8, 6, 0, 0]


def test_without_the_text_no_variant_is_guessed() -> None:
    ran = plymark("grade", VARIANTS, HERE / "moodle-no-text.csv")
    assert ran.code == 1 and ran.stdout == ""
    assert ran.stderr.count("download the responses with the question's text") == 4


def test_a_roster_says_who_is_who(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,e-mail\ns1,Ada Lovelace,U0@example.org\ns2,Alan Turing,\ns3,,u2@example.org\n", "utf-8")
    ran = plymark("grade", VARIANTS, HERE / "moodle.csv", "--roster", roster, "--format", "csv")
    rows = list(csv.DictReader(io.StringIO(ran.stdout.removeprefix("﻿"))))
    assert [(row["SIS Login ID"], row["Total"], row["Variant"]) for row in rows] == [
        ("s1", "8", SECOND),
        ("s2", "6", SECOND),
        ("s3", "7", THIRD),
    ]
    assert ran.code == 1 and "u3@example.org is not in the roster" in ran.stderr


def test_nobody_chooses_a_variant_in_the_answer(tmp_path: Path) -> None:
    raw = (HERE / "moodle.csv").read_text("utf-8")
    cheated = raw.replace("part 5: X5, X6, X9; part 6: h1", f"part 5: X5, X6, X9 ({SECOND}); part 6: h1")
    assert cheated != raw
    path = tmp_path / "moodle.csv"
    path.write_text(cheated, "utf-8")
    assert reports(VARIANTS, path)["u2@example.org"]["exercise"] == THIRD


def test_one_long_answer_costs_nobody_else_anything(tmp_path: Path) -> None:
    raw = (HERE / "moodle.csv").read_text("utf-8")
    path = tmp_path / "moodle.csv"
    path.write_text(raw.replace("part 3: 1; part 4: 3", f"part 3: {'9' * 200_000}; part 4: 3"), "utf-8")
    assert [report["marks"] for report in reports(VARIANTS, path).values()] == [7, 6, 7, 0]


def test_a_spreadsheet_may_have_saved_the_responses(tmp_path: Path) -> None:
    path = tmp_path / "moodle.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, delimiter=";").writerows(csv.reader(io.StringIO((HERE / "moodle.csv").read_text("utf-8-sig"))))
    assert [report["marks"] for report in reports(VARIANTS, path).values()] == [8, 6, 7, 0]


def test_the_table_names_variants() -> None:
    head, first, *_ = plymark("grade", VARIANTS, HERE / "moodle.csv").stdout.splitlines()
    assert head.split()[:2] == ["Student", "Variant"]
    assert first.split()[:6] == ["u0@example.org", SECOND, "4", "3", "1", "8"]


@pytest.mark.parametrize("language", ["en", "pt", "es", "fa"])
def test_a_class_summary_compares_variants(tmp_path: Path, language: str) -> None:
    page, sheet = tmp_path / "class.html", tmp_path / "class.csv"
    for path in (page, sheet):
        plymark("grade", VARIANTS, HERE / "moodle.csv", "--summary", path, "--language", language)
    rows = list(csv.DictReader(io.StringIO(sheet.read_text("utf-8-sig"))))
    means = {row["Name"]: row["Value"] for row in rows if row["Section"] == "variant mean"}
    assert means == {FIRST: "0", SECOND: "7", THIRD: "7"}
    # N, O and H are the roots: what was answered there is counted at one place, the first variant's.
    (root,) = (row for row in rows if row["Section"] == "item" and row["Question"] == "values" and row["Name"] == "O")
    assert (root["Value"], root["Of"]) == ("2", "4")
    text = page.read_text("utf-8")
    assert '<h2 id="variants">' in text and '<h2 id="heat">' in text and text.count(SECOND) == 1


def test_variants_of_other_shapes_have_no_heat_map(tmp_path: Path) -> None:
    shutil.copytree(VARIANTS, tmp_path / "variants")
    other = (VARIANTS / f"{SECOND}.yaml").read_text("utf-8").replace(", {id: X9, move: q3, value: 15}", "")
    (tmp_path / "variants" / f"{SECOND}.yaml").write_text(other, "utf-8")
    answers = lines(tmp_path / "a.jsonl", answer("s"), answer("t", FIRST))
    plymark("grade", tmp_path / "variants", answers, "--summary", tmp_path / "class.html")
    page = (tmp_path / "class.html").read_text("utf-8")
    assert 'id="questions"' in page and 'id="heat"' not in page and 'id="items"' not in page


def test_answers_name_their_variant_as_exercise_or_variant(tmp_path: Path) -> None:
    answers = lines(tmp_path / "a.jsonl", answer("s1"), answer("s2", "alpha-beta-easy", variant=SECOND))
    assert [report["marks"] for report in reports(VARIANTS, answers).values()] == [8, 8]


def test_an_answer_to_no_variant_is_named_and_not_guessed(tmp_path: Path) -> None:
    answers = lines(
        tmp_path / "a.jsonl",
        answer("s1", "alpha-beta-easy-02GY"),
        answer("s2", SECOND, variant=FIRST),
        {"student": "s3", "answers": RIGHT},
    )
    ran = plymark("grade", VARIANTS, answers)
    assert ran.code == 1 and ran.stdout == ""
    told = ran.stderr.splitlines()
    assert "not one of the 3 variants [other-exercise]" in told[0] and f"did you mean {SECOND}?" in told[1]
    assert f'answers the exercise "{SECOND}", and "{FIRST}" as well' in told[2]
    assert 'key "exercise" is missing' in told[3]


def test_a_sheet_says_which_variant(tmp_path: Path) -> None:
    sheet = tmp_path / "a.csv"
    sheet.write_text(f"student,variant,values.N,pruned,move\ns,{SECOND},7,X5 X6 X9,n1\n", "utf-8")
    assert reports(VARIANTS, sheet)["s"]["marks"] == 5
    sheet.write_text("student,values.N\ns,7\n", "utf-8")
    assert "no column says which variant is answered" in plymark("grade", VARIANTS, sheet).stderr


def test_exercises_that_ask_for_other_things_are_no_variants(tmp_path: Path) -> None:
    ran = plymark("grade", ROOT / "exercises", lines(tmp_path / "a.jsonl", answer("s")))
    assert ran.code == 2 and "not variants of one another" in ran.stderr


def test_regrading_goes_by_variants(tmp_path: Path) -> None:
    answers = lines(tmp_path / "a.jsonl", answer("s"), answer("t", FIRST))
    corrected = tmp_path / "corrected"
    shutil.copytree(VARIANTS, corrected)
    path = corrected / f"{SECOND}.yaml"
    path.write_text(path.read_text("utf-8").replace("value: 7}", "value: 6}"), "utf-8")
    ran = plymark("regrade", VARIANTS, corrected, answers, "--format", "csv")
    rows = {row["Student"]: row["Difference"] for row in csv.DictReader(io.StringIO(ran.stdout.removeprefix("﻿")))}
    assert rows == {"s": "-1", "t": "0"}
    path.unlink()
    ran = plymark("regrade", VARIANTS, corrected, answers)
    assert ran.code == 2 and f"there is no {SECOND} among the corrected exercises" in ran.stderr


def test_who_answers_the_variant_of_another_is_named(tmp_path: Path) -> None:
    """By the same rule as generate and booklets give them out."""
    secret, roster = tmp_path / "secret.txt", tmp_path / "class.csv"
    secret.write_text("rosebud\n", "utf-8")
    roster.write_text("student\n" + "".join(f"s{number}\n" for number in range(12)), "utf-8")
    out = tmp_path / "exam"
    recipe = ROOT / "recipes" / "minimax-easy.yaml"
    plymark("generate", recipe, "--count", "3", "--out", out, "--roster", roster, "--secret-file", secret)
    (given,) = out.glob("*.students.csv")
    theirs = {row["student"]: row["variant"] for row in csv.DictReader(io.StringIO(given.read_text("utf-8-sig")))}
    answers = lines(tmp_path / "a.jsonl", *(answer(student, variant) for student, variant in theirs.items()))
    assert "given" not in plymark("grade", out, answers, "--secret-file", secret).stderr
    other = next(name for name in theirs.values() if name != theirs["s1"])
    answers = lines(tmp_path / "a.jsonl", answer("s1", other), answer("s2", theirs["s2"]))
    ran = plymark("grade", out, answers, "--secret-file", secret)
    assert f"a.jsonl:1: s1 answers {other}, but was given {theirs['s1']}" in ran.stderr
    assert ran.stderr.count("given") == 1 and ran.code == 0
    # Without the list, the roster and the secret tell the same.
    given.unlink()
    told = plymark("grade", out, answers, "--secret-file", secret, "--roster", roster)
    assert told.stderr == ran.stderr


def test_a_booklet_writes_down_what_it_dealt(tmp_path: Path) -> None:
    """And obeys it from then on, whatever becomes of the roster."""
    roster, out = tmp_path / "class.csv", tmp_path / "exam"
    roster.write_text("student\n" + "".join(f"s{number}\n" for number in range(5)), "utf-8")
    plymark("generate", ROOT / "recipes" / "minimax-easy.yaml", "--count", "3", "--out", out)
    booklet = ("paper", out, "--to", "html", "--kind", "booklet", "--out", tmp_path / "papers", "--roster", roster)
    ran = plymark(*booklet)
    assert ran.code == 0 and f"who got which variant: {out / 'minimax-easy.students.csv'}\n" in ran.stderr
    (given,) = out.glob("*.students.csv")
    before = given.read_text("utf-8")
    pages = (tmp_path / "papers" / "index.html").read_bytes()
    assert "who got" not in plymark(*booklet).stderr and given.read_text("utf-8") == before
    roster.write_text("student\nnew\ns4\ns1\n", "utf-8")
    assert plymark(*booklet).code == 0
    after = given.read_text("utf-8")
    assert after.startswith(before) and after[len(before) :].startswith("new,new,minimax-easy-")
    assert pages != (tmp_path / "papers" / "index.html").read_bytes()
    theirs = {row["student"]: row["variant"] for row in csv.DictReader(io.StringIO(after))}
    answers = lines(tmp_path / "a.jsonl", answer("s0", theirs["s0"]), answer("s1", theirs["s0"]))
    ran = plymark("grade", out, answers)
    assert f"s1 answers {theirs['s0']}, but was given {theirs['s1']}" in ran.stderr and "s0 answers" not in ran.stderr


GRADESCOPE = HERE / "gradescope"


def test_what_a_group_submitted_is_the_answer_of_each() -> None:
    ran = plymark("grade", HERE / "gradescope-variants", GRADESCOPE, "--format", "json")
    told = [
        (report["student"], report["exercise"][-4:], report["marks"])
        for report in map(json.loads, ran.stdout.splitlines())
    ]
    assert told == [("2026001", "01YV", 13), ("2026002", "02BT", 5.13), ("2026003", "02BT", 5.13)]
    assert ran.code == 1 and "2026004 submitted no file of answers" in ran.stderr


def test_nobody_submits_in_the_name_of_another(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    shutil.copytree(GRADESCOPE, folder)
    path = folder / "submission_311200451" / "answer.yaml"
    path.write_text(
        "\n".join(
            "student: '2026002'" if line.startswith("student:") else line
            for line in path.read_text("utf-8").splitlines()
        )
    )
    found = reports(HERE / "gradescope-variants", folder)
    assert found["2026001"]["marks"] == 13 and found["2026002"]["marks"] == 5.13


def test_a_roster_finds_submitters_by_their_address(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text(
        "student,name,e-mail\nada,Ada Lovelace,ada@example.edu\ngrace,Grace Hopper,GRACE@example.edu\n", "utf-8"
    )
    found = reports(HERE / "gradescope-variants", GRADESCOPE, "--roster", roster)
    assert list(found) == ["ada", "grace"]
    ran = plymark("grade", HERE / "gradescope-variants", GRADESCOPE, "--roster", roster)
    assert "2026002 is not in the roster" in ran.stderr


def test_two_files_of_answers_are_not_chosen_between(tmp_path: Path) -> None:
    folder = tmp_path / "export"
    shutil.copytree(GRADESCOPE, folder)
    submission = folder / "submission_311200451"
    shutil.copy(submission / "answer.yaml", submission / "other.yaml")
    (folder / "submission_metadata.yml").write_text("not: [closed", "utf-8")
    ran = plymark("grade", HERE / "gradescope-variants", folder)
    assert "somebody submitted 2 files of answers" in ran.stderr and "1 marked" in ran.stderr


def test_gradebooks_go_by_the_rosters_logins_and_addresses(tmp_path: Path) -> None:
    roster = tmp_path / "roster.csv"
    roster.write_text("id,name,login,e-mail\ns1,Ada Lovelace,ada,u0@example.org\n", "utf-8")
    told = {}
    for gradebook in ("moodle", "canvas"):
        options = ("--roster", roster, "--format", "csv", "--gradebook", gradebook)
        ran = plymark("grade", VARIANTS, HERE / "moodle.csv", *options)
        told[gradebook] = list(csv.DictReader(io.StringIO(ran.stdout.removeprefix("﻿"))))[-1]
    assert (told["moodle"]["Username"], told["moodle"]["Email address"]) == ("ada", "u0@example.org")
    assert (told["canvas"]["Student"], told["canvas"]["SIS Login ID"]) == ("Ada Lovelace", "ada")
