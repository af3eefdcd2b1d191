"""What a student is told, and that nobody's key is shown while somebody may still hand in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import RuleViolation
from grader.service.rules.assignment_dates import Dates, Extension, attempt_ends, effective, may_start, may_submit
from grader.service.rules.assignment_rules import (
    LEVELS,
    FeedbackRule,
    closes_for_all,
    has_report,
    level_due,
    read_level,
    state_told,
)
from tests.grader.service.rules.strategies import HOUR, dates, extensions, moments

levels = st.sampled_from(LEVELS)
feedback_rules = st.builds(FeedbackRule, levels, levels, st.booleans())


def test_by_default_a_receipt_then_everything() -> None:
    assert [level_due(FeedbackRule(), HOUR, now) for now in (0, HOUR, HOUR + 1)] == ["receipt", "receipt", "full"]
    assert level_due(FeedbackRule(released=True), HOUR, 0) == "full"


@given(feedback_rules, moments)
def test_what_never_closes_is_never_after_unless_released(rule: FeedbackRule, now: int) -> None:
    assert level_due(rule, None, now) == (rule.after if rule.released else rule.before)


def test_everybody_waits_for_the_last_extension() -> None:
    given_ = Dates(0, HOUR, HOUR, minutes=60)
    assert closes_for_all(given_, []) == HOUR
    assert closes_for_all(given_, [Extension(due=3 * HOUR), Extension(minutes=90)]) == 3 * HOUR
    assert closes_for_all(Dates(0, HOUR), [Extension(due=3 * HOUR)]) is None


@given(feedback_rules, dates(), st.lists(extensions, max_size=4), moments, moments)
def test_after_means_that_nobody_can_hand_in(
    rule: FeedbackRule, given_: Dates, extended: list[Extension], started: int, now: int
) -> None:
    """Not those with extensions either, nor whoever is in an attempt with a time limit."""
    closing = closes_for_all(given_, extended)
    everybody = [given_, *(effective(given_, each) for each in extended)]
    someone_can = any(may_start(each, 0, now) is None for each in everybody)
    someone_is_at_it = any(
        may_start(each, 0, started) is None and started <= now and may_submit(each, started, now) is None
        for each in everybody
    )
    if someone_can or someone_is_at_it:
        assert level_due(rule, closing, now) == (rule.after if rule.released else rule.before)
    if closing is not None and now > closing:
        assert level_due(rule, closing, now) == rule.after
        assert all(attempt_ends(each, started) is not None for each in everybody)


@given(dates(), st.lists(extensions, max_size=4), extensions)
def test_another_extension_never_brings_it_forward(given_: Dates, extended: list[Extension], more: Extension) -> None:
    before, after = closes_for_all(given_, extended), closes_for_all(given_, [*extended, more])
    assert after == before or (before is not None and after is not None and after > before)
    assert closes_for_all(given_, [more, *extended]) == after


def test_a_receipt_tells_nothing_of_marking() -> None:
    assert [has_report(level) for level in LEVELS] == [False, True, True, True, True]
    assert {state_told("receipt", state) for state in ("received", "marked", "failed")} == {"received"}
    assert state_told("none", "marked") == "marked"


def test_an_unknown_level_is_told() -> None:
    assert [read_level(level, "feedback_after") for level in LEVELS] == list(LEVELS)
    for value in ("all", None, 3, ["full"]):
        with pytest.raises(RuleViolation, match="feedback_after is one of receipt, none, marks, hints, full, not"):
            read_level(value, "feedback_after")
