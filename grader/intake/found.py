"""What collecting answers finds besides answers."""

from __future__ import annotations

from dataclasses import dataclass


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
