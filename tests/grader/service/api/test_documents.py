"""The stateless routes do what the commands of the same names print."""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.kernel.seeds import DRAWN
from grader.service.workers.worker_pool import Workers
from tests.grader.service.api.client import RIGHT, TWO_PLY, Api
from tests.support.command import plymark_within
from tests.support.paths import ROOT

SPEC = ROOT / "specs" / "two-ply.yaml"
GAME = SPEC.read_bytes()


def printed(*arguments: str | Path) -> str:
    ran = plymark_within(*arguments)
    assert ran.code == 0, ran.stderr
    return ran.stdout


@pytest.mark.parametrize("kind", ["application/yaml", "application/json", "text/plain", "image/png", ""])
def test_any_content_type_will_do(api: Api, kind: str) -> None:
    answer = api.post("/api/solve", content=GAME, headers={"Content-Type": kind})
    assert answer.text == printed("solve", SPEC, "--format", "json")
    assert answer.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("path", "media", "command"),
    [
        ("/api/solve?format=text", "text/plain; charset=utf-8", ["solve", "--format", "text"]),
        ("/api/solve?format=yaml&convention=strict", "application/yaml", ["solve", "-f", "yaml", "-c", "strict"]),
        ("/api/analyse", "application/json", ["analyse", "--format", "json"]),
        ("/api/analyse?format=text&pruned=L5,L6", "text/plain; charset=utf-8", ["analyse", "--pruned", "L5,L6"]),
    ],
)
def test_what_is_printed(api: Api, path: str, media: str, command: list[str]) -> None:
    answer = api.post(path, content=GAME)
    assert (answer.status_code, answer.headers["content-type"]) == (200, media), answer.text
    assert answer.text == printed(command[0], SPEC, *command[1:])


def test_check(api: Api) -> None:
    assert api.post("/api/check", content=GAME).json()["kind"] == "game/1"
    wrong = api.post("/api/check", content=b"plymark: game/1\ntree: {turn: max, children: [1], trun: 2}\n")
    assert (wrong.status_code, wrong.headers["content-type"]) == (422, "application/problem+json")
    (problem,) = wrong.json()["problems"]
    assert (problem["line"], problem["column"], problem["code"]) == (2, 34, "unknown-key")


def test_explain_and_draw(api: Api) -> None:
    told = api.post("/api/explain?language=es", content=GAME).json()
    assert told["language"] == "es"
    assert "\n".join(told["sentences"]) in printed("explain", SPEC, "--language", "es")
    drawn = api.post("/api/draw?blank", content=GAME)
    assert drawn.headers["content-type"] == "image/svg+xml"
    assert drawn.text.startswith("<svg")
    assert "sandbox" in drawn.headers["content-security-policy"]


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("/api/solve?depth=-1", "depth is a whole number from 0 up"),
        ("/api/solve?algoritm=minimax", "'algoritm' is not known here"),
        ("/api/solve?algorithm=minimaxx", "minimax"),
        ("/api/solve?format=pdf", "format"),
        ("/api/solve?depth=1&depth=2", "more than once"),
        ("/api/draw?theme=pink", "theme"),
    ],
)
def test_wrong_options_are_said_in_words(api: Api, path: str, said: str) -> None:
    answer = api.post(path, content=GAME)
    assert answer.status_code == 422
    assert said in answer.json()["detail"]


def test_grading_is_for_teachers(api: Api, teacher: str) -> None:
    answered = {"plymark": "answer/1", "exercise": "two-ply", "student": "s1", "answers": RIGHT}
    exercise = {**TWO_PLY, "game": {"tree": TWO_PLY["game"]["tree"]}}
    body: dict[str, Any] = {"exercise": exercise, "answer": answered}
    assert api.post("/api/grade", json=body).status_code == 401
    report = api.post("/api/grade", teacher, json=body)
    assert report.status_code == 200, report.text
    assert report.json()["marks"] == 7
    broken = api.post("/api/grade", teacher, json={**body, "exercise": "plymark: exercise/1\nid: 3 4\n"})
    assert broken.status_code == 422
    assert {problem["document"] for problem in broken.json()["problems"]} == {"exercise"}
    assert api.post("/api/grade", teacher, json={**body, "marks": 7}).status_code == 422


