"""What a game says at its top: players, teams, unknowns, weights, levels, claims."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from solver.documents.document import REPORTED, Document
from solver.game.game_tree import MAX, MIN, TURN_WORDS
from solver.kernel.errors import ProblemLog, quoted
from solver.kernel.exact import Number, number_advice, parse_number

MOST_COMPARED = 100
FEW = 10


def first_few(names: Sequence[str]) -> str:
    """Names in a message: the first ten, and how many more there are."""
    more = f" and {len(names) - FEW:,} more" if len(names) > FEW else ""
    return ", ".join(names[:FEW]) + more


def nfc(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def turn_named(text: str, players: Collection[str]) -> str:
    """The turn that is meant: a player by the very name, or a turn word however it is capitalised."""
    turn = nfc(text)
    word = turn.lower()
    return word if word in TURN_WORDS and turn not in players else turn


@dataclass(frozen=True, slots=True)
class Declarations:
    players: tuple[str, ...]
    teams: dict[str, tuple[str, ...]]
    unknowns: tuple[str, ...]
    weights: dict[str, Number]
    levels: tuple[str, ...]
    levels_written: bool
    sum: Number | None
    bounds: tuple[Number, Number] | None
    exploration: Number | None
    playouts: tuple[Number, ...]

    @property
    def sides(self) -> tuple[str, ...]:
        return tuple(self.teams) or self.players

    @property
    def turns(self) -> tuple[str, ...]:
        """Every turn that a node may have."""
        return (*self.players, "chance") if self.players else TURN_WORDS

    def turn_hint(self, turn: str) -> str:
        """Only the first turns are compared: a game of thousands of players has other worries."""
        # Imported only here: games without mistakes never need it.
        import difflib

        close = difflib.get_close_matches(turn.lower(), self.turns[:MOST_COMPARED], n=1)
        return f"did you mean {close[0]}?" if close else f"it must be one of {first_few(self.turns)}"

    def for_tree(self) -> dict[str, Any]:
        """The columns of Tree that are declared, not grown."""
        side_of = {player: place for place, team in enumerate(self.teams.values()) for player in team}
        return {
            "players": self.players,
            "sides": self.sides,
            "side_of": side_of or {player: place for place, player in enumerate(self.players)},
            "unknowns": self.unknowns,
            "sum": self.sum,
            "bounds": self.bounds,
            "exploration": self.exploration,
            "playouts": self.playouts,
        }


def read_declarations(document: Document, problems: ProblemLog) -> Declarations:
    return _DeclarationReader(document, problems).read()


class _DeclarationReader:
    def __init__(self, document: Document, problems: ProblemLog) -> None:
        assert isinstance(document.data, dict)
        self.document = document
        self.data: dict[str, Any] = document.data
        self.problems = problems

    def read(self) -> Declarations:
        players = self.names("players", taken=frozenset(TURN_WORDS))
        unknowns = self.names("unknowns", taken=frozenset((*TURN_WORDS, *players, "true", "false")))
        levels = self.levels(players)
        bounds = self.bounds()
        if "sum" in self.data and not players:
            self.problems.add(
                self.document.key_place(self.data, "sum"),
                "sum-claim",
                "`sum` is a claim about the vectors of several players",
                "declare players",
            )
        mcts = self.data.get("mcts")
        mcts = mcts if isinstance(mcts, dict) else {}
        playouts = mcts.get("playouts", [])
        return Declarations(
            players=players,
            teams=self.teams(players),
            unknowns=unknowns,
            weights=self.weights(),
            levels=levels or players or (MAX, MIN),
            levels_written=bool(levels),
            sum=self.number(self.data, "sum") if "sum" in self.data else None,
            bounds=bounds,
            exploration=self.number(mcts, "exploration") if "exploration" in mcts else None,
            playouts=self.numbers(playouts) if isinstance(playouts, list) else (),
        )

    def names(self, key: str, taken: frozenset[str]) -> tuple[str, ...]:
        written = self.data.get(key)
        names: dict[str, None] = {}
        if not isinstance(written, list):
            return ()
        for position, text in enumerate(written):
            name = nfc(text)
            if name == REPORTED:
                continue
            if name in names or name in taken or parse_number(name) is not None:
                why = "a number" if parse_number(name) is not None else "declared twice" if name in names else "taken"
                why = "a turn word" if name in TURN_WORDS else why
                self.problems.add(
                    self.document.place(written, position), "bad-name", f"{key}: the name {quoted(name)} is {why}"
                )
                continue
            names[name] = None
        return tuple(names)

    def teams(self, players: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        written = self.data.get("teams")
        if not isinstance(written, dict):
            return {}
        teams: dict[str, tuple[str, ...]] = {}
        placed: dict[str, str] = {}
        known = frozenset(players)
        for team, members in written.items():
            if not isinstance(members, list):
                continue
            if team in TURN_WORDS or parse_number(team) is not None:
                why = "a turn word" if team in TURN_WORDS else "a number"
                place = self.document.key_place(written, team)
                self.problems.add(place, "bad-name", f"teams: the name {quoted(team)} is {why}")
            teams[team] = tuple(nfc(member) for member in members)
            for position, member in enumerate(teams[team]):
                if member not in known or member in placed:
                    why = f"is already in team {placed[member]}" if member in placed else "is not a declared player"
                    self.problems.add(self.document.place(members, position), "teams", f"{quoted(member)} {why}")
                placed.setdefault(member, team)
        missing = [player for player in players if player not in placed]
        if missing:
            self.problems.add(self.document.key_place(self.data, "teams"), "teams", f"no team for {first_few(missing)}")
        return teams

    def levels(self, players: tuple[str, ...]) -> tuple[str, ...]:
        written = self.data.get("levels")
        if not isinstance(written, list):
            return ()
        turns = (*players, "chance") if players else TURN_WORDS
        known = frozenset(turns)
        levels = tuple(turn_named(text, known) for text in written)
        for position, text in enumerate(written):
            if levels[position] not in known and text != REPORTED:
                place = self.document.place(written, position)
                hint = f"it must be one of {first_few(turns)}"
                self.problems.add(place, "unknown-turn", f"turn {quoted(text)} is not known", hint)
        return levels

    def weights(self) -> dict[str, Number]:
        written = self.data.get("weights")
        if not isinstance(written, dict):
            return {}
        numbers = {name: self.number(written, name) for name in written}
        return {name: 0 if number is None else number for name, number in numbers.items()}

    def bounds(self) -> tuple[Number, Number] | None:
        written = self.data.get("bounds")
        numbers = self.numbers(written) if isinstance(written, list) else ()
        if len(numbers) != 2:
            return None
        if numbers[0] > numbers[1]:
            self.problems.add(self.document.place(self.data, "bounds"), "bounds-claim", "the smaller bound comes first")
            return None
        return numbers[0], numbers[1]

    def numbers(self, written: list[Any]) -> tuple[Number, ...]:
        numbers = [self.number(written, position) for position in range(len(written))]
        return tuple(number for number in numbers if number is not None)

    def number(self, container: Any, key: Any) -> Number | None:
        text = container[key]
        number = parse_number(text) if isinstance(text, str) else None
        if number is None and text != REPORTED:
            self.problems.add(
                self.document.place(container, key),
                "number",
                f"{quoted(text)} is not a number",
                number_advice(str(text)),
            )
        return number
