"""exercise/1: from text to an exercise, or every problem of it at its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.documents.question_fields import DEEPEST, QuestionFields
from grader.kernel.document_fields import Fields, data_bytes
from grader.questions.answer_key import AnswerKey, KeyedQuestion
from grader.questions.ask import ONE, STOPS, Ask
from grader.questions.exercise import ITEMS, RIGHT_MINUS_WRONG, STOP_COSTS, Exercise, Policy, Question, Rubric
from grader.questions.registry import ASKS, ask_of
from solver.documents import REPORTED, Document, Marks
from solver.game import CONVENTIONS, Game, Tree
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, OwnText, ProblemLog, number_text, quoted
from solver.pipeline import build_inside, checked_as, load, read_document, read_file

EXERCISE = "exercise/1"
MOST_DIGITS = 100
MOST_ACCEPTED = 20
"""Every answer is marked under each."""


def load_exercise(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Exercise:
    """The exercise in a file; DocumentError with every problem of it otherwise."""
    return load_exercise_bytes(read_file(path, limits), str(path), limits, Path(path).parent)


def load_exercise_bytes(
    raw: bytes, name: str = "", limits: Limits = DEFAULT_LIMITS, base: Path | None = None
) -> Exercise:
    """The exercise in a file's bytes; a path to its game starts from `base`, and is refused where there is none."""
    problems = ProblemLog(limits.problems)
    document = read_document(raw, name, EXERCISE, limits, problems)
    return _built(document, name, limits, base, problems)


def load_exercise_inside(document: Document, data: dict[str, Any], limits: Limits = DEFAULT_LIMITS) -> Exercise:
    """The exercise that a part of a document describes, its problems at their places in that document."""
    problems = ProblemLog(limits.problems)
    built = _built(checked_as(Document(data, document.marks), EXERCISE, problems), "", limits, None, problems)
    return replace(built, written=data)


def load_exercise_data(
    data: Mapping[str, Any], name: str = "", limits: Limits = DEFAULT_LIMITS, base: Path | None = None
) -> Exercise:
    """The exercise that plain data describes, checked as a file is: what `json.loads` gives, or a dict written by hand.

    A number may be an int, a Fraction or a string, and a float counts as the decimal that Python prints for it. The
    places of problems are lines and columns of the data as JSON, indented by 2.
    """
    return load_exercise_bytes(data_bytes(data), name, limits, base)


def exercise_from_data(
    data: dict[str, Any], name: str = "", limits: Limits = DEFAULT_LIMITS, marks: Marks | None = None
) -> Exercise:
    """The exercise that data describes, if the data is known to conform to the schema of exercise/1.

    The data is what the reader would give: dicts, lists and strings, numbers as strings too, and the game itself. No
    text is read and no schema is asked; only what a schema cannot tell is checked, such as whether nodes exist and
    questions can be answered. `marks` says where things stand, if a problem is to have a place.

    Data that anybody may have written is for `load_exercise_data`.
    """
    return _built(Document(data, marks or {}), name, limits, None, ProblemLog(limits.problems))


def _built(document: Document | None, name: str, limits: Limits, base: Path | None, problems: ProblemLog) -> Exercise:
    exercise = None if document is None else _ExerciseBuilder(document, name, limits, base, problems).read()
    if exercise is None or problems:
        raise DocumentError(sorted(problems.kept), problems.total)
    return exercise


