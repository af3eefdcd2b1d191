"""The command line, as the contract fixes it."""

from __future__ import annotations

import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from subprocess import PIPE

import pytest
from typer.core import TyperCommand, TyperOption

from tests.support.command import PLYMARK, every_command, plymark, plymark_within
from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

TWO_PLY = ROOT / "specs" / "two-ply.yaml"
TREE = "[[3,12,8],[2,4,6],[14,5,2]]"


def game(tree: str) -> str:
    return f"plymark: game/1\ntree: {tree}\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Three games, one of them below, one broken, one document of another kind and one of none."""
    (tmp_path / "games" / "sub").mkdir(parents=True)
    games = tmp_path / "games"
    (games / "b.yaml").write_text(game("[[1, 2], [3, 4]]"))
    (games / "a.yml").write_text(game(TREE))
    (games / "sub" / "c.json").write_text('{"plymark": "game/1", "tree": [[5, 6], [7, 8]]}')
    (games / "broken.yaml").write_text(game("[[1, 2], [three, 4]]"))
    (games / "other.yaml").write_text("plymark: exercise/1\n")
    (games / "notes.yaml").write_text("just: notes\n")
    (games / "readme.txt").write_text("not looked at")
    return tmp_path


def test_one_game_is_text_by_default() -> None:
    ran = plymark("solve", TWO_PLY)
    assert ran.code == 0
    assert "▼ C       ≤ 2   (3, +∞)  ✂ after L4: 2 ≤ α = 3 from A" in ran.stdout
    assert "MAX plays a1, and the game is worth 3; the line is a1, b1." in ran.stdout
    assert "\x1b" not in ran.stdout
    assert ran.stderr == ""


def test_colour_only_on_a_terminal() -> None:
    def on_terminal(**environment: str) -> bytes:
        ours, theirs = pty.openpty()
        process = subprocess.Popen([PLYMARK, "solve", TWO_PLY], stdout=theirs, env={**os.environ, **environment})
        os.close(theirs)
        shown = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:
                break
            if not part:
                break
            shown += part
        assert process.wait() == 0
        return shown

    assert b"\x1b[2m" in on_terminal()
    assert b"\x1b[2m" not in on_terminal(NO_COLOR="1")


@pytest.mark.parametrize("source", ["file", "stdin", "tree"])
def test_ways_in(source: str) -> None:
    match source:
        case "file":
            ran = plymark("solve", TWO_PLY, "--format", "json")
        case "stdin":
            ran = plymark("solve", "-", "-f", "json", stdin=TWO_PLY.read_bytes())
        case _:
            ran = plymark("solve", "--tree", TREE, "-f", "json")
    assert (ran.code, ran.stdout) == (0, plymark("solve", TWO_PLY, "-f", "json").stdout)
    assert json.loads(ran.stdout)["move"] == "a1"


def test_folder_gives_a_json_line_a_game_in_order(folder: Path) -> None:
    ran = plymark("solve", "games", cwd=folder)
    assert ran.code == 1
    solutions = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [(solution["file"], solution["value"]) for solution in solutions] == [
        ("games/a.yml", 3),
        ("games/b.yaml", 3),
        ("games/sub/c.json", 7),
    ]
    assert 'games/broken.yaml:2:17: "three" is not a number [number]' in ran.stderr
    assert "3 solved, 1 failed, 2 skipped (of another kind)" in ran.stderr


def test_files_keep_their_order_and_a_missing_one_stops_nothing(folder: Path) -> None:
    ran = plymark("solve", "games/sub/c.json", "games/nowhere.yaml", "games/a.yml", cwd=folder)
    assert ran.code == 1
    assert [json.loads(line)["file"] for line in ran.stdout.splitlines()] == ["games/sub/c.json", "games/a.yml"]
    assert ran.stderr.startswith("games/nowhere.yaml:1:1: cannot be read: No such file or directory [no-file]")


