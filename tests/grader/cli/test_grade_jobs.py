"""`plymark grade` and `regrade` on several processes: the same bytes as on one, whatever the class has written."""

from __future__ import annotations

import json
import os
import pickle
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from grader.cli import command_outcome
from grader.documents.answer_file import Answer
from grader.documents.exam import variants_of
from grader.documents.exercise_file import load_exercise
from grader.intake import answer_collection
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.marking.run import Broken, MarkedTurn, Marking, Turn
from grader.reports.output_options import OutputOptions
from grader.reports.report_outputs import OUTPUTS, ReportMaker, ReportParts
from tests.support.command import Ran, plymark_within
from tests.support.paths import ROOT

TREES = {"v-1": [[3, 12], [2, 4], [14, 5]], "v-2": [[9, 1], [7, 8], [6, 5]]}
RIGHT: dict[str, dict[str, Any]] = {
    "v-1": {"values": {"A": "5", "B": "3", "C": "2", "D": "5"}, "move": "a3"},
    "v-2": {"move": "a2"},
}


def exercise(name: str, tree: Any) -> str:
    questions = [{"id": "values", "ask": "values", "marks": 3}, {"id": "move", "ask": "move", "marks": 1}]
    return json.dumps({"plymark": "exercise/1", "id": name, "game": {"tree": tree}, "questions": questions})


def line(student: str, name: str, answers: Any, **more: str) -> str:
    return json.dumps({"plymark": "answer/1", "exercise": name, "student": student, "answers": answers, **more})


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    """Two variants, an exam of them, and a class: right, wrong, unreadable, broken, and several by one student."""
    for folder, shift in (("variants", 0), ("corrected", 1)):
        (tmp_path / folder).mkdir()
        for name, tree in TREES.items():
            moved = [[number + shift * (number == 2) * 9 for number in row] for row in tree]
            (tmp_path / folder / f"{name}.json").write_text(exercise(name, moved))
    parts = "\n".join(f"  - exercise: variants/{name}.json" for name in TREES)
    (tmp_path / "midterm.yaml").write_text(f"plymark: exam/1\nid: midterm\ntitle: Midterm\nparts:\n{parts}\n")
    written: list[tuple[str, dict[str, Any]]] = [
        ("right", RIGHT["v-1"]),
        ("same", RIGHT["v-1"]),
        ("twice", RIGHT["v-1"]),
        ("wrong", {"values": {"A": "99", "B": "12"}, "move": "see my sketch"}),
        ("twice", {"move": "a1"}),
        ("=cmd", {"values": {"A": "3", "B": "3", "C": "2", "D": "?"}, "nobody": "asked"}),
        ("by-hand", {"move": "a1"}),
    ]
    mixed = [line(who, "v-1", said, language="fa" if who == "wrong" else "en") for who, said in written]
    mixed += [line("other", "v-2", RIGHT["v-2"]), line("lost", "v-9", {}), "{not json"]
    (tmp_path / "variants.jsonl").write_text("\n".join(mixed[3:] + mixed[:3]) + "\n")
    exams = [line(who, "midterm", {"v-1": said, "v-2": RIGHT["v-2"]}) for who, said in written]
    (tmp_path / "exam.jsonl").write_text("\n".join([*exams, line("blank", "midterm", {}), "[]"]) + "\n")
    by_hand = ["by-hand,move,,1,told me,v-1", "nobody,move,,1,,v-1", "right,move,,9,,v-1"]
    (tmp_path / "by-hand.csv").write_text("\n".join(["student,question,item,marks,reason,part", *by_hand]))
    return tmp_path


def told(scene: Path, jobs: int, *arguments: str) -> tuple[Ran, dict[str, bytes]]:
    """What is said, and what is written into the folder `made`."""
    ran = plymark_within(*arguments, "--jobs", str(jobs), cwd=scene)
    files = [file for file in sorted((scene / "made").rglob("*")) if file.is_file()]
    made = {str(file.relative_to(scene)): file.read_bytes() for file in files}
    for file in files:
        file.unlink()
    return ran, made


def same(scene: Path, *arguments: str) -> tuple[Ran, dict[str, bytes]]:
    (one, files), (two, others) = (told(scene, jobs, *arguments) for jobs in (1, 2))
    assert (two.code, two.stdout, two.stderr) == (one.code, one.stdout, one.stderr)
    assert others == files
    return one, files


WITH_ALL = ("--overrides", "by-hand.csv", "--summary", "made/class.html", "--review", "made/review.csv")


@pytest.mark.parametrize("handed_out", [("variants", "variants.jsonl"), ("midterm.yaml", "exam.jsonl")])
@pytest.mark.parametrize("format", [*OUTPUTS, "html"])
def test_every_format_is_the_same_on_two_processes(format: str, handed_out: tuple[str, str], scene: Path) -> None:
    best = ["--duplicates", "best" if format in ("json", "html") else "latest"]
    ran, files = same(scene, "grade", *handed_out, "--format", format, "--out", "made/out", *best, *WITH_ALL)
    assert ran.code == 1 and "marked, " in ran.stderr and "twice gave 2 answers" in ran.stderr
    assert "nobody v-1 move: there is no such answer" in ran.stderr and "9 marks, out of 1" in ran.stderr
    reports = [name for name in files if name.startswith("made/out/")]
    assert len(reports) == (1 if format in ("text", "csv") else 8 if format == "html" else 7)
    assert len(files) == len(reports) + 2 and all(files.values())


