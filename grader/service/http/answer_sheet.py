"""The answer sheet of an exercise: its questions with a box for every field, from and to answers as the API
takes them.

A form is the only truth: what the script of the page adds, it writes into the form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import orjson
from sqlalchemy import Connection

from grader.service import tasks
from grader.service.base.service_problems import ServiceProblem
from grader.service.http.answer_bodies import read_answers
from grader.service.http.body_limits import ANSWER
from grader.service.http.page_calls import PageCall
from grader.service.http.page_texts import Texts
from grader.service.workers.lanes import MARKING

NONE_WORDS = {"en": "none", "pt": "nenhuma", "es": "ninguna", "fa": "هیچ‌کدام"}
"""By language, what is written for "nothing"; all of them are read."""
PREFIX = "page.sheet.script."
FSI, PDI = "\u2068", "\u2069"


def script_texts(texts: Texts) -> dict[str, list[str]]:
    """By key the plural forms of a sentence, mostly one, with the names of its facts in braces."""
    return {
        key.removeprefix(PREFIX): [_template(form, texts.direction == "rtl") for form in forms]
        for catalogue in texts.catalogues
        for key, forms in catalogue.forms.items()
        if key.startswith(PREFIX)
    }


def _template(pieces: tuple[tuple[str, str | None], ...], apart: bool) -> str:
    """Facts are kept apart from a text of the other direction."""
    before, after = (FSI, PDI) if apart else ("", "")
    return "".join(text if name is None else f"{text}{before}{{{name}}}{after}" for text, name in pieces)


PAIRED = ("window", "windows", "vector")
INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
"""What no document may hold, and what comes along when somebody copies a name from a page in another direction."""
TOLD_OF_NODES = ("id", "parent", "move", "turn")
"""What a script needs to know of a node; what it is worth stands in the picture."""


@dataclass(frozen=True, slots=True)
class SheetField:
    """One box."""

    name: str
    """As the box is called in the form."""
    question: str
    ask: str
    item: str
    """Empty if the question has no more than one box."""
    kind: str
    label: str
    choices: tuple[str, ...] = ()
    text: str = ""
    read: str = ""
    """How the text was understood."""
    problem: str = ""
    """Why it was not."""
    part: str = ""
    """Of an exam: the exercise that asks."""

    @property
    def bare(self) -> str:
        """Its name without that of the part."""
        return self.name.removeprefix(f"{self.part}.") if self.part else self.name

    @property
    def blank(self) -> bool:
        return not seen(self.text)

    @property
    def path(self) -> tuple[str, ...]:
        """Where its answer stands in a document of answers."""
        above = (self.part, self.question) if self.part else (self.question,)
        if not self.item:
            return above
        nested = self.bare != f"{self.question}.{self.item}"
        return (*above, *(self.item.split(" ") if nested else [self.item]))


@dataclass(frozen=True, slots=True)
class SheetQuestion:
    id: str
    ask: str
    text: str
    marks: str
    problem: str
    """What is the matter with its answer as a whole."""
    fields: tuple[SheetField, ...]

    @property
    def name(self) -> str:
        """As what is said of it as a whole is called."""
        part = self.fields[0].part if self.fields else ""
        return f"{part}.{self.id}" if part else self.id


@dataclass(frozen=True, slots=True)
class Sheet:
    """What the template `sheet.html` shows: an exercise, or a part of an exam."""

    questions: tuple[SheetQuestion, ...]
    svg: str
    nodes: tuple[Mapping[str, Any], ...]
    language: str
    """Of the exercise, which may be another than that of the page."""
    texts: Texts
    exercise: tasks.ExercisePrompt
    """As it is posed."""
    number: int = 0
    """Of an exam's part, from 1."""

    @property
    def heading(self) -> str:
        """Of an exam's part."""
        title = self.exercise.title or self.exercise.id
        return self.texts("page.sheet.part", number=self.number, title=title) if self.number else ""

    @property
    def fields(self) -> list[SheetField]:
        return [field for question in self.questions for field in question.fields]

    @property
    def blanks(self) -> list[SheetField]:
        return [field for field in self.fields if field.blank]

    @property
    def unreadable(self) -> list[SheetField]:
        return [field for field in self.fields if field.problem]

    @property
    def none(self) -> str:
        """What is written for "nothing"."""
        return NONE_WORDS.get(self.language, NONE_WORDS["en"])

    @property
    def script(self) -> dict[str, Any]:
        """What the script says and knows."""
        words = [*NONE_WORDS.values()]
        return {"texts": script_texts(self.texts), "nodes": list(self.nodes), "none": self.none, "noneWords": words}


