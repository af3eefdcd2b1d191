"""An exercise as a student gets it, to be answered on a screen, and what was read of an answer so far.

Nothing here tells the key: fields depend on the question alone.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from grader.answers import UNVISITED, Bound, Unreadable
from grader.delivery.exercise_wording import blank_tree, open_rules, question_remarks, question_wording
from grader.delivery.systems.answer_boxes import OFFERED
from grader.delivery.systems.offers import choices_of
from grader.languages import words_of
from grader.marking.mark import read as read_answers
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Given
from grader.questions.exercise import Exercise
from grader.questions.presentation import CHOICE, MOVE, MOVES, NAMES, Field
from grader.questions.registry import ask_of
from grader.questions.shown import spelt
from grader.service.tasks.task_input import answer_to, grader_of, part_of, refusing
from grader.service.workers.task_results import message
from solver.drawing import page_figure, picture, svg
from solver.game import Loop, Node, Outcome, Tree, Unknown
from solver.kernel import LruCache, Number, plain
from solver.languages import Language, Sentence

MOST_POSED = 128
JsonNumber = int | float | str
"""JSON's own number where that is exact for every reader, else text."""


@message
class PosedQuestion:
    id: str
    ask: str
    text: str
    marks: JsonNumber


@message
class ExercisePrompt:
    id: str
    title: str | None
    text: str | None
    language: str
    convention: tuple[str, ...]
    questions: tuple[PosedQuestion, ...]


@message
class AnswerField:
    name: str
    """As a column of a sheet of answers is called."""
    question: str
    item: str | None
    """None if the question has no more than one field."""
    kind: str
    label: str | None
    choices: tuple[str, ...] | None
    """All that can be answered, where that is little."""
    part: str = ""
    """Of an exam: the exercise that asks."""


@message
class PosedNode:
    id: str
    parent: str | None
    move: str | None
    turn: str | None
    p: JsonNumber | None
    value: JsonNumber | tuple[JsonNumber, ...] | Mapping[str, str] | None
    """At leaves only; of a loop `{loop: node}`."""


@message
class PosedTree:
    svg: str
    nodes: tuple[PosedNode, ...]
    """In document order."""


@message
class PosedExercise:
    exercise: ExercisePrompt
    fields: tuple[AnswerField, ...]
    tree: PosedTree


@message
class FieldReading:
    """What was read, or else the problem."""

    text: str = ""
    problem: str | None = None


@message
class AnswerReading:
    fields: Mapping[str, FieldReading]
    """Those that are not empty."""
    ignored: tuple[str, ...]


_POSED: LruCache[tuple[bytes, str, bool], PosedExercise] = LruCache(MOST_POSED)


def pose(variant_raw: bytes, language: str | None = None, page: bool = False) -> PosedExercise:
    """In a language, or in the exercise's own. The tree is a picture that stands alone, or
    one for a `page` that has the style sheet of such pictures and lets students write on the tree."""
    with refusing():
        exercise = grader_of(variant_raw).exercise
        words = words_of(language or exercise.language)
        key = (hashlib.sha256(variant_raw).digest(), words.code, page)
        return _POSED.get(key, lambda: _posed(variant_raw, exercise, words, page))


def read(variant_raw: bytes, body: bytes, language: str | None = None) -> AnswerReading:
    with refusing(places=False):
        answer_key = grader_of(variant_raw).declared
        answer = answer_to(variant_raw, body, language)
        words = words_of(language or answer_key.exercise.language)
        given, ignored = read_answers(answer_key, answer.answers, language)
        before = _before(variant_raw)
        return AnswerReading(
            fields={
                f"{before}{name}": reading
                for question in answer_key.questions
                for name, reading in _read_fields(question, given[question.id], words)
            },
            ignored=tuple(f"{before}{each}" for each in (*answer.ignored, *(each.text for each in ignored))),
        )


def _posed(variant_raw: bytes, exercise: Exercise, words: Language, page: bool) -> PosedExercise:
    questions = grader_of(variant_raw).declared.questions
    blank = blank_tree(exercise, words).board
    before = _before(variant_raw)
    part = exercise.id if before else ""
    return PosedExercise(
        ExercisePrompt(
            id=exercise.id,
            title=exercise.title and words.own(exercise.title),
            text=exercise.text and words.own(exercise.text),
            language=words.code,
            convention=tuple(words.tell(each) for each in open_rules(exercise)),
            questions=tuple(_question(each, words) for each in questions),
        ),
        tuple(
            replace(field, name=f"{before}{field.name}", part=part)
            for question in questions
            for field in _fields(question, words)
        ),
        PosedTree(
            svg=page_figure(blank, _prefix(variant_raw), to_write=True) if page else svg(picture(blank)),
            nodes=tuple(_nodes(exercise.game.tree)),
        ),
    )


def _prefix(variant_raw: bytes) -> str:
    """Of ids in a picture: trees of several parts stand on one page."""
    part = part_of(variant_raw)
    return f"part{part}-" if part else ""