def test_out_mirrors_folders(folder: Path) -> None:
    ran = plymark("solve", "games", "--out", "solved", cwd=folder)
    assert (ran.code, ran.stdout) == (1, "")
    written = sorted(str(file.relative_to(folder / "solved")) for file in (folder / "solved").rglob("*.*"))
    assert written == [".plymark-ledger.jsonl", "a.solution.json", "b.solution.json", "sub/c.solution.json"]
    assert "file" not in json.loads((folder / "solved" / "sub" / "c.solution.json").read_text())


@pytest.mark.parametrize(("format", "ending"), [("text", "txt"), ("yaml", "yaml"), ("json", "json")])
def test_out_formats(folder: Path, format: str, ending: str) -> None:
    assert plymark("solve", "games/a.yml", "--out", "solved", "--format", format, cwd=folder).code == 0
    written = (folder / "solved" / f"a.solution.{ending}").read_text()
    assert written == plymark("solve", "games/a.yml", "--format", format, cwd=folder).stdout


def test_equal_output_names_are_refused_before_anything_is_written(folder: Path) -> None:
    (folder / "games" / "sub" / "a.yaml").write_text(game("[1, 2]"))
    ran = plymark("solve", "games/a.yml", "games/sub/a.yaml", "--out", "solved", cwd=folder)
    assert ran.code == 2
    assert "would both be written to a.solution.json" in ran.stderr
    assert not (folder / "solved").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["solve"], "give PATHs or --tree"),
        (["solve", "x.yaml", "--tree", "[1]"], "use either PATHs or --tree, not both"),
        (["solve", "--tree", "[[3, 12"], "<tree>:1:8: not YAML"),
        (["solve", "--tree", "[[3, x]]"], '<tree>:1:6: "x" is not a number'),
        (["solve", "--tree", TREE, "--algorithm", "magic"], "unknown algorithm 'magic'; choose one of auto, minimax"),
        (["solve", "--tree", TREE, "--format", "xml"], "unknown format 'xml'; choose one of text, json, yaml"),
        (["solve", "--tree", TREE, "--convention", "aima9"], "unknown convention 'aima9'"),
        (["solve", "--tree", TREE, "--convention", "{like: aima3, cut"], "the convention cannot be read"),
        (["solve", "--tree", TREE, "--convention", "{cut: never}"], "cut must be one of at-bound, past-bound"),
        (["solve", "--tree", TREE, "--convention", "{window: [5, 3]}"], "5 is not below 3"),
        (
            ["solve", "--tree", TREE, "--convention", "{cut: past-bound, returns: fail-hard}"],
            "past-bound with fail-hard makes no sense",
        ),
        (["solve", "--tree", TREE, "--limit", "nodes=many"], "a limit is NAME=NUMBER"),
        (["solve", "--tree", TREE, "--jobs", "0"], "--jobs"),
        (["solve", "--no-such-option"], "no-such-option"),
    ],
)
def test_wrong_use_exits_2(arguments: list[str], said: str) -> None:
    ran = plymark(*arguments)
    assert (ran.code, ran.stdout) == (2, "")
    assert said in ran.stderr


@pytest.mark.parametrize(
    ("text", "options", "said"),
    [
        (
            game("{turn: max, children: [1, {turn: chance, children: [1, 2]}]}"),
            ["-a", "alpha-beta"],
            "2:33: alpha-beta",
        ),
        ("plymark: game/1\nunknowns: [x]\ntree: [1, x]\n", [], "3:11: alpha-beta needs a number at every leaf"),
        (game("[1, 2]"), ["-c", "{window: bounds}"], "2:7: the window should be the game's bounds"),
    ],
)
def test_refusals_exit_1_at_the_nodes_place(tmp_path: Path, text: str, options: list[str], said: str) -> None:
    (tmp_path / "game.yaml").write_text(text)
    ran = plymark("solve", "game.yaml", *options, cwd=tmp_path)
    assert (ran.code, ran.stdout) == (1, "")
    assert f"game.yaml:{said}" in ran.stderr


