"""The tree while it grows: the columns of Tree as lists, filled from what each node's text says about itself.

It grows from nested mappings and lists (the nested and the compact form, mixed at will), or from the flat form:
`root` and `nodes`, every node described once under its id.
"""

from __future__ import annotations

from typing import Any

from solver.documents.document import REPORTED, Document
from solver.game.game_declarations import Declarations, first_few, nfc, turn_named
from solver.game.game_tree import CHANCE, Leaf, Loop, NodeId, Outcome, Unknown
from solver.kernel.errors import Limits, Place, ProblemLog, quoted
from solver.kernel.exact import Number, number_advice, parse_number, total

NO_NAME = ""

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
        written = nfc(raw["turn"])
        turn = turn_named(written, self.turns_known)
        if turn in self.turns_known:
            return turn
        hint = "" if self.problems.full else self.declared.turn_hint(written)
        self.report((raw, "turn"), "unknown-turn", f"turn {quoted(written)} is not known", hint)
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
                self.report(origin, "vector", f"a vector needs one number for each of {first_few(sides)}{stranger}")
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


def grow_nested(columns: Columns, data: dict[str, Any]) -> None:
    levels = columns.declared.levels
    written = columns.declared.levels_written
    several = bool(columns.sides)
    add, describe = columns.add, columns.describe
    leaf, numbers, turns, depths = columns.leaf, columns.numbers, columns.turn, columns.depth
    stack: list[tuple[Any, int, Any, Any]] = [(data["tree"], -1, data, "tree")]
    while stack:
        raw, up, container, key = stack.pop()
        node = add(up, container, key)
        if type(raw) is str:
            known = None if several else numbers.get(raw)
            leaf[node] = columns.scalar_leaf(raw, (container, key)) if known is None else known
            continue
        if type(raw) is dict:
            turn = describe(node, raw)
            below = raw.get("children")
            if type(below) is not list:
                continue
        else:
            if several and _is_vector(raw, len(columns.sides)):
                leaf[node] = columns.vector(raw, (container, key))
                continue
            below = raw
            depth = depths[node]
            if written and depth >= len(levels):
                message = f"`levels` ends at depth {len(levels) - 1}, but this list is at depth {depth}"
                columns.report((container, key), "levels", message, "add a turn to levels, or write turn in a mapping")
            turn = levels[depth % len(levels)]
        turns[node] = turn
        columns.children[node] = []
        # From the last to the first: what is put on the stack last comes first.
        position = len(below)
        for item in reversed(below):
            position -= 1
            stack.append((item, node, below, position))


def _is_vector(raw: list[Any], sides: int) -> bool:
    """A list of as many numbers as there are sides; with several sides a list of numbers can mean nothing else."""
    return (len(raw) == sides or sides > 1) and all(
        type(item) is str and parse_number(item) is not None for item in raw
    )


_LEAVING = object()


def grow_flat(columns: Columns, data: dict[str, Any]) -> None:
    nodes: dict[str, Any] = data["nodes"]
    root = nfc(data.get("root", REPORTED))
    if root not in nodes:
        if root != REPORTED:
            columns.report((data, "root"), "unknown-node", f"the root {quoted(root)} is not in `nodes`")
        return
    visited: set[str] = set()
    path: set[str] = set()
    stack: list[tuple[Any, int, Any, Any]] = [(root, -1, data, "root")]
    while stack:
        raw, up, container, key = stack.pop()
        if container is _LEAVING:
            path.discard(raw)
            continue
        edge = raw if type(raw) is dict else None
        target = raw if edge is None else edge.get("to", REPORTED)
        name = nfc(target) if type(target) is str else REPORTED
        if name in visited:
            if name in path:
                columns.report((container, key), "cycle", f"node {name} is its own ancestor", "a tree never leads back")
            else:
                columns.report(
                    (container, key), "shared-node", f"node {name} has two parents", "describe it twice, under two ids"
                )
            continue
        described = nodes.get(name) if name != REPORTED else None
        # The place of a node is where it is described; that of a number, where it is listed.
        node = columns.add(up, container, key) if described is None else columns.add(up, nodes, name)
        if columns.keeps_origins:
            columns.edges[node] = (container, key) if edge is None else (edge, "move")
        if edge is not None:
            _label(columns, node, edge)
        if described is None:
            columns.leaf[node] = _leaf(columns, target, (container, key) if edge is None else (edge, "to"))
            continue
        visited.add(name)
        _name(columns, node, name, nodes)
        below = described.get("children") if type(described) is dict else None
        turn = columns.describe(node, described) if type(described) is dict else REPORTED
        if type(below) is not list:
            continue
        columns.open(node, turn)
        path.add(name)
        stack.append((name, -1, _LEAVING, None))
        for position in range(len(below) - 1, -1, -1):
            stack.append((below[position], node, below, position))
    for name in nodes:
        if name not in visited:
            place = columns.document.key_place(nodes, name)
            columns.problems.add(place, "unreachable-node", f"node {quoted(name)} cannot be reached from the root")


def _label(columns: Columns, node: int, edge: dict[str, Any]) -> None:
    if "move" in edge:
        columns.move[node] = nfc(edge["move"])
    if "p" in edge:
        columns.read_probability(node, edge)


def _name(columns: Columns, node: int, name: str, nodes: dict[str, Any]) -> None:
    columns.ids[node] = name
    if len(name) > columns.limits.id_length:
        columns.report_long_id(name, columns.document.key_place(nodes, name))


def _leaf(columns: Columns, target: Any, origin: Origin) -> Leaf | None:
    if type(target) is not str:
        return columns.vector(target, origin)
    meant_as_leaf = nfc(target) in columns.unknown_names or target in ("true", "false", REPORTED)
    if not meant_as_leaf and parse_number(target) is None and (target[:1].isalpha() or target[:1] == "_"):
        columns.report(origin, "unknown-node", f"{quoted(target)} is neither in `nodes` nor a number")
        return None
    return columns.scalar_leaf(target, origin)
