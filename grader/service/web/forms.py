"""What a form sends: names and texts, as browsers write them without script."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl

from fastapi import Request

from grader.service.problems import ServiceProblem

MOST_FIELDS = 20_000
CSRF = "csrf"
NEVER_SHOWN = frozenset({CSRF, "password"})
"""Fields that are not sent back, whatever goes wrong."""


@dataclass(frozen=True)
class SentForm:
    """In the order in which they were sent; a name may come more than once."""

    pairs: list[tuple[str, str]] = field(default_factory=list)

    def __getitem__(self, name: str) -> str:
        """The first with the name, without space at its ends; empty if there is none."""
        return next((value.strip() for each, value in self.pairs if each == name), "")

    def all(self, name: str) -> list[str]:
        return [value for each, value in self.pairs if each == name]

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What may be shown again."""
        return [(name, value) for name, value in self.pairs if name not in NEVER_SHOWN]


async def read_form(request: Request) -> SentForm:
    """422 for what no form of ours sends."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    raw = await request.body()
    if raw and kind != "application/x-www-form-urlencoded":
        raise ServiceProblem(422, "form", "send the fields of the form as a browser does")
    try:
        text = raw.decode("utf-8")
        pairs = parse_qsl(text, keep_blank_values=True, errors="strict", max_num_fields=MOST_FIELDS)
    except ValueError:
        raise ServiceProblem(422, "form", "the form holds something that is no text") from None
    if any("\0" in name or "\0" in value for name, value in pairs):
        raise ServiceProblem(422, "form", "the form holds a character that is no text")
    return SentForm(pairs)
