"""What students get before they hand in: fields, the blank tree and what was read, none of which tells the key."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from functools import cache
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.service import tasks
from grader.service.features.attempts.api import _reading_data
from grader.service.workers.work_problems import Refused
from tests.grader.service.work.answers import (
    EXERCISES,
    answers_to,
    body,
    exercise_bytes,
    exercise_data,
    perfect,
    perfect_of,
    variant,
)
from tests.support.paths import ROOT

take_in = tasks.take_in


def pose(*args: Any) -> dict[str, Any]:
    """As JSON has it."""
    data: dict[str, Any] = orjson.loads(orjson.dumps(tasks.pose(*args)))
    return data


def read(*args: Any) -> dict[str, Any]:
    return _reading_data(tasks.read(*args))


@pytest.mark.parametrize("name", EXERCISES)
@pytest.mark.parametrize("language", ["en", "fa"])
def test_what_is_posed(name: str, language: str) -> None:
    posed, data = pose(variant(name), language), exercise_data(name)
    exercise, fields, tree = posed["exercise"], posed["fields"], posed["tree"]
    assert (exercise["id"], exercise["language"]) == (data["id"], language)
    asked = [(each["id"], each["ask"]) for each in exercise["questions"]]
    assert asked == [(each["id"], each["ask"]) for each in data["questions"]]
    assert all(each["text"] for each in exercise["questions"])
    names = [each["name"] for each in fields]
    assert len(set(names)) == len(names)
    assert {each["question"] for each in fields} == {name for name, _ in asked}
    assert all(each["kind"] != "choice" or len(each["choices"]) > 1 for each in fields)
    ids = [each["id"] for each in tree["nodes"]]
    assert re.findall(r'data-node="([^"]*)"', tree["svg"]) == ids
    parents = {each["parent"] for each in tree["nodes"]}
    for each in tree["nodes"]:
        assert (each["value"] is None) == (each["id"] in parents) == (each["turn"] is not None)
        assert each["parent"] is None or ids.index(each["parent"]) < ids.index(each["id"])


@pytest.mark.parametrize("name", EXERCISES)
def test_every_field_of_a_right_answer_is_read(name: str) -> None:
    found = read(variant(name), body(perfect(name)), "en")
    known = {each["name"] for each in pose(variant(name), "en")["fields"]}
    assert found["fields"] and set(found["fields"]) <= known and not found["ignored"]
    assert all(list(each) == ["read"] and each["read"] for each in found["fields"].values())
    for answers in answers_to(name):
        for field, each in read(variant(name), body(answers), "pt")["fields"].items():
            assert list(each) in (["read"], ["problem"])
            assert field in known or field.split(".")[0] in perfect(name)


@pytest.mark.parametrize("name", EXERCISES)
def test_choices_are_read_in_every_language(name: str) -> None:
    for language in ("en", "pt", "es", "fa"):
        for field in pose(variant(name), language)["fields"]:
            for choice in field["choices"] or ():
                path = field["name"].removeprefix(field["question"]).split(".")[1:]
                answer: Any = choice
                for step in reversed(path):
                    answer = {step: answer}
                found = read(variant(name), body({field["question"]: answer}), language)["fields"]
                assert "read" in found[field["name"]], (field, found)


def test_what_was_read() -> None:
    values = {"A": "2.5", "B": "x", "C": "≤ 2", "D": "-", "Z": "1"}
    answers = {"values": values, "windows": {"C": "[3, inf]"}, "pruned": ["L5", "L6"], "move": "zz", "moves": 1}
    found = read(variant("two-ply"), body(answers), "en")
    fields = found["fields"]
    assert {name: each.get("read") for name, each in fields.items()} == {
        "values.A": "5/2",
        "values.B": None,
        "values.C": "<= 2",
        "values.D": "-",
        "windows.C": "(3, +∞)",
        "pruned": "L5, L6",
        "move": None,
    }
    assert "could not be read" in fields["values.B"]["problem"]
    assert found["ignored"] == ("moves (nearest: move)", "values.Z")
    assert read(variant("two-ply"), body({"values": {"A": "2,5"}}), "pt")["fields"]["values.A"] == {"read": "5/2"}


QUESTIONS = [
    {"id": "values", "ask": "values", "marks": 2},
    {"id": "windows", "ask": "windows", "marks": 2},
    {"id": "bounds", "ask": "inequalities", "marks": 1},
    {"id": "pruned", "ask": "pruned", "marks": 2},
    {"id": "move", "ask": "move", "marks": 1},
    {"id": "line", "ask": "line", "marks": 1},
    {"id": "visited", "ask": "visited", "marks": 1},
    {"id": "count", "ask": "count", "marks": 1},
]
TREES = [
    [3, 12, 8, 2, 4, 6, 14, 5, 2, 7, 1, 9],
    [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
    [12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1],
    [5, 5, 3, 5, 2, 8, 1, 1, 0, 4, 4, 9],
]
"""Leaves of trees of one shape, with keys of many kinds."""
cells = st.sampled_from(["3", "x", "<= 2", "-", "", "1/3", "A"])
lists = st.sampled_from([["L5"], "L5, L6", "none", "L4-L9", "C", "Q", "", "b1", ["L1", "nobody"]])
written = st.fixed_dictionaries(
    {
        "values": st.dictionaries(st.sampled_from("ABCDEF"), cells) | st.just("nonsense"),
        "windows": st.dictionaries(st.sampled_from("ABCD"), st.sampled_from(["[3, inf]", "3", "(-inf; 2)", "?"])),
        "bounds": st.dictionaries(st.sampled_from("ABCD"), cells) | st.just("nonsense"),
        "pruned": lists,
        "move": st.sampled_from(["a1", "B", "zz"]),
        "line": st.sampled_from([["a1", "b1"], "a1 b1", "a1 → b9", "zz", "a2, c1, c2"]),
        "visited": lists,
        "count": cells,
    }
)


@cache
def of_one_shape(number: int) -> bytes:
    return shaped(TREES[number])


def shaped(values: list[int]) -> bytes:
    tree = [[values[:2], values[2:4]], [values[4:6], values[6:8]], [values[8:10], values[10:]]]
    exercise = {"plymark": "exercise/1", "id": "e", "game": {"tree": tree}, "questions": QUESTIONS}
    return take_in(json.dumps(exercise).encode()).parts[0].variants[0].raw


def test_fields_depend_on_the_tree_and_not_on_the_key() -> None:
    posed = [pose(of_one_shape(number), "en") for number in range(len(TREES))]
    for each in posed[1:]:
        assert each["fields"] == posed[0]["fields"]
        assert each["exercise"] == posed[0]["exercise"]
        assert each["tree"]["nodes"] != posed[0]["tree"]["nodes"]
    keys = {json.dumps(perfect_of(of_one_shape(number))) for number in range(len(TREES))}
    assert len(keys) == len(TREES)


DIGITS = ["327146598234", "555555555555", "999999000000", "012345678987"]


@pytest.mark.parametrize("page", [False, True])
def test_the_picture_depends_on_the_tree_and_not_on_the_key(page: bool) -> None:
    """All digits are equally wide, so that the pictures of trees of one shape differ in them alone."""
    drawn = [pose(shaped([int(digit) for digit in digits]), "en", page)["tree"]["svg"] for digits in DIGITS]
    alike = [re.sub(r"(>|, value |, worth )\d(?=[,<\"])", r"\1#", each) for each in drawn]
    assert len(set(drawn)) == len(DIGITS) and len(set(alike)) == 1


@settings(max_examples=60)
@given(written)
def test_what_is_read_depends_on_the_tree_and_not_on_the_key(answers: dict[str, Any]) -> None:
    first, *others = (read(of_one_shape(number), body(answers), "en") for number in range(len(TREES)))
    assert all(each == first for each in others)


def test_an_exercise_is_taken_in() -> None:
    found = take_in(exercise_bytes("two-ply"))
    assert (found.name, found.kind, found.language) == ("two-ply", "exercise", "en")
    [part] = found.parts
    [only] = part.variants
    assert (part.marks, only.name, only.out_of) == (None, "two-ply", "11")
    again = take_in(only.raw).parts[0].variants[0]
    assert again == only


def test_exact_numbers_survive() -> None:
    data = exercise_data("two-ply")
    data["questions"][0]["marks"] = "7/3"
    data.pop("out_of", None)
    found = take_in(json.dumps(data).encode())
    assert Fraction(found.parts[0].variants[0].out_of) == 11 - 4 + Fraction(7, 3)


def test_variants_and_recipes_are_taken_in() -> None:
    recipe = (ROOT / "recipes" / "mcts-easy.yaml").read_bytes()
    made = take_in(recipe, 3, "5")
    assert made == take_in(recipe, 3, "5") and made.kind == "recipe"
    variants = made.parts[0].variants
    assert len({each.name for each in variants}) == len({each.sha256 for each in variants}) == 3
    together = b'{"variants": [' + b",".join(each.raw for each in variants) + b"]}"
    found = take_in(together)
    assert found.kind == "variants" and found.parts[0].variants == variants


def refused(raw: bytes, *options: Any) -> Refused:
    with pytest.raises(Refused) as found:
        take_in(raw, *options)
    return found.value


def test_what_is_not_taken_in() -> None:
    one, other = exercise_data("two-ply"), exercise_data("deep-cut")
    assert "two variants are called" in refused(json.dumps({"variants": [one, one]}).encode()).detail
    assert "not variants of one another" in refused(json.dumps({"variants": [one, other]}).encode()).detail
    assert "from 1 to" in refused(b'{"variants": []}').detail
    assert "no meaning there" in refused(b'{"variants": [], "more": 1}').detail
    assert "for recipes" in refused(exercise_bytes("two-ply"), 3).detail
    assert refused(b"plymark: game/1\ntree: [1, 2]\n").code == "kind"
    assert refused(b"").code == "empty-document"
    assert (
        refused(b"plymark: exercise/1\nid: e\ngame: /etc/passwd\nquestions: [{id: m, ask: move, marks: 1}]").code
        == "game"
    )


def test_problems_of_variants_have_their_places_in_the_upload() -> None:
    broken = {**exercise_data("deep-cut"), "id": "other"}
    broken["questions"] = [{"id": "q", "ask": "nothing", "marks": 1}]
    text = json.dumps({"variants": [exercise_data("two-ply"), broken]}, indent=1)
    problem = refused(text.encode()).problems[0]
    line = next(number for number, each in enumerate(text.splitlines(), 1) if '"nothing"' in each)
    assert (problem["variant"], problem["line"]) == (2, line)
