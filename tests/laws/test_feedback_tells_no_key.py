"""Below full feedback, two keys that give an answer's rows the same verdicts and its questions the same marks cannot be
told apart: every output is the same, byte for byte. The diagnosis and the convention that was recognised are printed,
so the law is about keys that agree in these as well."""

from __future__ import annotations

import json
import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise_bytes
from grader.feedback.compose import feedback_page
from grader.feedback.html_page import feedback_html
from grader.feedback.pdf_page import pdf_data
from grader.kernel.verdicts import rounded
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.marking.report import LEVELS, Report
from grader.questions.registry import ASKS
from grader.reports.class_summary import class_summary
from grader.reports.feedback_facts import facts_at_level
from grader.reports.output_options import OutputOptions
from grader.reports.report_outputs import CLASS_OUTPUTS, OUTPUTS
from solver.languages import LANGUAGES
from tests.support.marks import mostly_slow

TREES = 8
"""Of one shape, for every answer."""
SHAPES: list[Any] = [
    [["", "", ""], ["", "", ""]],
    [["", ""], ["", ["", ""]], ["", ""]],
    [[["", ""], ["", ""]], [["", ""], ["", ""]]],
]
TELLING: list[dict[str, Any]] = [
    {"ask": "windows"},
    {"ask": "windows", "at": "all", "nodes": ["C", "A"]},
    {"ask": "inequalities"},
    {"ask": "pruned"},
    {"ask": "line"},
    {"ask": "visited"},
    {"ask": "visited", "what": "nodes"},
]
"""Which items these have, and how many, depends on the key."""
PLAIN: list[dict[str, Any]] = [
    {"ask": "values"},
    {"ask": "values", "of": "minimax", "nodes": ["B", "A"]},
    {"ask": "move"},
    {"ask": "count"},
    {"ask": "fewest"},
    {"ask": "prunable"},
    {"ask": "reorder"},
    {"ask": "transform", "by": "2*v + 3"},
    {"ask": "choice", "claim": "prunes-here"},
    {"ask": "pruned"},
]
UNKNOWN: list[dict[str, Any]] = [
    {"ask": "range", "unknown": "x", "when": {"move": "a1"}},
    {"ask": "assign", "unknowns": ["x"], "goal": {"move": "a1"}},
    {"ask": "assign", "unknowns": ["x"], "goal": "most"},
]
VECTORS: list[dict[str, Any]] = [{"ask": "vectors"}, {"ask": "move"}, {"ask": "line"}]
JUNK = ["?", "", "none", "-", "a1", "L2, L3", "yes", "same", ["L3", "zz", "L3"], ["a1", "b2"], {}]
"""Without numbers: they would name a leaf of some trees, and none of others."""
LEAF = re.compile(r'<g class="node leaf.*?</g>', re.DOTALL)
JUNK_ITEMS = ["3", "<= 2", "(1, 3)", "-", "?", "", "none"]


def filled(shape: Any, leaves: Iterator[Any]) -> Any:
    return [filled(each, leaves) for each in shape] if isinstance(shape, list) else next(leaves)


def size(shape: Any) -> int:
    return sum(map(size, shape)) if isinstance(shape, list) else 1


def exercise_of(tree: Any, asked: list[dict[str, Any]], head: dict[str, Any]) -> Grader:
    questions = [{"id": f"q{place}", "marks": 7, **each} for place, each in enumerate(asked)]
    data = {"plymark": "exercise/1", "id": "e", "game": {"tree": tree, **head}, "questions": questions}
    return Grader(load_exercise_bytes(json.dumps(data).encode(), "e.json"))


def fingerprint(report: Report, level: str) -> object:
    """What may be told, without looking at what is."""
    marks = [each.marks for each in report.questions()]
    if level == "none":
        return report.marks, tuple(map(rounded, marks))
    rows = [
        sorted((item.name, str(item.verdict)) for item in each.items if item.given)
        for each in facts_at_level(report, "hints").questions
    ]
    found = [(each.mistake, each.explains, tuple(each.same_here), each.sure) for each in report.diagnosis]
    return repr((report.marks, marks, rows, found, report.counted))


def shown_rows(report: Report) -> list[Any]:
    """The rows of every question, and what is said of those that were left blank."""
    found = []
    for each in facts_at_level(report, "hints").questions:
        blank = "right" if each.marks == each.question.marks else "missing"
        found.append([(item.name, item.given) for item in each.items])
        assert each.note is not None or all(item.verdict == blank for item in each.items if not item.given)
        assert len({bool(item.note) for item in each.items if item.verdict != "right"}) < 2
    return found


def pages(report: Report, level: str, code: str) -> Iterator[bytes]:
    """A student's pages without the numbers at the leaves, which are what was asked, not what was to be found. A PDF is
    made from its data alone, which are compared in its place."""
    made = feedback_page(report, level, words_of(code))
    html, data = feedback_html(made).decode(), json.dumps(pdf_data(made), ensure_ascii=False).replace('\\"', '"')
    for text in (html, data):
        yield LEAF.sub(lambda leaf: re.sub(r"\d", "#", leaf[0]), text).encode()


def outputs(report: Report, level: str, code: str) -> Iterator[bytes]:
    words = words_of(code)
    for output in OUTPUTS.values():
        for several in (True, False):
            yield b"".join(output.write([report], OutputOptions(words, level, several=several)))
    summary = class_summary(report.exercise, [report], level=level)
    for name in CLASS_OUTPUTS:
        yield CLASS_OUTPUTS[name](summary, OutputOptions(words, level))


