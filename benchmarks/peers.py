"""The peers: the textbook over dictionaries, easyAI and OpenSpiel, each walking the same explicit tree.

Each peer is built once for a tree; `search` is timed, and `count` runs the same search with counting hooks.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from benchmarks.games import Uniform


@dataclass(frozen=True, slots=True)
class Count:
    """What a search found, and how many nodes it took."""

    value: float
    inner: int
    leaves: int


@dataclass(frozen=True, slots=True)
class Peer:
    name: str
    search: Callable[[], object]
    count: Callable[[], Count]


def peers(game: Uniform) -> list[Peer]:
    """Every peer that is installed."""
    found = [textbook(game)]
    if importlib.util.find_spec("easyAI"):
        found.append(easy_ai(game))
    if importlib.util.find_spec("pyspiel"):
        found.append(open_spiel(game))
    return found


class _Counter:
    inner = leaves = 0


def number(text: str) -> int | Fraction:
    return Fraction(text) if "/" in text else int(text)


# AIMA 3e, Figure 5.7, over dictionaries, recording nothing.


def max_value(node: dict[str, Any], alpha: Any, beta: Any) -> Any:
    if "value" in node:
        return node["value"]
    v = -math.inf
    for child in node["children"]:
        v = max(v, min_value(child, alpha, beta))
        if v >= beta:
            return v
        alpha = max(alpha, v)
    return v


def min_value(node: dict[str, Any], alpha: Any, beta: Any) -> Any:
    if "value" in node:
        return node["value"]
    v = math.inf
    for child in node["children"]:
        v = min(v, max_value(child, alpha, beta))
        if v <= alpha:
            return v
        beta = min(beta, v)
    return v


def textbook(game: Uniform) -> Peer:
    counter = _Counter()

    class Watched(dict[str, Any]):
        def __getitem__(self, key: str) -> Any:
            if key == "value":
                counter.leaves += 1
            else:
                counter.inner += 1
            return super().__getitem__(key)

    def grown(raw: Any, kind: Callable[..., Any]) -> dict[str, Any]:
        if isinstance(raw, str):
            return kind(value=number(raw))  # type: ignore[no-any-return]
        return kind(children=[grown(item, kind) for item in raw])  # type: ignore[no-any-return]

    root, watched = grown(game.nested(), dict), grown(game.nested(), Watched)

    def count() -> Count:
        value = max_value(watched, -math.inf, math.inf)
        return Count(float(value), counter.inner, counter.leaves)

    return Peer("the textbook's recursive dictionaries", lambda: max_value(root, -math.inf, math.inf), count)


def easy_ai(game: Uniform) -> Peer:
    """Negamax on a game with unmake_move, easyAI's fast way.

    It multiplies a leaf's score by 1 + 0.001 × the plies left; none are left at the leaves of a uniform tree.
    """
    from easyAI import Negamax, TwoPlayerGame  # type: ignore[import-not-found,import-untyped,unused-ignore]

    class Walk(TwoPlayerGame):  # type: ignore[misc]
        def __init__(self, root: Any) -> None:
            self.players: list[Any] = [None, None]
            self.current_player = 1
            self.node = root
            self.path: list[Any] = []

        def possible_moves(self) -> Any:
            return range(len(self.node))

        def make_move(self, move: int) -> None:
            self.path.append(self.node)
            self.node = self.node[move]

        def unmake_move(self, _move: int) -> None:
            self.node = self.path.pop()

        def is_over(self) -> bool:
            return type(self.node) is not list

        def scoring(self) -> Any:
            return self.node if self.current_player == 1 else -self.node

    counter = _Counter()

    class Watched(Walk):
        def possible_moves(self) -> Any:
            counter.inner += 1
            return super().possible_moves()

        def scoring(self) -> Any:
            counter.leaves += 1
            return super().scoring()

    def grown(raw: Any) -> Any:
        return number(raw) if isinstance(raw, str) else [grown(item) for item in raw]

    root = grown(game.nested())
    algorithm = Negamax(game.depth)

    def count() -> Count:
        algorithm(Watched(root))
        return Count(float(algorithm.alpha), counter.inner, counter.leaves)

    return Peer("easyAI's Negamax", lambda: algorithm(Walk(root)), count)


def open_spiel(game: Uniform) -> Peer:
    """alpha_beta_search on the explicit tree given in Gambit's EFG format, whose states OpenSpiel keeps in C++."""
    import pyspiel  # type: ignore[import-not-found,import-untyped,unused-ignore]
    from open_spiel.python.algorithms.minimax import alpha_beta_search  # type: ignore[import-not-found,import-untyped,unused-ignore]

    explicit = pyspiel.load_efg_game(_efg(game))
    counter = _Counter()

    class Watched:
        def __init__(self, state: Any) -> None:
            self.state = state

        def __getattr__(self, name: str) -> Any:
            return getattr(self.state, name)

        def clone(self) -> Watched:
            return Watched(self.state.clone())

        def legal_actions(self) -> Any:
            counter.inner += 1
            return self.state.legal_actions()

        def player_return(self, player: int) -> Any:
            counter.leaves += 1
            return self.state.player_return(player)

    def count() -> Count:
        value, _ = alpha_beta_search(explicit, state=Watched(explicit.new_initial_state()))
        return Count(value, counter.inner, counter.leaves)

    return Peer("OpenSpiel's alpha_beta_search", lambda: alpha_beta_search(explicit), count)


def _efg(game: Uniform) -> str:
    lines = ['EFG 2 R "uniform tree" { "max" "min" } ""']
    information_sets = [0, 0]
    outcomes = 0

    def write(raw: Any, player: int) -> None:
        nonlocal outcomes
        if isinstance(raw, str):
            outcomes += 1
            value = float(number(raw))
            lines.append(f't "" {outcomes} "" {{ {value!r} {-value!r} }}')
            return
        information_sets[player] += 1
        moves = " ".join(f'"{player}_{move}"' for move in range(len(raw)))
        lines.append(f'p "" {player + 1} {information_sets[player]} "" {{ {moves} }} 0')
        for item in raw:
            write(item, 1 - player)

    write(game.nested(), 0)
    return "\n".join(lines) + "\n"
