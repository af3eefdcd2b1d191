"""From exercises to what is on paper: the student's sheet, the teacher's key, and the solution.

A student's sheet is made without asking for any key but to learn which rules decide; a test holds that none is on it.
How large the boxes of a question are follows from its type and its tree, never from the key, which their size would
tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import ceil
from urllib.parse import quote

from grader.delivery.exercise_wording import question_remarks, question_wording, rules
from grader.delivery.papers.handout import column_of
from grader.delivery.papers.key_notes import exercise_notes, localised, mistakes, punctuated, question_notes
from grader.delivery.papers.paper_content import (
    ACROSS,
    Figure,
    Header,
    Paper,
    PaperBox,
    PaperPart,
    PaperQuestion,
    PaperSheet,
)
from grader.delivery.papers.paper_figures import sheet_figure, solved_figures, stories
from grader.people.roster import Student
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.exercise import Exercise
from grader.questions.presentation import (
    BOUND,
    CHOICE,
    MOVE,
    NAMES,
    NUMBER,
    ORDERS,
    STEPS,
    UNKNOWN_VALUES,
    VALUE,
    VECTOR,
    WINDOW,
    WINDOWS,
    Field,
)
from grader.questions.registry import ask_of
from solver.game import CHANCE, Tree
from solver.languages import Amount, Language

WIDTHS = {VALUE: 20, NUMBER: 28, BOUND: 24, WINDOW: 34, WINDOWS: 80, MOVE: 34, CHOICE: 46}
"""Millimetres of a box by what goes into it, for handwriting; one for names or texts reaches across the page."""
EXACT_WIDTH = 26
"""Of a value that may be a fraction."""
A_LINE = {NAMES: 13, ORDERS: 4, STEPS: 3, UNKNOWN_VALUES: 5}
"""How many parts of a long answer fit on a line."""
LEAST_LINES = {ORDERS: 2, STEPS: 3}
WINDOWS_A_LINE = 4


def width_of(boxes: Sequence[PaperBox], answer_key: AnswerKey) -> int:
    """Of each; 0 if they reach across the page. On a key they are as wide as its answers need."""
    tree, kind = answer_key.tree, boxes[0].kind
    width = _box_width(kind, tree)
    if width == 0:
        return 0
    texts = [text for box in boxes for text in (box.label, box.answer)]
    return min(ACROSS, max(width, 5 + ceil(2.3 * max(map(len, texts)))))


def lines_of(question: KeyedQuestion, boxes: Sequence[PaperBox]) -> int:
    """How many lines the longest answer that there could be takes."""
    tree = question.tree
    if boxes[0].kind == WINDOWS:
        most = max(len(tree.children[node]) for node in tree.inner)
        return _line_count(most + 1, WINDOWS_A_LINE)
    parts, of = ask_of(question).longest(question)
    return max(LEAST_LINES.get(of, 1), _line_count(parts, A_LINE.get(of, 1)))


def _box_width(kind: str, tree: Tree) -> int:
    if kind == VECTOR:
        return 8 + 9 * len(tree.sides)
    if kind == VALUE and CHANCE in tree.turns:
        return EXACT_WIDTH
    return WIDTHS.get(kind, 0)


def _line_count(count: int, a_line: int) -> int:
    return max(1, ceil(count / a_line))


WORDS = ("yes", "no", "same", "different", "true", "false", "none")


@dataclass(frozen=True, slots=True)
class SheetExtras:
    """What a student's sheet may have beside what it must have."""

    columns: bool = False
    """Whether boxes are named as the sheet of typed answers names them."""
    qr: bool = False
    """Whether every page says in a QR code which variant it is, and whose."""
    part_names: Mapping[str, str] = field(default_factory=dict)
    """By exercise, of an exam: what the columns of its part start with."""

    def columns_of(self, exercise: Exercise) -> str | None:
        """What stands before the columns that boxes are named by; None where they are not."""
        if not self.columns:
            return None
        return f"{self.part_names[exercise.id]}." if exercise.id in self.part_names else ""


NO_EXTRAS = SheetExtras()


def student_sheet(
    exercises: Sequence[Exercise], words: Language, header: Header, extras: SheetExtras = NO_EXTRAS
) -> PaperSheet:
    """Without a name."""
    return next(student_sheets([(Student(""), exercises)], words, header, extras))


