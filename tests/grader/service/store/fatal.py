"""The tasks of workers, with answers that kill whoever marks them while a file is there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from grader.service.work.tasks.registry import TASKS as USUAL


def mark(variant: bytes, raw: bytes, language: str | None, by_hand: list[Any]) -> Any:
    fatal = json.loads(raw)["answers"].get("fatal")
    if fatal is not None and Path(fatal).exists():
        os._exit(9)
    return USUAL["mark"](variant, raw, language, by_hand)


TASKS = {**USUAL, "mark": mark}
