"""Pages of feedback as files, and packed for a learning system's upload."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from grader.feedback.files import FeedbackFile
from grader.feedback.zips import FeedbackZip
from grader.kernel.cells import terminal
from grader.kernel.files import write_file
from grader.people.roster import Roster


def write_pages(files: Iterable[FeedbackFile], out: Path, system: str | None, roster: Roster | None) -> bool:
    """Whether everybody's page could be packed, if that was asked for; the others are named."""
    packed = None if system is None else FeedbackZip(system, roster)
    for file in files:
        write_file(out / file.name, file.content)
        if packed is not None:
            packed.add(file)
    if packed is None:
        return True
    archive = out / f"feedback-{system}.zip"
    write_file(archive, packed.finished())
    for student in packed.left_out:
        print(f"{archive}: {terminal(student)} is not in it: {packed.without}", file=sys.stderr)
    return not packed.left_out
