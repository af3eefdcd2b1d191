"""Practice: exercises from the ready recipes or from a pasted tree, what became of an answer, the next
exercise, and the search step by step.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from grader.answers import Unreadable
from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_bytes
from grader.kernel.document_fields import data_bytes
from grader.languages import words_of
from grader.marking.from_data import answer_from
from grader.marking.grader import Grader
from grader.marking.verify import verified
from grader.mistakes.registry import DETECTED, MODELS
from grader.practice.guided_search import (
    LedStep,
    StepKind,
    is_blank,
    is_right,
    led_solution,
    question_sentence,
    solution_sentence,
    step_hints,
    steps_of,
)
from grader.practice.mistake_practice import evidence_of, next_exercise
from grader.practice.ready_exercises import exercise_of, ready_recipes
from grader.reports.report_formats import report_data
from grader.service.tasks.document_commands import tree_bytes
from grader.service.tasks.posed_exercise import PosedExercise, pose
from grader.service.tasks.task_input import refusing
from grader.service.workers.task_results import message
from solver.documents import read_raw
from solver.kernel import DEFAULT_LIMITS, DocumentError, LruCache, ProblemLog, Refusal, UsageError
from solver.languages import DECIMAL_COMMA, Language, Sentence
from solver.pipeline import load_bytes
from solver.render import json_bytes
from solver.search import Solution

MOST_MADE = 256
_MADE: LruCache[tuple[str, str], bytes] = LruCache(MOST_MADE)
_GRADERS: LruCache[bytes, Grader] = LruCache(64)
TREE = "tree"
"""In place of a recipe: the exercise is a tree that somebody wrote, and the seed is its text."""
OWN_QUESTIONS: tuple[tuple[dict[str, Any], ...], ...] = (
    (
        {"id": "values", "ask": "values", "marks": 4},
        {"id": "windows", "ask": "windows", "at": "entry", "marks": 4},
        {"id": "pruned", "ask": "pruned", "marks": 2},
        {"id": "move", "ask": "move", "marks": 1},
    ),
    ({"id": "values", "ask": "values", "marks": 4}, {"id": "move", "ask": "move", "marks": 1}),
    ({"id": "vectors", "ask": "vectors", "marks": 4}, {"id": "move", "ask": "move", "marks": 1}),
    ({"id": "plan", "ask": "plan", "marks": 3},),
    ({"id": "values", "ask": "values", "marks": 4},),
)
"""What is asked about such a tree: the first of these that it can answer."""


@message
class RecipeTopic:
    """A ready recipe."""

    recipe: str
    topic: str
    level: str


@message
class MistakeAdvice:
    id: str
    title: str
    explanation: str
    remedy: str
    """What to do instead."""


@message
class PosedPractice:
    posed: PosedExercise
    led: bool
    """Whether one can be led through its search."""


@message
class PracticeResult:
    """What became of an answer."""

    report: Mapping[str, Any]
    """report/1 at a level of feedback."""
    evidence: Mapping[str, str]
    """By mistake, whether the answer shows or avoids it."""
    named: tuple[MistakeAdvice, ...]
    perfect: bool


@message
class PracticeAddress:
    recipe: str
    seed: str


@message
class StepQuestion:
    kind: str
    node: str
    question: str
    children: tuple[str, ...]
    choices: tuple[str, ...]
    hint: str
    solution: str


@message
class PracticeStep:
    """A step, what happened before it, and what became of what was given."""

    of: int
    done: tuple[str, ...]
    svg: str
    step: StepQuestion | None = None
    """None behind the last one."""
    verdict: str = ""
    """`right`, `wrong`, `blank` or `unreadable`; empty where nothing was given."""
    problem: str = ""


def practice_topics() -> list[RecipeTopic]:
    """Every ready recipe with its topic and level."""
    return [RecipeTopic(each.name, each.topic, each.level) for each in ready_recipes().values()]


def practice_pose(recipe: str, seed: str, language: str) -> PosedPractice:
    with refusing():
        raw = _document(recipe, seed)
        return PosedPractice(pose(raw, language, True), _led(_grader(raw)) is not None)


def practice_mark(recipe: str, seed: str, answers: Mapping[str, Any], language: str, level: str) -> PracticeResult:
    with refusing(places=False):
        grader = _grader(_document(recipe, seed))
        document = {"plymark": "answer/1", "exercise": grader.exercise.id, "student": "-", "answers": dict(answers)}
        answer: Answer = replace(answer_from(document), language=language)
        report, words = grader.grade(answer), words_of(language)
        evidence = evidence_of(report)
        named = [each.mistake for each in report.diagnosis]
        return PracticeResult(
            report=json.loads(json_bytes(report_data(report, level, words)), parse_float=str, parse_int=str),
            evidence={mistake: str(each) for mistake, each in evidence.items()},
            named=tuple(_advice(each, words) for each in named),
            perfect=report.best.marks == grader.exercise.out_of,
        )


def practice_next(mistake: str, recipe: str, seed: str) -> PracticeAddress | None:
    """The exercise after this one that exposes a mistake; None if there is none."""
    with refusing():
        if mistake not in MODELS and mistake not in DETECTED:
            raise UsageError(f"there is no mistake {mistake[:20]!r}")
        found = next_exercise(mistake, *(("", "") if recipe == TREE else (recipe, seed)))
        return None if found is None else PracticeAddress(found.exercise.recipe, found.exercise.seed)


def practice_step(
    recipe: str, seed: str, number: int, given: Mapping[str, str], language: str, brief: bool
) -> PracticeStep:
    """The step of this number, from 0."""
    with refusing():
        grader, words = _grader(_document(recipe, seed)), words_of(language)
        solution = led_solution(grader.declared)
        steps = steps_of(solution, brief)
        done = tuple(words.tell(solution_sentence(solution, each)) for each in steps[:number])
        svg = pose(_document(recipe, seed), language, True).tree.svg
        if number >= len(steps):
            return PracticeStep(len(steps), done, svg)
        step = steps[number]
        question = StepQuestion(
            kind=str(step.kind),
            node=str(solution.tree.ids[step.node]) if step.node >= 0 else "",
            question=words.tell(question_sentence(solution, step)),
            children=_others(solution, step),
            choices=tuple(map(str, solution.tree.ids)) if step.kind == StepKind.NEXT else (),
            hint=" ".join(map(words.tell, step_hints(solution, step))),
            solution=words.tell(solution_sentence(solution, step)),
        )
        return PracticeStep(len(steps), done, svg, question, *_verdict(solution, step, given, words))


def _others(solution: Solution, step: LedStep) -> tuple[str, ...]:
    """Where a search stops or goes on: the children of the node beside the one that has just returned."""
    children = solution.tree.children[step.node] if step.kind == StepKind.CUT else ()
    return tuple(str(solution.tree.ids[child]) for child in children if child != step.child)


def practice_mistakes(language: str) -> list[MistakeAdvice]:
    """Of every mistake there is."""
    with refusing():
        names = dict.fromkeys(name.partition(".")[0] for name in (*MODELS, *DETECTED))
        return [_advice(name, words_of(language)) for name in names]


def _advice(name: str, words: Language) -> MistakeAdvice:
    title, explanation, remedy = (words.say(f"mistake.{name}.{part}") for part in ("title", "explanation", "remedy"))
    return MistakeAdvice(name, title, explanation, remedy)


def _document(recipe: str, seed: str) -> bytes:
    def make() -> bytes:
        return _own(seed) if recipe == TREE else exercise_of(recipe, seed).document

    return _MADE.get((recipe, seed), make)


def _grader(raw: bytes) -> Grader:
    return _GRADERS.get(raw, lambda: Grader(load_exercise_bytes(raw)))


def _led(grader: Grader) -> Solution | None:
    try:
        return led_solution(grader.declared)
    except Refusal:
        return None


def _own(text: str) -> bytes:
    """An exercise about a tree; DocumentError with the places of its own text if it is none."""
    data = {"plymark": "exercise/1", "id": "own-tree", "game": _game(text)}
    first: DocumentError | None = None
    for questions in OWN_QUESTIONS:
        made = data_bytes({**data, "questions": list(questions)})
        try:
            verified(load_exercise_bytes(made))
        except DocumentError as error:
            first = first or error
        else:
            return made
    assert first is not None
    raise first


def _game(text: str) -> dict[str, Any]:
    raw, problems = tree_bytes(text), ProblemLog(DEFAULT_LIMITS.problems)
    load_bytes(raw)
    document = read_raw(raw, "", DEFAULT_LIMITS, problems)
    assert document is not None
    data: Any = document.data
    return {key: value for key, value in data.items() if key != "plymark"}


def _verdict(solution: Solution, step: LedStep, given: Mapping[str, str], words: Language) -> tuple[str, str]:
    if not given:
        return "", ""
    if is_blank(step, given):
        return "blank", ""
    try:
        right = is_right(solution, step, given, words.code in DECIMAL_COMMA)
    except Unreadable as problem:
        return "unreadable", words.tell(Sentence(problem.reason, None, dict(problem.facts)))
    return ("right" if right else "wrong"), ""
