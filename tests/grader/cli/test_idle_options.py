"""An option that would do nothing is an error that says so: who gave it believes that it did something."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.command import plymark_within
from tests.support.paths import ROOT

EXERCISE = ROOT / "exercises" / "two-ply.yaml"
ANSWERS = ROOT / "exercises" / "answers"
GAME = ROOT / "specs" / "two-ply.yaml"
MCTS = ROOT / "specs" / "mcts-textbook.yaml"

IDLE = [
    # The command, the option that does nothing in it, and what it is for.
    (f"solve {MCTS}", "--steps 3", "it is for --algorithm mcts"),
    (f"solve {MCTS} -a minimax", "--seed 0", "it is for --algorithm mcts"),
    (f"solve {GAME}", "--digits 2", "it is for --algorithm mcts"),
    (f"solve {GAME}", "--force", "it is for --out"),
    ("solve -", "--timeout 5", "it is for files"),
    ("check -", "--timeout 5", "it is for files"),
    (f"explain {MCTS}", "--steps 3", "it is for --algorithm mcts"),
    (f"explain {GAME}", "--seed 4", "it is for --algorithm mcts"),
    (f"explain {GAME}", "--digits 4", "it is for --algorithm mcts"),
    (f"draw {MCTS}", "--steps 3", "it is for --algorithm mcts"),
    (f"draw {MCTS}", "--seed 3", "it is for --algorithm mcts"),
    (f"draw {MCTS} -a mcts --blank", "--steps 3", "a blank picture needs no search"),
    (f"draw {GAME}", "--theme dark", ".txt has no colours"),
    (f"draw {GAME} --out tree.tex", "--theme dark", ".tex has no colours"),
    (f"draw {GAME} --out tree.svg", "--scale 2", "it is for .png"),
    (f"grade {EXERCISE} {ANSWERS}", "--gradebook moodle", "it is for --format csv"),
    (f"grade {EXERCISE} {ANSWERS} -f json", "--grade-item Quiz", "it is for --format csv"),
    (f"grade {EXERCISE} {ANSWERS} -f csv", "--grade-item Quiz", "it is for --gradebook canvas or moodle"),
    (f"grade {EXERCISE} {ANSWERS} -f csv", "--feedback hints", "a gradebook has marks only"),
    (f"grade {EXERCISE} {ANSWERS}", "--visibility visible", "it is for --format gradescope"),
    (f"grade {EXERCISE} {ANSWERS}", "--secret-file secret.txt", "there is one variant only"),
    (f"paper {EXERCISE} --to html --out x.html", "--secret-file secret.txt", "it is for --kind booklet"),
    (f"paper {EXERCISE} --to html --out x.html", "--roster class.csv", "it is for --kind booklet"),
    (f"paper {EXERCISE} --to html --out x.html --kind key", "--time 90", "it is for sheets and booklets"),
    (f"paper {EXERCISE} --to html --out x.html --kind solution", "--aids none", "it is for sheets and booklets"),
    (f"paper {EXERCISE} --to html --out x.html --kind key", "--instructions x", "it is for sheets and booklets"),
    (f"paper {EXERCISE} --to html --out x.html --kind key --compact", "--course AI", "it is not printed"),
    (f"paper {EXERCISE} --to html --out x.html --kind key --compact", "--date May", "it is not printed"),
    ("paper exam.yaml --to html --out x.html", "--together", "this is an exam already"),
    (f"export {EXERCISE} --to moodle --out x.xml", "--feedback full", "it is for --to prairielearn or gradescope"),
    (f"export {EXERCISE} --to canvas --out x.zip", "--wheels .", "it is for --to prairielearn or gradescope"),
    (f"export {EXERCISE} --to prairielearn --out x", "--visibility visible", "it is for --to gradescope"),
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("any text")
    (tmp_path / "class.csv").write_text("id,name\ns1,Ada\n")
    (tmp_path / "exam.yaml").write_text(f"plymark: exam/1\nid: exam\nparts: [{{exercise: {EXERCISE}}}]\n")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "option", "reason"), IDLE, ids=[f"{line.split()[0]} {option}" for line, option, _ in IDLE]
)
def test_an_option_that_would_do_nothing_is_refused(line: str, option: str, reason: str, folder: Path) -> None:
    before = sorted(folder.iterdir())
    ran = plymark_within(*line.split(), *option.split(), cwd=folder, stdin=b"plymark: game/1\ntree: [1, 2]\n")
    assert (ran.code, ran.stdout) == (2, "")
    assert ran.stderr.startswith(f"plymark: {option.split(maxsplit=1)[0]} does nothing here: {reason}")
    assert sorted(folder.iterdir()) == before


def test_where_they_do_something_they_are_taken(folder: Path) -> None:
    for line in (
        f"solve {MCTS} -a mcts --steps 3 --seed 1 --digits 2",
        f"draw {MCTS} -a mcts --steps 3 --out tree.png --scale 1 --theme dark",
        f"grade {EXERCISE} {ANSWERS} -f csv --gradebook moodle --grade-item Quiz",
        f"grade {EXERCISE} {ANSWERS} -f csv --feedback hints --summary class.txt",
        f"paper {EXERCISE} --to html --kind booklet --roster class.csv --secret-file secret.txt --time 90 --out papers",
    ):
        assert plymark_within(*line.split(), cwd=folder).code == 0, line
