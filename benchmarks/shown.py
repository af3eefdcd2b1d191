"""What each part printed when it last ran, shown in docs/benchmarks.md."""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from datetime import date

from benchmarks.commands import ROOT

PAGE = ROOT / "docs" / "benchmarks.md"
HEADING = "## Latest output"
SECTION = re.compile(r"^### (\w+)\n(.*?)(?=^### |\Z)", re.MULTILINE | re.DOTALL)


class Copied(io.StringIO):
    """Shows what is written to it at once, and keeps it."""

    def write(self, text: str) -> int:
        sys.__stdout__.write(text)  # type: ignore[union-attr]
        return super().write(text)

    def flush(self) -> None:
        sys.__stdout__.flush()  # type: ignore[union-attr]


def copied() -> redirect_stdout[Copied]:
    return redirect_stdout(Copied())


def show_in_docs(part: str, command: str, setting: str, output: str, order: Sequence[str]) -> None:
    section = f"\n`{command}`, {date.today():%d %B %Y}. {setting}\n\n```text\n{output.strip()}\n```\n\n"
    PAGE.write_text(with_section(PAGE.read_text("utf-8"), part, section, order), "utf-8")


def with_section(page: str, part: str, section: str, order: Sequence[str]) -> str:
    """The page with this section in place of the part's earlier one; sections stand in the order of the parts."""
    before, _, shown = page.partition(f"{HEADING}\n")
    sections = dict(SECTION.findall(shown)) | {part: section}
    listed = "".join(f"### {name}\n{sections[name]}" for name in order if name in sections)
    return f"{before}{HEADING}\n\n{listed.rstrip()}\n"
