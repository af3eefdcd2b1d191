"""An exam in the service: three students, two parts of which one has variants, from upload to regrade."""

from __future__ import annotations

import copy
import csv
import json
from pathlib import Path
from typing import Any

import pytest

from tests.grader.service.api.client import RIGHT, TWO_PLY, WRONG, Api, Course, make_course
from tests.grader.service.api.handing_in import begun, hand_in, until_settled
from tests.support.command import plymark_within

EXAM_OF_PATHS = b"plymark: exam/1\nid: midterm\nparts:\n  - exercise: two-ply.yaml\n"


def variant(number: int) -> dict[str, Any]:
    """The same tree with another leaf, so that the values of A and B differ."""
    made = copy.deepcopy(TWO_PLY)
    made |= {"id": f"other-{number}", "title": {"en": "The other tree", "fa": "درخت دیگر"}}
    made["game"]["tree"]["children"][0]["children"][0] = 3 + number
    return made


def right(exercise: str) -> dict[str, Any]:
    top = 3 + int(exercise.rsplit("-", 1)[1]) if exercise.startswith("other") else 3
    return {**RIGHT, "values": {**RIGHT["values"], "A": top, "B": top}}


def exam(**second: Any) -> dict[str, Any]:
    parts = [{"exercise": TWO_PLY}, {"variants": [variant(0), variant(1)], "marks": 14, **second}]
    title = {"en": "Midterm", "fa": "میان‌ترم"}
    return {"plymark": "exam/1", "id": "midterm", "title": title, "parts": parts}


def put_exam(course: Course, document: dict[str, Any] | None = None, **fields: Any) -> str:
    """The assignment."""
    path = f"/api/courses/{course.id}"
    made = course.api.post(f"{path}/exercises", course.teacher, content=json.dumps(document or exam()))
    assert made.status_code == 201, made.text
    course.exercise = made.json()["id"]
    answer = course.api.post(f"{path}/assignments", course.teacher, json={"exercise": course.exercise, **fields})
    assert answer.status_code == 201, answer.text
    return str(answer.json()["id"])


class Sat:
    """An exam that three students have sat: all right, the first part alone with a slip that cannot be read, nothing
    right. Beside the first part the second one answers an exercise of nobody."""

    def __init__(self, api: Api, teacher: str, **fields: Any) -> None:
        self.api = api
        self.course = make_course(api, teacher)
        self.assignment = put_exam(self.course, **fields)
        self.attempts = {code: begun(self.course, self.assignment, code) for code in ("s1", "s2", "s3")}
        self.names = {code: [each["id"] for each in found["exercise"]["parts"]]
                      for code, found in self.attempts.items()}  # fmt: skip
        odd = {**RIGHT, "values": {**RIGHT["values"], "D": "two"}}
        self.answers = {
            "s1": {name: right(name) for name in self.names["s1"]},
            "s2": {"two-ply": odd, "two-plie": RIGHT},
            "s3": dict.fromkeys(self.names["s3"], WRONG),
        }
        self.submissions = {}
        for code, answers in self.answers.items():
            answer = hand_in(self.course, self.attempts[code]["id"], code, answers)
            assert answer.status_code == 201, answer.text
            self.submissions[code] = answer.json()["id"]
        until_settled(api)

    def get(self, path: str) -> Any:
        answer = self.api.get(f"/api/assignments/{self.assignment}/{path}", self.course.teacher)
        assert answer.status_code == 200, answer.text
        return answer.json() if answer.headers["content-type"] == "application/json" else answer.text

    def report(self, code: str, token: str | None = None) -> dict[str, Any]:
        answer = self.api.get(f"/api/submissions/{self.submissions[code]}/report", token or self.course.teacher)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def grades(self) -> dict[str, Any]:
        return {each["member"]: each for each in self.get("grades")["items"]}


@pytest.fixture
def sat(running: Api, teacher: str) -> Sat:
    return Sat(running, teacher, feedback_before="full")


