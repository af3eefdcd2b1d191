"""A misspelt name is answered with the one that was meant."""

from __future__ import annotations

import pytest

from solver.game import CONVENTION_CHOICES, CONVENTIONS, convention_from
from solver.kernel import Limits, UsageError, nearest, one_of
from solver.search import ALGORITHMS


@pytest.mark.parametrize("names", [CONVENTIONS, CONVENTION_CHOICES, ALGORITHMS, *CONVENTION_CHOICES.values()])
def test_every_name_is_found_however_it_is_capitalised(names: object) -> None:
    known = [str(name) for name in names]  # type: ignore[attr-defined]
    for name in known:
        assert nearest(name.upper(), known) == name
        assert nearest(name.replace("-", "_"), known) == name


def test_a_name_like_none_of_them() -> None:
    assert nearest("berkeley", CONVENTIONS) is None
    with pytest.raises(UsageError, match="unknown size 'x'; choose one of a4, letter"):
        one_of("size", "x", ["a4", "letter"])


def test_a_huge_name_takes_no_time() -> None:
    assert nearest("x" * 10**7, (f"node{number}" for number in range(10**9))) is None


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("amia4", "unknown convention 'amia4'; did you mean aima4?"),
        ("AIMA3", "did you mean aima3?"),
        ({"like": "stricht"}, "unknown convention 'stricht'; did you mean strict?"),
        ({"ctu": "at-bound"}, "unknown convention key 'ctu'; did you mean cut?"),
        ({"cut": "past_bound"}, "not 'past_bound'; did you mean past-bound?"),
        ({"ties": "frist"}, "not 'frist'; did you mean first?"),
    ],
)
def test_conventions(written: object, said: str) -> None:
    with pytest.raises(UsageError) as caught:
        convention_from(written)
    assert said in str(caught.value)


def test_limits() -> None:
    with pytest.raises(UsageError, match="unknown limit 'nods'; did you mean nodes"):
        Limits().with_settings(["nods=3"])
