"""The same batch on a real Dask cluster: a scheduler and workers of its own, files on disk and in an S3 store."""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from grader.service import tasks
from grader.service.run.serving import cluster_at
from grader.service.workers.lanes import BULK
from grader.service.workers.work_problems import Refused
from grader.service.workers.worker_pool import TRIES, Workers
from grader.service.workers.worker_process import to_bytes
from solver.jobs.output_folder import LEDGER
from tests.grader.service.work.answers import variant
from tests.support.command import PLYMARK, plymark
from tests.support.machine import package
from tests.support.paths import ROOT
from tests.system.test_batch import contents, results, write_games

pytestmark = pytest.mark.slow

FILES = 600


class Cluster:
    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self.environment = {**os.environ, **environment}
        started = ["-m", "distributed.cli.dask_scheduler", "--port", "0", "--no-dashboard", "--host", "127.0.0.1"]
        self.scheduler = self._started(started, folder, "scheduler")
        self.address = self._said(folder / "scheduler", r"Scheduler at:\s+(tcp://\S+)")
        self.folder = folder
        self.workers: list[subprocess.Popen[bytes]] = []

    def add_worker(self) -> None:
        name = f"worker{len(self.workers)}"
        started = ["-m", "distributed.cli.dask_worker", self.address, "--nthreads", "1", "--no-dashboard", "--no-nanny"]
        started += ["--name", name, "--local-directory", str(self.folder)]
        self.workers.append(self._started(started, self.folder, name))
        self._said(self.folder / name, r"(Registered to)")

    def kill_one_at_work(self, watch: Any) -> None:
        """The first worker, while it has something to do that is not done. `watch` is a client of Dask's, connected
        before there is anything to do."""
        address = next(each for each, its in watch.scheduler_info()["workers"].items() if its["name"] == "worker0")
        for _ in range(60_000):
            if watch.processing().get(address):
                # Held, it hands in nothing more between the second look and its end.
                self.workers[0].send_signal(signal.SIGSTOP)
                time.sleep(0.2)
                if watch.processing().get(address):
                    self.workers[0].send_signal(signal.SIGKILL)
                    return
                self.workers[0].send_signal(signal.SIGCONT)
            time.sleep(0.005)
        raise AssertionError("it was never seen at work")

    def _started(self, arguments: list[str], folder: Path, name: str) -> subprocess.Popen[bytes]:
        with (folder / name).open("wb") as log:
            return subprocess.Popen(
                [sys.executable, *arguments], cwd=folder, stdout=log, stderr=log, env=self.environment
            )

    def _said(self, log: Path, pattern: str) -> str:
        for _ in range(6000):
            if (found := re.search(pattern, log.read_text())) is not None:
                return found[1]
            time.sleep(0.05)
        raise AssertionError(log.read_text())

    def close(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


def watching(cluster: Cluster) -> Any:
    return package("distributed").Client(cluster.address, set_as_default=False)


@contextmanager
def cluster_of(workers: int, folder: Path, **environment: str) -> Iterator[Cluster]:
    folder.mkdir()
    made = Cluster(folder, environment)
    try:
        for _ in range(workers):
            made.add_worker()
        yield made
    finally:
        made.close()


def test_a_cluster_gives_the_same_bytes_though_a_worker_is_killed(tmp_path: Path) -> None:
    write_games(tmp_path / "games", FILES)
    (tmp_path / "games" / "zz.yaml").write_text("plymark: game/1\ntree: [1e3, 2]\n")
    here = plymark("solve", "games", "--out", "here", "--quiet", cwd=tmp_path)
    with cluster_of(2, tmp_path / "cluster") as cluster, watching(cluster) as watch:
        command = [str(PLYMARK), "solve", "games", "--out", "there", "--quiet", "--cluster", cluster.address]
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while len(list((tmp_path / "there").glob("*.json"))) < 20:
            time.sleep(0.01)
        cluster.kill_one_at_work(watch)
        out, error = process.communicate(timeout=600)
        assert (process.returncode, out.decode(), error.decode()) == (here.code, here.stdout, here.stderr)
        assert results(tmp_path / "there") == results(tmp_path / "here")
        again = plymark("solve", "games", "--out", "there", "--cluster", cluster.address, cwd=tmp_path)
        assert f"0 solved, {FILES} up to date, 1 failed" in again.stderr
        lines = plymark("solve", "games", "--cluster", cluster.address, cwd=tmp_path)
        assert lines.stdout == plymark("solve", "games", cwd=tmp_path).stdout


def write_class(folder: Path, answers: int) -> None:
    """Answers of every kind, some of them broken, some of them by one student."""
    draw = random.Random(17)
    lines = []
    for number in range(answers):
        values = {node: str(draw.choice([2, 3, 8, "?"])) for node in "ABCD"}
        said = {"values": values, "pruned": draw.choice(["L5, L6", "L9", "none"]), "move": f"a{draw.randint(1, 3)}"}
        lines.append(json.dumps({"student": f"s{number % (answers - 9)}", "answers": said}))
    lines[7], lines[-3] = "{broken", '{"student": "x", "answers": 3}'
    (folder / "class.jsonl").write_text("\n".join(lines) + "\n")


def test_a_cluster_marks_the_same_though_a_worker_is_killed(tmp_path: Path) -> None:
    write_class(tmp_path, 100)
    exercise = str(ROOT / "exercises" / "two-ply.yaml")
    asked = ["grade", exercise, "class.jsonl", "--duplicates", "best"]
    with cluster_of(2, tmp_path / "cluster") as cluster, watching(cluster) as watch:
        for format, kills in (("json", True), ("csv", False), ("html", False)):
            if kills:
                command = [str(PLYMARK), *asked, "-f", format, *written("there"), "--cluster", cluster.address]
                process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                cluster.kill_one_at_work(watch)
                out, error = process.communicate(timeout=600)
                there = (process.returncode, out.decode(), without_progress(error.decode()))
                cluster.add_worker()
            else:
                ran = plymark(*asked, "-f", format, *written("there"), "--cluster", cluster.address, cwd=tmp_path)
                there = (ran.code, ran.stdout, without_progress(ran.stderr))
            here = plymark(*asked, "-f", format, *written("here"), "--jobs", "1", cwd=tmp_path)
            assert there == (here.code, here.stdout, without_progress(here.stderr).replace("here", "there"))
            assert "91 marked, 2 could not be marked, 7 not counted" in here.stderr
            assert contents(tmp_path / "there") == contents(tmp_path / "here")
        corrected = ("regrade", exercise, exercise, "class.jsonl", "--format", "csv")
        there_again = plymark(*corrected, "--cluster", cluster.address, cwd=tmp_path)
        here_again = plymark(*corrected, "--jobs", "1", cwd=tmp_path)
        assert (there_again.code, there_again.stdout) == (here_again.code, here_again.stdout)
        checked = plymark("check", str(ROOT / "exercises"), "--cluster", cluster.address, cwd=tmp_path)
        assert checked.stdout == plymark("check", str(ROOT / "exercises"), cwd=tmp_path).stdout != ""


def without_progress(said: str) -> str:
    return "".join(line for line in said.splitlines(True) if " a second" not in line)


def written(folder: str) -> list[str]:
    return ["--out", folder, "--summary", f"{folder}/class.html", "--review", f"{folder}/review.csv"]


def test_files_are_read_from_and_written_to_an_s3_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MOTO_RECORDER_FILEPATH", str(tmp_path / "requests"))
    server = package("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    access: dict[str, Any] = {
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ACCESS_KEY_ID": "test",
        "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1",
    }
    try:
        write_games(tmp_path / "games", 30)
        here = plymark("solve", "games", "--out", "here", cwd=tmp_path)
        assert here.code == 0
        store(access, tmp_path / "games", "bank")
        theirs = {**access, "AWS_ACCESS_KEY_ID": "worker"}
        with cluster_of(1, tmp_path / "cluster", **theirs) as cluster:
            command = ["solve", "s3://bank/games", "--out", "s3://bank/solved", "--cluster", cluster.address]
            with asked_of(f"http://{host}:{port}", tmp_path / "requests") as asked:
                ran = plymark(*command, cwd=tmp_path, **access)
            assert (ran.code, ran.stderr) == (0, "30 solved\n"), ran.stderr
            documents = {f"/bank/games/{number:05}.yaml" for number in range(30)}
            solutions = {f"/bank/solved/{number:05}.solution.json" for number in range(30)}
            assert {place for who, method, place in asked if (who, method) == ("worker", "GET")} >= documents
            assert {place for who, method, place in asked if (who, method) == ("worker", "PUT")} == solutions
            ours = {place for who, method, place in asked if who == "test" and method in ("GET", "PUT")}
            assert any(place.endswith(LEDGER) for place in ours) and not ours & (documents | solutions)
            assert plymark(*command, cwd=tmp_path, **access).stderr == "0 solved, 30 up to date\n"
        assert stored(access, "bank/solved") == results(tmp_path / "here")
        # Without a cluster, too; and what is not there is said in words.
        assert plymark("check", "s3://bank/games/00001.yaml", cwd=tmp_path, **access).code == 0
        missing = plymark("solve", "s3://bank/none.yaml", cwd=tmp_path, **access)
        assert missing.code == 1
    finally:
        server.stop()


@contextmanager
def asked_of(server: str, record: Path) -> Iterator[list[tuple[str, str, str]]]:
    """Who asked an S3 store for what meanwhile: the name of the key, the method and the place."""
    asked: list[tuple[str, str, str]] = []
    urlopen(Request(f"{server}/moto-api/recorder/start-recording", method="POST")).close()
    yield asked
    urlopen(Request(f"{server}/moto-api/recorder/stop-recording", method="POST")).close()
    for line in record.read_text().splitlines():
        each = json.loads(line)
        who = re.search("Credential=([a-z]+)/", str(each["headers"]))
        if who is not None:
            asked.append((who[1], each["method"], urlsplit(each["url"]).path))


def store(access: dict[str, str], folder: Path, bucket: str) -> None:
    files = system(access)
    files.mkdir(bucket)
    for file in folder.iterdir():
        files.pipe_file(f"{bucket}/games/{file.name}", file.read_bytes())


def stored(access: dict[str, str], place: str) -> dict[str, bytes]:
    files = system(access)
    found = {each.removeprefix(f"{place}/"): files.cat_file(each) for each in files.find(place)}
    return {name: content for name, content in found.items() if not name.startswith(".")}


def system(access: dict[str, str]):  # type: ignore[no-untyped-def]
    from fsspec import filesystem

    return filesystem(
        "s3",
        key=access["AWS_ACCESS_KEY_ID"],
        secret=access["AWS_SECRET_ACCESS_KEY"],
        endpoint_url=access["AWS_ENDPOINT_URL"],
        use_listings_cache=False,
        skip_instance_cache=True,
    )


def test_what_is_no_cluster_is_refused_in_words(tmp_path: Path) -> None:
    write_games(tmp_path / "games", 2)
    ran = plymark("solve", "games", "--cluster", "tcp://127.0.0.1:9", cwd=tmp_path)
    assert ran.code == 2 and "no Dask scheduler answers at tcp://127.0.0.1:9" in ran.stderr
    ran = plymark("solve", "games", "--cluster", "tcp://127.0.0.1:9", "--jobs", "2", cwd=tmp_path)
    assert ran.code == 2 and "a cluster has workers of its own" in ran.stderr


def test_the_bulk_work_of_a_service_is_done_there(tmp_path: Path) -> None:
    """The same bytes; and when the cluster is gone, or there is none, by the workers of the service."""
    wrong = [(variant("two-ply"), b'{"answers": {"move": "a%d"}}' % number, "en", ()) for number in range(1, 4)]
    recipe = (ROOT / "recipes" / "minimax-easy.yaml").read_bytes()

    async def done(workers: Workers) -> list[bytes]:
        bulk = workers.lane(BULK, tries=TRIES)
        return [
            to_bytes(await bulk.run(tasks.mark_many, wrong)),
            to_bytes(await bulk.run(tasks.generate, recipe, 1, "7")),
        ]

    async def compared(cluster: Cluster) -> None:
        alone = Workers(1)
        sent = Workers(1)
        try:
            # Nobody has started the processes of this one: only the cluster can do its work.
            sent.cluster = await asyncio.to_thread(cluster_at, cluster.address)
            assert sent.cluster is not None and sent.at_once == 1
            there = await done(sent)
            with pytest.raises(Refused):
                await sent.lane(BULK).run(tasks.generate, b"nonsense", 1, "7")
            cluster.close()
            alone.start()
            assert there == await done(alone)
            sent.start()
            assert there == await done(sent), "as the cluster is gone"
        finally:
            if sent.cluster is not None:
                sent.cluster.close()
            await alone.stop(0)
            await sent.stop(0)

    with cluster_of(1, tmp_path / "cluster") as cluster:
        asyncio.run(compared(cluster))


def test_a_service_without_its_cluster_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("solver.jobs.dask_cluster.WAIT", 0.5)
    assert cluster_at("tcp://127.0.0.1:9") is None
    said = capsys.readouterr().err
    assert said.startswith("plymark: no Dask scheduler answers at tcp://127.0.0.1:9")
    assert said.endswith("; bulk work is done here\n") and said.count("\n") == 1
