"""An exercise as a learning system shows it: text in the student's language, a blank picture, questions with boxes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil

from grader.delivery.systems.base import IN_MOODLE, ExportOptions, Remark, System
from grader.delivery.systems.boxes import TEXT, Box, Boxes
from grader.delivery.systems.faithful import why_provisional
from grader.delivery.systems.known_mistakes import Known
from grader.delivery.wording.asking import asked, remarks
from grader.delivery.wording.blank_tree import BlankTree, blank_tree
from grader.delivery.wording.rules import rules
from grader.languages.words import words_of
from grader.marking.grader import Grader
from grader.questions.answer_key import KeyedQuestion
from grader.questions.exercise import Exercise, Question
from grader.questions.scoring import scored
from solver.drawing import PHONE, picture, svg
from solver.jobs import local_executor, map_in_order
from solver.kernel import Refusal, UsageError
from solver.languages import Language, Sentence

AROUND = 80
"""CSS pixels of a window that a system's page keeps for itself."""
MOST_BOXES = 500
"""Of one question: more would not be a form to fill in."""


@dataclass(frozen=True, slots=True)
class Carried:
    question: Question
    text: str
    boxes: tuple[Box, ...]
    provisional: str | None
    """Why the marks are the key's only."""


@dataclass(frozen=True, slots=True)
class PhonePicture:
    content: bytes
    below: int
    """CSS pixels: for windows of at most this width."""


@dataclass(frozen=True, slots=True)
class Form:
    exercise: Exercise
    words: Language
    rules: tuple[str, ...]
    """The keys of the convention that decide an answer, in words."""
    questions: tuple[Carried, ...]
    left_out: tuple[Remark, ...]

    @property
    def title(self) -> str:
        """With the variant's code."""
        title, code = self.exercise.title, self.exercise.id
        return f"{self.words.own(title)} ({code})" if title else code

    @property
    def provisional(self) -> tuple[Remark, ...]:
        marked = ((each.question.id, each.provisional) for each in self.questions)
        return tuple(Remark(self.exercise.id, name, reason) for name, reason in marked if reason is not None)

    def chosen(self, faithful_only: bool) -> list[Carried]:
        """All questions, or those that the target marks as plymark does."""
        return [each for each in self.questions if not (faithful_only and each.provisional)]

    def picture(self) -> bytes:
        """The blank tree as SVG, in light colours: the page around it is not ours."""
        content: bytes = svg(picture(self.tree.board), "light").encode()
        return content

    def phone_picture(self) -> PhonePicture | None:
        """The same for small screens; None where the other is small enough."""
        made = self.tree.board
        narrow = picture(made, PHONE)
        if not narrow.narrow:
            return None
        return PhonePicture(svg(narrow, "light").encode(), ceil(picture(made).width) + AROUND)

    @property
    def tree(self) -> BlankTree:
        return blank_tree(self.exercise, self.words)


def all_forms(exercises: Sequence[Exercise], options: ExportOptions, system: System = IN_MOODLE) -> list[Form]:
    """Of each exercise, on as many processes as the options say: this is what takes long in an export."""
    forming = _Forming(replace(options, heard=None), system)
    forms: list[Form] = []
    executor = local_executor(len(exercises), 1, options.jobs)
    with closing(map_in_order(forming, exercises, executor, _lost)) as results:
        for exercise, form_of_it in zip(exercises, results, strict=True):
            # The exercise itself, not the copy that came back with its form.
            forms.append(replace(form_of_it, exercise=exercise))
            if options.heard is not None:
                options.heard()
    return forms


@dataclass(frozen=True, slots=True)
class _Forming:
    options: ExportOptions
    system: System

    def __call__(self, exercise: Exercise) -> Form:
        return form(exercise, self.options, self.system)


def _lost(exercise: Exercise, _why: str) -> Form:
    raise UsageError(f"the process that worked on {exercise.id} died; is there enough memory?")


def form(exercise: Exercise, options: ExportOptions, system: System = IN_MOODLE) -> Form:
    """Where the system has plymark mark for it, nothing is provisional."""
    words = words_of(options.language or exercise.language)
    grader = Grader(exercise)
    known = Known(grader.declared, words)
    carried: list[Carried] = []
    left_out: list[Remark] = []
    for keyed in grader.declared.questions:
        question, made = keyed.question, Boxes(keyed, known, system)
        reason = _why_not_carried(made)
        if reason is not None:
            left_out.append(Remark(exercise.id, question.id, reason))
            continue
        boxes = made.made()
        if system.marks_itself and any(box.kind == TEXT and box.worth and not box.accepted for box in boxes):
            left_out.append(Remark(exercise.id, question.id, "no way to write the key fits into a box"))
            continue
        provisional = _why_provisional(made, boxes, grader, system) if system.marks_itself else None
        carried.append(Carried(question, _text(keyed, boxes, words), boxes, provisional))
    return Form(exercise, words, tuple(map(words.tell, rules(exercise))), tuple(carried), tuple(left_out))


def _why_provisional(made: Boxes, boxes: Sequence[Box], grader: Grader, system: System) -> str | None:
    if made.claiming_costs(boxes):
        return "what is written at a node that is never visited costs marks"
    return why_provisional(made.question.question, boxes, grader, system)


def _text(question: KeyedQuestion, boxes: Sequence[Box], words: Language) -> str:
    """As the exercise words it, or as such a question is usually worded; and how an answer is to be given."""
    text = asked(question)
    if isinstance(text, Sentence) and boxes[0].names:
        text = Sentence(f"ask.{question.question.ask}.line", None, text.facts)
    told = text if isinstance(text, str) else words.tell(text)
    return " ".join([told, *map(words.tell, remarks(question))])


def _why_not_carried(made: Boxes) -> str | None:
    if len(made.fields) > MOST_BOXES:
        return f"{len(made.fields):,} boxes are too many for a form"
    if not made.key and not made.ask.may_be_nothing:
        return "there is nothing to fill in"
    texts = {field.item: made.printed(field.item) if field.item in made.key else "" for field in made.fields}
    if "" in texts:
        texts[""] = made.printed("")
    try:
        found = made.marked(texts)
    except Refusal as refusal:
        return refusal.message
    marks = scored(made.question.rubric, made.question.marks, found)
    full = made.question.rubric.cap or made.question.marks
    return None if marks == full else "its answer does not fit into boxes"