def test_refusal_in_json_has_a_place_too(tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text('{"plymark": "game/1",\n "unknowns": ["x"],\n "tree": [1,\n  "x"]}')
    assert "game.json:4:3: alpha-beta needs a number" in plymark("solve", "game.json", cwd=tmp_path).stderr


def test_check_names_every_kind(folder: Path) -> None:
    solution = folder / "solution.json"
    solution.write_text(plymark("solve", TWO_PLY, "-f", "json").stdout)
    ran = plymark("check", "games/a.yml", "solution.json", cwd=folder)
    assert ran.code == 0
    assert ran.stdout == "games/a.yml: valid game/1, 13 nodes, 9 leaves, depth 2\nsolution.json: valid solution/1\n"


def test_limits_can_be_set(tmp_path: Path) -> None:
    (tmp_path / "game.yaml").write_text(game("[1, 2, 3]"))
    ran = plymark("check", "game.yaml", "--limit", "nodes=3", cwd=tmp_path)
    assert (ran.code, ran.stderr) == (1, "game.yaml:2:14: more than 3 nodes [many-nodes]\n")


def test_reader_that_stops_early_is_no_error(tmp_path: Path) -> None:
    for number in range(300):
        (tmp_path / f"{number}.yaml").write_text(game(TREE))
    line = f"set -o pipefail; {PLYMARK} solve {tmp_path} | head -n 1"
    pipe = subprocess.run(["bash", "-c", line], capture_output=True, check=False)
    assert pipe.returncode == 0
    assert pipe.stderr == b""


def test_ctrl_c_is_answered() -> None:
    """The program waits for its stdin, and is stopped."""
    process = subprocess.Popen([PLYMARK, "solve", "-"], stdin=PIPE, stdout=PIPE, stderr=PIPE)
    assert process.stdin is not None
    wait_until_it_reads(process)
    process.send_signal(signal.SIGINT)
    out, error = process.communicate(timeout=300)
    assert (process.returncode, out, error) == (130, b"", b"plymark: stopped\n")


def wait_until_it_reads(process: subprocess.Popen[bytes]) -> None:
    """A pipe that is full again after what was in it was taken: Python has started, and reads the document."""
    assert process.stdin is not None
    os.set_blocking(process.stdin.fileno(), False)
    size = 0
    for _ in range(15_000):
        with suppress(BlockingIOError):
            size += os.write(process.stdin.fileno(), b"#" * 65_536)
        if size > 4 * 65_536:
            return
        time.sleep(0.02)
    pytest.fail("stdin is not read")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("plymark so", "solve"),
        ("plymark solve --algorithm expecti", "expectiminimax"),
        ("plymark solve --convention aima", "aima4"),
        ("plymark grade --feedback h", "hints"),
        ("plymark paper --kind b", "booklet"),
        ("plymark draw --th", "--theme"),
    ],
)
def test_shell_completion(words: str, expected: str) -> None:
    last = words.rsplit(maxsplit=1)[-1]
    ways = {
        "bash": {"COMP_WORDS": words, "COMP_CWORD": str(len(words.split()) - 1)},
        "zsh": {"_TYPER_COMPLETE_ARGS": words},
        "fish": {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
        "powershell": {"_TYPER_COMPLETE_ARGS": words, "_TYPER_COMPLETE_WORD_TO_COMPLETE": last},
    }
    for shell, environment in ways.items():
        ran = plymark(cwd=ROOT, stdin=b"", _PLYMARK_COMPLETE=f"complete_{shell}", **environment)
        assert (ran.code, ran.stderr) == (0, "")
        assert expected in re.split(r'[\s:"]+', ran.stdout), shell


def within(shell: str, line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """What a shell of this name runs; typer asks the system which shell it was called by."""
    (folder / "bin").mkdir(exist_ok=True)
    shutil.copy(shutil.which("bash") or "", folder / "bin" / shell)
    path = f"{PLYMARK.parent}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "HOME": str(folder)}
    command = [str(folder / "bin" / shell), "-c", f"{line}; exit $?"]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_is_installed_once(shell: str, tmp_path: Path) -> None:
    for _ in range(2):
        ran = within(shell, "plymark --install-completion", tmp_path)
        assert (ran.returncode, ran.stderr) == (0, "")
        assert f"{shell} completion installed in " in ran.stdout
    shutil.rmtree(tmp_path / "bin")
    texts = {path.name: path.read_text("utf-8").strip() for path in tmp_path.rglob("*") if path.is_file()}
    assert within(shell, "plymark --show-completion", tmp_path).stdout.strip() in texts.values()
    assert len(texts) == (1 if shell == "fish" else 2)
    lines = "\n".join(texts[name] for name in {".bashrc", ".zshrc"} & texts.keys()).splitlines()
    assert len(lines) == len(set(lines))


def test_completion_in_bash(tmp_path: Path) -> None:
    line = 'eval "$(plymark --show-completion)"; COMP_WORDS=(plymark so) COMP_CWORD=1'
    ran = within("bash", f'{line}; _plymark_completion plymark; echo "${{COMPREPLY[@]}}"', tmp_path)
    assert (ran.stdout, ran.stderr) == ("solve\n", "")


def test_completion_for_powershell_and_for_another_shell(tmp_path: Path) -> None:
    ran = within("pwsh", "plymark --show-completion", tmp_path)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert "Register-ArgumentCompleter -Native -CommandName plymark" in ran.stdout
    ran = within("tcsh", "plymark --show-completion", tmp_path)
    assert (ran.returncode, ran.stdout, ran.stderr) == (1, "", "Shell tcsh not supported.\n")


def test_version_and_help() -> None:
    assert plymark("--version").stdout.startswith("plymark 0.")
    assert plymark("--help").stdout == plymark("-h").stdout
    bare = plymark()
    assert (bare.code, bare.stdout) == (2, plymark("--help").stdout)
    module = subprocess.run([sys.executable, "-m", "grader", "--help"], capture_output=True, check=True, cwd=ROOT)
    assert module.stdout.decode() == plymark("--help").stdout


@pytest.mark.parametrize("command", [name for name, _ in every_command()])
def test_help_fits_a_screen(command: str) -> None:
    """Of any terminal, even one that knows letters only."""
    ran = plymark(*command.split(), "--help", COLUMNS="200", TERM="dumb")
    assert (ran.code, ran.stderr) == (0, "")
    lines = ran.stdout.splitlines()
    assert len(lines) <= 45
    assert max(map(len, lines)) <= 80
    assert not re.search("[\x1b\u2500-\u257f]", ran.stdout)


@pytest.mark.parametrize(("name", "command"), [pytest.param(*each, id=each[0]) for each in every_command()])
def test_help_tells_every_option_and_its_default(name: str, command: TyperCommand) -> None:
    # Lines break at spaces and hyphens.
    shown = "".join(plymark_within(*name.split(), "--help").stdout.split())
    for option in command.params:
        assert not getattr(option, "hidden", False)
        assert all(
            written in shown for written in (*option.opts, option.metavar or "") if written.isupper() or "-" in written
        )
        if isinstance(option, TyperOption) and not option.is_flag and option.default not in (None, ""):
            assert f"[default:{option.default}" in shown, option.name


def test_help_groups_options() -> None:
    text = plymark_within("paper", "--help").stdout
    headings = [line for line in text.splitlines() if line.endswith(":") and not line.startswith(" ")]
    assert headings == ["Arguments:", "Options:", "Booklet:", "Header of the sheet:"]
    assert plymark_within("solve", "--help").stdout.partition("\nSearch:\n")[2].split()[:2] == ["-a,", "--algorithm"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["slove"], "plymark: No such command 'slove'. Did you mean 'solve', 'serve'?\n"),
        (["zzz"], "plymark: No such command 'zzz'.\nTry 'plymark --help' for help.\n"),
        (["solve", "--algoritm", "x"], "Try 'plymark solve --help' for help.\n"),
        (["generate"], "plymark: Missing argument 'RECIPE'.\n"),
        (["export", "x.yaml", "--to", "moodle"], "plymark: Missing option '--out' / '-o'.\n"),
        (["solve", "x.yaml", "--jobs", "many"], "plymark: Invalid value for '--jobs' / '-j': "),
        (["solve", "x.yaml", "--timeout", "0"], "plymark: --timeout is a number of seconds above 0, not 0.0\n"),
    ],
)
def test_wrong_use_is_said_in_words(arguments: list[str], said: str) -> None:
    ran = plymark(*arguments)
    assert (ran.code, ran.stdout) == (2, "")
    assert said in ran.stderr
    assert "--algorithm" in ran.stderr or "--algoritm" not in arguments


