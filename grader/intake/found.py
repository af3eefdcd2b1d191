"""What collecting answers finds besides answers."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Duplicate:
    """A second answer by the same student; both are marked."""

    student: str
    name: str
    line: int
    earlier_name: str
    earlier_line: int

    def __str__(self) -> str:
        earlier = f"{_shown(self.earlier_name)}:{self.earlier_line}"
        return f"{_shown(self.name)}:{self.line}: {_shown(self.student[:60])} has already answered at {earlier}"


@dataclass(frozen=True, slots=True)
class Note:
    """Something in a sheet that was passed over, and should not be in silence."""

    name: str
    line: int
    text: str

    def __str__(self) -> str:
        return f"{_shown(self.name)}:{self.line}: {self.text}"


def _shown(name: str) -> str:
    return "".join(sign if sign.isprintable() else "?" for sign in name)
