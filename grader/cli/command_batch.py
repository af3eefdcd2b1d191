"""Many documents, a task for each: by whom it is done, where what is made of them goes, and how a run that is stopped
goes on.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import solver.jobs
from grader.cli.command_options import are_several, checked_tree
from grader.cli.command_outcome import CommandOutcome, Report
from grader.kernel.atomic_files import check_place
from solver.jobs import (
    OutputFile,
    Result,
    Source,
    Timed,
    Work,
    expand_paths,
    file_executor,
    lost_file,
    map_in_order,
    output_names,
)
from solver.kernel import DEFAULT_LIMITS, Limits, UsageError


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    out: str | None = None
    """The folder of the results; without one they are printed."""
    jobs: int | None = None
    cluster: str | None = None
    force: bool = False
    timeout: float | None = None
    quiet: bool = False

    def found(self, paths: Sequence[str]) -> list[Source]:
        """What the paths mean; a cluster's workers may be in another folder."""
        return expand_paths(list(paths), absolute=self.cluster is not None)

    def games(self, paths: Sequence[str] | None, tree: str | None, limits: Limits) -> list[Source]:
        """The same, or the tree that is given in place of files."""
        if bool(paths) == (tree is not None):
            raise UsageError("use either PATHs or --tree, not both" if paths else "give PATHs or --tree")
        return self.found(paths or ()) if tree is None else [checked_tree(tree, limits)]

    def require_one(self) -> None:
        """UsageError for what means something for several documents only."""
        if self.cluster is not None or self.timeout is not None or self.force:
            raise UsageError("--cluster, --timeout and --force are for several games, drawn or explained into a folder")

    def check(self) -> None:
        """UsageError, before any work is done."""
        if self.cluster is not None and (self.jobs is not None or self.timeout is not None):
            raise UsageError("--jobs and --timeout are for this machine; a cluster has workers of its own")
        if self.timeout is not None and not self.timeout > 0:
            raise UsageError(f"--timeout is a number of seconds above 0, not {self.timeout}")
        if self.out is not None and "://" not in self.out:
            if Path(self.out).exists() and not Path(self.out).is_dir():
                raise UsageError(f"--out is a folder to write into, and {self.out} is a file")
            check_place(Path(self.out, "any"))

    def run(
        self,
        task: Work,
        sources: Sequence[Source],
        outcome: CommandOutcome,
        paths: Sequence[str] = (),
        ending: str = "",
        limits: Limits = DEFAULT_LIMITS,
        write: Report | None = None,
    ) -> int:
        """Work through all that was found; the exit code. `ending`: of the results' names in the folder. `write`: what
        becomes of a result if it is neither written nor printed."""
        self.check()
        if self.timeout is not None and any(source.is_stdin for source in sources):
            raise UsageError("--timeout does nothing here: it is for files, and stdin is none")
        folder = None if self.out is None else self._folder(self.out, task, sources, ending, limits)
        several = are_several(sources)
        try:
            executor = file_executor(sources, self.jobs, self.timeout, self.cluster)
            if folder is None:
                results = map_in_order(Timed(task) if several else task, sources, executor, lost_file)
            else:
                writing = Timed(folder.writing) if several else folder.writing
                results = map_in_order(writing, folder.files(sources), executor, _lost_output, folder.note)
            with outcome.meter, closing(results):
                for result in results:
                    outcome.take(result, write if folder is None else _noted)
        except KeyboardInterrupt:
            if not several:
                raise
            return outcome.stopped(again=folder is not None)
        finally:
            if folder is not None:
                folder.close()
        return outcome.finish(several, paths)

    def _folder(self, out: str, task: Work, sources: Sequence[Source], ending: str, limits: Limits) -> _Folder:
        names = output_names(sources, ending)
        out = os.path.abspath(out) if self.cluster is not None and "://" not in out else out
        ledger = solver.jobs.Ledger(out)
        writing = solver.jobs.Writing(task, out, solver.jobs.installed(), limits)
        return _Folder(ledger, writing, names, {} if self.force else ledger.known)


@dataclass(frozen=True, slots=True)
class _Folder:
    """A folder of results with its ledger."""

    ledger: solver.jobs.Ledger
    writing: solver.jobs.Writing
    names: Mapping[str, str]
    """Of the results, by those of the sources."""
    known: Mapping[str, solver.jobs.Entry]
    """What is there already, by name."""

    def files(self, sources: Sequence[Source]) -> Iterator[OutputFile]:
        for source in sources:
            name = self.names[source.name]
            yield OutputFile(source, name, self.known.get(name))

    def note(self, result: Result) -> None:
        if result.entry is not None:
            self.ledger.add([result.entry])

    def close(self) -> None:
        self.writing.tidy(self.names.values())
        self.ledger.close()


def _lost_output(file: OutputFile, why: str) -> Result:
    return lost_file(file.source, why)


def _noted(_result: Result) -> None:
    """The ledger has it since it came."""
