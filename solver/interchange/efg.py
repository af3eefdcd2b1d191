"""Gambit's extensive-form files (.efg), as far as they hold games of perfect information.

The text is read as tokens, each with its place. The prologue names the players; then come the nodes in prefix order,
each with its moves and its outcome. Payoffs at inner nodes are increments: what a leaf is worth is the sum of the
outcomes on the path to it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cached_property
from pathlib import PurePath
from typing import NamedTuple, NoReturn

from solver.documents.document import decode
from solver.documents.document_reader import too_large
from solver.game.game_tree import CHANCE, Vector
from solver.interchange.game_draft import (
    MOVE_LENGTH,
    TITLE_LENGTH,
    Draft,
    ImportedGame,
    UniqueNames,
    as_id,
    as_player,
    as_text,
    plain_number,
)
from solver.kernel.errors import DocumentError, Limits, Place, Problem, ProblemLog, quoted
from solver.kernel.exact import DIGITS_PER_PART, Number, Plain, number_text, simplest, total

TEXT, WORD, END = "a string in quotes", "a word", "the end of the file"

_NEXT = re.compile(r'[ \t\r\n]*(?:([{},"])|([^ \t\r\n{},"]+))')


class Token(NamedTuple):
    kind: str
    """TEXT, WORD, END, or one of the characters { } , itself."""
    text: str
    offset: int


class Tokens:
    """One token of a file after the other; white space means nothing outside quotes."""

    def __init__(self, source: str) -> None:
        self.source = source
        self._rest = self._read()
        self.now = next(self._rest)

    def take(self) -> Token:
        """The token that the reader is at; the reader moves on."""
        token = self.now
        if token.kind != END:
            self.now = next(self._rest)
        return token

    def expect(self, kind: str, what: str) -> Token:
        if self.now.kind != kind:
            self.wrong(what)
        return self.take()

    def skip(self, kind: str) -> bool:
        """Whether the reader was at such a token, and went past it."""
        found = self.now.kind == kind
        if found:
            self.take()
        return found

    def wrong(self, what: str) -> NoReturn:
        """The token that the reader is at is not what must come there."""
        token = self.now
        found = END if token.kind == END else f"the string {quoted(token.text)}" if token.kind == TEXT else token.text
        self.fail(token.offset, f"{what} is expected here, not {found if token.kind != WORD else quoted(token.text)}")

    def fail(self, offset: int, message: str, hint: str = "", code: str = "efg") -> NoReturn:
        raise DocumentError([Problem(self.place(offset), code, message, hint)])

    def place(self, offset: int) -> Place:
        line = bisect_right(self._lines, offset)
        return Place(line, offset - self._lines[line - 1] + 1)

    @cached_property
    def _lines(self) -> list[int]:
        """Where each line starts."""
        return [0, *(found.end() for found in re.finditer("\n", self.source))]

    def _read(self) -> Iterator[Token]:
        source = self.source
        at = 0
        while found := _NEXT.match(source, at):
            sign, word = found.groups()
            at = found.end()
            if word is not None:
                yield Token(WORD, word, at - len(word))
            elif sign == '"':
                end = self._closing_quote(at)
                yield Token(TEXT, source[at:end].replace('\\"', '"'), at - 1)
                at = end + 1
            else:
                yield Token(sign, sign, at - 1)
        yield Token(END, "", len(source.rstrip()))

    def _closing_quote(self, at: int) -> int:
        """The next quote without a backslash before it, as Gambit reads it."""
        end = self.source.find('"', at)
        while end > at and self.source[end - 1] == "\\":
            end = self.source.find('"', end + 1)
        if end < 0:
            self.fail(at - 1, "the string that starts here has no closing quote")
        return end


_NUMBER = re.compile(
    r"[+-]?(?:[0-9]{1,40}/[0-9]{1,40}|(?:[0-9]{1,40}(?:\.[0-9]{0,40})?|\.[0-9]{1,40})(?:[eE][+-]?[0-9]{1,2})?)"
)
_COUNT = re.compile("[0-9]{1,9}")
_LARGEST_PART = 10**DIGITS_PER_PART
_LARGEST_COMMON_DENOMINATOR = 10**400
_LINES_SHOWN = 5
_PROBLEMS_KEPT = 1_000


class EfgMoves(NamedTuple):
    """What an information set, or a chance event, says about its nodes."""

    name: str
    labels: list[str]
    chances: list[Number] | None = None


class OpenNode(NamedTuple):
    """An inner node whose children are still to come."""

    node: int
    offset: int
    moves: EfgMoves
    chances: Sequence[Plain | None]
    payoffs: Vector


def import_efg(raw: bytes, name: str, depth: int | None, limits: Limits) -> ImportedGame:
    """The game in an .efg file's bytes; DocumentError with its problems otherwise."""
    log = ProblemLog(limits.problems)
    source = None if too_large(len(raw), limits.yaml_bytes, log) else decode(raw, log)
    if source is None or log:
        raise DocumentError(log.kept, log.total)
    return _EfgReader(source, depth, limits).game(PurePath(name).name)


