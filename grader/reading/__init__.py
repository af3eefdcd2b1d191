"""Answers as people write them: raw data, every scalar a string, to typed values, or Unreadable with a reason."""

from grader.reading.booleans import boolean
from grader.reading.counts import Counts, counts
from grader.reading.interval_set import EMPTY, EVERY, Interval, IntervalSet
from grader.reading.intervals import intervals
from grader.reading.names import Ambiguous, move, names
from grader.reading.numbers import UNVISITED, Bound, Unvisited, bound, extended, integer, number, says_unvisited, value
from grader.reading.plans import ELSE, plan
from grader.reading.refusal import REASONS, Unreadable, raw_text
from grader.reading.signs import folded, missing, same_name
from grader.reading.tokens import Extended, Number
from grader.reading.windows import Window, vector, window, windows

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
    "Interval",
    "IntervalSet",
    "Number",
    "Unreadable",
    "Unvisited",
    "Window",
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
    "plan",
    "raw_text",
    "same_name",
    "says_unvisited",
    "value",
    "vector",
    "window",
    "windows",
]
