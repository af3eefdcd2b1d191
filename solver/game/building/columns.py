"""The tree while it grows: the columns of Tree as lists, filled from what each node's text says about itself."""

from __future__ import annotations

from typing import Any

from solver.documents.document import REPORTED, Document
from solver.game.building.declarations import Declarations, few, nfc
from solver.game.building.names import NO_NAME
from solver.game.tree import CHANCE, Leaf, Loop, NodeId, Outcome, Unknown
from solver.kernel.exact import Number, number_advice, parse_number, total
from solver.kernel.limits import Limits
from solver.kernel.problems import Place, ProblemLog, quoted

Origin = tuple[Any, Any]
"""A container of the document and the key or position in it."""


NOWHERE_WRITTEN: Origin = ([REPORTED], 0)


class TooManyNodes(Exception):
    """Growing stops; the problem has been reported."""


class Columns:
    def __init__(self, document: Document, declared: Declarations, limits: Limits, problems: ProblemLog) -> None:
        self.document = document
        self.declared = declared
        self.limits = limits
        self.problems = problems
        self.most = limits.nodes
        self.keeps_origins = document.reread is None
        """A document without places is read again where one is needed."""
        self.numbers: dict[str, Number] = {}
        self.turns_known = frozenset((*declared.turns, REPORTED))
        self.sides = declared.sides
        self.unknown_names = frozenset(declared.unknowns)
        self.side_names = set(declared.sides)
        self.ids: list[str] = []
        self.turn: list[str | None] = []
        self.parent: list[int] = []
        self.children: list[Any] = []
        self.depth: list[int] = []
        self.move: list[str] = []
        self.probability: dict[int, Number] = {}
        self.leaf: list[Leaf | None] = []
        self.origins: list[Origin] = []
        self.edges: dict[int, Origin] = {}
        """Where the edge to a node is written, if not where the node is."""
        self.with_probability: set[int] = set()
        self.statistics: dict[str, dict[int, Number]] = {"estimate": {}, "visits": {}, "total": {}}

    def add(self, up: int, container: Any, key: Any) -> int:
        """A new node below `up`: a leaf, until `open` makes it an inner node."""
        turns = self.turn
        node = len(turns)
        if node >= self.most:
            self.report((container, key), "many-nodes", f"more than {self.most:,} nodes")
            raise TooManyNodes
        self.parent.append(up)
        if self.keeps_origins:
            self.origins.append((container, key))
        self.ids.append(NO_NAME)
        turns.append(None)
        self.move.append(NO_NAME)
        self.leaf.append(None)
        self.children.append(())
        if up >= 0:
            self.children[up].append(node)
            self.depth.append(self.depth[up] + 1)
        else:
            self.depth.append(0)
        return node

    def open(self, node: int, turn: str) -> None:
        self.turn[node] = turn
        self.children[node] = []

    # Problems, at the place of an item, a key or a node.

    def report(self, origin: Origin, code: str, message: str, hint: str = "") -> None:
        self.problems.add(self.place(origin), code, message, hint)

    def report_edge(self, node: int, code: str, message: str, hint: str = "") -> None:
        self.report(self.edge(node), code, message, hint)

    def report_node(self, node: int, code: str, message: str, hint: str = "") -> None:
        self.report(self.origin(node), code, message, hint)

    def origin(self, node: int) -> Origin:
        """Where a node is written, if that was kept."""
        return self.origins[node] if self.keeps_origins else NOWHERE_WRITTEN

    def edge(self, node: int) -> Origin:
        return self.edges.get(node) or self.origin(node)

    def place(self, origin: Origin) -> Place:
        return origin_place(self.document, origin)

    # What a node says about itself.

    def describe(self, node: int, raw: dict[str, Any]) -> str:
        """Fill a node's columns from its mapping; gives its turn."""
        told = len(raw)
        if (name := raw.get("id")) is not None:
            told -= 1
            name = self.ids[node] = nfc(name)
            if len(name) > self.limits.id_length:
                self.report_long_id(name, self.place((raw, "id")))
        if (move := raw.get("move")) is not None:
            told -= 1
            self.move[node] = nfc(move)
            if node == 0:
                place = self.document.key_place(raw, "move")
                self.problems.add(place, "unknown-key", "the root has no move: none leads to it")
        if "p" in raw:
            told -= 1
            self.read_probability(node, raw)
        turn: str | None = raw.get("turn")
        if turn is None:
            turn = REPORTED
        else:
            told -= 1
            if turn not in self.turns_known:
                turn = self.odd_turn(raw)
        if "children" not in raw:
            value = raw.get("value")
            known = self.numbers.get(value) if type(value) is str and not self.sides else None
            self.leaf[node] = self.read_leaf(raw) if known is None else known
        if told > 1:
            self.read_statistics(node, raw)
        return turn

    def odd_turn(self, raw: dict[str, Any]) -> str:
        turn = nfc(raw["turn"])
        if turn in self.turns_known:
            return turn
        hint = "" if self.problems.full else self.declared.turn_hint(turn)
        self.report((raw, "turn"), "unknown-turn", f"turn {quoted(turn)} is not known", hint)
        return REPORTED

    def read_probability(self, node: int, raw: dict[str, Any]) -> None:
        up = self.parent[node]
        self.with_probability.add(node)
        if raw["p"] == REPORTED:
            return
        if up < 0 or self.turn[up] not in (CHANCE, REPORTED):
            self.report((raw, "p"), "probability-place", "a probability belongs below a chance node only")
            return
        chance = self.number(raw["p"], (raw, "p"))
        if chance is not None and not 0 <= chance <= 1:
            self.report((raw, "p"), "probability", f"a probability lies between 0 and 1, not {quoted(raw['p'])}")
            chance = None
        if chance is not None:
            self.probability[node] = chance

    def read_leaf(self, raw: dict[str, Any]) -> Leaf | None:
        if "value" in raw:
            value = raw["value"]
            return self.scalar_leaf(value, (raw, "value")) if type(value) is str else self.vector(value, (raw, "value"))
        if type(raw.get("features")) is dict:
            return self.evaluate(raw["features"])
        if "loop" in raw:
            return Loop(NodeId(nfc(raw["loop"])))
        return None

    def read_statistics(self, node: int, raw: dict[str, Any]) -> None:
        if "children" in raw and type(raw.get("features")) is dict:
            self.statistics["estimate"][node] = self.evaluate(raw["features"])
        for key, column in self.statistics.items():
            if key in raw and (number := self.number(raw[key], (raw, key))) is not None:
                column[node] = number
                if key == "visits" and (number < 0 or number.denominator != 1):
                    self.report((raw, key), "number", f"visits must be a whole number >= 0, not {quoted(raw[key])}")

    # Leaves and numbers.

    def number(self, text: str, origin: Origin) -> Number | None:
        number = self.numbers.get(text)
        if number is None and text != REPORTED:
            number = parse_number(text)
            if number is None:
                self.report(origin, "number", f"{quoted(text)} is not a number", number_advice(text))
            else:
                self.numbers[text] = number
        return number

    def scalar_leaf(self, text: str, origin: Origin) -> Leaf | None:
        if (number := parse_number(text)) is not None:
            # A single agent's vector has one number, which needs no brackets.
            self.numbers[text] = number
            return (number,) if len(self.sides) == 1 else number
        if text in ("true", "false"):
            return Outcome(text)
        if nfc(text) in self.unknown_names:
            return Unknown(nfc(text))
        if self.problems.full:
            self.problems.total += text != REPORTED
            return None
        hint = number_advice(text)
        if text.lower() in ("true", "false"):
            hint = f"write {text.lower()}"
        elif text.isidentifier() and hint == number_advice(REPORTED):
            hint = f"write a number, or declare the symbol at the top: unknowns: [{text}]"
        if text != REPORTED:
            self.report(origin, "number", f"{quoted(text)} is not a number", hint)
        return None

    def vector(self, raw: Any, origin: Origin) -> Leaf | None:
        sides = self.sides
        if not sides:
            self.report(origin, "vector", "a vector needs declared players", "write players: [A, B, …] at the top")
            return None
        if type(raw) is dict:
            keys = {nfc(key): key for key in raw}
            if keys.keys() != self.side_names:
                stranger = next(
                    (f"; {quoted(key)} is not among them" for key in keys if key not in self.side_names), ""
                )
                self.report(origin, "vector", f"a vector needs one number for each of {few(sides)}{stranger}")
                return None
            items = [self.number(raw[keys[side]], (raw, keys[side])) for side in sides]
        else:
            if len(raw) != len(sides):
                whose = "team" if self.declared.teams else "player"
                self.report(
                    origin, "vector", f"a vector needs {len(sides)} numbers, one for each {whose}, not {len(raw)}"
                )
                return None
            items = [self.number(item, (raw, position)) for position, item in enumerate(raw)]
        vector = tuple(item for item in items if item is not None)
        return vector if len(vector) == len(sides) else None

    def evaluate(self, features: dict[str, Any]) -> Number:
        """EVAL = Σ wᵢ fᵢ."""
        terms: list[Number] = []
        for name, text in features.items():
            count = self.number(text, (features, name))
            if name not in self.declared.weights:
                place = self.document.key_place(features, name)
                self.problems.add(
                    place, "feature", f"feature {quoted(name)} has no weight", "add it to `weights` at the top"
                )
            elif count is not None:
                terms.append(self.declared.weights[name] * count)
        return total(terms)

    def report_long_id(self, name: str, place: Place) -> None:
        message = f"id {quoted(name)} has {len(name)} characters; at most {self.limits.id_length} are allowed"
        self.problems.add(place, "bad-id", message)


def origin_place(document: Document, origin: Origin) -> Place:
    """Of the item itself: a mapping's or list's first character, a scalar's own."""
    container, key = origin
    return document.place(container, key)