def test_what_is_posed(running: Api, teacher: str) -> None:
    course = make_course(running, teacher)
    assignment = put_exam(course)
    found = {code: begun(course, assignment, code) for code in ("s1", "s2")}
    one, two = ([each["id"] for each in found[code]["exercise"]["parts"]] for code in ("s1", "s2"))
    assert one[0] == two[0] == "two-ply" and {one[1], two[1]} == {"other-0", "other-1"}, "neighbours have others"
    attempt = found["s1"]
    assert attempt["variant"] == ", ".join(one) and attempt["exercise"]["id"] == "midterm"
    assert [each["marks"] for each in attempt["exercise"]["parts"][1]["questions"]] == [8, 4, 2], "scaled"
    names = [each["name"] for each in attempt["fields"]]
    assert names[0] == "two-ply.values.A" and names[-1] == f"{one[1]}.move" and len(names) == 12
    assert [len(each["nodes"]) for each in attempt["tree"]["parts"]] == [13, 13]
    path = f"/api/attempts/{attempt['id']}"
    draft = {"answers": {"two-ply": {"move": "a1"}}, "revision": 0}
    assert running.put(f"{path}/draft", course["s1"], json=draft).json() == {"revision": 1}
    assert running.get(path, course["s1"]).json()["draft"] == draft["answers"]
    written = {"two-ply": {"values": {"A": "5/2", "B": "x y"}}, one[1]: {"move": "a1", "mov": 1}, "else": 3}
    told = running.post(f"{path}/read", course["s1"], json={"answers": written}).json()
    assert told["fields"]["two-ply.values.A"] == {"read": "5/2"} and "problem" in told["fields"]["two-ply.values.B"]
    assert told["fields"][f"{one[1]}.move"] == {"read": "a1"}
    assert told["ignored"][0] == "else" and told["ignored"][1].startswith(f"{one[1]}.")


def test_reports_have_parts(sat: Sat) -> None:
    whole = sat.report("s1")
    assert (whole["exercise"], whole["marks"], whole["out_of"]) == ("midterm", 21, 21) and "questions" not in whole
    assert [(each["exercise"], each["marks"], each["out_of"]) for each in whole["parts"]] == [
        (sat.names["s1"][0], 7, 7),
        (sat.names["s1"][1], 14, 14),
    ]
    half = sat.report("s2")
    assert [each["marks"] for each in half["parts"]] == [6, 0] and half["ignored"] == ["two-plie"]
    assert half["parts"][1]["exercise"] == sat.names["s2"][1], "left blank"
    grades = sat.grades()
    assert {code: (each["marks"], each["out_of"]) for code, each in grades.items()} == {
        "s1": (21, 21),
        "s2": (6, 21),
        "s3": (sat.report("s3")["marks"], 21),
    }


def test_a_class_by_parts(sat: Sat) -> None:
    summary = sat.get("summary")
    assert (summary["answers"], summary["out_of"]) == (3, 21)
    assert [(each["name"], each["out_of"], each["blank"]) for each in summary["parts"]] == [
        ("two-ply", 7, 0),
        ("other", 14, 1),
    ]
    assert "The other tree" in sat.get("summary?format=text") and "other" in sat.get("summary?format=csv")
    assert sat.get("heat-map") != sat.get("heat-map?part=2")
    beyond = sat.api.get(f"/api/assignments/{sat.assignment}/heat-map?part=3", sat.course.teacher)
    assert (beyond.status_code, beyond.json()["detail"]) == (422, "there is no part 3; there are 2")
    rows = list(csv.reader(sat.get("grades?format=plain").splitlines()))
    assert any("two-ply" in cell for cell in rows[0]) and any("other" in cell for cell in rows[0]), rows
    listed = {each["member"]: each["variant"] for each in sat.get("submissions")["items"]}
    assert listed["s1"] == ", ".join(sat.names["s1"])


def test_lines_are_what_the_command_line_marks(sat: Sat, tmp_path: Path) -> None:
    (tmp_path / "answers.jsonl").write_text(sat.get("submissions?format=jsonl"))
    (tmp_path / "exam.yaml").write_text(json.dumps(exam()))
    ran = plymark_within("grade", tmp_path / "exam.yaml", tmp_path / "answers.jsonl", "--format", "json")
    assert ran.code == 0, ran.stderr
    by_command = {each["student"]: each["marks"] for each in map(json.loads, ran.stdout.splitlines())}
    assert by_command == {code: each["marks"] for code, each in sat.grades().items()}


def test_marks_by_hand_say_of_which_part(sat: Sat) -> None:
    (item,) = sat.get("review")["items"]
    assert (item["part"], item["question"], item["item"], item["given"]) == (1, "values", "D", "two")
    path = f"/api/assignments/{sat.assignment}/review/{item['id']}"
    assert sat.api.post(path, sat.course.teacher, json={"marks": 1, "reason": "a word"}).status_code == 204
    until_settled(sat.api)
    assert sat.grades()["s2"]["marks"] == 7 and sat.get("review")["items"] == []
    grade = f"/api/grades/{sat.grades()['s1']['id']}/override"
    for fields, status in (
        ({"question": "move"}, 422),
        ({"question": "move", "part": 3}, 422),
        ({"question": "move", "part": 2}, 200),
        ({"part": 1, "marks": 5}, 200),
    ):
        body = {"marks": 1, "reason": "so", **fields}
        answer = sat.api.put(grade, sat.course.teacher, json=body)
        assert answer.status_code == status, answer.text
    until_settled(sat.api)
    assert sat.grades()["s1"]["marks"] == 5 + 13
    assert [(each["part"], each["question"]) for each in sat.grades()["s1"]["override"]["questions"]] == [
        (1, ""),
        (2, "move"),
    ]
    assert [each["marks"] for each in sat.report("s1")["parts"]] == [5, 13]
    assert sat.get("summary")["parts"][1]["questions"][2]["mean"] != 2, "and in the sums"
    assert sat.api.delete(f"{grade}?part=2&question=move", sat.course.teacher).status_code == 204
    until_settled(sat.api)
    assert sat.grades()["s1"]["marks"] == 5 + 14


