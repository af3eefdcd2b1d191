"""What the docs say is what Plymark does: examples are checked, commands are run, and nothing is left out.

In a page, a `yaml` block that starts with `plymark:` is a document. `bad` after `yaml` says that it is meant to be
wrong, and a file name after that is what the page's commands find it under. A line of a `console` block that starts
with `$` is a command, and what follows it is everything that it prints. Each is run by itself, but for those of a
`console session`, which follow one another: the test of that page runs them.
"""

from __future__ import annotations

import doctest
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from solver.game import CONVENTIONS
from solver.game.convention import CONVENTION_CHOICES
from solver.kernel import DocumentError, Limits
from solver.pipeline import check_bytes
from solver.render import FORMATS
from solver.search import ALGORITHMS
from tests.support.command import every_command
from tests.support.paths import ROOT

PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]
SCHEMAS = sorted((ROOT / "schemas").glob("*.json"))

_BLOCK = re.compile(r"^```(\w+) *(.*)\n((?:.*\n)*?)```$", re.MULTILINE)
SESSION = "session"
_LINK = re.compile(r"\[[^\]\n]+\]\(([^)\s]+)\)")
_OWN_FILE = re.compile(r"`((?:solver|grader|tests|tools|docs|schemas|specs|recipes|exercises|benchmarks)/[\w./-]*)`")


class Block(NamedTuple):
    page: Path
    line: int
    language: str
    name: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"


class Command(NamedTuple):
    block: Block
    line: str
    output: str

    def __str__(self) -> str:
        return f"{self.block}: {self.line}"


def page_text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    return [Block(page, text.count("\n", 0, found.start()) + 1, *found.groups()) for found in _BLOCK.finditer(text)]


def commands(block: Block) -> Iterator[Command]:
    for part in re.split(r"^\$ ", block.text, flags=re.MULTILINE)[1:]:
        line, _, output = part.partition("\n")
        yield Command(block, line, output)


BLOCKS = [block for page in PAGES for block in blocks(page)]
DOCUMENTS = [block for block in BLOCKS if block.language == "yaml" and block.text.startswith("plymark:")]
COMMANDS = [
    command
    for block in BLOCKS
    if block.language == "console" and block.name != SESSION
    for command in commands(block)
    if re.search(r"\bplymark ", command.line)
]


