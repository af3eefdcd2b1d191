"""Documents of the project and of the YAML test suite, and what becomes of them when somebody mistypes."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path

import yaml

from benchmarks.games import block_yaml, small_game

ROOT = Path(__file__).parents[3]

# What YAML gives a meaning to, and what only looks as if it did.
PIECES = (
    *(" ", "  ", "\n", "\n  ", "- ", ": ", ":", "#", " #", "'", '"', "[", "]", "{", "}", ",", ", ", "~", "null", "<<"),
    *("&a", "*a", "!t", "|", ">", "%", "@", "`", "?", "? ", "-", "--", "---", "...", "a", "é", "e\u0301", "\u00a0"),
    *("\u200c", "1", "\r\n", "\r", "\t", "\\", "''", '""', "x: y", "- - 1", "=", "null: ", "{a: 1}", "[1]", '{"a":1}'),
    *(
        '{"a": "b"}',
        "+1",
        "-1",
        ".5",
        "a b",
        "a: b: c",
        "\ufffe",
        "{}",
        "[]",
        "[ ]",
        "<<: ",
        '"b": ',
        "'c': ",
        "x" * 300,
    ),
)


def project_files() -> list[Path]:
    """Every game, exercise, answer and recipe in YAML."""
    return sorted(path for folder in ("specs", "exercises", "recipes") for path in (ROOT / folder).rglob("*.yaml"))


@cache
def suite_texts() -> dict[str, str]:
    texts: dict[str, str] = json.loads((Path(__file__).parent / "yaml_test_suite.json").read_bytes())["texts"]
    return texts


@cache
def documents() -> list[str]:
    """All of these, faulty ones, games as a program writes them, and some as PyYAML writes them in its ways."""
    texts = [path.read_text() for path in (*project_files(), *sorted((ROOT / "tests").glob("bad*/*.yaml")))]
    texts += [block_yaml(small_game(random.Random(number)), "Drawn") for number in range(10)]
    for text in [path.read_text() for path in project_files()[::3]]:
        data = yaml.load(text, Loader=yaml.BaseLoader)
        texts += [yaml.safe_dump(data, default_flow_style=flow, width=10_000) for flow in (False, True, None)]
    return texts


def mutated(draw: random.Random) -> str:
    """A document with one to five mistakes in it."""
    own = draw.random() < 0.9
    text = draw.choice(documents() if own else list(suite_texts().values()))[: draw.choice((500, 3_000))]
    for _ in range(draw.choice((1, 1, 1, 2, 3, 5))):
        place = draw.randrange(len(text) + 1)
        lines = text.split("\n")
        line = draw.randrange(len(lines))
        match draw.randrange(7):
            case 0 | 1 | 2:
                text = text[:place] + draw.choice(PIECES) + text[place:]
            case 3:
                text = text[:place] + text[place + draw.choice((1, 1, 2, 5)) :]
            case 4:
                lines[line] = draw.choice((" ", "  ")) + lines[line] if draw.random() < 0.5 else lines[line][1:]
                text = "\n".join(lines)
            case 5:
                text = "\n".join([*lines[:line], draw.choice(lines), *lines[line:]])
            case _:
                text = "\n".join([*lines[:line], *lines[line + 1 :]])
    return text
