"""By which program an answer was marked."""

from __future__ import annotations

from importlib.metadata import version

PROGRAM = version("plymark")
"""Reports of one version of the program are never those of another."""
NOTHING = b'{"answers":{}}'
"""In place of what cannot be read as answers at all."""
