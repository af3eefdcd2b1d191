"""Where the command `plymark` begins: Ctrl-C is answered in words while the program loads, too."""

from __future__ import annotations

import sys


def main() -> None:
    try:
        # Imported only here: what stops it is caught.
        from grader.cli.main import main as run
    except KeyboardInterrupt:
        sys.stderr.write("plymark: stopped\n")
        sys.exit(130)
    run()
