"""The trees of a paper: blank with what is given for the students, solved for the key."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from grader.exercise import Exercise
from grader.papers.asking import ALGORITHM
from grader.papers.content import Figure
from grader.setting import Setting
from solver import CHANCE, Amount, Board, Language, Refusal, Sentence, Solution, View, board, picture

LEGIBLE = 0.46
"""Points to a unit of a picture: below that, what stands at its edges is smaller than 6 points."""
UPRIGHT, ASIDE = 174 / 25.4 * 72, 243 / 25.4 * 72
"""Points between the margins of a page, and of a page that lies on its side."""
HIGHEST = 150 / 25.4 * 72
"""Points that the first page has for a tree."""
GIVEN = frozenset({"names", "moves", "probabilities"})
SOLVED = GIVEN | {"values", "windows", "cuts", "line"}


def sheet_figure(exercise: Exercise, words: Language) -> Figure:
    """The blank tree so that it can be read: with room for windows if the page has it, or on a page on its side."""
    roomy, tight = (_plain(blank_figure(exercise, words, room)) for room in (True, False))
    for figure, across in ((roomy, UPRIGHT), (tight, UPRIGHT), (roomy, ASIDE)):
        if _is_legible(figure, across):
            return replace(figure, wide=across == ASIDE, high=across == UPRIGHT and _is_high(figure))
    return replace(tight, wide=True)


def blank_figure(exercise: Exercise, words: Language, room: bool = True) -> Figure:
    """With room for values and windows if they are asked for, and with every number that an answer needs."""
    asks, tree = {question.ask for question in exercise.questions}, exercise.game.tree
    show = GIVEN | ({"values"} if asks & {"values", "inequalities", "vectors"} else set())
    show |= {"windows"} if "windows" in asks and room else set()
    made = board(tree, View(show, blank=True, most_leaves=None), words, exercise.game.title or "")
    captions = [words.say("paper.working")]
    if asks & {"ucb", "backup"}:
        made = _with_statistics(made, words)
        captions.insert(0, words.say("paper.statistics"))
    elif tree.estimates and any(each.depth is not None or each.ask == "depths" for each in exercise.questions):
        made = _with_estimates(made, words)
        captions.insert(0, words.say("paper.estimates"))
    return Figure(made, " ".join(captions))


def solved_figures(setting: Setting, words: Language) -> Iterator[Figure]:
    """Each search that some question is about; the tree as it stands where none of them can be run."""
    found: dict[tuple[str, int | None], Solution] = {}
    for question in setting.exercise.questions:
        try:
            solution = setting.solution(question)
        except Refusal:
            continue
        found.setdefault((solution.algorithm, question.depth), solution)
    title = setting.exercise.game.title or ""
    if not found:
        yield _laid(Figure(board(setting.exercise.game.tree, View(GIVEN, most_leaves=None), words, title)))
    for (algorithm, depth), solution in found.items():
        show = SOLVED if solution.search is not None else SOLVED - {"windows"}
        name = Sentence(ALGORITHM + algorithm)
        if depth is None:
            caption = words.say("paper.figure", algorithm=name)
        else:
            caption = words.say("paper.figure.depth", algorithm=name, depth=Amount(depth))
        yield _laid(Figure(board(solution.tree, View(show, most_leaves=None), words, title, solution), caption))


def _laid(figure: Figure) -> Figure:
    plain = _plain(figure)
    wide = not _is_legible(plain, UPRIGHT)
    return replace(plain, wide=wide, high=not wide and _is_high(plain))


def _is_legible(figure: Figure, across: float) -> bool:
    """Whether a tree can be read in a picture of this width."""
    return bool(across / picture(figure.board).width >= LEGIBLE)


def _is_high(figure: Figure) -> bool:
    return bool(picture(figure.board).height * LEGIBLE > HIGHEST)


def _plain(figure: Figure) -> Figure:
    """Without the names that outcomes of chance have only for want of others: no answer has them."""
    made, tree = figure.board, figure.board.tree
    items = list(made.items)
    for place, children in enumerate(made.children):
        node = made.items[place].node
        if node < 0 or tree.turn[node] != CHANCE:
            continue
        usual = str(tree.ids[node]).casefold()
        for number, child in enumerate(children, 1):
            if items[child].move == f"{usual}{number}":
                items[child] = replace(items[child], move="")
    return replace(figure, board=replace(made, items=items))


def _with_statistics(made: Board, words: Language) -> Board:
    """What was counted before the playout, in the shapes: the questions start from it."""
    visits, totals = made.tree.visits or {}, made.tree.totals or {}
    items = []
    for item, children in zip(made.items, made.children, strict=True):
        if item.node not in visits or not children:
            items.append(item)
            continue
        count = f"{words.number(totals.get(item.node, 0))}/{words.number(visits[item.node])}"
        items.append(replace(item, value=count, spoken=_spoken(item.spoken, count, words)))
    return replace(made, items=items)


def _with_estimates(made: Board, words: Language) -> Board:
    """Beside the shapes, which are left for the values."""
    estimates = made.tree.estimates or {}
    items = []
    for item, children in zip(made.items, made.children, strict=True):
        if item.node not in estimates or not children:
            items.append(item)
            continue
        estimate = words.number(estimates[item.node])
        spoken = _spoken(item.spoken, estimate, words)
        items.append(replace(item, windows=(estimate,), blank_note=False, spoken=spoken))
    return replace(made, items=items)


def _spoken(said: str, added: str, words: Language) -> str:
    """A screen reader reads aloud what was added, too."""
    joint: str = words.say("picture.joint")
    return joint.join([said, added])
