"""Conditional plans: `[a, {s1: [b], s2: []}]`, or in text `[a, if s1 then [b] else []]`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeAlias

from grader.answers.names import says_nothing
from grader.answers.refusal import DEEPEST, Unreadable, reader
from grader.answers.signs import text_of
from grader.answers.words import ELSE_SET, FAILURE_SET, IF_SET, THEN_SET, phrase

Plan: TypeAlias = list[Any]
"""Steps in order; a step is a move, or a mapping from states to plans."""

ELSE = ""
"""The state of `else`: every outcome that the mapping does not name. No node is called so."""

_TOKEN = re.compile(r"[\[\]{},:;،؛]|[^\[\]{},:;،؛]+")
_REASON = "unreadable.plan"


@reader
def plan(raw: Any) -> Plan | None:
    """A plan, every part of it a list; None if the answer is that there is none."""
    if not isinstance(raw, str):
        return _normal(raw)
    text = text_of(raw)
    if phrase(text.rstrip(".")) in FAILURE_SET:
        return None
    if says_nothing(text):
        return []
    parser = _Text(text)
    found = parser.steps("", 0)
    if parser.peek() is not None:
        raise Unreadable(_REASON)
    return found[0] if len(found) == 1 and isinstance(found[0], list) else _flat(found)


def _normal(raw: Any) -> Plan:
    """Data as a plan; it is at most 20 levels deep."""
    if raw is None:
        raise Unreadable("unreadable.empty")
    if raw == {}:
        return []
    return _flat([_step(item) for item in (raw if isinstance(raw, list) else [raw])])


def _step(raw: Any) -> Any:
    if isinstance(raw, dict):
        if not raw:
            raise Unreadable(_REASON)
        states = {_state(name): _branch(item) for name, item in raw.items()}
        if len(states) < len(raw):
            raise Unreadable(_REASON)
        return states
    return _normal(raw) if isinstance(raw, list) else text_of(raw)


def _state(name: Any) -> str:
    state = text_of(name)
    return ELSE if phrase(state) in ELSE_SET else state


def _branch(raw: Any) -> Plan:
    return [] if isinstance(raw, str) and says_nothing(raw.strip()) else _normal(raw)


def _flat(steps: list[Any]) -> Plan:
    """A list among the steps is just more steps."""
    flat: Plan = []
    for step in steps:
        flat.extend(step if isinstance(step, list) else [step])
    return flat


class _Text:
    def __init__(self, text: str) -> None:
        self.tokens = [token.strip() for token in _words_apart(text) if token.strip()]
        self.at = 0

    def peek(self) -> str | None:
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self, token: str) -> bool:
        if self.peek() != token:
            return False
        self.at += 1
        return True

    def take_word(self, words: frozenset[str]) -> bool:
        token = self.peek()
        if token is None or phrase(token) not in words:
            return False
        self.at += 1
        return True

    def steps(self, closing: str, depth: int) -> list[Any]:
        """Steps up to the closing bracket, which is left to be taken; at the top, up to the end."""
        if depth > DEEPEST:
            raise Unreadable("unreadable.too-long")
        found: list[Any] = []
        if (self.peek() or "") == closing:
            return found
        while True:
            found.append(self.step(depth))
            if (self.peek() or "") == closing:
                return found
            if not any(self.take(mark) for mark in ",;،؛"):
                raise Unreadable(_REASON)

    def step(self, depth: int) -> Any:
        if self.peek() == "[":
            return self.block(depth)
        if self.take("{"):
            return self.mapping(depth)
        if self.take_word(IF_SET):
            return self.branches(depth)
        return self.name()

    def block(self, depth: int) -> Plan:
        if not self.take("["):
            return [self.name()]
        found = self.steps("]", depth + 1)
        if not self.take("]"):
            raise Unreadable(_REASON)
        return _flat(found)

    def branches(self, depth: int) -> dict[str, Plan]:
        """What follows an `if`: s1 then [b] else if s2 then [c] else []."""
        states: dict[str, Plan] = {}
        while True:
            state = self.name()
            if state in states or not self.take_word(THEN_SET):
                raise Unreadable(_REASON)
            states[state] = self.block(depth)
            if not self.take_word(ELSE_SET):
                return states
            if not self.take_word(IF_SET):
                states[ELSE] = self.block(depth)
                return states

    def mapping(self, depth: int) -> dict[str, Plan]:
        states: dict[str, Plan] = {}
        while True:
            state = ELSE if self.take_word(ELSE_SET) else self.name()
            if state in states or not self.take(":"):
                raise Unreadable(_REASON)
            states[state] = self.block(depth)
            if self.take("}"):
                return states
            if not any(self.take(mark) for mark in ",;،؛"):
                raise Unreadable(_REASON)

    def name(self) -> str:
        token = self.peek()
        if token is None or token in "[]{},:;،؛" or phrase(token) in IF_SET | THEN_SET | ELSE_SET:
            raise Unreadable(_REASON)
        self.at += 1
        return token


_CONDITIONAL = IF_SET | THEN_SET | ELSE_SET


def _words_apart(text: str) -> Iterable[str]:
    """Brackets, separators, the words of a condition, and names, which may have spaces in them."""
    for token in _TOKEN.findall(text):
        name: list[str] = []
        words = token.split()
        while words:
            # `si no` is one word of a condition, `si` another.
            length = 2 if len(words) > 1 and phrase(" ".join(words[:2])) in _CONDITIONAL else 1
            word, words = " ".join(words[:length]), words[length:]
            if phrase(word) in _CONDITIONAL:
                yield " ".join(name)
                yield word
                name = []
            else:
                name.append(word)
        yield " ".join(name)
