"""The game tree: immutable, flat, in document order; what kind of tree it is, and what its chance nodes are worth.

Glossary (these words, and no synonyms, are used in documents, code, docs and feedback)

node         a position; it has an id
leaf         a node without children; it has a value
inner node   a node with children; it has a turn
turn         who moves at an inner node: max, min, chance, or, and, or a player
move         the label of the edge from a node to its child
value        what a node is worth under best play; in a game of several players, a vector
window       the pair (α, β) that a search carries
cut          a search stops at a node, since its remaining children cannot affect the result
pruned       said of nodes that a search never visited
line         the moves of best play from the root
convention   the choices that textbooks make differently (see convention.py)
document order   depth-first preorder, children as listed
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from types import NoneType
from typing import NewType, TypeAlias, cast

from solver.kernel.errors import Refusal
from solver.kernel.exact import RESULT_DIGITS, Number, fits, simplest
from solver.kernel.value_types import lazy

Node = NewType("Node", int)
"""A place in the columns of a tree."""
NodeId = NewType("NodeId", str)
Move = NewType("Move", str)
Vector: TypeAlias = tuple[Number, ...]

MAX, MIN, CHANCE, OR, AND = "max", "min", "chance", "or", "and"
TURN_WORDS = (MAX, MIN, CHANCE, OR, AND)

ROOT = Node(0)
NOWHERE = Node(-1)
"""The root's parent."""


@dataclass(frozen=True, slots=True)
class Unknown:
    """A leaf whose value is a declared symbol."""

    name: str


@dataclass(frozen=True, slots=True)
class Loop:
    """An AND-OR leaf that leads back to an ancestor."""

    target: NodeId


class Outcome(Enum):
    """The other AND-OR leaves."""

    GOAL = "true"
    FAILURE = "false"


Leaf: TypeAlias = Number | Vector | Unknown | Loop | Outcome


@dataclass(frozen=True)
class Tree:
    """One column for each property; a node is an index, the root is 0, a child comes after its parent."""

    ids: tuple[NodeId, ...]
    turn: tuple[str | None, ...]
    """None at leaves."""
    parent: tuple[Node, ...]
    """NOWHERE at the root."""
    children: tuple[tuple[Node, ...], ...]
    depth: tuple[int, ...]
    move: tuple[Move | None, ...]
    """None at the root."""
    probability: tuple[Number | None, ...]
    """Given below chance nodes."""
    leaf: tuple[Leaf | None, ...]
    """None at inner nodes."""
    players: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    """Whose numbers a vector holds, in order: the teams if there are any, else the players."""
    side_of: Mapping[str, int] | None = None
    """Each player's place in a vector."""
    movers: tuple[str | None, ...] | None = None
    """Who moves, by name, where an algorithm sees players as max and min."""
    bounds: tuple[Number, Number] | None = None
    sum: Number | None = None
    unknowns: tuple[str, ...] = ()
    estimates: Mapping[Node, Number] | None = None
    visits: Mapping[Node, Number] | None = None
    totals: Mapping[Node, Number] | None = None
    exploration: Number | None = None
    playouts: tuple[Number, ...] = ()

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def nodes(self) -> Sequence[Node]:
        """In document order."""
        return cast(Sequence[Node], range(len(self.ids)))

    @lazy
    def turns(self) -> frozenset[str]:
        """Which turns occur."""
        return frozenset(turn for turn in self.turn if turn is not None)

    @lazy
    def index(self) -> dict[NodeId, Node]:
        return dict(zip(self.ids, self.nodes, strict=True))

    @lazy
    def leaves(self) -> tuple[Node, ...]:
        return tuple(node for node, turn in zip(self.nodes, self.turn, strict=True) if turn is None)

    @lazy
    def only_numbers(self) -> bool:
        """Whether every leaf's value is a number."""
        return set(map(type, self.leaf)) <= {int, Fraction, NoneType}

    @lazy
    def inner(self) -> tuple[Node, ...]:
        return tuple(node for node, children in zip(self.nodes, self.children, strict=True) if children)

    @lazy
    def last(self) -> tuple[Node, ...]:
        """The last descendant of each node: a subtree is the run of nodes from its root to this one."""
        last = list(self.nodes)
        for node in self.bottom_up():
            last[node] = last[self.children[node][-1]]
        return tuple(last)

    def subtree(self, node: Node) -> Sequence[Node]:
        """A node and all that are below it, in document order."""
        return self.nodes[node : self.last[node] + 1]

    def bottom_up(self) -> Iterator[Node]:
        """Every inner node, after all that are below it."""
        return reversed(self.inner)

    def name(self, node: Node) -> str:
        """A node as a sentence calls it: `min node C`, `leaf L4`."""
        turn = self.turn[node]
        if turn is None:
            return f"leaf {self.ids[node]}"
        return f"{turn} node {self.ids[node]}" if turn in TURN_WORDS else f"{turn}'s node {self.ids[node]}"


