"""Direction is a test: rooms stand on floors, a room imports lower floors only, and packages meet at doors."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

FLOORS = {
    "solver": [
        ["kernel"],
        ["documents"],
        ["game"],
        ["search", "languages"],
        ["analysis", "pipeline"],
        ["render", "story"],
        ["drawing"],
        ["jobs"],
        ["interchange"],
    ],
    "grader": [
        ["kernel", "languages"],
        ["answers", "mistakes"],
        ["questions"],
        ["documents"],
        ["people", "marking"],
        ["reports", "generating"],
        ["delivery", "practice"],
        ["feedback"],
        ["intake"],
        ["service"],
        ["cli"],
    ],
}
"""From the ground up: a room imports its own modules and rooms of lower floors, never one beside it."""

SERVICE_FLOORS = ["base", "rules", "store", "workers", "tasks", "http", "features", "run"]
"""From the ground up, a folder each; of its features each has its own, and they meet in their `queries` only."""

KERNEL, LANGUAGES = "solver.kernel", "solver.languages"
SERVICE_TAKES: dict[str, set[str] | None] = {
    "base": {KERNEL},
    "rules": {KERNEL, "grader.kernel", "grader.people"},
    "store": set(),
    "workers": {"solver.jobs"},
    "tasks": None,
    "http": {KERNEL, LANGUAGES},
    "features": {KERNEL, LANGUAGES, "grader.kernel", "grader.people"},
    "run": {KERNEL, LANGUAGES, "grader.kernel"},
}
"""Rooms outside the service that a floor of it imports; None for any: documents are read, solved and marked there."""

BESIDE_ROOMS = {"__init__.py", "__main__.py", "py.typed"}

LAZY = {
    ("solver.pipeline", "solver.documents.schema_errors"): "loads jsonschema, only for an invalid document",
    ("solver.render.data_format", "solver.render.findings"): "only for what AND-OR search and MCTS found",
    ("solver.render.data_format", "solver.search.star_trace"): "only for Star1 and Star2",
    ("solver.render.solution_formats", "solver.render.findings"): "the same",
    ("solver.kernel.errors", "difflib"): "only for a name that is misspelt",
    ("solver.game.game_declarations", "difflib"): "the same",
    ("solver.jobs.output_folder", "hashlib"): "loads OpenSSL, only for an output folder",
    (
        "solver.jobs.dask_cluster",
        "importlib.metadata",
    ): "loads email and zipfile, only for an output folder or a cluster",
    ("solver.jobs.output_folder", "fcntl"): "not on Windows",
    ("solver.jobs.dask_cluster", "distributed"): "belongs to the extra `cluster`",
    ("solver.jobs.document_sources", "fsspec.core"): "the same",
    ("solver.jobs.document_batch", "solver.jobs.process_pool"): "a single game needs no processes",
    ("solver.jobs.document_batch", "solver.jobs.dask_cluster"): "nor a cluster",
    ("solver.jobs.process_pool", "resource"): "Windows has no such module",
    ("solver.jobs.document_loading", "glob"): "shells expand patterns themselves, mostly",
    (
        "solver.jobs.document_loading",
        "solver.jobs.archives",
    ): "archives are rare, and zipfile and tarfile take long to load",
    ("solver.drawing.pdf_and_png", "resvg_py"): "belongs to the extra `draw`",
    ("solver.drawing.pdf_and_png", "typst"): "belongs to the extra `pdf`",
    ("grader.delivery.papers.typst_paper", "typst"): "the same",
    ("grader.delivery.papers.paper_content", "segno"): "the same",
    ("grader.cli.start", "grader.cli.main"): "Ctrl-C while it loads is answered in words",
    ("grader.cli.main", "importlib.metadata"): "loads email and zipfile, only for --version",
    ("grader.cli.main", "solver.kernel"): "loads fractions and decimal, which the help of all commands does not need",
    ("grader.cli.command", "solver.kernel"): "the same",
    ("grader.intake.document_check", "grader.generating.generation"): "only recipes need the generator",
    ("grader.service.workers.worker_pool", "solver.jobs"): "only a service with a cluster needs what speaks to it",
    ("grader.service.http.connections", "resource"): "Windows has no such module",
    ("grader.service.store.engine", "fcntl"): "the same",
    ("grader.service.store.engine", "msvcrt"): "Windows alone has it",
    ("grader.cli.serve", "grader.service.run.serving"): "belongs to the extra `service`",
    ("grader.cli.serve", "grader.service.base.settings"): "the same",
    ("grader.cli.admin", "grader.service.run.administering"): "the same",
    ("grader.cli.admin", "grader.service.run.store_check"): "the same",
    ("grader.cli.admin", "grader.service.base.settings"): "the same",
    ("grader.cli.admin", "grader.service.base.service_problems"): "the same",
}
"""Imports inside functions, each with its reason. They count as imports all the same: none may point upwards."""

LATE_DOORS = {
    "solver": "every module of the package is imported through it",
    "grader": "the same",
    "solver.languages": "`solve` needs their names only, and a web server its own catalogues, but no game",
    "solver.drawing": "reports need one kind of picture, and what writes the others takes 5 ms to load",
    "solver.search": "one search needs one algorithm; the others would make `solve` 4 % slower",
    "solver.jobs": "what draws, explains and analyses would make `solve` a third slower",
}
"""Packages that load what they export when it is first asked for; each has a table of what that is, and where."""

ALGORITHMS_KNOW = {
    "solver.game.convention",
    "solver.game.game_tree",
    "solver.kernel.errors",
    "solver.kernel.exact",
    "solver.kernel.irrational",
    "solver.search.trace",
    "solver.search.solution",
    "solver.search.star_trace",
}
"""The tree, numbers, the convention, and what a solution is made of; no document and no file."""

RELIES_ON = {
    "alpha_beta": {"minimax"},
    "star": {"expectiminimax"},
    "mcts": {"expectiminimax"},
    "paranoid": {"alpha_beta", "expectiminimax"},
}
"""Nor another algorithm, but for true values, and for what paranoid turns a game into."""


@cache
def modules() -> dict[str, Path]:
    files = [file for package in FLOORS for file in (ROOT / package).rglob("*.py")]
    return {
        ".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in sorted(files)
    }


@cache
def imports(module: str) -> tuple[tuple[str, tuple[str, ...], bool], ...]:
    """What a module imports, the names taken from it, and whether at the top of the file."""
    tree = ast.parse(modules()[module].read_text(encoding="utf-8"))
    found: list[tuple[str, tuple[str, ...], bool]] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found += [(alias.name, (), node in tree.body) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module}: relative import"
            found.append((str(node.module), tuple(alias.name for alias in node.names), node in tree.body))
    return tuple(found)


def ours(module: str) -> Iterator[str]:
    """The modules of ours that a module imports: `from package import module` means that module."""
    for imported, names, _ in imports(module):
        if imported.split(".")[0] in FLOORS:
            inside = [f"{imported}.{name}" for name in names if f"{imported}.{name}" in modules()]
            yield from inside
            if len(inside) < len(names) or not names:
                yield imported


def room(module: str) -> str | None:
    """None for a package's door and what stands beside its rooms."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] != "__main__" else None


