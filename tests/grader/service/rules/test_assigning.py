"""What an assignment says, as teachers write it and as the store keeps it."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import RuleViolation
from grader.service.rules.assignment_dates import Dates, Extension, check_dates
from grader.service.rules.assignment_rules import (
    DEFAULTS,
    merged,
    read_extension,
    read_fields,
    stored_dates,
    told_dates,
    written_fields,
)
from grader.service.rules.times import moment_text
from tests.grader.service.rules.strategies import dates, extensions, moments

LISBON = ZoneInfo("Europe/Lisbon")
NOON = 1_800_000_000_000_000
shares = st.fractions(0, 1, max_denominator=50).map(str)
late_rules = st.one_of(st.none(), st.fixed_dictionaries({"per_day": shares}, optional={"at_most": shares}))
choices = st.fixed_dictionaries(
    {
        "counts": st.sampled_from(["best", "last"]),
        "late": late_rules,
        "variants": st.sampled_from(["same", "fresh"]),
        "feedback_before": st.sampled_from(["receipt", "none", "marks", "hints", "full"]),
        "released": st.booleans(),
    }
)


def written(found: Dates, chosen: dict[str, Any]) -> dict[str, Any]:
    return {**DEFAULTS, "opens": moment_text(found.opens), **told_dates(found), **chosen}


@given(dates(), choices)
def test_what_is_written_is_kept_and_told_again(found: Dates, chosen: dict[str, Any]) -> None:
    kept = read_fields(written(found, chosen), LISBON, NOON)
    told = written_fields(kept)
    assert read_fields(told, ZoneInfo("Asia/Tokyo"), 0) == kept
    assert told["opens"] == moment_text(found.opens)
    assert merged(told, {}) == told
    assert not check_dates(stored_dates(kept))


@given(dates(), choices, dates(), choices)
def test_a_patch_changes_what_it_names(found: Dates, chosen: dict[str, Any], other: Dates, new: dict[str, Any]) -> None:
    before, patch = written(found, chosen), written(other, {**new, "late": None})
    for name, value in patch.items():
        after = merged(before, {name: value})
        assert after[name] == value and {**after, name: before[name]} == before
    assert merged(before, patch) == patch


def test_a_patch_of_the_late_rule_changes_part_of_it() -> None:
    kept = {**DEFAULTS, "opens": moment_text(NOON), "late": {"per_day": "1/10", "at_most": "1/2"}}
    assert merged(kept, {"late": {"at_most": "1"}})["late"] == {"per_day": "1/10", "at_most": "1"}
    assert merged(kept, {"late": {"at_most": None}})["late"] == {"per_day": "1/10"}
    assert merged(kept, {"late": None})["late"] is None
    assert merged({**kept, "late": None}, {"late": {"per_day": "1"}})["late"] == {"per_day": "1"}
    with pytest.raises(RuleViolation, match="opens"):
        merged(kept, {"opens": None})


@given(moments, moments)
def test_without_a_time_it_opens_now_or_before_it_was_due(due: int, now: int) -> None:
    kept = read_fields({**DEFAULTS, "due": moment_text(due)}, LISBON, now)
    assert kept["opens"] == min(now, due) and not check_dates(stored_dates(kept))


@given(extensions)
def test_an_extension_is_read_as_it_is_told(extension: Extension) -> None:
    told = told_dates(extension)
    assert read_extension(told, LISBON) == extension
    assert read_extension({name: value for name, value in told.items() if value is not None}, LISBON) == extension