def sheet_of(posed: tasks.PosedExercise, texts: Texts, answers: Mapping[str, Any] | None = None) -> Sheet:
    """Of an exercise as it is posed, with the answers that were given so far."""
    exercise, tree = posed.exercise, posed.tree
    fields = fields_of(posed)
    written = texts_of_answers(fields, answers or {})
    questions = [
        SheetQuestion(
            each.id,
            each.ask,
            each.text,
            _marks(each.marks, texts),
            "",
            tuple(replace(field, text=written[field.name]) for field in fields if field.question == each.id),
        )
        for each in exercise.questions
    ]
    nodes = tuple({name: getattr(node, name) for name in TOLD_OF_NODES} for node in tree.nodes)
    return Sheet(tuple(questions), tree.svg, nodes, exercise.language, texts, exercise)


@dataclass(frozen=True, slots=True)
class WholeSheet:
    """All that is to be answered: one sheet, or one for each part of an exam."""

    parts: tuple[Sheet, ...]

    @property
    def questions(self) -> list[SheetQuestion]:
        return [question for part in self.parts for question in part.questions]

    @property
    def fields(self) -> list[SheetField]:
        return [field for part in self.parts for field in part.fields]

    @property
    def blanks(self) -> list[SheetField]:
        return [field for part in self.parts for field in part.blanks]

    @property
    def unreadable(self) -> list[SheetField]:
        return [field for part in self.parts for field in part.unreadable]

    @property
    def language(self) -> str:
        return self.parts[0].language


def whole_sheet(posed: Sequence[tasks.PosedExercise], texts: Texts, answers: Mapping[str, Any]) -> WholeSheet:
    """Of what is posed, an exercise or each part of an exam, with the answers that were given so far."""
    sheets = [sheet_of(each, texts, answers) for each in posed]
    in_exam = any(field.part for each in posed for field in each.fields)
    return WholeSheet(tuple(replace(each, number=at) if in_exam else each for at, each in enumerate(sheets, 1)))


def all_with_reading(sheet: WholeSheet, reading: tasks.AnswerReading) -> WholeSheet:
    return WholeSheet(tuple(with_reading(each, reading) for each in sheet.parts))


def with_reading(sheet: Sheet, reading: tasks.AnswerReading) -> Sheet:
    """With what the API's `read` says of the answers."""
    readings, blank = reading.fields, tasks.FieldReading()
    questions = [
        replace(
            question,
            problem=readings.get(question.name, blank).problem or "" if len(question.fields) > 1 else "",
            fields=tuple(_with_reading(field, readings.get(field.name, blank)) for field in question.fields),
        )
        for question in sheet.questions
    ]
    return replace(sheet, questions=tuple(questions))


def fields_of(posed: tasks.PosedExercise) -> list[SheetField]:
    asks = {each.id: each.ask for each in posed.exercise.questions}
    return [
        SheetField(
            each.name,
            each.question,
            asks[each.question],
            each.item or "",
            each.kind,
            each.label or "",
            each.choices or (),
            part=each.part,
        )
        for each in posed.fields
    ]