def _before(variant_raw: bytes) -> str:
    """What the names of fields start with in an exam, as columns of its sheets of answers do."""
    return f"{grader_of(variant_raw).exercise.id}." if part_of(variant_raw) else ""


def _question(question: KeyedQuestion, words: Language) -> PosedQuestion:
    said = [question_wording(question), *question_remarks(question)]
    text = " ".join(words.name(each) if isinstance(each, str) else words.tell(each) for each in said)
    return PosedQuestion(question.id, question.ask, text, _json_number(question.marks))


def _fields(question: KeyedQuestion, words: Language) -> Iterator[AnswerField]:
    ask = ask_of(question)
    for field in ask.blank(question):
        choices = _choices(question, field, words)
        label = ask.label(field.item) if field.item else None
        yield AnswerField(
            name=_name(question, field),
            question=question.id,
            item=field.item or None,
            kind=CHOICE if choices else ask.paper_kind(question, field),
            label=field.item if label is None else words.tell(label),
            choices=choices or None,
        )


def _name(question: KeyedQuestion, field: Field) -> str:
    """As a column of a sheet of answers is called."""
    if not field.item:
        return question.id
    return f"{question.id}.{field.item.replace(' ', '.') if ask_of(question).nested else field.item}"


def _choices(question: KeyedQuestion, field: Field, words: Language) -> tuple[str, ...]:
    """All that can be answered, where that is little, in words that are read in every language."""
    ask = ask_of(question)
    offered = tuple(ask.options(question, field.item)) or choices_of(question, field.item)
    return tuple(offered or (OFFERED.get(words.code, {}).get(word, word) for word in ask.words))


def _nodes(tree: Tree) -> Iterator[PosedNode]:
    for node in tree.nodes:
        parent, p = tree.parent[node], tree.probability[node]
        yield PosedNode(
            id=str(tree.ids[node]),
            parent=str(tree.ids[parent]) if parent >= 0 else None,
            move=None if tree.move[node] is None else str(tree.move[node]),
            turn=tree.turn[node],
            p=None if p is None else _json_number(p),
            value=_value(tree, node),
        )


def _value(tree: Tree, node: Node) -> JsonNumber | tuple[JsonNumber, ...] | Mapping[str, str] | None:
    """At leaves only."""
    match tree.leaf[node]:
        case Unknown(name):
            return name
        case Loop(target):
            return {"loop": str(target)}
        case Outcome() as outcome:
            return outcome == Outcome.GOAL
        case tuple() as vector:
            return tuple(_json_number(each) for each in vector)
        case int() | Fraction() as number:
            return _json_number(number)
    return None


def _json_number(number: Number) -> JsonNumber:
    found = plain(number)
    if isinstance(found, Decimal):
        return int(found) if found == found.to_integral_value() else float(found)
    return found


def _read_fields(
    question: KeyedQuestion, given: Mapping[str, Given], words: Language
) -> Iterator[tuple[str, FieldReading]]:
    """By field. What is the matter with a question as a whole is said of the question: how many items the key has
    would tell something."""
    fields = ask_of(question).blank(question)
    problems = {id(here.problem): here.problem for here in given.values() if here.problem is not None}
    if len(fields) == 1 and not fields[0].item:
        rows = ask_of(question).rows(question, given)
        problem = next(iter(problems.values()), None) or next((row.problem for row in rows if row.problem), None)
        texts = [_read_text(question, fields[0], item, here) for item, here in given.items() if here.read]
        listed = [spelt(row.given) for row in rows if row.given is not None]
        if problem is not None:
            yield _name(question, fields[0]), FieldReading(problem=_told(problem, words))
        elif texts:
            in_rows = fields[0].box in (MOVES, NAMES) and listed
            yield _name(question, fields[0]), FieldReading(", ".join(in_rows or texts))
        return
    if len(problems) == 1 and len(given) > 1 and all(here.problem is not None for here in given.values()):
        yield question.id, FieldReading(problem=_told(next(iter(problems.values())), words))
        return
    for field in fields:
        here = given.get(field.item)
        if here is not None and here.problem is not None:
            yield _name(question, field), FieldReading(problem=_told(here.problem, words))
        elif here is not None and here.read:
            yield _name(question, field), FieldReading(_read_text(question, field, field.item, here))


def _read_text(question: KeyedQuestion, field: Field, item: str, here: Given) -> str:
    """A number in one spelling, a list or a range as it was understood; else as it was written."""
    value: Any = here.value
    if value is UNVISITED:
        return "-"
    if isinstance(value, Bound):
        return f"{'' if value.sign == '=' else f'{value.sign} '}{_exact(value.number)}"
    if field.box in (MOVE, MOVES, NAMES):
        return here.text or ""
    if isinstance(value, int | Fraction) and not isinstance(value, bool):
        return _exact(value)
    fact = ask_of(question).read_fact(question, item, value)
    return spelt(fact) if fact is not None else here.text or ""


def _exact(number: Any) -> str:
    return str(number) if isinstance(number, str) else str(Fraction(number))


def _told(problem: Unreadable | None, words: Language) -> str:
    assert problem is not None
    return str(words.tell(Sentence(problem.reason, None, dict(problem.facts))))
