"""One line a request and one a crash: JSON, or for people on a terminal.

A line holds methods, route templates, figures and opaque ids: no path, no query, no words that somebody sent.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import MutableMapping
from datetime import UTC, datetime
from typing import Any, TextIO

import orjson
import structlog
from structlog.typing import EventDict, FilteringBoundLogger, Processor

from grader.service.base.exchange import exchange_of, route_template
from grader.service.base.service_problems import traceback_places

SECONDS_HELD = 0.1
QUIET = ("uvicorn.access", "httpx", "httpcore")
"""Loggers that would write down addresses with what is in them."""


def configure_logs(stream: TextIO | None = None, human: bool | None = None, level: int = logging.INFO) -> None:
    """Once, when the service starts. Other libraries' log lines take the same way."""
    out = stream or sys.stderr
    for_people = out.isatty() if human is None else human
    shared: list[Processor] = [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True, key="time"),
        _without_words,
    ]
    structlog.configure(
        processors=[*shared, _renderer(for_people)],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.WriteLoggerFactory(out),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(out)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, _first_line],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _renderer(for_people)],
            keep_exc_info=False,
        )
    )
    root = logging.getLogger()
    root.handlers, root.level = [handler], max(level, logging.INFO)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # every step of a new store is no news
    for name in QUIET:
        logging.getLogger(name).disabled = True


class RequestLines:
    """The log's lines of requests, written together a few times a second: most of a line's cost is the writing."""

    def __init__(self, stream: TextIO | None = None, human: bool | None = None) -> None:
        self._out = stream or sys.stderr
        self._log = service_log() if (self._out.isatty() if human is None else human) else None
        self._lines: list[bytes] = []

    def add(self, **facts: Any) -> None:
        if self._log is not None:
            self._log.info("request", **facts)
            return
        line = {"event": "request", **facts, "level": "info", "time": datetime.now(UTC)}
        self._lines.append(orjson.dumps(line, option=orjson.OPT_UTC_Z))
        if len(self._lines) == 1:
            asyncio.get_running_loop().call_later(SECONDS_HELD, self.flush)

    def flush(self) -> None:
        """Before a line of another kind, and when the service ends."""
        if self._lines:
            lines, self._lines = self._lines, []
            self._out.write(b"\n".join([*lines, b""]).decode())
            self._out.flush()


def service_log() -> FilteringBoundLogger:
    """The log of whoever asks: `service_log().info("backup", file=…, ms=…)`; ids and figures only."""
    log: FilteringBoundLogger = structlog.get_logger().bind()
    return log


def log_crash(scope: MutableMapping[str, Any], crash: BaseException) -> None:
    """Of a request: its number leads from the answer to this line."""
    number, route = exchange_of(scope).request_id, route_template(scope)
    service_log().error("crash", request=number, route=route, **crash_facts(crash))


def crash_facts(crash: BaseException) -> dict[str, Any]:
    """Kind and places, the innermost last; without its words, and without the way through libraries."""
    facts: dict[str, Any] = {"error": type(crash).__name__, "at": traceback_places(crash)}
    cause = crash.__cause__ or crash.__context__
    return {**facts, "because": type(cause).__name__} if cause is not None else facts


def _renderer(for_people: bool) -> Processor:
    if for_people:
        return structlog.dev.ConsoleRenderer()
    return structlog.processors.JSONRenderer(serializer=_json)


def _json(line: object, **_: object) -> str:
    return orjson.dumps(line, default=lambda unknown: type(unknown).__name__).decode()


def _without_words(_: Any, __: str, line: EventDict) -> EventDict:
    error = line.pop("exc_info", None)
    if error is True:
        error = sys.exception()
    crash = error[1] if isinstance(error, tuple) else error
    if isinstance(crash, BaseException):
        line.update(crash_facts(crash))
    line.pop("stack_info", None)
    return line


def _first_line(_: Any, __: str, line: EventDict) -> EventDict:
    """Of another library: further lines repeat objects with all that is in them."""
    line["event"] = str(line["event"]).partition("\n")[0]
    line["logger"] = getattr(line.get("_record"), "name", "")
    return line
