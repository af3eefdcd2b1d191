"""Reports as files: one for all of them, or one for each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from grader.kernel.cells import file_stem
from grader.reports.options import Options
from grader.reports.registry import Output


def report_files(
    parts: Iterable[tuple[str, Any]], output: Output, options: Options, name: str
) -> Iterator[tuple[str, bytes]]:
    """Names with contents, made one after another, from parts of reports with their students; `name` is what a file of
    all reports is called."""
    if output.one_file:
        yield f"{name}{output.ending}", b"".join(output.together((part for _, part in parts), options))
        return
    written: Counter[str] = Counter()
    for student, part in parts:
        stem = file_stem(student)
        written[stem] += 1
        # A second answer by the same student does not replace the first.
        again = f"-{written[stem]}" if written[stem] > 1 else ""
        yield f"{stem}{again}.report{output.ending}", b"".join(output.together([part], options))
