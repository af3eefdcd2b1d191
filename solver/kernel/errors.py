"""What can go wrong, as one tree.

PlymarkError
├── DocumentError    a document cannot be read or is not valid: its problems, each at its line
├── Refusal          a sound tree that this algorithm, window or limit does not accept: names the node
└── UsageError       the call itself is wrong: an option, a convention, an unknown algorithm
"""

from __future__ import annotations

from solver.kernel.problems import Problem


class PlymarkError(Exception):
    """Everything Plymark raises on purpose."""


class DocumentError(PlymarkError):
    """All problems of one document; `total` counts those too that were not kept."""

    def __init__(self, problems: list[Problem], total: int | None = None) -> None:
        # All of them: what goes to another process is made again from these.
        super().__init__(problems, total)
        self.problems = problems
        self.total = len(problems) if total is None else total

    def __str__(self) -> str:
        return "; ".join(str(problem) for problem in self.problems[:3])


class Refusal(PlymarkError):
    """A tree that is sound but not for this algorithm; `node` is the id of the node that does not fit."""

    def __init__(self, node: str, code: str, message: str, hint: str = "") -> None:
        super().__init__(node, code, message, hint)
        self.node = node
        self.code = code
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        return self.message


class UsageError(PlymarkError):
    """A wrong option, convention or name of an algorithm."""