class _ExerciseBuilder:
    def __init__(self, document: Document, name: str, limits: Limits, base: Path | None, problems: ProblemLog) -> None:
        self.document, self.name, self.limits, self.base, self.problems = document, name, limits, base, problems
        self.data: Any = document.data
        self.fields = Fields(document, limits, problems)
        self.language = self.fields.text(self.data, "language") if isinstance(self.data, dict) else None
        self.marks: list[Fraction | None] = []
        """Of every question; None where they could not be read."""
        self.sound: list[tuple[dict[str, Any], Question]] = []
        """The questions whose fields are right, each as it was written."""

    def read(self) -> Exercise | None:
        """Everything is looked at before the first problem makes it nothing."""
        data, fields = self.data, self.fields
        game = self.game()
        convention = fields.convention(data, "convention") if "convention" in data else CONVENTIONS["aima3"]
        written = data.get("convention")
        policy = self.policy()
        questions = self.questions(None if game is None or convention is None else game.tree)
        out_of = self.out_of()
        name = fields.id(data, "id")
        if game is None or convention is None:
            return None
        if isinstance(game.title, OwnText):
            game = replace(game, title=OwnText(game.title.texts, self.language))
        exercise = Exercise(
            id=name or "",
            title=fields.own_text(data, "title", self.language),
            text=fields.own_text(data, "text", self.language),
            language=self.language or "en",
            game=game,
            convention=convention,
            printed=frozenset(written) - {"like"} if isinstance(written, dict) else frozenset(),
            questions=tuple(questions),
            marking=policy,
            out_of=out_of,
            source=self.name,
        )
        self.answerable(exercise)
        if not self.problems:
            self.accepted_fit(exercise)
        return exercise

    def game(self) -> Game | None:
        """None, too, where problems inside it would only lead to more of them elsewhere."""
        written = self.data.get("game")
        if isinstance(written, dict):
            before = self.problems.total
            game = build_inside(self.document, written, self.limits, self.problems)
            return None if self.problems.total > before or _is_blanked(written) else game
        path = self.fields.text(self.data, "game")
        if path is None:
            return None
        if self.base is None:
            self.fields.report(self.data, "game", "game", "a path is not followed here", "write the game itself")
            return None
        try:
            return load(self.base / path, self.limits)
        except DocumentError as error:
            first, more = error.problems[0], error.total - 1
            rest = f", and {more:,} more problem{'' if more == 1 else 's'}" if more else ""
            shown = "".join(sign if sign.isprintable() else "?" for sign in path)
            self.fields.report(self.data, "game", "game", f"{shown}:{first}{rest}", first.hint)
            return None

    def policy(self) -> Policy:
        written = self.data.get("marking")
        if not isinstance(written, dict):
            return Policy()
        share = self.fields.number(written, "follow_through", least=0, most=Fraction(1))
        listed = _list(written.get("accept"))
        if len(listed) > MOST_ACCEPTED:
            self.fields.report(written, "accept", "parameter", f"at most {MOST_ACCEPTED} conventions can be accepted")
            listed = []
        accepted = [self.fields.convention(listed, place) for place in range(len(listed))]
        return Policy(
            follow_through=Fraction(1) if share is None else share,
            accept=tuple(convention for convention in accepted if convention is not None),
            other_convention=self.fields.text(written, "other_convention"),
        )

    def questions(self, tree: Tree | None) -> list[Question]:
        questions: list[Question] = []
        lines: dict[str, int] = {}
        for raw in _list(self.data.get("questions")):
            if not isinstance(raw, dict):
                self.marks.append(None)
                continue
            name = self.fields.id(raw, "id")
            if name is not None and name in lines:
                message = f"question {quoted(name)} is already asked at line {lines[name]}"
                self.fields.report(raw, "id", "duplicate-question", message)
            elif name is not None:
                lines[name] = self.document.place(raw, "id").line
            question = self.question(raw, name or "", tree)
            if question is not None:
                questions.append(question)
        return questions

    def question(self, raw: dict[str, Any], name: str, tree: Tree | None) -> Question | None:
        fields, before = self.fields, self.problems.total
        ask = ASKS.get(fields.text(raw, "ask") or "")
        marks = fields.number(raw, "marks", above=0)
        self.marks.append(marks)
        if ask is None:
            return None
        own = QuestionFields(fields, tree)
        depth = fields.whole(raw, "depth", DEEPEST) if "depth" in raw else None
        parameters = own.parameters(raw, ask)
        question = Question(
            id=name,
            ask=ask.name,
            marks=marks or Fraction(1),
            text=fields.own_text(raw, "text", self.language),
            nodes=own.nodes(raw, ask, depth),
            digits=fields.whole(raw, "digits", MOST_DIGITS) if "digits" in raw else None,
            algorithm=fields.text(raw, "algorithm"),
            depth=depth,
            parameters=parameters,
            rubric=self.rubric(raw, own, ask, marks, depth, parameters),
        )
        if self.problems.total == before:
            self.sound.append((raw, question))
        return None if marks is None else question

    def answerable(self, exercise: Exercise) -> None:
        """Each question whose fields are right is one that the tree can answer."""
        answer_key = AnswerKey(exercise)
        for raw, question in self.sound:
            if reason := ask_of(question).why_not(KeyedQuestion(question, answer_key)):
                self.fields.report(raw, "ask", "unanswerable", f"{question.ask}: {reason}")

    def rubric(
        self,
        raw: dict[str, Any],
        own: QuestionFields,
        ask: Ask,
        marks: Fraction | None,
        depth: int | None,
        parameters: Mapping[str, Any],
    ) -> Rubric:
        written, fields = raw.get("rubric"), self.fields
        if not isinstance(written, dict):
            return Rubric()
        stops = {name: fields.number(written, name, least=0) for name in STOP_COSTS if name in written}
        if stops and ask.items_are != STOPS:
            message = f"only pruned has stops; this question asks {ask.name}"
            fields.report_key(written, next(iter(stops)), "rubric", message)
        scheme = fields.text(written, "scheme") or ITEMS
        if scheme == RIGHT_MINUS_WRONG and ask.items_are == ONE:
            fields.report(written, "scheme", "rubric", f"{ask.name} has a single item: it is right or wrong")
        floor = fields.number(written, "floor", least=0, most=marks)
        cap = fields.number(written, "cap", above=0, most=marks)
        if floor is not None and cap is not None and floor > cap:
            fields.report(written, "floor", "rubric", "the floor lies above the cap")
        return Rubric(
            scheme=scheme,
            each=fields.number(written, "each", above=0),
            floor=floor or Fraction(0),
            cap=cap,
            weights=own.weights(written, ask, depth, parameters),
            **{name: cost for name, cost in stops.items() if cost is not None},
        )

    def out_of(self) -> Fraction:
        """All marks together; what is claimed is checked if all of them could be read."""
        added = sum((marks or Fraction(0) for marks in self.marks), Fraction(0))
        claimed = self.fields.number(self.data, "out_of", above=0)
        if claimed is not None and self.marks and None not in self.marks and claimed != added:
            message = f"the questions' marks add up to {number_text(added)}, not {number_text(claimed)}"
            self.fields.report(self.data, "out_of", "marks-sum", message)
        return added

    def accepted_fit(self, exercise: Exercise) -> None:
        """An answer is marked under each accepted convention, so each must have a key."""
        for place, convention in enumerate(exercise.marking.accept):
            for question in AnswerKey(exercise, convention).questions:
                if reason := ask_of(question).why_not(question):
                    message = f"under this convention {question.ask} cannot be asked: {reason}"
                    self.fields.report(self.data["marking"]["accept"], place, "unanswerable", message)
                    break


def _list(written: Any) -> list[Any]:
    return written if isinstance(written, list) else []


def _is_blanked(data: Any) -> bool:
    """Whether something in it was reported, and blanked."""
    pending = [data]
    while pending:
        here = pending.pop()
        items = list(here.values()) if isinstance(here, dict) else here
        if REPORTED in items:
            return True
        pending.extend(item for item in items if isinstance(item, dict | list))
    return False
