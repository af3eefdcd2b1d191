"""From exercises to what is on paper: the student's sheet, the teacher's key, and the booklet of a class.

A student's sheet is made without asking for any key but to learn which rules decide; a test holds that none is on it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from grader.delivery.papers.content import Asked, Box, Figure, Header, Paper, Part, Sheet, Table
from grader.delivery.papers.figures import sheet_figure, solved_figures
from grader.delivery.papers.notes import exercise_notes, mistakes, question_notes
from grader.delivery.papers.numerals import localised
from grader.delivery.papers.room import lines_of, width_of
from grader.delivery.wording.asking import asked, remarks
from grader.delivery.wording.rules import rules
from grader.marking.mark import ask_of
from grader.people.assigning import variant_for
from grader.people.roster import Student
from grader.questions.answer_key import Setting
from grader.questions.ask import Field
from grader.questions.exercise import Exercise, Question
from grader.questions.windows import WindowsAsk
from solver.languages import Amount, Language

CHOICES = {"prunable": ("yes", "no"), "transform": ("same", "different"), "choice": ("true", "false")}
WORDS = ("yes", "no", "same", "different", "true", "false", "none")
NUMBERS = ("ucb", "depths", "opponent", "backup")
_DEPTH = re.compile(r"(\d+) (value|move)")


def student_sheet(exercises: Sequence[Exercise], words: Language, header: Header) -> Sheet:
    return Sheet(
        title=_title(exercises, words, header),
        fields=_fields(words, header),
        variant=_variant(exercises),
        institution=header.institution,
        parts=tuple(_student_part(each, words, number) for number, each in _numbered(exercises)),
        total=_total(exercises, words),
        scores=tuple((words.count(place), words.number(each.out_of)) for place, each in _numbered(exercises) if place),
    )


def student_sheets(
    exercises: Sequence[Exercise], words: Language, header: Header, roster: Sequence[Student], secret: str | bytes
) -> Iterator[Sheet]:
    """One for each, with the name on it; what depends on the variant alone is made once."""
    variants = [student_sheet([each], words, header) for each in exercises]
    for student in roster:
        made = variants[variant_for(student, len(variants), secret)]
        yield replace(made, fields=_fields(words, header, student))


def key_sheet(exercises: Sequence[Exercise], words: Language, header: Header) -> Sheet:
    sheet = _solved(exercises, words, header, "paper.key", _key_part)
    return replace(sheet, remark=words.say("paper.key.only"))


def solution_sheet(exercises: Sequence[Exercise], words: Language, header: Header) -> Sheet:
    """What students may have after the exam: the key without how it is marked."""
    return _solved(exercises, words, header, "paper.solution", _solved_part)


def index_sheet(
    exercises: Sequence[Exercise],
    words: Language,
    header: Header,
    roster: Sequence[Student],
    secret: str | bytes,
    pages: Sequence[tuple[int, int]] | None = None,
) -> Sheet:
    """Who has which variant; and where in the booklet, if the first and the last page of every sheet are known."""
    names = ["student", "student-id", "variant", *([] if pages is None else ["pages"]), "marks"]
    texts = {"student-id": "paper.student-id", "variant": "paper.variant"}
    head = ("#", *(words.say(texts.get(name, f"paper.index.{name}")) for name in names))
    rows = []
    for place, student in enumerate(roster):
        code = exercises[variant_for(student, len(exercises), secret)].id
        where = [] if pages is None else [_pages(*pages[place], words)]
        rows.append((words.count(place + 1), student.name, student.id, code, *where, ""))
    title = words.say("paper.index", title=_title(exercises, words, header))
    table, remark = Table(head, tuple(rows)), words.say("paper.key.only")
    return Sheet(title, (), "", institution=header.institution, remark=remark, table=table, is_key=True)


def _pages(first: int, last: int, words: Language) -> str:
    return str(words.count(first)) if first == last else f"{words.count(first)}–{words.count(last)}"


def paper_of(sheets: Sequence[Sheet], words: Language, size: str = "a4", duplex: bool = False) -> Paper:
    names = ("name", "variant", "total", "conventions", "notes", "mistakes", "tree-apart")
    labels = {name: words.say(f"paper.{name}") for name in names}
    labels["how"] = words.say("paper.mistakes.how")
    labels["none"] = words.say("paper.mistakes.none")
    return Paper(words, sheets[0].title, tuple(sheets), size, duplex, labels)


def _numbered(exercises: Sequence[Exercise]) -> list[tuple[int, Exercise]]:
    """The parts of an exam; one exercise alone is no part, and has no number."""
    return [(number if len(exercises) > 1 else 0, each) for number, each in enumerate(exercises, 1)]


def _solved(
    exercises: Sequence[Exercise],
    words: Language,
    header: Header,
    heading: str,
    part: Callable[[Exercise, Language, int], Part],
) -> Sheet:
    filled = [(words.say("paper.course"), header.course), (words.say("paper.date"), header.date)]
    return Sheet(
        title=words.say(heading, title=_title(exercises, words, header)),
        fields=tuple(each for each in filled if each[1]),
        variant=_variant(exercises),
        institution=header.institution,
        parts=tuple(part(each, words, number) for number, each in _numbered(exercises)),
        total=_total(exercises, words),
        is_key=True,
    )


def _student_part(exercise: Exercise, words: Language, number: int) -> Part:
    setting = Setting(exercise, exercise.convention)
    return _part(exercise, words, number, [sheet_figure(exercise, words)], _questions(setting, words))


def _solved_part(exercise: Exercise, words: Language, number: int) -> Part:
    setting = Setting(exercise, exercise.convention)
    questions = (replace(question, notes=()) for question in _questions(setting, words, key=True))
    return _part(exercise, words, number, solved_figures(setting, words), questions)


def _key_part(exercise: Exercise, words: Language, number: int) -> Part:
    setting = Setting(exercise, exercise.convention)
    return replace(
        _part(exercise, words, number, solved_figures(setting, words), _questions(setting, words, key=True)),
        text="",
        notes=tuple(map(words.tell, exercise_notes(exercise))),
        mistakes=tuple(mistakes(setting, words)),
    )


def _part(
    exercise: Exercise, words: Language, number: int, figures: Iterable[Figure], questions: Iterable[Asked]
) -> Part:
    return Part(
        title=_part_title(exercise, words, number),
        text=exercise.text or "",
        rules=tuple(map(words.tell, rules(exercise))),
        figures=tuple(figures),
        questions=tuple(questions),
        marks=_marks(exercise.out_of, words) if number else "",
    )


def _part_title(exercise: Exercise, words: Language, number: int) -> str:
    if not number:
        return ""
    if exercise.title:
        return str(words.say("paper.part", number=Amount(number), title=exercise.title))
    return str(words.say("paper.part.untitled", number=Amount(number)))


def _questions(setting: Setting, words: Language, key: bool = False) -> Iterator[Asked]:
    for place, question in enumerate(setting.exercise.questions, 1):
        text, boxes = asked(question, setting), tuple(_boxes(question, setting, words, key))
        yield Asked(
            number=words.count(place),
            text=text if isinstance(text, str) else words.tell(text),
            remarks=() if key else tuple(map(words.tell, remarks(question, setting))),
            marks=_marks(question.marks, words),
            boxes=boxes,
            width=width_of(boxes, setting),
            lines=lines_of(question, boxes, setting),
            notes=tuple(map(words.tell, question_notes(question, setting))) if key else (),
        )


def _boxes(question: Question, setting: Setting, words: Language, key: bool) -> Iterator[Box]:
    ask = ask_of(question)
    shown = ask.shown(question, setting) if key else {}
    choices = tuple(words.say(f"paper.word.{word}") for word in CHOICES.get(question.ask, ()))
    # Boxes that are to be left blank are blank on the key.
    beside = "" if question.ask in ("inequalities", "backup") and question.nodes is None else "–"
    for field in _blanks(question, setting):
        answer, kind = "", _kind(field, question, setting)
        if key:
            found = shown.get(field.item, beside) if field.item else ", ".join(shown.values()) or "none"
            answer = words.say(f"paper.word.{found}") if found in WORDS else _answer(found, question, kind, words)
        yield Box(_label(field, question, words), kind, choices, answer)


def _blanks(question: Question, setting: Setting) -> Sequence[Field]:
    """The boxes of a question; which counts change is asked, so every node has one."""
    fields = ask_of(question).blank(question, setting)
    if question.ask != "backup" or question.nodes is not None:
        return fields
    tree = setting.exercise.game.tree
    return [Field(str(tree.ids[node]), fields[0].box) for node in tree.inner]


def _label(field: Field, question: Question, words: Language) -> str:
    if question.ask == "depths" and (found := _DEPTH.fullmatch(field.item)):
        return str(words.say(f"paper.item.depth-{found[2]}", depth=Amount(int(found[1]))))
    if field.item == "select" or question.ask == "transform":
        return str(words.say(f"paper.item.{field.item}"))
    return field.item


def _kind(field: Field, question: Question, setting: Setting) -> str:
    ask = ask_of(question)
    if isinstance(ask, WindowsAsk) and ask.when(question, setting) == "all":
        return "windows"
    if question.ask in CHOICES:
        return "choice"
    if question.ask == "vectors":
        return "vector"
    return "number" if question.ask in NUMBERS else field.box


def _answer(found: str, question: Question, kind: str, words: Language) -> str:
    """In the language's numbers; names stay as they are."""
    return found if question.ask in ("reorder", "plan") else localised(found, words, kind)


def _fields(words: Language, header: Header, student: Student | None = None) -> tuple[tuple[str, str], ...]:
    say, who = words.say, student or Student("")
    own = ((say("paper.name"), who.name), (say("paper.student-id"), who.id))
    return (*own, (say("paper.course"), header.course), (say("paper.date"), header.date))


def _title(exercises: Sequence[Exercise], words: Language, header: Header) -> str:
    titles = {each.title for each in exercises}
    alone = titles.pop() if len(titles) == 1 else None
    return header.title or alone or words.say("paper.exam")


def _variant(exercises: Sequence[Exercise]) -> str:
    return " + ".join(each.id for each in exercises)


def _marks(marks: Fraction, words: Language) -> str:
    said: str = words.say("paper.marks.one" if marks == 1 else "paper.marks", marks=marks)
    return said


def _total(exercises: Sequence[Exercise], words: Language) -> str:
    return _marks(sum((each.out_of for each in exercises), Fraction(0)), words)