def student_sheets(
    dealt: Iterable[tuple[Student, Sequence[Exercise]]],
    words: Language,
    header: Header,
    extras: SheetExtras = NO_EXTRAS,
) -> Iterator[PaperSheet]:
    """One for each student with the name on it: one exercise, or the parts of an exam; each part is made once."""
    made: dict[tuple[str, int], PaperPart] = {}
    for student, exercises in dealt:
        numbered = _numbered(exercises)
        for number, each in numbered:
            if (each.id, number) not in made:
                made[each.id, number] = _student_part(each, words, number, extras.columns_of(each))
        in_parts = len(exercises) > 1
        marks = [each.out_of for each in exercises] if in_parts else [each.marks for each in exercises[0].questions]
        yield PaperSheet(
            title=title_of(exercises, words, header),
            fields=_fields(words, header, student),
            variant=variant_of(exercises),
            institution=header.institution,
            about=_about(words, header),
            parts=tuple(made[each.id, number] for number, each in numbered),
            total=_total(exercises, words),
            scored=words.say("paper.scored.exercise" if in_parts else "paper.scored.question"),
            scores=tuple((words.count(place), words.number(each)) for place, each in enumerate(marks, 1)),
            code=page_code([each.id for each in exercises], student) if extras.qr else "",
        )


def page_code(exercises: Sequence[str], student: Student) -> str:
    """What a QR code says: `plymark:two-ply?student=s1027`; an exam's exercises have plus signs between them."""
    whose = student.id or student.name
    return f"plymark:{'+'.join(quote(each) for each in exercises)}" + (f"?student={quote(whose)}" if whose else "")


def _about(words: Language, header: Header) -> tuple[tuple[str, str], ...]:
    minutes = int(header.time) if header.time.isascii() and header.time.isdigit() and len(header.time) < 5 else 0
    time = words.say("paper.minutes", minutes=Amount(minutes)) if minutes else header.time
    said = (("time", time), ("aids", header.aids), ("instructions", header.instructions))
    return tuple((words.say(f"paper.{name}"), text) for name, text in said if text)


def key_sheet(exercises: Sequence[Exercise], words: Language, header: Header, part: int = 0) -> PaperSheet:
    """`part`: the number of the exam's part that the exercise is a variant of."""
    sheet = _solved(exercises, words, header, "paper.key", _key_part, part)
    return replace(sheet, remark=words.say("paper.key.only"))


def solution_sheet(exercises: Sequence[Exercise], words: Language, header: Header, part: int = 0) -> PaperSheet:
    """What students may have after the exam: the key without how it is marked."""
    return _solved(exercises, words, header, "paper.solution", _solved_part, part)


def paper_of(sheets: Sequence[PaperSheet], words: Language, size: str = "a4", duplex: bool = False) -> Paper:
    names = ("name", "total", "conventions", "notes", "mistakes", "tree-apart")
    labels = {name: words.say(f"paper.{name}") for name in names}
    labels["variant"] = words.say("paper.variant.named")
    labels["marks"] = words.say("paper.index.marks")
    labels["how"] = words.say("paper.mistakes.how")
    labels["none"] = words.say("paper.mistakes.none")
    return Paper(words, sheets[0].title, tuple(sheets), size, duplex, labels)


def _numbered(exercises: Sequence[Exercise], alone: int = 0) -> list[tuple[int, Exercise]]:
    """The parts of an exam; one exercise alone is no part, and has no number but what it is given."""
    return [(number if len(exercises) > 1 else alone, each) for number, each in enumerate(exercises, 1)]


def _solved(
    exercises: Sequence[Exercise],
    words: Language,
    header: Header,
    heading: str,
    made: Callable[[Exercise, Language, int], PaperPart],
    part: int,
) -> PaperSheet:
    filled = [(words.say("paper.course"), header.course), (words.say("paper.date"), header.date)]
    return PaperSheet(
        title=words.say(heading, title=title_of(exercises, words, header)),
        fields=tuple(each for each in filled if each[1]),
        variant=variant_of(exercises),
        institution=header.institution,
        parts=tuple(made(each, words, number) for number, each in _numbered(exercises, part)),
        total=_total(exercises, words),
        is_key=True,
    )


def _student_part(exercise: Exercise, words: Language, number: int, columns: str | None) -> PaperPart:
    answer_key = AnswerKey(exercise)
    questions = _questions(answer_key, words, columns=columns)
    return _part(exercise, words, number, [sheet_figure(exercise, words)], questions)


