"""Where an exception was raised, for logs: no words, which may quote what somebody sent."""

from __future__ import annotations

import traceback
from pathlib import PurePath

MOST_FRAMES = 20


def places_of(crash: BaseException) -> list[str]:
    """The innermost last, without the way through libraries."""
    frames = traceback.extract_tb(crash.__traceback__)
    told = [frame for frame in frames[:-1] if "site-packages" not in frame.filename] + frames[-1:]
    return [f"{_short(frame.filename)}:{frame.lineno} in {frame.name}" for frame in told[-MOST_FRAMES:]]


def _short(filename: str) -> str:
    return "/".join(PurePath(filename).parts[-3:])
