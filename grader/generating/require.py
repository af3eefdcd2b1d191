"""What a recipe requires of every exercise: the keys of `require`."""

from __future__ import annotations

from typing import Any

from grader.generating.parts import MOST_CHILDREN, Requirements
from grader.generating.recipe_fields import RecipeFields, switch
from grader.mistakes.behaviour import mistake_of
from grader.mistakes.registry import MODELS
from solver.kernel import quoted

CUTS = ("pruned", "pruned_share", "alpha_cuts", "beta_cuts", "deep_cuts", "inner_cuts")
COUNTS = (*CUTS, "tempting_non_cut")
"""What is counted in one search."""
RANGES = (
    *COUNTS,
    "value",
    "denominator",
    "distinct_mistakes",
    "unknown_width",
    "unknown_parts",
    "depth_moves",
    "threshold",
)
SWITCHES = ("cut_on_last_child", "unique_move", "different_roots")
PROOF_KEYS = ("cut", "update", "returns", "ties")
"""Keys of the convention that must not change the answers of a convention-proof exercise."""


def read_requirements(written: dict[str, Any], fields: RecipeFields) -> Requirements:
    ranges = {name: fields.range(written, name) for name in RANGES if name in written}
    return Requirements(
        ranges={name: found for name, found in ranges.items() if found is not None},
        switches={name: switch(written[name]) for name in SWITCHES if name in written},
        move_at=_move_at(written, fields),
        proof=_proof(written.get("convention_proof", "false")),
        exposes=_exposes(written, fields),
        ucb_gap=fields.number(written, "ucb_gap", least=0) if "ucb_gap" in written else None,
        plan=fields.text(written, "plan"),
    )


def _move_at(written: dict[str, Any], fields: RecipeFields) -> tuple[int, ...] | str | None:
    places = written.get("move_at")
    if places is None or places == "not-first":
        return places
    if not isinstance(places, list):
        return (fields.whole_or(1, written, "move_at", 1, MOST_CHILDREN),)
    found = [fields.whole(places, place, MOST_CHILDREN) for place in range(len(places))]
    return tuple(sorted(each for each in found if each is not None))


def _proof(written: Any) -> tuple[str, ...]:
    if isinstance(written, list):
        return tuple(dict.fromkeys(str(key) for key in written))
    return PROOF_KEYS if switch(written) else ()


def _exposes(written: dict[str, Any], fields: RecipeFields) -> tuple[str, ...] | str | None:
    listed = written.get("exposes")
    if not isinstance(listed, list):
        return fields.text(written, "exposes")
    known = dict.fromkeys(mistake_of(model) for model in MODELS)
    for place, name in enumerate(listed):
        if name not in known:
            hint = fields.nearest(str(name), known)
            fields.report(listed, place, "wrong-value", f"there is no mistake {quoted(name)}", hint)
    return tuple(dict.fromkeys(map(str, listed)))
