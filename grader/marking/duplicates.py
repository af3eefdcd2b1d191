"""Several answers by one student: which of them counts.

The latest is told by `submitted` where all of a student's answers have one that can be read, else by the order in which
they came. The best is that with most marks; among equals, the latest.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import blake2b

from grader.documents.answer_file import Answer

LATEST, BEST = POLICIES = ("latest", "best")


BUCKETS = 256
_UNKNOWN = -(1 << 62)
"""In place of a time that nobody knows."""


def in_order(submitted: Sequence[str | None]) -> list[int]:
    """The places of answers, earliest first, by when each was submitted."""
    return _in_order([_stamp(each) for each in submitted])


def _in_order(stamps: Sequence[int]) -> list[int]:
    places = list(range(len(stamps)))
    # Times with and without an offset cannot be compared.
    if _UNKNOWN in stamps or len({stamp & 1 for stamp in stamps}) > 1:
        return places
    return sorted(places, key=lambda place: (stamps[place], place))


def _stamp(text: str | None) -> int:
    """A time in microseconds, doubled; odd with an offset."""
    if text is None:
        return _UNKNOWN
    try:
        time = datetime.fromisoformat(text.strip())
    except ValueError:
        return _UNKNOWN
    aware = time.utcoffset() is not None
    return 2 * ((time - datetime(1, 1, 1, tzinfo=UTC if aware else None)) // timedelta(microseconds=1)) + aware


class Attempts:
    """Who answered how often, and when; found by going through all answers once.

    While that is done, three numbers are kept of each answer; then only those of students who gave several.
    """

    def __init__(self, answers: Iterable[object] = ()) -> None:
        self.total = 0
        """Of all that was gone through, broken ones too."""
        number = 0
        buckets = [_Bucket() for _ in range(BUCKETS)]
        for each in answers:
            self.total += 1
            if isinstance(each, Answer):
                digest = _digest(each.student)
                buckets[digest % BUCKETS].add(digest, number, _stamp(each.submitted))
                number += 1
        self._several = {digest: numbers for bucket in buckets for digest, numbers in bucket.several()}

    def of(self, student: str, number: int) -> list[int]:
        """The numbers of a student's answers among all answers, from 0, earliest first; one of them is known."""
        numbers = self._several.get(_digest(student), ())
        # A file that changed in between may have other answers now.
        return list(numbers) if number in numbers else [number]


class _Bucket:
    """Some of all answers, in order, such that one student's are together."""

    def __init__(self) -> None:
        self.digests, self.numbers, self.stamps = array("Q"), array("Q"), array("q")

    def add(self, digest: int, number: int, stamp: int) -> None:
        self.digests.append(digest)
        self.numbers.append(number)
        self.stamps.append(stamp)

    def several(self) -> Iterator[tuple[int, tuple[int, ...]]]:
        places: dict[int, list[int]] = {}
        for place, digest in enumerate(self.digests):
            places.setdefault(digest, []).append(place)
        for digest, here in places.items():
            if len(here) > 1:
                ordered = _in_order([self.stamps[place] for place in here])
                yield digest, tuple(self.numbers[here[place]] for place in ordered)


def _digest(name: str) -> int:
    """Eight bytes in place of a name of any length."""
    return int.from_bytes(blake2b(name.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
