"""Catalogues and outputs keep to the glossary, `grader/languages/glossary.csv`: one word for one thing."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from solver.languages import LANGUAGES
from tests.support.paths import ROOT
from tests.support.spoken import outputs
from tools.catalogues import read

with (ROOT / "grader" / "languages" / "glossary.csv").open(encoding="utf-8", newline="") as _file:
    GLOSSARY = list(csv.DictReader(_file))
TERMS = {each["term"]: each for each in GLOSSARY}
PERSIAN = {
    "letters of Arabic": "[يكىة]",
    "a space for a half-space": r"(?<!\w)ن?می (?=\w)|\w ها\b",
    "Latin punctuation": r"[؀-ۿ][,;?]",
}
SAID = {
    "return a value": ("hand.exact", {"en": "returns", "pt": "devolve", "es": "devuelve", "fa": "برمی‌گرداند"}),
    "cut test": ("rule.after-test", {}),
    "alpha-beta pruning": ("paper.algorithm.alpha-beta", {"en": "alpha-beta", "fa": "آلفا-بتا"}),
    "largest, smallest": ("back.min", {"en": "smallest", "pt": "menor", "es": "menor", "fa": "کوچک‌ترین"}),
    "window": ("rule.window", {}),
    "answer key": ("paper.key", {"en": "key"}),
    "convention": ("rule.named", {}),
    "chance node": ("chance.done", {}),
    "plan": ("open.and-or", {}),
    "update a bound": ("rule.before-test", {"en": "updated", "pt": "atualizados", "es": "actualizan", "fa": "به‌روز"}),
    "your answer (heading)": ("output.given", {}),
}
"""A message for each term, and the form that it has there where it is not that of the glossary."""


def catalogues(code: str) -> dict[str, str]:
    """Every sentence of a language, the service's pages among them."""
    files: list[Path] = []
    for package in ("solver", "grader"):
        files += (ROOT / package).glob(f"**/languages/**/{code}.po")
    assert len(files) > 5
    return {key: " / ".join(entry.sentences) for file in files for key, entry in read(file)[1].items()}


@pytest.mark.parametrize("code", LANGUAGES)
def test_words_of_the_glossary_are_kept_to(code: str) -> None:
    assert all(each[code] for each in GLOSSARY)
    forbidden = {each["term"]: each[f"not_{code}"] for each in GLOSSARY if each[f"not_{code}"]}
    if code == "fa":
        forbidden |= PERSIAN
    assert forbidden
    said = catalogues(code)
    for term, pattern in forbidden.items():
        found = [f"{key}: {text}" for key, text in said.items() if re.search(pattern, text)]
        assert found == [], f"{term}: not {pattern}"
        if term not in PERSIAN:
            assert re.search(pattern, outputs(code)) is None, term


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("term", SAID)
def test_messages_use_the_term(term: str, code: str) -> None:
    key, forms = SAID[term]
    wanted = forms.get(code, TERMS[term][code])
    assert wanted.casefold() in catalogues(code)[key].casefold()
