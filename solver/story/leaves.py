"""What a leaf shows."""

from __future__ import annotations

from solver.game.tree import Loop, Outcome
from solver.languages.facts import Sentence
from solver.story.about import About, fact
from solver.story.happenings import Happening


def is_clamped(about: About, happening: Happening) -> bool:
    """Whether fail-hard returns another number than the leaf's own."""
    return about.search is not None and happening.value != about.solution.values[happening.node]


def clamped(about: About, happening: Happening) -> Sentence:
    leaf = happening.node
    facts = {
        "leaf": about.name(leaf),
        "value": fact(about.solution.values[leaf]),
        "window": about.window(leaf),
        "handed": fact(happening.value),
    }
    return Sentence("leaf.clamped", None, facts)


def leaf_sentence(about: About, happening: Happening) -> Sentence:
    leaf = happening.node
    name, what = about.name(leaf), about.tree.leaf[leaf]
    if isinstance(what, Loop):
        return Sentence("leaf.loop", None, {"leaf": name, "target": what.target})
    if isinstance(what, Outcome):
        return Sentence("leaf.goal" if what is Outcome.GOAL else "leaf.failure", None, {"leaf": name})
    if is_clamped(about, happening):
        return clamped(about, happening)
    key = "leaf.estimate" if about.is_estimate(leaf) else "leaf.value"
    return Sentence(key, None, {"leaf": name, "value": fact(happening.value)})
