"""Power cuts without a switch.

strace records what a process wrote and flushed; the disk as it would be found after a cut is put together from that.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.grader.service.store.databases import missing

CALLS = "pwrite64,write,writev,pwritev,fsync,fdatasync,ftruncate,unlink,rename"
_START = re.compile(r"^(\d+) +(?:(\w+)\((.*)|<\.\.\. (\w+) resumed>(.*))$")
_FILE = re.compile(r"^\d+<([^>]*)>")
_STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(?:, (\d+), (\d+))?')


@dataclass(frozen=True, slots=True)
class Step:
    """One thing that the process did; files by name."""

    call: str
    file: str
    data: bytes = b""
    offset: int = 0


def record(command: list[str], trace: Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    if shutil.which("strace") is None:
        missing("strace")
    told = ["strace", "-f", "-y", "-xx", "-s", "70000", "-e", f"trace={CALLS}", "-o", str(trace), *command]
    return subprocess.run(told, capture_output=True, text=True, env=environment, timeout=300, check=False)


def steps_of(trace: Path) -> list[Step]:
    """In the order in which they ended; a call that another thread interrupted in the record is put together again."""
    begun: dict[str, str] = {}
    found: list[Step] = []
    for line in trace.read_text(encoding="ascii").splitlines():
        if not (matched := _START.match(line)):
            continue
        thread, call, rest, resumed, tail = matched.groups()
        if resumed:
            call, rest = resumed, begun.pop(thread) + tail
        elif rest.endswith("<unfinished ...>"):
            begun[thread] = rest.removesuffix("<unfinished ...>")
            continue
        if step := _step(call, rest):
            found.append(step)
    return found


def _step(call: str, rest: str) -> Step | None:
    if " = -1 " in rest or call in ("unlink", "rename"):
        return None
    file = _FILE.match(rest)
    if file is None:
        return None
    name = _decoded(file[1]).decode()
    if call == "ftruncate":
        return Step(call, name, offset=int(re.findall(r", (\d+)\)", rest)[0]))
    if call in ("fsync", "fdatasync"):
        return Step(call, name)
    assert call in ("pwrite64", "write"), f"{call} is not expected here"
    text = _STRING.search(rest)
    assert text, rest[:100]
    return Step(call, name, _decoded(text[1]), int(text[3] or 0))


def _decoded(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


@dataclass
class Disk:
    """What is safe, and what was written since and may be lost."""

    files: dict[str, bytearray]
    since: list[Step] = field(default_factory=list)

    def take(self, step: Step) -> None:
        if step.call in ("fsync", "fdatasync"):
            for each in [each for each in self.since if each.file == step.file]:
                self._apply(each)
            self.since = [each for each in self.since if each.file != step.file]
        elif step.file in self.files:
            self.since.append(step)

    def found_after_a_cut(self, random: Random | None) -> dict[str, bytes]:
        """Nothing that was not flushed; or, given random numbers, some of it, in whatever order the disk liked."""
        disk = Disk({name: bytearray(data) for name, data in self.files.items()})
        if random is not None:
            for step in self.since:
                if random.random() < 0.5:
                    disk._apply(step)
        return {name: bytes(data) for name, data in disk.files.items()}

    def _apply(self, step: Step) -> None:
        data = self.files[step.file]
        if step.call == "ftruncate":
            del data[step.offset :]
            data.extend(bytes(step.offset - len(data)))
        else:
            end = step.offset + len(step.data)
            if len(data) < end:
                data.extend(bytes(end - len(data)))
            data[step.offset : end] = step.data
