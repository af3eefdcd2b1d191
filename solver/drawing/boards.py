"""The board: for every drawn node, what is there, in the words and digits of a language.

SVG places it, LaTeX and the outline write it down, and a screen reader reads it aloud: one source for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from solver.drawing.moments import Moment, final_moment
from solver.drawing.view import Fold, View, fold_nothing, fold_tree
from solver.game.convention import Bound
from solver.game.game_tree import AND, CHANCE, MAX, MIN, NOWHERE, OR, ROOT, Leaf, Loop, Node, Outcome, Tree, Unknown
from solver.kernel.exact import Number
from solver.languages.facts import Sentence
from solver.languages.translation import Language
from solver.render.writers import mover_at
from solver.search.solution import Solution, Value
from solver.search.trace import Cut
from solver.story.search_facts import About

TURNS = {MAX: "side.max", MIN: "side.min", CHANCE: "picture.chance", OR: "picture.or", AND: "picture.and"}
"""What is said of the turns that are no players."""


def turn_words(turn: str, mover: str, language: Language) -> str:
    if turn not in TURNS:
        return language.say("picture.player", player=mover)
    side = Sentence(TURNS[turn])
    return language.say("picture.side", player=mover, side=side) if mover else language.tell(side)


def row_words(tree: Tree, fold: Fold, language: Language) -> Iterator[tuple[int, str]]:
    """Each depth whose drawn inner nodes all have one turn and one mover, and how it is called."""
    turns: dict[int, set[tuple[str, str]]] = {}
    for node in fold.nodes:
        turn = tree.turn[node]
        if turn is not None:
            turns.setdefault(tree.depth[node], set()).add((turn, mover_at(tree, node)))
    for depth, here in turns.items():
        if len(here) == 1:
            ((turn, mover),) = here
            yield depth, turn_words(turn, mover, language)


LEAF, PLAYER, REST = "leaf", "player", "rest"
BOUND_SIGNS = {"exact": "", "at-most": "≤", "at-least": "≥"}
SEEN, PRUNED, UNSEEN = "seen", "pruned", "unseen"

_DIRECTION_MARKS = re.compile("[\u200e\u200f\u2066-\u2069]")


@dataclass(frozen=True, slots=True)
class BoardItem:
    """One node, or the folded rest of a node's children."""

    node: Node
    """NOWHERE for a folded rest."""
    kind: str
    name: str = ""
    mover: str = ""
    """The player who moves here, by name."""
    colour: int = 0
    """The player's place among the players."""
    sign: str = ""
    """≤ or ≥ before a value that is only a bound."""
    value: str = ""
    equals: bool = False
    """Whether the search found that the node is worth just this."""
    windows: tuple[str, ...] = ()
    interval: str = ""
    move: str = ""
    probability: str = ""
    state: str = SEEN
    cut: bool = False
    """Whether its edge is crossed out: the search stopped before it."""
    best: bool = False
    """Whether it is on the line of best play."""
    current: bool = False
    """The leaf that was evaluated last, or the node of the last fine step."""
    stopped: str = ""
    """Where the search of the node stopped, and by which kind of cut,"""
    because: str = ""
    """or where, and which bound was reached."""
    fresh_value: bool = False
    """Whether the last leaf changed the value that is shown,"""
    fresh_window: bool = False
    """the last of the windows,"""
    fresh_interval: bool = False
    """or the interval."""
    blank_value: bool = False
    blank_note: bool = False
    spoken: str = ""
    """All of it in words."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is beside the node."""
        return (*self.windows, self.interval) if self.interval else self.windows

    @property
    def fresh_notes(self) -> tuple[bool, ...]:
        """Which of the notes the last leaf changed."""
        older = [False] * (len(self.windows) - 1)
        windows = (*older, self.fresh_window) if self.windows else ()
        return (*windows, self.fresh_interval) if self.interval else windows

    @property
    def changed(self) -> bool:
        return self.fresh_value or self.fresh_window or self.fresh_interval


@dataclass(frozen=True, slots=True)
class Board:
    title: str
    description: str
    language: Language
    tree: Tree
    items: Sequence[BoardItem]
    """The root first, a child after its parent."""
    children: Sequence[Sequence[int]]
    """Places in `items`."""
    depth: Sequence[int]
    rows: Mapping[int, str]
    """Who moves at a depth, where all of its nodes agree."""
    alternating: bool = False
    """Whether windows and intervals share a place, for a page that shows one of them at a time."""


