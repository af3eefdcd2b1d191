"""A property computed once: like `functools.cached_property`, without the lock that it takes in Python 3.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

Found = TypeVar("Found")


class lazy(Generic[Found]):  # noqa: N801
    def __init__(self, compute: Callable[[Any], Found]) -> None:
        self.compute = compute
        self.name = compute.__name__
        self.__doc__ = compute.__doc__

    @overload
    def __get__(self, owner: None, kind: type) -> Self: ...
    @overload
    def __get__(self, owner: object, kind: type) -> Found: ...
    def __get__(self, owner: object | None, kind: type) -> Self | Found:
        if owner is None:
            return self
        # Kept beside the fields of the instance, where Python finds it before it comes here again.
        found = owner.__dict__[self.name] = self.compute(owner)
        return found
