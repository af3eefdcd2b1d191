"""Monte Carlo tree search: a paragraph for each step that was recorded, then how the visits went on."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

from solver.game.tree import ROOT
from solver.kernel.irrational import decimal_text
from solver.languages.facts import MOST_ITEMS, Amount, Fact, Formula, Items, Limit, Percent, Sentence
from solver.story.about import About
from solver.story.steps import Step


def sampled(about: About) -> Iterator[Step]:
    """No leaf is evaluated one after another here: every stage is 0."""
    run = about.solution.sampled
    assert run is not None
    found, digits = run.found, run.sampling.digits
    for step in found.trace:
        yield Step(0, step.path[-1], tuple(_iteration(about, step, digits)))
    for point in found.checkpoints:
        if about.tree.children[0] and (point.step > len(found.trace) or point.step == found.steps):
            yield Step(0, ROOT, (_checkpoint(about, point, digits),))


def _iteration(about: About, step: Any, digits: int) -> Iterator[Sentence]:
    for choice in step.choices[:MOST_ITEMS]:
        yield _selected(about, choice, digits)
    if len(step.choices) > MOST_ITEMS:
        yield Sentence("select.more", len(step.choices) - MOST_ITEMS)
    last = about.name(step.path[-1])
    if step.expanded is not None:
        yield Sentence("expand", None, {"node": last})
    elif step.choices:
        yield Sentence("expand.nothing", None, {"node": last})
    yield _simulated(about, step)
    counts = tuple(
        Formula((about.name(count.node), ": ", Limit(count.total), "/", Amount(count.visits)))
        for count in step.after[:MOST_ITEMS]
    )
    yield Sentence("propagate", None, {"counts": Items(counts, len(step.after))})


def _selected(about: About, choice: Any, digits: int) -> Sentence:
    facts: dict[str, Fact] = {"node": about.name(choice.node), "chosen": about.name(choice.chosen)}
    if choice.ucb1 is None:
        return Sentence("select.chance", None, facts)
    pairs = list(zip(choice.children, choice.ucb1, strict=True))
    if len(pairs) == 1:
        return Sentence("select.only", None, facts)
    values = tuple(
        Formula((about.name(child), " = ", Limit("inf") if isinstance(value, str) else _rounded(value, digits)))
        for child, value in pairs[:MOST_ITEMS]
    )
    facts["values"] = Items(values, len(pairs))
    new = sum(isinstance(value, str) for _, value in pairs)
    return Sentence("select.new" if new else "select.ucb1", None, facts)


def _simulated(about: About, step: Any) -> Sentence:
    facts: dict[str, Fact] = {"result": Limit(step.result)}
    if step.listed:
        return Sentence("playout.given", None, facts)
    if not step.playout:
        return Sentence("playout.none", None, {**facts, "node": about.name(step.path[-1])})
    return Sentence(
        "playout.drawn", None, {**facts, "nodes": Items(about.names(step.playout).shown, len(step.playout), "then")}
    )


def _checkpoint(about: About, point: Any, digits: int) -> Sentence:
    children = about.tree.children[0]
    shares = tuple(
        Formula((str(about.tree.move[child]), ": ", Percent(_rounded(100 * share, 0))))
        for child, share in list(zip(children, point.shares, strict=True))[:MOST_ITEMS]
    )
    facts: dict[str, Fact] = {"shares": Items(shares, len(children)), "estimate": _rounded(point.estimate, digits)}
    return Sentence("checkpoint", point.step, facts)


def _rounded(value: Any, digits: int) -> Decimal:
    return Decimal(decimal_text(value, digits).replace("−", "-"))
