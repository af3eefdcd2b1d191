"""Several answers by one student: which of them counts.

The latest is told by `submitted` where all of a student's answers have one that can be read, else by the order in which
they came. The best is that with most marks; among equals, the latest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from hashlib import blake2b

from grader.documents.answer import Answer

LATEST, BEST = POLICIES = ("latest", "best")


def in_order(submitted: Sequence[str | None]) -> list[int]:
    """The places of answers, earliest first, by when each was submitted."""
    places = list(range(len(submitted)))
    times = [_time(each) for each in submitted]
    known = [time for time in times if time is not None]
    # Times with and without an offset cannot be compared.
    if len(known) < len(times) or len({time.utcoffset() is None for time in known}) > 1:
        return places
    return sorted(places, key=lambda place: (known[place], place))


def _time(text: str | None) -> datetime | None:
    try:
        return None if text is None else datetime.fromisoformat(text.strip())
    except ValueError:
        return None


class Attempts:
    """Who answered how often, and when; found by going through all answers once. Of each only a short note is kept."""

    def __init__(self, answers: Iterable[object] = ()) -> None:
        self._of: dict[bytes, tuple[tuple[int, str | None], ...]] = {}
        for number, answer in enumerate(each for each in answers if isinstance(each, Answer)):
            name = _digest(answer.student)
            self._of[name] = (*self._of.get(name, ()), (number, answer.submitted))

    def of(self, student: str) -> list[int]:
        """The numbers of a student's answers among all answers, from 0, earliest first."""
        noted = self._of.get(_digest(student), ())
        if len(noted) == 1:
            return [noted[0][0]]
        return [noted[place][0] for place in in_order([submitted for _, submitted in noted])]


def _digest(name: str) -> bytes:
    """Eight bytes in place of a name of any length."""
    return blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest()