def answers_of(fields: Iterable[SheetField], written: Mapping[str, str]) -> dict[str, Any]:
    """The document of answers that a form holds; what was left blank is not in it."""
    answers: dict[str, Any] = {}
    for field in fields:
        text = seen(written.get(field.name, ""))
        if text:
            *above, last = field.path
            place = answers
            for name in above:
                place = place.setdefault(name, {})
            place[last] = text
    return answers


def seen(text: str) -> str:
    """What a person sees of a text."""
    return INVISIBLE.sub("", text).strip()


def texts_of_answers(fields: Iterable[SheetField], answers: Mapping[str, Any]) -> dict[str, str]:
    """What stands in the boxes, by name, when a document of answers is shown; also one that no form has made."""
    return {field.name: _written(field, _found(answers, field.path)) for field in fields}


def saved_answers(raw: bytes) -> dict[str, Any]:
    """A stored draft, with its numbers as they were spelt."""
    read: dict[str, Any] = json.loads(raw, parse_int=str, parse_float=str)
    return read


def _with_reading(field: SheetField, reading: tasks.FieldReading) -> SheetField:
    return replace(field, read=reading.text, problem=reading.problem or "")


def _marks(marks: object, texts: Texts) -> str:
    return texts("page.sheet.marks", 1 if str(marks) == "1" else 2, marks=texts.digits(str(marks)))


def _found(answers: Any, path: Sequence[str]) -> Any:
    for name in path:
        if not isinstance(answers, Mapping):
            return None
        answers = answers.get(name)
    return answers


def _written(field: SheetField, answer: Any) -> str:
    """As a student would write it; the whole of it, whatever its shape."""
    if answer is None:
        return ""
    if isinstance(answer, Mapping):
        lists = any(isinstance(each, list) for each in answer.values())
        between, after = ("; ", ": ") if lists else (", ", " = ")
        return between.join(f"{name}{after}{_flat(each)}" for name, each in answer.items())
    if isinstance(answer, list) and (field.kind in PAIRED or any(isinstance(each, Mapping) for each in answer)):
        return _bracketed(answer, "()" if field.kind in PAIRED else "[]")
    return _flat(answer)


def _flat(answer: Any) -> str:
    return ", ".join(map(_bracketed, answer)) if isinstance(answer, list) and answer else _bracketed(answer)


def _bracketed(answer: Any, brackets: str = "[]") -> str:
    match answer:
        case dict():
            parts = [f"{name}: {_bracketed(each, brackets)}" for name, each in answer.items()]
            return f"{{{', '.join(parts)}}}"
        case list() if brackets == "()" and answer and all(isinstance(each, list) for each in answer):
            return ", ".join(_bracketed(each, brackets) for each in answer)
        case list():
            return f"{brackets[0]}{', '.join(_bracketed(each, brackets) for each in answer)}{brackets[1]}"
        case bool():
            return "true" if answer else "false"
    return "" if answer is None else str(answer)


async def pose_exercise(
    call: PageCall, sha256: str, read: Callable[[Connection], bytes], language: str
) -> tasks.PosedExercise:
    """What a document asks, with a tree to write on. Never refused for the queue's depth: a class begins at once."""

    async def pose() -> tasks.PosedExercise:
        raw = await call.service.store.read(read)
        return await call.service.workers.lane(MARKING).run(tasks.pose, raw, language, page=True)

    return await call.service.posed.get((sha256, language, "page"), pose)


def written_answers(call: PageCall, posed: Sequence[tasks.PosedExercise]) -> dict[str, Any]:
    """What the form holds. Boxes of the sheet come after the form's own fields, and win over those of the same name."""
    return answers_of((field for each in posed for field in fields_of(each)), dict(call.form.pairs))


def body_of(answers: Mapping[str, Any]) -> bytes:
    """The same bytes as a program would send; 413 and 422 as there."""
    raw = orjson.dumps({"answers": answers})
    if len(raw) > ANSWER.octets:
        raise ServiceProblem(413, "too-large", "the answers are larger than their limit")
    read_answers(raw)
    return raw