class _EfgReader:
    def __init__(self, source: str, depth: int | None, limits: Limits) -> None:
        self.tokens = Tokens(source)
        self.depth = depth
        self.limits = limits
        self.draft = Draft()
        self.problems: list[Problem] = []
        self.count_of_problems = 0
        self.ids = UniqueNames()
        self.numbers: dict[str, Number] = {}
        self.moves: dict[tuple[int, int], EfgMoves] = {}
        self.nodes_of: dict[tuple[int, int], list[int]] = {}
        """Where the nodes of each player's information sets are."""
        self.outcomes: dict[int, Vector] = {}
        self.sums: set[Number] = set()

    def game(self, name: str) -> ImportedGame:
        title, comment = self.prologue()
        self.body()
        self.refuse_shared_information_sets()
        if self.problems:
            raise DocumentError(sorted(self.problems)[: self.limits.problems], self.count_of_problems)
        self.draft.finish()
        head = {"title": title, "source": comment or name, "players": self.players}
        return ImportedGame(
            {key: text for key, text in head.items() if text} | self.claim() | {"root": self.draft.ids[0]},
            len(self.draft),
            self.draft.entries,
            self.limits,
        )

    def claim(self) -> dict[str, Plain]:
        """`sum`, if every leaf's vector adds up to the same."""
        if len(self.sums) != 1 or len(self.players) == 1:
            return {}
        claimed = plain_number(next(iter(self.sums)))
        return {} if claimed is None else {"sum": claimed}

    # The prologue.

    def prologue(self) -> tuple[str, str]:
        """`EFG 2 R "title" { "player" … } "comment"`: gives the title and the comment."""
        tokens = self.tokens
        self.word("EFG", "EFG, with which a Gambit .efg file begins,")
        self.word("2", "the version, 2,")
        if tokens.now.text not in ("R", "D"):
            tokens.wrong("R or D, the type of the numbers,")
        tokens.expect(WORD, "R or D, the type of the numbers,")
        title = tokens.expect(TEXT, "the title, in quotes,").text
        start = tokens.expect("{", "{ and the players' names")
        labels: list[str] = []
        while not tokens.skip("}"):
            labels.append(tokens.expect(TEXT, "a player's name, in quotes, or }").text)
        if not labels:
            tokens.fail(start.offset, "a game needs at least one player")
        distinct = UniqueNames()
        self.players = [distinct(as_player(label, number)) for number, label in enumerate(labels, start=1)]
        comment = tokens.take().text if tokens.now.kind == TEXT else ""
        return as_text(title, TITLE_LENGTH), as_text(comment, TITLE_LENGTH)

    def word(self, text: str, what: str) -> None:
        if self.tokens.now.text != text:
            self.tokens.wrong(what)
        self.tokens.expect(WORD, what)

    # The nodes.

    def body(self) -> None:
        """Nodes in prefix order: a node belongs to the last one above that still lacks a child."""
        path: list[OpenNode] = []
        nothing: Vector = (0,) * len(self.players)
        while True:
            above = path[-1] if path else None
            offset = self.tokens.now.offset
            kind = self.kind(above)
            if len(self.draft) >= self.limits.nodes:
                self.tokens.fail(offset, f"more than {self.limits.nodes:,} nodes", code="many-nodes")
            node = self.node(above)
            opened = self.inner(node, offset, kind) if kind != "t" else None
            payoffs = self.outcome(above.payoffs if above else nothing)
            if opened is None:
                self.leaf(node, payoffs)
            else:
                if len(path) == self.depth:
                    message = f"the depth limit stops at node {self.name(node)}, and an .efg file has no estimates"
                    self.problem(offset, "no-estimate", message, "leave --depth out")
                path.append(opened._replace(payoffs=payoffs))
            while path and len(self.draft.children[path[-1].node]) == len(path[-1].moves.labels):
                path.pop()
            if not path:
                break
        if self.tokens.now.kind != END:
            self.tokens.wrong("the end of the file: every move has its node, and so nothing more")

    def kind(self, above: OpenNode | None) -> str:
        """The character with which a node starts."""
        if self.tokens.now.kind == END and above is not None:
            need = len(above.moves.labels)
            lacks = need - len(self.draft.children[above.node])
            line = self.tokens.place(above.offset).line
            message = f"the file ends, but the node at line {line} lacks {lacks} of its {need} children"
            self.tokens.fail(self.tokens.now.offset, message)
        if self.tokens.now.kind != WORD or self.tokens.now.text not in ("c", "p", "t"):
            self.tokens.wrong("c, p or t, with which a node starts,")
        return self.tokens.take().text

    def node(self, above: OpenNode | None) -> int:
        """A new node below the one above, for its next move."""
        label = as_id(self.tokens.expect(TEXT, "the node's label, in quotes,").text)
        name = self.ids(label) if label else label
        if above is None:
            return self.draft.add(-1, name)
        position = len(self.draft.children[above.node])
        return self.draft.add(above.node, name, above.moves.labels[position], above.chances[position])

    def inner(self, node: int, offset: int, kind: str) -> OpenNode:
        player = 0 if kind == "c" else self.player()
        self.draft.turn[node] = self.players[player - 1] if player else CHANCE
        at = self.tokens.now.offset
        number = self.count("the number of the information set" if player else "the number of the chance event")
        moves = self.described(player, number, at)
        if player:
            self.nodes_of.setdefault((player, number), []).append(offset)
        chances = (
            [None] * len(moves.labels) if moves.chances is None else [plain_number(chance) for chance in moves.chances]
        )
        return OpenNode(node, offset, moves, chances, ())

    def player(self) -> int:
        at = self.tokens.now.offset
        player = self.count("the player's number")
        if not 1 <= player <= len(self.players):
            self.tokens.fail(at, f"there is no player {player}; the players are 1 to {len(self.players)}")
        return player

    def described(self, player: int, number: int, at: int) -> EfgMoves:
        """The moves of an information set or event: said at its first node, and perhaps again at others."""
        known = self.moves.get((player, number))
        if self.tokens.now.kind != TEXT:
            if known is None:
                self.tokens.wrong("the name of the information set, in quotes: its moves are not known yet; this")
            return known
        name = self.tokens.take().text
        start = self.tokens.expect("{", "{ and the moves")
        labels: list[str] = []
        chances: list[Number] = []
        while not self.tokens.skip("}"):
            labels.append(self.tokens.expect(TEXT, "a move's name, in quotes, or }").text)
            if not player:
                chances.append(self.number("the move's probability"))
        if not labels:
            self.tokens.fail(start.offset, "an inner node needs at least one move")
        distinct = UniqueNames()
        cleaned = [as_text(label, MOVE_LENGTH) for label in labels]
        moves = EfgMoves(name, [distinct(label) if label else label for label in cleaned], None if player else chances)
        if known is None:
            self.moves[player, number] = moves
            if not player:
                self.check_chances(chances, start.offset)
        elif not player and moves != known:
            self.problem(at, "efg", f"chance event {number} is described differently than before")
            return moves if len(moves.labels) == len(known.labels) else known
        return moves

    def check_chances(self, chances: list[Number], offset: int) -> None:
        """Probabilities lie between 0 and 1 and add up to exactly 1."""
        outside = [chance for chance in chances if not 0 <= chance <= 1]
        if outside:
            self.problem(offset, "probability", f"a probability lies between 0 and 1, not {number_text(outside[0])}")
            return
        added: Number = 0
        for chance in chances:
            added += chance
            # That many digits would only take longer and longer to add.
            if added.denominator > _LARGEST_COMMON_DENOMINATOR:
                break
        if added != 1:
            message = f"the probabilities add up to {_short(added)}, not 1"
            hint = "write them as fractions, such as 1/3" if Fraction(999, 1000) < added < Fraction(1001, 1000) else ""
            self.problem(offset, "probability-sum", message, hint)

    # Outcomes.

    def outcome(self, so_far: Vector) -> Vector:
        """A node's outcome, added to those above it; number 0 is none."""
        at = self.tokens.now.offset
        number = self.count("the number of the outcome")
        if self.tokens.now.kind == TEXT:
            if number == 0:
                self.tokens.fail(self.tokens.now.offset, "outcome 0 means none: it has no name and no payoffs")
            self.tokens.take()
            payoffs = self.payoffs()
            if self.outcomes.setdefault(number, payoffs) != payoffs:
                self.problem(at, "efg", f"outcome {number} has different payoffs than before")
        elif number and number not in self.outcomes:
            self.tokens.fail(at, f"outcome {number} is not known yet: its name and payoffs are expected after it")
        if number == 0:
            return so_far
        added = tuple(simplest(above + here) for above, here in zip(so_far, self.outcomes[number], strict=True))
        if any(max(abs(payoff.numerator), payoff.denominator) >= _LARGEST_PART for payoff in added):
            message = f"the payoffs on the way here add up to a number of more than {DIGITS_PER_PART} digits a part"
            self.tokens.fail(at, message, code="number")
        return added

    def payoffs(self) -> Vector:
        self.tokens.expect("{", "{ and the payoffs")
        payoffs: list[Number] = []
        for player in self.players:
            payoffs.append(self.number(f"the payoff of {quoted(player)}"))
            self.tokens.skip(",")
        self.tokens.expect("}", f"}} after {len(payoffs)} payoffs, one for each player,")
        return tuple(payoffs)

    def leaf(self, node: int, payoffs: Vector) -> None:
        self.sums.add(total(payoffs))
        self.draft.leaf[node] = [value for payoff in payoffs if (value := plain_number(payoff)) is not None]

    # Numbers.

    def number(self, what: str) -> Number:
        token = self.tokens.now
        known = self.numbers.get(token.text) if token.kind == WORD else None
        if known is not None:
            self.tokens.take()
            return known
        if token.kind != WORD:
            self.tokens.wrong(f"{what}, a number,")
        if not _NUMBER.fullmatch(token.text) or re.search("/0+$", token.text):
            hint = f"a number is written as 3, -2.5, 1/3 or 1.5e3, with at most {DIGITS_PER_PART} digits a part"
            self.tokens.fail(token.offset, f"{what} must be a number, not {quoted(token.text)}", hint, "number")
        number = simplest(Fraction(token.text))
        if plain_number(number) is None:
            self.tokens.fail(token.offset, f"{what} has a part of more than {DIGITS_PER_PART} digits", code="number")
        self.numbers[token.text] = number
        self.tokens.take()
        return number

    def count(self, what: str) -> int:
        if self.tokens.now.kind != WORD or not _COUNT.fullmatch(self.tokens.now.text):
            self.tokens.wrong(f"{what}, a whole number of at most 9 digits,")
        return int(self.tokens.take().text)

    # Problems that do not stop the reading.

    def problem(self, offset: int, code: str, message: str, hint: str = "") -> None:
        self.count_of_problems += 1
        if len(self.problems) < _PROBLEMS_KEPT:
            self.problems.append(Problem(self.tokens.place(offset), code, message, hint))

    def refuse_shared_information_sets(self) -> None:
        """A player who cannot tell two nodes apart plays a game of imperfect information."""
        for (player, number), offsets in self.nodes_of.items():
            if len(offsets) > 1:
                name = self.moves[player, number].name
                named = f"{number} {quoted(name)}" if name else f"{number}"
                lines = [str(self.tokens.place(offset).line) for offset in offsets[:_LINES_SHOWN]]
                more = f" and {len(offsets) - _LINES_SHOWN:,} more" if len(offsets) > _LINES_SHOWN else ""
                message = (
                    f"information set {named} of {quoted(self.players[player - 1])} has {len(offsets):,} nodes, "
                    f"at lines {', '.join(lines)}{more}: only games of perfect information can be imported"
                )
                self.problem(offsets[1], "import", message)

    def name(self, node: int) -> str:
        return quoted(self.draft.ids[node]) if self.draft.ids[node] else str(node + 1)


def _short(number: Number) -> str:
    text = number_text(number)
    return text if len(text) <= DIGITS_PER_PART else "a number with very many digits"
