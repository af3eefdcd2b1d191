"""Counting: whatever is changed, the counts are those of the last answers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from grader.service.features.hall.live_rooms import MOST_SHOWN, AnswerTally

NODES = frozenset({"A", "B", "L1"})
SAID = st.lists(
    st.tuples(st.sampled_from(["values.A", "values.B", "pruned"]), st.sampled_from(["1", "2", "L1"]), st.booleans()),
    unique_by=lambda each: each[0],
    max_size=3,
)


@given(st.lists(st.tuples(st.integers(0, 3), SAID), max_size=12))
def test_changing_an_answer_is_as_if_only_the_last_had_come(
    changes: list[tuple[int, list[tuple[str, str, bool]]]],
) -> None:
    changed, last = AnswerTally(NODES), dict[int, list[tuple[str, str, bool]]]()
    for who, said in changes:
        if who in last:
            changed.add(last[who], -1)
        last[who] = said
        changed.add(said)
    plain = AnswerTally(NODES)
    for said in last.values():
        plain.add(said)
    for judged in (True, False):
        assert changed.warmth(judged) == plain.warmth(judged)
    for name in ("values.A", "values.B", "pruned"):
        assert changed.given(name) == plain.given(name)


def test_few_texts_are_shown_and_the_rest_is_summed_up() -> None:
    tally = AnswerTally(NODES)
    for number in range(10):
        tally.add([("values.A", str(number), number == 0)])
        tally.add([("values.A", "0", True)])
    shown, more = tally.given("values.A")
    assert (shown[0].text, shown[0].count, shown[0].share, shown[0].right) == ("0", 11, 10, True)
    assert len(shown) == MOST_SHOWN and sum(each.count for each in shown) + more == 20


def test_a_node_is_warm_by_who_spoke_of_it_or_by_who_was_right() -> None:
    tally = AnswerTally(NODES)
    tally.add([("values.A", "3", True), ("pruned", "L1, L7", False)])
    tally.add([("values.A", "4", False)])
    assert tally.warmth(judged=False) == {"A": (2, 4), "L1": (1, 2)}
    assert tally.warmth(judged=True) == {"A": (50, 2)}
