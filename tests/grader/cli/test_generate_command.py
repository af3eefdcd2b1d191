"""`plymark generate`: what it writes and refuses to overwrite, who gets which variant, and the look at all of them."""

from __future__ import annotations

import csv
import json
import os
import random
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from grader.cli.generate import generate_exercises, progress_bar, progress_line
from grader.generating.generation import generate
from grader.generating.hill_climbing import MOST_NODES_EXAMINED, Effort
from grader.generating.quality_card import Generated
from grader.generating.recipe_file import load_recipe
from grader.generating.variant_overview import (
    agrees_with_card,
    answer_counts,
    backward_induction,
    guesses,
    measure_spread,
    overview_of,
    plain_tree,
    pruned_places,
)
from grader.people.roster import Student
from grader.people.variant_allocation import deal, variants_by_student
from solver.kernel import UsageError
from tests.judges.brute_force import alpha_beta, leaves, minimax
from tests.support.command import PLYMARK, plymark
from tests.support.paths import ROOT

HARD, EASY = "alpha-beta-hard", "minimax-easy"
SEED = "2026"


def path_of(name: str) -> str:
    return str(ROOT / "recipes" / f"{name}.yaml")


@cache
def made(name: str, number: int = 30) -> list[Generated]:
    return generate(load_recipe(path_of(name)), number, SEED)


def files_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


# What is written.


@pytest.mark.slow
def test_exercises_cards_and_a_look_at_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "exam"
    assert generate_exercises(path_of(HARD), 4, SEED, out) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"4 exercises in {out}, ")
    assert "\nbounded: " in said
    names = [each.id for each in made(HARD)[:4]]
    assert sorted(file.name for file in out.iterdir()) == sorted(
        [*(f"{name}{ending}" for name in names for ending in (".yaml", ".card.json")), f"{HARD}.variants.json"]
    )
    for each in made(HARD)[:4]:
        assert (out / f"{each.id}.yaml").read_bytes() == each.document
        card = json.loads((out / f"{each.id}.card.json").read_bytes())
        assert (card["exercise"], card["recipe"], card["seed"]) == (each.id, HARD, SEED)
    together = json.loads((out / f"{HARD}.variants.json").read_bytes())
    assert list(together["variants"]) == names
    assert together["guessability"].keys() == {"values", "windows", "pruned", "visited", "move"}
    assert together["guessability"]["move"]["chance"] == "0.333"
    assert together["solved_again"] == {"agree": 4, "differ": [], "not_possible": 0}


