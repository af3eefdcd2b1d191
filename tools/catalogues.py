"""Keep translations in step with the English sentences.

    python tools/catalogues.py check
    python tools/catalogues.py sync

Keys are symbolic, so gettext cannot see that an English sentence has changed. Every entry of another language therefore
carries the English that it translates, one comment for each plural form:

    #. en: Node {node} is worth {value}.

`check` fails on every entry that is missing, fuzzy or translated from other English than that of en.po today. `sync`
brings the comments up to date: an entry whose English has changed becomes fuzzy and shows the old English after
`#. was:`, and a missing one is added, empty and fuzzy. Once the translation is right, delete its `#, fuzzy` line.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).parent.parent
PACKAGES = ("solver", "grader")

NOTE, ENGLISH, WAS, FLAGS = "#. ", "#. en: ", "#. was: ", "#, "


@dataclass(frozen=True)
class Entry:
    """One message of a catalogue; its sentences are kept as they are written, escapes and all."""

    key: str
    notes: tuple[str, ...] = ()
    english: tuple[str, ...] = ()
    was: tuple[str, ...] = ()
    flags: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    """The lines from msgid on."""

    @property
    def fuzzy(self) -> bool:
        return "fuzzy" in self.flags

    @property
    def sentences(self) -> tuple[str, ...]:
        """A sentence for each plural form, its lines put together, without space at its ends: editors drop that."""
        found: list[str] = []
        for line in self.body:
            if line.startswith("msgstr"):
                found.append(quoted(line))
            elif line.startswith('"') and found:
                found[-1] += quoted(line)
        return tuple(sentence.strip() for sentence in found)

    def lines(self) -> Iterator[str]:
        yield from (NOTE + note for note in self.notes)
        yield from (ENGLISH + sentence for sentence in self.english)
        yield from (WAS + sentence for sentence in self.was)
        if self.flags:
            yield FLAGS + ", ".join(self.flags)
        yield from self.body


def quoted(line: str) -> str:
    return line[line.index('"') + 1 : line.rindex('"')]


def entry(block: str) -> Entry:
    notes, english, was, flags, body = [], [], [], [], []
    for line in block.splitlines():
        if line.startswith(ENGLISH):
            english.append(line.removeprefix(ENGLISH).strip())
        elif line.startswith(WAS):
            was.append(line.removeprefix(WAS).strip())
        elif line.startswith(NOTE):
            notes.append(line.removeprefix(NOTE))
        elif line.startswith(FLAGS):
            flags += [flag.strip() for flag in line.removeprefix(FLAGS).split(",")]
        elif line.startswith("#"):
            raise ValueError(f"a comment of another kind: {line}")
        else:
            body.append(line)
    key = quoted(next(line for line in body if line.startswith("msgid ")))
    return Entry(key, tuple(notes), tuple(english), tuple(was), tuple(flags), tuple(body))


def read(file: Path) -> tuple[str, dict[str, Entry]]:
    """The header, and the entries by key. A blank line is between any two entries."""
    header, *blocks = re.split(r"\n\n+", file.read_text("utf-8").rstrip("\n"))
    return header, {each.key: each for each in map(entry, blocks)}


def write(file: Path, header: str, entries: list[Entry]) -> None:
    file.write_text("\n\n".join([header, *("\n".join(each.lines()) for each in entries)]) + "\n", "utf-8", newline="\n")


def translations(root: Path) -> Iterator[tuple[Path, Path]]:
    """Every catalogue with the English one beside it."""
    for package in PACKAGES:
        for english in sorted((root / package).glob("**/languages/**/en.po")):
            yield from ((file, english) for file in sorted(english.parent.glob("*.po")) if file != english)


def problems(file: Path, english: Path) -> Iterator[str]:
    _, wanted = read(english)
    _, found = read(file)
    for key, source in wanted.items():
        if key not in found:
            yield f"{key} is missing"
        elif found[key].fuzzy:
            yield f"{key} is fuzzy"
        elif found[key].english != source.sentences:
            yield f"{key} is not marked as a translation of {' / '.join(source.sentences)!r}"
    yield from (f"{key} is not in {english.name}" for key in found if key not in wanted)


def synced(source: Entry, found: Entry | None) -> Entry:
    """What a catalogue should have for an English entry, given what it has now."""
    if found is None:
        empty = (re.sub(r'".*"', '""', line) if line.startswith("msgstr") else line for line in source.body)
        body = tuple(line for line in empty if not line.startswith('"'))
        return replace(source, english=source.sentences, flags=("fuzzy", *source.flags), body=body)
    current = replace(found, notes=source.notes, english=source.sentences)
    if found.english and found.english != source.sentences:
        flags = found.flags if found.fuzzy else ("fuzzy", *found.flags)
        return replace(current, was=found.was or found.english, flags=flags)
    return current if found.fuzzy else replace(current, was=())


def sync(file: Path, english: Path) -> None:
    _, wanted = read(english)
    header, found = read(file)
    write(file, header, [synced(source, found.get(key)) for key, source in wanted.items()])


def main() -> int:
    parser = argparse.ArgumentParser(description="Keep translations in step with the English sentences.")
    parser.add_argument("command", choices=("check", "sync"))
    parser.add_argument("--root", type=Path, default=ROOT, help="The folder of the packages (default: this checkout).")
    arguments = parser.parse_args()
    pairs = list(translations(arguments.root))
    if arguments.command == "sync":
        for pair in pairs:
            sync(*pair)
    found = [f"{file.relative_to(arguments.root)}: {each}" for file, en in pairs for each in problems(file, en)]
    print("\n".join(found) or f"{len(pairs)} catalogues are up to date")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
