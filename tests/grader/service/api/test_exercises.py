"""Exercises over HTTP: taken in by a worker, kept in versions."""

from __future__ import annotations

import json
from typing import Any

import pytest
from sqlalchemy import select

from grader.documents.exercise_file import load_exercise_bytes
from grader.generating.generation import generate
from grader.generating.recipe_file import load_recipe_bytes
from grader.kernel.seeds import DRAWN
from grader.practice.ready_exercises import exercise_of
from grader.service.store.tables import part, variant, version
from tests.grader.service.api.client import TWO_PLY, Api, Course
from tests.support.paths import ROOT


def upload(course: Course, document: Any, query: str = "", **more: Any) -> Any:
    content = document if isinstance(document, bytes) else json.dumps(document).encode()
    return course.api.post(f"/api/courses/{course.id}/exercises{query}", course.teacher, content=content, **more)


def test_an_exercise_is_taken_in_as_it_was_sent(api: Api, course: Course) -> None:
    raw = json.dumps(TWO_PLY, indent=1).encode()
    made = upload(course, raw)
    assert made.status_code == 201, made.text
    assert made.json() == {"id": made.json()["id"], "version": 1, "variants": 1}
    assert made.headers["etag"] == '"1"'
    found = api.get(f"/api/courses/{course.id}/exercises/{made.json()['id']}", course.teacher)
    assert found.json()["document"].encode() == raw
    assert (found.json()["kind"], found.json()["name"], found.json()["version"]) == ("exercise", "two-ply", 1)
    assert [(each["name"], each["out_of"]) for each in found.json()["variants"]] == [("two-ply", 7)]


def test_variants_and_recipes(api: Api, course: Course) -> None:
    other = {**TWO_PLY, "id": "other"}
    made = upload(course, {"variants": [TWO_PLY, other]})
    assert made.json()["variants"] == 2, made.text
    recipe = (ROOT / "recipes" / "minimax-easy.yaml").read_bytes()
    made = upload(course, recipe, "?count=3&seed=spring", headers={"Content-Type": "application/yaml"})
    assert (made.status_code, made.json()["variants"]) == (201, 3), made.text
    found = api.get(f"/api/courses/{course.id}/exercises/{made.json()['id']}", course.teacher).json()
    assert (found["kind"], found["seed"], len(found["variants"])) == ("recipe", "spring", 3)
    again = upload(course, recipe, "?count=3&seed=spring").json()["id"]
    same = api.get(f"/api/courses/{course.id}/exercises/{again}", course.teacher).json()
    assert same["variants"] == found["variants"]


def test_what_a_class_gets_is_in_no_practice_page_and_made_by_no_seed_one_would_try(api: Api, course: Course) -> None:
    """Without a seed one is drawn; with one that somebody typed, the variants are said to be guessable."""
    recipe = (ROOT / "recipes" / "alpha-beta-easy.yaml").read_bytes()
    drawn, typed = (upload(course, recipe, f"?count=3{seed}").json()["id"] for seed in ("", "&seed=0"))
    practised = {leaves_of(exercise_of("alpha-beta-easy", str(seed)).document) for seed in range(6)}
    guessed = {leaves_of(each.document) for each in generate(load_recipe_bytes(recipe), 3, "0")}
    assert not practised & guessed
    for exercise, guessable in ((drawn, False), (typed, True)):
        variants = variants_of(api, exercise)
        assert len(variants) == 3
        assert not variants & practised
        assert (variants == guessed) == guessable
        about = api.get(f"/api/courses/{course.id}/exercises/{exercise}", course.teacher).json()
        assert about["guessable"] == guessable
        assert bool(DRAWN.fullmatch(about["seed"])) != guessable
    version = api.post(f"/api/courses/{course.id}/exercises/{typed}/versions?count=3", course.teacher, content=recipe)
    assert version.status_code == 201
    listed = api.get(f"/api/courses/{course.id}/exercises", course.teacher).json()["items"]
    assert {each["guessable"] for each in listed} == {False}


def leaves_of(document: bytes) -> tuple[Any, ...]:
    tree = load_exercise_bytes(document).game.tree
    return tuple(tree.leaf[node] for node in tree.leaves)


def variants_of(api: Api, exercise: str) -> set[tuple[Any, ...]]:
    """As they are stored."""
    statement = (
        select(variant.c.raw).join(part, part.c.id == variant.c.part).join(version, version.c.id == part.c.version)
    ).where(version.c.exercise == exercise)
    return set(map(leaves_of, api.service.store.read_now(lambda found: found.execute(statement).scalars().all())))


def test_versions_count_from_one_and_edits_are_guarded(api: Api, course: Course) -> None:
    made = upload(course, TWO_PLY).json()["id"]
    path = f"/api/courses/{course.id}/exercises/{made}"
    second = {**TWO_PLY, "title": "Second"}

    def post(match: str | None) -> Any:
        headers = {} if match is None else {"If-Match": match}
        return api.post(f"{path}/versions", course.teacher, content=json.dumps(second).encode(), headers=headers)

    done = post('"1"')
    assert (done.status_code, done.json(), done.headers["etag"]) == (
        201,
        {"id": made, "version": 2, "variants": 1},
        '"2"',
    )
    for stale in ('"1"', '"7"', "2", '"x"'):
        refused = post(stale)
        assert (refused.status_code, refused.json()["code"]) == (412, "changed")
    assert post(None).json()["version"] == 3
    assert post("*").json()["version"] == 4
    first = api.get(f"{path}?version=1", course.teacher)
    assert json.loads(first.json()["document"]) == TWO_PLY and first.headers["etag"] == '"1"'
    assert api.get(path, course.teacher).json()["version"] == 4
    assert api.get(f"{path}?version=5", course.teacher).status_code == 404
    listed = api.get(f"/api/courses/{course.id}/exercises?limit=1", course.teacher).json()
    rest = api.get(f"/api/courses/{course.id}/exercises?after={listed['next']}", course.teacher).json()
    both = {each["id"]: each["version"] for each in listed["items"] + rest["items"]}
    assert both == {made: 4, course.exercise: 1} and rest["next"] is None


@pytest.mark.parametrize(
    "query", ["?count=0", "?count=x", "?count=-1", "?count=99999999999", "?seed=1", "?so=1", f"?seed={65 * 'x'}"]
)
def test_parameters_that_are_wrong_are_told(course: Course, query: str) -> None:
    assert upload(course, TWO_PLY, query).status_code == 422


def test_what_is_wrong_with_a_document_is_told_with_its_place(course: Course) -> None:
    refused = upload(course, b"plymark: exercise/1\nid: x\ngame:\n  tree: {}\nquestions: []\n")
    assert refused.status_code == 422, refused.text
    told = refused.json()["problems"]
    assert any(each["line"] and each["line"] > 2 and each["message"] for each in told), told
    assert upload(course, b"").status_code == 422
    assert upload(course, b"plymark: exam/1\n").status_code == 422


def test_exercises_are_for_teachers_of_the_course(api: Api, course: Course) -> None:
    path = f"/api/courses/{course.id}/exercises/{course.exercise}"
    for code in ("s1", "ta"):
        assert api.get(path, course[code]).status_code == 403
    assert api.get(path, api.new_teacher("bob")).status_code == 404
