"""Plymark's own wheel, made from the program that is running, and the wheels that it needs."""

from __future__ import annotations

import base64
import hashlib
import io
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator, Sequence
from importlib.metadata import metadata, version
from pathlib import Path

from grader.delivery.systems.exporter import zipped
from solver.kernel import UsageError

_LINK = 0o120000
_LINUX = tuple(f"{kind}_x86_64" for kind in ("manylinux2014", "manylinux_2_17", "manylinux_2_28"))
"""What the machines of learning systems run, by the names that wheels have."""
_FOLDER = Path(__file__).parents[3]
"""Where both packages lie: a clone, or site-packages."""


def own_files() -> Iterator[tuple[str, bytes]]:
    """What the wheel installs: both packages, the schemas inside."""
    for package in ("grader", "solver"):
        for file in sorted((_FOLDER / package).rglob("*")):
            if file.is_file() and "__pycache__" not in file.parts and not file.name.startswith("."):
                yield file.relative_to(_FOLDER).as_posix(), file.read_bytes()
    if not (_FOLDER / "solver" / "schemas").is_dir():
        # In a clone they lie beside the packages.
        for file in sorted((_FOLDER / "schemas").glob("*.json")):
            yield f"solver/schemas/{file.name}", file.read_bytes()


def requirements() -> list[str]:
    """What Plymark needs besides Python, extras left out."""
    project = _FOLDER / "pyproject.toml"
    if project.is_file():
        # In a clone; what was installed from it may be older.
        needed: list[str] = tomllib.loads(project.read_text("utf-8"))["project"]["dependencies"]
        return needed
    return [each for each in metadata("plymark").get_all("Requires-Dist") or [] if "extra ==" not in each]


def requirements_file() -> bytes:
    """The same as pip reads it."""
    return ("\n".join(requirements()) + "\n").encode()


def own_wheel() -> tuple[str, bytes]:
    """Plymark's wheel, made from the files that are running."""
    number = version("plymark")
    inside = f"plymark-{number}.dist-info"
    about = ["Metadata-Version: 2.1", "Name: plymark", f"Version: {number}", "Requires-Python: >=3.11"]
    about += [f"Requires-Dist: {each}" for each in requirements()]
    files = dict(own_files())
    files[f"{inside}/METADATA"] = ("\n".join(about) + "\n").encode()
    files[f"{inside}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: plymark\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{inside}/entry_points.txt"] = b"[console_scripts]\nplymark = grader.cli.main:main\n"
    record = [f"{path},sha256={_digest(content)},{len(content)}" for path, content in files.items()]
    record.append(f"{inside}/RECORD,,")
    files[f"{inside}/RECORD"] = ("\n".join(record) + "\n").encode()
    return f"plymark-{number}-py3-none-any.whl", zipped(files)


def wheels_in(folder: Path, pythons: Sequence[str]) -> dict[str, bytes]:
    """The wheels of a folder by name, Plymark's own left out: it is made from what is running.

    A folder that has none is filled first, with what Plymark needs under Linux and those versions of Python.
    """
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder")
    if not list(folder.glob("*.whl")):
        for python in pythons:
            _fetch_wheels(folder, python)
    wheels = {file.name: file.read_bytes() for file in sorted(folder.glob("*.whl"))}
    return {name: content for name, content in wheels.items() if not name.startswith("plymark-")}


def _fetch_wheels(folder: Path, python: str) -> None:
    platforms = (part for platform in _LINUX for part in ("--platform", platform))
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--dest", str(folder)]
    command += ["--only-binary", ":all:", "--python-version", python, *platforms, *requirements()]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode:
        lines = ran.stderr.strip().splitlines() or [f"pip ended with {ran.returncode}"]
        raise UsageError(f"there are no wheels in {folder}, and they could not be fetched: {lines[-1]}")


def unpacked(wheel: bytes) -> Iterator[tuple[str, bytes]]:
    """What a wheel installs, by path."""
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        for info in archive.infolist():
            path = Path(info.filename)
            if info.is_dir() or path.is_absolute() or ".." in path.parts or (info.external_attr >> 16) & _LINK == _LINK:
                continue
            yield info.filename, archive.read(info)


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
