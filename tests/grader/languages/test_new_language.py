"""What a language must supply: printed for one that supplies nothing, and missing from none that there is.

Catalogues, schemas and tables of words are looked for, so that a new one is asked of every language from then on.
"""

from __future__ import annotations

import ast
import csv
import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from babel.messages.pofile import read_po

from grader.answers import Unreadable, boolean, extended, names
from grader.delivery.systems.answer_boxes import OFFERED
from grader.delivery.systems.answer_spellings import INFINITIES
from grader.languages import words_of
from grader.questions.registry import ASKS
from grader.service.http.page_texts import texts_of
from solver.languages import DECIMAL_COMMA, LANGUAGES
from tests.support.paths import ROOT

CHANGES = ("same", "different")
WORDS = ("yes", "no", "true", "false", *CHANGES, "none")
OPTIONAL = {
    ("solver/languages/translation.py", "_LAST"): "Babel's lists are right in most languages",
    ("grader/service/features/hall/pages.py", "PERCENT"): "most languages write %",
}
"""Tables of words that a language may be missing from, each with its reason."""
WITHOUT_ENGLISH = {("grader/delivery/systems/answer_boxes.py", "OFFERED"): "English offers the words of documents"}
DOCUMENTED = ROOT / "docs" / "explaining.md"


def missing(code: str) -> Iterator[str]:
    """Where the language is not, in the order in which somebody would add it."""
    if code not in LANGUAGES:
        yield "solver/languages/codes.py: its code and its own name in LANGUAGES, and in DECIMAL_COMMA if it has one"
    for folder in CATALOGUES:
        lacking = sorted(keys(ROOT / folder / "en.po") - keys(ROOT / folder / f"{code}.po"))
        if lacking:
            yield f"{folder}/{code}.po: {len(lacking)} sentences, such as {lacking[0]}"
    for file, place in SCHEMAS:
        if code not in at(json.loads((ROOT / file).read_text("utf-8")), place):
            yield f"{file}: its code in {'.'.join(place)}"
    for (file, name), codes in TABLES.items():
        if code not in codes and not (code == "en" and (file, name) in WITHOUT_ENGLISH):
            yield f"{file}: its words in {name}"
    with (ROOT / GLOSSARY).open(encoding="utf-8", newline="") as opened:
        columns = csv.DictReader(opened).fieldnames or ()
    if not {code, f"not_{code}"} <= set(columns):
        yield f"{GLOSSARY}: its words in columns {code} and not_{code}"
    if code in LANGUAGES:
        yield from unread(code)
        yield from misspelt(code)
    else:
        yield "grader/answers/words.py: the words that it prints, and that its students write, as answers"
        yield "grader/questions/transform.py: its words for same and different"


GLOSSARY = "grader/languages/glossary.csv"
CATALOGUES = [
    file.parent.relative_to(ROOT).as_posix()
    for package in ("solver", "grader")
    for file in sorted((ROOT / package).rglob("en.po"))
]


def keys(file: Path) -> set[str]:
    """Of sentences that say something; none if there is no such file."""
    if not file.exists():
        return set()
    with file.open("rb") as opened:
        read = [(message.id, message.string) for message in read_po(opened) if message.id]
    named = [(each if isinstance(each, str) else each[0], text) for each, text in read]
    return {key for key, text in named if (text if isinstance(text, str) else any(text or ()))}


def with_languages(schema: Any, place: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Where a schema lists the languages: the values of an option, or a text in each."""
    if isinstance(schema, Mapping):
        for name, value in schema.items():
            if name in ("enum", "properties") and {"en", "fa"} <= set(map(str, value)):
                yield (*place, name)
            yield from with_languages(value, (*place, name))


def at(schema: Any, place: tuple[str, ...]) -> Any:
    for name in place:
        schema = schema[name]
    return schema


SCHEMAS = [
    (file.relative_to(ROOT).as_posix(), place)
    for file in sorted((ROOT / "schemas").glob("*.json"))
    for place in with_languages(json.loads(file.read_text("utf-8")))
]


@cache
def tables() -> Mapping[tuple[str, str], set[str]]:
    """Tables at the top of a module whose keys are codes of languages, in the packages and in what tests share."""
    found: dict[tuple[str, str], set[str]] = {}
    for folder in ("solver", "grader", "tests/support"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.parse(file.read_text("utf-8")).body:
                if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(node.value, ast.Dict):
                    codes = {key.value if isinstance(key, ast.Constant) else None for key in node.value.keys}
                    target = node.targets[0] if isinstance(node, ast.Assign) else node.target
                    if codes and codes <= {*LANGUAGES} and isinstance(target, ast.Name):
                        found[file.relative_to(ROOT).as_posix(), target.id] = {str(each) for each in codes}
    return found


TABLES = {place: codes for place, codes in tables().items() if place not in OPTIONAL}


def unread(code: str) -> Iterator[str]:
    """Words that the language prints on keys, or offers, and that nobody could write as an answer."""
    printed = {word: words_of(code).say(f"paper.word.{word}") for word in WORDS}
    for word, text in (*printed.items(), *OFFERED.get(code, {}).items()):
        if not is_read(word, str(text)):
            file = "grader/questions/transform.py" if word in CHANGES else "grader/answers/words.py"
            yield f"{file}: {text!r} is not read as {word!r}"
    for text in INFINITIES.get(code, ()):
        if extended(text) != "inf":
            yield f"grader/answers/words.py: {text!r} is not read as infinity"


def misspelt(code: str) -> Iterator[str]:
    """Numbers that are written in two ways."""
    written = words_of(code).number(Decimal("0.5"))
    if (written == "0,5") != (code in DECIMAL_COMMA):
        yield f"solver/languages/codes.py: {written} is not what DECIMAL_COMMA says"
    if texts_of(code).number(Fraction(1, 2)) != written:
        yield f"grader/service/http/page_texts.py: pages of the service do not write {written}"


def nobody(name: str) -> int:
    raise KeyError(name)


def is_read(word: str, text: str) -> bool:
    try:
        if word == "none":
            return names(text, nobody) == []
        if word in CHANGES:
            return bool(ASKS["transform"].read_item(None, "move", text) == word)  # type: ignore[arg-type]
        return boolean(text) == (word in ("yes", "true"))
    except Unreadable:
        return False


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_language_supplies_everything(code: str) -> None:
    assert list(missing(code)) == []


def test_what_a_new_language_must_supply() -> None:
    """`pytest -s` prints the list; the docs name every place in it."""
    found = list(missing("xx"))
    print("", *found, sep="\n")
    places = {line.partition(": ")[0].replace("/xx.po", "/") for line in found}
    assert {"solver/languages/", "grader/languages/"} < places and len(CATALOGUES) >= 8
    assert {"schemas/exam.schema.json", "schemas/game.schema.json"} < places
    told = DOCUMENTED.read_text("utf-8").partition("## Adding a language\n")[2].partition("\n## ")[0]
    assert {place for place in places if f"`{place}`" not in told} == set()


def test_tables_that_a_language_may_be_missing_from_exist() -> None:
    assert {*OPTIONAL, *WITHOUT_ENGLISH} <= set(tables())
    assert all("en" not in tables()[place] for place in WITHOUT_ENGLISH)


@pytest.mark.parametrize("place", [*CATALOGUES, GLOSSARY, *(f"{file}: its words in {name}" for file, name in TABLES)])
def test_what_is_missing_is_found(place: str) -> None:
    assert any(line.startswith(place) for line in missing("xx"))
