"""A Gradescope autograder: its own scripts, as Gradescope calls them, give the marks that plymark gives."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from grader.delivery.systems import gradescope, gradescope_run
from grader.delivery.systems.exporter import ExportOptions
from grader.delivery.systems.system_registry import EXPORTERS
from grader.delivery.systems.wheels import own_wheel, requirements, wheels_in
from grader.documents.answer_file import load_answer_bytes
from grader.documents.exercise_file import load_exercise
from grader.marking.grader import Grader
from grader.questions.exercise import Exercise
from solver.kernel import UsageError
from tests.grader.delivery.test_exporters import STRICT, exercise
from tests.support.machine import missing
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

ANSWERS = sorted((ROOT / "exercises" / "answers").glob("two-ply-*.yaml"))
OPTIONS = ExportOptions()
VISIBILITIES = {"hidden", "after_due_date", "after_published", "visible"}
FORMATS = {"text", "html", "simple_format", "md", "ansi"}
TOP = {
    *("score", "execution_time", "output", "output_format", "test_output_format", "test_name_format", "visibility"),
    *("stdout_visibility", "extra_data", "tests", "leaderboard"),
}
OF_A_TEST = {
    *("score", "max_score", "status", "name", "name_format", "number", "output", "output_format", "tags"),
    *("visibility", "extra_data"),
}
"""All of it as Gradescope documents results.json."""


def autograder(folder: Path, of: Sequence[Exercise], options: ExportOptions = OPTIONS) -> Path:
    """The folder that stands for /autograder, with the zip unpacked."""
    made = EXPORTERS["gradescope"].write(of, options).content
    assert isinstance(made, bytes)
    root = folder / "autograder"
    with zipfile.ZipFile(io.BytesIO(made)) as archive:
        archive.extractall(root / "source")
        for name in ("setup.sh", "run_autograder"):
            assert archive.getinfo(name).external_attr >> 16 & 0o111, f"{name} must be executable"
    (root / "submission").mkdir()
    (root / "results").mkdir()
    return root


def hand_in(root: Path, content: str | bytes, name: str = "answer.yaml") -> None:
    file = root / "submission" / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content if isinstance(content, bytes) else content.encode())


def read(root: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((root / "results" / "results.json").read_bytes())
    assert set(found) <= TOP and "score" in found
    assert {found["visibility"], found["stdout_visibility"]} <= VISIBILITIES and found["output_format"] in FORMATS
    for test in found.get("tests", []):
        assert set(test) <= OF_A_TEST and test["status"] in ("passed", "failed")
        assert test["visibility"] in VISIBILITIES and test["output_format"] in FORMATS
    return found


def result(root: Path) -> dict[str, Any]:
    gradescope_run.main(root)
    found = read(root)
    shutil.rmtree(root / "submission")
    (root / "submission").mkdir()
    return found


@pytest.fixture
def two_ply(tmp_path: Path) -> Path:
    return autograder(tmp_path, [load_exercise(ROOT / "exercises" / "two-ply.yaml"), exercise(tmp_path, STRICT)])


@pytest.mark.parametrize("file", ANSWERS, ids=lambda file: file.stem)
def test_the_marks_are_plymarks(file: Path, two_ply: Path) -> None:
    hand_in(two_ply, file.read_bytes())
    found = result(two_ply)
    report = Grader(load_exercise(ROOT / "exercises" / "two-ply.yaml")).grade(load_answer_bytes(file.read_bytes()))
    assert found["score"] == pytest.approx(float(report.marks))
    assert [test["score"] for test in found["tests"]] == [
        pytest.approx(float(each.marks), abs=0.005) for each in report.questions()
    ]
    assert [test["max_score"] for test in found["tests"]] == [each.question.marks for each in report.questions()]
    assert {test["visibility"] for test in found["tests"]} == {"after_published"} == {found["visibility"]}
    assert "L5" not in found["output"]


BOMB = "plymark: answer/1\na: &a [x, x]\n" + "".join(f"{y}: &{y} [*{x}, *{x}]\n" for x, y in pairwise("abcde"))
RIGHT = (ROOT / "exercises" / "answers" / "two-ply-right.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({}, "no file of answers"),
        ({"answer.pdf": "%PDF"}, "no file of answers"),
        ({"answer.yaml": ""}, "no document"),
        ({"answer.yaml": b"\xff\xfe"}, "not UTF-8"),
        ({"answer.yaml": "plymark: answer/1\nexercise: ["}, "answer.yaml:"),
        ({"answer.yaml": "plymark: answer/1\nexercise: other\nstudent: s\nanswers: {}"}, "exercises here are"),
        ({"one.yaml": RIGHT, "two.yaml": RIGHT}, "more than one file"),
        ({"answer.yaml": BOMB}, "not allowed"),
        ({"answer.yaml": "x" * 10_000_000}, "answer.yaml:"),
        ({"answer.json": "[" * 100_000}, "nested deeper"),
    ],
    ids=["none", "other-kind", "empty", "encoding", "broken", "other", "two", "aliases", "large", "deep"],
)
def test_what_cannot_be_marked_is_told_why(files: dict[str, str | bytes], reason: str, two_ply: Path) -> None:
    for name, content in files.items():
        hand_in(two_ply, content, name)
    found = result(two_ply)
    assert found["score"] == 0 and found["visibility"] == "visible" and "tests" not in found
    assert "Not marked" in found["output"] and reason in found["output"] and "submit it again" in found["output"]
    assert len(found["output"]) < 10_000


def test_the_file_is_found_in_an_unpacked_archive(two_ply: Path) -> None:
    hand_in(two_ply, RIGHT, "homework/answer.yaml")
    hand_in(two_ply, "junk", "__MACOSX/homework/._answer.yaml")
    hand_in(two_ply, "x: 1", "notes.yaml")
    assert result(two_ply)["score"] == 11


def test_a_link_leads_nowhere(two_ply: Path) -> None:
    """It would name the exercise's fields, and with them the key."""
    os.symlink(two_ply / "source" / "exercises" / "two-ply.json", two_ply / "submission" / "answer.json")
    assert "no file of answers" in result(two_ply)["output"]