@pytest.mark.parametrize("format", ["text", "json"])
def test_what_is_printed_is_the_same(format: str, scene: Path) -> None:
    ran, _ = same(scene, "grade", "variants", "variants.jsonl", "--format", format, "--feedback", "hints")
    assert ran.stdout.count("right") >= 1 and "variants.jsonl:7:" in ran.stderr


@pytest.mark.parametrize("by", ["latest", "best"])
def test_what_a_correction_changes_is_the_same(by: str, scene: Path) -> None:
    arguments = ("variants", "corrected", "variants.jsonl", "--duplicates", by, "--overrides", "by-hand.csv")
    ran, _ = same(scene, "regrade", *arguments, "--format", "csv")
    assert "right" in ran.stdout and ran.code == 1
    assert len({each.split(",")[0] for each in ran.stdout.splitlines()}) == len(ran.stdout.splitlines())


def when(student: str, then: Callable[[], object]) -> Callable[[Grader, Answer], Report]:
    def grade(self: Grader, answer: Answer) -> Report:
        if answer.student == student:
            then()
        return before(self, answer)

    before = Grader.grade
    return grade


def test_a_process_that_dies_costs_its_answer(scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Grader, "grade", when("wrong", lambda: os.kill(os.getpid(), signal.SIGKILL)))
    arguments = ("grade", "variants", "variants.jsonl", "--format", "json", "--summary", "made/class.csv")
    ran, files = told(scene, 2, *arguments)
    assert ran.code == 1
    assert "variants.jsonl:1:1: the process that marked this answer died [crash]" in ran.stderr
    assert "hint: is there enough memory?" in ran.stderr and "6 marked, 3 could not be marked" in ran.stderr
    monkeypatch.undo()
    lines = (scene / "variants.jsonl").read_text().splitlines()
    (scene / "variants.jsonl").write_text("\n".join(["{}", *lines[1:]]))
    whole, others = told(scene, 1, *arguments)
    assert (ran.stdout, files) == (whole.stdout, others), "as if it had been broken"


@pytest.mark.parametrize("jobs", [1, 2])
def test_stopped_by_hand(jobs: int, scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is whole, and how far it came is said."""
    main = os.getpid()

    def stop() -> None:
        os.kill(main, signal.SIGINT)
        time.sleep(0.3)

    monkeypatch.setattr(Grader, "grade", when("by-hand", stop))
    arguments = ("grade", "variants", "variants.jsonl", "--format", "json", "--out", "made")
    ran, files = told(scene, jobs, *arguments, "--summary", "made/class.html")
    count = len(files)
    assert ran.code == 130 and f"plymark: stopped: {count} of 10 answers marked\n" in ran.stderr
    assert count < 7 and all(json.loads(content) for content in files.values())


@pytest.mark.parametrize("command", ["grade", "regrade"])
def test_reading_many_says_how_far_it_is(command: str, scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command_outcome, "TOLD", 0.0)
    monkeypatch.setattr(answer_collection, "NOW_AND_THEN", 5)
    exercises = ["variants"] if command == "grade" else ["variants", "corrected"]
    ran = plymark_within(command, *exercises, "variants.jsonl", cwd=scene)
    said = [line.partition(",")[0] for line in ran.stderr.splitlines() if " a second" in line]
    assert said == ["5 answers read", "10 answers read"]
    assert " a second" not in plymark_within(command, *exercises, "variants.jsonl", "--quiet", cwd=scene).stderr


def test_few_answers_start_no_process(scene: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[int] = []
    monkeypatch.setattr(Grader, "grade", when("right", lambda: seen.append(os.getpid())))
    ran = plymark_within("grade", "variants", "variants.jsonl", cwd=scene)
    assert seen == [os.getpid()] and "a second" not in ran.stderr
    monkeypatch.setattr("solver.jobs.document_batch.FEW", 5)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    assert plymark_within("grade", "variants", "variants.jsonl", cwd=scene).stdout == ran.stdout
    assert seen == [os.getpid()], "marked elsewhere"


def test_what_goes_between_processes_is_small() -> None:
    """Also where a process starts with nothing but what it is sent. A report with its key is hundreds of kilobytes."""
    of = load_exercise(ROOT / "exercises" / "two-ply.yaml")
    options = OutputOptions(words_of("fa"), several=True)
    making = ReportMaker(variants_of([of]), options, OUTPUTS["json"].part, counts=True, reviews=True)
    sent: Marking[ReportParts] = pickle.loads(pickle.dumps(Marking(making)))
    answer = Answer("two-ply", "s1", {"values": {"A": "4"}, "move": "?"})
    made: MarkedTurn[ReportParts] = pickle.loads(pickle.dumps(found := sent(Turn(answer))))
    assert not isinstance(made.made, Broken) and made.made.counts and made.made.rows
    assert made == found and made.turn.found == Answer("two-ply", "s1", {})
    assert len(pickle.dumps(made)) < 20_000
