"""Bad documents, as the command meets them: every problem at its place, with its code, and never a traceback.

A case is a file `bad/<code>/<what it shows>.yaml` (or `.json`) and its exact stderr beside it, in the same name plus
`.expected`, where the file is called by its name alone. A file of the same name plus `.args` holds the command line to
run in place of `plymark check`. Documents too large to keep are made here.
"""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections import defaultdict
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from solver.kernel.errors import CODES, MESSAGE_LENGTH
from tests.support.command import PLYMARK
from tests.support.command import plymark_within as plymark
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

BAD = ROOT / "tests" / "bad"
CASES = sorted(path for path in BAD.rglob("*") if path.suffix in (".yaml", ".json"))
TOGETHER = [case for case in CASES if not case.with_name(f"{case.name}.args").exists()]
MADE_HERE = {"no-file", "crash", "timeout", "picture", "too-hard", "efg", "import"}
"""Codes that no line about a file shows; the tests at the end do."""

MOST_PROBLEMS = 20
MEGABYTES = 300
LINE = re.compile(r"(?P<file>.*?):(?P<line>\d+):(?P<column>\d+): (?P<message>.*) \[(?P<code>[a-z-]+)\]")


def beside(case: Path, ending: str) -> Path:
    return case.with_name(case.name + ending)


def shown(case: Path) -> str:
    return str(case.relative_to(BAD))


@cache
def checked_together() -> subprocess.CompletedProcess[str]:
    """`plymark check` of all cases without arguments of their own, in one process."""
    command = [str(PLYMARK), "check", "--jobs", "1", *map(shown, TOGETHER)]
    return subprocess.run(command, cwd=BAD, capture_output=True, encoding="utf-8", check=False)


@cache
def said_together() -> dict[str, str]:
    """What it says about each, under the file's name alone."""
    said: dict[str, str] = defaultdict(str)
    file = ""
    for line in checked_together().stderr.splitlines(keepends=True)[:-1]:
        if line.startswith("    hint: "):
            said[file] += line
        else:
            file, colon, rest = line.partition(":")
            said[file] += Path(file).name + colon + rest
    return said


def said_about(case: Path) -> str:
    arguments = beside(case, ".args")
    # A case that stopped the others is found by running each alone.
    if case in TOGETHER and "Traceback" not in checked_together().stderr:
        return said_together()[shown(case)]
    command = shlex.split(arguments.read_text("utf-8")) if arguments.exists() else ["check"]
    ran = plymark(*command, case.name, cwd=case.parent)
    assert (ran.code, ran.stdout) == (1, "")
    return ran.stderr


def assert_limits_kept(stderr: str) -> None:
    problems = [found for line in stderr.splitlines() if (found := LINE.fullmatch(line))]
    hints = [line.partition("hint: ")[2] for line in stderr.splitlines() if line.startswith("    hint: ")]
    assert 1 <= len(problems) <= MOST_PROBLEMS
    assert all(len(text) <= MESSAGE_LENGTH for text in [*(found["message"] for found in problems), *hints])
    assert all(sign.isprintable() for line in stderr.splitlines() for sign in line)


@pytest.mark.parametrize("case", CASES, ids=shown)
def test_every_problem_is_told(case: Path, update_goldens: bool) -> None:
    said = said_about(case)
    assert_limits_kept(said)
    if update_goldens:
        beside(case, ".expected").write_text(said, "utf-8")
    assert said == beside(case, ".expected").read_text("utf-8")


def test_no_case_is_valid() -> None:
    ran = checked_together()
    assert (ran.returncode, ran.stdout) == (1, "")
    assert f"\n0 valid, {len(TOGETHER)} failed (" in ran.stderr


@pytest.mark.parametrize("code", [code for code in CODES if code not in MADE_HERE])
def test_every_code_has_a_case(code: str) -> None:
    cases = [case for case in CASES if case.parent.name == code]
    assert cases
    for case in cases:
        assert f"[{code}]\n" in beside(case, ".expected").read_text("utf-8"), case


def test_nothing_is_left_over() -> None:
    belongs = {beside(case, ending) for case in CASES for ending in ("", ".expected", ".args")}
    assert {path for path in BAD.rglob("*") if path.is_file()} <= belongs
    assert {case.parent.name for case in CASES} - set(CODES) == {"several"}


