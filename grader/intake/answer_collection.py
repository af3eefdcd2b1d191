"""Answers from wherever they come: files, folders, JSON Lines, sheets, learning systems and standard input.

They come in input order, one at a time. A broken one spoils only itself. All that grows with their number, and only if
it is asked for, is a short note of who has answered how often, and a temporary file of what was read meanwhile.
"""

from __future__ import annotations

import json
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import chain
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, BinaryIO, Protocol

from grader.documents.answer_file import ANSWER, Answer, load_answer_bytes
from grader.documents.exam import Exam, Variants
from grader.intake.answer_sheets import AnswerSheet, CollectionNote
from grader.intake.system_responses import is_export, kind_of, read_responses, read_submissions
from grader.kernel.csv_sheets import CsvRows, RowError
from grader.marking.duplicates import Attempts
from grader.marking.run import Broken
from grader.people.roster import Roster
from grader.people.variant_ownership import ExamOwnership, VariantOwnership
from solver.jobs import Source, carries, expand_paths, read_source
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, Place, Problem

MOST_NOTES, NOW_AND_THEN = 1_000, 100
UTF_16, SAVE_AS = "the text is UTF-16, not UTF-8", "save the file as UTF-8"
LINES, SHEET = (".jsonl", ".ndjson"), (".csv", ".tsv")
OTHER_SHEETS = (".xlsx", ".xls", ".ods", ".html", ".htm")
AS_CSV = (
    "answers are not read from such a file",
    "download the responses as CSV, or open it in a spreadsheet and save it as CSV",
)


def collect(
    paths: Sequence[str],
    handed_out: Variants | Exam,
    limits: Limits = DEFAULT_LIMITS,
    roster: Roster | None = None,
    whose: VariantOwnership | ExamOwnership | None = None,
) -> Collection:
    """The answers that the paths mean, to be gone through once; UsageError for paths that make no sense. `roster` says
    who is meant by what a learning system calls its students, `whose` which variant was whose."""
    return Collection(paths, handed_out, limits, roster, whose or VariantOwnership(()))


class Lines(Protocol):
    """What is read line by line."""

    def readline(self, most: int, /) -> bytes: ...


