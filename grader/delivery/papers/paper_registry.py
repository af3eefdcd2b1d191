"""Papers by kind and by format: the one way from exercises to files.

Many PDFs are set at the same time, on several processes. They come in order, and only a few are under way.
"""

from __future__ import annotations

import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from itertools import islice
from multiprocessing import active_children, get_context

from grader.delivery.papers.exam_sheets import (
    SheetExtras,
    key_sheet,
    paper_of,
    solution_sheet,
    student_sheet,
    student_sheets,
)
from grader.delivery.papers.handout import Handout, StudentExercises, answer_form, exam_form
from grader.delivery.papers.html_paper import html_paper
from grader.delivery.papers.latex_paper import latex_paper
from grader.delivery.papers.paper_content import Header, Paper, PaperFile, PaperSheet
from grader.delivery.papers.teacher_tables import SheetPlace, compact_key, index_sheets
from grader.delivery.papers.typst_paper import Manuscript, Manuscripts, TypesetFile, typeset
from grader.documents.exam import Exam
from grader.documents.exam_file import exam_of
from grader.languages import words_of
from grader.people.roster import Student
from grader.people.variant_allocation import Allocation
from grader.questions.exercise import Exercise
from solver.kernel import UsageError
from solver.languages import Language

FILES_A_PROCESS = 5
"""Typst remembers what it has set, about 90 MB a file: a process ends before that is felt."""


def typeset_all(manuscripts: Iterable[Manuscript], workers: int) -> Iterator[TypesetFile]:
    """Without workers, in this process, which then grows with the number of files."""
    if not workers:
        yield from map(typeset, manuscripts)
        return
    others = set(active_children())
    # Started afresh: what Typst leaves behind in a process does not survive a fork.
    with ProcessPoolExecutor(
        workers,
        get_context("spawn"),
        initializer=_leave_stopping_to_the_parent,
        max_tasks_per_child=FILES_A_PROCESS,
    ) as pool:
        waiting: deque[Future[TypesetFile]] = deque()
        try:
            for manuscript in manuscripts:
                waiting.append(pool.submit(typeset, manuscript))
                if len(waiting) > workers:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        except BrokenProcessPool:
            raise UsageError("a process that made a PDF died; is there enough memory? Try --jobs 1") from None
        except BaseException:
            # Stopped: nobody waits for what is under way.
            pool.shutdown(wait=False, cancel_futures=True)
            for process in set(active_children()) - others:
                process.terminate()
            raise


def _leave_stopping_to_the_parent() -> None:
    """Ctrl-C reaches every process of a terminal; here it would only print where it struck."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


Write = Callable[[Paper], bytes]
FORMATS: dict[str, tuple[str, Write | None]] = {
    "pdf": (".pdf", None),
    "latex": (".tex", latex_paper),
    "html": (".html", html_paper),
}
"""By name, the ending of a file and what writes it; PDFs are written by Typst, several at a time."""
KINDS = ("sheet", "key", "solution", "booklet")
SIZES = ("a4", "letter")
STUDENTS_A_FILE = 100
"""Of a booklet: a stack that a printer takes, and memory and time that do not grow with the class."""
STUDENTS_AN_INDEX = 1_000
"""That one file of the index lists: Typst sets a table of 10,000 lines in 1.2 GB."""


@dataclass(frozen=True, slots=True)
class Printing:
    """How a paper is to be printed."""

    language: str | None = None
    """Without it, the first exercise's own."""
    to: str = "pdf"
    header: Header = field(default_factory=Header)
    together: bool = False
    """Whether several exercises are the parts of one exam; otherwise they are variants."""
    size: str = "a4"
    duplex: bool = False
    """Whether no two sheets share a leaf that is printed on both sides."""
    compact: bool = False
    """Whether the key is a table of all variants and their answers."""
    answer_form: bool = False
    """Whether boxes are named, and a sheet to type the answers into is written beside the paper."""
    qr: bool = False
    jobs: int = 0
    """Processes for a booklet of several files; without any, it is made in this one."""