def floor(module: str) -> int:
    package, its_room = module.split(".", maxsplit=1)[0], room(module)
    for height, rooms in enumerate(FLOORS[package]):
        if its_room in rooms:
            return height
    pytest.fail(f"{module} is in no room that has a floor")


ALGORITHMS_ROOM = "solver.search.algorithms."
IN_ROOMS = [module for module in modules() if room(module)]


def test_every_module_is_in_a_room() -> None:
    for package, floors in FLOORS.items():
        rooms = {name for rooms in floors for name in rooms}
        beside = {each.name for each in (ROOT / package).iterdir() if each.is_file()}
        folders = {each.name for each in (ROOT / package).iterdir() if each.is_dir() and any(each.rglob("*.py"))}
        assert beside <= BESIDE_ROOMS
        assert folders == rooms


@pytest.mark.parametrize("module", IN_ROOMS)
def test_imports_point_downwards(module: str) -> None:
    package = module.split(".", maxsplit=1)[0]
    for imported in ours(module):
        if imported.split(".")[0] != package:
            assert package == "grader", f"the solver never imports the grader: {module}"
        elif room(imported) != room(module):
            assert room(imported), f"{module} imports the door {imported}, which is for people"
            assert floor(imported) < floor(module), f"{module} imports {imported}, which is not below it"


def test_no_modules_import_each_other() -> None:
    """In any number of steps, lazily or not."""
    edges = {module: {each for each in ours(module) if each != module} for module in modules()}
    done: set[str] = set()
    for start, below in edges.items():
        path: list[tuple[str, Iterator[str]]] = [(start, iter(sorted(below)))] if start not in done else []
        while path:
            following = next((each for each in path[-1][1] if each not in done), None)
            if following is None:
                done.add(path.pop()[0])
                continue
            on_path = [module for module, _ in path]
            assert following not in on_path, " → ".join([*on_path[on_path.index(following) :], following])
            path.append((following, iter(sorted(edges[following]))))


@pytest.mark.parametrize("module", [module for module in IN_ROOMS if module.startswith("grader.service.")])
def test_the_service_has_floors(module: str) -> None:
    here = module.split(".")
    assert here[2] in SERVICE_FLOORS
    for imported in ours(module):
        there = imported.split(".")
        if there[:2] != ["grader", "service"]:
            takes = SERVICE_TAKES[here[2]]
            assert takes is None or ".".join(there[:2]) in takes, f"{module} imports {imported}"
            continue
        assert SERVICE_FLOORS.index(there[2]) <= SERVICE_FLOORS.index(here[2]), f"{module} imports {imported}"
        if here[2] == there[2] == "features" and here[3] != there[3]:
            assert there[4:] == ["queries"], f"{module} imports {imported}, not its queries"


