"""How a service is set up: flags of `plymark serve`, each with an environment variable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from grader.service.base.addresses import Proxies, public_url


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path = Path("plymark-data")
    database: str | None = field(default=None, repr=False)
    """The URL of a database in place of SQLite in `data`."""
    host: str = "127.0.0.1"
    port: int = 8321
    public_url: str | None = None
    """How others reach the service, if not by host and port; may have a path."""
    proxy: tuple[str, ...] = ()
    """Addresses and networks whose forwarding headers are believed."""
    closed: bool = False
    """Whether everything but health needs signing in."""
    workers: int = 0
    """Processes that mark; 0 for as many as fit the machine."""
    cluster: str | None = None
    """The address of a Dask scheduler for bulk work."""
    metrics_token: str | None = field(default=None, repr=False)
    demo: bool = False
    """Whether an empty store is filled with a course to look at."""

    @property
    def base(self) -> str | None:
        """The public URL without a slash at its end."""
        return self.public_url.rstrip("/") if self.public_url else None

    @property
    def secure(self) -> bool:
        """Whether browsers reach the service by https alone."""
        return bool(self.public_url and urlsplit(self.public_url).scheme == "https")

    @property
    def path(self) -> str:
        """Of the public URL, before which no route begins."""
        return urlsplit(self.base).path if self.base else ""

    def proxies(self) -> Proxies:
        return Proxies(self.proxy, self.path)


def validate_settings(settings: Settings) -> Settings:
    """With a public URL as browsers write it; UsageError for one that is none, and for proxies that are none."""
    proxy = _listed(settings.proxy)
    url = None if settings.public_url is None else str(public_url(settings.public_url))
    changed = replace(settings, public_url=url, proxy=proxy)
    changed.proxies()
    return changed


def _listed(given: Sequence[str]) -> tuple[str, ...]:
    """Also several in one text, as an environment variable has them."""
    return tuple(each for text in given for each in text.replace(",", " ").split())
