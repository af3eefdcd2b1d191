"""Sentences in several languages, with numbers, windows and names written as each language writes them."""

from solver.languages.catalogue import Catalogue, read_catalogue
from solver.languages.codes import DECIMAL_COMMA, LANGUAGES
from solver.languages.conventions import choice_name, convention_name
from solver.languages.facts import Amount, Between, Fact, Formula, Items, Limit, NameRun, Percent, Sentence
from solver.languages.lookup import Language, language

__all__ = [
    "DECIMAL_COMMA",
    "LANGUAGES",
    "Amount",
    "Between",
    "Catalogue",
    "Fact",
    "Formula",
    "Items",
    "Language",
    "Limit",
    "NameRun",
    "Percent",
    "Sentence",
    "choice_name",
    "convention_name",
    "language",
    "read_catalogue",
]
