"""A cache keeps what was asked for last, in threads too."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from solver.kernel import LruCache


def test_what_was_not_asked_for_longest_is_made_again() -> None:
    cache: LruCache[str, str] = LruCache(2)
    made: list[str] = []

    def ask(key: str) -> str:
        return cache.get(key, lambda: made.append(key) or key.upper())  # type: ignore[func-returns-value]

    assert [ask(key) for key in "abacbca"] == list("ABACBCA")
    assert made == ["a", "b", "c", "b", "a"]


def test_threads_share_it() -> None:
    cache: LruCache[int, int] = LruCache(3)
    with ThreadPoolExecutor(8) as threads:
        asked = [number * 7 % 5 for number in range(4_000)]
        assert list(threads.map(lambda key: cache.get(key, lambda: key * key), asked)) == [key * key for key in asked]
