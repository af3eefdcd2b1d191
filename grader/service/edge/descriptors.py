"""How many connections this process can hold: each needs a file descriptor."""

from __future__ import annotations

import sys

if sys.platform != "win32":
    import resource

WANTED = 16_384
FOR_OTHERS = 256
"""Files, workers' pipes and the database."""
NO_LIMIT_KNOWN = 4_096


def connection_room() -> int:
    """Raises the soft limit as far as it may go and needs to, and says how many connections fit."""
    if sys.platform == "win32":
        return NO_LIMIT_KNOWN
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    return max(64, (WANTED if soft == resource.RLIM_INFINITY else min(soft, WANTED)) - FOR_OTHERS)
