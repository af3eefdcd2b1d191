"""Reports as files: one for all of them, or one for each answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from grader.kernel.cells import file_stem
from grader.marking.exam_report import AnyReport
from grader.reports.options import Options
from grader.reports.registry import Output


def report_files(
    reports: Iterable[AnyReport], output: Output, options: Options, name: str
) -> Iterator[tuple[str, bytes]]:
    """Names with contents, made one after another; `name` is what a file of all reports is called."""
    if output.one_file:
        yield f"{name}{output.ending}", b"".join(output.write(reports, options))
        return
    written: Counter[str] = Counter()
    for report in reports:
        stem = file_stem(report.answer.student)
        written[stem] += 1
        # A second answer by the same student does not replace the first.
        again = f"-{written[stem]}" if written[stem] > 1 else ""
        yield f"{stem}{again}.report{output.ending}", b"".join(output.write([report], options))