@pytest.fixture
def folder_of_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Go to a folder that has the specs and the named documents of a page, as a reader would have saved them."""

    def enter(page: Path) -> Path:
        for folder in ("specs", "exercises"):
            shutil.copytree(ROOT / folder, tmp_path / folder)
        for block in blocks(page):
            if block.language == "yaml" and block.name.endswith(".yaml"):
                (tmp_path / block.name.split()[-1]).write_text(block.text, "utf-8")
        monkeypatch.chdir(tmp_path)
        return tmp_path

    return enter


PROGRESS = re.compile(r"^[\d,]+ of [\d,]+, .* (?:s|left)\n", re.MULTILINE)
"""What is printed every ten seconds: only slow machines take as long."""


def output_of(line: str, timeout: int = 600) -> str:
    """Everything that a command line prints, with the `plymark` that belongs to this Python."""
    scripts = str(Path(sys.executable).parent)
    environment = {**os.environ, "PATH": scripts + os.pathsep + os.environ["PATH"], "COLUMNS": "80"}
    done = subprocess.run(
        line,
        shell=True,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=timeout,
        check=False,
    )
    return PROGRESS.sub("", done.stdout.decode())


@pytest.mark.parametrize("block", DOCUMENTS, ids=str)
def test_documents_are_valid(block: Block) -> None:
    if block.name.startswith("bad"):
        with pytest.raises(DocumentError):
            check_bytes(block.text.encode())
    else:
        kind, _ = check_bytes(block.text.encode())
        assert block.text.startswith(f"plymark: {kind}\n")


@pytest.mark.slow
@pytest.mark.parametrize("command", COMMANDS, ids=str)
def test_commands_print_what_is_shown(command: Command, folder_of_page: Any) -> None:
    folder_of_page(command.block.page)
    assert output_of(command.line) == command.output


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "python"], ids=str)
def test_python_runs(block: Block, folder_of_page: Any) -> None:
    folder_of_page(block.page)
    exec(compile(block.text, str(block), "exec"), {"__name__": "example"})


@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "pycon"], ids=str)
def test_python_prints_what_is_shown(block: Block, folder_of_page: Any) -> None:
    folder_of_page(block.page)
    test = doctest.DocTestParser().get_doctest(block.text, {}, str(block), str(block.page), block.line)
    found: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=found.append)
    assert not found, "".join(found)


def setup_commands() -> list[str]:
    return re.findall(r"^python3 -m venv .*$", page_text("README.md"), re.MULTILINE)


def test_readme_tests_as_ci_does() -> None:
    ci = re.findall(r"^python3 -m venv .*$", page_text(".ci/run"), re.MULTILINE)
    assert len(ci) == 1
    assert setup_commands()[1:] == ci


@pytest.mark.slow
def test_readme_shows_what_its_first_command_prints(folder_of_page: Any) -> None:
    folder_of_page(ROOT / "README.md")
    setting_up, _, solving = setup_commands()[0].rpartition(" && .venv/bin/")
    assert setting_up == "python3 -m venv .venv && .venv/bin/pip install -q ."
    assert solving == "plymark solve specs/two-ply.yaml"
    shown = next(block.text for block in blocks(ROOT / "README.md") if block.language == "text")
    assert shown == output_of(solving)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_nothing_is_installed_that_nobody_published(page: Path) -> None:
    """Only from a clone or a wheel."""
    assert re.findall(r"pip install .*(?<![-./\w])plymark\b.*", page.read_text(encoding="utf-8")) == []


def test_readme_is_short() -> None:
    assert len(page_text("README.md").splitlines()) <= 200


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    targets = [target.partition("#")[0] for target in _LINK.findall(page.read_text("utf-8")) if "://" not in target]
    missing = [target for target in targets if target and not (page.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_files_that_are_named_exist(page: Path) -> None:
    """A path of ours between backticks, but for one with a word in capitals, which stands for any."""
    text = _BLOCK.sub("", page.read_text("utf-8"))
    named = {name for name in _OWN_FILE.findall(text) if not re.search(r"[A-Z]{2}", name)}
    assert not [name for name in named if not (ROOT / name).exists()]


def test_every_page_can_be_found_from_the_index() -> None:
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / target).resolve() for target in _LINK.findall(index.read_text("utf-8"))}
    assert {page for page in PAGES if page.is_relative_to(index.parent) and page != index} <= linked


def test_every_command_and_option_is_documented() -> None:
    page = page_text("docs/command-line.md")
    parameters: list[Any] = []
    names = []
    for name, command in every_command():
        assert name == "" or f"`plymark {name}" in page
        parameters += command.get_params(typer.Context(command))
        names.append(name)
    assert {"solve", "admin", "admin backup"} <= set(names)
    options = {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)}
    for option in sorted(option for option in options if option.startswith("-")):
        assert re.search(rf"`{option}[` ]", page), option
    for name in (*ALGORITHMS, *CONVENTIONS, *FORMATS):
        assert f"`{name}`" in page, name


def test_every_convention_is_documented() -> None:
    page = page_text("docs/conventions.md")
    for key, values in CONVENTION_CHOICES.items():
        assert f"\n## `{key}`" in page
        section = page.split(f"\n## `{key}`")[1].split("\n## ")[0]
        for value in values:
            assert f"`{value}`" in section, (key, value)
    for name in CONVENTIONS:
        assert f"| `{name}` |" in page


def test_every_limit_is_documented() -> None:
    page = page_text("docs/format.md")
    for limit in fields(Limits):
        assert f"| `{limit.name}` | {limit.default:,} |" in page


def test_every_key_of_a_game_is_documented() -> None:
    page = page_text("docs/format.md")
    for _, name, _ in properties(json.loads(page_text("schemas/game.schema.json"))):
        assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", page), name


def test_every_key_of_a_solution_is_documented() -> None:
    page = page_text("docs/solution.md")
    for _, name, _ in properties(json.loads(page_text("schemas/solution.schema.json"))):
        assert re.search(rf"`[^`\n]*\b{name}\b[^`\n]*`", page), name


def subschemas(schema: Any, path: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """Every mapping of a schema but for the examples in it, with the keys that lead there."""
    if isinstance(schema, dict):
        yield path, schema
        for key, item in schema.items():
            if key not in ("examples", "const", "enum"):
                yield from subschemas(item, f"{path}/{key}")
    elif isinstance(schema, list):
        for position, item in enumerate(schema):
            yield from subschemas(item, f"{path}/{position}")


def properties(schema: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Every property with where it is declared; `not` anything, which only forbids one, is left out."""
    for path, here in subschemas(schema):
        if path.endswith("/properties"):
            yield from ((path, name, item) for name, item in here.items() if item != {"not": {}})


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_every_property_of_a_schema_explains_itself(path: Path) -> None:
    schema = json.loads(path.read_bytes())
    for where, name, item in [("", "", schema), *properties(schema)]:
        assert {"title", "description", "examples"} <= item.keys(), f"{where}/{name}"
        assert item["examples"], f"{where}/{name}"


@pytest.mark.parametrize("path", SCHEMAS, ids=lambda path: path.name)
def test_schemas_keep_to_what_can_be_explained(path: Path) -> None:
    for where, here in subschemas(json.loads(path.read_bytes())):
        assert not {"oneOf", "unevaluatedProperties", "uniqueItems"} & here.keys(), where
        assert not ("$ref" in here and "/if" in where), where
        assert here.get("$ref", "#/$defs/").startswith("#/$defs/"), where


@pytest.mark.parametrize("package", ["solver", "grader"])
def test_the_page_for_python_lists_what_a_package_exports(package: str) -> None:
    section = page_text("docs/python.md").split(f"## {package}\n")[1].split("\n## ")[0]
    listed = set(re.findall(r"`(\w+)", "".join(line for line in section.splitlines() if line.startswith("|"))))
    assert set(import_module(package).__all__) <= listed
