"""Hypothesis strategies: trees of every kind as the brute force reads them, and documents of each in every form."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from string import ascii_uppercase
from typing import Any

from brute_force import Tree, is_leaf, leaves, nodes, replaced
from hypothesis import strategies as st

# Few values, so that ties and cuts on equality are common; whole, decimal and other rationals.
FEW = st.sampled_from([Fraction(text) for text in ["-2", "-1", "0", "1", "2", "3", "1/3", "-5/2"]])
WINDOWS = st.tuples(FEW, FEW).filter(lambda pair: pair[0] < pair[1])


def minimax_trees(max_leaves: int = 12, most_children: int = 4, values: st.SearchStrategy[Any] = FEW) -> Any:
    """Any MAX/MIN tree: a leaf alone, unary nodes and the same turn twice in a row included."""
    ragged = st.recursive(
        values,
        lambda below: st.tuples(st.sampled_from(["max", "min"]), st.lists(below, min_size=1, max_size=most_children)),
        max_leaves=max_leaves,
    )
    return ragged | bushy_trees(3, values) | bushy_trees(4, values, most_children=2)


def bushy_trees(plies: int, values: st.SearchStrategy[Any] = FEW, most_children: int = 3) -> Any:
    """MAX and MIN in alternation, nearly everywhere `plies` deep: here bounds travel far enough for deep cuts."""
    level = values
    for ply in range(plies):
        children = st.lists(level, min_size=2, max_size=most_children)
        inner = st.tuples(st.just("min" if ply % 2 else "max"), children)
        level = inner if ply == plies - 1 else st.one_of(inner, inner, inner, values)
    return level


@st.composite
def distinct_trees(draw: Any, max_leaves: int = 12) -> Tree:
    """A MAX/MIN tree without two equal leaves."""
    tree = draw(minimax_trees(max_leaves))
    places = leaves(tree)
    return replaced(tree, dict(zip(places, draw(st.permutations(range(len(places)))), strict=True)))


@st.composite
def _chance(draw: Any, below: Any) -> Tree:
    children = draw(st.lists(below, min_size=1, max_size=3))
    weights = draw(
        st.lists(st.integers(0, 5), min_size=len(children), max_size=len(children)).filter(any)
        | st.just([1] * len(children))
    )
    return "chance", children, [Fraction(weight, sum(weights)) for weight in weights]


def chance_trees(max_leaves: int = 10) -> Any:
    """MAX, MIN and chance in any order, with exact probabilities, zero among them."""
    return st.recursive(
        FEW,
        lambda below: (
            st.tuples(st.sampled_from(["max", "min"]), st.lists(below, min_size=1, max_size=3)) | _chance(below)
        ),
        max_leaves=max_leaves,
    )


@dataclass(frozen=True)
class PlayersGame:
    tree: Tree
    players: list[str]
    teams: dict[str, list[str]] = field(default_factory=dict)

    @property
    def sides(self) -> list[str]:
        return list(self.teams) or self.players

    @property
    def side_of(self) -> dict[str, int]:
        groups = list(self.teams.values()) or [[player] for player in self.players]
        return {player: place for place, members in enumerate(groups) for player in members}

    @property
    def head(self) -> dict[str, Any]:
        return {"players": self.players, **({"teams": self.teams} if self.teams else {})}


@st.composite
def player_games(draw: Any, max_leaves: int = 8) -> PlayersGame:
    """Two to four players, alone or in teams, with vectors at the leaves."""
    players = ["Ann", "Bob", "Cem", "Dé"][: draw(st.integers(2, 4))]
    teams = draw(st.sampled_from([{}, {"North": players[::2], "East": players[1::2]}]))
    sides = len(teams or players)
    vectors = st.lists(st.sampled_from([0, 1, 2, Fraction(1, 3)]), min_size=sides, max_size=sides)
    tree = draw(
        st.recursive(
            vectors,
            lambda below: st.tuples(st.sampled_from(players), st.lists(below, min_size=1, max_size=3)) | _chance(below),
            max_leaves=max_leaves,
        )
    )
    return PlayersGame(tree, players, teams)


ANY_CONVENTION = st.fixed_dictionaries(
    {
        "cut": st.sampled_from(["at-bound", "past-bound"]),
        "update": st.sampled_from(["after-test", "before-test"]),
        "returns": st.sampled_from(["fail-soft", "fail-hard"]),
        "order": st.sampled_from(["left-to-right", "right-to-left"]),
    }
).filter(lambda keys: (keys["cut"], keys["returns"]) != ("past-bound", "fail-hard"))


# Documents.


def number(value: Any) -> Any:
    """As JSON writes it: whole numbers as such, others as text."""
    return value.numerator if value.denominator == 1 else f"{value.numerator}/{value.denominator}"


def leaf_value(leaf: Any) -> Any:
    return [number(each) for each in leaf] if isinstance(leaf, list) else number(leaf)


def letters() -> Iterator[str]:
    """A, …, Z, AA, AB, …, ZZ."""
    yield from ascii_uppercase
    yield from (first + second for first in ascii_uppercase for second in ascii_uppercase)


def nested(tree: Tree) -> Any:
    """Every node a mapping."""
    if is_leaf(tree):
        return {"value": leaf_value(tree)}
    children = [nested(child) for child in tree[1]]
    if tree[0] == "chance":
        children = [{"p": number(p), **child} for p, child in zip(tree[2], children, strict=True)]
    return {"turn": tree[0], "children": children}


def compact(tree: Tree, turns: list[str], depth: int = 0) -> Any:
    """Lists wherever the turn is the one that a list has at that depth, mappings elsewhere."""
    if is_leaf(tree):
        return leaf_value(tree)
    children = [compact(child, turns, depth + 1) for child in tree[1]]
    if tree[0] == "chance" and len(set(tree[2])) > 1:
        children = [
            {"p": number(p), **(each if isinstance(each, dict) else nested(child))}
            for p, child, each in zip(tree[2], tree[1], children, strict=True)
        ]
    if tree[0] == turns[depth % len(turns)]:
        return children
    return {"turn": tree[0], "children": children}


def flat(tree: Tree) -> dict[str, Any]:
    """Inner nodes under the names they would be given; every other leaf described under its own, the rest in place."""
    by_level = sorted((path for path, node in nodes(tree) if not is_leaf(node)), key=lambda path: (len(path), path))
    names = dict(zip(by_level, letters(), strict=False))
    in_place = {}
    for place, path in enumerate(leaves(tree), start=1):
        # Counters advance only for unnamed nodes, and step around written names: so the names come out the same.
        in_place[path] = place % 2 == 0 and path != ()
        names[path] = f"L{place}"

    def child(path: tuple[int, ...], node: Tree, chance: Any) -> Any:
        to = leaf_value(node) if in_place.get(path) else names[path]
        if chance is not None:
            return {"to": to, "p": number(chance)}
        return {"to": to} if isinstance(to, list) else to

    described = {}
    for path, node in nodes(tree):
        if is_leaf(node):
            if not in_place[path]:
                described[names[path]] = {"value": leaf_value(node)}
        else:
            chances = node[2] if node[0] == "chance" else [None] * len(node[1])
            below = [
                child((*path, place), each, chance)
                for place, (each, chance) in enumerate(zip(node[1], chances, strict=True))
            ]
            described[names[path]] = {"turn": node[0], "children": below}
    return {"root": names[()], "nodes": dict(reversed(described.items()))}


def document(tree: Tree, form: str = "nested", head: dict[str, Any] | None = None) -> dict[str, Any]:
    """A game/1 document as data."""
    start = {"plymark": "game/1", **(head or {})}
    if form == "flat":
        return {**start, **flat(tree)}
    if form == "compact":
        return {**start, "tree": compact(tree, start.get("players", ["max", "min"]))}
    return {**start, "tree": nested(tree)}


def as_json(data: dict[str, Any]) -> bytes:
    return json.dumps(data).encode()


def as_yaml(data: dict[str, Any]) -> bytes:
    """Blocks at the top, so that it can be nothing but YAML."""
    return "".join(f"{key}: {json.dumps(value, ensure_ascii=False)}\n" for key, value in data.items()).encode()


FORMS = ("nested", "compact", "flat")
