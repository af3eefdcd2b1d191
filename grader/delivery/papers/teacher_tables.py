"""Pages for the teacher that are tables: who has which variant, and the answers to all variants at a glance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.delivery.papers.exam_sheets import boxes_of, marks_of, title_of
from grader.delivery.papers.key_notes import punctuated
from grader.delivery.papers.paper_content import Header, PaperSheet, PaperTable
from grader.people.roster import Student
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from solver.languages import Language

KEPT_TOGETHER = "\N{NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class SheetPlace:
    """Where a student's sheet is: in which file of a booklet, from which page to which."""

    file: str
    first: int
    last: int


def index_sheets(
    exercises: Sequence[Exercise],
    words: Language,
    header: Header,
    dealt: Sequence[tuple[Student, str]],
    places: Sequence[SheetPlace | str],
    students_a_sheet: int,
) -> Iterator[PaperSheet]:
    """Who has which variant, and where: a file's name alone where nobody knows its pages."""
    files = len({each if isinstance(each, str) else each.file for each in places}) > 1
    paged = [each for each in places if not isinstance(each, str)]
    names = ["student", "student-id", "variant", *(["file"] if files else []), *(["pages"] if paged else []), "marks"]
    texts = {"student-id": "paper.student-id", "variant": "paper.variant"}
    head = ("#", *(words.say(texts.get(name, f"paper.index.{name}")) for name in names))
    rows = []
    for number, ((student, variant), place) in enumerate(zip(dealt, places, strict=True), 1):
        where = [place if isinstance(place, str) else place.file] if files else []
        if not isinstance(place, str):
            where.append(_pages(place.first, place.last, words))
        rows.append((words.count(number), student.name, student.id, variant, *where, ""))
    title = words.say("paper.index", title=title_of(exercises, words, header))
    for start in range(0, len(rows), students_a_sheet):
        yield _for_teachers(title, header, words, (PaperTable(head, tuple(rows[start : start + students_a_sheet])),))


def compact_key(
    exercises: Sequence[Exercise], words: Language, header: Header, parts: Sequence[Sequence[Exercise]] = ()
) -> PaperSheet:
    """All variants and their answers; exercises that ask different questions have tables of their own, and so do the
    parts of an exam."""
    groups = parts or _alike(exercises)
    tables = []
    for group in groups:
        title = title_of(group, words, Header()) if len(groups) > 1 else ""
        head = [words.say("paper.variant")]
        head += [
            f"{words.count(number)} [{marks_of(question.marks, words)}]"
            for number, question in enumerate(group[0].questions, 1)
        ]
        rows = [(each.id, *_answers(each, words)) for each in group]
        tables.append(PaperTable(tuple(head), tuple(rows), title, answers=True))
    title = words.say("paper.key", title=title_of(exercises, words, header))
    return _for_teachers(title, header, words, tuple(tables))


def _alike(exercises: Sequence[Exercise]) -> list[list[Exercise]]:
    """Those that ask the same for the same marks."""
    groups: dict[object, list[Exercise]] = {}
    for each in exercises:
        asked = tuple((question.id, question.ask, question.marks) for question in each.questions)
        groups.setdefault(asked, []).append(each)
    return list(groups.values())


def _for_teachers(title: str, header: Header, words: Language, tables: tuple[PaperTable, ...]) -> PaperSheet:
    remark = words.say("paper.key.only")
    return PaperSheet(title, (), "", institution=header.institution, remark=remark, tables=tables, is_key=True)


def _answers(exercise: Exercise, words: Language) -> Iterator[str]:
    for question in AnswerKey(exercise).questions:
        yield _answer(question, words)


def _answer(question: KeyedQuestion, words: Language) -> str:
    """`A 3; C ≤ 2`; boxes that stay blank are left out."""
    boxes = [box for box in boxes_of(question, words, key=True) if box.answer]
    if len(boxes) == 1 and not boxes[0].label:
        return boxes[0].answer
    said = (f"{box.label} {box.answer}".replace(" ", KEPT_TOGETHER) for box in boxes)
    return punctuated("; ", words).join(said)


def _pages(first: int, last: int, words: Language) -> str:
    return str(words.count(first)) if first == last else f"{words.count(first)}–{words.count(last)}"
