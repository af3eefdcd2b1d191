"""docs/benchmarks.md shows what each part printed when it last ran."""

from __future__ import annotations

import re

from benchmarks.__main__ import PARTS
from benchmarks.shown import HEADING, PAGE, SECTION, with_section

ORDER = ("first", "second", "third")


def test_a_section_takes_the_place_of_the_earlier_one() -> None:
    page = f"Words.\n\n{HEADING}\n\n### second\n\nold ### first\n\n"
    once = with_section(page, "first", "\n```text\n1\n```\n\n", ORDER)
    assert once == f"Words.\n\n{HEADING}\n\n### first\n\n```text\n1\n```\n\n### second\n\nold ### first\n"
    again = with_section(once, "second", "\nnew\n\n", ORDER)
    assert again == f"Words.\n\n{HEADING}\n\n### first\n\n```text\n1\n```\n\n### second\n\nnew\n"


def test_every_part_is_shown() -> None:
    page = PAGE.read_text("utf-8")
    shown = dict(SECTION.findall(page.partition(f"{HEADING}\n")[2]))
    assert set(shown) <= set(PARTS)
    for part, section in shown.items():
        assert section.startswith(f"\n`python -m benchmarks {part}"), part
        assert len(re.findall(r"^```", section, re.MULTILINE)) == 2, part