@pytest.mark.slow
def test_wrong_use(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    for place in ("file", "file/below"):
        with pytest.raises(UsageError, match="is a file"):
            generate_exercises(path_of(EASY), 1, "1", tmp_path / place)
    for count in (0, -1, 10_001):
        with pytest.raises(UsageError, match="--count"):
            generate_exercises(path_of(EASY), count, "1", tmp_path / "out")
    ran = plymark("generate", path_of(EASY), "--count", "0", "--out", tmp_path / "out")
    assert ran.code == 2
    assert "--count" in ran.stderr


def test_a_folder_that_nobody_may_write_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Told before the search. Who runs tests may be allowed everything, so the answer of the system is replaced."""
    monkeypatch.setattr(os, "access", lambda path, _mode: path != tmp_path)
    with pytest.raises(UsageError, match="cannot write to"):
        generate_exercises("no recipe at all", 1, SEED, tmp_path / "a" / "b")


@pytest.mark.slow
@pytest.mark.parametrize("seed", ["-5", "9" * 500, "spring exam", "", "é/…"])
def test_a_seed_is_any_text(seed: str, tmp_path: Path) -> None:
    ran = plymark("generate", path_of(EASY), "--count", "2", f"--seed={seed}", "--out", tmp_path / "out")
    assert ran.code == 0, ran.stderr
    together = json.loads((tmp_path / "out" / f"{EASY}.variants.json").read_bytes())
    assert together["seed"] == seed
    assert len(together["variants"]) == 2


def test_nothing_that_is_there_is_lost(tmp_path: Path) -> None:
    out = tmp_path / "exam"
    assert generate_exercises(path_of(EASY), 3, SEED, out) == 0
    (out / "notes.txt").write_text("mine")
    before = files_in(out)
    assert generate_exercises(path_of(EASY), 3, SEED, out) == 0, "the same again changes nothing"
    assert files_in(out) == before
    # Exercise 3 of the earlier run would be taken for one of two; and an exercise that somebody mended is kept.
    with pytest.raises(UsageError, match=r"other exercises of this recipe: .*--force"):
        generate_exercises(path_of(EASY), 2, SEED, out)
    mended = out / f"{made(EASY, 3)[0].id}.yaml"
    mended.write_bytes(mended.read_bytes() + b"# mended\n")
    before = files_in(out)
    with pytest.raises(UsageError, match=mended.name):
        generate_exercises(path_of(EASY), 3, SEED, out)
    assert files_in(out) == before
    assert generate_exercises(path_of(EASY), 2, SEED, out, force=True) == 0
    after = files_in(out)
    names = {f"{each.id}{ending}" for each in made(EASY, 3)[:2] for ending in (".yaml", ".card.json")}
    assert after.keys() == names | {"notes.txt", f"{EASY}.variants.json"}
    assert after[mended.name] == made(EASY, 3)[0].document


def test_a_look_that_somebody_wrote_removes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "keep.yaml").write_text("mine")
    look: dict[str, Any] = {"variants": {"../keep": "", f"{EASY}-../keep": "", "keep": ""}}
    (tmp_path / f"{EASY}.variants.json").write_text(json.dumps(look))
    assert generate_exercises(path_of(EASY), 1, SEED, tmp_path, force=True) == 0
    assert (tmp_path / "keep.yaml").read_text() == "mine"


@pytest.mark.slow
@pytest.mark.skipif(os.name == "nt", reason="signals are others there")
def test_a_run_that_is_stopped_writes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "exam"
    command = [str(PLYMARK), "generate", path_of(HARD), "--count", "10000", "--seed", "1", "--out", str(out)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stderr is not None
        # It takes minutes, and tells of every ten seconds of them.
        assert b" trees examined, " in run.stderr.readline()
        run.send_signal(signal.SIGINT)
        _, said = run.communicate(timeout=300)
    assert run.returncode == 130
    assert re.search(rb"plymark: stopped: \d+ of [\d,]+ exercises made, nothing written\n$", said)
    assert not out.exists()


def test_progress_tells_how_long_it_will_take() -> None:
    assert progress_line(0, 30, 1_234, 2.4, None) == "0 of 30, 1,234 trees examined, 2 s"
    assert progress_line(15, 30, 9, 6, 0.4) == "15 of 30, 9 trees examined, about 6 s left"
    assert progress_bar(15, 30) == "██████████░░░░░░░░░░"
    assert progress_line(10, 10_000, 9, 6, 0.6).endswith("about 100 min left")


def test_large_trees_are_given_up_sooner() -> None:
    effort = Effort()
    effort.start()
    while not effort.spent:
        effort.tick(2_000)
    assert effort.trees == MOST_NODES_EXAMINED // 2_000
    effort.start()
    assert not effort.spent


# Variants for students.


def dealt_in(folder: Path, students: Sequence[str], secret: Path) -> dict[str, str]:
    """What the list in a folder says after exercises were generated for these students."""
    roster = secret.with_name("class.csv")
    roster.write_text("student,name\n" + "".join(f"{each},Student {each}\n" for each in students))
    assert generate_exercises(path_of(EASY), 7, SEED, folder, roster=roster, secret_file=secret) == 0
    with (folder / f"{EASY}.students.csv").open(newline="") as file:
        return {row["student"]: row["variant"] for row in csv.DictReader(file)}


def test_a_roster_says_who_gets_which(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("  correct horse \n")
    students = [f"s{number}" for number in range(40)]
    found = dealt_in(tmp_path / "a", students, secret)
    assert list(found) == students
    assert all((tmp_path / "a" / f"{variant}.yaml").exists() for variant in found.values())
    ids = [each.id for each in made(EASY, 7)]
    lines = deal([Student("", each) for each in students], ids, "correct horse", EASY)
    assert found == variants_by_student(lines), "as a booklet of the same folder has it"
    # The list is the record: whoever comes or goes, nobody else's variant changes.
    again = dealt_in(tmp_path / "a", ["new", *students[20:], *students[:10]], secret)
    assert again == {**found, "new": again["new"]} and list(again)[-1] == "new"


def test_a_list_of_other_exercises_is_not_obeyed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("x")
    dealt_in(tmp_path / "a", ["s1", "s2"], secret)
    roster = tmp_path / "class.csv"
    with pytest.raises(UsageError, match="has other exercises"):
        generate_exercises(path_of(EASY), 7, "other", tmp_path / "a", roster=roster, secret_file=secret)
    generate_exercises(path_of(EASY), 7, "other", tmp_path / "a", force=True)
    assert not (tmp_path / "a" / f"{EASY}.students.csv").exists(), "it is about exercises that are gone"


def test_a_roster_needs_a_secret(tmp_path: Path) -> None:
    roster, secret = tmp_path / "class.csv", tmp_path / "secret"
    roster.write_text("student\ns1\n")
    secret.write_text(" \n")
    for students, decides, match in (
        (roster, None, "--secret-file"),
        (None, secret, "--roster"),
        (roster, secret, "is empty"),
    ):
        with pytest.raises(UsageError, match=match):
            generate_exercises(path_of(EASY), 1, SEED, tmp_path / "out", roster=students, secret_file=decides)
    assert not (tmp_path / "out").exists()


# The look at all of them.


def drawn(numbers: random.Random, depth: int, turn: str = "max") -> dict[str, Any]:
    """A written tree; some leaves are equal."""
    if depth == 0 or (depth < 3 and numbers.random() < 0.2):
        return {"value": str(numbers.randrange(12))}
    other = "min" if turn == "max" else "max"
    return {"turn": turn, "children": [drawn(numbers, depth - 1, other) for _ in range(numbers.choice((2, 3)))]}


def nested(node: dict[str, Any]) -> Any:
    return (node["turn"], [nested(child) for child in node["children"]]) if "turn" in node else int(node["value"])


def test_the_other_means_find_what_alpha_beta_finds() -> None:
    numbers = random.Random(8)
    cut = 0
    for _ in range(500):
        written = drawn(numbers, 4)
        tree, plain = nested(written), plain_tree(written)
        worth = backward_induction(plain, {})
        assert worth[0] == minimax(tree)
        visited = set(alpha_beta(tree).visited)
        right = [place for place, path in enumerate(leaves(tree), 1) if path not in visited]
        assert pruned_places(plain, worth) == right
        cut += bool(right)
    assert cut > 400


@pytest.mark.slow
def test_every_variant_is_solved_again() -> None:
    for each in made(HARD):
        assert agrees_with_card(each.data, each.card) is True
    one = made(HARD)[0]
    for part, key, wrong in (("key", "value", "99"), ("key", "best_move", 1), ("difficulty", "pruned_at", [1])):
        card = json.loads(json.dumps(one.card))
        card[part][key] = wrong
        assert agrees_with_card(one.data, card) is False, key


@pytest.mark.slow
def test_outliers_are_told() -> None:
    cards = [json.loads(json.dumps(each.card)) for each in made("alpha-beta-easy")]
    assert measure_spread(cards)["outliers"] == {}
    cards[3]["difficulty"]["steps"] += 9
    assert measure_spread(cards)["outliers"] == {cards[3]["exercise"]: ["steps"]}


def test_what_a_copied_answer_would_earn() -> None:
    keys = [{"move": {"move": "a1"}, "count": {"count": str(number)}} for number in range(3)]
    keys.append({"move": {"move": "a2"}, "count": {"count": "2"}})
    assert answer_counts(keys) == {
        "move": {"different": 2, "most_frequent": "move: a1", "share": "3 of 4"},
        "count": {"different": 3, "most_frequent": "count: 2", "share": "2 of 4"},
    }


def test_what_a_guess_would_earn() -> None:
    tree = {"turn": "max", "children": [
        {"turn": "min", "children": [{"value": "1"}, {"value": "30"}]},
        {"turn": "min", "children": [{"value": "5"}, {"value": "6"}]},
        {"turn": "min", "children": [{"value": "9"}, {"value": "4"}]},
    ]}  # fmt: skip
    found = guesses([({"game": {"tree": tree}}, {"key": {"best_move": 2}})])
    assert {name for name, share in found.items() if share == "1 of 1"} == {
        "the middle one",
        "towards the largest smallest leaf",
    }


@pytest.mark.slow
def test_places_of_pruned_leaves_vary() -> None:
    """As far as the same cuts in the same order can be made at other places."""
    for name, sequences, least in (("alpha-beta-easy", 1, 3), ("alpha-beta-medium", 5, 5), (HARD, 5, 5)):
        looks = overview_of(made(name))
        assert looks["different_sequences_of_cuts"] >= sequences, name
        places = Counter(tuple(each.card["difficulty"]["pruned_at"]) for each in made(name))
        assert looks["different_places_of_pruned_leaves"] == len(places) >= least, name
