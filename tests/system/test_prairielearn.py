"""A PrairieLearn question marks as plymark does, and as a real PrairieLearn recorded; nothing in it tells the key."""

from __future__ import annotations

import importlib.util
import json
import random
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from grader.delivery.systems.exercise_forms import exercise_form
from grader.delivery.systems.exporter import BY_PLYMARK, ExportOptions
from grader.delivery.systems.system_registry import EXPORTERS
from grader.documents.exercise_file import load_exercise
from grader.questions.exercise import Exercise
from tests.grader.delivery.test_exporters import STRICT, by_plymark, exercise, responses
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

OPTIONS = ExportOptions()
RECORDED = json.loads((ROOT / "tests" / "clients" / "prairielearn.json").read_bytes())
"""Forms that were posted to a real server, and what it kept."""
INFO_KEYS = {
    *("uuid", "type", "title", "topic", "tags", "singleVariant", "partialCredit", "gradingMethod", "dependencies"),
    *("showCorrectAnswer", "options", "template", "comment", "clientFiles"),
}
"""That its schema allows."""

CUT = """
plymark: exercise/1
id: cut
game: {tree: [[[3, 12], [8, 2]], [[2, 1], [4, 6]]]}
questions: [{id: windows, ask: windows, marks: 2}]
"""
"""The last inner node is never visited, so its window is not marked."""


def course_of(folder: Path, variants: Sequence[Exercise], options: ExportOptions = OPTIONS) -> Path:
    """The question's folder in a course."""
    made = EXPORTERS["prairielearn"].write(variants, options).content
    assert not isinstance(made, bytes)
    for path, content in made.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    (question,) = (folder / "questions").iterdir()
    return question


@pytest.fixture
def course(tmp_path: Path) -> Path:
    variants = [exercise(tmp_path, STRICT.replace("id: strict", f"id: v{number}"), f"v{number}") for number in range(3)]
    variants.append(load_exercise(ROOT / "exercises" / "two-ply.yaml"))
    return course_of(tmp_path / "course", variants)


class Question:
    """Calls server.py as PrairieLearn does: the path is set anew each time, and all data goes through JSON."""

    def __init__(self, folder: Path) -> None:
        spec = importlib.util.spec_from_file_location("prairielearn_question", folder / "server.py")
        assert spec is not None and spec.loader is not None
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)

    def call(self, function: str, data: dict[str, Any]) -> dict[str, Any]:
        path = list(sys.path)
        try:
            getattr(self.module, function)(data)
        finally:
            sys.path[:] = path
        kept: dict[str, Any] = json.loads(json.dumps(data, allow_nan=False))
        return kept

    def variant(self, seed: int) -> dict[str, Any]:
        data: dict[str, Any] = {"variant_seed": seed, "params": {}, "correct_answers": {}, "submitted_answers": {}}
        data |= {"format_errors": {}, "partial_scores": {}, "feedback": {}, "score": 0}
        return self.call("generate", data)

    def submit(self, data: dict[str, Any], texts: dict[str, str | None]) -> dict[str, Any]:
        data = self.call("parse", {**data, "submitted_answers": dict(texts), "format_errors": {}})
        return data if data["format_errors"] else self.call("grade", data)


def names_of(data: dict[str, Any]) -> list[str]:
    return [box["name"] for each in data["params"]["questions"] for box in each["boxes"]]


