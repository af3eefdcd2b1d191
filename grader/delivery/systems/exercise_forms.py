"""An exercise as a learning system shows it: text in the student's language, a blank picture, questions with boxes.

A system that compares each box with the key cannot always give the marks that plymark gives: here is why. The parts of
a page that every system shows alike are introduction, convention, question and boxes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from math import ceil

from grader.delivery.exercise_wording import BlankTree, blank_tree, question_remarks, question_wording, rules
from grader.delivery.systems.answer_boxes import CHOICE, TEXT, TICKS, Box, Boxes, ForeseenMistakes
from grader.delivery.systems.exporter import IN_MOODLE, ExportOptions, Remark, System
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Ask
from grader.questions.exercise import ITEMS, Exercise, Question
from grader.questions.presentation import SKIPPED_LEAVES, VISITS
from grader.questions.registry import ask_of
from grader.questions.scoring import scored
from solver.drawing import PHONE, picture, svg
from solver.game import ROOT
from solver.jobs import local_executor, map_in_order
from solver.kernel import Refusal, UsageError
from solver.languages import Language, Sentence

TICKS_OF = {
    SKIPPED_LEAVES: "stops are marked here, and single ticks there",
    VISITS: "what is ticked too much may cost less here",
}
PASSED = " → "
"""Between the windows that a node went through."""


def why_provisional(question: Question, boxes: Sequence[Box], grader: Grader, system: System) -> str | None:
    """None if the marks will be plymark's own, as far as the accepted spellings go."""
    ask, exercise, rubric = ask_of(question), grader.exercise, question.rubric
    items = len(ask.keyed(grader.declared.of(question)))
    form = _by_its_form(ask, boxes, items, system)
    if form is not None:
        return form
    if items > 1 and rubric.scheme != ITEMS and boxes[0].kind != TICKS:
        return f"the rubric counts {rubric.scheme}"
    if rubric.floor or rubric.cap is not None:
        return "the rubric has a floor or a cap"
    follows = type(ask).follows is not Ask.follows or type(ask).mark is not Ask.mark
    stated = ask.follows_itself or any(_states(ask_of(each)) for each in exercise.questions)
    if exercise.marking.follow_through and follows and stated:
        return "no follow-through"
    if question.digits is not None and any(box.kind == TEXT and box.worth for box in boxes):
        return "numbers with more digits are right too"
    shown = ask.shown(grader.declared.of(question))
    if any(ask.shown(answer_key.of(question)) != shown for _, answer_key in grader.answer_keys[1:]):
        return "another convention may count"
    return None


def _by_its_form(ask: Ask, boxes: Sequence[Box], items: int, system: System) -> str | None:
    """What one box cannot tell, or cannot take."""
    first = boxes[0]
    if len(boxes) == 1 and first.kind == TICKS:
        return TICKS_OF.get(ask.selects)
    if first.kind == CHOICE and len(boxes) == 1 and first.shares:
        return None if system.part_choices or not first.in_parts else "parts of a line earn parts of the marks"
    if ask.open_ended or (ask.open_as_text and first.kind == TEXT) or any(PASSED in box.key for box in boxes):
        return "there are more right answers, or ways to write one, than can be listed"
    if len(boxes) == 1 and (items != 1 or ask.is_list):
        return "parts of a list earn parts of the marks"
    return None


def _states(ask: Ask) -> bool:
    """Whether other answers may follow from an answer to it."""
    return type(ask).stated is not Ask.stated


AROUND = 80
"""CSS pixels of a window that a system's page keeps for itself."""
MOST_BOXES = 500
"""Of one question: more would not be a form to fill in."""


@dataclass(frozen=True, slots=True)
class CarriedQuestion:
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
    questions: tuple[CarriedQuestion, ...]
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

    def chosen(self, faithful_only: bool) -> list[CarriedQuestion]:
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
    forming = _FormTask(replace(options, heard=None), system)
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
class _FormTask:
    options: ExportOptions
    system: System

    def __call__(self, exercise: Exercise) -> Form:
        return exercise_form(exercise, self.options, self.system)


def _lost(exercise: Exercise, _why: str) -> Form:
    raise UsageError(f"the process that worked on {exercise.id} died; is there enough memory?")


