"""Names for what a document leaves unnamed; written names win and generated ones step around them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

NO_NAME = ""


def letters() -> Iterator[str]:
    """A, B, …, Z, AA, AB, …"""
    count = 0
    while True:
        count += 1
        rest, name = count, ""
        while rest:
            rest, digit = divmod(rest - 1, 26)
            name = chr(ord("A") + digit) + name
        yield name


def name_nodes(
    ids: list[str],
    turns: Sequence[str | None],
    children: Sequence[Sequence[int]],
    duplicate: Callable[[int, int], None],
) -> None:
    """Inner nodes get letters breadth first, leaves L1, L2, … left to right; `duplicate` hears of equal written ids."""
    if len(set(ids)) == len(ids) and NO_NAME not in ids:
        return
    taken: dict[str, int] = {}
    for node, name in enumerate(ids):
        if name != NO_NAME and taken.setdefault(name, node) != node:
            duplicate(node, taken[name])
    if NO_NAME not in ids:
        return
    free_letters = (name for name in letters() if name not in taken)
    level = [0]
    while level:
        for node in level:
            if ids[node] == NO_NAME and turns[node] is not None:
                ids[node] = next(free_letters)
        level = [child for node in level for child in children[node]]
    count = 0
    for node, name in enumerate(ids):
        if name == NO_NAME:
            count += 1
            while f"L{count}" in taken:
                count += 1
            ids[node] = f"L{count}"


def name_moves(
    ids: Sequence[str], moves: list[str], children: Sequence[Sequence[int]], duplicate: Callable[[int, int], None]
) -> None:
    """Unnamed moves get the parent's id in lower case and the child's position: a1, a2, …; a taken one becomes a1_2."""
    for node, below in enumerate(children):
        if not below:
            continue
        written = {moves[child] for child in below}
        if len(written) == len(below) and NO_NAME not in written:
            continue
        taken: dict[str, int] = {}
        for child in below:
            if moves[child] != NO_NAME and taken.setdefault(moves[child], child) != child:
                duplicate(child, taken[moves[child]])
        stem = ids[node].lower()
        for position, child in enumerate(below, start=1):
            if moves[child] == NO_NAME:
                name = f"{stem}{position}"
                again = 1
                while name in taken:
                    again += 1
                    name = f"{stem}{position}_{again}"
                taken[name] = child
                moves[child] = name
