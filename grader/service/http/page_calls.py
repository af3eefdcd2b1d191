"""A request for a page: what a route of the API knows of it, what a form sends, and the reader's language."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import parse_qsl, quote

from fastapi import Request

from grader.service.base.service_problems import ServiceProblem
from grader.service.http.access import Scope
from grader.service.http.page_texts import Texts, chosen_language, texts_of
from grader.service.http.routing import ApiCall
from grader.service.http.service import Service

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


def number_written(form: SentForm, name: str) -> int | None:
    written = form[name]
    if not written:
        return None
    if not (written.isdecimal() and len(written) <= 9):
        raise ServiceProblem(422, "field", f"{name}: a whole number")
    return int(written)


TYPED = str.maketrans("۰۱۲۳۴۵۶۷۸۹,٫", "0123456789..")
"""Marks as people type them, in any of the languages."""

LANGUAGE_COOKIE = "plymark_language"
NAMES_COOKIE, NAMES_OFF = "plymark_names", "off"


@dataclass(frozen=True, slots=True)
class PageCall(ApiCall):
    texts: Texts = field(default_factory=lambda: texts_of("en"))
    form: SentForm = field(default_factory=SentForm)

    @property
    def language(self) -> str:
        return self.texts.code

    def url(self, path: str) -> str:
        """The address of a path of ours, wherever the service is."""
        return f"{self.service.settings.path}{path}"

    @property
    def names_off(self) -> bool:
        """Whether whoever judges wants to see ids instead of names."""
        return self.request.cookies.get(NAMES_COOKIE) == NAMES_OFF

    @property
    def here(self) -> str:
        """The path that was asked for, with its query."""
        path = quote(self.request.scope["path"].removeprefix(self.service.settings.path), safe="/")
        query = self.request.scope["query_string"].decode("latin-1")
        return f"{path}?{query}" if query else path


def page_call(request: Request, service: Service, scope: Scope, form: SentForm | None = None) -> PageCall:
    wanted = (
        scope.person.language if scope.person is not None else None,
        request.cookies.get(LANGUAGE_COOKIE),
        scope.course.language if scope.course is not None else None,
    )
    code = chosen_language(wanted, request.headers.get("accept-language", ""))
    return PageCall(request, service, scope, texts_of(code), form or SentForm())


def own_path(written: str) -> str:
    """A path of this service that a form or a query names; the first page for anything else."""
    plain = written.startswith("/") and not written.startswith(("//", "/\\"))
    return written if plain and written.isprintable() and len(written) <= 2_000 and "\\" not in written else "/"
