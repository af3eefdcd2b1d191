"""What an SVG picture draws where, read from the file itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree import ElementTree

from solver.drawing.picture_style import text_width

SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True)
class Box:
    left: float
    top: float
    right: float
    bottom: float
    what: str
    owner: str
    """The label of the node that it belongs to; edges' labels belong to themselves."""

    def overlaps(self, other: Box) -> bool:
        slack = 0.6  # coordinates are rounded
        return (
            self.left + slack < other.right
            and other.left + slack < self.right
            and self.top + slack < other.bottom
            and other.top + slack < self.bottom
        )


def root_of(svg: str) -> ElementTree.Element:
    return ElementTree.fromstring(svg)


def texts(svg: str) -> list[str]:
    """Every drawn text, tooltips and descriptions aside."""
    return [element.text or "" for element in root_of(svg).iter(f"{SVG}text")]


def boxes(svg: str) -> list[Box]:
    found: list[Box] = []
    for group in root_of(svg).findall(f"{SVG}g"):
        if group.get("role") == "tree":
            for place, node in enumerate(group.findall(f"{SVG}g")):
                found += _boxes(node, f"{place}: {node.get('aria-label')}")
        else:
            for place, element in enumerate(group.iter(f"{SVG}text")):
                found += _boxes_of(element, f"label {place}")
    return found


def _boxes(node: ElementTree.Element, owner: str) -> Iterator[Box]:
    for element in node:
        yield from _boxes_of(element, owner)


def _boxes_of(element: ElementTree.Element, owner: str) -> Iterator[Box]:
    at = {name: float(value) for name, value in element.items() if re.fullmatch(r"-?[\d.]+", value)}
    match element.tag.removeprefix(SVG):
        case "text":
            width = text_width(element.text or "", at["font-size"])
            left = at["x"] - width * {"start": 0, "middle": 0.5, "end": 1}[element.attrib["text-anchor"]]
            size = at["font-size"]
            yield Box(left, at["y"] - 0.73 * size, left + width, at["y"] + 0.1 * size, element.text or "", owner)
        case "rect" if element.get("class") != "paper":
            yield Box(at["x"], at["y"], at["x"] + at["width"], at["y"] + at["height"], "shape", owner)
        case "ellipse":
            yield Box(
                at["cx"] - at["rx"], at["cy"] - at["ry"], at["cx"] + at["rx"], at["cy"] + at["ry"], "shape", owner
            )
        case "polygon":
            points = [tuple(map(float, point.split(","))) for point in element.attrib["points"].split()]
            across, down = zip(*points, strict=True)
            yield Box(min(across), min(down), max(across), max(down), "shape", owner)


def clashes(svg: str) -> list[tuple[Box, Box]]:
    """Boxes of different owners that overlap, and boxes that stick out of the picture."""
    found = sorted(boxes(svg), key=lambda box: box.left)
    root = root_of(svg)
    page = Box(0, 0, float(root.attrib["width"]), float(root.attrib["height"]), "page", "page")
    bad = [
        (box, page)
        for box in found
        if box.left < 0 or box.top < 0 or box.right > page.right or box.bottom > page.bottom
    ]
    open_boxes: list[Box] = []
    for box in found:
        open_boxes = [other for other in open_boxes if other.right > box.left]
        bad += [(box, other) for other in open_boxes if box.owner != other.owner and box.overlaps(other)]
        open_boxes.append(box)
    return bad