class Collection:
    """Gives answers and broken ones; what it has noticed so far is in its fields."""

    def __init__(
        self,
        paths: Sequence[str],
        handed_out: Variants | Exam,
        limits: Limits,
        roster: Roster | None,
        whose: VariantOwnership | ExamOwnership,
    ) -> None:
        self.handed_out, self.limits, self.roster, self.whose = handed_out, limits, roster, whose
        self.exported = [Path(path) for path in paths if is_export(Path(path))]
        """Folders that Gradescope wrote."""
        self.sources = expand_paths([path for path in paths if Path(path) not in self.exported], lines=False)
        self.skipped = 0
        """Files of folders that are not answers."""
        self.notes: list[CollectionNote] = []
        """What was passed over in sheets, and who answers somebody else's variant."""
        self._kept: IO[bytes] | None = None
        """What was read already, where it is gone through once more."""

    @property
    def several(self) -> bool:
        """Whether more than one answer may come, however many do."""
        first = self.sources[0] if len(self.sources) == 1 and not self.exported else None
        return first is None or first.in_folder or first.name.lower().endswith((*LINES, *SHEET))

    def __iter__(self) -> Iterator[Answer | Broken]:
        return self._read() if self._kept is None else _kept_in(self._kept)

    def attempts(self, on_count: Callable[[int], None] | None = None) -> Attempts:
        """Who answers how often: everything is gone through before. What that finds is kept in a file, as reading it
        takes much longer than writing it down. `seen` is told how many were read, now and then."""
        self._kept = TemporaryFile()  # noqa: SIM115 (until `close`)
        return Attempts(self._keeping(self._kept, on_count))

    def close(self) -> None:
        if self._kept is not None:
            self._kept.close()

    def _keeping(self, file: IO[bytes], on_count: Callable[[int], None] | None) -> Iterator[Answer | Broken]:
        for number, each in enumerate(self._read(), 1):
            pickle.dump(each, file, pickle.HIGHEST_PROTOCOL)
            yield each
            if on_count is not None and not number % NOW_AND_THEN:
                on_count(number)

    def _read(self) -> Iterator[Answer | Broken]:
        found = chain.from_iterable(map(self._of, self.sources))
        exported = (read_submissions(folder, self.roster, self.limits) for folder in self.exported)
        for each in chain(found, chain.from_iterable(exported)):
            checked = self._checked(each)
            if isinstance(checked, Answer):
                self._notice(checked)
            yield checked

    def _of(self, source: Source) -> Iterator[Answer | Broken]:
        name = source.name.lower()
        if source.is_stdin:
            yield from self._stdin(sys.stdin.buffer)
        elif name.endswith(OTHER_SHEETS) and not source.in_folder:
            yield Broken(source.name, (Problem(Place(1, 1), "syntax", *AS_CSV),))
        elif name.endswith((*LINES, *SHEET)) and not source.in_folder:
            try:
                with open(source.path or source.name, "rb") as file:
                    yield from (
                        self._lines(file, source.name) if name.endswith(LINES) else self._sheet(file, source.name)
                    )
            except (OSError, ValueError) as error:
                reason = error.strerror if isinstance(error, OSError) and error.strerror else error
                yield Broken(source.name, (Problem(Place(1, 1), "no-file", f"cannot be read: {reason}"),))
        else:
            yield from self._file(source)

    def _file(self, source: Source) -> Iterator[Answer | Broken]:
        try:
            raw = read_source(source, self.limits)
        except DocumentError as error:
            yield Broken(source.name, tuple(error.problems), error.total)
            return
        if source.in_folder and not carries(raw, ANSWER):
            self.skipped += 1
            return
        yield self._document(raw, source.name)

    def _document(self, raw: bytes, name: str) -> Answer | Broken:
        try:
            return load_answer_bytes(raw, name, self.limits)
        except DocumentError as error:
            return Broken(name, tuple(error.problems), error.total)
        except (MemoryError, RecursionError):
            return Broken(name, (Problem(Place(1, 1), "crash", "this machine ran out of memory"),))

    def _stdin(self, stream: BinaryIO) -> Iterator[Answer | Broken]:
        """JSON Lines if one of the first two lines is a whole JSON mapping; else one document."""
        most = max(self.limits.yaml_bytes, self.limits.json_bytes) + 1
        first = [line for line in (stream.readline(most), stream.readline(most)) if line]
        if any(isinstance(_top_level(line), dict) for line in first):
            yield from self._lines(_JoinedLines(first, stream), "<stdin>")
        else:
            yield self._document(b"".join(first) + stream.read(most), "<stdin>")

    def _lines(self, file: Lines, name: str) -> Iterator[Answer | Broken]:
        """An answer a line; without a header, a line answers this exercise."""
        most, number = self.limits.json_bytes, 0
        while line := file.readline(most + 1):
            number += 1
            if number == 1:
                if line.startswith((b"\xff\xfe", b"\xfe\xff")):
                    yield Broken(name, (Problem(Place(1, 1), "encoding", UTF_16, SAVE_AS),))
                    return
                line = line.removeprefix(b"\xef\xbb\xbf")
            if len(line) > most:
                yield Broken(name, (Problem(Place(number, 1), "too-large", f"a line of more than {most:,} bytes"),))
                while line and not line.endswith(b"\n"):
                    line = file.readline(most + 1)
            elif line.strip():
                yield self._line(line, name, number)

    def _line(self, line: bytes, name: str, number: int) -> Answer | Broken:
        header = self._header(line)
        start = line.find(b"{") + 1
        found = self._document(line[:start] + header + line[start:], f"{name}.json")
        shift = len(header.decode())

        def place(was: Place) -> Place:
            return Place(number, was.column if was.column <= start + shift else was.column - shift)

        if isinstance(found, Answer):
            return replace(found, source=name, place=place(found.place))
        problems = (replace(problem, place=place(problem.place)) for problem in found.problems)
        return Broken(name, tuple(problems), found.total)

    def _header(self, line: bytes) -> bytes:
        """What a line leaves out: what it is, and which exercise it answers."""
        data = _top_level(line)
        if not isinstance(data, dict) or "plymark" in data:
            return b""
        name = self.handed_out.answered_as
        missing = {"plymark": ANSWER} if name is None else {"plymark": ANSWER, "exercise": name}
        pairs = [f"{json.dumps(key)}: {json.dumps(text)}" for key, text in missing.items() if key not in data]
        return (", ".join(pairs) + (", " if data and pairs else "")).encode()

    def _sheet(self, file: Lines, name: str) -> Iterator[Answer | Broken]:
        # A line is never taken whole if it is longer than a document may be.
        rows = CsvRows(iter(lambda: file.readline(self.limits.yaml_bytes + 1), b""), self.limits.yaml_bytes)
        try:
            _, header = rows.header() or (0, [])
        except RowError as error:
            yield Broken(name, (error.problem,))
            return
        if kind_of(header) is not None:
            # A learning system's own sheet of responses.
            exam = self.handed_out if isinstance(self.handed_out, Exam) else None
            yield from read_responses(rows, name, list(self.handed_out), self.roster, exam)
            return
        theirs = self.whose.variants if isinstance(self.whose, ExamOwnership) else None
        sheet = AnswerSheet(rows, name, self.handed_out, self.limits, theirs)
        yield from sheet.answers()
        self.notes += sheet.notes

    def _checked(self, each: Answer | Broken) -> Answer | Broken:
        if isinstance(each, Broken):
            return each
        try:
            self._answered(each)
        except DocumentError as error:
            return Broken(each.source, tuple(error.problems), error.total, each.student)
        return each

    def _answered(self, answer: Answer) -> dict[str, str]:
        """By part, the exercise that is answered; DocumentError for what cannot be marked."""
        if isinstance(self.handed_out, Exam):
            return self.handed_out.answered(answer)
        return {"": self.handed_out.of(answer).id}

    def _notice(self, answer: Answer) -> None:
        """Who answers somebody else's variant, or is nobody that was given one."""
        if not self.whose.tells or len(self.notes) >= MOST_NOTES:
            return
        here, who = (answer.source, answer.place.line), answer.student[:60]
        if isinstance(self.whose, ExamOwnership):
            given = self.whose.variants(answer.student)
        else:
            own = self.whose.variant(answer.student)
            given = {} if own is None else {"": own}
        if not given:
            self.notes.append(CollectionNote(*here, f"{who} is not in the list of students"))
            return
        for part, answered in self._answered(answer).items():
            if (theirs := given.get(part, answered)) != answered:
                self.notes.append(CollectionNote(*here, f"{who} answers {answered}, but was given {theirs}"))


def _kept_in(file: IO[bytes]) -> Iterator[Answer | Broken]:
    file.seek(0)
    with suppress(EOFError):
        while True:
            yield pickle.load(file)


class _JoinedLines:
    """Lines that were read already, and then the rest of their stream."""

    def __init__(self, first: list[bytes], rest: BinaryIO) -> None:
        self.first, self.rest = first, rest

    def readline(self, most: int = -1) -> bytes:
        return self.first.pop(0) if self.first else self.rest.readline(most)


def _top_level(line: bytes) -> object:
    """A line as JSON, to see its shape only; None if it is none."""
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None
