"""Questions are added to an exercise by choosing what to ask: a change of its text like those of a tree."""

from __future__ import annotations

from collections.abc import Callable

from grader.delivery import exercise_wording
from grader.documents.exercise_file import load_exercise_bytes
from grader.questions.answer_key import AnswerKey
from grader.questions.registry import ASKS
from grader.service.tasks.document_commands import check
from grader.service.tasks.document_text import Edit, Span, edited, indented, line_end, spans, spelt_scalar
from grader.service.tasks.task_input import refusing
from grader.service.workers.task_results import message
from grader.service.workers.work_problems import Refused
from solver.kernel import UsageError, parse_number
from solver.languages import Language

HEADER, QUESTIONS, MARKS = "plymark", "questions", "marks"


@message
class QuestionOffer:
    """A type of question: whether it can be asked of a tree as it stands, and in words."""

    ask: str
    fits: bool
    text: str | None


def add_question(text: str, ask: str, marks: str) -> str:
    """The text with one more question; a game becomes an exercise with the game inside."""
    with refusing():
        if ask not in ASKS:
            raise UsageError(f"there is no question of the type {ask[:40]!r}")
        require_marks(marks)
        return _with_question(text, ask, marks)


def edit_question(text: str, op: str, place: int, to: str = "") -> str:
    """The text in which a question is moved, left out, or worth something else; `op` is one of CHANGES."""
    with refusing():
        asked = spans(text).get(QUESTIONS)
        if asked is None or asked.kind != "list" or not 0 <= place < len(asked.items):
            raise UsageError("there is no such question any more")
        if op not in CHANGES:
            raise UsageError(f"there is no change called {op[:40]!r}; there are {', '.join(CHANGES)}")
        return edited(text, CHANGES[op](asked, place, to.strip()))


def _removed(asked: Span, place: int, _to: str) -> list[Edit]:
    if len(asked.items) == 1:
        raise UsageError("an exercise has at least one question")
    return asked.without(asked.items[place])


def _moved_by(step: int) -> Callable[[Span, int, str], list[Edit]]:
    def moved(asked: Span, place: int, _to: str) -> list[Edit]:
        if not 0 <= place + step < len(asked.items):
            raise UsageError("there is no question on that side")
        return asked.swapped(min(place, place + step))

    return moved


def _worth(asked: Span, place: int, to: str) -> list[Edit]:
    require_marks(to)
    question = asked.items[place]
    if question.kind != "mapping":
        raise UsageError("a question is a mapping")
    marks = question.get(MARKS)
    return [question.with_last(f"{MARKS}: {spelt_scalar(to)}") if marks is None else marks.becomes(spelt_scalar(to))]


def require_marks(marks: str) -> None:
    worth = parse_number(marks)
    if worth is None or worth <= 0:
        raise UsageError(f"marks are a number above 0, such as 2 or 0.5, not {marks[:40]!r}")


CHANGES: dict[str, Callable[[Span, int, str], list[Edit]]] = {
    "remove": _removed,
    "earlier": _moved_by(-1),
    "later": _moved_by(1),
    "marks": _worth,
}


def fitting_questions(text: str, words: Language) -> list[QuestionOffer]:
    """Every type there is."""
    worded = {ask: _said(text, ask, words) for ask in ASKS}
    return [QuestionOffer(ask, said is not None, said) for ask, said in worded.items()]


def _said(text: str, ask: str, words: Language) -> str | None:
    """What a question of this type would ask; None if this tree cannot be asked it."""
    try:
        with refusing():
            raw = _with_question(text, ask, "1").encode("utf-8", "surrogatepass")
            check(raw)
            said = exercise_wording.question_wording(AnswerKey(load_exercise_bytes(raw)).questions[-1])
    except Refused:
        return None
    return said if isinstance(said, str) else words.tell(said)


def _with_question(text: str, ask: str, marks: str) -> str:
    document = spans(text)
    if document.kind != "mapping" or document.flow:
        raise UsageError("questions are added to documents that are written in lines, as YAML")
    header, asked = document.get(HEADER), document.get(QUESTIONS)
    if header is not None and header.text == "game/1":
        text, asked = _as_exercise(text, header), None
    taken = {own.text for item in asked.items if (own := item.get("id"))} if asked is not None else set()
    name = next(name for name in (ask, *(f"{ask}-{n}" for n in range(2, len(taken) + 2))) if name not in taken)
    question = f"{{id: {name}, ask: {ask}, marks: {spelt_scalar(marks)}}}"
    if asked is None:
        return f"{text.rstrip()}\n{QUESTIONS}:\n  - {question}\n"
    if asked.kind != "list":
        raise UsageError(f"{QUESTIONS} is a list")
    return edited(text, [asked.with_last(question)])


def _as_exercise(text: str, header: Span) -> str:
    """A game's text as that of an exercise with the game inside."""
    end = line_end(text, header.end)
    first = edited(text[:end], [header.becomes("exercise/1")])
    inside = indented(text[end:].strip("\n"), 2)
    return f"{first}\nid: exercise\ngame:\n{inside}\n"
