"""What makes the command line easy on a tired person: completion, quiet runs, problems for programs, and advice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.core import TyperOption

from grader.cli.main import COMMANDS
from grader.practice.ready_exercises import ready_recipes
from solver.drawing import SHOWN
from solver.game import CONVENTIONS
from tests.support.command import every_command, offered, plymark_within
from tests.support.paths import ROOT

TREE = "[[3, 12], [2, 4]]"
GAME = f"plymark: game/1\ntree: {TREE}\n"
BROKEN = "plymark: game/1\ntree: {trun: max, children: [three]}\n"


def choosing() -> list[tuple[str, TyperOption]]:
    """Every option that looks a name up."""
    return [
        (name, option)
        for name, command in every_command()
        for option in command.params
        if isinstance(option, TyperOption) and option.callback is not None and not option.is_flag
    ]


@pytest.mark.parametrize(
    ("command", "option"), [pytest.param(*each, id=" ".join([each[0], each[1].opts[0]])) for each in choosing()]
)
def test_what_is_completed_is_what_is_accepted(command: str, option: TyperOption) -> None:
    refused = plymark_within(command, option.opts[0], "zzzz")
    assert (refused.code, refused.stdout) == (2, "")
    choices = refused.stderr.strip().partition("choose one of ")[2].split(", ")
    for name in option.opts:
        assert offered(command, name) == choices
        assert choices[-1] in offered(command, name, start=choices[-1][:2])


def test_there_are_many_choices() -> None:
    """Else the test above would hold for a command line without any."""
    choices = {(command, option.opts[0]) for command, option in choosing()}
    assert len(choices) >= 30
    assert {("check", "--format"), ("paper", "--kind"), ("paper", "--size"), ("draw", "--size")} <= choices
    assert {("solve", "--convention"), ("paper", "--language"), ("export", "--to"), ("grade", "--zip")} <= choices


def test_what_else_is_completed() -> None:
    assert offered("draw", "--show") == list(SHOWN)
    assert offered("draw", "--show", start="values,wi") == ["values,windows"]
    assert offered("generate", start="star2") == ["star2-easy", "star2-medium", "star2-hard"]
    assert "nodes=" in offered("solve", "--limit")
    assert offered() == list(COMMANDS)
    assert offered("draw", start="--th") == ["--theme"]
    assert offered("admin", start="pa") == ["password"]
    # Where nothing is offered, shells complete file names.
    assert offered("solve", start="spe") == []


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "two.yaml").write_text(GAME)
    (tmp_path / "games" / "three.yaml").write_text(GAME)
    text = (ROOT / "exercises" / "two-ply.yaml").read_text("utf-8")
    (tmp_path / "exercise.yaml").write_text(text.replace("../specs", str(ROOT / "specs")), "utf-8")
    (tmp_path / "class.csv").write_text("student,values.A,windows.A,pruned,move\ns1,3,,none,a1\ns2,4,,none,a2\n")
    return tmp_path


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check games", "2 valid"),
        ("draw games/two.yaml --stages --out stage.svg", "pictures: stage-1.svg"),
        ("grade exercise.yaml class.csv --review list.csv", "2 marked"),
        ("regrade exercise.yaml exercise.yaml class.csv", "2 marked"),
        ("generate minimax-easy --count 1 --seed s --out made", "1 exercise in made"),
        ("paper exercise.yaml --to latex --out sheet.tex", "wrote sheet.tex"),
        ("export exercise.yaml --to moodle --out quiz.xml", "for the final marks"),
    ],
)
def test_quiet(line: str, said: str, folder: Path) -> None:
    loud = plymark_within(*line.split(), cwd=folder)
    quiet = plymark_within(*line.split(), "--quiet", cwd=folder)
    assert (loud.code, quiet.code) == (0, 0), loud.stderr
    assert said in loud.stdout + loud.stderr
    assert said not in quiet.stdout + quiet.stderr
    if not line.startswith(("check", "generate")):
        assert loud.stdout == quiet.stdout


def test_quiet_keeps_problems_and_losses(folder: Path) -> None:
    (folder / "games" / "broken.yaml").write_text(BROKEN)
    ran = plymark_within("check", "games", "-q", cwd=folder)
    assert (ran.code, ran.stdout) == (1, "")
    assert {line.split(":")[0] for line in ran.stderr.splitlines()} == {"games/broken.yaml", "    hint"}
    ran = plymark_within("export", "exercise.yaml", "--to", "moodle", "--out", "quiz.xml", "-q", cwd=folder)
    assert ran.stderr.startswith("provisional: two-ply: values")


def test_what_many_documents_have_is_told_of_twenty(folder: Path) -> None:
    (folder / "set").mkdir()
    for number in range(40):
        more = "bar: 1\n" if number == 39 else ""
        (folder / "set" / f"g{number:02}.yaml").write_text(f"plymark: game/1\ntree: [3, 5]\nfoo: 1\n{more}")
    for command in ("check", "solve"):
        ran = plymark_within(command, "set", cwd=folder)
        lines = ran.stderr.splitlines()
        assert ran.code == 1 and len(lines) == 2 * 20 + 2 + 2
        assert lines[38] == 'set/g19.yaml:3:1: unknown key "foo" [unknown-key]'
        assert lines[40] == 'set/g39.yaml:4:1: unknown key "bar" [unknown-key]'
        assert lines[42] == 'unknown key "foo" [unknown-key]: 20 more documents, set/g20.yaml to set/g39.yaml'
    ran = plymark_within("check", "set", "--format", "json", cwd=folder)
    assert len(ran.stdout.splitlines()) == 41


def test_problems_for_programs(folder: Path) -> None:
    (folder / "games" / "broken.yaml").write_text(BROKEN)
    ran = plymark_within("check", "games", "exercise.yaml", "nowhere.yaml", "--format", "json", cwd=folder)
    assert (ran.code, ran.stderr) == (1, "3 valid, 2 failed (1 unknown-key, 1 no-file)\n")
    found = [json.loads(line) for line in ran.stdout.splitlines()]
    problems = [each for each in found if "code" in each]
    assert [each for each in found if each not in problems] == [
        {"file": "games/three.yaml", "kind": "game/1", "id": None},
        {"file": "games/two.yaml", "kind": "game/1", "id": None},
        {"file": "exercise.yaml", "kind": "exercise/1", "id": "two-ply"},
    ]
    assert {tuple(each) for each in problems} == {("file", "line", "column", "code", "message", "hint")}
    assert problems[0] == {
        "file": "games/broken.yaml",
        "line": 2,
        "column": 8,
        "code": "unknown-key",
        "message": 'unknown key "trun"',
        "hint": "did you mean turn?",
    }
    told = plymark_within("check", "games/broken.yaml", "nowhere.yaml", cwd=folder).stderr
    for each in problems:
        assert f"{each['file']}:{each['line']}:{each['column']}: {each['message']} [{each['code']}]\n" in told


def test_problems_that_are_left_out_are_counted(folder: Path) -> None:
    (folder / "many.yaml").write_text(f"plymark: game/1\ntree: [{', '.join(['[x]'] * 30)}]\n")
    ran = plymark_within("check", "many.yaml", "-f", "json", "-q", cwd=folder)
    *problems, last = [json.loads(line) for line in ran.stdout.splitlines()]
    assert (len(problems), last) == (20, {"file": "many.yaml", "more": 10})
    (folder / "empty").mkdir()
    ran = plymark_within("check", "empty", "-f", "json", "-q", cwd=folder)
    assert (ran.code, ran.stderr, json.loads(ran.stdout)["code"]) == (1, "", "no-file")


@pytest.mark.parametrize(
    ("line", "code", "said"),
    [
        ("check games/tow.yaml", 1, "hint: did you mean games/two.yaml?"),
        ("solve Games/Two.yml", 1, "hint: did you mean games/two.yaml?"),
        ("draw gaems/two.yaml", 1, "hint: did you mean games/two.yaml?"),
        ("check nowhere/at/all.yaml", 1, "hint: the folder nowhere/at does not exist"),
        ("grade exercise.yaml klass.csv", 1, "hint: did you mean class.csv?"),
        ("grade exercise.yaml class.csv --roster clas.csv", 2, "did you mean class.csv?"),
        ("grade games class.csv", 2, "there is no exercise in games; one starts with plymark: exercise/1"),
        ("grade class.csv exercise.yaml", 1, "hint: a .csv file is for grade (answers)"),
        ("check class.csv", 1, "documents are .yaml or .json"),
        ("paper games/two.yaml --to html --out x.html", 1, "hint: a game is for solve, analyse, draw and explain"),
        ("solve exercise.yaml", 1, "hint: an exercise is for grade, regrade, paper and export"),
        ("import games/two.yaml", 1, "a document of ours needs none"),
        ("generate games --out made", 1, "hint: this is a folder; name a file in it"),
        ("generate minimax-esy --out made", 2, "did you mean minimax-easy?"),
        ("generate zzz --out made", 2, "ready ones are minimax-easy"),
        ("solve games/two.yaml -f JSON", 2, "did you mean json?"),
        ("solve games/two.yaml -a AlphaBeta", 2, "did you mean alpha-beta?"),
        ("solve games/two.yaml -c stirct", 2, "did you mean strict?"),
        ("export exercise.yaml --to Moodle --out x", 2, "did you mean moodle?"),
        ("draw games/two.yaml --show valeus", 2, "did you mean values?"),
        ("draw games/two.yaml --tehme dark", 2, "Possible options: --theme"),
        ("--quiet check games", 2, "Options of a command come after it: plymark COMMAND --quiet"),
        ("Check games", 2, "Did you mean 'check'?"),
        ("admin bakcup", 2, "Did you mean 'backup'?"),
        ("solve games/two.yaml --limit nods=5", 2, "did you mean nodes?"),
    ],
)
def test_advice(line: str, code: int, said: str, folder: Path) -> None:
    ran = plymark_within(*line.split(), cwd=folder)
    assert (ran.code, said in ran.stderr) == (code, True), ran.stderr


def test_a_ready_recipe_by_its_name(folder: Path) -> None:
    seed = ("--seed", "s")
    by_name = plymark_within("generate", "minimax-easy", "-n", "1", *seed, "--out", "a", cwd=folder)
    recipe = ROOT / "recipes" / "minimax-easy.yaml"
    by_file = plymark_within("generate", recipe, "-n", "1", *seed, "--out", "b", cwd=folder)
    assert (by_name.code, by_file.code) == (0, 0)
    made = [{path.name: path.read_bytes() for path in (folder / name).iterdir()} for name in "ab"]
    assert made[0] == made[1]
    (folder / "minimax-easy").write_text(GAME)
    ran = plymark_within("generate", "minimax-easy", "--out", "c", cwd=folder)
    assert "this is game/1, not recipe/1" in ran.stderr
    assert len(ready_recipes()) > 30


MISSPELT = """\
plymark: exercise/1
id: misspelt
game: {tree: [[3, 5], [2, 4]]}
convention: {like: amia3, ctu: past-bound, ties: frist}
questions:
  - {id: a, ask: valuse, marks: 2}
  - {id: b, ask: values, marks: 2, of: minmax, algorithm: alphabeta}
  - {id: c, ask: move, markz: 2}
"""


def test_documents_are_advised_alike(folder: Path) -> None:
    (folder / "misspelt.yaml").write_text(MISSPELT)
    hints = plymark_within("check", "misspelt.yaml", cwd=folder).stderr
    for meant in ("aima3", "cut", "first", "values", "minimax", "alpha-beta", "marks"):
        assert f"hint: did you mean {meant}?" in hints
    (folder / "named.yaml").write_text(MISSPELT.replace("{like: amia3, ctu: past-bound, ties: frist}", "STRICT"))
    assert "did you mean strict?" in plymark_within("check", "named.yaml", cwd=folder).stderr
    assert set(CONVENTIONS) == {"aima3", "aima4", "strict", "fail-hard"}