def paper(
    exercises: Sequence[Exercise] | Exam,
    kind: str = "sheet",
    language: str | None = None,
    to: str = "pdf",
    roster: Sequence[str | Student] | None = None,
    *,
    secret: str | bytes = "",
    record: Sequence[Allocation] = (),
    **printing: object,
) -> Mapping[str, bytes]:
    """The files of a paper by name; `printing` is what `Printing` has beside language and format.

    Several exercises are variants, each on a sheet of its own, or, if `together`, the parts of one exam, which may also
    be given itself. A booklet has a sheet for every student of the roster, an index for the teacher, and the keys
    apart. Without a language, the first exercise's own is spoken. `record`: who was dealt which variant before.
    """
    how = Printing(language, to, **printing)  # type: ignore[arg-type]
    return {each.name: each.content for each in paper_files(exercises, kind, how, roster, secret, record)}


def paper_files(
    exercises: Sequence[Exercise] | Exam,
    kind: str,
    printing: Printing,
    roster: Sequence[str | Student] | None = None,
    secret: str | bytes = "",
    record: Sequence[Allocation] = (),
) -> Iterator[PaperFile]:
    """One after another, so that a class of any size takes the memory of a few files."""
    _check(list(exercises), kind, bool(roster), printing)
    if printing.together and not isinstance(exercises, Exam):
        exercises = exam_of(exercises)
    handout = Handout(exercises)
    press_room = _PaperMaker(handout, printing)
    if kind != "booklet":
        return press_room.of_each(kind)
    students = [Student(each) if isinstance(each, str) else each for each in roster or ()]
    return press_room.booklet(handout.deal(students, secret, record))


def file_names(kind: str, students: int, to: str) -> list[str]:
    """Of the sheets that are handed out."""
    return _numbered(kind, students if kind == "booklet" else 0, STUDENTS_A_FILE, to)


def index_names(students: int, to: str) -> list[str]:
    """Of the files that say who has which sheet of a booklet."""
    return _numbered("index", students, STUDENTS_AN_INDEX, to)