# Large and hostile: what must be told, and what it may cost.

SIZE = 256 * 1024
GAME = "plymark: game/1\n"


def filled(part: str, before: str = "", after: str = "") -> bytes:
    """As often as it fits into the size."""
    room = SIZE - len(before.encode()) - len(after.encode())
    return (before + part * (room // len(part.encode())) + after).encode()


def numbered(part: Callable[[int], str], before: str = "", after: str = "", size: int = SIZE) -> bytes:
    """Parts that differ, until the size is reached."""
    parts, room = [before], size - len(before) - len(after)
    while room > 0:
        parts.append(part(len(parts)))
        room -= len(parts[-1])
    return "".join([*parts, after]).encode()


class Hostile(NamedTuple):
    name: str
    raw: bytes
    told: str
    """Line, column and code of a problem that must be among those told."""

    def __str__(self) -> str:
        return self.name


HOSTILE = [
    Hostile("brackets.yaml", filled("["), "1:129 nesting"),
    Hostile("brackets.json", filled("["), "1:129 nesting"),
    Hostile("braces.yaml", filled("{"), "1:2 complex-key"),
    Hostile("braces.json", filled("{"), "1:2 syntax"),
    Hostile("dashes.yaml", filled("- "), "1:257 nesting"),
    Hostile("question-marks.yaml", filled("? "), "1:3 complex-key"),
    Hostile("brackets-in-a-key.yaml", filled("[", before="{"), "1:2 complex-key"),
    Hostile("brackets-in-a-marked-key.yaml", filled("[", before="? "), "1:3 complex-key"),
    Hostile("dashes-in-a-key.yaml", filled("- ", before="? "), "1:3 complex-key"),
    Hostile(
        "closed-brackets-in-a-key.yaml", b"{" + b"[" * (SIZE // 2) + b"]" * (SIZE // 2) + b": 1}", "1:2 complex-key"
    ),
    Hostile("deep-json.json", filled('{"a":'), "1:641 nesting"),
    Hostile("deep-json.yaml", filled('{"a":'), "1:641 nesting"),
    Hostile("deep-and-closed.json", b"[" * (SIZE // 2) + b"]" * (SIZE // 2), "1:129 nesting"),
    Hostile("indented.yaml", "".join(f"{' ' * depth}a:\n" for depth in range(700)).encode(), "129:129 nesting"),
    Hostile("laughs.yaml", numbered(lambda n: f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}, *a{n - 1}]\n", GAME), "2:5 anchor"),
    Hostile("anchors.yaml", filled("&a 3, ", GAME + "tree: [", "3]"), "2:8 anchor"),
    Hostile("tags.yaml", filled("!a 3, ", GAME + "tree: [", "3]"), "2:8 tag"),
    Hostile("documents.yaml", filled("---\n", GAME), "1:1 missing-key"),
    Hostile("bells.yaml", filled("\a"), "1:1 character"),
    Hostile("zero-width.json", filled("\u200b"), "1:1 character"),
    Hostile("escaped-bells.yaml", filled('"\\a", ', GAME + "tree: [", "3]"), "2:8 character"),
    Hostile("not-utf-8.yaml", b"\xff" * SIZE, "1:1 encoding"),
    Hostile("zeros.json", bytes(SIZE), "1:1 character"),
    Hostile("digits.json", b'{"plymark": "game/1", "tree": ' + b"9" * SIZE + b"}", "1:31 long-text"),
    Hostile("fraction.yaml", filled("1/", GAME + "tree: ", "1"), "2:7 long-text"),
    Hostile("one-quote.yaml", filled("x", '"'), f"1:{SIZE + 1} syntax"),
    Hostile("quotes.json", filled('"'), "1:3 syntax"),
    Hostile("colons.yaml", filled(": "), "1:1 syntax"),
    Hostile("commas.yaml", filled(","), "1:1 syntax"),
    Hostile("bad-numbers.yaml", filled("1e3,", GAME + "tree: [", "3]"), "2:8 number"),
    Hostile("nulls.json", filled("null,", '{"plymark": "game/1", "tree": [', "3]}"), "1:32 null"),
    Hostile("empty-lists.yaml", filled("[],", GAME + "tree: [", "3]"), "2:8 no-children"),
    Hostile("empty-mappings.yaml", filled("{},", GAME + "tree: [", "3]"), "2:8 missing-key"),
    Hostile("lists-as-players.yaml", filled("[],", GAME + "players: [", "A]\ntree: 3\n"), "2:11 wrong-type"),
    Hostile("unknown-keys.yaml", numbered(lambda n: f"k{n}: 1\n", GAME), "2:1 unknown-key"),
    Hostile("misspelt-keys.yaml", filled("{valeu: 3},", GAME + "tree: [", "3]"), "2:9 unknown-key"),
    Hostile("duplicate-keys.yaml", filled("tree: 3\n", GAME), "3:1 duplicate-key"),
    Hostile("duplicate-keys.json", filled('"a": 3,', "{", '"a": 3}'), "1:9 duplicate-key"),
    Hostile("duplicate-ids.yaml", filled("{id: A, value: 3},", GAME + "tree: [", "3]"), "2:31 duplicate-id"),
    Hostile("duplicate-moves.yaml", filled("{move: a, value: 3},", GAME + "tree: [", "3]"), "2:35 duplicate-move"),
    Hostile("equal-players.yaml", filled("A,", GAME + "players: [", "A]\ntree: 3\n"), "2:13 bad-name"),
    Hostile(
        "many-unknowns.yaml", numbered(lambda n: f"u{n},", GAME + "unknowns: [", "v]\ntree: [z, 3]\n"), "3:8 number"
    ),
    Hostile(
        "many-players-and-unknown-turns.yaml",
        numbered(lambda n: f"u{n},", GAME + "players: [", "v]\n", SIZE // 2)
        + numbered(lambda n: f"{{turn: x{n}, children: [3]}},", "tree: [", "3]\n", SIZE // 2),
        "3:15 unknown-turn",
    ),
    Hostile(
        "many-players-and-short-vectors.yaml",
        numbered(lambda n: f"u{n},", GAME + "players: [", "v]\n", SIZE // 2)
        + numbered(lambda _: "{value: {a: 1}},", "tree: [", "3]\n", SIZE // 2),
        "3:16 vector",
    ),
    Hostile(
        "many-players-in-teams.yaml",
        numbered(lambda n: f"u{n},", GAME + "players: [", "v]\n", SIZE // 2)
        + numbered(lambda n: f"w{n},", "teams: {N: [", "v]}\ntree: [3]\n", SIZE // 2),
        "3:13 teams",
    ),
    Hostile(
        "many-missing-probabilities.yaml",
        filled("3,", GAME + "tree: {turn: chance, children: [{p: 1, value: 3},", "3]}"),
        "2:50 probability-missing",
    ),
    Hostile(
        "loops-to-nowhere.yaml",
        filled("{loop: A},", GAME + "tree: {turn: or, id: R, children: [", "true]}"),
        "2:36 loop",
    ),
    Hostile(
        "unreachable.yaml",
        numbered(lambda n: f" n{n}: {{value: 3}}\n", GAME + "root: A\nnodes:\n A: {value: 3}\n"),
        "5:2 unreachable-node",
    ),
    Hostile(
        "shared.yaml",
        filled("B,", GAME + "root: A\nnodes:\n B: {value: 3}\n A: {turn: max, children: [", "B]}\n"),
        "5:30 shared-node",
    ),
    Hostile(
        "long-cycle.yaml",
        numbered(lambda n: f" n{n}: {{turn: max, children: [n1, n{n + 1}]}}\n", GAME + "root: n1\nnodes:\n"),
        "4:29 cycle",
    ),
]

# Runs in a small process of its own, since a child's peak memory starts from its parent's.
MEASURE = """
import json, resource, subprocess, sys
# Whatever takes longer is killed: a document that costs too much fails, however fast the machine is.
# Whatever takes longer is killed.
resource.setrlimit(resource.RLIMIT_CPU, (6, 6))
ran = subprocess.run(sys.argv[1:], capture_output=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
unit = 2**20 if sys.platform == "darwin" else 2**10
print(json.dumps([ran.returncode, ran.stdout.decode(), ran.stderr.decode(), used.ru_maxrss / unit]))
"""


@pytest.mark.parametrize("hostile", HOSTILE, ids=str)
def test_hostile_documents_cost_little(hostile: Hostile, tmp_path: Path) -> None:
    (tmp_path / hostile.name).write_bytes(hostile.raw)
    command = [sys.executable, "-c", MEASURE, str(PLYMARK), "check", hostile.name]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    code, stdout, stderr, megabytes = json.loads(ran.stdout)
    assert (code, stdout) == (1, ""), f"killed by signal {-code}" if code < 0 else stderr
    assert "Traceback" not in stderr
    found = [LINE.fullmatch(line) for line in stderr.splitlines()]
    assert hostile.told in [f"{each['line']}:{each['column']} {each['code']}" for each in found if each]
    assert_limits_kept(stderr)
    assert megabytes < MEGABYTES


@pytest.mark.parametrize(("name", "size"), [("large.yaml", 16 * 2**20 + 1), ("large.json", 128 * 2**20 + 1)])
def test_a_file_past_its_limit(name: str, size: int, tmp_path: Path) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(size)
    ran = plymark("check", name, cwd=tmp_path)
    expected = f"{name}:1:1: the file has {size:,} bytes; at most {size - 1:,} are read [too-large]\n"
    assert (ran.code, ran.stdout, ran.stderr) == (1, "", expected)


def test_standard_input_past_its_limit() -> None:
    ran = plymark("check", "--limit", "yaml_bytes=50", "--limit", "json_bytes=50", "-", stdin=b"#" * 60)
    assert ran.code == 1
    assert re.fullmatch(r"<stdin>:1:1: .* at most 50 are read \[too-large\]\n", ran.stderr)


def test_standard_input_is_called_so() -> None:
    ran = plymark("check", "-", stdin=b"plymark: game/1\ntree: [3, x]\n")
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr.startswith('<stdin>:2:11: "x" is not a number [number]\n')


def test_a_missing_file(tmp_path: Path) -> None:
    ran = plymark("check", "none.yaml", cwd=tmp_path)
    expected = "none.yaml:1:1: cannot be read: No such file or directory [no-file]\n"
    assert (ran.code, ran.stdout, ran.stderr) == (1, "", expected)


def test_a_name_that_no_file_has(tmp_path: Path) -> None:
    ran = plymark("check", f"{'n' * 5000}.yaml", cwd=tmp_path)
    assert (ran.code, ran.stdout) == (1, "")
    assert ran.stderr.endswith(":1:1: cannot be read: File name too long [no-file]\n")


def test_one_bad_file_does_not_stop_the_others(tmp_path: Path) -> None:
    (tmp_path / "good.yaml").write_text(f"{GAME}tree: [3, 5]\n")
    ran = plymark("check", "none.yaml", "good.yaml", cwd=tmp_path)
    assert ran.code == 1
    assert ran.stdout == "good.yaml: valid game/1, 3 nodes, 2 leaves, depth 1\n"
    assert ran.stderr.endswith("[no-file]\n1 valid, 1 failed\n")


CRASH = """
import os
from solver.jobs import LocalProcesses, Result, Source, lost_file, map_in_order

def work(source):
    if source.name == "fatal":
        os._exit(9)
    return Result(source, source.name.encode())

if __name__ == "__main__":
    names = ["fatal" if number == 40 else f"file {number}" for number in range(100)]
    results = list(map_in_order(work, [Source(name, name) for name in names], LocalProcesses(2, 6), lost_file))
    assert [result.source.name for result in results] == names
    for result in results:
        assert result.output.decode() == ("" if result.problems else result.source.name)
        for problem in result.problems:
            print(f"{result.source.name}:{problem}")
"""


def test_a_process_that_dies_loses_one_file(tmp_path: Path) -> None:
    script = tmp_path / "crash.py"
    script.write_text(CRASH)
    ran = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert ran.stderr == ""
    assert ran.stdout == "fatal:1:1: the worker process for this file crashed [crash]\n"


def test_what_is_too_hard_is_refused_inside_an_analysis(tmp_path: Path) -> None:
    (tmp_path / "wide.yaml").write_text(f"{GAME}tree: [{', '.join(map(str, range(17)))}]\n")
    ran = plymark("analyse", "--format", "json", "wide.yaml", cwd=tmp_path)
    assert (ran.code, ran.stderr) == (0, "")
    assert '"node":"A","code":"too-hard"' in ran.stdout
