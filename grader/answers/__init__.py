"""Answers as people write them: raw data, every scalar a string, to typed values, or Unreadable with a reason."""

from grader.answers.booleans import boolean
from grader.answers.counts import Counts, counts
from grader.answers.interval_set import EMPTY, EVERY, IntervalSet, NumberInterval
from grader.answers.intervals import intervals
from grader.answers.names import Ambiguous, move, names
from grader.answers.numbers import (
    UNVISITED,
    Bound,
    Unvisited,
    amount,
    bound,
    extended,
    integer,
    number,
    says_unvisited,
    value,
)
from grader.answers.pairs import pairs
from grader.answers.plans import ELSE, plan
from grader.answers.refusal import REASONS, Unreadable, raw_text
from grader.answers.signs import folded, missing, same_name, without_direction_marks
from grader.answers.tokens import Extended, Number
from grader.answers.windows import Window, vector, window, windows

__all__ = [
    "ELSE",
    "EMPTY",
    "EVERY",
    "REASONS",
    "UNVISITED",
    "Ambiguous",
    "Bound",
    "Counts",
    "Extended",
    "IntervalSet",
    "Number",
    "NumberInterval",
    "Unreadable",
    "Unvisited",
    "Window",
    "amount",
    "boolean",
    "bound",
    "counts",
    "extended",
    "folded",
    "integer",
    "intervals",
    "missing",
    "move",
    "names",
    "number",
    "pairs",
    "plan",
    "raw_text",
    "same_name",
    "says_unvisited",
    "value",
    "vector",
    "window",
    "windows",
    "without_direction_marks",
]
