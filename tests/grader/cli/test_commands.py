"""Every command, within this process: what it prints, writes and refuses; a process of its own does the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import plymark, plymark_within

TREE = "[[3,12,8],[2,4,6],[14,5,2]]"
EXERCISE = "exercises/two-ply.yaml"
PRINTED: list[tuple[str, int, str]] = [
    # Arguments, the exit code, and something that is said.
    ("--version", 0, "plymark "),
    ("--help", 0, "Usage"),
    ("nonsense", 2, "No such command 'nonsense'"),
    ("check specs exercises recipes --jobs 1", 0, ""),
    ("check specs/two-ply.yaml --limit nodes=3", 1, "many-nodes"),
    ("check specs/two-ply.yaml --limit nonsense=3", 2, "nonsense"),
    ("check nowhere.yaml", 1, "nowhere.yaml"),
    ("solve specs/two-ply.yaml", 0, "MAX plays a1"),
    (f"solve --tree {TREE} -f json", 0, '"value":3'),
    ("solve specs/two-ply.yaml -a minimax -c aima4 -f yaml", 0, "minimax"),
    ("solve specs/mcts-textbook.yaml -a mcts --steps 5 --seed 1", 0, ""),
    ("solve specs/two-ply.yaml -a nonsense", 2, "unknown algorithm"),
    ("solve specs/two-ply.yaml -a alphabeta", 2, "did you mean alpha-beta?"),
    ("solve specs/two-ply.yaml -c amia4", 2, "unknown convention 'amia4'; did you mean aima4?"),
    ("solve specs/three-players.yaml -a alpha-beta", 1, "three-players.yaml"),
    ("solve", 2, "plymark"),
    ("analyse specs/two-ply.yaml --pruned L5,L6", 0, "sound"),
    ("analyse specs/two-ply.yaml --transform 2*v+3 -f json", 0, "transform"),
    ("analyse specs/two-ply.yaml --errs 1/4", 0, "p = 0.25"),
    ("analyse specs/two-ply.yaml --pruned nobody", 2, "nobody"),
    ("explain specs/two-ply.yaml -l pt --detail brief", 0, "MAX"),
    ("explain specs/two-ply.yaml -l xx", 2, "xx"),
    ("draw specs/two-ply.yaml", 0, "✂ after L4: 2 ≤ α = 3 from A"),
    ("draw specs/two-ply.yaml --stage 99", 2, "99"),
    ("draw specs/two-ply.yaml --out picture.docx", 2, "docx"),
    (f"grade {EXERCISE} exercises/answers", 0, "Total"),
    (f"grade {EXERCISE} exercises/answers -f csv", 0, "Student"),
    (f"grade {EXERCISE} exercises/answers -f gradescope", 0, '"score"'),
    (f"grade {EXERCISE} nowhere.csv", 1, "nowhere.csv"),
    (f"grade {EXERCISE} exercises/answers -f nonsense", 2, "nonsense"),
    (f"regrade {EXERCISE} {EXERCISE} exercises/answers", 0, ""),
    (f"regrade {EXERCISE} {EXERCISE} exercises/answers -f csv", 0, "Student"),
    ("import tictactoe:XO./.X./..O", 0, "plymark: game/1"),
    ("import tests/interchange/centipede.efg -f json", 0, '"game/1"'),
    ("import chess:e4", 2, "chess"),
]
WRITTEN: list[tuple[str, set[str]]] = [
    # Arguments without --out, and what is written there; the ledger of a batch has no name before its ending.
    ("solve specs/two-ply.yaml specs/three-ply.yaml --jobs 1 --out {}", {"two-ply", "three-ply", ""}),
    ("explain specs/two-ply.yaml --out {}/story.txt", {"story"}),
    ("draw specs/two-ply.yaml --stages --out {}/stages.html", {"stages"}),
    ("draw specs/two-ply.yaml --blank --out {}/blank.tex", {"blank"}),
    (f"grade {EXERCISE} exercises/answers -f json --out {{}}/reports --summary {{}}/class.html", {"reports", "class"}),
    ("generate recipes/minimax-easy.yaml -n 2 --seed here --out {}/made", {"made"}),
    (f"export {EXERCISE} --to moodle --out {{}}/quiz.xml", {"quiz"}),
    (f"paper {EXERCISE} --to html --kind key --out {{}}/key.html", {"key"}),
    ("import tictactoe:XO./.X./..O --out {}/position.yaml", {"position"}),
]


@pytest.mark.parametrize(("line", "code", "said"), PRINTED, ids=[line for line, _, _ in PRINTED])
def test_what_is_printed(line: str, code: int, said: str) -> None:
    ran = plymark_within(*line.split())
    assert (ran.code, said in ran.stdout + ran.stderr) == (code, True), ran.stdout + ran.stderr
    assert code == 0 or ran.stdout == ""


@pytest.mark.parametrize(("line", "names"), WRITTEN, ids=[line for line, _ in WRITTEN])
def test_what_is_written(line: str, names: set[str], tmp_path: Path) -> None:
    ran = plymark_within(*line.format(*[tmp_path] * line.count("{}")).split())
    assert ran.code == 0, ran.stderr
    assert {path.name.split(".")[0] for path in tmp_path.iterdir()} == names


def test_standard_input() -> None:
    game = f"plymark: game/1\ntree: {TREE}\n".encode()
    assert plymark_within("solve", "-", stdin=game).stdout == plymark_within("solve", "--tree", TREE).stdout
    assert plymark_within("check", "-", stdin=b"plymark: game/1\n").code == 1


@pytest.mark.slow
@pytest.mark.parametrize("line", [line for line, _, _ in PRINTED])
def test_a_process_of_its_own_does_the_same(line: str) -> None:
    within, own = plymark_within(*line.split()), plymark(*line.split())
    assert (within.code, within.stdout, within.stderr) == (own.code, own.stdout, own.stderr)
