"""Papers by kind and by format: the one way from exercises to files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grader.delivery.papers.content import Header, Paper
from grader.delivery.papers.html_paper import html_paper
from grader.delivery.papers.latex_paper import latex_paper
from grader.delivery.papers.sheet import index_sheet, key_sheet, paper_of, solution_sheet, student_sheet, student_sheets
from grader.delivery.papers.typst_paper import pdf_paper, pdf_with_pages
from grader.documents.variants import set_name
from grader.languages.words import words_of
from grader.people.dealing import NO_SECRET, Dealt, deal, student_key, variants_by_student
from grader.people.roster import Student
from grader.questions.exercise import Exercise
from solver.kernel import UsageError

Write = Callable[[Paper], bytes]
FORMATS: dict[str, tuple[str, Write]] = {
    "pdf": (".pdf", pdf_paper),
    "latex": (".tex", latex_paper),
    "html": (".html", html_paper),
}
"""By name, the ending of a file and what writes it."""
OF_EACH = {"sheet": student_sheet, "key": key_sheet, "solution": solution_sheet}
"""What is made of each exercise, or of all together."""
KINDS = (*OF_EACH, "booklet")
SIZES = ("a4", "letter")


def paper(
    exercises: Sequence[Exercise],
    kind: str = "sheet",
    language: str | None = None,
    to: str = "pdf",
    roster: Sequence[str | Student] | None = None,
    *,
    header: Header | None = None,
    together: bool = False,
    secret: str | bytes = "",
    size: str = "a4",
    duplex: bool = False,
    record: Sequence[Dealt] = (),
) -> Mapping[str, bytes]:
    """The files of a paper by name.

    Several exercises are variants, each on a sheet of its own, or, if `together`, the parts of one exam. A booklet has
    a sheet for every student of the roster, an index for the teacher, and the keys apart. Without a language, the
    first exercise's own is spoken. `record`: who was dealt which variant before. `duplex`: no two sheets share a leaf
    that is printed on both sides.
    """
    _check(exercises, kind, to, bool(roster), together, size)
    words, top = words_of(language or exercises[0].language), header or Header()
    groups = [list(exercises)] if together else [[each] for each in exercises]
    ending, write = FORMATS[to]
    if kind in OF_EACH:
        sheets = [OF_EACH[kind](group, words, top) for group in groups]
        return {f"{kind}{ending}": write(paper_of(sheets, words, size, duplex))}
    students = [Student(each) if isinstance(each, str) else each for each in roster or ()]
    dealt = _dealt(exercises, students, secret, record)
    own = paper_of(list(student_sheets(exercises, words, top, dealt)), words, size, duplex)
    # Only Typst tells how many pages it made of a sheet.
    booklet, pages = pdf_with_pages(own) if to == "pdf" else (write(own), None)
    index = index_sheet(exercises, words, top, dealt, pages)
    keys = [key_sheet(group, words, top) for group in groups]
    return {
        f"booklet{ending}": booklet,
        f"index{ending}": write(paper_of([index], words, size)),
        f"key{ending}": write(paper_of(keys, words, size, duplex)),
    }


def _dealt(
    exercises: Sequence[Exercise], students: Sequence[Student], secret: str | bytes, record: Sequence[Dealt]
) -> list[tuple[Student, str]]:
    ids = [each.id for each in exercises]
    theirs = variants_by_student(deal(students, ids, secret or NO_SECRET, set_name(ids), record))
    return [(student, theirs[student_key(student.id or student.name)]) for student in students]


def _check(exercises: Sequence[Exercise], kind: str, to: str, roster: bool, together: bool, size: str) -> None:
    if not exercises:
        raise UsageError("a paper needs an exercise")
    ids = [each.id for each in exercises]
    if twice := next((each for each in ids if ids.count(each) > 1), None):
        raise UsageError(f"two exercises have the id {twice!r}, and a variant is identified by its id")
    if kind not in KINDS:
        raise UsageError(f"unknown kind of paper {kind!r}; choose one of {', '.join(KINDS)}")
    if to not in FORMATS:
        raise UsageError(f"unknown format {to!r}; choose one of {', '.join(FORMATS)}")
    if size not in SIZES:
        raise UsageError(f"unknown page size {size!r}; choose one of {', '.join(SIZES)}")
    if (kind == "booklet") != roster:
        raise UsageError("--roster is required for booklets and not allowed otherwise")
    if kind == "booklet" and together:
        raise UsageError("a booklet gives every student one of the exercises, so they cannot be parts of one exam")