def board(
    tree: Tree, view: View, language: Language, title: str, solution: Solution | None = None, at: Moment | None = None
) -> Board:
    """What is at the nodes: of the finished search, at a moment of it, or, without a solution, nothing yet."""
    line = _line(solution) if solution is not None else []
    fold = fold_nothing(tree) if view.most_leaves is None else fold_tree(tree, line, view.most_leaves)
    if solution is None or view.blank:
        writer = _Writer(tree, view, language, fold, None, Moment(), [], staged=False)
    else:
        moment = final_moment(solution) if at is None else at
        writer = _Writer(tree, view, language, fold, solution, moment, line, at is not None)
    return writer.board(title or language.say("picture.title"))


def _line(solution: Solution) -> Sequence[Node]:
    """What is drawn thick: best play, MCTS's move, or all that an AND-OR plan provides for."""
    if solution.sampled is not None:
        chosen = solution.sampled.found.by_visits
        return [] if chosen is None else [chosen]
    return _plan(solution) if solution.plan is not None else solution.line


def _plan(solution: Solution) -> Sequence[Node]:
    tree, planned = solution.tree, [ROOT] if solution.value else []
    for node in planned:
        choice = solution.choice(node)
        planned += tree.children[node] if tree.turn[node] == AND else [] if choice is None else [choice]
    return planned[1:]


def current_key(item: BoardItem) -> str:
    """How it is called that the search is here: a leaf, or the rest that it is in, was evaluated."""
    return "picture.current" if item.kind in (LEAF, REST) else "picture.current-node"


def without_marks(text: str) -> str:
    """Without the marks that steer the direction of running text: a label in a picture stands alone."""
    return _DIRECTION_MARKS.sub("", text)


class _Counted(Protocol):
    """What MCTS counted, by node."""

    @property
    def visits(self) -> Sequence[Number]: ...
    @property
    def totals(self) -> Sequence[Number]: ...


