"""Seeds that nobody can guess."""

from __future__ import annotations

import re
import secrets

BITS = 64
DRAWN = re.compile(f"[0-9a-f]{{{BITS // 4}}}")


def draw_seed() -> str:
    return f"{secrets.randbits(BITS):0{BITS // 4}x}"
