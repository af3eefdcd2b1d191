"""Every model by its id, in the order in which a class of equal ones is named."""

from __future__ import annotations

from grader.mistakes import chance, minimax, plans, pruning, ucb, vectors
from grader.mistakes.behaviour import Model

FAMILIES = (minimax, pruning, chance, vectors, ucb, plans)
MODELS: dict[str, Model] = {model.id: model for family in FAMILIES for model in family.MODELS}

DETECTED = {"A19": pruning.FAMILY}
"""Mistakes without a model of their own: a function looks for their trace in an answer."""
