"""Archives for the uploads of Moodle and Canvas: what is in them goes to whom it belongs.

`tests/clients/moodle_feedback.json` is what Moodle's own importer made of the names below.
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import pytest

from grader.documents.answer_file import Answer
from grader.feedback.files import FeedbackFile
from grader.feedback.zips import FeedbackZip, canvas_place, moodle_place
from grader.people.roster import Roster, read_roster
from tests.support.command import plymark_within
from tests.support.paths import ROOT

RECORDED = ROOT / "tests/clients/moodle_feedback.json"
NAMES = {
    "4701": "Ada Lovelace",
    "4702": "Ana_Maria_7_x",
    "4703": "Müller, Zoë",
    "4704": "علی رضایی",
    "4705": "12_34_assignsubmission_file",
    "4706": "../../etc/passwd",
    "4707": "~tilde",
    "4708": ".hidden",
    "4709": "x" * 300,
    "4710": "_",
    "4711": 'a<b>:"c|d?*\\e',
    "4712": "\u202eevil",
}
"""By Moodle's number of the participant, what students are called."""
DOWNLOADED = {
    "4721": "submissions/Ben Bitdiddle_4721_assignsubmission_file/answer.yaml",
    "4722": "submissions/Chloe_4722_assignsubmission_file_/answer.yaml",
    "4723": "submissions/Dan Dee_4723_assignsubmission_file_answer_2_final.yaml",
    "4724": "submissions/Eve_4724_assignsubmission_onlinetext/onlinetext.html",
}
"""Answers as Moodle gave them out: in folders, as it did before 4.1, and without folders."""


def archive(system: str, files: list[FeedbackFile], roster: Roster | None = None) -> tuple[bytes, list[str]]:
    packed = FeedbackZip(system, roster)
    for file in files:
        packed.add(file)
    return packed.finished(), packed.left_out


def page(student: str, source: str = "answers/a.yaml") -> FeedbackFile:
    return FeedbackFile(f"{student}.html", student.encode(), Answer("two-ply", student, {}, source=source))


def moodle_archive() -> bytes:
    roster = Roster(
        names={f"s{number}": name for number, name in NAMES.items()},
        participants={f"s{number}": number for number in NAMES},
    )
    files = [page(f"s{number}") for number in NAMES] + [page(number, source) for number, source in DOWNLOADED.items()]
    made, left_out = archive("moodle", files, roster)
    assert left_out == []
    return made


def test_moodle_gives_every_file_to_its_student() -> None:
    recorded = json.loads(RECORDED.read_bytes())
    with zipfile.ZipFile(io.BytesIO(moodle_archive())) as packed:
        assert packed.namelist() == list(recorded)
        for path, found in recorded.items():
            assert found == {
                "participant": packed.read(path).decode().removeprefix("s"),
                "plugin": "assignfeedback_file",
                "file": "feedback-two-ply.html",
            }


def test_the_grading_worksheet_is_a_roster() -> None:
    sheet = (
        "Identifier,Full name,Email address,Status,Grade,Maximum grade\n"
        'Participant 4711,"Lovelace, Ada",ada@example.org,,,10\n'
    )
    roster = read_roster(sheet.encode())
    place = moodle_place(Answer("e", "ADA@example.org", {}), roster, "f.html")
    assert place == "Lovelace, Ada_4711_assignfeedback_file/f.html"
    assert moodle_place(Answer("e", "ben@example.org", {}), roster, "f.html") is None
    brazilian = "Identificador,Nome completo,Endereço de email\nParticipante4711,Ada,ada@example.org\n"
    place = moodle_place(Answer("e", "ada@example.org", {}), read_roster(brazilian.encode()), "f.html")
    assert place == "Ada_4711_assignfeedback_file/f.html"


@pytest.mark.parametrize(
    ("source", "place"),
    [
        ("s/lovelaceada_1234_5678_answer.yaml", "lovelaceada_1234_5678_f.html"),
        ("s/lovelaceada_LATE_1234_5678_answer-1.yaml", "lovelaceada_LATE_1234_5678_f.html"),
        ("s/lovelaceada_1234_LATE_5678_99_answer.yaml", "lovelaceada_1234_LATE_5678_f.html"),
        ("s/anon_aB3xZ_5678_answer.yaml", "anon_aB3xZ_5678_f.html"),
        ("s/anon_LATE_aB3xZ_5678_answer.yaml", "anon_LATE_aB3xZ_5678_f.html"),
        ("s/lovelaceada_1234_text.html", None),
        ("s1024.yaml", None),
        ("", None),
    ],
)
def test_canvas_files_keep_the_numbers_that_canvas_gave(source: str, place: str | None) -> None:
    assert canvas_place(Answer("e", "s", {}, source=source), Roster(), "f.html") == place


def test_who_has_no_place_is_left_out_and_named() -> None:
    made, left_out = archive("canvas", [page("ana", "s/ana_1_2_a.yaml"), page("ben"), page("ana", "s/ana_1_2_b.yaml")])
    assert left_out == ["ben", "ana"]
    with zipfile.ZipFile(io.BytesIO(made)) as packed:
        assert packed.namelist() == ["ana_1_2_feedback-two-ply.html"]


def test_the_index_stays_with_the_teacher() -> None:
    made, left_out = archive("moodle", [FeedbackFile("index.html", b"marks of all")])
    with zipfile.ZipFile(io.BytesIO(made)) as packed:
        assert packed.namelist() == left_out == []


def test_the_command_packs(tmp_path: Path) -> None:
    folder = tmp_path / "submissions" / "Ada Lovelace_4711_assignsubmission_file"
    folder.mkdir(parents=True)
    answer = (ROOT / "exercises/answers/two-ply-right.yaml").read_bytes()
    (folder / "answer.yaml").write_bytes(answer)
    command = ["grade", str(ROOT / "exercises/two-ply.yaml"), str(tmp_path / "submissions"), "--zip", "moodle"]
    assert plymark_within(*command).code == 2
    command += ["--format", "html", "--out", str(tmp_path / "out")]
    assert plymark_within(*command).code == 0
    with zipfile.ZipFile(tmp_path / "out/feedback-moodle.zip") as packed:
        assert packed.namelist() == ["Ada Lovelace_4711_assignfeedback_file/feedback-two-ply.html"]
    (tmp_path / "submissions/other.yaml").write_bytes(answer.replace(b"s1024", b"s9"))
    made = plymark_within(*command)
    assert made.code == 1
    assert "s9 is not in it: neither the answer's folder nor the roster has Moodle's number" in made.stderr
