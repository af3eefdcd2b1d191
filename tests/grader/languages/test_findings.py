"""What native readers found wrong or unnatural does not come back; `findings.csv` has every finding.

`place` is the key of a message that must not be `never` again; `output`: a pattern that no output in the language has;
`docs`: a text that neither the docs nor the help of a command has. `kept` says why a finding is left as it is. `said`
is what outputs have instead, so that a pattern is not searched for where it could not occur.
"""

from __future__ import annotations

import csv
import re
from functools import cache
from typing import NamedTuple

import pytest

from grader.languages import words_of
from solver.languages import LANGUAGES
from tests.grader.languages import test_languages as of_grader
from tests.solver.languages import test_languages as of_solver
from tests.support.paths import ROOT
from tests.support.spoken import outputs

RLI, PDI = "\u2067", "\u2069"


class Finding(NamedTuple):
    id: str
    severity: str
    language: str
    place: str
    never: str
    kept: str
    said: str = ""


with (ROOT / "tests" / "grader" / "languages" / "findings.csv").open(encoding="utf-8", newline="") as _file:
    FINDINGS = [Finding(*row) for row in csv.reader(_file)][1:]


@cache
def sentences(code: str) -> dict[str, list[str]]:
    found = {key: of_solver.forms(message) for key, message in of_solver.messages(code).items()}
    return found | {key: of_grader.forms(message) for key, message in of_grader.messages(code).items()}


@cache
def english() -> str:
    """What the docs, the commands and their errors say, in one line."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "grader" / "cli").glob("*.py")]
    pages += (ROOT / "grader").glob("*/*.py")
    return " ".join(" ".join(page.read_text("utf-8").split()) for page in pages)


@cache
def seen(code: str) -> str:
    """Outputs as they are seen: without what directs them."""
    return re.sub("[\u2066-\u2069\u200e\u200f]", "", outputs(code)).replace("\N{NO-BREAK SPACE}", " ")


def found(pattern: str, code: str) -> bool:
    """In the outputs of a language; a pattern about direction is searched for in all that is there."""
    return re.search(pattern, outputs(code) if r"\u2067" in pattern else seen(code)) is not None


def occurs(finding: Finding) -> bool:
    if finding.place == "output":
        return found(finding.never, finding.language)
    if finding.place == "docs":
        return finding.never in english()
    return finding.never in sentences(finding.language).get(finding.place, ())


@pytest.mark.parametrize("severity", ["wrong", "unnatural", "polish"])
def test_no_finding_comes_back(severity: str) -> None:
    asked = [each for each in FINDINGS if each.severity == severity]
    left = [each for each in asked if not each.kept and occurs(each)]
    assert asked and left == []


def test_what_was_found_in_outputs_is_said_there_in_other_words() -> None:
    asked = [each for each in FINDINGS if each.place == "output" and not each.kept]
    assert asked and [each for each in asked if not each.said or not found(each.said, each.language)] == []


def test_findings_that_are_kept_have_a_reason() -> None:
    ids = {severity: {each.id for each in FINDINGS if each.severity == severity} for severity in ("wrong", "unnatural")}
    kept = {each.id for each in FINDINGS if each.kept}
    assert not kept & ids["wrong"]
    assert len(kept & ids["unnatural"]) <= len(ids["unnatural"]) / 10
    assert all(each.never and each.place for each in FINDINGS if not each.kept)


def test_every_persian_line_keeps_its_direction() -> None:
    """Reports and explanations; pages say their direction themselves."""
    text = outputs("fa")
    reports = text[: text.index("پاسخنامه")]
    for line in reports.splitlines():
        if re.search("[\u0600-\u06ef\u06fa-\u06ff]", line):
            assert line.lstrip(" ").startswith(RLI) and line.endswith(PDI), line


@pytest.mark.parametrize("code", ["pt", "es"])
def test_no_sentence_begins_with_a_bare_name(code: str) -> None:
    """A, E and O are words."""
    for key, forms in sentences(code).items():
        for form in forms:
            bare = re.match(r"\{(node|child|player|children)\}[^:]*[.?]$", form)
            assert bare is None, f"{key}: {form}"


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_agree_with_their_number(code: str) -> None:
    said = words_of(code)
    one, two = (said.say("paper.marks", number) for number in (1, 2))
    assert (one.split()[-1] == two.split()[-1]) == (code == "fa")
