"""What `plymark serve` prints once it can be reached."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

import segno


@dataclass(frozen=True, slots=True)
class Announcement:
    url: str
    link: str | None
    """The secret of the teacher's link, while no teacher has arrived."""
    data: Path
    new: bool
    for_others: bool
    """Whether other machines can connect."""

    def make(self) -> None:
        """The address and the link on stdout, for programs too; what is for people alone on stderr."""
        print(f"Data: {self.data.resolve()} ({'new' if self.new else 'as it was'})", file=sys.stderr)
        print(f"Plymark is running at {self.url}", flush=True)
        if self.link is not None:
            print(f"Teacher's link (works once): {self.url}/in/{self.link}", flush=True)
        if self.for_others and sys.stderr.isatty():
            segno.make(self.url, micro=False).terminal(sys.stderr, compact=True)
