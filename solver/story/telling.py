"""A story from its first sentence to its last, and the text that `explain` prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from solver.game.building.build import Game
from solver.game.tree import AND, MAX, Node
from solver.kernel.errors import UsageError
from solver.languages.facts import MOST_ITEMS, Fact, Limit, Sentence
from solver.languages.lookup import Language
from solver.languages.lookup import language as words_in
from solver.search.events import ENTERED, EVALUATED
from solver.search.solution import Solution
from solver.story.about import About, fact
from solver.story.choices import DETAILS
from solver.story.closing import closing
from solver.story.cuts import seen, why
from solver.story.finished import finished
from solver.story.full import full
from solver.story.happenings import Happening, happenings
from solver.story.leaves import leaf_sentence
from solver.story.opening import opening
from solver.story.probes import Probes
from solver.story.sampled import sampled
from solver.story.steps import Step


def story_of(solution: Solution, detail: str = "brief") -> Iterator[Step]:
    """An opening, the steps, and a closing. `brief` has a step for each inner node, `full` one for each event."""
    if detail not in DETAILS:
        raise UsageError(f"unknown detail {detail!r}; choose one of {', '.join(DETAILS)}")
    return _story(About(solution), detail)


def _story(about: About, detail: str) -> Iterator[Step]:
    yield opening(about)
    if about.solution.sampled is not None:
        yield from sampled(about)
    else:
        yield from full(about) if detail == "full" else _brief(about)
    yield closing(about)


def told(steps: Iterable[Step], language: Language) -> Iterator[str]:
    """Each step as one paragraph."""
    for step in steps:
        yield " ".join(map(language.tell, step.sentences))


def told_story(solution: Solution, language: Language, detail: str = "brief") -> list[str]:
    """The opening, the steps and the closing, each as one paragraph."""
    return list(told(story_of(solution, detail), language))


def explain(game: Game, solution: Solution, language: str = "en", detail: str = "brief") -> str:
    """A solution explained step by step, in a language of `LANGUAGES`; `detail` is `brief` or `full`."""
    return "".join(f"{line}\n" for line in explanation(game, solution, words_in(language), detail))


def explanation(game: Game, solution: Solution, language: Language, detail: str = "brief") -> Iterator[str]:
    """The lines of the text output: title, opening, numbered steps, closing."""
    heading = [language.name(text) for text in (game.title, game.source) if text]
    yield from map(language.line, heading)
    if heading:
        yield ""
    number = 0
    previous: str | None = None
    for paragraph in told(story_of(solution, detail), language):
        # The last paragraph is the closing, which has no number.
        if previous is not None:
            yield language.line(f"{language.count(number)}. {previous}" if number else previous)
            if not number:
                yield ""
            number += 1
        previous = paragraph
    if number > 1:
        yield ""
    yield language.line(str(previous))


def _brief(about: About) -> Iterator[Step]:
    probes = Probes(about)
    cut_at: dict[Node, list[Sentence]] = {}
    by_leaf: dict[Node, list[Sentence]] = {}
    """How a leaf last moved a bound at a node."""
    for happening in happenings(about.solution):
        probes.reenters(happening)
        up = about.tree.parent[happening.node]
        if happening.kind == ENTERED:
            if up in by_leaf:
                # The bound matters to what is searched now.
                yield Step(happening.stage, up, tuple(by_leaf.pop(up)))
            continue
        if happening.kind == EVALUATED and happening.moved is not None:
            by_leaf[up] = [leaf_sentence(about, happening), *moved(about, happening)]
        if happening.kind != EVALUATED:
            by_leaf.pop(happening.node, None)
            sentences = cut_at.pop(happening.node, None) or [
                *_why_leaves_fail(about, happening.node),
                *_finished(about, happening, probes),
            ]
            sentences += moved(about, happening)
            yield Step(happening.stage, happening.node, tuple(sentences))
        cut = happening.cut
        if cut is not None:
            cut_at[cut.node] = [*seen(about, happening, probes.left_open), why(about, cut, probes.left_open)]
            probes.cut(cut.node)


def _why_leaves_fail(about: About, node: Node) -> Iterator[Sentence]:
    """AND-OR search: why the leaves that made a node fail did so."""
    if about.solution.plan is None or about.solution.values[node]:
        return
    for child in about.in_order(node)[:MOST_ITEMS]:
        if about.tree.turn[child] is None and not about.solution.values[child]:
            yield leaf_sentence(about, Happening(EVALUATED, child, 0, False))
        if about.tree.turn[node] == AND and not about.solution.values[child]:
            # The first child that fails decides.
            return


def _finished(about: About, happening: Happening, probes: Probes) -> list[Sentence]:
    node = happening.node
    if node not in probes.left_open:
        return finished(about, node, happening.value)
    at_max = about.tree.turn[node] == MAX
    facts: dict[str, Fact] = {
        "node": about.name(node),
        "child": about.name(about.in_order(node)[0]),
        "value": fact(happening.value),
    }
    return [Sentence("probed.max" if at_max else "probed.min", None, facts)]


def moved(about: About, happening: Happening) -> list[Sentence]:
    """What a child's value changed in the window above it."""
    if happening.moved is None:
        return []
    up = about.tree.parent[happening.node]
    at_max = about.tree.turn[up] == MAX
    value = Limit(happening.moved[0 if at_max else 1])
    facts: dict[str, Fact] = {"node": about.name(up), "value": value}
    return [about.by_mover(up, "moved.alpha" if at_max else "moved.beta", None, facts)]