def test_a_failure_of_ours_is_not_the_students(
    two_ply: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError("the key is L5")

    monkeypatch.setattr(gradescope_run, "any_facts_at_level", fail)
    hand_in(two_ply, RIGHT)
    found = result(two_ply)
    assert "not your fault" in found["output"] and "L5" not in json.dumps(found)
    assert found["stdout_visibility"] == "hidden" and "the key is L5" in capsys.readouterr().err


def test_own_wheel_is_a_wheel() -> None:
    name, content = own_wheel()
    archive = zipfile.ZipFile(io.BytesIO(content))
    record = archive.read(name.split("-py3")[0] + ".dist-info/RECORD").decode()
    listed = {row[0] for row in csv.reader(io.StringIO(record))}
    assert listed == set(archive.namelist())
    assert "solver/schemas/exercise.schema.json" in listed and "grader/languages/fa.po" in listed
    assert any(each.startswith("orjson") for each in requirements())


def test_wheels_that_cannot_be_fetched_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(UsageError, match=r"there are no wheels in .* could not be fetched"):
        wheels_in(tmp_path / "wheels", ["3.12"])
    (tmp_path / "file").touch()
    with pytest.raises(UsageError, match="is not a folder"):
        wheels_in(tmp_path / "file", ["3.12"])
    (tmp_path / "plymark-9-py3-none-any.whl").touch()
    (tmp_path / "other-1-py3-none-any.whl").touch()
    assert list(wheels_in(tmp_path, ["3.12"])) == ["other-1-py3-none-any.whl"]


def without_network() -> list[str]:
    """A command's beginning that cuts it off from every network, where this machine allows it."""
    if shutil.which("unshare"):
        for begin in (["unshare", "-n"], ["unshare", "-rn"]):
            if subprocess.run([*begin, "true"], capture_output=True, check=False).returncode == 0:
                return begin
    return []


@pytest.mark.skipif((sys.platform, platform.machine()) != ("linux", "x86_64"), reason="Gradescope's machines are")
def test_from_an_empty_machine_without_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The wheels fetched by the export; then the real setup.sh and run_autograder with nothing but Python."""
    monkeypatch.setattr(gradescope, "PYTHONS", [f"{sys.version_info.major}.{sys.version_info.minor}"])
    variants = [load_exercise(ROOT / "exercises" / "two-ply.yaml"), exercise(tmp_path, STRICT)]
    try:
        root = autograder(tmp_path, variants, ExportOptions(wheels=tmp_path / "wheels"))
    except UsageError:
        missing("an index to fetch wheels from")
    # Another Python than that of the tests would need other wheels.
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").symlink_to(os.path.realpath(sys.executable))
    bare = {"PATH": f"{tmp_path / 'bin'}:/usr/bin:/bin", "ROOT": str(root), "HOME": str(tmp_path)}
    bare |= {"PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_CONFIG_FILE": os.devnull, "PIP_NO_CACHE_DIR": "1"}

    def run(program: str) -> subprocess.CompletedProcess[str]:
        command = [*without_network(), "bash", str(root / program)]
        ran = subprocess.run(command, env=bare, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert ran.returncode == 0, ran.stdout + ran.stderr
        return ran

    run("source/setup.sh")
    shutil.copy(root / "source" / "run_autograder", root)
    previous = [{"submission_time": "2026-10-05T13:00:00.000000-07:00", "score": 3.0, "results": {"tests": []}}]
    metadata = {"id": 1, "created_at": "2026-10-05T14:22:32.365935-07:00", "previous_submissions": previous}
    (root / "submission_metadata.json").write_text(json.dumps(metadata), "utf-8")
    for file in ANSWERS:
        shutil.copy(file, root / "submission" / "answer.yaml")
        ran = run("run_autograder")
        report = Grader(variants[0]).grade(load_answer_bytes(file.read_bytes()))
        assert read(root)["score"] == pytest.approx(float(report.marks)) and ran.stdout == ""
