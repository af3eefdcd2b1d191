"""The service keeps to its own OpenAPI, as a program that others wrote judges: no 5xx, no answer left undescribed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.grader.service.served import environment, served
from tests.grader.service.test_whole import Class

pytestmark = pytest.mark.slow

NOT_TRIED = ("delete_course", "remove_member", "sign_out", "put_password", "renew_link")
"""They would take away what the others work on."""

REFUSED = """[checks.negative_data_rejection]
expected-statuses = [400, 401, 403, 404, 405, 406, 409, 412, 413, 415, 422, 428, 429]
"""
"""What counts as refusing a wrong request. By itself schemathesis takes 412 for consent."""


def described(data: Path, folder: Path, examples: int, *options: str) -> subprocess.CompletedProcess[str]:
    with served(data) as running:
        room = Class(running, data, 3)
        config = folder / "schemathesis.toml"
        config.write_text(REFUSED + _parameters(room))
        command = [
            *(str(Path(sys.executable).parent / "schemathesis"), "--config-file", str(config), "run"),
            *(f"{running.url}/api/openapi.json", "--header", f"Authorization: Bearer {room.teacher}", "--no-color"),
            *("--max-examples", str(examples), "--rate-limit", "19/s", "--seed", "2026"),
            *(option for each in NOT_TRIED for option in ("--exclude-operation-id", each)),
            # Which texts are documents, times or numbers is more than JSON Schema says.
            *("--exclude-checks", "positive_data_acceptance"),
            *options,
        ]
        done = subprocess.run(
            command, capture_output=True, text=True, cwd=folder, env=environment(), timeout=3_000, check=False
        )
        assert running.process.poll() is None
        assert '"status":500' not in running.log.read_text()
        return done


def _parameters(room: Class) -> str:
    """Ids of things that are there, so that requests get further than to a 404."""
    teacher = room.teacher
    course = room.ask("GET", "/api/courses", teacher)["items"][0]["id"]
    exercise = room.ask("GET", f"/api/courses/{course}/exercises", teacher)["items"][0]["id"]
    attempt = room.ask("POST", f"/api/assignments/{room.assignment}/attempts", teacher)["id"]
    room.hand_in(0)
    grade = room.ask("GET", f"/api/assignments/{room.assignment}/grades", teacher)["items"][0]["id"]
    regrade = room.ask("POST", f"/api/assignments/{room.assignment}/regrades", teacher, json={"version": 1})["id"]
    ids = {"c": course, "e": exercise, "a": room.assignment, "m": "s1", "t": attempt, "s": room.acknowledged[0]}
    ids |= {"g": grade, "r": regrade}
    return "[parameters]\n" + "".join(f'"path.{name}" = "{value}"\n' for name, value in ids.items())


def test_every_operation_answers_as_described(tmp_path: Path) -> None:
    done = described(tmp_path / "data", tmp_path, 1, "--phases", "fuzzing")
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr


@pytest.mark.soak
def test_every_operation_answers_as_described_however_often_it_is_asked(tmp_path: Path) -> None:
    done = described(tmp_path / "data", tmp_path, 60)
    assert done.returncode == 0, done.stdout[-6_000:] + done.stderr
