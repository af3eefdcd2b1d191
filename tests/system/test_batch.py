"""A batch that is stopped, killed and run again: only what is missing is made, and nothing is ever half-written."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from solver.jobs.archives import inside, read_inside
from solver.jobs.output_folder import LEDGER, Ledger, write_whole
from tests.support.command import PLYMARK, plymark, plymark_within

FILES, KILLS = 240, 3


def write_games(folder: Path, count: int) -> None:
    draw = random.Random(17)
    folder.mkdir(parents=True)
    for number in range(count):
        tree = [[[draw.randint(0, 99) for _ in range(3)] for _ in range(3)] for _ in range(3)]
        (folder / f"{number:05}.yaml").write_text(f"plymark: game/1\ntree: {tree}\n")


def contents(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


def results(folder: Path) -> dict[str, bytes]:
    return {name: content for name, content in contents(folder).items() if name != LEDGER}


@pytest.fixture
def games(tmp_path: Path) -> Path:
    write_games(tmp_path / "games", 12)
    return tmp_path


@pytest.mark.slow
def test_a_run_again_makes_nothing(games: Path) -> None:
    assert plymark("solve", "games", "--out", "out", cwd=games).stderr == "12 solved\n"
    before = {name: (games / "out" / name).stat().st_mtime_ns for name in results(games / "out")}
    again = plymark("solve", "games", "--out", "out", cwd=games)
    assert (again.code, again.stderr) == (0, "0 solved, 12 up to date\n")
    assert before == {name: (games / "out" / name).stat().st_mtime_ns for name in results(games / "out")}
    assert plymark("solve", "games", "--out", "out", "--force", cwd=games).stderr == "12 solved\n"


@pytest.mark.slow
def test_what_changed_is_made_again(games: Path) -> None:
    plymark("solve", "games", "--out", "out", cwd=games)
    whole = results(games / "out")
    (games / "out" / "00001.solution.json").write_text("{}")
    (games / "out" / "00002.solution.json").unlink()
    os.utime(games / "games" / "00003.yaml", (0, 0))
    assert plymark("solve", "games", "--out", "out", cwd=games).stderr == "2 solved, 10 up to date\n"
    assert results(games / "out") == whole
    (games / "games" / "00004.yaml").write_text("plymark: game/1\ntree: [[1, 2], [3, 4]]\n")
    assert plymark("solve", "games", "--out", "out", cwd=games).stderr == "1 solved, 11 up to date\n"
    by_another = plymark("solve", "games", "--out", "out", "--convention", "strict", cwd=games)
    assert by_another.stderr == "12 solved\n"


@pytest.mark.slow
def test_failures_are_counted_by_code_and_tried_again(games: Path) -> None:
    (games / "games" / "a.yaml").write_text("plymark: game/1\ntree: [1e3, 2]\n")
    (games / "games" / "b.yaml").write_text("plymark: game/1\ntree: [1e4, 2]\n")
    (games / "games" / "c.yaml").write_text("plymark: game/1\ntree: [&x 1, 2]\n")
    for done in ("12 solved", "0 solved, 12 up to date"):
        ran = plymark("solve", "games", "--out", "out", cwd=games)
        assert (ran.code, ran.stderr.splitlines()[-1]) == (1, f"{done}, 3 failed (2 number, 1 anchor)")
    assert plymark("solve", "games", "--out", "out", "--quiet", cwd=games).stderr.count("\n") == 6


def test_a_ledger_with_a_broken_end_is_read(tmp_path: Path) -> None:
    (tmp_path / LEDGER).write_bytes(b'["a", "1", "2"]\n{"b": 3}\n["c", 1, "2"]\n["d", "1"')
    ledger = Ledger(str(tmp_path))
    assert list(ledger.known) == ["a"]
    ledger.close()
    assert (tmp_path / LEDGER).read_bytes() == b'["a", "1", "2"]\n'


@pytest.mark.slow
def test_archives_lines_and_patterns_hold_games_too(games: Path) -> None:
    plymark("solve", "games", "--out", "out", cwd=games)
    with zipfile.ZipFile(games / "games.zip", "w") as packed, tarfile.open(games / "games.tar.gz", "w:gz") as rolled:
        for file in sorted((games / "games").iterdir()):
            packed.write(file, f"../../{file.name}")
            rolled.add(file, f"/{file.name}")
    for archive in ("games.zip", "games.tar.gz", "games/*.yaml"):
        ran = plymark("solve", archive, "--out", "again", "--force", cwd=games)
        assert (ran.code, ran.stderr) == (0, "12 solved\n"), archive
        assert results(games / "again") == results(games / "out")
    assert sorted(file.name for file in games.iterdir()) == ["again", "games", "games.tar.gz", "games.zip", "out"]
    lines = [json.dumps({"plymark": "game/1", "tree": [[place, 1], [2, 3]]}) for place in range(3)]
    (games / "games.jsonl").write_text("\n".join([*lines, "{broken", ""]))
    ran = plymark("solve", "games.jsonl", cwd=games)
    assert [json.loads(line)["file"] for line in ran.stdout.splitlines()] == [f"games.jsonl#{n}" for n in (1, 2, 3)]
    assert ran.code == 1 and ran.stderr.startswith("games.jsonl#4:1:")
    (games / "no.zip").write_bytes(b"PK nonsense")
    refused = plymark("solve", "no.zip", cwd=games)
    assert refused.code == 2 and "cannot be read as an archive" in refused.stderr
    assert plymark("solve", "nowhere/*.yaml", cwd=games).code == 2


def test_an_archive_in_any_order_is_read_by_any_thread(games: Path) -> None:
    files = sorted((games / "games").iterdir(), key=lambda file: file.read_bytes())
    (games / "games" / "huge.yaml").write_bytes(b"plymark: game/1" + b" " * 2_000_000)
    for ending, mode in (("tar", "w"), ("tgz", "w:gz"), ("tar.bz2", "w:bz2"), ("tar.xz", "w:xz")):
        with tarfile.open(games / f"games.{ending}", mode) as rolled:  # type: ignore[call-overload]
            for file in [games / "games" / "huge.yaml", *files]:
                rolled.add(file, file.name)
        found = list(inside(str(games / f"games.{ending}")))
        assert [source.member for source in found] == [*sorted(file.name for file in files), "huge.yaml"]
        with ThreadPoolExecutor(8) as pool:
            read = list(pool.map(lambda source: read_inside(source, 1_000), found * 20))
        assert read[:12] * 20 == [raw for raw in read if len(raw) < 1_000]
        assert read[:12] == [(games / "games" / source.member).read_bytes() for source in found[:12]]
        assert {len(raw) for raw in read[12::13]} == {1_001}, "no more of it is taken than may be read"


def test_what_is_too_long_or_cannot_be_read_costs_only_itself(games: Path) -> None:
    with zipfile.ZipFile(games / "bomb.zip", "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("bomb.yaml", b"plymark: game/1" + b" " * 5_000_000)
        packed.writestr("good.yaml", (games / "games" / "00001.yaml").read_bytes())
    line = json.dumps({"plymark": "game/1", "tree": [1, 2]})
    (games / "long.jsonl").write_text(f"{line}\n\n{line}{' ' * 200_000}\n \n{line}")
    limits = ["--limit", "yaml_bytes=100000", "--limit", "json_bytes=100000"]
    ran = plymark_within("solve", "bomb.zip", "long.jsonl", *limits, "--out", "out", cwd=games)
    assert ran.code == 1 and "bomb.zip/bomb.yaml:1:1: the file has" in ran.stderr
    assert "long.jsonl#3:1:1: a line of more than 100,000 bytes [too-large]" in ran.stderr
    assert sorted(results(games / "out")) == [
        f"{name}.solution.json" for name in ("good", "long-000001", "long-000005")
    ]
    (games / "odd" / "below").mkdir(parents=True)
    (games / "odd" / "gone.yaml").symlink_to("nowhere")
    (games / "odd" / "loop.yaml").symlink_to("loop.yaml")
    (games / "odd" / "again").symlink_to(games / "odd")
    os.mkfifo(games / "odd" / "pipe.yaml")
    (games / "odd" / "below").chmod(0)
    ran = plymark_within("solve", "odd", cwd=games)
    (games / "odd" / "below").chmod(0o755)
    said = [
        *(["odd/below:1:1: cannot be read: Permission denied [no-file]"] if os.geteuid() else []),
        "odd/gone.yaml:1:1: cannot be read: No such file or directory [no-file]",
        "odd/loop.yaml:1:1: cannot be read: Too many levels of symbolic links [no-file]",
        "odd/pipe.yaml:1:1: cannot be read: this is a pipe [no-file]",
    ]
    assert sorted(each for each in ran.stderr.splitlines() if each.startswith("odd")) == said
    assert "did you mean" not in ran.stderr


@pytest.mark.slow
def test_a_disk_that_is_full_is_said_in_words(games: Path) -> None:
    """Or a file that may not grow: the same happens to those who write it."""
    command = f"ulimit -f 4; exec {PLYMARK} solve games --out out --jobs 2"
    ran = subprocess.run(["bash", "-c", command], check=False, cwd=games, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 1 and "Traceback" not in ran.stderr
    assert "00001.solution.json cannot be written: File too large [no-file]" in ran.stderr
    assert ran.stderr.endswith("0 solved, 12 failed (12 no-file)\n")
    assert list(contents(games / "out")) == [LEDGER]


@pytest.mark.slow
def test_two_runs_do_not_write_into_one_folder(games: Path) -> None:
    hold = "import sys; from solver.jobs import Ledger; kept = Ledger('out'); print(flush=True); sys.stdin.read()"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", hold], cwd=games, stdin=pipe, stdout=pipe) as other:
        assert other.stdout is not None and other.stdout.readline()
        ran = plymark("solve", "games", "--out", "out", cwd=games)
        assert (ran.code, ran.stderr) == (
            2,
            "plymark: another run is writing into out; wait for it, or give another --out\n",
        )
        other.kill()
    assert plymark("solve", "games", "--out", "out", cwd=games).stderr == "12 solved\n"


def test_two_that_write_one_file_leave_a_whole_one(tmp_path: Path) -> None:
    """A process whose run was killed, and its successor in the next run."""
    place = str(tmp_path / "deep" / "result.json")
    texts = [bytes([letter]) * 100_000 * (1 + letter % 3) for letter in b"abcdef"]
    with ThreadPoolExecutor(6) as pool:
        for _ in range(20):
            list(pool.map(lambda text: write_whole(place, text), texts))
            assert Path(place).read_bytes() in texts
    assert list(contents(tmp_path)) == ["deep/result.json"]


@pytest.mark.parametrize(
    ("command", "alone", "ending"),
    [
        (("draw",), ("draw", "-f", "svg"), ".svg"),
        (("draw", "--stages", "-f", "html"), ("draw", "-f", "html"), ".html"),
        (("explain", "-l", "pt"), ("explain", "-l", "pt"), ".explanation.txt"),
    ],
)
def test_pictures_and_stories_of_many(
    command: tuple[str, ...], alone: tuple[str, ...], ending: str, games: Path
) -> None:
    """As one at a time, byte for byte; what is there is kept, and a broken one costs only itself."""
    (games / "games" / "broken.yaml").write_text("plymark: game/1\ntree: [1e3, 2]\n")
    (games / "games" / "other.yaml").write_text("plymark: recipe/1\n")
    word = "drawn" if command[0] == "draw" else "explained"
    ran = plymark_within(*command, "games", "--out", "out", "--jobs", "2", cwd=games)
    assert (ran.code, ran.stderr.splitlines()[-1]) == (1, f"12 {word}, 1 failed, 1 skipped (of another kind)")
    made = results(games / "out")
    assert sorted(made) == [f"{number:05}{ending}" for number in range(12)]
    one = plymark_within(*alone, "games/00007.yaml", cwd=games)
    assert one.code == 0 and made[f"00007{ending}"].decode() == one.stdout
    again = plymark_within(*command, "games/0*.yaml", "--out", "out", cwd=games)
    assert (again.code, again.stderr) == (0, f"0 {word}, 12 up to date\n")


def test_what_makes_no_sense_for_many_pictures(games: Path) -> None:
    for arguments, says in {
        ("draw", "games"): "give --out DIR",
        ("explain", "games"): "give --out DIR",
        ("draw", "games", "-o", "out", "--stages"): "drawn as .pdf, .tex, .txt, .html: a file for each game",
        ("draw", "games", "-o", "out", "--blank", "-f", "html"): "a blank picture has no stages",
        ("draw", "games/00001.yaml", "-o", "tree.png", "-f", "svg"): "different kinds of pictures",
        ("draw", "games/00001.yaml", "-o", "tree.png", "--timeout", "1"): "are for several games",
    }.items():
        ran = plymark_within(*arguments, cwd=games)
        assert ran.code == 2 and says in ran.stderr, ran.stderr
    assert not (games / "out").exists()
    ran = plymark_within("draw", "games", "-o", "out", "--stage", "24", cwd=games)
    assert ran.code == 1 and "this search has the stages 0 to " in ran.stderr and "[picture]" in ran.stderr


@pytest.mark.slow
def test_a_file_may_take_only_so_long(games: Path) -> None:
    huge = [[[[[place % 7 for place in range(9)]] * 9] * 9] * 9] * 3
    (games / "games" / "huge.json").write_text(json.dumps({"plymark": "game/1", "tree": huge}))
    ran = plymark("solve", "games", "--out", "out", "--timeout", "0.05", cwd=games)
    assert ran.code == 1 and "huge.json:1:1: this file took longer than --timeout allows [timeout]" in ran.stderr
    assert not [name for name in contents(games / "out") if "unfinished" in name]


@pytest.mark.slow
def test_ctrl_c_says_how_far_it_came_and_leaves_whole_files(tmp_path: Path) -> None:
    write_games(tmp_path / "games", 3_000)
    command = [str(PLYMARK), "solve", "games", "--out", "out", "--jobs", "2"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, start_new_session=True)
    while len(list((tmp_path / "out").glob("*.json"))) < 100:
        time.sleep(0.02)
    os.killpg(process.pid, signal.SIGINT)
    _, error = process.communicate(timeout=300)
    assert process.returncode == 130
    said = error.splitlines()[-1]
    assert said.startswith(b"plymark: stopped: ") and said.endswith(b" left; run the same command again to go on")
    for content in results(tmp_path / "out").values():
        json.loads(content)
    assert not [name for name in contents(tmp_path / "out") if "unfinished" in name]


@pytest.mark.slow
def test_ctrl_c_while_it_loads_is_answered_in_words(tmp_path: Path) -> None:
    stop = "import sys\nclass Stop:\n def find_spec(self, name, *_):\n  if name == 'typer': raise KeyboardInterrupt\n"
    begin = "sys.meta_path.insert(0, Stop())\nfrom grader.cli.start import main\nmain()"
    ran = subprocess.run(
        [sys.executable, "-c", stop + begin], check=False, cwd=tmp_path, capture_output=True, text=True
    )
    assert (ran.returncode, ran.stdout, ran.stderr) == (130, "", "plymark: stopped\n")


@dataclass
class Kill:
    """What was there after a kill, and what the next run made again of it."""

    there: int
    unfinished: int
    again: int = 0


def killed_and_started_again(folder: Path, files: int, kills: int) -> list[Kill]:
    write_games(folder / "games", files)
    plymark("solve", "games", "--out", "whole", cwd=folder)
    whole, out = results(folder / "whole"), folder / "out"
    draw = random.Random(files)
    command = [str(PLYMARK), "solve", "games", "--out", "out", "--jobs", "2"]
    found: list[Kill] = []
    before: dict[str, tuple[int, int]] = {}
    for kill in range(kills):
        process = subprocess.Popen(command, cwd=folder, stderr=subprocess.PIPE, start_new_session=True)
        wanted = draw.randint(kill * files // kills, (kill + 1) * files // kills)
        while len(list(out.glob("*.json"))) < wanted and process.poll() is None:
            time.sleep(0.005)
        if kill % 2:
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        wait_for_the_end_of(process.pid)
        if found:
            found[-1].again = made_again(out, before)
        before = stamps(out)
        there = {name: (out / name).read_bytes() for name in before}
        assert there == {name: whole[name] for name in before}, "a file that is there is whole"
        left = [name for name in contents(out) if name.endswith(".unfinished")]
        assert len(left) <= 2 * (kill + 1), "one of each process that was killed"
        found.append(Kill(len(there), len(left)))
    done = plymark("solve", "games", "--out", "out", cwd=folder)
    assert done.code == 0
    found[-1].again = made_again(out, before)
    assert results(out) == whole
    # A chunk of each process, and the lines of the ledger that were not written yet.
    assert max(each.again for each in found) <= 2 * min(250, files // 16) + 50, found
    return found


def stamps(folder: Path) -> dict[str, tuple[int, int]]:
    """Of each result, what is another if it is written anew."""
    return {file.name: (file.stat().st_ino, file.stat().st_mtime_ns) for file in folder.glob("*.json")}


def made_again(folder: Path, before: dict[str, tuple[int, int]]) -> int:
    now = stamps(folder)
    return sum(now[name] != stamp for name, stamp in before.items())


def wait_for_the_end_of(session: int) -> None:
    """Of all processes that a run has started: what it leaves behind ends by itself."""
    until = time.monotonic() + 300
    while (left := in_session(session)) and time.monotonic() < until:
        time.sleep(0.05)
    assert not left, left


def in_session(session: int) -> list[str]:
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            pid, rest = stat.parent.name, stat.read_text().rpartition(")")[2].split()
            if int(rest[3]) == session and rest[0] != "Z":
                found.append(pid)
    return found


@pytest.mark.slow
def test_a_batch_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    killed_and_started_again(tmp_path, FILES, KILLS)


@pytest.mark.soak
def test_a_large_batch_that_is_killed_ten_times(tmp_path: Path) -> None:
    for each in killed_and_started_again(tmp_path, 4_000, 10):
        print(each)
