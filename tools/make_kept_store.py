"""Make the store that every later version opens, reads, checks and regrades.

    python tools/make_kept_store.py
    python tools/make_kept_store.py --name 0.1.0

To be run once for every released version, from its checkout, before it is released; what is there is never changed or
made again. Starts a service, works in it over HTTP as teachers and students do, and writes into tests/kept_stores/NAME
(NAME is today's date unless it is given)

store.sqlite3   a backup of the store, as `plymark admin backup` writes it
expected.json   what every later version says of it: marks and verdicts, the end of the log, numbers of rows; and, below
                `check` and `after_regrade`, what `plymark admin check` prints and what grades are after a regrade.
                These two alone may be changed later, by a change of the rules of marking that says why.

It needs what the tests of the service need: the extra `dev`. tests/grader/service/store/test_kept_stores.py does the
rest.
"""

from __future__ import annotations

import argparse
import copy
import json
import shutil
import sqlite3
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "tests" / "kept_stores"
sys.path.insert(0, str(ROOT))

import httpx  # noqa: E402 - after the path

from grader.service.run.demo import EXERCISE, STUDENTS  # noqa: E402
from tests.grader.service.served import Running, admin, served  # noqa: E402
from tests.grader.service.work.answers import EXERCISES, answers_to, exercise_data  # noqa: E402
from tests.support.kept_store import TABLES, marks_of, regrade_all, told_to, until  # noqa: E402

NEVER = "2099-01-01T00:00:00Z"
IN_FOUR_LANGUAGES = {"en": "A tree", "pt": "Uma árvore", "es": "Un árbol", "fa": "یک درخت"}
RIGHT = STUDENTS[0].answers
WORD_FOR_A_NUMBER = "three"


class Patient(httpx.Client):
    """Waits where it is asked to."""

    def request(self, *args: Any, **more: Any) -> httpx.Response:
        while (answer := super().request(*args, **more)).status_code == 429:
            time.sleep(float(answer.headers["Retry-After"]))
        return answer


def client_of(running: Running, token: str = "") -> Patient:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    return Patient(base_url=running.url, headers=headers, timeout=30)