def _numbered(name: str, students: int, students_a_file: int, to: str) -> list[str]:
    """A file's name, or several with numbers if there are more students than one file has."""
    ending = FORMATS[to][0]
    if students <= students_a_file:
        return [f"{name}{ending}"]
    files = -(-students // students_a_file)
    digits = max(3, len(str(files)))
    return [f"{name}-{number:0{digits}}{ending}" for number in range(1, files + 1)]


class _PaperMaker:
    def __init__(self, handout: Handout, printing: Printing) -> None:
        self.handout, self.printing = handout, printing
        self.words: Language = words_of(printing.language or handout.language)
        title = None if handout.exam is None else handout.exam.title
        self.header = replace(printing.header, title=printing.header.title or title or "")
        self.ending, self._write = FORMATS[printing.to]
        self.extras = SheetExtras(printing.answer_form, printing.qr, handout.part_names)
        self._manuscripts = Manuscripts()
        """Of what students get; what teachers get is set by itself."""

    def of_each(self, kind: str) -> Iterator[PaperFile]:
        """A sheet, a key or a solution of every exercise, or of an exam."""
        words, header, handout = self.words, self.header, self.handout
        if kind == "key" and self.printing.compact:
            yield self._file(kind, [compact_key(handout.exercises, words, header, handout.parts)])
            return
        match kind:
            case "sheet":
                sheets = [student_sheet(group, words, header, self.extras) for group in handout.sheets]
            case "key":
                sheets = [key_sheet(group.exercises, words, header, group.part) for group in handout.keys]
            case _:
                sheets = [solution_sheet(group.exercises, words, header, group.part) for group in handout.keys]
        yield self._file(kind, sheets)
        if kind == "sheet" and self.printing.answer_form:
            yield self._answers([(Student(""), group) for group in handout.sheets])

    def booklet(self, given: Sequence[StudentExercises]) -> Iterator[PaperFile]:
        words, header = self.words, self.header
        sheets = student_sheets(given, words, header, self.extras)
        names = file_names("booklet", len(given), self.printing.to)
        places: list[SheetPlace | str] = []
        for name, (count, made) in zip(names, self._batches(sheets, len(names)), strict=True):
            if made.sheets:
                places += [SheetPlace(name, first, last) for first, last in made.sheets]
            else:
                places += [name] * count
            yield PaperFile(name, made.content, count, made.pages)
        dealt = [(student, self.handout.told(group)) for student, group in given]
        indices = index_sheets(self.handout.exercises, words, header, dealt, places, STUDENTS_AN_INDEX)
        named = index_names(len(given), self.printing.to)
        for name, made in zip(named, self._made(map(self._alone, indices), len(named)), strict=True):
            yield PaperFile(name, made.content, pages=made.pages)
        yield from self.of_each("key")
        if self.printing.answer_form:
            yield self._answers(given)

    def _answers(self, given: Sequence[StudentExercises]) -> PaperFile:
        if self.handout.exam is not None:
            return PaperFile("answers.csv", exam_form(given, self.handout.exam))
        return PaperFile("answers.csv", answer_form((student, group[0]) for student, group in given))

    def _batches(self, sheets: Iterator[PaperSheet], files: int) -> Iterator[tuple[int, TypesetFile]]:
        """What is in each file, with the number of its sheets."""
        counts: list[int] = []

        def papers() -> Iterator[Paper]:
            while batch := list(islice(sheets, STUDENTS_A_FILE)):
                counts.append(len(batch))
                yield self._paper(batch)

        for number, each in enumerate(self._made(papers(), files, self._manuscripts)):
            yield counts[number], each

    def _made(self, papers: Iterator[Paper], files: int, shared: Manuscripts | None = None) -> Iterator[TypesetFile]:
        """So many files, on several processes; `shared` has what papers have in common."""
        if self._write is not None:
            return (TypesetFile(self._write(each)) for each in papers)
        workers = min(files, self.printing.jobs) if files > 1 else 0
        return typeset_all(((shared or Manuscripts()).written(each) for each in papers), workers)

    def _alone(self, sheet: PaperSheet) -> Paper:
        return self._paper([sheet])

    def _paper(self, sheets: Sequence[PaperSheet]) -> Paper:
        return paper_of(sheets, self.words, self.printing.size, self.printing.duplex)

    def _file(self, name: str, sheets: Sequence[PaperSheet]) -> PaperFile:
        made = self._paper(sheets)
        if self._write is not None:
            return PaperFile(f"{name}{self.ending}", self._write(made))
        found = typeset(Manuscripts().written(made))
        return PaperFile(f"{name}{self.ending}", found.content, pages=found.pages)


def _check(exercises: Sequence[Exercise], kind: str, roster: bool, printing: Printing) -> None:
    if not exercises:
        raise UsageError("a paper needs an exercise")
    twice = next((each for each, count in Counter(each.id for each in exercises).items() if count > 1), None)
    if twice is not None:
        raise UsageError(f"two exercises have the id {twice!r}, and a variant is identified by its id")
    if kind not in KINDS:
        raise UsageError(f"unknown kind of paper {kind!r}; choose one of {', '.join(KINDS)}")
    if printing.to not in FORMATS:
        raise UsageError(f"unknown format {printing.to!r}; choose one of {', '.join(FORMATS)}")
    if printing.size not in SIZES:
        raise UsageError(f"unknown page size {printing.size!r}; choose one of {', '.join(SIZES)}")
    if (kind == "booklet") != roster:
        raise UsageError("--roster is required for booklets and not allowed otherwise")
    if printing.compact and kind not in ("key", "booklet"):
        raise UsageError("--compact is for keys: a table of all variants and their answers")
    if printing.answer_form and kind not in ("sheet", "booklet"):
        raise UsageError("--answer-form is for what students fill in: sheets and booklets")
    if printing.qr and kind not in ("sheet", "booklet"):
        raise UsageError("--qr is for what students hand in: sheets and booklets")
