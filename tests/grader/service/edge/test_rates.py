"""So many at once, so many a second, for whatever order of asking."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.service.base.service_problems import ServiceProblem
from grader.service.http.rates import ACCOUNT, GUESSES, MemoryRates, Rate, Rates, given_back, network_of, taken


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


RATES = st.builds(Rate, st.sampled_from([0.5, 1.0, 4.0, 20.0]), st.integers(1, 30))


@given(RATES, st.lists(st.floats(0, 3), max_size=120))
def test_no_stretch_of_time_has_more_than_the_rate(rate: Rate, pauses: list[float]) -> None:
    clock, let = Clock(), []
    rates = MemoryRates(clock)
    for pause in pauses:
        clock.now += pause
        if not rates.take_now("key", rate):
            let.append(clock.now)
    for first, began in enumerate(let):
        for last in range(first, len(let)):
            assert last - first + 1 <= rate.at_once + (let[last] - began) * rate.per_second + 1e-3


@given(RATES)
def test_as_many_at_once_as_promised_and_after_the_wait_one_more(rate: Rate) -> None:
    clock = Clock()
    rates = MemoryRates(clock)
    assert [rates.take_now("key", rate) for _ in range(rate.at_once)] == [0.0] * rate.at_once
    wait = rates.take_now("key", rate)
    assert 0 < wait <= 1 / rate.per_second + 1e-6
    assert rates.take_now("another", rate) == 0
    clock.now += wait
    assert rates.take_now("key", rate) == 0
    assert rates.take_now("key", rate) > 0


@given(RATES, st.floats(0, 1e6), st.floats(0, 100))
def test_what_is_given_back_was_not_taken(rate: Rate, until: float, later: float) -> None:
    kept, wait = taken(until, rate, until - later)
    assert given_back(kept, rate) == pytest.approx(until) if not wait else kept == until


def test_an_account_may_make_two_hundred_at_once() -> None:
    clock = Clock()
    rates = Rates(MemoryRates(clock))
    for _ in range(ACCOUNT.at_once):
        rates.account("p1")
    with pytest.raises(ServiceProblem) as refused:
        rates.account("p1")
    assert refused.value.status == 429 and refused.value.headers == {"Retry-After": "1"}
    rates.account("p2")
    clock.now += 1
    for _ in range(20):
        rates.account("p1")
    with pytest.raises(ServiceProblem):
        rates.account("p1")


def test_five_hundred_join_from_one_address_at_once_or_in_a_minute() -> None:
    for pause in (0.0, 60 / 500):
        clock = Clock()
        rates = Rates(MemoryRates(clock))
        for _ in range(500):
            clock.now += pause
            rates.joining("10.0.0.1")
            for _ in range(6):
                rates.address("10.0.0.1")


def guess(rates: Rates, account: str, address: str, right: bool = False) -> bool:
    async def attempt() -> None:
        await rates.password(account, address)
        if right:
            await rates.password_was_right(account, address)

    try:
        asyncio.run(attempt())
    except ServiceProblem as refused:
        return refused.status != 429 or int(refused.headers["Retry-After"]) < 1
    return True


def test_wrong_passwords_run_out_and_right_ones_do_not() -> None:
    rates = Rates(MemoryRates(Clock()))
    assert all(guess(rates, "right", "10.0.0.1", right=True) for _ in range(2000))
    assert [guess(rates, "wrong", "10.0.0.1") for _ in range(GUESSES.at_once + 1)] == [True] * GUESSES.at_once + [False]
    assert guess(rates, "wrong", "10.0.0.2"), "its owner, elsewhere"
    assert guess(rates, "other", "10.0.0.1")
    many = sum(guess(rates, "hunted", f"10.1.{i // 200}.{i % 200}") for i in range(300))
    assert many == 100, "one account, from whatever addresses"


def test_memory_is_bounded_and_the_busiest_are_remembered() -> None:
    rates = MemoryRates(Clock(), most_keys=100)
    rate = Rate(1, 10)
    for _ in range(10):
        rates.take_now("busy", rate)
    for number in range(1000):
        rates.take_now(f"once {number}", rate)
    assert len(rates) <= 100
    assert rates.take_now("busy", rate) > 0


def test_addresses_of_one_network_are_one() -> None:
    assert network_of("2001:db8::1") == network_of("2001:db8::ffff:2") != network_of("2001:db8:0:1::1")
    assert network_of("::ffff:10.0.0.1") == network_of("10.0.0.1") != network_of("10.0.0.2")
    assert network_of(None) == network_of("nonsense")
