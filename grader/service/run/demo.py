"""`--demo`: a course with an exercise and a class that has handed in, for a first look."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

import orjson
from sqlalchemy import select

from grader.service import tasks
from grader.service.base.ids import new_id, sha256
from grader.service.base.service_problems import StoreRefused
from grader.service.features.accounts import queries as accounts_queries
from grader.service.features.assignments import queries as assignments_queries
from grader.service.features.attempts import queries as attempts_queries
from grader.service.features.courses import queries as courses_queries
from grader.service.features.exercises import queries as exercises_queries
from grader.service.features.exercises.queries import Upload
from grader.service.features.grades import queries as grades_queries
from grader.service.features.members import queries as members_queries
from grader.service.features.submissions.queries import Arrival, hand_in
from grader.service.http.service import Service
from grader.service.rules.assignment_rules import DEFAULTS, read_fields
from grader.service.store.store_backup import count_rows
from grader.service.store.tables import assignment, member
from grader.service.store.transaction import Transaction
from grader.service.workers.lanes import BULK

EXERCISE: Mapping[str, Any] = {
    "plymark": "exercise/1",
    "id": "two-ply",
    "title": "Alpha-beta on a two-ply game tree",
    "text": "Search the tree with alpha-beta, from left to right.",
    "game": {
        "tree": {
            "id": "A",
            "turn": "max",
            "children": [
                {"move": "a1", "id": "B", "turn": "min", "children": [3, 12, 8]},
                {"move": "a2", "id": "C", "turn": "min", "children": [2, 4, 6]},
                {"move": "a3", "id": "D", "turn": "min", "children": [14, 5, 2]},
            ],
        }
    },
    "convention": "aima3",
    "questions": [
        {"id": "values", "ask": "values", "marks": 4, "text": "What does each inner node return?"},
        {
            "id": "windows",
            "ask": "windows",
            "at": "entry",
            "marks": 4,
            "text": "Write down (α, β) as each inner node is entered.",
        },
        {"id": "pruned", "ask": "pruned", "marks": 2, "text": "Which leaves are pruned?"},
        {"id": "move", "ask": "move", "marks": 1, "text": "Which move does MAX play?"},
    ],
    "marking": {"follow_through": 1, "accept": ["aima4"], "other_convention": "half"},
}


@dataclass(frozen=True, slots=True)
class DemoStudent:
    id: str
    name: str
    answers: Mapping[str, Any]


_EVERYTHING = "(−∞, ∞)"


def _answers(values: str, windows: str, pruned: str, move: str) -> dict[str, Any]:
    """Values and windows in the order of A, B, C, D, separated by `;`."""
    cells = {
        question: {node: text.strip() for node, text in zip("ABCD", written.split(";"), strict=True) if text.strip()}
        for question, written in (("values", values), ("windows", windows))
    }
    return {**cells, "pruned": pruned, "move": move}


_WINDOWS = f"{_EVERYTHING};{_EVERYTHING};(3, ∞);(3, ∞)"
_RIGHT = _answers("3;3;<= 2;2", _WINDOWS, "L5, L6", "a1")

STUDENTS = (
    DemoStudent("s01", "Amal Haddad", _RIGHT),
    DemoStudent("s02", "Bruno Carvalho", _answers("3;3;≤2;2", "-inf, inf;-inf, inf;3, inf;3, inf", "L5 L6", "a1")),
    DemoStudent("s03", "Chen Wei", _answers("3;3;2;2", _WINDOWS, "L5, L6", "a1")),
    DemoStudent("s04", "Dara O'Neill", _answers("8;8;<= 2;<= 5", _WINDOWS.replace("3", "8"), "L5, L6, L9", "a1")),
    DemoStudent("s05", "Elif Yılmaz", _answers("3;3;<= 2;5", _WINDOWS, "L5, L6", "a1")),
    DemoStudent("s06", "Farid Karimi", _answers("3;3;2;2", f"{_EVERYTHING};" * 3 + _EVERYTHING, "none", "a1")),
    DemoStudent("s07", "Grace Okafor", _answers("6;12;6;14", ";;(12, ∞);three", "L5 L6 L8 L9", "a2")),
    DemoStudent("s08", "Hana Sato", _answers("3;3;<= 2;2", f"{_EVERYTHING};{_EVERYTHING};(3, ∞);(2, ∞)", "L6", "a1")),
    DemoStudent("s09", "Inês Duarte", _answers("3;3;;2", _WINDOWS, "L5, L6", "")),
    DemoStudent("s10", "Jonas Berg", {}),
    DemoStudent("s11", "Kavya Nair", _answers("14;12;6;14", _WINDOWS, "L5, L6", "a3")),
    DemoStudent("s12", "Luca Ferri", _answers("3;three;<= 2;2", _WINDOWS, "the last two below C", "a1")),
)

COURSE = {"title": "Adversarial search", "zone": "UTC", "language": "en"}
JOIN_CODE = "demo2345"
RULES = {"attempts": 3, "feedback_before": "full"}


async def fill_demo(service: Service) -> None:
    """StoreRefused if anything is in the store. What is handed in is marked like everything else."""
    if await service.store.read(count_rows):
        raise StoreRefused("the store is not empty; --demo fills an empty one, so give another --data")
    raw = orjson.dumps(EXERCISE)
    intake = await service.workers.lane(BULK).run(tasks.take_in, raw)
    await service.store.write(lambda tx: _write(tx, Upload(raw, intake)))


def _write(tx: Transaction, upload: Upload) -> None:
    teacher = accounts_queries.new_teacher(tx)
    course = courses_queries.new_course(tx, teacher, COURSE, JOIN_CODE)
    listed = [{"id": each.id, "name": each.name, "email": None, "role": "student"} for each in STUDENTS]
    members_queries.put_members(tx, teacher, course, listed)
    exercise = exercises_queries.new_exercise(tx, teacher, course, upload)
    fields: Mapping[str, Any] = read_fields({**DEFAULTS, **RULES}, ZoneInfo(COURSE["zone"]), tx.now)
    version = assignments_queries.wanted_version(tx.connection, course, exercise, None)
    row = {**fields, "exercise": exercise, "version": version}
    assigned = assignments_queries.new_assignment(tx, teacher, course, row)
    grades_queries.ensure_grades(tx, assigned)
    for each in STUDENTS:
        _hand_in(tx, course, assigned, each)


def _hand_in(tx: Transaction, course: str, assigned: str, student: DemoStudent) -> None:
    row: Any = tx.execute(select(assignment).where(assignment.c.id == assigned)).one()
    of: Any = tx.execute(select(member).where(member.c.course == course, member.c.code == student.id)).one()
    attempt, _ = attempts_queries.begin(tx, row, of, COURSE["language"])
    raw = orjson.dumps({"answers": student.answers})
    hand_in(tx, Arrival(attempt, new_id(), raw, sha256(raw), tx.now), course, of.person)