def _solved_part(exercise: Exercise, words: Language, number: int) -> PaperPart:
    answer_key = AnswerKey(exercise)
    questions = (replace(question, notes=()) for question in _questions(answer_key, words, key=True))
    part = _part(exercise, words, number, solved_figures(answer_key, words), questions)
    return replace(part, stories=tuple(stories(answer_key, words)))


def _key_part(exercise: Exercise, words: Language, number: int) -> PaperPart:
    answer_key = AnswerKey(exercise)
    return replace(
        _part(exercise, words, number, solved_figures(answer_key, words), _questions(answer_key, words, key=True)),
        text="",
        notes=tuple(map(words.tell, exercise_notes(exercise))),
        mistakes=tuple(mistakes(answer_key, words)),
    )


def _part(
    exercise: Exercise, words: Language, number: int, figures: Iterable[Figure], questions: Iterable[PaperQuestion]
) -> PaperPart:
    return PaperPart(
        title=_part_title(exercise, words, number),
        text=words.own(exercise.text or ""),
        rules=tuple(map(words.tell, rules(exercise))),
        figures=tuple(figures),
        questions=tuple(questions),
        marks=marks_of(exercise.out_of, words) if number else "",
    )


def _part_title(exercise: Exercise, words: Language, number: int) -> str:
    if not number:
        return ""
    if exercise.title:
        return str(words.say("paper.part", number=Amount(number), title=exercise.title))
    return str(words.say("paper.part.untitled", number=Amount(number)))


def _questions(
    answer_key: AnswerKey, words: Language, key: bool = False, columns: str | None = None
) -> Iterator[PaperQuestion]:
    for place, question in enumerate(answer_key.questions, 1):
        text, boxes = question_wording(question), tuple(boxes_of(question, words, key, columns))
        yield PaperQuestion(
            number=words.count(place),
            text=text if isinstance(text, str) else words.tell(text),
            remarks=() if key else tuple(map(words.tell, question_remarks(question))),
            marks=marks_of(question.marks, words),
            boxes=boxes,
            width=width_of(boxes, answer_key),
            lines=lines_of(question, boxes),
            notes=tuple(map(words.tell, question_notes(question))) if key else (),
        )


def boxes_of(question: KeyedQuestion, words: Language, key: bool, columns: str | None = None) -> Iterator[PaperBox]:
    ask = ask_of(question)
    shown = ask.shown(question) if key else {}
    choices = tuple(words.say(f"paper.word.{word}") for word in ask.words)
    # Boxes that are to be left blank are blank on the key.
    beside = "" if ask.left_blank(question) else "–"
    for each in ask.paper_fields(question, ask.blank(question)):
        answer, kind = "", ask.paper_kind(question, each)
        if key:
            found = shown.get(each.item, beside) if each.item else ", ".join(shown.values()) or "none"
            answer = words.say(f"paper.word.{found}") if found in WORDS else _answer(found, question, kind, words)
        column = "" if columns is None else f"{columns}{column_of(question, each)}"
        yield PaperBox(_label(each, question, words), kind, choices, answer, column)


def _label(field: Field, question: KeyedQuestion, words: Language) -> str:
    said = ask_of(question).label(field.item) if field.item else None
    return field.item if said is None else str(words.tell(said))


def _answer(found: str, question: KeyedQuestion, kind: str, words: Language) -> str:
    """In the language's numbers; names stay as they are."""
    return punctuated(found, words) if ask_of(question).key_is_names else localised(found, words, kind)


def _fields(words: Language, header: Header, student: Student) -> tuple[tuple[str, str], ...]:
    say = words.say
    own = ((say("paper.name"), student.name), (say("paper.student-id"), student.id))
    return (*own, (say("paper.course"), header.course), (say("paper.date"), header.date))


def title_of(exercises: Sequence[Exercise], words: Language, header: Header) -> str:
    titles = {words.own(each.title or "") or None for each in exercises}
    alone = titles.pop() if len(titles) == 1 else None
    return words.own(header.title) or alone or words.say("paper.exam")


def variant_of(exercises: Sequence[Exercise]) -> str:
    return " + ".join(each.id for each in exercises)


def marks_of(marks: Fraction, words: Language) -> str:
    said: str = words.say("paper.marks", marks)
    return said


def _total(exercises: Sequence[Exercise], words: Language) -> str:
    return marks_of(sum((each.out_of for each in exercises), Fraction(0)), words)
