"""The fields of a question that depend on what it asks and on its game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from grader.kernel.document_fields import Fields
from grader.questions.ask import DEPTHS, INNER, LEAVES, NODES, PARTS, STOPS, UNKNOWNS, Ask, Parameter
from grader.questions.conditions import unknowns_of
from solver.analysis import read_formula
from solver.documents import REPORTED
from solver.game import Tree
from solver.kernel import UsageError, quoted

DEEPEST = 1_000_000
MOST_DEPTHS = 100
"""Each is a search of its own."""


class QuestionFields:
    """Without a tree, since the game is not valid, names are not checked."""

    def __init__(self, fields: Fields, tree: Tree | None) -> None:
        self.fields, self.tree = fields, tree

    def parameters(self, raw: dict[str, Any], ask: Ask) -> dict[str, Any]:
        """The type's own parameters that are written or have a fixed default."""
        found: dict[str, Any] = {}
        for parameter in ask.parameters:
            key = parameter.key
            value = self._readers[parameter.reads](raw, key) if key in raw else self._default(parameter)
            if value is not None:
                found[key] = value
        return found

    @property
    def _readers(self) -> dict[str, Callable[[dict[str, Any], str], Any]]:
        """The kinds of parameters that a type of question can have."""
        return {
            "word": self.fields.text,
            "number": lambda raw, key: self.fields.number(raw, key, least=0),
            "unknown": self._unknown,
            "unknowns": self._unknowns,
            "condition": self._condition,
            "depths": self._depths,
            "errs": self._errs,
            "formula": self._formula,
        }

    def _default(self, parameter: Parameter) -> Any:
        names = unknowns_of(self.tree) if self.tree is not None else []
        if parameter.reads == "unknown":
            return names[0] if len(names) == 1 else None
        return (tuple(names) or None) if parameter.reads == "unknowns" else parameter.default

    def _unknown(self, holder: Any, key: Any) -> str | None:
        name = self.fields.text(holder, key)
        if name is None or self.tree is None:
            return name
        names = unknowns_of(self.tree)
        if name not in names:
            known = f"the unknowns are {', '.join(names)}" if names else "the game has no unknowns"
            self.fields.report(holder, key, "parameter", f"{quoted(name)} is not an unknown leaf of the game", known)
            return None
        return name

    def _unknowns(self, raw: dict[str, Any], key: str) -> tuple[str, ...]:
        written = raw[key]
        if not isinstance(written, list):
            return ()
        names = [self._unknown(written, place) for place in range(len(written))]
        left_out = [name for name in (unknowns_of(self.tree) if self.tree is not None else ()) if name not in names]
        if left_out and None not in names:
            message = f"{left_out[0]} is unknown too; nothing can be searched while it has no value"
            self.fields.report_key(raw, key, "parameter", message)
        return tuple(dict.fromkeys(name for name in names if name is not None))

    def _condition(self, raw: dict[str, Any], key: str) -> Any:
        """`most` or `least`, or a mapping with one of pruned, move and value."""
        written = raw[key]
        if not isinstance(written, dict):
            return self.fields.text(raw, key)
        if "pruned" in written:
            return {"pruned": self._pruned(written)}
        if "move" in written:
            move = self.fields.text(written, "move")
            if move is not None and self.tree is not None:
                moves = [str(self.tree.move[child]) for child in self.tree.children[0]]
                if move not in moves:
                    message = f"the root has no move {quoted(move)}"
                    self.fields.report(written, "move", "parameter", message, self.fields.nearest(move, moves))
            return {"move": move}
        return {"value": self.fields.number(written, "value")} if "value" in written else None

    def _pruned(self, written: dict[str, Any]) -> tuple[str, ...]:
        listed = written["pruned"]
        if isinstance(listed, list):
            names = [self.node(listed, place) for place in range(len(listed))]
        else:
            names = [self.node(written, "pruned")]
        return tuple(name for name in names if name is not None)

    def _depths(self, raw: dict[str, Any], key: str) -> tuple[int, ...]:
        written = raw[key]
        depths: list[int] = []
        if isinstance(written, list) and len(written) > MOST_DEPTHS:
            self.fields.report(raw, key, "parameter", f"at most {MOST_DEPTHS} depths can be asked for")
            return ()
        for place in range(len(written)) if isinstance(written, list) else ():
            depth = self.fields.whole(written, place, DEEPEST)
            if depth in depths:
                self.fields.report(written, place, "parameter", f"depth {depth} is listed twice")
            elif depth is not None:
                depths.append(depth)
        return tuple(depths)

    def _errs(self, raw: dict[str, Any], key: str) -> Fraction | str | None:
        written = self.fields.text(raw, key)
        return written if written == "threshold" else self.fields.number(raw, key, least=0, most=Fraction(1))

    def _formula(self, raw: dict[str, Any], key: str) -> str | None:
        written = self.fields.text(raw, key)
        try:
            return None if written is None else read_formula(written).text
        except UsageError as error:
            self.fields.report(raw, key, "parameter", str(error))
            return None

    # Names of nodes.

    def node(self, holder: Any, key: Any, written: str | None = None) -> str | None:
        """The id of a node, which is the value in a holder, or else its key."""
        name = self.fields.text(holder, key) if written is None else written
        if name is None or self.tree is None or name in self.tree.index:
            return name
        message, hint = f"the game has no node {quoted(name)}", self.fields.nearest(name, map(str, self.tree.ids))
        if written is None:
            self.fields.report(holder, key, "unknown-node", message, hint)
        else:
            self.fields.report_key(holder, key, "unknown-node", message, hint)
        return None

    def nodes(self, raw: dict[str, Any], ask: Ask, depth: int | None) -> tuple[str, ...] | None:
        """Those that a question is limited to."""
        written = raw.get("nodes")
        if not isinstance(written, list) or written == [REPORTED]:
            return None
        found: dict[str, None] = {}
        for place in range(len(written)):
            name = self.node(written, place)
            if name is None:
                continue
            why_not = f"{name} is listed twice" if name in found else self._not_asked(name, ask, depth)
            if why_not is not None:
                self.fields.report(written, place, "parameter", why_not)
            found[name] = None
        return tuple(found)

    def _not_asked(self, name: str, ask: Ask, depth: int | None) -> str | None:
        tree, items = self.tree, ask.items_are
        if tree is None:
            return None
        node = tree.index[name]  # type: ignore[index]
        is_leaf = tree.turn[node] is None
        if items == LEAVES:
            return None if is_leaf else f"{ask.name} is asked of leaves; {name} is an inner node"
        if items in (INNER, STOPS) and is_leaf:
            return f"{ask.name} is asked of inner nodes; {name} is a leaf"
        limit = depth is not None and tree.depth[node] >= depth and items in (INNER, STOPS)
        return f"{name} lies at depth {tree.depth[node]}, where the search stops" if limit else None

    def weights(
        self, rubric: dict[str, Any], ask: Ask, depth: int | None, parameters: Mapping[str, Any]
    ) -> dict[str, Fraction]:
        written = rubric.get("weights")
        found: dict[str, Fraction] = {}
        for key in written if isinstance(written, dict) else ():
            weight = self.fields.number(written, key, above=0)
            why_not = self._no_item(written, key, ask, depth, parameters)
            if why_not:
                self.fields.report_key(written, key, "rubric", why_not)
            elif weight is not None:
                found[key] = weight
        return found

    def _no_item(self, written: Any, key: str, ask: Ask, depth: int | None, parameters: Mapping[str, Any]) -> str:
        """Why a question has no item of this name; nothing if it has, or if that was reported."""
        items = ask.items_are
        if items in (INNER, STOPS, LEAVES, NODES):
            if key in ask.other_items:
                return ""
            name = self.node(written, key, written=key)
            return (name and self._not_asked(name, ask, depth)) or ""
        names = {
            DEPTHS: [str(depth) for depth in parameters.get("depths", ())],
            UNKNOWNS: list(parameters.get("unknowns", ())),
            PARTS: list(ask.parts),
        }.get(items)
        if names is None:
            return f"the items of {ask.name} have no weights of their own"
        return "" if key in names else f"{ask.name} has no item {quoted(key)}; its items are {', '.join(names)}"