class _Writer:
    def __init__(
        self,
        tree: Tree,
        view: View,
        language: Language,
        fold: Fold,
        solution: Solution | None,
        moment: Moment,
        line: Sequence[Node],
        staged: bool,
    ) -> None:
        self.tree, self.view, self.language, self.fold = tree, view, language, fold
        self.solution, self.moment, self.staged = solution, moment, staged
        self.line = {ROOT, *line} if moment.over and line and "line" in view.show else set[Node]()
        self.skipped = {child for cut in moment.cuts.values() for child in cut.skipped}
        self.players = {player: place for place, player in enumerate(tree.players)}
        self.rows = {depth: without_marks(text) for depth, text in row_words(tree, fold, language)}
        self.left_out = self._left_out()
        self.pruned = self._pruned()
        self.folded_leaf = self._above_folded_leaf()

    def board(self, title: str) -> Board:
        tree, fold, language = self.tree, self.fold, self.language
        items: list[BoardItem] = []
        children: list[list[int]] = []
        depth: list[int] = []
        # Each entry: a node, or the parent of a folded rest; whether it is a rest; and the place of its parent.
        stack = [(ROOT, False, -1)]
        while stack:
            node, rest, parent = stack.pop()
            place = len(items)
            items.append(self._rest(node, items[parent].state) if rest else self.item(node))
            children.append([])
            depth.append(tree.depth[node] + rest)
            if parent >= 0:
                children[parent].append(place)
            if not rest:
                stack += [(node, True, place)] if node in fold.hidden else []
                stack += [(child, False, place) for child in reversed(fold.children.get(node, ()))]
        description = language.say(
            "picture.description",
            nodes=Sentence("picture.nodes", len(tree)),
            leaves=Sentence("picture.leaves", len(tree.leaves)),
        )
        return Board(title, description, language, tree, items, children, depth, self.rows, self.view.alternating)

    def _rest(self, node: Node, state: str) -> BoardItem:
        """The folded children of a node."""
        shown = set(self.fold.children.get(node, ()))
        away = [child for child in self.tree.children[node] if child not in shown]
        pruned = state == SEEN and all(child in self.left_out for child in away)
        cut = pruned and all(child in self.skipped for child in away)
        text = self.language.say("picture.folded", self.fold.hidden[node])
        return BoardItem(
            NOWHERE,
            REST,
            value=without_marks(text),
            state=PRUNED if pruned else state,
            cut=cut and "cuts" in self.view.show,
            current=node == self.folded_leaf,
            spoken=text,
        )

    def _above_folded_leaf(self) -> Node | None:
        """The drawn node below which the leaf that was evaluated last is folded away, if it is."""
        node, drawn = self.moment.current, set(self.fold.nodes) if self.fold.hidden else set[Node]()
        if node is None or not drawn or node in drawn:
            return None
        while node not in drawn:
            node = self.tree.parent[node]
        return node

    def _left_out(self) -> set[Node]:
        """Children that the search passed over: after its end all that it never visited; before, what its cuts skipped,
        and what Star2's probes left open below a chance node that is cut."""
        if self.solution is None:
            return set()
        if self.moment.over:
            return set(self.solution.pruned)
        tree, seen = self.tree, self.moment.seen
        probed = (child for node in self.moment.cuts if tree.turn[node] == CHANCE for child in tree.children[node])
        return self.skipped | {below for child in probed if child in seen for below in tree.children[child]} - seen

    def _pruned(self) -> set[Node]:
        """What is drawn of that, and below it."""
        pruned: set[Node] = set()
        for node in self.fold.nodes:
            if node not in self.moment.seen and (node in self.left_out or self.tree.parent[node] in pruned):
                pruned.add(node)
        return pruned

    def item(self, node: Node) -> BoardItem:
        tree, show = self.tree, self.view.show
        turn, move = tree.turn[node], tree.move[node]
        by_player = turn in self.players
        state = PRUNED if node in self.pruned else SEEN if self._is_seen(node) else UNSEEN
        blank = self.solution is None and turn is not None
        sign, value = self._value(node, state)
        windows, interval = tuple(self._windows(node)), self._interval(node)
        cut = self.moment.cuts.get(node) if "cuts" in show else None
        item = BoardItem(
            node,
            LEAF if turn is None else PLAYER if by_player else turn,
            name=tree.ids[node] if "names" in show else "",
            mover=mover_at(tree, node),
            colour=self.players[str(turn)] if by_player else 0,
            sign=sign,
            value=without_marks(value),
            equals=bool(value) and not sign and state == SEEN and self._is_found(node),
            windows=tuple(map(without_marks, windows)),
            interval=without_marks(interval),
            move=move if move is not None and "moves" in show else "",
            probability=without_marks(self._probability(node)),
            state=state,
            cut=state == PRUNED and node in self.skipped and "cuts" in show,
            best=node in self.line,
            current=node == self.moment.current,
            stopped="" if cut is None else self.language.say(_CUTS[cut.kind], after=tree.ids[cut.after]),
            because="" if cut is None else self._because(cut),
            fresh_value=bool(value) and node in self.moment.settled,
            fresh_window=bool(windows) and node in self.moment.moved,
            fresh_interval=bool(interval) and node in self.moment.narrowed,
            blank_value=blank and "values" in show,
            blank_note=blank and bool({"windows", "intervals"} & show),
        )
        return replace(item, spoken=self.language.say("picture.joint").join(self._phrases(item)))

    def _is_seen(self, node: Node) -> bool:
        """Before a search starts, and where it does not go by leaves, the tree is simply there."""
        return self.solution is None or self.solution.sampled is not None or node in self.moment.seen

    def _value(self, node: Node, state: str) -> tuple[str, str]:
        tree, solution = self.tree, self.solution
        if tree.turn[node] is None:
            # A pruned leaf keeps its number on the page, as in the textbook's figure.
            return "", "" if state == UNSEEN else self._leaf(tree.leaf[node])
        if solution is None or "values" not in self.view.show:
            return "", ""
        if solution.sampled is not None:
            return "", self._count(solution.sampled.found, node)
        if node not in self.moment.worth:
            return "", ""
        known, worth = self.moment.worth[node]
        return BOUND_SIGNS[known], self._worth(worth)

    def _is_found(self, node: Node) -> bool:
        """Whether what is written at a node is what the search found it worth: nothing blank, unknown or counted."""
        if self.solution is None or isinstance(self.tree.leaf[node], Unknown | Loop):
            return False
        return self.tree.turn[node] is None or self.solution.sampled is None

    def _because(self, cut: Cut) -> str:
        """Such as "after L4: 2 ≤ α = 3 from A"."""
        solution, ids = self.solution, self.tree.ids
        assert solution is not None and solution.search is not None
        number = solution.search.scale.number
        test = About(solution).test(cut.kind, number(cut.value), number(cut.bound))
        if cut.set_by is None:
            return self.language.say("picture.because", after=ids[cut.after], test=test)
        key = "picture.because.deep" if cut.deep else "picture.because.from"
        return self.language.say(key, after=ids[cut.after], test=test, setter=ids[cut.set_by])

    def _count(self, counts: _Counted, node: Node) -> str:
        """MCTS: the total over the visits, as in AIMA 4e, Figure 5.10."""
        if not counts.visits[node]:
            return ""
        return f"{self.language.number(counts.totals[node])}/{self.language.number(counts.visits[node])}"

    def _worth(self, worth: Value | Bound) -> str:
        if isinstance(worth, bool):
            return "✓" if worth else "✗"
        return self.language.vector(worth) if isinstance(worth, tuple) else self.language.bound(worth)

    def _leaf(self, leaf: Leaf | None) -> str:
        if isinstance(leaf, Unknown):
            return leaf.name
        if isinstance(leaf, Loop):
            return f"↺ {leaf.target}"
        if isinstance(leaf, Outcome):
            return "✓" if leaf is Outcome.GOAL else "✗"
        assert leaf is not None
        return self._worth(leaf)

    def _windows(self, node: Node) -> Iterator[str]:
        """As the convention writes them: on entry, on leaving, or all; while the search goes on, the one in force."""
        windows = self.moment.windows.get(node)
        if windows and self.solution is not None and "windows" in self.view.show:
            match self.solution.convention.write:
                case "entry":
                    yield self.language.window(windows[-1 if self.staged else 0])
                case "exit":
                    yield self.language.window(windows[-1])
                case "all":
                    yield from map(self.language.window, windows)

    def _interval(self, node: Node) -> str:
        show, interval = self.view.show, self.moment.intervals.get(node)
        if interval is None or self.solution is None:
            return ""
        asked = "intervals" in show or ("windows" in show and self.solution.convention.write == "interval")
        return self.language.interval(interval) if asked else ""

    def _probability(self, node: Node) -> str:
        probability = self.tree.probability[node]
        return "" if probability is None or "probabilities" not in self.view.show else self.language.number(probability)

    def _phrases(self, item: BoardItem) -> Iterator[str]:
        say = self.language.say
        if item.name:
            yield self.language.name(item.name)
        yield say("picture.leaf") if item.kind == LEAF else turn_words(item.kind, item.mover, self.language)
        if item.move:
            yield say("picture.move", move=item.move)
        if item.probability:
            yield say("picture.probability", probability=item.probability)
        if item.value:
            yield self._worth_in_words(item)
        if item.windows:
            yield say("picture.windows", len(item.windows), windows=" → ".join(item.windows))
        if item.interval:
            yield say("picture.interval", interval=item.interval)
        if item.stopped:
            yield item.stopped
        if item.state != SEEN:
            yield say(_STATES[item.state])
        for mark, key in _MARKS.items():
            if getattr(item, mark):
                yield say(key)
        if item.current:
            yield say(current_key(item))

    def _worth_in_words(self, item: BoardItem) -> str:
        leaf = self.tree.leaf[item.node]
        if isinstance(leaf, Loop):
            return self.language.say("picture.loop", node=leaf.target)
        if item.value in ("✓", "✗"):
            return self.language.say("word.success" if item.value == "✓" else "word.failure")
        if self.solution is not None and self.solution.sampled is not None and item.kind != LEAF:
            return self.language.say("picture.count", value=item.value)
        return self.language.say(_WORTH[item.sign], value=item.value)


_WORTH = {"": "picture.worth", "≤": "picture.at-most", "≥": "picture.at-least"}
_CUTS = {"alpha": "picture.cut.alpha", "beta": "picture.cut.beta"}
_STATES = {PRUNED: "picture.pruned", UNSEEN: "picture.unseen"}
_MARKS = {
    "changed": "picture.changed",
    "best": "picture.best",
    "blank_value": "picture.blank-value",
    "blank_note": "picture.blank-window",
}
