"""The docs show every picture that the command makes, and no other."""

from __future__ import annotations

import re

from tests.grader.service.web.scenes import BEHIND_A_BUTTON
from tests.support.paths import ROOT
from tools.screenshots import DESK_SHOTS, SHOTS, WRITING_SHOTS

PAGES = ("pages.md", "desk.md", "lecture-hall.md")


def test_the_pages_show_what_is_made() -> None:
    """Students' pages are in a page of their own; those of teachers are shown, or linked to, where they are told of."""
    made = {shot.name for shot in (*SHOTS, *DESK_SHOTS, *WRITING_SHOTS)}
    shown = {page: re.findall(r"\(pages/([^)]+)\)", (ROOT / "docs" / page).read_text("utf-8")) for page in PAGES}
    assert sorted(shown["pages.md"]) == sorted(shot.name for shot in SHOTS)
    assert {name for names in shown.values() for name in names} == made
    assert {file.name for file in (ROOT / "docs" / "pages").iterdir()} == made


def test_pages_behind_a_button_are_shown_too() -> None:
    assert set(BEHIND_A_BUTTON) <= {shot.page for shot in SHOTS}
