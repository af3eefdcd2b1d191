"""Translations follow the English sentences, and one that no longer does is seen (`tools/catalogues.py`)."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.slow

TOOL = ROOT / "tools" / "catalogues.py"


def run(command: str, root: Path = ROOT) -> tuple[int, str]:
    ran = subprocess.run(
        [sys.executable, TOOL, command, "--root", root], capture_output=True, encoding="utf-8", check=False
    )
    assert not ran.stderr
    return ran.returncode, ran.stdout


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """The catalogues alone, to be changed."""
    for package in ("solver", "grader"):
        for file in (ROOT / package).glob("**/languages/**/*.po"):
            target = tmp_path / file.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
    return tmp_path


def catalogues(root: Path) -> dict[Path, bytes]:
    return {file: file.read_bytes() for file in root.glob("**/*.po")}


def catalogue(root: Path, code: str) -> Path:
    """The solver's catalogue, which has the sentence of these tests."""
    (file,) = (root / "solver").glob(f"**/languages/{code}.po")
    return file


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text("utf-8")
    assert text.count(old) == 1
    file.write_text(text.replace(old, new), "utf-8", newline="\n")


def test_every_translation_is_of_the_english_of_today() -> None:
    found = [file for package in ("solver", "grader") for file in (ROOT / package).glob("**/languages/**/*.po")]
    translations = [file for file in found if file.name != "en.po"]
    assert run("check") == (0, f"{len(translations)} catalogues are up to date\n")


def test_what_is_up_to_date_stays_as_it_is(copy: Path) -> None:
    before = catalogues(copy)
    assert run("sync", copy)[0] == 0
    assert catalogues(copy) == before


def test_a_changed_english_sentence_makes_its_translations_stale(copy: Path) -> None:
    edit(catalogue(copy, "en"), '"MAX moves at the root {node}."', '"MAX is to move at the root {node}."')
    failed, told = run("check", copy)
    assert failed
    assert told.count("root.max is not marked as a translation of 'MAX is to move at the root {node}.'") == 3

    failed, told = run("sync", copy)
    assert failed
    assert told.count("root.max is fuzzy") == len(told.splitlines()) == 3
    portuguese = catalogue(copy, "pt")
    stale = (
        '#. en: MAX is to move at the root {node}.\n#. was: MAX moves at the root {node}.\n#, fuzzy\nmsgid "root.max"\n'
    )
    assert stale in portuguese.read_text("utf-8")
    before = catalogues(copy)
    assert run("sync", copy) == (failed, told)
    assert catalogues(copy) == before

    for code in ("pt", "es", "fa"):
        edit(catalogue(copy, code), "#, fuzzy\n", "")
    assert run("sync", copy)[0] == 0
    assert "#. was:" not in portuguese.read_text("utf-8")


def test_a_new_english_sentence_is_missing_until_it_is_translated(copy: Path) -> None:
    english, persian = catalogue(copy, "en"), catalogue(copy, "fa")
    edit(english, 'msgid "root.max"\n', 'msgid "root.new"\nmsgstr "A new \\"one\\"."\n\nmsgid "root.max"\n')
    failed, told = run("check", copy)
    assert failed
    assert told.count("root.new is missing") == 3
    assert run("sync", copy)[1].count("root.new is fuzzy") == 3
    edit(
        persian,
        '#. en: A new \\"one\\".\n#, fuzzy\nmsgid "root.new"\nmsgstr ""\n',
        '#. en: A new \\"one\\".\nmsgid "root.new"\nmsgstr "x"\n',
    )
    assert run("check", copy)[1].count("root.new is fuzzy") == 2


def test_a_sentence_that_english_no_longer_has_is_dropped(copy: Path) -> None:
    english = catalogue(copy, "en")
    edit(english, 'msgid "root.max"\nmsgstr "MAX moves at the root {node}."\n\n', "")
    assert run("check", copy)[1].count("root.max is not in en.po") == 3
    assert run("sync", copy)[0] == 0
    assert 'msgid "root.max"' not in catalogue(copy, "es").read_text("utf-8")