class Class:
    """A course and its people, over HTTP."""

    def __init__(self, running: Running, teacher: httpx.Client, fields: Mapping[str, Any], members: list[Any]) -> None:
        self.running, self.teacher = running, teacher
        self.id = self.call("POST", "/api/courses", json=fields)["id"]
        listed = self.call("POST", f"/api/courses/{self.id}/members", json={"members": members})["members"]
        self.tokens = {each["id"]: each["link"].rpartition("/")[2] for each in listed}

    def call(self, method: str, path: str, code: str = "", **more: Any) -> Any:
        client = client_of(self.running, self.tokens[code]) if code else self.teacher
        answer = client.request(method, path, **more)
        if answer.status_code >= 400:
            raise SystemExit(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json() if answer.content[:1] == b"{" else None

    def put_exercise(self, document: Any) -> str:
        return str(self.call("POST", f"/api/courses/{self.id}/exercises", json=document)["id"])

    def correct(self, exercise: str, document: Any) -> None:
        headers = {"If-Match": '"1"'}
        self.call("POST", f"/api/courses/{self.id}/exercises/{exercise}/versions", json=document, headers=headers)

    def assign(self, exercise: str, **rules: Any) -> str:
        fields = {"exercise": exercise, **rules}
        return str(self.call("POST", f"/api/courses/{self.id}/assignments", json=fields)["id"])

    def begin(self, assignment: str, code: str) -> dict[str, Any]:
        begun: dict[str, Any] = self.call("POST", f"/api/assignments/{assignment}/attempts", code)
        return begun

    def hand_in(self, assignment: str, code: str, answers: Any) -> None:
        attempt = self.begin(assignment, code)["id"]
        path, headers = f"/api/attempts/{attempt}/submissions", {"Idempotency-Key": code}
        self.call("POST", path, code, json={"answers": answers}, headers=headers)

    def wait(self, assignment: str) -> None:
        """Until all is marked."""
        path = f"/api/assignments/{assignment}/submissions?limit=500"
        until(lambda: all(each["state"] == "marked" for each in self.call("GET", path)["items"]))

    def grade(self, assignment: str, code: str) -> str:
        found = self.call("GET", f"/api/assignments/{assignment}/grades?limit=500")["items"]
        return f"/api/grades/{next(each['id'] for each in found if each['member'] == code)}/override"


def fill(running: Running, teacher: httpx.Client) -> dict[str, str]:
    """All that a store can hold; returns the tokens of students."""
    people = [{"id": each.id, "name": each.name} for each in STUDENTS]
    staff = [{"id": "ta", "name": "Tarek Aziz", "role": "assistant"}]
    search = Class(running, teacher, {"title": "Search", "zone": "Europe/Lisbon", "language": "en"}, people + staff)
    put_quiz(search)
    put_timed(search)
    put_late(search)
    put_corrected(search)
    put_exam(search)
    put_live(search)
    people = [{"id": "p1", "name": "Inês Duarte"}, {"id": "p2", "name": "João Sá"}, {"id": "p3", "name": "Rui Paz"}]
    other = Class(running, teacher, {"title": "Busca", "zone": "America/Sao_Paulo", "language": "pt"}, people)
    put_every_kind(other)
    return {**search.tokens, **other.tokens}


def put_quiz(course: Class) -> None:
    """What a class makes of it, decided by hand here and there; feedback in full at once."""
    quiz = course.assign(course.put_exercise({**EXERCISE, "title": IN_FOUR_LANGUAGES}), feedback_before="full")
    for student in STUDENTS:
        course.hand_in(quiz, student.id, student.answers)
    course.wait(quiz)
    review = f"/api/assignments/{quiz}/review"
    listed = course.call("GET", review)["items"]
    for each in listed:
        if each["given"] == WORD_FOR_A_NUMBER:
            decided = {"marks": "1/3", "reason": "a word is a number"}
            course.call("POST", f"{review}/{each['id']}", "ta", json=decided)
    item = {"marks": "1/2", "reason": "as seen on paper", "question": "values", "item": "A"}
    course.call("PUT", course.grade(quiz, "s07"), json=item)
    course.call("PUT", course.grade(quiz, "s08"), json={"marks": 2, "reason": "said so", "question": "pruned"})
    course.call("PUT", course.grade(quiz, "s10"), json={"marks": "7/2", "reason": "oral exam"})
    course.wait(quiz)
    draft = course.begin(course.assign(course.put_exercise(exercise_data("two-ply")), closes=NEVER), "s01")
    saved = {"answers": {"move": "a1"}, "revision": 0}
    course.call("PUT", f"/api/attempts/{draft['id']}/draft", "s01", json=saved)


def put_timed(course: Class) -> None:
    """Told after it has closed: not yet. One answer cannot be read at all."""
    rules = {"minutes": 30, "closes": NEVER}
    timed = course.assign(course.put_exercise({**EXERCISE, "id": "timed"}), **rules)
    course.call("PUT", f"/api/assignments/{timed}/extensions/s02", json={"minutes": 45, "reason": "as agreed"})
    for code, answers in (("s01", RIGHT), ("s02", STUDENTS[6].answers), ("s03", {"move": "???"})):
        course.hand_in(timed, code, answers)
    course.wait(timed)


def put_late(course: Class) -> None:
    """Due the day before yesterday; two attempts, of which the last counts, with hints."""
    due = (datetime.now(UTC) - timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%SZ")
    late = {"due": due, "closes": NEVER, "late": {"per_day": "1/10", "at_most": "1/2"}}
    rules = {"attempts": 2, "counts": "last", "feedback_before": "hints"}
    assignment = course.assign(course.put_exercise({**EXERCISE, "id": "late"}), **late, **rules)
    for number in (0, 3):
        course.hand_in(assignment, "s04", STUDENTS[number].answers)
        course.wait(assignment)
    course.hand_in(assignment, "s05", STUDENTS[4].answers)
    course.wait(assignment)


def put_corrected(course: Class) -> None:
    """A regrade that was applied to all but one, and a correction that no regrade has taken up."""
    wrong = copy.deepcopy(dict(EXERCISE))
    wrong["game"]["tree"]["children"][2]["children"][2] = 4
    for name, is_applied in (("corrected", True), ("to-correct", False)):
        exercise = course.put_exercise({**wrong, "id": name})
        assignment = course.assign(exercise, released=True, feedback_before="marks")
        for student in STUDENTS[:4]:
            course.hand_in(assignment, student.id, student.answers)
        course.wait(assignment)
        course.correct(exercise, {**EXERCISE, "id": name})
        if is_applied:
            path = f"/api/assignments/{assignment}/regrades"
            regrade = f"{path}/{course.call('POST', path, json={'version': 2})['id']}"
            until(lambda: course.call("GET", regrade)["state"] == "ready")  # noqa: B023 - called at once
            course.call("POST", f"{regrade}/apply", json={"exclude": ["s03"]})


def put_exam(course: Class) -> None:
    """Two parts, the second with variants and scaled; an answer that belongs to no part."""
    variants = []
    for leaf in (3, 5):
        made = copy.deepcopy({**EXERCISE, "id": f"leaf-{leaf}", "title": IN_FOUR_LANGUAGES})
        made["game"]["tree"]["children"][0]["children"][0] = leaf
        variants.append(made)
    parts = [{"exercise": {**EXERCISE, "id": "first"}}, {"variants": variants, "marks": 14}]
    exam = {"plymark": "exam/1", "id": "midterm", "title": IN_FOUR_LANGUAGES, "parts": parts}
    assignment = course.assign(course.put_exercise(exam), minutes=90, released=True)
    for student in (*STUDENTS[:4], STUDENTS[6]):
        begun = course.begin(assignment, student.id)
        names = [each["id"] for each in begun["exercise"]["parts"]]
        answers = dict.fromkeys(names[:1] if student.id == "s03" else names, student.answers)
        path, headers = f"/api/attempts/{begun['id']}/submissions", {"Idempotency-Key": "exam"}
        body = {"answers": {**answers, **({"nobody": RIGHT} if student.id == "s02" else {})}}
        course.call("POST", path, student.id, json=body, headers=headers)
    course.wait(assignment)


def put_live(course: Class) -> None:
    exercise = course.put_exercise({**EXERCISE, "id": "live"})
    begun = course.teacher.post(f"/teach/c/{course.id}/live", data={"exercise": exercise})
    code = begun.headers["location"].rpartition("/")[2]
    for answer in ({"values.A": "3", "move": "a1"}, {"values.A": "three"}):
        with client_of(course.running) as guest:
            guest.get(f"/live/{code}")
            guest.post(f"/live/{code}", data=answer)
    course.teacher.post(f"/teach/live/{code}", data={"do": "everything"})


def put_every_kind(course: Class) -> None:
    """Every exercise of the project, answered well and badly, with decimal commas; told in full once released."""
    for name in EXERCISES:
        assignment = course.assign(course.put_exercise(exercise_data(name)), released=True, attempts=None)
        for code, answers in zip(course.tokens, (answers_to(name)[at] for at in (0, 2, 3)), strict=True):
            course.hand_in(assignment, code, answers)
        course.wait(assignment)


def expected_of(backup: Path) -> dict[str, Any]:
    """What does not go over HTTP."""
    store = sqlite3.connect(f"file:{backup}?mode=ro", uri=True)
    with store:
        number, chained = store.execute("SELECT number, hash FROM audit ORDER BY number DESC LIMIT 1").fetchone()
        rows = {table: store.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES}
    store.close()
    return {"log": {"entries": number, "hash": chained}, "rows": rows}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--name", default=datetime.now(UTC).date().isoformat(), help="of the folder")
    out = FOLDER / parser.parse_args().name
    if out.exists():
        raise SystemExit(f"{out} exists; a store that is kept is never made again")
    with tempfile.TemporaryDirectory() as name:
        data, made = Path(name) / "data", Path(name) / "made"
        made.mkdir()
        with served(data) as running:
            token = admin("token", "--teacher", "Ada", "--data", str(data)).stdout.strip()
            with client_of(running, token) as teacher:
                tokens = fill(running, teacher)
                marks = marks_of(teacher)
                students = {code: client_of(running, each) for code, each in tokens.items()}
                told = told_to(students, marks)
                backup = admin("backup", "--out", str(made / "store.sqlite3"), "--data", str(data))
                if backup.returncode:
                    raise SystemExit(backup.stderr)
                check = admin("check", "--data", str(data)).stdout.splitlines()
                regrade_all(teacher)
                after = marks_of(teacher)
        expected = {
            **expected_of(made / "store.sqlite3"),
            "tokens": {"teacher": token, "students": tokens},
            "marks": marks,
            "told_to_students": told,
            "check": check,
            "after_regrade": {name: assignment["grades"] for name, assignment in after.items()},
        }
        (made / "expected.json").write_text(json.dumps(expected, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        out.parent.mkdir(exist_ok=True)
        shutil.copytree(made, out)
    size = sum(file.stat().st_size for file in out.iterdir())
    print(f"{out.relative_to(ROOT)}: {size:,} bytes")


if __name__ == "__main__":
    main()
