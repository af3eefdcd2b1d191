"""Completion for shells: the script that `click` makes, and where each shell looks for it."""

from __future__ import annotations

import os
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from grader.kernel.files import write_file
from solver.kernel import UsageError

SHELLS = {
    "bash": (".bash_completions/plymark.sh", ".bashrc", "source ~/.bash_completions/plymark.sh"),
    "zsh": (".zfunc/_plymark", ".zshrc", "fpath+=~/.zfunc; autoload -Uz compinit; compinit"),
    "fish": (".config/fish/completions/plymark.fish", None, ""),
}
"""For each, in the home folder: the script, the file that the shell reads at its start, and the line needed there."""


def script(app: click.Command, shell: str) -> str:
    """What makes a shell complete; without a name, the user's own."""
    made = get_completion_class(_known(shell))
    assert made is not None
    return made(app, {}, "plymark", "_PLYMARK_COMPLETE").source()


def install(app: click.Command, shell: str) -> str:
    """Write the script to where the shell finds it; what to say about it."""
    shell = _known(shell)
    place, start, line = SHELLS[shell]
    path = Path.home() / place
    write_file(path, f"{script(app, shell)}\n".encode())
    if start is not None:
        begin = Path.home() / start
        text = begin.read_text("utf-8") if begin.exists() else ""
        if line not in text.splitlines():
            with begin.open("a", encoding="utf-8") as file:
                file.write(f"{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n")
    return f"{shell} completion is in {path}; it works in new terminals"


def _known(shell: str) -> str:
    name = shell or os.path.basename(os.environ.get("SHELL", ""))
    if name not in SHELLS:
        raise UsageError(f"completion is for {', '.join(SHELLS)}: name one of them, not {name!r}")
    return name
