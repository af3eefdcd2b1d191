"""Nothing of the key is on a student's sheet, whatever is asked: two trees of one shape give sheets that are the same
but for the numbers that are given."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import count
from typing import Any

import pytest

from grader.delivery.papers.exam_sheets import student_sheet
from grader.delivery.papers.paper_content import Header
from grader.delivery.papers.paper_registry import FORMATS, paper
from grader.documents.exercise_file import load_exercise_bytes
from grader.languages import words_of
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.registry import ASKS, ask_of
from solver.languages import LANGUAGES
from tests.grader.delivery.test_papers import exercise, only, pdf_text

pytestmark = pytest.mark.slow

GIVEN = re.compile(r"(?<!org/)(?<![\w.#-])[1-9]\d{3}(?![\w.-])")
"""Every number that is given has four digits, and nothing else has."""
WRITTEN_OUT = """\
convention: {like: aima3, cut: at-bound, update: after-test, returns: fail-soft, order: left-to-right, ties: first,
  window: ["-inf", "inf"], write: entry, depth_unit: ply}
"""
"""Which rules are stated must not depend on the tree here."""


def numbers(draw: random.Random, how_many: int) -> list[int]:
    return draw.sample(range(1000, 10_000), how_many)


def max_min(draw: random.Random) -> str:
    a, b, c, d, e, f, g, h, i = numbers(draw, 9)
    asked = (
        "values",
        "values, of: minimax",
        "windows, at: entry",
        "windows, at: exit",
        "windows, at: all",
        "inequalities, nodes: [A, B, C]",
        "pruned",
        "move",
        "line",
        "visited",
        "visited, what: nodes",
        "count",
        "count, what: pruned",
        "count, what: visited",
        "fewest",
        "fewest, what: most",
        "reorder",
        "reorder, goal: least",
        "prunable",
        'transform, by: "2*v + 3"',
        "choice, claim: unique-best-move",
        "opponent, errs: 1/7",
        "opponent, errs: threshold",
    )
    return f"game: {{tree: [[{a}, {b}, {c}], [{d}, [{e}, {f}]], [{g}, {h}, {i}]]}}\nquestions:\n" + listed(asked)


def unknown(draw: random.Random) -> str:
    a, b, c, d, e = numbers(draw, 5)
    asked = (
        "range, unknown: x, when: {pruned: L5}",
        "range, unknown: x, when: {move: a1}",
        "assign, goal: most",
        "assign, goal: {move: a2}",
    )
    return f"game: {{tree: [[{a}, {b}], [x, {c}, {d}], [{e}]], unknowns: [x]}}\nquestions:\n" + listed(asked)


def players(draw: random.Random) -> str:
    leaves = [f"{{value: {numbers(draw, 3)}}}" for _ in range(4)]
    tree = f"[[{leaves[0]}, {leaves[1]}], [{leaves[2]}, {leaves[3]}]]"
    return f"game: {{levels: [P, Q], players: [P, Q, R], tree: {tree}}}\nquestions:\n" + listed(
        ("vectors", "line", "move, algorithm: paranoid")
    )


def chance(draw: random.Random) -> str:
    a, b, c, d = numbers(draw, 4)
    tree = f"[[{a}, {b}], [{c}, {d}]]"
    asked = ("values", "pruned, algorithm: star1", "values, algorithm: star2, of: search")
    return f"game: {{levels: [max, chance], bounds: [1000, 9999], tree: {tree}}}\nquestions:\n" + listed(asked)


def estimates(draw: random.Random) -> str:
    a, b, c, d, e, f, g = numbers(draw, 7)
    inner = f"[{{turn: min, estimate: {e}, children: [{a}, {b}]}}, {{turn: min, estimate: {f}, children: [{c}, {d}]}}]"
    tree = f"{{turn: max, estimate: {g}, children: {inner}}}"
    return f"game: {{tree: {tree}}}\nquestions:\n" + listed(("depths, depths: [1, 2]", "move, depth: 1"))


def sampled(draw: random.Random) -> str:
    """Visits of children add up to less than those of the root."""
    totals, visits = draw.sample(range(1000, 2000), 2), draw.sample(range(2000, 4000), 2)
    inner = [f"{{turn: min, visits: {n}, total: {w}, children: [1, 0]}}" for n, w in zip(visits, totals, strict=True)]
    tree = f"{{turn: max, visits: {sum(visits) + 1}, total: {min(totals)}, children: [{', '.join(inner)}]}}"
    return f"game: {{mcts: {{playouts: [1]}}, tree: {tree}}}\nquestions:\n" + listed(("ucb, digits: 3", "backup"))


def listed(asked: tuple[str, ...]) -> str:
    return "".join(f"  - {{id: q{place}, ask: {what}, marks: 1}}\n" for place, what in enumerate(asked))


SHAPES: tuple[Callable[[random.Random], str], ...] = (max_min, unknown, players, chance, estimates, sampled)


def made(shape: Callable[[random.Random], str], seed: int) -> Exercise:
    text = f"plymark: exercise/1\nid: quiet\ntitle: Quiet\n{WRITTEN_OUT}{shape(random.Random(seed))}"
    return load_exercise_bytes(text.encode())


def key_of(found: Exercise) -> dict[str, Mapping[str, str]]:
    answer_key = AnswerKey(found, found.convention)
    return {question.id: ask_of(question).shown(answer_key.of(question)) for question in found.questions}


def test_the_shapes_ask_every_question_but_for_a_plan() -> None:
    asked = {question.ask for shape in SHAPES for question in made(shape, 0).questions}
    assert asked == set(ASKS) - {"plan"}


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("code", LANGUAGES)
def test_sheets_of_one_shape_differ_in_what_is_given_only(shape: Any, code: str) -> None:
    drawn = [made(shape, seed) for seed in range(4)]
    keys = [key_of(found) for found in drawn]
    assert any(key != keys[0] for key in keys), "they have other keys"
    words = words_of(code)
    sheets = [student_sheet([found], words, Header()) for found in drawn]
    for sheet in sheets:
        questions = [(each.text, each.remarks, each.boxes, each.width, each.lines) for each in sheet.parts[0].questions]
        first = sheets[0].parts[0].questions
        assert questions == [(each.text, each.remarks, each.boxes, each.width, each.lines) for each in first]
    if words.number(1) != "1":
        return
    for to in ("html", "latex"):
        pages = [only(paper([found], "sheet", code, to)).decode() for found in drawn]
        masked = {GIVEN.sub("####", page) for page in pages}
        assert len(masked) == 1, to


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("shape", [max_min, players, chance])
def test_no_given_number_stands_out(shape: Any, to: str, tmp_path: Any) -> None:
    """Each leaf's number is on the sheet as often as any other's: none is repeated as a value, a bound or an answer."""
    for seed in range(3):
        found = made(shape, seed)
        content = only(paper([found], "sheet", "en", to))
        text = pdf_text(content, tmp_path) if to == "pdf" else content.decode()
        text = re.sub("@font-face{[^}]*}", "", text)
        seen = Counter(map(int, GIVEN.findall(text)))
        tree = found.game.tree
        given: list[Any] = []
        for leaf in tree.leaf:
            given += leaf if isinstance(leaf, tuple) else () if leaf is None else (leaf,)
        ends = set(tree.bounds or ())
        assert set(seen) - ends == set(given) - ends
        assert len({seen[number] for number in given if number not in ends}) == 1


def secrets() -> Iterator[str]:
    return (f"SECRET{number}" for number in count(100))


@pytest.mark.parametrize("to", FORMATS)
def test_answers_flow_to_keys_only(to: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """Whatever a question type shows as its answer is on the key and on the solution, and not on the sheet."""
    marks = secrets()

    def poisoned(self: Any, question: KeyedQuestion) -> Mapping[str, str]:
        return {item: next(marks) for item in self.keyed(question)}

    for kind in {type(each) for each in ASKS.values()}:
        monkeypatch.setattr(kind, "shown", poisoned)
    monkeypatch.setattr("grader.delivery.exercise_wording.rules", lambda _: iter(()))
    for found in (exercise("vacuum-plan"), exercise("mcts"), made(max_min, 1), made(unknown, 1)):

        def text(kind: str, found: Exercise = found) -> str:
            content = only(paper([found], kind, "en", to))
            return pdf_text(content, tmp_path) if to == "pdf" else content.decode()

        assert "SECRET" not in text("sheet")
        assert "SECRET" in text("solution")
