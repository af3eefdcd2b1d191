"""What a task is given: documents as JSON that keeps the spelling of numbers, options by the command line's names, and
exercises and answers that were stored; and how it refuses what is wrong with them.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from grader.documents.answer_file import Answer
from grader.documents.exam import Exam, Variants, variants_of
from grader.documents.exam_file import EXAM, load_exam_bytes
from grader.documents.exercise_file import load_exercise_bytes
from grader.kernel.option_values import known_convention
from grader.marking.from_data import answer_from
from grader.marking.grader import Grader
from grader.service.workers.work_problems import Refused
from solver.documents import read_raw
from solver.game import Convention
from solver.kernel import (
    DEFAULT_LIMITS,
    DocumentError,
    LruCache,
    Problem,
    ProblemLog,
    Refusal,
    UsageError,
    clipped,
    one_of,
)
from solver.languages import LANGUAGES
from solver.pipeline import convention_from_text
from solver.search import ALGORITHMS, Sampling

WRONG = 422


@contextmanager
def refusing(extra: Mapping[str, Any] | None = None, places: bool = True) -> Iterator[None]:
    """`extra` is added to each problem; `places` says whether lines and columns mean anything to whoever reads them."""
    try:
        yield
    except DocumentError as error:
        raise refused(error.problems, error.total, extra, places) from None
    except Refusal as refusal:
        problem = {"code": refusal.code, "message": clipped(refusal.message), "hint": clipped(refusal.hint)}
        raise Refused(WRONG, refusal.code, clipped(refusal.message), [{**(extra or {}), **problem}]) from None
    except UsageError as error:
        raise wrong_option(str(error)) from None


def refused(
    problems: Sequence[Problem], total: int, extra: Mapping[str, Any] | None = None, places: bool = True
) -> Refused:
    first, more = problems[0], total - 1
    detail = clipped(first.message) + (f", and {more:,} more problem{'' if more == 1 else 's'}" if more else "")
    return Refused(WRONG, first.code, detail, [_problem(each, extra or {}, places) for each in problems], total)


def wrong_option(words: str) -> Refused:
    """An option, or a field beside the documents, that is wrong."""
    return Refused(WRONG, "option", clipped(words))


def _problem(problem: Problem, extra: Mapping[str, Any], places: bool) -> dict[str, Any]:
    where = {"line": problem.place.line, "column": problem.place.column} if places else {}
    said = {"code": problem.code, "message": clipped(problem.message), "hint": clipped(problem.hint)}
    return {**extra, **where, **said}


class Spelling(str):
    """A number as it is spelt."""

    __slots__ = ()


def read_body(raw: bytes, known: Iterable[str]) -> dict[str, Any]:
    """The members of a JSON object, every number in it spelt as it was; Refused if it is none, UsageError for a member
    that is not known."""
    try:
        data = json.loads(
            raw.decode("utf-8-sig") or "{}",
            parse_float=Spelling,
            parse_int=Spelling,
            parse_constant=_constant,
            object_pairs_hook=_mapping,
        )
    except (ValueError, RecursionError):
        raise _not_json(raw) from None
    if not isinstance(data, dict):
        raise Refused(WRONG, "wrong-type", "the body must be a JSON object")
    for name in data:
        one_of("field", name, sorted(known))
    return data


def document_bytes(written: Any) -> tuple[bytes, bool]:
    """A document that is an object or text, and whether it was text: only then do lines and columns mean anything."""
    if isinstance(written, str) and not isinstance(written, Spelling):
        return written.encode("utf-8", "surrogatepass"), True
    if not isinstance(written, Mapping):
        raise UsageError("a document is an object or text")
    return json.dumps(written, ensure_ascii=False).encode("utf-8", "surrogatepass"), False


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) < len(pairs):
        raise ValueError("a key is written twice")
    return members


def _constant(word: str) -> Any:
    raise ValueError(word)


def _not_json(raw: bytes) -> Refused:
    """With the words of the reader of documents, which knows the place."""
    problems = ProblemLog(DEFAULT_LIMITS.problems)
    read_raw(raw, "body.json", DEFAULT_LIMITS, problems, careful=True)
    # What is empty is for the documents inside to judge.
    found = sorted(problem for problem in problems.kept if problem.code != "null")
    if found:
        return refused(found, len(found))
    return Refused(WRONG, "syntax", "the body is not JSON")


SEARCH = ("algorithm", "convention", "depth", "steps", "seed")
Default = TypeVar("Default", int, None)
WHOLE = re.compile("[0-9]{1,18}")


class RequestOptions:
    def __init__(self, given: Mapping[str, str], known: Iterable[str]) -> None:
        names = sorted(known)
        for name in given:
            one_of("option", name, names)
        self._given = given

    def text(self, name: str) -> str | None:
        return self._given.get(name)

    def one_of(self, name: str, among: Iterable[str], default: str) -> str:
        return one_of(name, self._given.get(name, default), among)

    def whole(self, name: str, default: Default, least: int = 0, most: int | None = None) -> int | Default:
        written = self._given.get(name)
        if written is None:
            return default
        number = int(written) if WHOLE.fullmatch(written) else None
        if number is None or number < least or (most is not None and number > most):
            bounds = f"from {least} up" if most is None else f"from {least} to {most}"
            raise UsageError(f"{name} is a whole number {bounds}, not {written[:40]!r}")
        return number

    def flag(self, name: str) -> bool:
        """`?blank` and `?blank=true` say yes."""
        written = self._given.get(name, "false")
        return one_of(name, written.lower() or "true", ["true", "false", "1", "0"]) in ("true", "1")

    def algorithm(self) -> str:
        return self.one_of("algorithm", ["auto", *ALGORITHMS], "auto")

    def convention(self) -> Convention:
        return convention_from_text(known_convention(self._given.get("convention", "aima3")))

    def language(self) -> str:
        return self.one_of("language", LANGUAGES, "en")

    def depth(self) -> int | None:
        return self.whole("depth", None)

    def sampling(self) -> Sampling:
        return Sampling(self.whole("steps", None, least=1), self.whole("seed", 0), self.whole("digits", 4, most=100))


MOST_GRADERS, MOST_EXAMS = 64, 8
NOBODY = "-"
"""In place of the student, of whom marking knows nothing."""


class _Known(NamedTuple):
    grader: Grader
    part: str
    """The number of the exam's part that it is; empty for an exercise by itself."""


