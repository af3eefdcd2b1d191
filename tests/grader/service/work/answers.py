"""Exercises of the project as they are taken in, and answers to them of many kinds."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import yaml

from grader.marking.from_data import exercise_from
from grader.questions.answer_key import AnswerKey
from grader.questions.registry import ask_of
from grader.service import tasks
from tests.support.paths import ROOT

EXERCISES = sorted(path.stem for path in (ROOT / "exercises").glob("*.yaml"))
WRITTEN = ("right", "wrong", "blank", "carried-on")


def exercise_data(name: str) -> dict[str, Any]:
    """With the game inside."""
    data: dict[str, Any] = yaml.safe_load((ROOT / "exercises" / f"{name}.yaml").read_text(encoding="utf-8"))
    if isinstance(data["game"], str):
        game = yaml.safe_load((ROOT / "exercises" / data["game"]).read_text(encoding="utf-8"))
        data["game"] = {key: value for key, value in game.items() if key != "plymark"}
    return data


def exercise_bytes(name: str) -> bytes:
    return json.dumps(exercise_data(name)).encode()


@cache
def variant(name: str) -> bytes:
    """As it is stored."""
    return tasks.take_in(exercise_bytes(name)).parts[0].variants[0].raw


def perfect(name: str) -> dict[str, Any]:
    return perfect_of(variant(name))


def perfect_of(raw: bytes) -> dict[str, Any]:
    questions = AnswerKey(exercise_from(raw)).questions
    return {question.id: ask_of(question).perfect(question) for question in questions}


def answers_to(name: str) -> list[dict[str, Any]]:
    """Right, empty, with slips, with what nobody asked, and with what cannot be read."""
    right = perfect(name)
    slips = {question: _slipped(answer) for question, answer in right.items()}
    odd = {**dict.fromkeys(right, "¿?"), "nobody-asked": "3"}
    half = dict(list(right.items())[: (len(right) + 1) // 2])
    return [right, {}, slips, odd, {**slips, **half}]


def _slipped(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {item: _slipped(each) if place % 2 else each for place, (item, each) in enumerate(answer.items())}
    if isinstance(answer, list):
        return answer[:-1]
    return "7" if isinstance(answer, str) and answer[:1].isdigit() else "none"


def written(name: str) -> dict[str, Any]:
    """The answers of exercises/answers."""
    data = yaml.safe_load((ROOT / "exercises" / "answers" / f"two-ply-{name}.yaml").read_text(encoding="utf-8"))
    found: dict[str, Any] = data["answers"]
    return found


def body(answers: Any) -> bytes:
    return json.dumps({"answers": answers}).encode()