def answers(pick: random.Random, graders: list[Grader]) -> dict[str, Any]:
    """Some questions as in one of the keys, some in part, some with junk or nothing."""
    given: dict[str, Any] = {}
    for question in graders[0].exercise.questions:
        way = pick.choice(["key", "part", "part", "everywhere", "junk", "blank"])
        if way == "junk":
            given[question.id] = pick.choice(JUNK)
        elif way == "everywhere" and not ASKS[question.ask].is_list:
            key = graders[0].declared
            given[question.id] = dict.fromkeys(ASKS[question.ask].asked(key.of(question)), pick.choice(JUNK_ITEMS[:4]))
        elif way != "blank":
            key = pick.choice(graders).declared
            perfect = as_written(ASKS[question.ask].perfect(key.of(question)))
            given[question.id] = perfect if way == "key" else in_part(perfect, pick)
    return given


def in_part(perfect: Any, pick: random.Random) -> Any:
    if isinstance(perfect, dict):
        return {
            name: pick.choice([each, each, pick.choice(JUNK_ITEMS)])
            for name, each in perfect.items()
            if pick.random() < 0.7
        }
    return [each for each in perfect if pick.random() < 0.7] if isinstance(perfect, list) else perfect


def as_written(answer: Any) -> Any:
    """As a document would hold it: text, lists and mappings."""
    if isinstance(answer, dict):
        return {str(name): as_written(each) for name, each in answer.items()}
    return [as_written(each) for each in answer] if isinstance(answer, list | tuple) else str(answer)


Case = tuple[list[Grader], dict[str, Any]]


def alike(leaves: list[Any], pick: random.Random, leaf: Callable[[], Any]) -> Iterator[list[Any]]:
    """The leaves of a tree, and of others that differ from it in a few."""
    for _ in range(TREES):
        yield leaves
        leaves = [leaf() if pick.random() < 2 / len(leaves) else each for each in leaves]


def plain_case(pick: random.Random, among: list[dict[str, Any]] = PLAIN) -> Case:
    shape = pick.choice(SHAPES)
    asked = pick.sample(among, pick.choice([1, 1, 1, 2]))

    def leaf() -> str:
        return str(pick.randint(1, 9))

    first = [leaf() for _ in range(size(shape))]
    graders = [exercise_of(filled(shape, iter(leaves)), asked, {}) for leaves in alike(first, pick, leaf)]
    return graders, answers(pick, graders)


def telling_case(pick: random.Random) -> Case:
    return plain_case(pick, TELLING)


def unknown_case(pick: random.Random) -> Case:
    def leaf() -> str:
        return str(pick.randint(1, 4))

    first = [leaf() for _ in range(size(SHAPES[0]) - 1)]
    trees = [filled(SHAPES[0], iter([*leaves, "x"])) for leaves in alike(first, pick, leaf)]
    graders = [exercise_of(tree, UNKNOWN, {"unknowns": ["x"]}) for tree in trees]
    return graders, answers(pick, graders)


def vector_case(pick: random.Random) -> Case:
    def leaf() -> list[int]:
        return [pick.randint(1, 3) for _ in "PQR"]

    first = [leaf() for _ in range(size(SHAPES[0]))]
    trees = [filled(SHAPES[0], iter(leaves)) for leaves in alike(first, pick, leaf)]
    graders = [exercise_of(tree, VECTORS, {"players": ["P", "Q", "R"]}) for tree in trees]
    return graders, answers(pick, graders)


def compared(case: Case, level: str, code: str) -> int:
    """How many pairs of different keys give the same verdicts and marks: their outputs are the same. Whatever the
    verdicts, the rows are."""
    graders, written = case
    same: dict[object, list[Report]] = defaultdict(list)
    for grader in graders:
        report = grader.grade(Answer("e", "s", written))
        same[fingerprint(report, level)].append(report)
    rows = defaultdict(set)
    for report in (each for reports in same.values() for each in reports):
        rows[report.counted.convention].add(repr(shown_rows(report)))
    assert all(len(each) == 1 for each in rows.values())
    pairs = 0
    for first, *others in same.values():
        told_of_first = list(outputs(first, level, code)) if others else []
        for other in others:
            assert list(outputs(other, level, code)) == told_of_first
            pairs += first.exercise.game.tree.leaf != other.exercise.game.tree.leaf
        # Pages take longer to make, so of each group one pair is compared.
        for other in others[:1]:
            assert list(pages(other, level, code)) == list(pages(first, level, code))
    return pairs


@pytest.mark.parametrize("most", mostly_slow([5, 40], 2))
@pytest.mark.parametrize("made", [telling_case, plain_case, unknown_case, vector_case])
def test_keys_that_mark_alike_cannot_be_told_apart(made: Callable[[random.Random], Case], most: int) -> None:
    pairs = dict.fromkeys(LEVELS[:-1], 0)

    @settings(max_examples=most, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(st.integers(0, 2**32), st.sampled_from(sorted(LANGUAGES)))
    def law(seed: int, code: str) -> None:
        case = made(random.Random(seed))
        for level in pairs:
            pairs[level] += compared(case, level, code)

    law()
    assert min(pairs.values()) >= most, pairs
