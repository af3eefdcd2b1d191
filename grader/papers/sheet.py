"""From exercises to what stands on paper: the student's sheet, the teacher's key, and the booklet of a class.

A student's sheet is made without asking for any key but to learn which rules decide; a test holds that none is on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction

from grader.exercise import Exercise, Question
from grader.marking import ask_of
from grader.papers.asking import asked, remarks
from grader.papers.content import Asked, Box, Header, Paper, Part, Sheet, Table
from grader.papers.figures import blank_figure, solved_figures
from grader.papers.notes import exercise_notes, mistakes, question_notes
from grader.papers.roster import Student, variant_for
from grader.papers.stated import rules
from grader.questions.ask import Field
from grader.setting import Setting
from solver import Amount, Language

CHOICES = {"prunable": ("yes", "no"), "transform": ("same", "different"), "choice": ("true", "false")}
WORDS = ("yes", "no", "same", "different", "true", "false", "none")
LINES = {"plan": 4, "reorder": 2, "assign": 2}
NUMBERS = ("ucb", "depths", "opponent")
_NUMBER = re.compile(r"(?<![\w.])\d+(\.\d+)?(?![\w.])")
_DEPTH = re.compile(r"(\d+) (value|move)")


def student_sheet(exercises: Sequence[Exercise], words: Language, header: Header) -> Sheet:
    return Sheet(
        title=_title(exercises, words, header),
        fields=_fields(words, header),
        variant=_variant(exercises),
        parts=tuple(_part(each, words, len(exercises) > 1) for each in exercises),
        total=_total(exercises, words),
    )


def student_sheets(
    exercises: Sequence[Exercise], words: Language, header: Header, roster: Sequence[Student], secret: str
) -> Iterator[Sheet]:
    """One for each, with the name on it; what depends on the variant alone is made once."""
    variants = [student_sheet([each], words, header) for each in exercises]
    for student in roster:
        made = variants[variant_for(student, len(variants), secret)]
        yield replace(made, fields=_fields(words, header, student))


def key_sheet(exercises: Sequence[Exercise], words: Language, header: Header) -> Sheet:
    filled = [(words.say("paper.course"), header.course), (words.say("paper.date"), header.date)]
    return Sheet(
        title=words.say("paper.key", title=_title(exercises, words, header)),
        fields=tuple(each for each in filled if each[1]),
        variant=_variant(exercises),
        parts=tuple(_key_part(each, words, len(exercises) > 1) for each in exercises),
        total=_total(exercises, words),
        remark=words.say("paper.key.only"),
        is_key=True,
    )


def index_sheet(
    exercises: Sequence[Exercise], words: Language, header: Header, roster: Sequence[Student], secret: str
) -> Sheet:
    names = ("paper.index.student", "paper.student-id", "paper.variant", "paper.index.marks")
    head = ("#", *map(words.say, names))
    rows = [
        (words.count(place), student.name, student.id, exercises[variant_for(student, len(exercises), secret)].id, "")
        for place, student in enumerate(roster, 1)
    ]
    title = words.say("paper.index", title=_title(exercises, words, header))
    return Sheet(title, (), "", remark=words.say("paper.key.only"), table=Table(head, tuple(rows)), is_key=True)


def paper_of(sheets: Sequence[Sheet], words: Language) -> Paper:
    names = ("paper.variant", "paper.total", "paper.conventions", "paper.notes", "paper.mistakes")
    labels = {name.rpartition(".")[2]: words.say(name) for name in names}
    labels["how"] = words.say("paper.mistakes.how")
    labels["none"] = words.say("paper.mistakes.none")
    return Paper(words, sheets[0].title, tuple(sheets), labels)


def _part(exercise: Exercise, words: Language, several: bool) -> Part:
    setting = Setting(exercise, exercise.convention)
    return Part(
        title=(exercise.title or "") if several else "",
        text=exercise.text or "",
        rules=tuple(map(words.tell, rules(exercise))),
        figures=(blank_figure(exercise, words),),
        questions=tuple(_questions(exercise, setting, words)),
    )


def _key_part(exercise: Exercise, words: Language, several: bool) -> Part:
    setting = Setting(exercise, exercise.convention)
    return Part(
        title=(exercise.title or "") if several else "",
        text="",
        rules=tuple(map(words.tell, rules(exercise))),
        figures=tuple(solved_figures(setting, words)),
        questions=tuple(_questions(exercise, setting, words, key=True)),
        notes=tuple(map(words.tell, exercise_notes(exercise))),
        mistakes=tuple(mistakes(setting, words)),
    )


def _questions(exercise: Exercise, setting: Setting, words: Language, key: bool = False) -> Iterator[Asked]:
    for place, question in enumerate(exercise.questions, 1):
        text = asked(question, setting)
        yield Asked(
            number=words.count(place),
            text=text if isinstance(text, str) else words.tell(text),
            remarks=() if key else tuple(map(words.tell, remarks(question, setting))),
            marks=_marks(question.marks, words),
            boxes=tuple(_boxes(question, setting, words, key)),
            lines=LINES.get(question.ask, 1),
            notes=tuple(map(words.tell, question_notes(question, setting))) if key else (),
        )


def _boxes(question: Question, setting: Setting, words: Language, key: bool) -> Iterator[Box]:
    ask = ask_of(question)
    shown = ask.shown(question, setting) if key else {}
    choices = tuple(words.say(f"paper.word.{word}") for word in CHOICES.get(question.ask, ()))
    for box in _blanks(question, setting):
        answer = ""
        if key:
            found = shown.get(box.item, "–") if box.item else ", ".join(shown.values()) or "none"
            kind = _kind(box, question)
            answer = words.say(f"paper.word.{found}") if found in WORDS else _localised(found, kind, words)
        yield Box(_label(box, question, words), _kind(box, question), choices, answer)


def _blanks(question: Question, setting: Setting) -> Sequence[Field]:
    """The boxes of a question; which counts change is asked, so every node has one."""
    fields = ask_of(question).blank(question, setting)
    if question.ask != "backup" or question.nodes is not None:
        return fields
    tree = setting.exercise.game.tree
    return [Field(str(tree.ids[node]), fields[0].box) for node in tree.inner]


def _label(box: Field, question: Question, words: Language) -> str:
    if question.ask == "depths" and (found := _DEPTH.fullmatch(box.item)):
        return str(words.say(f"paper.item.depth-{found[2]}", depth=Amount(int(found[1]))))
    if box.item == "select" or question.ask == "transform":
        return str(words.say(f"paper.item.{box.item}"))
    return box.item


def _kind(box: Field, question: Question) -> str:
    if question.ask in CHOICES:
        return "choice"
    return {"vectors": "vector", "backup": "number"}.get(question.ask, "number" if question.ask in NUMBERS else box.box)


def _localised(answer: str, kind: str, words: Language) -> str:
    """With the language's digits and decimal sign, but for names; a comma would be read as parting two numbers."""
    if kind not in ("value", "number", "bound") and words.number(Fraction(1, 2)) == "0,5":
        return answer
    return _NUMBER.sub(lambda found: words.number(Decimal(found[0])), answer)


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
