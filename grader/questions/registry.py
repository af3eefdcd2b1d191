"""Every `ask` by name."""

from __future__ import annotations

from grader.questions.answer_key import TYPES, KeyedQuestion
from grader.questions.ask import Ask
from grader.questions.assign import Assign
from grader.questions.backup import Backup
from grader.questions.choice import ChoiceAsk
from grader.questions.counts import CountAsk, Fewest
from grader.questions.depths import Depths
from grader.questions.exercise import Question
from grader.questions.inequalities import Inequalities
from grader.questions.moves import LineAsk, MoveAsk
from grader.questions.opponent import OpponentAsk
from grader.questions.plans import PlanAsk
from grader.questions.prunable import Prunable
from grader.questions.pruned import Pruned
from grader.questions.ranges import RangeAsk
from grader.questions.reorder import Reorder
from grader.questions.transform import Transform
from grader.questions.ucb import Ucb
from grader.questions.values import Values
from grader.questions.vectors import VectorsAsk
from grader.questions.visited import Visited
from grader.questions.windows import WindowsAsk
from solver.documents import offer, withdraw

ASKS: dict[str, Ask] = {
    ask.name: ask
    for ask in (
        Values(),
        WindowsAsk(),
        Inequalities(),
        Pruned(),
        MoveAsk(),
        LineAsk(),
        Visited(),
        CountAsk(),
        Fewest(),
        RangeAsk(),
        Reorder(),
        Assign(),
        Prunable(),
        VectorsAsk(),
        Depths(),
        OpponentAsk(),
        PlanAsk(),
        Ucb(),
        Backup(),
        Transform(),
        ChoiceAsk(),
    )
}

TYPES.update(ASKS)


def register(ask: Ask) -> None:
    """Add a type of question that is not in the list above, so that documents may ask it."""
    ASKS[ask.name] = TYPES[ask.name] = ask
    offer("ask", ask.name)


def unregister(ask: Ask) -> None:
    del ASKS[ask.name], TYPES[ask.name]
    withdraw("ask", ask.name)


def ask_of(question: Question | KeyedQuestion) -> Ask:
    """The type of a question."""
    return ASKS[question.ask]
