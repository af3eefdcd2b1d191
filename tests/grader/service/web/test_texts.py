"""What pages say: every language says what English says, every sentence is used, and none is missing."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from grader.service.http.page_texts import CATALOGUES, PREFIX, chosen_language, texts_of
from solver.languages import LANGUAGES

WEB = CATALOGUES.parent
GROUPS = sorted(each.name for each in CATALOGUES.iterdir())
CALLED = re.compile(r"(<[^<>]*>)\{\{ (?:item|each)\.called \}\}(?=<)")
KEY = re.compile(r"(?<=[\"'])page(\.[a-z0-9-]+)+")


def sentences(file: Path) -> dict[str, list[str]]:
    with file.open("rb") as opened:
        found = [message for message in read_po(opened, abort_invalid=True) if message.id]
    return {
        message.id if isinstance(message.id, str) else message.id[0]: [message.string]
        if isinstance(message.string, str)
        else list(message.string or ())
        for message in found
    }


def placeholders(forms: list[str]) -> set[str]:
    return {name for form in forms for _, name, _, _ in Formatter().parse(form) if name is not None}


@pytest.mark.parametrize("group", GROUPS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_says_what_english_says(group: str, code: str) -> None:
    english, other = sentences(CATALOGUES / group / "en.po"), sentences(CATALOGUES / group / f"{code}.po")
    assert list(other) == list(english), "the same keys in the same order"
    for key, forms in english.items():
        assert key.startswith(PREFIX)
        assert len(other[key]) == len(forms), key
        assert all(form.strip() for form in other[key]), f"{code}: {key} is empty"
        assert placeholders(other[key]) | {"count"} == placeholders(forms) | {"count"}, f"{code}: {key}"


def test_what_is_called_in_words_runs_as_the_page_does() -> None:
    """A bare `bdi` goes by the first letter, which in "C after L4" is a name's, also in Persian."""
    pages = {each.name: each.read_text("utf-8") for each in (WEB / "templates").rglob("*.html")}
    places = [(name, found[1]) for name, text in pages.items() for found in CALLED.finditer(text)]
    assert len(places) >= 3
    assert {tag for _, tag in places} == {'<bdi dir="{{ t.direction }}">'}, places


def test_every_sentence_is_used_and_none_is_missing() -> None:
    files = [each for each in WEB.parent.rglob("*") if each.suffix in (".py", ".html", ".js")]
    said = "\n".join(each.read_text("utf-8") for each in files)
    named = {found[0] for found in KEY.finditer(said)}
    started = tuple({found[0] for found in re.finditer(r"page(\.[a-z0-9-]+)*[.-](?=[\"'{])", said)} - {PREFIX})
    known = {key for group in GROUPS for key in sentences(CATALOGUES / group / "en.po")}
    assert [key for key in known if key not in named and not key.startswith(started)] == []
    assert [key for key in named if key not in known and not any(each.startswith(key) for each in started)] == []


def test_no_key_is_in_two_groups() -> None:
    keys = [key for group in GROUPS for key in sentences(CATALOGUES / group / "en.po")]
    assert len(keys) == len(set(keys))


def test_numbers_names_and_times_are_written_as_the_language_does() -> None:
    persian = texts_of("fa")
    assert persian.digits("12/5") == "۱۲/۵"
    assert "\u2068Q\u2069" in persian("page.join.signed-in", name="Q")
    at = datetime(2026, 3, 27, 18, 5, tzinfo=UTC)
    assert persian.time(at, "d MMM y, HH:mm") == "۲۷ مارس ۲۰۲۶, ۱۸:۰۵"
    assert texts_of("pt").time(at, "EEE d MMM") == "sex. 27 mar."


def test_a_language_that_we_lack_is_passed_over() -> None:
    assert chosen_language([None, "xx"], "de, pt-BR;q=0.3") == "pt"
    assert chosen_language([], ",;q=,*;q=1") == "en"
