"""What a language must supply: printed for one that supplies nothing, and missing from none that there is."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal

import pytest
from babel.messages.pofile import read_po

from grader.answers import Unreadable, boolean, extended, names
from grader.delivery.systems.answer_boxes import OFFERED
from grader.delivery.systems.answer_spellings import INFINITIES
from grader.languages import words_of
from grader.questions.registry import ASKS
from solver.documents.document_schemas import schema
from solver.languages import DECIMAL_COMMA, LANGUAGES
from tests.support.paths import ROOT

KINDS = ("exercise/1", "answer/1", "recipe/1", "report/1")
WORDS = ("yes", "no", "true", "false", "same", "different", "none")


def missing(code: str) -> Iterator[str]:
    """Where the language is not, in the order in which somebody would add it."""
    if code not in LANGUAGES:
        yield "solver/languages/codes.py: its code and its own name in LANGUAGES, and in DECIMAL_COMMA if it has one"
    for package in ("solver", "grader"):
        folder = ROOT / package / "languages"
        english = set(keys(folder / "en.po"))
        file = folder / f"{code}.po"
        lacking = sorted(english - set(keys(file))) if file.exists() else sorted(english)
        if lacking:
            yield f"{package}/languages/{code}.po: {len(lacking)} sentences, such as {lacking[0]}"
    for kind in KINDS:
        if code not in schema(kind)["properties"]["language"]["enum"]:
            yield f"schemas/{kind.partition('/')[0]}.schema.json: its code in the enum of language"
    if code not in INFINITIES:
        yield "grader/delivery/systems/answer_spellings.py: how infinity is written, in INFINITIES"
    if code != "en" and code not in OFFERED:
        yield "grader/delivery/systems/answer_boxes.py: the words of answers that are chosen from a list, in OFFERED"
    if code in LANGUAGES:
        yield from unread(code)
    else:
        yield "grader/answers/words.py and grader/questions/transform.py: the words that it prints as answers"
    if code in LANGUAGES and (words_of(code).number(Decimal("0.5")) == "0,5") != (code in DECIMAL_COMMA):
        yield "solver/languages/codes.py: DECIMAL_COMMA is not what its numbers look like"


def keys(file: object) -> Iterator[str]:
    with open(str(file), "rb") as opened:
        yield from (str(message.id) for message in read_po(opened) if message.id)


def unread(code: str) -> Iterator[str]:
    """Words that the language prints on keys, or offers, and that nobody could write as an answer."""
    printed = {word: words_of(code).say(f"paper.word.{word}") for word in WORDS}
    for word, text in (*printed.items(), *OFFERED.get(code, {}).items()):
        if not is_read(word, str(text)):
            yield f"grader/answers: {text!r} is not read as {word!r}"
    for text in INFINITIES[code]:
        if extended(text) != "inf":
            yield f"grader/answers: {text!r} is not read as infinity"


def nobody(name: str) -> int:
    raise KeyError(name)


def is_read(word: str, text: str) -> bool:
    try:
        if word == "none":
            return names(text, nobody) == []
        if word in ("same", "different"):
            return bool(ASKS["transform"].read_item(None, "move", text) == word)  # type: ignore[arg-type]
        return boolean(text) == (word in ("yes", "true"))
    except Unreadable:
        return False


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_supplies_everything(code: str) -> None:
    assert list(missing(code)) == []


def test_what_a_new_language_must_supply() -> None:
    """`pytest -s` prints the list."""
    found = list(missing("xx"))
    print("", *found, sep="\n")
    places = [line.partition(":")[0] for line in found]
    assert places == [
        "solver/languages/codes.py",
        "solver/languages/xx.po",
        "grader/languages/xx.po",
        *(f"schemas/{kind.partition('/')[0]}.schema.json" for kind in KINDS),
        "grader/delivery/systems/answer_spellings.py",
        "grader/delivery/systems/answer_boxes.py",
        "grader/answers/words.py and grader/questions/transform.py",
    ]
