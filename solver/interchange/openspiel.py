"""Games of OpenSpiel, grown to the end of the game, or to a depth where there is an evaluation.

OpenSpiel is an extra. Its probabilities and returns are floats: the fraction that each one stands for is recovered, or
the game is refused.
"""

from __future__ import annotations

import difflib
import importlib
import math
import re
from collections import deque
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NoReturn

from solver.game.game_tree import CHANCE, MAX, MIN
from solver.interchange import tictactoe
from solver.interchange.game_draft import (
    MOVE_LENGTH,
    TITLE_LENGTH,
    Draft,
    ImportedGame,
    UniqueNames,
    Value,
    as_text,
    plain_number,
)
from solver.kernel.errors import WHOLE_FILE, DocumentError, Limits, Problem, UsageError, needs_extra, quoted
from solver.kernel.exact import Number, Plain, simplest, total

MOST_NODES = 1_000_000
"""A game of more would take minutes to grow and no document could hold it."""
LARGEST_DENOMINATOR = 10_000
_NEAR = 1e-12

_GAME = re.compile(r"(?P<name>[a-z0-9_]+)(?:\(.*\))?", re.DOTALL)
_ACTIONS = re.compile("[0-9]{1,9}(?:,[0-9]{1,9})*")


def _open_lines(state: Any) -> int:
    return tictactoe.evaluation(str(state).replace("\n", "").upper())


EVALUATIONS: dict[str, Callable[[Any], int]] = {"tic_tac_toe": _open_lines}
"""By OpenSpiel's name of the game; where there is none, a tree cannot be cut off."""


def import_openspiel(text: str, depth: int | None, limits: Limits) -> ImportedGame:
    """A game by OpenSpiel's name, with its parameters, perhaps after some actions: `tic_tac_toe[4,0,8]`."""
    pyspiel = _pyspiel()
    name, actions = _split(text)
    game = _load(pyspiel, name)
    _require_sequential_and_open(pyspiel, game, name)
    growth = _Growth(pyspiel, game, depth, min(limits.nodes, MOST_NODES))
    try:
        growth.grow(_position(game, actions))
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        _refuse("import", f"OpenSpiel fails in {name}: {as_text(str(error), 200)}")
    head = {"title": game.get_type().long_name, "source": f"openspiel:{text}"}
    head = {key: as_text(label, TITLE_LENGTH) for key, label in head.items()}
    root = {"root": growth.draft.finish().ids[0]}
    return ImportedGame(head | growth.claims() | root, len(growth.draft), growth.draft.entries, limits)


class _Growth:
    """Grows the tree; two players with opposite interests become MAX and MIN."""

    def __init__(self, pyspiel: Any, game: Any, depth: int | None, most_nodes: int) -> None:
        self.draft = Draft()
        self.game = game
        self.depth = depth
        self.most_nodes = most_nodes
        self.players = [f"P{number}" for number in range(game.num_players())]
        self.opposed = len(self.players) == 2 and game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
        self.turns = [MAX, MIN] if self.opposed else self.players
        self.evaluation = EVALUATIONS.get(game.get_type().short_name)
        # As in tictactoe: a finished game must outweigh an estimate where the two are compared.
        self.scale = tictactoe.WIN_AMONG_ESTIMATES if self.evaluation and depth is not None else 1
        self.exact: dict[float, Number | None] = {}
        self.labels: dict[str, str] = {}
        self.sums: set[Number] = set()
        self.numbers: set[Number] = set()

    def grow(self, root: Any) -> None:
        """Level by level, so that a tree that is too large is known to be so after a few plies."""
        draft = self.draft
        # A child's state is made when its turn comes: until then its parent's and the action are enough.
        waiting: deque[tuple[Any, int | None, int, str, Plain | None, int]] = deque([(root, None, -1, "", None, 0)])
        while waiting:
            before, action, up, move, chance, depth = waiting.popleft()
            state = before if action is None else before.child(action)
            node = draft.add(up, move=move, probability=chance)
            if state.is_terminal():
                draft.leaf[node] = self.returns(state)
                continue
            if self.evaluation is not None:
                draft.estimate[node] = self.evaluation(state)
            if depth == self.depth:
                draft.leaf[node] = self.estimated(node)
                continue
            draft.turn[node] = CHANCE if state.is_chance_node() else self.turns[state.current_player()]
            moves = self.moves(state)
            if len(draft) + len(waiting) + len(moves) > self.most_nodes:
                _refuse(
                    "many-nodes",
                    f"there are more than {self.most_nodes:,} nodes from here to the end of the game",
                    "start from a later position, with the actions so far in brackets: openspiel:GAME[4,0,8]",
                )
            waiting.extend((state, action, node, name, chance, depth + 1) for action, name, chance in moves)

    def moves(self, state: Any) -> list[tuple[int, str, Plain | None]]:
        player, distinct = state.current_player(), UniqueNames()

        def name(action: int) -> str:
            written_there = state.action_to_string(player, action)
            if written_there not in self.labels:
                self.labels[written_there] = as_text(written_there, MOVE_LENGTH)
            label = self.labels[written_there]
            return distinct(label) if label else label

        if not state.is_chance_node():
            return [(action, name(action), None) for action in state.legal_actions()]
        outcomes = state.chance_outcomes()
        chances = [self.recovered(chance) for _, chance in outcomes]
        if None in chances or total(chance for chance in chances if chance is not None) != 1:
            shown = ", ".join(repr(chance) for _, chance in outcomes[:6])
            _refuse("import", f"the probabilities {shown} are not fractions that add up to exactly 1")
        return [
            (action, name(action), plain_number(chance))
            for (action, _), chance in zip(outcomes, chances, strict=True)
            if chance is not None
        ]

    def returns(self, state: Any) -> Value:
        exact = [self.recovered(number) for number in state.returns()]
        numbers = [self.scale * number for number in exact if number is not None]
        values = [value for number in numbers if (value := plain_number(number)) is not None]
        if len(values) < len(exact):
            _refuse("import", f"the returns {state.returns()} are not numbers that can be recovered exactly")
        self.numbers.update(numbers[:1] if self.opposed else numbers)
        added = total(numbers)
        if self.opposed and added != 0:
            _refuse("import", f"the returns {state.returns()} of a zero-sum game do not add up to 0")
        self.sums.add(added)
        return values[0] if self.opposed else values

    def estimated(self, node: int) -> Value:
        """What a node is worth where the depth limit stops at it."""
        if node not in self.draft.estimate:
            _refuse(
                "no-estimate",
                f"depth {self.depth} cuts off unfinished games, and OpenSpiel has no evaluation for them",
                f"leave --depth out; there is an evaluation for {', '.join(EVALUATIONS)} only",
            )
        return self.draft.estimate.pop(node)

    def claims(self) -> dict[str, Any]:
        """What OpenSpiel says about the game's numbers, and our format can: players, `sum` and `bounds`."""
        claims: dict[str, Any] = {}
        if not self.opposed:
            claims["players"] = self.players
            if len(self.sums) == 1 and len(self.players) > 1:
                claims["sum"] = plain_number(next(iter(self.sums)))
        low, high = (self.recovered(end) for end in (self.game.min_utility(), self.game.max_utility()))
        if low is not None and high is not None:
            bounds = [self.scale * low, self.scale * high]
            if all(bounds[0] <= number <= bounds[1] for number in self.numbers):
                claims["bounds"] = [plain_number(end) for end in bounds]
        return claims

    def recovered(self, number: float) -> Number | None:
        if number not in self.exact:
            self.exact[number] = exact_fraction(number)
        return self.exact[number]


