"""Options as a request has them: texts by the command line's names, read with its words for what is wrong."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TypeVar

from grader.kernel.chosen import known_convention
from solver.game import Convention
from solver.kernel import UsageError, one_of
from solver.languages import LANGUAGES
from solver.pipeline import convention_from_text
from solver.search import ALGORITHMS, Sampling

SEARCH = ("algorithm", "convention", "depth", "steps", "seed")
Default = TypeVar("Default", int, None)
WHOLE = re.compile("[0-9]{1,18}")


class RequestOptions:
    def __init__(self, given: Mapping[str, str], known: Iterable[str]) -> None:
        names = sorted(known)
        for name in given:
            one_of("option", name, names)
        self._given = given

    def text(self, name: str) -> str | None:
        return self._given.get(name)

    def one_of(self, name: str, among: Iterable[str], default: str) -> str:
        return one_of(name, self._given.get(name, default), among)

    def whole(self, name: str, default: Default, least: int = 0, most: int | None = None) -> int | Default:
        written = self._given.get(name)
        if written is None:
            return default
        number = int(written) if WHOLE.fullmatch(written) else None
        if number is None or number < least or (most is not None and number > most):
            bounds = f"from {least} up" if most is None else f"from {least} to {most}"
            raise UsageError(f"{name} is a whole number {bounds}, not {written[:40]!r}")
        return number

    def flag(self, name: str) -> bool:
        """`?blank` and `?blank=true` say yes."""
        written = self._given.get(name, "false")
        return one_of(name, written.lower() or "true", ["true", "false", "1", "0"]) in ("true", "1")

    def algorithm(self) -> str:
        return self.one_of("algorithm", ["auto", *ALGORITHMS], "auto")

    def convention(self) -> Convention:
        return convention_from_text(known_convention(self._given.get("convention", "aima3")))

    def language(self) -> str:
        return self.one_of("language", LANGUAGES, "en")

    def depth(self) -> int | None:
        return self.whole("depth", None)

    def sampling(self) -> Sampling:
        return Sampling(self.whole("steps", None, least=1), self.whole("seed", 0), self.whole("digits", 4, most=100))