def test_the_files_of_a_question(course: Path) -> None:
    info = json.loads((course / "info.json").read_bytes())
    assert set(info) <= INFO_KEYS and info["type"] == "v3"
    assert re.fullmatch(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", info["uuid"])
    question = Question(course)
    assert question.variant(5) == question.variant(5)
    chosen = {question.variant(seed)["params"]["exercise"] for seed in range(8)}
    assert chosen == {"v0.json", "v1.json", "v2.json", "two-ply.json"}
    names = names_of(question.variant(1))
    assert len(set(names)) == len(names)
    assert 'answers-name="{{name}}"' in (course / "question.html").read_text("utf-8")


@pytest.mark.parametrize("level", ["none", "hints", "full"])
def test_as_much_is_told_as_allowed(level: str, tmp_path: Path) -> None:
    two_ply = load_exercise(ROOT / "exercises" / "two-ply.yaml")
    folder = course_of(tmp_path, [two_ply], ExportOptions(level=level))
    info = json.loads((folder / "info.json").read_bytes())
    assert info["showCorrectAnswer"] is (level == "full") and info["singleVariant"]
    question = Question(folder)
    data = question.variant(1)
    graded = question.submit(data, {names_of(data)[0]: "99"})
    assert not graded["format_errors"]
    assert (graded["partial_scores"] == {}) is (level == "none")
    # L5 and L6 are pruned, which only the key says.
    assert ("L5" in json.dumps(graded["feedback"])) is (level == "full")


def test_what_reaches_the_browser_has_no_key(course: Path) -> None:
    data = Question(course).variant(3)
    keys = [key for key in data["correct_answers"].values() if key.startswith("(")]
    shown = json.dumps(data["params"]["questions"], ensure_ascii=False)
    assert keys and not [key for key in keys if key in shown]


def test_it_marks_as_plymark_does(course: Path) -> None:
    question = Question(course)
    chance = random.Random(8)
    graded = 0
    for attempt in range(24):
        data = question.variant(attempt % 4)
        of = load_exercise(course / "exercises" / data["params"]["exercise"])
        carried = exercise_form(of, OPTIONS, BY_PLYMARK).questions
        boxes = [box for each in carried for box in each.boxes]
        right = attempt < 4
        texts = [box.accepted[0] if right and box.worth else "" if right else responses(box, chance) for box in boxes]
        data = question.call("parse", {**data, "submitted_answers": dict(zip(names_of(data), texts, strict=True))})
        assert not right or not data["format_errors"]
        data = question.call("grade", data)
        marks = sum(by_plymark(of, carried, texts).values())
        assert data["score"] == float(marks / of.out_of) and (data["score"] == 1 or not right)
        assert all(0 <= part["score"] <= 1 for part in data["partial_scores"].values())
        graded += 0 < data["score"] < 1
    assert graded > 6


@pytest.mark.parametrize("number", range(len(RECORDED["submissions"])))
def test_it_does_what_a_real_prairielearn_recorded(number: int, tmp_path: Path) -> None:
    seen = RECORDED["submissions"][number]
    question = Question(course_of(tmp_path, [load_exercise(ROOT / "exercises" / f"{seen['exercise']}.yaml")]))
    found = question.submit(question.variant(1), seen["submitted"])
    more = set(found["format_errors"]) - set(seen["format_errors"])
    assert set(seen["format_errors"]) <= set(found["format_errors"])
    # Since the recording, a list of which nothing can be read is sent back too.
    assert all("zzz" in seen["submitted"][name] for name in more)
    if not found["format_errors"]:
        scores = {name: part["score"] for name, part in found["partial_scores"].items()}
        assert set(scores) == set(seen["partial_scores"])
        # Marks between none and all go by rules that have changed since the recording.
        if seen["score"] in (0, 1):
            assert (found["score"], scores) == (seen["score"], seen["partial_scores"])


@pytest.mark.parametrize("text", ["three and a bit", "9" * 10_000, "<img src=x onerror=alert(1)>", "🌳"])
def test_what_cannot_be_read_is_sent_back(text: str, course: Path) -> None:
    question = Question(course)
    data = question.variant(1)
    first = names_of(data)[0]
    data = question.submit(data, {first: text})
    assert list(data["format_errors"]) == [first]
    # PrairieLearn shows it as markup.
    assert "<" not in data["format_errors"][first] and len(data["format_errors"][first]) < 1000


def test_nothing_costs_no_attempt_and_a_part_may_be_left_out(course: Path) -> None:
    question = Question(course)
    data = question.variant(1)
    names = names_of(data)
    blank: dict[str, str | None] = dict.fromkeys(names, " ")
    assert list(question.submit(data, blank)["format_errors"]) == names[:1]
    assert list(question.submit(data, dict.fromkeys(names))["format_errors"]) == names[:1]
    name, key = next(iter(data["correct_answers"].items()))
    assert 0 < question.submit(data, {**blank, name: key})["score"] < 1


def test_boxes_do_not_tell_which_nodes_are_visited(tmp_path: Path) -> None:
    """All boxes of a question take and refuse the same texts, and all have a sign after marking."""
    question = Question(course_of(tmp_path / "course", [exercise(tmp_path, CUT)]))
    data = question.variant(1)
    boxes = [[box["name"] for box in each["boxes"]] for each in data["params"]["questions"]]
    several = [names for names in boxes if len(names) > 1]
    idle = [name for names in several for name in names if name not in data["correct_answers"]]
    assert idle == ["q1b7"]
    refused = question.submit(data, {name: "zzz" for names in several for name in names})["format_errors"]
    assert set(idle) <= set(refused)
    graded = question.submit(data, {name: "–" for names in several for name in names})
    assert not graded["format_errors"] and set(names_of(data)) == set(graded["partial_scores"])


@pytest.mark.parametrize("kind", ["correct", "incorrect", "invalid"])
def test_the_test_that_prairielearn_makes_of_every_question(kind: str, course: Path) -> None:
    question = Question(course)
    for seed in range(4):
        made = {**question.variant(seed), "test_type": kind, "raw_submitted_answers": {}, "gradable": True}
        expected = question.call("test", dict(made))
        # PrairieLearn refuses a test that touches anything else.
        changed = {name for name in made if made[name] != expected[name]}
        assert set(made) == set(expected)
        assert changed <= {"raw_submitted_answers", "format_errors", "partial_scores", "score"}
        found = question.submit(question.variant(seed), expected["raw_submitted_answers"])
        assert set(found["format_errors"]) == set(expected["format_errors"])
        assert bool(found["format_errors"]) is (kind == "invalid")
        if kind != "invalid":
            assert (found["score"], found["partial_scores"]) == (expected["score"], expected["partial_scores"])
            assert (found["score"] == 1) is (kind == "correct")


def test_prairielearns_own_libraries_come_first(course: Path) -> None:
    """The program is found last, and again after the path was set anew."""
    code = (
        "import sys, importlib.util\n"
        f"spec = importlib.util.spec_from_file_location('q', {str(course / 'server.py')!r})\n"
        "q = importlib.util.module_from_spec(spec); spec.loader.exec_module(q)\n"
        "before = list(sys.path)\n"
        "for _ in range(2):\n"
        "    sys.path[:] = before; q.plymark(); assert sys.path[: len(before)] == before\n"
        "import grader; print(grader.__file__)"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=course, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
