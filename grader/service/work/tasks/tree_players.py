"""Players are declared, renamed or given up, and unknowns declared: what the tree says of them changes with it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.service.work.tasks.tree_places import CHANCE, PLAIN_TURNS, TREE, TURN, VALUE, Placed, TreeText, tree_text
from grader.service.work.tasks.tree_text import Span, appended, replaced, spans, spelt_scalar, without_pair
from solver.kernel import UsageError, number_text, parse_number

PLAYERS, UNKNOWNS = "players", "unknowns"
MOST = 7
"""Players that pictures have colours for."""
Edit = tuple[int, int, str]


def set_players(text: str, tree: TreeText, _node: Placed, to: str) -> str:
    """Names with commas between, or none. Who was MAX becomes the first, who was MIN the second; a leaf's number
    becomes a vector, of two players the number and its opposite."""
    names = [each for part in re.split(r"[,;،]", to) if (each := part.strip())]
    _require_fit(tree, names)
    if tuple(names) == tree.players:
        return text
    edits = [edit for each in tree.nodes() for edit in _node_edits(text, tree, each, names)]
    levels = tree.game.get("levels")
    for each in levels.items if levels is not None else []:
        edits.append((each.start, each.end, spelt_scalar(_turn(tree.players, names, each.text))))
    declared = tree.game.get(PLAYERS)
    if declared is None:
        edits.append(_declaration(tree, PLAYERS, names))
    elif len(declared.items) == len(names):
        edits += [(old.start, old.end, spelt_scalar(new)) for old, new in zip(declared.items, names, strict=True)]
    elif names:
        edits.append((declared.start, declared.end, _listed(names)))
    for start, end, new in sorted(edits, reverse=True):
        text = replaced(text, start, end, new)
    return text if names else without_pair(text, tree_text(spans(text)).game, PLAYERS)


def with_unknowns(text: str, tree: TreeText, names: list[str]) -> str:
    """With these names declared, where they are not yet."""
    declared = tree.game.get(UNKNOWNS)
    known = [each.text for each in declared.items] if declared is not None else []
    new = [name for name in dict.fromkeys(names) if name not in known]
    if not new:
        return text
    if declared is None:
        return replaced(text, *_declaration(tree, UNKNOWNS, new))
    for name in new:
        found = tree_text(spans(text)).game.get(UNKNOWNS)
        assert found is not None
        text = appended(text, found, spelt_scalar(name))
    return text


def _require_fit(tree: TreeText, names: list[str]) -> None:
    if "teams" in tree.game.names:
        raise UsageError("this game has teams: change its players in the text")
    if len(names) > MOST:
        raise UsageError(f"at most {MOST} players, not {len(names)}")
    taken = [name for name in names if name in PLAIN_TURNS]
    if taken:
        raise UsageError(f"{taken[0]} is not a player's name: without players it is MAX's and MIN's turn")
    if len(set(names)) < len(names):
        raise UsageError("two players have the same name")


def _node_edits(text: str, tree: TreeText, node: Placed, names: list[str]) -> Iterator[Edit]:
    if node.turn is not None:
        said = node.span.get(TURN) if node.span.kind == "mapping" else None
        if said is not None:
            yield said.start, said.end, spelt_scalar(_turn(tree.players, names, said.text))
        return
    value = node.span.get(VALUE) if node.span.kind == "mapping" else node.span
    if value is not None:
        yield value.start, value.end, _vector(_numbers(text, tree, value), len(names))


def _numbers(text: str, tree: TreeText, value: Span) -> list[str]:
    if value.kind == "mapping":
        found = (value.get(name) for name in tree.players)
        return [text[each.start : each.end] if each is not None else "0" for each in found]
    parts = value.items if value.kind == "list" else [value]
    return [text[each.start : each.end] for each in parts]


def _vector(numbers: list[str], count: int) -> str:
    if not count:
        return numbers[0]
    if count == 2 and len(numbers) == 1:
        number = parse_number(numbers[0])
        numbers = [*numbers, number_text(-number) if number is not None else "0"]
    return f"[{', '.join([*numbers, *('0' for _ in range(count))][:count])}]"


def _turn(before: tuple[str, ...], names: list[str], turn: str) -> str:
    old = before or ("max", "min")
    if turn == CHANCE or turn not in old:
        return turn
    new = names or ["max", "min"]
    return new[old.index(turn) % len(new)]


def _declaration(tree: TreeText, key: str, names: list[str]) -> Edit:
    """Before the tree."""
    place = tree.game.key(TREE)
    assert place is not None
    between = ", " if tree.game.flow else f"\n{' ' * tree.game.column}"
    return place.start, place.start, f"{key}: {_listed(names)}{between}"


def _listed(names: list[str]) -> str:
    return f"[{', '.join(map(spelt_scalar, names))}]"