def exact_fraction(number: float) -> Number | None:
    """The integer, or the fraction with a small denominator, that a float stands for; None if it is near none."""
    if not math.isfinite(number):
        return None
    if number.is_integer():
        return int(number)
    near = Fraction(number).limit_denominator(LARGEST_DENOMINATOR)
    return simplest(near) if abs(near - Fraction(number)) < _NEAR * max(1, abs(number)) else None


def _pyspiel() -> Any:
    # By name: most installations are without it, and it takes a while to load.
    with needs_extra("openspiel"):
        return importlib.import_module("pyspiel")


def _split(text: str) -> tuple[str, list[int]]:
    """`nim(pile_sizes=1;2)[0,1]` as the game and the actions."""
    game, bracket, actions = text[:-1].rpartition("[") if text.endswith("]") else (text, "", "")
    actions = actions.replace(" ", "")
    if not _GAME.fullmatch(game) or (bracket and not _ACTIONS.fullmatch(actions)):
        shape = "openspiel:GAME, openspiel:GAME(parameter=value) or openspiel:GAME[4,0,8], with the actions so far"
        raise UsageError(f"a game of OpenSpiel is written as {shape}; not {quoted(text)}")
    return game, [int(action) for action in actions.split(",") if action]


def _load(pyspiel: Any, name: str) -> Any:
    parts = _GAME.fullmatch(name)
    assert parts is not None
    known = pyspiel.registered_names()
    if parts["name"] not in known:
        close = difflib.get_close_matches(parts["name"], known, n=3)
        hint = f"; did you mean {' or '.join(close)}?" if close else ""
        raise UsageError(f"OpenSpiel has no game {quoted(parts['name'])}{hint}")
    try:
        return pyspiel.load_game(name)
    except (pyspiel.SpielError, RuntimeError, ValueError) as error:
        raise UsageError(f"OpenSpiel cannot make {quoted(name)}: {as_text(str(error), 200)}") from None


def _require_sequential_and_open(pyspiel: Any, game: Any, name: str) -> None:
    kind = pyspiel.GameType
    says = game.get_type()
    if says.dynamics != kind.Dynamics.SEQUENTIAL:
        _refuse("import", f"in {name} players move at the same time; only games of turns can be imported")
    if says.information != kind.Information.PERFECT_INFORMATION:
        _refuse("import", f"{name} has imperfect information; only games of perfect information can be imported")
    if says.chance_mode == kind.ChanceMode.SAMPLED_STOCHASTIC:
        _refuse("import", f"{name} does not say how likely its chance outcomes are")


def _position(game: Any, actions: list[int]) -> Any:
    """The state after some actions, chance's included."""
    state = game.new_initial_state()
    for count, action in enumerate(actions):
        legal = [] if state.is_terminal() else state.legal_actions()
        if action not in legal:
            after = f"after {actions[:count]}" if count else "at the start"
            named = (f"{number} ({state.action_to_string(state.current_player(), number)})" for number in legal[:12])
            allowed = f"the legal ones are {', '.join(named)}" if legal else "the game is over"
            raise UsageError(f"action {action} is not legal {after}; {allowed}{', …' if len(legal) > 12 else ''}")
        state.apply_action(action)
    return state


def _refuse(code: str, message: str, hint: str = "") -> NoReturn:
    raise DocumentError([Problem(WHOLE_FILE, code, message, hint)])
