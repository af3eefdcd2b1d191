"""How a service is set up: flags of `plymark serve`, each with an environment variable."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Settings:
    data: Path = Path("plymark-data")
    database: str | None = None
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
    metrics_token: str | None = field(default=None, repr=False)

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
