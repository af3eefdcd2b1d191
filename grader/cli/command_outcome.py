"""What a command says about its documents: results to stdout, problems and progress to stderr, and an exit code.

Problems come with what to do about them, where only the command line knows. How far a long command is is a bar on a
terminal, lines elsewhere.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from types import TracebackType

import typer

from solver.jobs import Result, named_source
from solver.kernel import WHOLE_FILE, Problem, nearest

WIDTH = 20
CLEAR = "\r\x1b[K"
MANY = 50
"""With fewer, nobody waits long enough to be told."""

REDRAWN, TOLD = 0.1, 10.0
"""Seconds between two looks of the bar, and between two lines where there is no terminal."""


class Meter:
    """How many are done, how fast, and for how long it will go on."""

    def __init__(self, total: int | None, what: str, quiet: bool = False, bar: bool = True, many: int = MANY) -> None:
        """`total`: None where nobody knows before the end. `bar`: whether there may be one on a terminal; not where
        other things are printed there meanwhile. `many`: fewer where each takes long."""
        self.done = 0
        self._total, self._what, self._quiet = total, what, quiet
        self._shows = sys.stderr.isatty()
        self._silent = quiet or (total is not None and total < many) or (self._shows and not bar)
        self._begun = self._told = monotonic()
        self._drawn = False

    def __enter__(self) -> Meter:
        return self

    def __exit__(self, _kind: type[BaseException] | None, _error: object, _where: TracebackType | None) -> None:
        self.clear()

    def at(self, done: int) -> None:
        """So many are done, of which nothing else is told."""
        self.done, now = done, monotonic()
        if self._silent or now - self._told < (REDRAWN if self._shows else TOLD):
            return
        self._told = now
        if self._shows:
            self._draw()
        else:
            sys.stderr.write(f"{self._told_far()}\n")
            sys.stderr.flush()

    def say(self, line: str, more: int = 0) -> None:
        """A line about what has just been made, by which so many more are done."""
        if self._quiet:
            return
        self.clear()
        self.done += more
        far = self._told_far() if more and not self._silent else ""
        sys.stderr.write(f"{line}; {far}\n" if far and not self._shows else f"{line}\n")
        if far and self._shows and (self._total is None or self.done < self._total):
            self._draw()
        sys.stderr.flush()

    @property
    def far(self) -> str:
        return f"{self.done:,} {'' if self._total is None else f'of {self._total:,} '}{self._what}"

    def clear(self) -> None:
        """Before anything else is printed."""
        if self._drawn:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
            self._drawn = False

    def _draw(self) -> None:
        full = 0 if self._total is None else WIDTH * self.done // self._total
        bar = "" if self._total is None else f"{'█' * full}{'░' * (WIDTH - full)} "
        sys.stderr.write(f"{CLEAR}{bar}{self._told_far()}")
        sys.stderr.flush()
        self._drawn = True

    def _told_far(self) -> str:
        seconds = monotonic() - self._begun
        pace = self.done / seconds if seconds > 0 else 0.0
        said = f"{self.far}, {pace:,.{0 if pace >= 10 else 1}f} a second"
        if self._total is None or self.done == self._total or not pace:
            return said
        return f"{said}, {time_left(self._total - self.done, 1 / pace)}"


def time_left(items: int, each: float) -> str:
    """In words, how long it will take if each takes so many seconds."""
    seconds = items * each
    return f"about {seconds:.0f} s left" if seconds < 100 else f"about {seconds / 60:,.0f} min left"


_TAKEN_BY = {
    "game/1": "a game is for solve, analyse, draw and explain; an exercise asks questions about one",
    "solution/1": "a solution is what solve prints; give it the game",
    "exercise/1": "an exercise is for grade, regrade, paper and export",
    "exam/1": "an exam is for grade, regrade, paper and export",
    "answer/1": "an answer is for grade and regrade, after its exercise",
    "recipe/1": "a recipe is for generate, which writes exercises",
    "report/1": "a report is what grade prints; give it the exercise and the answers",
}
_FOREIGN = {
    ".csv": "a .csv file is for grade (answers) or for --roster; documents are .yaml or .json",
    ".xlsx": "save the sheet as .csv first",
    ".ods": "save the sheet as .csv first",
    ".html": "download the responses as .csv instead",
    ".md": "documents are .yaml or .json",
    ".txt": "documents are .yaml or .json",
    ".pdf": "documents are .yaml or .json",
    ".docx": "documents are .yaml or .json",
    ".efg": "plymark import reads .efg files, and writes games",
}
_NO_DOCUMENT = ("not YAML", "not JSON", "a Plymark document", "the document does not say", "byte 0x")
"""How problems begin that a file of another kind leads to."""


def hint_of(file: str, problem: Problem) -> str:
    """The problem's own hint, or one by the file's name."""
    if problem.code == "no-file":
        return problem.hint or _elsewhere(file)
    ending = os.path.splitext(file)[1].lower()
    # A sheet that is not in UTF-8 is still a sheet.
    if problem.message.startswith(_NO_DOCUMENT[: -1 if ending == ".csv" else None]) and ending in _FOREIGN:
        return _FOREIGN[ending]
    if problem.code == "efg" and ending in (".yaml", ".yml", ".json"):
        return "import is for games of other programs; a document of ours needs none"
    other = re.match(r"this is (\w+/1), not", problem.message) if problem.code == "kind" else None
    return problem.hint or (_TAKEN_BY.get(other[1], "") if other else "")


def _elsewhere(file: str) -> str:
    if os.path.isdir(file):
        return "this is a folder; name a file in it"
    meant = meant_path(file)
    if meant is not None:
        return f"did you mean {meant}?"
    folder = os.path.dirname(file)
    return f"the folder {folder} does not exist" if folder and not os.path.exists(folder) else ""


def meant_path(file: str) -> str | None:
    """A path that is there and differs from this one by slips of the pen, if this one is not."""
    if "\0" in file or os.path.lexists(file):
        return None
    drive, path = os.path.splitdrive(file)
    existing = drive + os.sep if os.path.isabs(file) else ""
    for part in path.replace("\\", "/").split("/"):
        if not part:
            continue
        meant = part if os.path.exists(os.path.join(existing, part)) else _entry(existing, part)
        if meant is None:
            return None
        existing = os.path.join(existing, meant)
    return existing


def _entry(folder: str, name: str) -> str | None:
    """What is nearest to a name in a folder, if possible with the same ending: endings are no likeness."""
    try:
        entries = sorted(entry for entry in os.listdir(folder or ".") if not entry.startswith("."))
    except OSError:
        return None
    stem, ending = os.path.splitext(name)
    for among in ([entry for entry in entries if entry.endswith(ending)], entries):
        stems = {os.path.splitext(entry)[0]: entry for entry in reversed(among)}
        if (meant := nearest(stem, stems)) is not None:
            return stems[meant]
    return None


LONG = 5.0
"""Seconds from which on the slowest document is named."""
MOST_CODES = 5
MOST_ALIKE = 20
"""Documents in which the same problem is told; further ones are counted."""
STOPPED = 130

NOTHING_THERE = Problem(WHOLE_FILE, "no-file", "there is no document for this command in this folder")

Report = Callable[[Result], None]


class CommandOutcome:
    def __init__(
        self, done_word: str, total: int = 1, quiet: bool = False, report: Report | None = None, bar: bool = True
    ) -> None:
        """`report`: what tells the problems of a document, if not in words on stderr. `bar`: whether there may be one
        on a terminal."""
        self.done_word, self.total, self.quiet = done_word, total, quiet
        self.told = ProblemsTold()
        self.report = report or self.told.tell
        self.meter = Meter(total, done_word, quiet, bar)
        self.done = self.kept = self.skipped = 0
        self.codes: Counter[str] = Counter()
        """Of documents that failed, by the code of their first problem."""
        self.slowest: tuple[float, str] = (0.0, "")

    @property
    def failed(self) -> int:
        return self.codes.total()

    @property
    def seen(self) -> int:
        return self.done + self.kept + self.skipped + self.failed

    def take(self, result: Result, write: Callable[[Result], None] | None = None) -> None:
        """Pass on what became of one document; without `write` its output goes to stdout."""
        if result.skipped:
            self.skipped += 1
        elif result.problems:
            self.codes[result.problems[0].code] += 1
            self.meter.clear()
            # What was printed before belongs before, also where both streams end in one place.
            sys.stdout.buffer.flush()
            self.report(result)
        elif result.kept:
            self.kept += 1
        else:
            self.done += 1
            if write is not None:
                write(result)
            else:
                sys.stdout.buffer.write(result.output)
        if result.seconds > self.slowest[0]:
            self.slowest = (result.seconds, result.source.name)
        self.meter.at(self.seen)

    def finish(self, several: bool, paths: Sequence[str] = ()) -> int:
        """Sum up, and give the exit code; folders in which nothing was found are named."""
        sys.stdout.buffer.flush()
        if not self.done and not self.kept and not self.failed:
            for path in paths:
                self.report(Result(named_source(path), problems=[NOTHING_THERE], total=1))
        self.told.sum_up()
        if several and not self.quiet:
            slow = f"; the slowest, {self.slowest[1]}, took {self.slowest[0]:.1f} s" if self.slowest[0] >= LONG else ""
            print(self.counted() + slow, file=sys.stderr)
        return 1 if self.failed or not (self.done or self.kept) else 0

    def stopped(self, again: bool) -> int:
        """After Ctrl-C: how far it came. `again`: whether a run again goes on from there."""
        sys.stdout.buffer.flush()
        advice = "; run the same command again to go on" if again else ""
        self.told.sum_up()
        print(f"plymark: stopped: {self.counted()}, {self.total - self.seen:,} left{advice}", file=sys.stderr)
        return STOPPED

    def counted(self) -> str:
        parts = [f"{self.done:,} {self.done_word}"]
        parts += [f"{self.kept:,} up to date"] if self.kept else []
        parts += [f"{self.failed:,} failed{self._codes()}"] if self.failed else []
        parts += [f"{self.skipped:,} skipped (of another kind)"] if self.skipped else []
        return ", ".join(parts)

    def _codes(self) -> str:
        named = [f"{number:,} {code}" for code, number in sorted(self.codes.items(), key=lambda each: -each[1])]
        if len(named) > MOST_CODES:
            named[MOST_CODES:] = ["…"]
        return f" ({', '.join(named)})" if self.failed > 1 else ""


@contextmanager
def stoppable(far: Callable[[], str]) -> Iterator[None]:
    """After Ctrl-C, say how far it came."""
    try:
        yield
    except KeyboardInterrupt:
        sys.stdout.buffer.flush()
        print(f"plymark: stopped: {far()}", file=sys.stderr)
        raise typer.Exit(STOPPED) from None


class ProblemsTold:
    """Problems in words on stderr. What many documents have is told of the first ones, then counted."""

    def __init__(self) -> None:
        self._documents: Counter[tuple[str, str]] = Counter()
        self._further: dict[tuple[str, str], tuple[str, str]] = {}
        """The first and the last of those that are only counted."""

    def tell(self, result: Result) -> None:
        told = [each for each in result.problems if self._documents[each.code, each.message] < MOST_ALIKE]
        name = _printable(result.source.name)
        for alike in dict.fromkeys((each.code, each.message) for each in result.problems):
            self._documents[alike] += 1
            if self._documents[alike] > MOST_ALIKE:
                first, _ = self._further.get(alike, (name, name))
                self._further[alike] = (first, name)
        if told:
            report_problems(result, told)

    def sum_up(self) -> None:
        for (code, message), (first, last) in self._further.items():
            more = self._documents[code, message] - MOST_ALIKE
            where = f"1 more document, {first}" if more == 1 else f"{more:,} more documents, {first} to {last}"
            print(f"{message} [{code}]: {where}", file=sys.stderr)


def _printable(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)


def report_problems(result: Result, told: Sequence[Problem] | None = None) -> None:
    """All problems of a document, or those that are `told`."""
    name = _printable(result.source.name)
    lines: list[str] = []
    for problem in result.problems if told is None else told:
        lines.append(f"{name}:{problem}")
        if hint := hint_of(result.source.path or name, problem):
            lines.append(f"    hint: {hint}")
    if result.total > len(result.problems):
        more = result.total - len(result.problems)
        lines.append(f"{name}: … and {more:,} more problem{'' if more == 1 else 's'}")
    sys.stderr.write("\n".join(lines) + "\n")