PLAYER = "player"
"""In `Needs.turns`, stands for every declared player."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What an algorithm accepts: turns, and one kind of leaf."""

    turns: frozenset[str]
    leaves: str
    """number, vector or outcome"""


MINIMAX_TREES = Needs(frozenset({MAX, MIN}), "number")
CHANCE_TREES = Needs(frozenset({MAX, MIN, CHANCE}), "number")
AND_OR_TREES = Needs(frozenset({OR, AND}), "outcome")
PLAYER_TREES = Needs(frozenset({PLAYER, CHANCE}), "vector")


def kind_of(tree: Tree) -> Needs:
    """What is needed for a tree of its kind."""
    if tree.players:
        return PLAYER_TREES
    if tree.turns & {OR, AND}:
        return AND_OR_TREES
    return CHANCE_TREES if CHANCE in tree.turns else MINIMAX_TREES


def require(tree: Tree, needs: Needs, algorithm: str, instead: Callable[[], str]) -> None:
    """Refuse a tree that the algorithm does not accept, naming the first node in document order that does not fit, and
    the algorithm to use instead."""
    fitting = frozenset(turn for turn in tree.turns if (PLAYER if turn in tree.players else turn) in needs.turns)
    if fitting != tree.turns:
        node = next(node for node in tree.inner if tree.turn[node] not in fitting)
        accepted = " and ".join(sorted(needs.turns, key=[MAX, MIN, OR, AND, PLAYER, CHANCE].index))
        raise Refusal(
            tree.ids[node],
            "algorithm",
            f"{algorithm} accepts {accepted} nodes only; this is {tree.name(node)}",
            f"use --algorithm {instead()}",
        )
    if needs.leaves == "number" and tree.only_numbers:
        return
    for node in tree.leaves:
        leaf = tree.leaf[node]
        if leaf_kind(leaf) != needs.leaves:
            raise Refusal(
                tree.ids[node],
                "algorithm",
                f"{algorithm} needs a {needs.leaves} at every leaf; {tree.name(node)} has {_shown(leaf)}",
            )


def leaf_kind(leaf: Leaf | None) -> str:
    if isinstance(leaf, tuple):
        return "vector"
    if isinstance(leaf, Outcome | Loop):
        return "outcome"
    return "unknown" if isinstance(leaf, Unknown) else "number"


def _shown(leaf: Leaf | None) -> str:
    match leaf:
        case Unknown():
            return f"the unknown {leaf.name}"
        case Loop():
            return f"a loop to {leaf.target}"
        case Outcome():
            return leaf.value
        case tuple():
            return "a vector"
    return "a number"


def expected(tree: Tree, node: Node, values: Sequence[Number]) -> Number:
    """The mean of the children's values by their probabilities."""
    mean = Fraction(0)
    for child, value in zip(tree.children[node], values, strict=True):
        chance = tree.probability[child]
        assert chance is not None
        mean += chance * value
    if not fits(mean):
        raise Refusal(
            tree.ids[node], "result-size", f"{tree.name(node)}: its value has more than {RESULT_DIGITS:,} digits"
        )
    return simplest(mean)