def test_a_depth_uses_estimates(tmp_path: Path) -> None:
    estimate = "{turn: min, estimate: %s, children: [%s]}"
    children = f"[{estimate % (4, '3, 12')}, {estimate % (9, '2, 4')}]"
    (tmp_path / "game.yaml").write_text(game(f"{{turn: max, estimate: 1, children: {children}}}"))
    found = [json.loads(plymark("solve", "game.yaml", "-d", d, "-f", "json", cwd=tmp_path).stdout) for d in "012"]
    assert [(solution["value"], solution["move"]) for solution in found] == [(1, None), (9, "a2"), (3, "a1")]
    rounds = plymark("solve", "game.yaml", "-d", "1", "-c", "{depth_unit: round}", "-f", "json", cwd=tmp_path)
    assert json.loads(rounds.stdout)["value"] == 3


def test_analyse_as_json_and_its_wrong_uses(folder: Path) -> None:
    found = json.loads(plymark("analyse", TWO_PLY, "--pruned", "a2,L9", "--errs", "1/10", "-f", "json").stdout)
    assert found["soundness"]["verdict"] == "unsound"
    assert found["opponent"]["given"]["worst"]["value"] == 3.9
    assert found["pruning"]["fewest"]["leaves"] == 5
    for arguments, said in {
        ("games",): "one game, not a folder",
        ("games/a.yml", "--errs", "2"): "a probability from 0 to 1",
        ("games/a.yml", "--pruned", "L55"): "there is no node or move",
        ("games/a.yml", "--transform", "import os"): "os",
        ("games/a.yml", "--format", "yaml"): "unknown format",
    }.items():
        ran = plymark("analyse", *arguments, cwd=folder)
        assert (ran.code, ran.stdout) == (2, ""), arguments
        assert said in ran.stderr


