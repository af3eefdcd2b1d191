"""The kinds of jobs by name."""

from __future__ import annotations

from collections.abc import Mapping

from grader.service.queue import generating
from grader.service.queue.jobs import Kind
from grader.service.queue.regrading import regrade
from grader.service.store.regrades import KIND as REGRADE

KINDS: Mapping[str, Kind] = {REGRADE: regrade, generating.KIND: generating.generate}
