"""Conventions: the choices that textbooks and courses make differently, each declared and named, and the window that
the search of a root starts with under one.

`docs/conventions.md` says who teaches which and what each changes.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Any, Literal, TypeAlias, get_args

from solver.game.game_tree import Tree
from solver.kernel.errors import Refusal, UsageError, nearest, one_of
from solver.kernel.exact import Number, Plain, number_text, parse_number, plain

Infinity: TypeAlias = Literal["-inf", "inf"]
Bound: TypeAlias = Number | Infinity
Window: TypeAlias = tuple[Bound, Bound]

CutTest: TypeAlias = Literal["at-bound", "past-bound"]
Update: TypeAlias = Literal["after-test", "before-test"]
Returns: TypeAlias = Literal["fail-soft", "fail-hard"]
ChildOrder: TypeAlias = Literal["left-to-right", "right-to-left"]
Ties: TypeAlias = Literal["first", "last", "any"]
NamedWindow: TypeAlias = Literal["utilities", "bounds"]
Notation: TypeAlias = Literal["entry", "exit", "all", "inequality", "interval"]
DepthUnit: TypeAlias = Literal["ply", "round"]

CONVENTION_CHOICES: dict[str, tuple[str, ...]] = {
    "cut": get_args(CutTest),
    "update": get_args(Update),
    "returns": get_args(Returns),
    "order": get_args(ChildOrder),
    "ties": get_args(Ties),
    "window": get_args(NamedWindow),
    "write": get_args(Notation),
    "depth_unit": get_args(DepthUnit),
}


@dataclass(frozen=True, slots=True)
class Convention:
    cut: CutTest = "at-bound"
    """at-bound: MAX stops at v ≥ β, MIN at v ≤ α; past-bound: v > β, v < α."""
    update: Update = "after-test"
    """Whether α and β move after the cut test (AIMA 3e) or before it (AIMA 4e)."""
    returns: Returns = "fail-soft"
    """fail-hard clamps what every node returns to its entry window."""
    order: ChildOrder = "left-to-right"
    ties: Ties = "first"
    window: NamedWindow | Window = ("-inf", "inf")
    """The root's window; `utilities` is the smallest and largest leaf, `bounds` what the game declares."""
    write: Notation = "entry"
    """What is at a node in text and pictures."""
    depth_unit: DepthUnit = "ply"

    @property
    def name(self) -> str | None:
        """The name of the convention that is the same in every key, if there is one."""
        return next((name for name, convention in CONVENTIONS.items() if convention == self), None)

    def as_data(self) -> dict[str, Any]:
        return dict(_as_data(self))


def plain_bound(bound: Bound) -> Plain:
    """A bound as documents carry it."""
    return bound if isinstance(bound, str) else plain(bound)


@lru_cache(maxsize=64)
def _as_data(convention: Convention) -> dict[str, Any]:
    keys = {field.name: getattr(convention, field.name) for field in fields(convention)}
    if not isinstance(convention.window, str):
        keys["window"] = [plain_bound(bound) for bound in convention.window]
    return {"name": convention.name, **keys}


CONVENTIONS = {
    "aima3": Convention(),
    "aima4": Convention(update="before-test"),
    "strict": Convention(cut="past-bound"),
    "fail-hard": Convention(returns="fail-hard"),
}
DEFAULT = CONVENTIONS["aima3"]


def convention_from(data: Any) -> Convention:
    """A convention from what a document or the command line says: a name, or a mapping that starts from one."""
    if isinstance(data, str):
        return CONVENTIONS[one_of("convention", data, CONVENTIONS)]
    if not isinstance(data, dict):
        raise UsageError("a convention is a name or a mapping such as {like: aima3, cut: past-bound}")
    start = convention_from(data["like"]) if "like" in data else DEFAULT
    changes = {key: _choice(key, value) for key, value in data.items() if key != "like"}
    return sensible(replace(start, **changes))


def sensible(convention: Convention) -> Convention:
    """The same convention; a combination that makes no sense is refused with its reason."""
    if convention.cut == "past-bound" and convention.returns == "fail-hard":
        raise UsageError(
            "past-bound with fail-hard makes no sense: a value clamped to the window is never past its bound, "
            "so the search would hardly ever cut; choose fail-soft or at-bound"
        )
    return convention


def _choice(key: str, value: Any) -> Any:
    one_of("convention key", key, ["like", *CONVENTION_CHOICES])
    if key == "window" and isinstance(value, list):
        return _window(value)
    if not isinstance(value, str) or value not in CONVENTION_CHOICES[key]:
        allowed = ", ".join(CONVENTION_CHOICES[key]) + (" or two numbers such as [-inf, 5]" if key == "window" else "")
        meant = nearest(value, CONVENTION_CHOICES[key]) if isinstance(value, str) else None
        advice = "" if meant is None else f"; did you mean {meant}?"
        raise UsageError(f"{key} must be one of {allowed}; not {value!r}{advice}")
    return value


def _window(value: list[Any]) -> Window:
    bounds = [_bound(text) for text in value]
    if len(bounds) != 2 or bounds[0] == "inf" or bounds[1] == "-inf":
        raise UsageError("a window has a lower and an upper bound, such as [-inf, 5]")
    low, high = bounds
    if not isinstance(low, str) and not isinstance(high, str) and low >= high:
        raise UsageError(
            f"a window's lower bound must be below its upper bound: {number_text(low)} is not below {number_text(high)}"
        )
    return low, high


def _bound(text: Any) -> Bound:
    if text == "-inf":
        return "-inf"
    if text in ("inf", "+inf"):
        return "inf"
    number = parse_number(text) if isinstance(text, str) else None
    if number is None:
        raise UsageError(f"a window's bound is a number, -inf or inf; not {text!r}")
    return number


def declared_window(tree: Tree, convention: Convention) -> Window | None:
    """The root's window as far as it does not depend on the leaves; None if it is that of the utilities."""
    if not isinstance(convention.window, str):
        return convention.window
    if convention.window == "utilities":
        return None
    if tree.bounds is None:
        message = "the window should be the game's bounds, but the game declares none"
        raise Refusal(tree.ids[0], "window", message, "add bounds: [L, U]")
    return tree.bounds


def initial_window(tree: Tree, convention: Convention) -> Window:
    """The root's window; that of the utilities is from the smallest leaf to the largest."""
    declared = declared_window(tree, convention)
    if declared is not None:
        return declared
    values: Any = [tree.leaf[node] for node in tree.leaves]
    return min(values), max(values)