def test_generating(api: Api, teacher: str, tmp_path: Path) -> None:
    recipe = ROOT / "recipes" / "minimax-easy.yaml"
    answer = api.post("/api/generate?count=2&seed=s", teacher, content=recipe.read_bytes())
    assert answer.status_code == 200, answer.text
    told = answer.json()
    assert told["seed"] == "s"
    printed("generate", recipe, "--count", "2", "--seed", "s", "--out", tmp_path / "out")
    names = {each["id"] for each in told["exercises"]}
    assert len(names) == 2
    assert names <= {file.stem for file in (tmp_path / "out").rglob("*.yaml")}
    drawn = [api.post("/api/generate?count=1", teacher, content=recipe.read_bytes()).json() for _ in range(2)]
    assert drawn[0]["seed"] != drawn[1]["seed"]
    assert all(DRAWN.fullmatch(each["seed"]) for each in drawn)
    again = api.post(f"/api/generate?count=1&seed={drawn[0]['seed']}", teacher, content=recipe.read_bytes()).json()
    assert again == drawn[0]
    for wrong in ("0", "-1", "x", "10001"):
        assert api.post(f"/api/generate?count={wrong}", teacher, content=recipe.read_bytes()).status_code == 422


def test_too_many_at_once_are_asked_to_come_back(api: Api) -> None:
    """The workers are not there, and nobody may wait for them."""
    full = Api(replace(api.service, workers=Workers(1, most_waiting=0)), api.loop)
    answer = full.post("/api/solve", content=GAME)
    assert (answer.status_code, answer.json()["code"], answer.headers["retry-after"]) == (503, "busy", "2")
    assert full.get("/healthz").status_code == 200
    ready = full.get("/readyz")
    assert (ready.status_code, ready.json()["code"]) == (503, "not-ready")


def test_many_exercises_are_a_job(api: Api, teacher: str) -> None:
    """The first of them are those that fewer would have been."""
    recipe = (ROOT / "recipes" / "minimax-easy.yaml").read_bytes()
    began = api.post("/api/generate?count=11", teacher, content=recipe)
    assert began.status_code == 202, began.text
    path = f"/api/jobs/{began.json()['job']}"
    waiting = api.get(path, teacher).json()
    assert (waiting["kind"], waiting["state"], waiting["done"], waiting["of"]) == ("generate", "waiting", 0, 11)
    assert api.get(path, api.new_teacher("bob")).status_code == 404
    api.loop.run(api.service.start())
    try:
        while (job := api.get(path, teacher).json())["state"] in ("waiting", "running"):
            time.sleep(0.05)
    finally:
        api.loop.run(api.service.stop())
    assert (job["state"], job["done"], job["error"]) == ("done", 11, None)
    seed = job["result"]["seed"]
    few = api.post(f"/api/generate?count=2&seed={seed}", teacher, content=recipe).json()["exercises"]
    assert len(job["result"]["exercises"]) == 11
    assert job["result"]["exercises"][:2] == few
    # What cannot be read is said at once.
    assert api.post("/api/generate?count=11", teacher, content=b"plymark: recipe/1\n").status_code == 422


@pytest.mark.soak
def test_what_is_too_hard_is_said(api: Api) -> None:
    """The limit of time is the workers'; here it is a search without an end."""
    answer = api.post("/api/solve?algorithm=mcts&steps=999999999999", content=GAME)
    assert (answer.status_code, answer.json()["code"]) == (422, "too-hard")


def test_the_description_and_its_page(api: Api) -> None:
    described = api.get("/api/openapi.json").json()
    assert {"bearer", "session"} == set(described["components"]["securitySchemes"])
    page = api.get("/api/docs")
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    for path in described["paths"]:
        assert f"{path}</code>" in page.text
    assert "<script" not in page.text
    assert "http://" not in page.text and "https://" not in page.text
    assert json.loads(json.dumps(described)) == described