def test_a_regrade_by_parts(sat: Sat) -> None:
    path = f"/api/courses/{sat.course.id}/exercises/{sat.course.exercise}/versions"
    renamed = exam(variants=[{**variant(0), "id": "else-0"}, {**variant(1), "id": "else-1"}])
    for document in (exam(marks=7), renamed, TWO_PLY):
        made = sat.api.post(path, sat.course.teacher, content=json.dumps(document))
        assert made.status_code == 201, made.text
    regrades = f"/api/assignments/{sat.assignment}/regrades"
    for version in (3, 4):
        refused = sat.api.post(regrades, sat.course.teacher, json={"version": version})
        assert refused.status_code == 422, "answers stand under other names there, or nowhere"
    begun_at = sat.api.post(regrades, sat.course.teacher, json={"version": 2}).json()["id"]
    while (found := sat.get(f"regrades/{begun_at}"))["state"] in ("waiting", "running"):
        pass
    first = [(each["before"], each["after"], each.get("part"), each["question"]) for each in found["changes"]
             if each["member"] == "s1"]  # fmt: skip
    assert first[0] == (21, 14, None, None) and (8, 4, 2, "values") in first and len(first) == 4
    assert sat.api.post(f"{regrades}/{begun_at}/apply", sat.course.teacher).status_code == 200
    assert (sat.grades()["s1"]["marks"], sat.grades()["s1"]["out_of"]) == (14, 14)


@pytest.mark.parametrize(
    ("document", "words"),
    [
        (EXAM_OF_PATHS, "a path is not followed here"),
        (json.dumps({**exam(), "parts": [{"exercise": TWO_PLY}, {"exercise": TWO_PLY}]}).encode(), "in part 1 already"),
        (b"plymark: exam/1\nid: midterm\nparts: []\n", "parts"),
    ],
)
def test_what_is_no_exam_is_refused_in_words(api: Api, teacher: str, document: bytes, words: str) -> None:
    course = make_course(api, teacher)
    refused = api.post(f"/api/courses/{course.id}/exercises", teacher, content=document)
    assert refused.status_code == 422 and words in refused.text


def planted(name: str) -> dict[str, Any]:
    """The value of A is in no leaf."""
    fair = [{"p": "1/4", "value": 1000}, {"p": "3/4", "value": "6919/3"}]
    children = [{"move": "a1", "id": "B", "turn": "chance", "children": fair}, {"move": "a2", "id": "C", "value": 1}]
    questions = [{"id": "values", "ask": "values", "marks": 4}, {"id": "move", "ask": "move", "marks": 1}]
    game = {"tree": {"id": "A", "turn": "max", "children": children}}
    return {"plymark": "exercise/1", "id": name, "game": game, "questions": questions}


def test_no_level_below_full_tells_the_key(running: Api, teacher: str) -> None:
    course = make_course(running, teacher)
    document = {"plymark": "exam/1", "id": "m", "parts": [{"exercise": planted("one")}, {"exercise": planted("two")}]}
    assignment = put_exam(course, document, feedback_before="hints")
    attempt = begun(course, assignment, "s1")
    answers = {"one": {"values": {"A": 5, "B": "x"}}, "two": {"move": "a2"}, "three": {"values": {"A": 1}}}
    said = [json.dumps(attempt)]
    said.append(running.post(f"/api/attempts/{attempt['id']}/read", course["s1"], json={"answers": answers}).text)
    submission = hand_in(course, attempt["id"], "s1", answers).json()["id"]
    until_settled(running)
    path = f"/api/submissions/{submission}/report"
    for level in ("receipt", "none", "marks", "hints"):
        change = running.patch(f"/api/assignments/{assignment}", teacher, json={"feedback_before": level})
        assert change.status_code == 200, change.text
        report = running.get(path, course["s1"])
        assert report.status_code == (403 if level == "receipt" else 200)
        said += [report.text, running.get(f"/api/submissions/{submission}", course["s1"]).text]
        assert ("verdict" in report.text) == (level == "hints") and "expected" not in report.text
    assert "6919" in said[0] and not any("1979" in each or "7919" in each for each in said)
    running.patch(f"/api/assignments/{assignment}", teacher, json={"feedback_before": "full"})
    assert "1979.75" in running.get(path, course["s1"]).text
