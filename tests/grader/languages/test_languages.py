"""The grader's catalogues: every language says what English says, and every sentence is said by the code."""

from __future__ import annotations

import ast
import re
from string import Formatter

import pytest
from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from grader.answers import REASONS
from grader.mistakes.registry import DETECTED, MODELS
from grader.questions.claims import CLAIMS
from solver.languages import LANGUAGES
from tests.support.paths import ROOT

FOLDER = ROOT / "grader" / "languages"


def messages(code: str) -> dict[str, Message]:
    with (FOLDER / f"{code}.po").open("rb") as file:
        found = [message for message in read_po(file, abort_invalid=True) if message.id]
    return {message.id if isinstance(message.id, str) else message.id[0]: message for message in found}


def forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", LANGUAGES)
def test_language_says_what_english_says(code: str) -> None:
    english, other = messages("en"), messages(code)
    assert list(other) == list(english), "the same keys in the same order"
    for key, message in english.items():
        asked = set().union(*map(placeholders, forms(message)))
        optional = {"count"} if message.pluralizable else set()
        assert other[key].pluralizable == message.pluralizable, key
        assert not other[key].fuzzy, key
        for form in forms(other[key]):
            assert form.strip(), f"{code}: {key} is empty"
            assert placeholders(form) | optional == asked | optional, f"{code}: {key}: {form}"


def constants() -> set[str]:
    """Without those of the service's store and queries, which word nothing: there `regrade.id` is a column."""
    found: set[str] = set()
    store = ROOT / "grader" / "service" / "store"
    files = (each for each in (ROOT / "grader").rglob("*.py") if store not in each.parents)
    for file in (each for each in files if each.name != "queries.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def made_of_names() -> set[str]:
    """Keys with the name of a mistake, a claim, a family or a reason in them."""
    mistakes = {name.partition(".")[0] for name in (*MODELS, *DETECTED)}
    found = {f"mistake.{name}.{part}" for name in mistakes for part in ("title", "explanation", "remedy")}
    found |= {f"claim.{name}" for name in CLAIMS} | set(REASONS)
    return found


def test_every_key_is_used() -> None:
    known = constants() | made_of_names()
    unused = [key for key in messages("en") if key not in known]
    prefixes = {constant for constant in known if re.fullmatch(r"[a-z]+(\.[a-z-]+)*\.", constant)}
    assert [key for key in unused if not any(key.startswith(prefix) for prefix in prefixes)] == []


@pytest.mark.slow
def test_every_key_that_code_uses_is_there() -> None:
    solver = (ROOT / "solver" / "languages" / "en.po").read_text("utf-8")
    shapes = r"(why|verdict|hint|feedback|unreadable|class|claim|mistake|family|report|regrade)(\.[a-zA-Z0-9-]+)+"
    named = {constant for constant in constants() if re.fullmatch(shapes, constant)} - {"feedback.css", "feedback.typ"}
    missing = {key for key in named if key not in messages("en") and f'"{key}"' not in solver}
    assert not missing
    assert made_of_names() <= set(messages("en"))