def test_imported_games_can_be_piped(tmp_path: Path) -> None:
    imported = plymark("import", "tictactoe:XO./.X./..O", cwd=tmp_path)
    solved = plymark("solve", "-", "-f", "json", stdin=imported.stdout.encode())
    assert (imported.code, json.loads(solved.stdout)["value"]) == (0, 1)
    assert plymark("import", "tictactoe:XO./.X./..O", "--out", "game.json", cwd=tmp_path).code == 0
    assert plymark("check", "game.json", cwd=tmp_path).code == 0
    assert plymark("import", "tictactoe:XXX/.../...").code == 2
    assert plymark("import", "nowhere.efg", cwd=tmp_path).code == 1


def test_skipped_files_take_no_output_names(folder: Path) -> None:
    (folder / "games" / "b.json").write_text('{"note": "not a game"}')
    assert plymark("solve", "games", "--out", "solved", cwd=folder).code == 1
    assert (folder / "solved" / "b.solution.json").exists()


def test_a_folder_without_documents_is_named(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    ran = plymark("check", "empty", cwd=tmp_path)
    assert ran.code == 1
    assert ran.stderr.startswith("empty:1:1: there is no document for this command in this folder [no-file]")


def test_a_file_name_that_is_not_utf_8(tmp_path: Path) -> None:
    name = os.fsdecode(b"g\xff.yaml")
    (tmp_path / name).write_text(game(TREE))
    (tmp_path / "other.yaml").write_text(game(TREE))
    ran = plymark("solve", ".", cwd=tmp_path)
    assert ran.code == 0
    assert [json.loads(line)["file"] for line in ran.stdout.splitlines()] == ["g\\xff.yaml", "other.yaml"]


def test_outputs_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder").mkdir()
    (tmp_path / "game.yaml").write_text(game(TREE))
    for arguments in (
        ["solve", "game.yaml", "--out", "file"],
        ["import", "tictactoe:XO./.X./..O", "--out", "folder"],
        ["solve", "-", "-"],
        ["check", ""],
    ):
        assert plymark(*arguments, cwd=tmp_path).code == 2, arguments
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder", "game.yaml"]


@pytest.mark.parametrize(
    "options",
    [
        "--to html",
        "--to latex --kind key --course AI --title T --date D --institution I",
        "--to html --kind booklet --roster class.csv --secret-file secret.txt --size letter",
        "--to html --kind solution --together --duplex --size letter -l fa",
    ],
)
def test_the_files_of_a_paper_are_told(options: str, tmp_path: Path) -> None:
    (tmp_path / "class.csv").write_text("id,name\ns1,Ada\ns2,Alan\n")
    (tmp_path / "secret.txt").write_text("any text")
    exercise = ROOT / "exercises" / "two-ply.yaml"
    ran = plymark_within("paper", exercise, *options.split(), "--out", "papers", cwd=tmp_path)
    assert (ran.code, ran.stdout) == (0, "")
    # LaTeX also says which packages it needs.
    wrote = [line for line in ran.stderr.splitlines() if line.startswith("wrote ")]
    assert sorted(wrote) == sorted(f"wrote papers/{path.name}" for path in (tmp_path / "papers").iterdir())


@pytest.mark.parametrize("name", ["exam.html", "EXAM.TEX"])
def test_the_extension_says_the_format_of_a_paper(name: str, tmp_path: Path) -> None:
    ran = plymark_within("paper", ROOT / "exercises" / "two-ply.yaml", "--out", name, "-q", cwd=tmp_path)
    assert ran.code == 0 and (tmp_path / name).stat().st_size > 0, ran.stderr
    ran = plymark_within("paper", ROOT / "exercises" / "two-ply.yaml", "--out", "papers", cwd=tmp_path)
    said = "plymark: --to is missing, and 'papers' does not say the format: choose one of pdf, latex, html\n"
    assert (ran.code, ran.stderr) == (2, said)


@pytest.mark.parametrize("target", ["pdf", "latex", "html"])
def test_papers_are_not_exported(target: str) -> None:
    ran = plymark_within("export", "exercises/two-ply.yaml", "--to", target, "--out", "x")
    said = f"plymark: unknown target {target!r}; choose one of moodle, canvas, prairielearn, gradescope\n"
    assert (ran.code, ran.stdout, ran.stderr) == (2, "", said)


def test_the_pages_of_a_paper_are_told(tmp_path: Path) -> None:
    for kind, pages in (("sheet", "1 page"), ("key", "2 pages")):
        ran = plymark(
            "paper", ROOT / "exercises" / "two-ply.yaml", "--to", "pdf", "--kind", kind, "--out", "x.pdf", cwd=tmp_path
        )
        assert (ran.code, ran.stderr) == (0, f"wrote x.pdf, {pages}\n")


def test_paper_makes_papers_only(tmp_path: Path) -> None:
    ran = plymark("paper", ROOT / "exercises" / "two-ply.yaml", "--to", "moodle", "--out", tmp_path / "quiz.xml")
    assert (ran.code, ran.stderr) == (2, "plymark: unknown format 'moodle'; choose one of pdf, latex, html\n")