def exercise_form(exercise: Exercise, options: ExportOptions, system: System = IN_MOODLE) -> Form:
    """Where the system has plymark mark for it, nothing is provisional."""
    words = words_of(options.language or exercise.language)
    grader = Grader(exercise)
    known = ForeseenMistakes(grader.declared, words)
    carried: list[CarriedQuestion] = []
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
        carried.append(CarriedQuestion(question, _text(keyed, boxes, words), boxes, provisional))
    return Form(exercise, words, tuple(map(words.tell, rules(exercise))), tuple(carried), tuple(left_out))


def _why_provisional(made: Boxes, boxes: Sequence[Box], grader: Grader, system: System) -> str | None:
    if made.claiming_costs(boxes):
        return "what is written at a node that is never visited costs marks"
    return why_provisional(made.question.question, boxes, grader, system)


def _text(question: KeyedQuestion, boxes: Sequence[Box], words: Language) -> str:
    """As the exercise words it, or as such a question is usually worded; and how an answer is to be given."""
    text = question_wording(question)
    if isinstance(text, Sentence) and boxes[0].names:
        text = Sentence(f"ask.{question.question.ask}.line", None, text.facts)
    told = text if isinstance(text, str) else words.tell(text)
    return " ".join([told, *map(words.tell, question_remarks(question))])


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


Escape = Callable[[str], str]
_START = "text-align:start"
"""A page whose own language runs the other way would align everything to its side."""
MOST_SPOKEN = 100
"""Nodes that a description may have."""
_APART = "white-space:nowrap;margin-inline-end:1.5em"


def introduction(of: Form, picture: str, html: Escape, narrow: str | None = None) -> Iterator[str]:
    """The text, the tree, and what the marks go by; `picture` is the address of the tree, `narrow` that of the
    tree for small screens: a system that keeps no choice in its pages leaves the first."""
    yield f'<div dir="{of.words.direction}" lang="{of.words.code}" style="{_START}">'
    if of.exercise.text:
        # The author's, whatever its language.
        yield f'<p dir="auto" style="{_START}">{html(of.words.own(of.exercise.text))}</p>'
    image = f'<img src="{picture}" alt="{html(_alternative(of))}" style="max-width:100%">'
    if narrow is not None and (phone := of.phone_picture()) is not None:
        source = f'<source media="(max-width: {phone.below}px)" srcset="{narrow}">'
        image = f"<picture>{source}{image}</picture>"
    yield f'<p dir="ltr">{image}</p>'
    if caption := of.tree.caption:
        yield f"<p><small>{html(caption)}</small></p>"
    if of.rules:
        yield f"<p>{html(' '.join(of.rules))}</p>"
    yield f"<p><small>({html(of.exercise.id)})</small></p></div>\n"


def question_title(of: Form, each: CarriedQuestion, html: Escape) -> str:
    marks = of.words.number(each.question.marks)
    head = f'<p dir="{of.words.direction}" lang="{of.words.code}" style="{_START}">'
    return f"{head}<strong>{html(each.text)}</strong> ({html(marks)})</p>\n"


def labelled(of: Form, each: CarriedQuestion, boxes: Sequence[str], html: Escape) -> str:
    """The boxes with what is beside each, left to right in every language: most items are names and numbers."""
    labels = (f"{html(item_label(of, each, box.item))}: " if box.item else "" for box in each.boxes)
    cells = (f'<span style="{_APART}">{label}{made}</span>' for label, made in zip(labels, boxes, strict=True))
    return f'<p dir="ltr">{" ".join(cells)}</p>\n'


def item_label(of: Form, each: CarriedQuestion, item: str) -> str:
    """What an item is called in the language of the form."""
    return of.words.show(ask_of(each.question).called(item))


def _alternative(of: Form) -> str:
    """For those who do not see the tree: all of it in words; of a large one, how many leaves it has."""
    tree = of.exercise.game.tree
    title = of.exercise.game.title or of.exercise.title or of.exercise.id
    if len(tree) > MOST_SPOKEN:
        return f"{of.words.own(title)} ({len(tree.leaves)} □)"
    said = {item.node: item.spoken for item in of.tree.board.items}
    for node in reversed(tree.nodes):
        if tree.children[node]:
            said[node] += f" ({'; '.join(said[child] for child in tree.children[node])})"
    return f"{of.words.own(title)}: {said[ROOT]}"
