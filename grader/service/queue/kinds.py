"""The kinds of jobs by name."""

from __future__ import annotations

from collections.abc import Mapping

from grader.service.queue.jobs import Kind

KINDS: Mapping[str, Kind] = {}
