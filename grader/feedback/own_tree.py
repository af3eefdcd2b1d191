"""A student's own answers on the tree, with what became of them where that is told. Nothing else here tells the key:
it is drawn from what was written, and from verdicts that a report tells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from grader.delivery.exercise_wording import blank_tree, without_usual_outcomes
from grader.feedback.stages import AFTER
from grader.kernel.display_text import fact_cell, without_isolates
from grader.kernel.verdicts import MISSING, SIGNS, Verdict
from grader.questions.answer_key import KeyedQuestion
from grader.questions.ask import Given
from grader.questions.exercise import Exercise
from grader.questions.presentation import MOVE, MOVES, SKIPPED_LEAVES, SPACE_FOR_VALUES, SPACE_FOR_WINDOWS
from grader.questions.registry import ask_of
from grader.reports.feedback_sentences import VERDICT_KEYS
from solver.drawing import Board, BoardItem
from solver.game import NodeId
from solver.languages import Language

LEFT_OUT = "pruned"
LONGEST = 14
"""What is longer is drawn with its beginning only; all of it stands in the list of answers."""

Verdicts = Mapping[str, Mapping[str, Verdict]]
"""By question and item; empty where no verdict is told."""
SAID = {MOVE: "kept.move", MOVES: "kept.line"}
"""What is said of a node that a chosen move or line leads to."""


@dataclass(frozen=True, slots=True)
class JudgedText:
    """Something that was written, or that is missing, and what became of it."""

    text: str
    verdict: Verdict | None = None

    @property
    def shown(self) -> str:
        if self.verdict is None:
            return self.text
        return f"{self.text} {SIGNS[self.verdict]}".strip()

    def spoken(self, words: Language) -> str:
        """With the verdict in words."""
        verdict = None if self.verdict is None else words.say(VERDICT_KEYS[self.verdict])
        return words.say("picture.joint").join(filter(None, (self.text, verdict)))


@dataclass(slots=True)
class Written:
    """By node or by name what belongs there."""

    values: dict[str, JudgedText] = field(default_factory=dict)
    windows: dict[str, JudgedText] = field(default_factory=dict)
    crossed: set[str] = field(default_factory=set)
    """Leaves that were left out."""
    stops: dict[str, JudgedText] = field(default_factory=dict)
    """By the node whose search was stopped."""
    missed: dict[int, JudgedText] = field(default_factory=dict)
    """Stops that are missing, by the child that could have been left out first."""
    chosen: dict[int, list[JudgedText]] = field(default_factory=dict)
    """The nodes that a chosen move or line leads to, and in which words that is said."""


def has_places(questions: Sequence[KeyedQuestion]) -> bool:
    """Whether an answer to some question can be drawn on the tree."""
    spaces = {SPACE_FOR_VALUES, SPACE_FOR_WINDOWS}
    return any(
        spaces & ask.on_the_tree or ask.box in SAID or ask.selects == SKIPPED_LEAVES
        for ask in (ask_of(question) for question in questions)
    )


def own_board(
    exercise: Exercise,
    questions: Sequence[KeyedQuestion],
    given: Mapping[str, Mapping[str, Given]],
    words: Language,
    verdicts: Verdicts | None = None,
) -> Board:
    """The tree with what was read of an answer."""
    written = _written(questions, given, verdicts or {}, words)
    return _drawn(without_usual_outcomes(blank_tree(exercise, words).board), written, words)


def _written(
    questions: Sequence[KeyedQuestion],
    given: Mapping[str, Mapping[str, Given]],
    verdicts: Verdicts,
    words: Language,
) -> Written:
    found = Written()
    for question in questions:
        ask, here, judged = ask_of(question), given[question.id], verdicts.get(question.id, {})
        if SPACE_FOR_VALUES in ask.on_the_tree:
            _fill(found.values, question, here, judged, words)
        elif SPACE_FOR_WINDOWS in ask.on_the_tree:
            _fill(found.windows, question, here, judged, words)
        elif ask.box in SAID:
            for item, node in _nodes(here):
                found.chosen.setdefault(node, []).append(JudgedText(words.say(SAID[ask.box]), judged.get(item)))
        crossed = ask.stated(question, here).crossed
        if crossed:
            found.crossed |= crossed
            found.stops |= {item.partition(AFTER)[0]: JudgedText("", each) for item, each in judged.items()}
        if ask.selects == SKIPPED_LEAVES:
            found.missed |= {child: JudgedText("", MISSING) for child in _missed(question, judged)}
    return found


def _fill(
    places: dict[str, JudgedText],
    question: KeyedQuestion,
    given: Mapping[str, Given],
    judged: Mapping[str, Verdict],
    words: Language,
) -> None:
    """What was written at nodes, and where something is missing."""
    for item, each in given.items():
        fact = ask_of(question).given_fact(question, item, each)
        if fact not in (None, ""):
            places[item] = JudgedText(_short(fact_cell(fact, words)), judged.get(item))
    for item, verdict in judged.items():
        if verdict == MISSING:
            places.setdefault(item, JudgedText("", verdict))


def _missed(question: KeyedQuestion, judged: Mapping[str, Verdict]) -> Iterator[int]:
    """With which children the search goes on although it need not, as the names of missing stops say."""
    tree, step = question.tree, -1 if question.convention.order == "right-to-left" else 1
    for item, verdict in judged.items():
        _, _, after = item.partition(AFTER)
        before = tree.index.get(NodeId(after))
        if verdict == MISSING and before is not None:
            siblings = tree.children[tree.parent[before]][::step]
            yield from siblings[siblings.index(before) + 1 :][:1]


def _nodes(given: Mapping[str, Given]) -> Iterator[tuple[str, int]]:
    """As far as the moves could be read."""
    for item, here in given.items():
        if isinstance(here.value, int):
            yield item, here.value


def _short(shown: str) -> str:
    text = without_isolates(shown)
    return text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"


def _drawn(blank: Board, written: Written, words: Language) -> Board:
    """Values in the shapes, windows beside them, what was left out crossed out, what was chosen heavy; signs of
    verdicts beside what they are about."""
    joint: str = words.say("picture.joint")
    below = _left_out(blank, written.crossed)
    up = {child: place for place, children in enumerate(blank.children) for child in children}
    stops = dict(written.stops)
    items = list(blank.items)
    for place, item in enumerate(blank.items):
        marks = [each for each in (written.values.get(item.name), written.windows.get(item.name)) if each]
        said = [each.spoken(words) for each in marks]
        chosen = written.chosen.get(item.node, [])
        drawn = item
        if place in below:
            first = place in up and up[place] not in below
            drawn = replace(drawn, state=LEFT_OUT, cut=first)
            said.append(words.say("picture.pruned"))
            # Of the children that were left out together, the first has the sign.
            if first and (stop := stops.pop(blank.items[up[place]].name, None)) is not None:
                drawn = replace(drawn, move=f"{drawn.move} {stop.shown}".strip())
                said.append(stop.spoken(words))
        elif blank.children[place]:
            drawn = _filled_in(drawn, written)
        if place not in below and (missed := written.missed.get(item.node)) is not None:
            drawn = replace(drawn, move=f"{drawn.move} {missed.shown}".strip())
            said.append(missed.spoken(words))
        if chosen:
            signs = "".join(dict.fromkeys(SIGNS[each.verdict] for each in chosen if each.verdict is not None))
            drawn = replace(drawn, move=f"{drawn.move} {signs}".strip())
            said += [each.spoken(words) for each in chosen]
        items[place] = replace(drawn, best=bool(chosen), spoken=joint.join([item.spoken, *said]))
    return replace(blank, items=items)


def _filled_in(item: BoardItem, written: Written) -> BoardItem:
    if item.name in written.values:
        item = replace(item, value=written.values[item.name].shown)
    if item.name in written.windows:
        item = replace(item, windows=(written.windows[item.name].shown,), blank_note=False)
    return item


def _left_out(drawn: Board, crossed: set[str]) -> set[int]:
    """Crossed-out leaves, and the nodes below which there are no others."""
    found: set[int] = set()
    for place in reversed(range(len(drawn.items))):
        children = drawn.children[place]
        gone = all(child in found for child in children) if children else drawn.items[place].name in crossed
        if gone:
            found.add(place)
    return found
