"""The stateless tasks give what the command line prints, with its words and codes for what is wrong."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.service import tasks
from grader.service.tasks.document_commands import ValidDocument
from grader.service.workers.work_problems import Refused
from tests.grader.service.work.answers import exercise_bytes, exercise_data
from tests.support.command import plymark_within
from tests.support.paths import ROOT

SPECS = sorted((ROOT / "specs").glob("*.*"))
BAD = random.Random(13).sample(sorted(each for each in (ROOT / "tests" / "bad").rglob("*.*") if each.is_file()), 60)
BAD += sorted(each for each in (ROOT / "tests" / "bad_exercises").rglob("*.*") if each.is_file())[::3]
BAD = [each for each in BAD if each.parent.name != "game"]
"""Without the exercises whose game is in another file: a request has no other files."""


def flags(options: Mapping[str, str]) -> list[str]:
    return [part for name, value in options.items() for part in ([f"--{name}", value] if value else [f"--{name}"])]


def refusal(task: str, *args: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        getattr(tasks, task)(*args)
    assert refused.value.status == 422
    return refused.value


def printed(name: str, refused: Refused) -> str:
    """As the command line prints it."""
    if not refused.problems:
        return f"plymark: {refused.detail}\n"
    lines = []
    for each in refused.problems:
        lines.append(f"{name}:{each['line']}:{each['column']}: {each['message']} [{each['code']}]")
        lines += [f"    hint: {each['hint']}"] if each["hint"] else []
    more = refused.total - len(refused.problems)
    lines += [f"{name}: … and {more:,} more problem{'' if more == 1 else 's'}"] if more else []
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("spec", SPECS, ids=lambda spec: str(spec.name))
def test_as_on_the_command_line(spec: Path) -> None:
    raw = spec.read_bytes()
    for command, options in [
        ("solve", {"format": "json"}),
        ("solve", {"format": "text", "convention": "knuth-moore"}),
        ("solve", {"format": "yaml", "algorithm": "minimax", "depth": "1"}),
        ("analyse", {"format": "json"}),
        ("analyse", {"format": "text", "errs": "1/3"}),
        ("explain", {"language": "pt", "detail": "full"}),
        ("check", {}),
    ]:
        ran = plymark_within(command, spec, *flags(options))
        args: tuple[Any, ...] = (raw,) if command == "check" else (raw, options)
        if ran.code:
            assert printed(str(spec), refusal(command, *args)) == ran.stderr
            continue
        found = getattr(tasks, command)(*args)
        if command == "check":
            assert found == ValidDocument("game/1", None)
        elif command == "explain":
            assert (found.language, "".join(f"{line}\n" for line in found.sentences)) == ("pt", ran.stdout)
        else:
            assert found[1].decode() == ran.stdout


@pytest.mark.parametrize(
    "options", [{}, {"blank": ""}, {"stage": "3", "theme": "dark"}, {"language": "fa", "leaves": "4"}]
)
def test_drawings(options: dict[str, str], tmp_path: Path) -> None:
    for spec in SPECS[::6]:
        out = tmp_path / "tree.svg"
        ran = plymark_within("draw", spec, "--out", out, *flags(options))
        if ran.code == 0:
            written = out if out.exists() else tmp_path / "tree-3.svg"
            assert tasks.draw(spec.read_bytes(), options) == written.read_bytes()
            written.unlink()
        else:
            assert printed(str(spec), refusal("draw", spec.read_bytes(), options)) == ran.stderr


@pytest.mark.parametrize("file", BAD, ids=lambda file: f"{file.parent.name}-{file.name}")
def test_problems_as_on_the_command_line(file: Path) -> None:
    """Of a file that does not say by its name that it is JSON: a request has none."""
    raw = file.read_bytes()
    ran = plymark_within("check", "-", stdin=raw, cwd=file.parent)
    if ran.code == 0:
        assert tasks.check(raw).kind
        ran = plymark_within("solve", "-", stdin=raw)
        if ran.code:
            assert printed("<stdin>", refusal("solve", raw, {})) == ran.stderr
        return
    assert printed("<stdin>", refusal("check", raw)) == ran.stderr


def test_kinds_and_ids() -> None:
    answer = (ROOT / "exercises" / "answers" / "two-ply-right.yaml").read_bytes()
    assert tasks.check(answer) == ValidDocument("answer/1", None)
    assert tasks.check(exercise_bytes("two-ply")) == ValidDocument("exercise/1", "two-ply")
    recipe = next((ROOT / "recipes").glob("*.yaml"))
    assert tasks.check(recipe.read_bytes()) == ValidDocument("recipe/1", recipe.stem)


def test_a_path_in_a_document_is_not_followed() -> None:
    raw = (ROOT / "exercises" / "two-ply.yaml").read_bytes()
    assert b"../specs/" in raw
    refused = refusal("check", raw.replace(b"../specs", str(ROOT / "specs").encode()))
    assert [each["code"] for each in refused.problems] == ["game"]


@pytest.mark.parametrize(
    ("task", "options", "words"),
    [
        ("solve", {"algorithm": "alphabeta"}, "unknown algorithm 'alphabeta'; did you mean alpha-beta?"),
        ("solve", {"convention": "aima5"}, "unknown convention 'aima5'; did you mean"),
        ("solve", {"convention": "{like: aima3, cut: never}"}, "never"),
        ("solve", {"depth": "-1"}, "depth is a whole number from 0 up, not '-1'"),
        ("solve", {"depth": "1" * 5000}, "depth is a whole number"),
        ("solve", {"digits": "101"}, "digits is a whole number from 0 to 100"),
        ("solve", {"formt": "json"}, "unknown option 'formt'; did you mean format?"),
        ("solve", {"limit": "nodes=1"}, "unknown option 'limit'"),
        ("analyse", {"errs": "2"}, "errs is a probability from 0 to 1"),
        ("analyse", {"transform": "v +"}, "v"),
        ("explain", {"language": "de"}, "unknown language 'de'"),
        ("draw", {"stage": "1-3"}, "stage is a whole number"),
        ("draw", {"blank": "maybe"}, "unknown blank 'maybe'"),
        ("draw", {"show": "everything"}, "everything"),
    ],
)
def test_options_are_refused_with_words(task: str, options: dict[str, str], words: str) -> None:
    refused = refusal(task, (ROOT / "specs" / "two-ply.yaml").read_bytes(), options)
    assert refused.code == "option" and words in refused.detail


@pytest.mark.parametrize("answer", ["right", "wrong", "blank", "carried-on"])
@pytest.mark.parametrize("as_text", [True, False])
def test_grading_as_on_the_command_line(answer: str, as_text: bool) -> None:
    path = ROOT / "exercises" / "answers" / f"two-ply-{answer}.yaml"
    exercise: Any = exercise_bytes("two-ply").decode() if as_text else exercise_data("two-ply")
    document: Any = path.read_text(encoding="utf-8") if as_text else yaml.safe_load(path.read_bytes())
    for level, language in [("none", "en"), ("marks", "es"), ("hints", "fa"), ("full", "pt"), (None, None)]:
        body = {"exercise": exercise, "answer": document, "language": language, "feedback": level}
        options = flags({"language": language, "feedback": level}) if level and language else []
        ran = plymark_within("grade", "exercises/two-ply.yaml", path, "--format", "json", *options)
        given = {name: value for name, value in body.items() if value is not None}
        assert tasks.grade(json.dumps(given).encode()).decode() == ran.stdout


def test_numbers_keep_their_spelling() -> None:
    exercise = exercise_bytes("two-ply").decode()
    long = "1234567890123456789012345678901234567890"
    answers = f'{{"values": {{"A": 3.00, "B": {long}, "C": 2.50}}}}'
    answer = f'{{"plymark": "answer/1", "exercise": "two-ply", "student": "s", "answers": {answers}}}'
    report = json.loads(tasks.grade(f'{{"exercise": {exercise}, "answer": {answer}}}'.encode()))
    given = {each["item"]: each["given"] for each in report["questions"][0]["items"]}
    text = json.loads(tasks.grade(json.dumps({"exercise": exercise, "answer": answer}).encode()))
    assert text == report
    assert given["B"] == long and given["A"] == "3.00" and given["C"] == "2.50"


def test_problems_of_a_body_name_the_document() -> None:
    exercise = exercise_data("two-ply")
    answer = "plymark: answer/1\nexercise: two-ply\n"
    found = refusal("grade", json.dumps({"exercise": exercise, "answer": answer}).encode()).problems
    assert [(each["document"], each["line"], each["column"]) for each in found][:1] == [("answer", 1, 1)]
    found = refusal(
        "grade", json.dumps({"exercise": {**exercise, "id": 3, "x": 1}, "answer": answer}).encode()
    ).problems
    assert found[0]["document"] == "exercise" and "line" not in found[0] and found[0]["code"] == "unknown-key"
    other = {"plymark": "answer/1", "exercise": "other", "student": "s", "answers": {}}
    assert refusal("grade", json.dumps({"exercise": exercise, "answer": other}).encode()).code == "other-exercise"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (b"", "'exercise' is missing"),
        (b"[]", "must be a JSON object"),
        (b'{"exercise": {}', "not JSON"),
        (b'{"exercise": {}, "exercise": {}}', "exercise"),
        (b'{"exercise": NaN, "answer": ""}', "not JSON"),
        (b"\xff", "not UTF-8"),
        (b'{"exercise": 3, "answer": {}}', "an object or text"),
        (b'{"exercise": "", "answer": {}}', "there is no document"),
        (b'{"exercise": {}, "answer": {}, "lang": "en"}', "unknown field 'lang'"),
        (b'{"exercise": {}, "answer": {}, "language": 3}', "language"),
        (b'{"exercise": {}, "answer": {}, "feedback": "all"}', "unknown feedback 'all'"),
        (b'{"exercise": ' + b"[" * 100_000, ""),
    ],
)
def test_bodies_that_are_wrong(body: bytes, words: str) -> None:
    assert words in refusal("grade", body).detail


def test_generating_is_repeatable_and_as_on_the_command_line(tmp_path: Path) -> None:
    recipe = ROOT / "recipes" / "mcts-easy.yaml"
    made = tasks.generate(recipe.read_bytes(), 2, "7")
    assert made == tasks.generate(recipe.read_bytes(), 2, "7") != tasks.generate(recipe.read_bytes(), 2, "8")
    assert plymark_within("generate", recipe, "--count", "2", "--seed", "7", "--out", tmp_path / "out").code == 0
    data = json.loads(made)
    assert data["seed"] == "7"
    for exercise in data["exercises"]:
        assert (tmp_path / "out" / f"{exercise['id']}.yaml").exists()
        assert tasks.check(json.dumps(exercise).encode()) == ValidDocument("exercise/1", exercise["id"])
    assert "count is from 1 to" in refusal("generate", recipe.read_bytes(), 0, "7").detail
    assert refusal("generate", b"plymark: game/1\ntree: [1, 2]\n", 1, "7").code == "kind"


MORE: dict[str, tuple[Any, ...]] = {
    "check": (),
    "solve": ({},),
    "analyse": ({},),
    "explain": ({},),
    "draw": ({},),
    "grade": (),
    "generate": (1, "0"),
}
"""What else a task is given."""


@settings(max_examples=150)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode), st.sampled_from(sorted(MORE)))
def test_no_bytes_break_a_task(raw: bytes, task: str) -> None:
    with pytest.raises(Refused):
        getattr(tasks, task)(raw, *MORE[task])
