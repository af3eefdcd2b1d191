"""A request for a page: what a route of the API knows of it, and the reader's language."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import quote

from fastapi import Request

from grader.service.access.scope import Scope
from grader.service.api.routing import ApiCall
from grader.service.service import Service
from grader.service.web.forms import SentForm
from grader.service.web.texts import Texts, chosen_language, texts_of

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
