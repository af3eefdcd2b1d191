"""Reading line by line: what is read so is what the careful reader reads, and all else is left to it."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.documents import line_reader
from solver.documents.careful import careful_yaml
from solver.documents.document import Document, Doubtful, Marks
from solver.documents.line_reader import read_lines
from solver.documents.read import read_raw
from solver.kernel.limits import Limits
from solver.kernel.problems import Problem, ProblemLog
from solver.pipeline import load_bytes
from tests.solver.documents.mutations import ROOT, documents, mutated, project_files, suite_texts

LIMITS = Limits()
OWN_LIMITS = (LIMITS, LIMITS, Limits(nesting=3), Limits(text_length=20), Limits(text_length=256), Limits(nesting=6))


def places(data: Any, marks: Any) -> list[Any]:
    """The marks of every container, from the root on."""
    found, pending = [], [data]
    while pending:
        here = pending.pop()
        if isinstance(here, dict | list):
            found.append((list(here), [(mark.line, mark.column) for mark in marks[id(here)]]))
            pending.extend(here.values() if isinstance(here, dict) else here)
    return found


def taken(text: str, limits: Limits = LIMITS) -> bool:
    """Whether a text is read line by line; then it reads just as it does carefully, with and without places."""
    marks: Marks = {}
    try:
        data = read_lines(text, limits, marks)
    except Doubtful:
        with pytest.raises(Doubtful):
            read_lines(text, limits)
        return False
    problems = ProblemLog(20)
    careful = careful_yaml(text, limits, problems)
    assert problems.kept == []
    assert careful is not None
    assert data == careful.data == read_lines(text, limits)
    assert places(data, marks) == places(careful.data, careful.marks)
    return True


@pytest.mark.parametrize("path", project_files(), ids=lambda path: path.stem)
def test_the_projects_own_documents_are_read_line_by_line(path: Path) -> None:
    assert taken(path.read_text())


@given(st.randoms(use_true_random=False), st.sampled_from(OWN_LIMITS))
def test_mistyped_documents(draw: random.Random, limits: Limits) -> None:
    taken(mutated(draw), limits)


def test_some_thousand_mistyped_documents() -> None:
    """Drawn by seed, since that is quicker than to have them drawn as above; enough of them are read."""
    draw = random.Random(31)
    assert sum(taken(mutated(draw), draw.choice(OWN_LIMITS)) for _ in range(4_000)) > 200


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_very_many_mistyped_documents(seed: int) -> None:
    draw = random.Random(seed)
    for _ in range(50_000):
        taken(mutated(draw), draw.choice(OWN_LIMITS))


def test_the_yaml_test_suite() -> None:
    assert sum(map(taken, suite_texts().values())) > 20


READ = {
    "a list right below its key": "a:\n- 1\n- b: 2\n  c: 3\n- 4\nd: 5\n",
    "lists in lists": "- - 1\n  - 2\n-\n  - 3\n",
    "comments everywhere": "# a\na: 1 # b\n  # c\nb: # d\n  - 2 # e\n# f\n  - [3, 4] # g\n",
    "line breaks of Windows": "a: 1\r\nb:\r\n  - 2\r\n",
    "no line break at the end": "a: 1",
    "quotes": "a: \"x: y # z\"\nb: 'it''s'\n'c d': \"null\"\n",
    "brackets": "a: {b: [1, 2], \"c\": 'd', e: {}, f: [], g: [[x], {y: z}]}\n",
    "other scripts": "عنوان: بازی\ne\u0301: {مهره: ۳}\n",
    "colons and hashes inside": "a: 1:30\nb: c#d\nc: http://x/#y\n",
    "one value": "aima3",
    "one list": "[[3, 12], [x, 4]]",
    "spaces": "a:   1  \nb:\n     - 2\n     -   3\n\n   \nc: {  d:  e , f:   [ 1 ,2 ] }\n",
}


@pytest.mark.parametrize("text", READ.values(), ids=READ)
def test_what_people_write_is_read(text: str) -> None:
    assert taken(text)


LEFT = {
    "two lines of text": "a: b\n  c\n",
    "a block of text": "a: |\n  b\n",
    "nulls": "a:\nb: 1\n",
    "a quoted nothing": "a: ''\n",
    "null in brackets": "a: [~]\n",
    "a key twice": "a: 1\na: 2\n",
    "a key twice in two spellings": "\u00e9: 1\ne\u0301: 2\n",
    "a key twice in brackets": "a: {b: 1, b: 2}\n",
    "a colon too many": "a: b: c\n",
    "too far to the left": "a:\n    b: 1\n  c: 2\n",
    "an item among keys": "a: 1\n- b\n",
    "a key among items": "- a\nb: 1\n",
    "an escape": 'a: "\\n"\n',
    "a tab": "a:\tb\n",
    "brackets over two lines": "a: [1,\n  2]\n",
    "the wrong bracket": "a: [1}\n",
    "a pair in a list": "a: [b: c]\n",
    "an end of the document": "a: 1\n...\n",
    "a start of it": "---\na: 1\n",
    "two documents": "a\n---\nb\n",
    "an alias": "a: *b\n",
    "an anchor": "a: &b c\n",
    "a merge key": "<<: {a: 1}\n",
    "a merge key in brackets": "a: {<<: {b: 1}}\n",
    "a complex key": "? a\n: b\n",
    "a carriage return alone": "a: 1\rb: 2\n",
    "a key of 300 characters": f"{'k' * 300}: 1\n",
    "text of 4,097 characters": f"a: {'x' * 4_097}\n",
    "the same in brackets": f"a: [{'x' * 4_097}]\n",
    "the same in quotes": f"a: ['{'x' * 4_097}']\n",
    "129 levels": "a: " + "[" * 128 + "3" + "]" * 128 + "\n",
}


@pytest.mark.parametrize("text", LEFT.values(), ids=LEFT)
def test_what_is_unusual_is_left_to_the_careful_reader(text: str) -> None:
    assert not taken(text)


def test_limits_on_their_very_edge() -> None:
    assert taken(f"a: {'x' * 4_096}\nb: [{'y' * 4_096}, '{'z' * 4_096}']\n")
    assert taken("a: " + "[" * 127 + "3" + "]" * 127 + "\n")
    assert taken("a:\n  b:\n    - c: 1\n", Limits(nesting=4))
    assert not taken("a:\n  b:\n    - c: 1\n", Limits(nesting=3))


def outcome(raw: bytes, careful: bool) -> tuple[Document | None, list[Problem]]:
    problems = ProblemLog(20)
    return read_raw(raw, "x.yaml", LIMITS, problems, careful), problems.kept


def test_problems_are_the_same_whichever_way_is_tried_first(monkeypatch: pytest.MonkeyPatch) -> None:
    raws = [text.encode() for text in (*documents()[::5], *LEFT.values())]
    quick = [outcome(raw, careful=True) for raw in raws]
    monkeypatch.setattr("solver.documents.read.read_lines", _never)
    for raw, (document, problems) in zip(raws, quick, strict=True):
        again, expected = outcome(raw, careful=True)
        assert problems == expected
        assert (document and document.data) == (again and again.data)


def _never(*_: object) -> None:
    raise Doubtful


def test_what_is_remembered_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line_reader, "_MOST_REMEMBERED", 10)
    text = "".join(f"key{number}: value{number}\n" for number in range(100))
    assert taken(text) and taken(text)
    assert len(line_reader._heads) <= 10 and len(line_reader._plain) <= 10


def test_a_place_is_found_by_reading_again() -> None:
    game = load_bytes(b"plymark: game/1\ntree:\n  turn: max\n  children:\n    - 3\n    - {id: C, value: 4}\n")
    assert game.document.marks == {}
    assert game.place("C") == (6, 7)


@pytest.mark.slow
def test_a_document_read_line_by_line_loads_no_parser() -> None:
    code = "import sys; from solver.pipeline import load; load('specs/two-ply.yaml'); print('yaml' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == "False"