_GRADERS: LruCache[bytes, _Known] = LruCache(MOST_GRADERS)
_EXAMS: LruCache[bytes, Exam] = LruCache(MOST_EXAMS)
_STARTS_EXAM = b'{"plymark":"%s",' % EXAM.encode()
"""How a variant is kept that belongs to an exam."""


def grader_of(variant_raw: bytes) -> Grader:
    """For an exercise that was checked when it was taken in."""
    return _known(variant_raw).grader


def part_of(variant_raw: bytes) -> str:
    """The number of the exam's part that a variant belongs to; empty for one of an exercise."""
    return _known(variant_raw).part


def exam_of(exam_raw: bytes) -> Exam:
    """An exam as it was uploaded, with all its variants."""
    return _EXAMS.get(hashlib.sha256(exam_raw).digest(), lambda: load_exam_bytes(exam_raw))


def handed_out_of(raws: Sequence[bytes] | bytes) -> Variants | Exam:
    """All variants of an exercise; or an exam, of its one document."""
    if isinstance(raws, bytes):
        return exam_of(raws)
    if not raws:
        raise UsageError("there is no exercise to sum up")
    return variants_of([grader_of(raw).exercise for raw in raws])


def _known(variant_raw: bytes) -> _Known:
    return _GRADERS.get(hashlib.sha256(variant_raw).digest(), lambda: _read(variant_raw))


def _read(variant_raw: bytes) -> _Known:
    if not variant_raw.startswith(_STARTS_EXAM):
        return _Known(Grader(load_exercise_bytes(variant_raw)), "")
    exam = load_exam_bytes(variant_raw)
    return _Known(Grader(next(iter(exam))), exam.id)


def answer_to(variant_raw: bytes, body: bytes, language: str | None) -> Answer:
    """The answer to a variant in `{answers}`: of an exam, what stands below the variant's id; DocumentError for what no
    document may hold."""
    known, answers = _known(variant_raw), answers_in(body)
    name = known.grader.exercise.id
    if known.part:
        own = {unicodedata.normalize("NFC", each): written for each, written in answers.items()}.get(name)
        answers = own if isinstance(own, dict) else {}
    return _answer(name, answers, language)


def answer_of(body: bytes, exercise: str, language: str | None) -> Answer:
    """The whole answer in `{answers}`, as answer/1 has it; DocumentError for what no document may hold."""
    return _answer(exercise, answers_in(body), language)


def answers_in(body: bytes) -> dict[str, Any]:
    answers = read_body(body, ("answers",)).get("answers")
    if answers is not None and not isinstance(answers, dict):
        raise Refused(WRONG, "wrong-type", '"answers" must be a mapping from questions')
    return answers or {}


def _answer(exercise: str, answers: dict[str, Any], language: str | None) -> Answer:
    document = {"plymark": "answer/1", "exercise": exercise, "student": NOBODY, "answers": answers}
    # As text: of data, numbers would have to be spelt again.
    found = answer_from(json.dumps(document, ensure_ascii=False).encode("utf-8", "surrogatepass"))
    return replace(found, language=language)
