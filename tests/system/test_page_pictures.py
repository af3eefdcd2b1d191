"""docs/pages.md shows every picture that the command makes, and no other."""

from __future__ import annotations

import re

from tests.grader.service.web.scenes import BEHIND_A_BUTTON
from tests.support.paths import ROOT
from tools.screenshots import SHOTS


def test_the_page_shows_what_is_made() -> None:
    made = {shot.name for shot in SHOTS}
    shown = re.findall(r"\(pages/([^)]+)\)", (ROOT / "docs" / "pages.md").read_text("utf-8"))
    assert sorted(shown) == sorted(made)
    assert {file.name for file in (ROOT / "docs" / "pages").iterdir()} == made


def test_pages_behind_a_button_are_shown_too() -> None:
    assert set(BEHIND_A_BUTTON) <= {shot.page for shot in SHOTS}
