"""From bytes to text: UTF-8 only, and none of the characters that hide or reorder what is written."""

from __future__ import annotations

import re
import unicodedata

from solver.kernel.problems import Place, ProblemLog

# Tab, line feed and carriage return stay; U+200C and U+200D stay too, since Persian needs them.
FORBIDDEN_CHARACTERS = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U000e0000-\U000e007f]"
)
_HARMLESS_BYTES = b"\t\n\r" + bytes(range(0x20, 0x7F))


def decode(raw: bytes, problems: ProblemLog) -> str | None:
    """The text of a file; None, with a problem, if it is not UTF-8. Forbidden characters are reported, all of them."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = raw[: error.start].decode("utf-8-sig")
        problems.add(
            place_at(before, len(before)),
            "encoding",
            f"byte 0x{raw[error.start]:02X} is not UTF-8",
            "save the file as UTF-8",
        )
        return None
    # Deleting every harmless ASCII byte takes a fraction of the time a search for the harmful ones would.
    if raw.translate(None, _HARMLESS_BYTES) and FORBIDDEN_CHARACTERS.search(text):
        at = line = line_start = 0
        for found in FORBIDDEN_CHARACTERS.finditer(text):
            start = found.start()
            if breaks := text.count("\n", at, start):
                line, line_start = line + breaks, text.rfind("\n", at, start) + 1
            at = start
            report_character(found.group(), Place(line + 1, start - line_start + 1), problems)
        return FORBIDDEN_CHARACTERS.sub("\N{REPLACEMENT CHARACTER}", text)
    return text


def report_character(sign: str, place: Place, problems: ProblemLog) -> None:
    name = unicodedata.name(sign, "a control character")
    problems.add(place, "character", f"U+{ord(sign):04X} ({name}) is not allowed", "delete it")


def place_at(text: str, offset: int) -> Place:
    start = text.rfind("\n", 0, offset) + 1
    return Place(text.count("\n", 0, offset) + 1, offset - start + 1)
