"""The parts of a page that every system shows alike: introduction, convention, question and boxes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from grader.delivery.systems.forms import Carried, Form
from grader.questions.registry import ask_of
from solver.game import ROOT

Escape = Callable[[str], str]
_START = "text-align:start"
"""A page whose own language runs the other way would align everything to its side."""
MOST_SPOKEN = 100
"""Nodes that a description may have."""
_APART = "white-space:nowrap;margin-inline-end:1.5em"


def introduction(of: Form, picture: str, html: Escape, narrow: str | None = None) -> Iterator[str]:
    """The text, the tree, and what the marks go by; `picture` is the address of the tree, `narrow` that of the
    tree for small screens: a system that keeps no choice in its pages leaves the first."""
    yield f'<div dir="{of.words.direction}" lang="{of.words.code}" style="{_START}">'
    if of.exercise.text:
        # The author's, whatever its language.
        yield f'<p dir="auto" style="{_START}">{html(of.words.own(of.exercise.text))}</p>'
    image = f'<img src="{picture}" alt="{html(_alternative(of))}" style="max-width:100%">'
    if narrow is not None and (phone := of.phone_picture()) is not None:
        source = f'<source media="(max-width: {phone.below}px)" srcset="{narrow}">'
        image = f"<picture>{source}{image}</picture>"
    yield f'<p dir="ltr">{image}</p>'
    if caption := of.tree.caption:
        yield f"<p><small>{html(caption)}</small></p>"
    if of.rules:
        yield f"<p>{html(' '.join(of.rules))}</p>"
    yield f"<p><small>({html(of.exercise.id)})</small></p></div>\n"


def question_title(of: Form, each: Carried, html: Escape) -> str:
    marks = of.words.number(each.question.marks)
    head = f'<p dir="{of.words.direction}" lang="{of.words.code}" style="{_START}">'
    return f"{head}<strong>{html(each.text)}</strong> ({html(marks)})</p>\n"


def labelled(of: Form, each: Carried, boxes: Sequence[str], html: Escape) -> str:
    """The boxes with what is beside each, left to right in every language: most items are names and numbers."""
    labels = (f"{html(item_label(of, each, box.item))}: " if box.item else "" for box in each.boxes)
    cells = (f'<span style="{_APART}">{label}{made}</span>' for label, made in zip(labels, boxes, strict=True))
    return f'<p dir="ltr">{" ".join(cells)}</p>\n'


def item_label(of: Form, each: Carried, item: str) -> str:
    """What an item is called in the language of the form."""
    return of.words.show(ask_of(each.question).called(item))


def _alternative(of: Form) -> str:
    """For those who do not see the tree: all of it in words; of a large one, how many leaves it has."""
    tree = of.exercise.game.tree
    title = of.exercise.game.title or of.exercise.title or of.exercise.id
    if len(tree) > MOST_SPOKEN:
        return f"{of.words.own(title)} ({len(tree.leaves)} □)"
    said = {item.node: item.spoken for item in of.tree.board.items}
    for node in reversed(tree.nodes):
        if tree.children[node]:
            said[node] += f" ({'; '.join(said[child] for child in tree.children[node])})"
    return f"{of.words.own(title)}: {said[ROOT]}"
