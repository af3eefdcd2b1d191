"""`plymark admin`, beside a running service and without one."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.grader.service.served import Running, admin, served
from tests.support.command import Ran, plymark_within

PASSWORD = "correct horse battery"


def ran(*arguments: str | Path, data: Path, stdin: str = "") -> Ran:
    return plymark_within("admin", *arguments, "--data", data, stdin=stdin.encode())


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Its folder is `data`, beside its log."""
    with served(tmp_path_factory.mktemp("admin") / "data") as started:
        yield started


def data_of(running: Running) -> Path:
    return running.log.with_name("data")


@pytest.mark.slow
def test_a_token_beside_a_running_service(running: Running) -> None:
    made = admin("token", "--teacher", "Ada", "--data", data_of(running))
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.count("\n") == 1
    again = ran("token", "--teacher", "ADA", data=data_of(running)).stdout
    for token in (made.stdout.strip(), again.strip()):
        with running.client(token) as client:
            assert client.post("/api/courses", json={"title": "Search"}).status_code == 201
            assert len(client.get("/api/courses").json()["items"]) >= 1
    with running.client(again.strip()) as client:
        first, _ = client.get("/api/courses").json()["items"]
        members = client.get(f"/api/courses/{first['id']}/members").json()["items"]
    assert [(each["id"], each["name"]) for each in members] == [("ada", "Ada")]


@pytest.mark.slow
def test_a_link_beside_a_running_service(running: Running) -> None:
    made = ran("link", "--teacher", "Ada", data=data_of(running)).stdout.strip()
    assert made.startswith(f"{running.url}/in/")
    with running.client() as client:
        assert client.post("/api/session", json={"link": made}).status_code == 201
        assert client.post(made, headers={"Cookie": ""}).status_code == 401
    elsewhere = ran("link", "--teacher", "Ada", "--public-url", "https://x.example/p/", data=data_of(running))
    assert elsewhere.stdout.startswith("https://x.example/p/in/")
    several = ran("link", data=data_of(running))
    assert several.code == 1
    assert several.stderr == "plymark: there are several teachers; choose one with --teacher: Teacher, ada\n"


@pytest.mark.slow
def test_a_password_beside_a_running_service(running: Running) -> None:
    short = ran("password", "--teacher", "Ada", data=data_of(running), stdin="short\n")
    assert (short.code, short.stderr) == (1, "plymark: a password has at least 10 characters\n")
    made = ran("password", "--teacher", "Ada", data=data_of(running), stdin=f"{PASSWORD}\n")
    assert (made.code, made.stdout, made.stderr) == (0, "", "ada can sign in\n")
    with running.client() as client:
        answer = client.post("/api/session", json={"name": "Ada", "password": PASSWORD})
    assert answer.status_code == 201


@pytest.mark.slow
def test_a_backup_beside_a_running_service(running: Running, tmp_path: Path) -> None:
    out, data = tmp_path / "backup.sqlite3", tmp_path / "restored"
    token = ran("token", "--teacher", "Bo", data=data_of(running)).stdout.strip()
    with running.client(token) as client:
        course = client.post("/api/courses", json={"title": "Kept"}).json()["id"]
    assert ran("backup", "--out", out, data=data_of(running)).code == 0
    twice = ran("backup", "--out", out, data=data_of(running))
    assert (twice.code, twice.stderr) == (1, f"plymark: {out} exists already; a backup never overwrites a file\n")
    beside = ran("restore", out, data=data_of(running))
    assert beside.code == 1
    assert f"another Plymark runs on {data_of(running)}" in beside.stderr
    assert ran("restore", out, data=data).code == 0
    full = ran("restore", out, data=data)
    assert (full.code, "the store is not empty" in full.stderr) == (1, True)
    assert ran("check", data=data).stdout == "the store is whole\n"
    with served(data, link=False) as second, second.client(token) as client:
        assert client.get(f"/api/courses/{course}").json()["title"] == "Kept"


def test_what_is_no_backup(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no backup")
    for wrong in (tmp_path / "text", tmp_path / "missing", tmp_path):
        refused = ran("restore", wrong, data=tmp_path / "data")
        assert refused.code == 1
        assert str(wrong) in refused.stderr


def test_a_log_that_somebody_changed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    ran("token", "--teacher", "Ada", data=data)
    assert ran("check", data=data).code == 0
    changing = sqlite3.connect(data / "plymark.sqlite3")
    changing.execute("UPDATE audit SET who = 'x' WHERE number = 2")
    changing.commit()
    changing.close()
    found = ran("check", data=data)
    assert (found.code, found.stdout) == (1, "the audit log does not follow from itself at entry 2\n")


def test_no_store(tmp_path: Path) -> None:
    for command in (["check"], ["backup", "--out", tmp_path / "out"]):
        refused = ran(*command, data=tmp_path / "none")
        assert refused.code == 1
        assert refused.stderr == f"plymark: there is no store in {tmp_path / 'none'}; plymark serve makes one\n"
    assert not (tmp_path / "none").exists()


def test_the_first_link_of_a_new_store(tmp_path: Path) -> None:
    """Made before anything is served: the server then offers another."""
    data = tmp_path / "data"
    first = ran("link", data=data).stdout
    assert first.startswith("http://127.0.0.1:8321/in/")
    second = ran("link", data=data).stdout
    assert first != second


def test_wrong_use_is_said_in_words(tmp_path: Path) -> None:
    misspelt = plymark_within("admin", "chek").stderr
    assert misspelt == "plymark: No such command 'chek'. Did you mean 'check'?\nTry 'plymark admin --help' for help.\n"
    assert plymark_within("admin").code == 2
    missing = ran("token", data=tmp_path)
    assert (missing.code, "Missing option '--teacher'" in missing.stderr) == (2, True)
    nobody = ran("token", "--teacher", " ", data=tmp_path)
    assert (nobody.code, nobody.stderr) == (1, "plymark: a teacher needs a name\n")