def test_no_room_holds_more_than_a_quarter() -> None:
    """The service has rooms of its own, such as `service.store`, each of which is counted for itself."""
    for package in FLOORS:
        lines: dict[str, int] = {}
        for module, file in modules().items():
            if module.startswith(f"{package}."):
                own = ".".join(module.split(".")[1:3]) if room(module) == "service" else room(module) or ""
                lines[own] = lines.get(own, 0) + file.read_text(encoding="utf-8").count("\n")
        largest = max(lines, key=lambda name: lines[name])
        assert 4 * lines[largest] <= sum(lines.values()), f"{package}.{largest} has {lines[largest]} lines"


@pytest.mark.parametrize("module", [module for module in IN_ROOMS if module not in LATE_DOORS])
def test_imports_stand_at_the_top(module: str) -> None:
    for imported, _, at_top in imports(module):
        assert at_top or (module, imported) in LAZY, f"{module} imports {imported} inside a function"
    assert "TYPE_CHECKING" not in modules()[module].read_text(encoding="utf-8")


def test_listed_lazy_imports_exist() -> None:
    inside = [module for module in IN_ROOMS if module not in LATE_DOORS]
    found = {(module, imported) for module in inside for imported, _, at_top in imports(module) if not at_top}
    assert found == set(LAZY)


ALGORITHM_FILES = [
    module.removeprefix(ALGORITHMS_ROOM)
    for module in IN_ROOMS
    if module.startswith(ALGORITHMS_ROOM) and not module.endswith("_registry")
]


@pytest.mark.parametrize("name", ALGORITHM_FILES)
def test_algorithms_know_the_tree_only(name: str) -> None:
    others = {ALGORITHMS_ROOM + other for other in RELIES_ON.get(name, ())}
    assert set(ours(ALGORITHMS_ROOM + name)) <= ALGORITHMS_KNOW | others


@pytest.mark.parametrize("module", [module for module in modules() if module.startswith("grader")])
def test_the_grader_reaches_the_solver_through_doors_of_rooms(module: str) -> None:
    for imported, names, _ in imports(module):
        if imported.split(".")[0] == "solver":
            assert len(imported.split(".")) == 2 and room(imported), f"{module} reaches into {imported}"
            assert set(names) <= set(import_module(imported).__all__), f"{module} takes what {imported} does not export"


DOORS = ["solver", "grader", *(f"solver.{room}" for rooms in FLOORS["solver"] for room in rooms)]


@pytest.mark.parametrize("door", DOORS)
def test_a_door_opens(door: str) -> None:
    package = import_module(door)
    assert all(getattr(package, name) is not None for name in package.__all__)
    assert len(set(package.__all__)) == len(package.__all__)
    inside = {file.stem for file in (ROOT / door.replace(".", "/")).iterdir()}
    assert not inside & set(package.__all__), "a name and a module of the same name hide each other"
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        package.nonsense  # noqa: B018


@pytest.mark.parametrize("door", DOORS)
def test_late_doors_have_one_table(door: str) -> None:
    """What loads later is what type checkers are told, and stands in the same place."""
    told = {
        (module, name)
        for module, names, at_top in imports(door)
        if not at_top and (door, module) not in LAZY
        for name in names
    }
    table = getattr(import_module(door), "_LATER", {})
    assert told == {(module, name) for module, names in table.items() for name in names}
    assert bool(table) == (door in LATE_DOORS)


@pytest.mark.slow
def test_doors_are_typed(tmp_path: Path) -> None:
    """What a door exports is known to mypy by its own type; what it does not export is an error."""
    good = "".join(f"from {door} import {', '.join(import_module(door).__all__)}\n" for door in DOORS)
    (tmp_path / "good.py").write_text(good, encoding="utf-8")
    (tmp_path / "bad.py").write_text("".join(f"from {door} import nonsense\n" for door in DOORS), encoding="utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", str(tmp_path / "good.py"), str(tmp_path / "bad.py")]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    assert sorted(re.findall(r'bad.py:\d+: error: Module "(.+)" has no attribute "nonsense"', said)) == sorted(DOORS)
    assert f"Found {len(DOORS)} errors in 1 file" in said


def test_doors_for_people_are_small() -> None:
    assert len(import_module("solver").__all__) <= 30
    assert len(import_module("grader").__all__) <= 30


def test_no_two_classes_share_a_name() -> None:
    named: dict[str, str] = {}
    for module, file in modules().items():
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef):
                assert named.setdefault(node.name, module) == module, f"{node.name} is in {module}, too"
