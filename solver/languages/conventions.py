"""Conventions and their choices as people read of them; documents keep the ids."""

from __future__ import annotations

from collections.abc import Sequence

from solver.game.convention import Convention
from solver.languages.facts import Between, Fact, Items, Sentence

_NAMES = {
    "aima3": "convention.aima3",
    "aima4": "convention.aima4",
    "strict": "convention.strict",
    "fail-hard": "convention.fail-hard",
}
_CHOICES = {
    "cut": "choice.cut",
    "update": "choice.update",
    "returns": "choice.returns",
    "order": "choice.order",
    "ties": "choice.ties",
    "window": "choice.window",
    "write": "choice.write",
    "depth_unit": "choice.depth-unit",
}
_VALUES: dict[tuple[str, str], Fact] = {
    ("cut", "at-bound"): "≥, ≤",
    ("cut", "past-bound"): ">, <",
    ("update", "after-test"): Sentence("choice.update.after"),
    ("update", "before-test"): Sentence("choice.update.before"),
    ("order", "left-to-right"): Sentence("choice.order.left"),
    ("order", "right-to-left"): Sentence("choice.order.right"),
    ("ties", "first"): Sentence("choice.ties.first"),
    ("ties", "last"): Sentence("choice.ties.last"),
    ("ties", "any"): Sentence("choice.ties.any"),
    ("window", "utilities"): Sentence("choice.window.utilities"),
    ("window", "bounds"): Sentence("choice.window.bounds"),
    ("write", "entry"): Sentence("choice.write.entry"),
    ("write", "exit"): Sentence("choice.write.exit"),
    ("write", "all"): Sentence("choice.write.all"),
    ("write", "inequality"): Sentence("choice.write.inequality"),
    ("write", "interval"): Sentence("choice.write.interval"),
    ("depth_unit", "ply"): Sentence("choice.depth-unit.ply"),
    ("depth_unit", "round"): Sentence("choice.depth-unit.round"),
}


def convention_name(convention: Convention, changed: Sequence[str] = ()) -> Fact:
    """A convention by its name, or by the choices that are not the declared ones."""
    if convention.name:
        return Sentence(_NAMES[convention.name])
    if not changed:
        return Sentence("convention.own")
    made = tuple(
        Sentence("choice.made", None, {"choice": choice_name(key), "value": _value(convention, key)}) for key in changed
    )
    return Items(made, len(made), "then")


def choice_name(key: str) -> Sentence:
    """What is chosen, such as the order of the children."""
    return Sentence(_CHOICES[key])


def _value(convention: Convention, key: str) -> Fact:
    value = getattr(convention, key)
    return Between(value) if isinstance(value, tuple) else _VALUES.get((key, value), str(value))
