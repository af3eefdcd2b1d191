"""Games to measure with: the same ones in every run."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from solver.game import Game
from solver.pipeline import load_bytes

SEED = 20_261_116

Node = dict[str, Any]


def small_game(draw: random.Random, plies: int = 3, one_more: float = 0.2) -> Node:
    """About 33 nodes: two or three moves everywhere, three or four plies, `one_more` being the chance of the last."""
    count = 0

    def node(depth: int, turn: str) -> Node:
        nonlocal count
        count += 1
        name = f"N{count}"
        if depth > plies or (depth == plies and draw.random() > one_more):
            return {"id": name, "value": draw.randint(-99, 99)}
        below = [node(depth + 1, "min" if turn == "max" else "max") for _ in range(draw.choice((2, 3)))]
        for position, child in enumerate(below, start=1):
            child["move"] = f"{name.lower()}_{position}"
        return {"id": name, "turn": turn, "children": below}

    return node(0, "max")


def block_yaml(root: Node, title: str) -> str:
    """A game as people write it: one key on a line, blocks indented."""
    lines = ["plymark: game/1", f"title: {title}", "tree:"]

    def write(node: Node, indent: str, first: str) -> None:
        for key in ("id", "move", "turn", "value"):
            if key in node:
                lines.append(f"{first}{key}: {node[key]}")
                first = indent
        if "children" in node:
            lines.append(f"{indent}children:")
            for child in node["children"]:
                write(child, f"{indent}    ", f"{indent}  - ")

    write(root, "  ", "  ")
    return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Folder:
    """Game files, and the same texts in memory for those who only parse."""

    path: Path
    texts: list[str]
    nodes: int

    @property
    def size(self) -> int:
        return sum(map(len, self.texts))


def small_files(folder: Path, count: int) -> Folder:
    """Write small games to a folder."""
    draw = random.Random(SEED)
    texts = [block_yaml(small_game(draw), f"Random game {number}") for number in range(1, count + 1)]
    for number, text in enumerate(texts, start=1):
        (folder / f"game{number:04}.yaml").write_text(text)
    return Folder(folder, texts, sum(text.count("id: ") for text in texts))


def smallest_files(folder: Path, count: int) -> list[str]:
    """Write games of about 18 nodes twice, to the folders `yaml` and `json`; gives their texts in YAML."""
    draw = random.Random(SEED)
    texts = []
    (folder / "yaml").mkdir()
    (folder / "json").mkdir()
    for number in range(1, count + 1):
        game, title = small_game(draw, plies=2, one_more=0.55), f"Random game {number}"
        texts.append(block_yaml(game, title))
        (folder / "yaml" / f"game{number:04}.yaml").write_text(texts[-1])
        (folder / "json" / f"game{number:04}.json").write_text(
            json.dumps({"plymark": "game/1", "title": title, "tree": game})
        )
    return texts


@dataclass(frozen=True, slots=True)
class Uniform:
    """A tree in which every inner node has as many children and every leaf as many plies above it."""

    label: str
    branching: int
    depth: int
    leaves: list[str]
    """As documents write them, from left to right."""

    def game(self) -> Game:
        text = json.dumps({"plymark": "game/1", "tree": self.nested()})
        return load_bytes(text.encode(), "uniform.json")

    def nested(self) -> Any:
        """The tree as lists of lists of texts."""
        level: list[Any] = list(self.leaves)
        while len(level) > 1:
            level = [level[start : start + self.branching] for start in range(0, len(level), self.branching)]
        return level[0]


def uniform(branching: int, depth: int, fractions: bool = False) -> Uniform:
    """Leaves drawn from wide enough a range to be nearly distinct."""
    count = branching**depth
    draw = random.Random(SEED)
    numbers = [draw.randint(-4 * count, 4 * count) for _ in range(count)]
    label = f"b={branching}, d={depth}, {'sevenths' if fractions else 'integers'}"
    return Uniform(label, branching, depth, [f"{number}/7" if fractions else str(number) for number in numbers])
