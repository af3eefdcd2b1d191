"""Direction is a test: text → document → game tree → solution → output, and never back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import solver

ROOT = Path(__file__).parent.parent

# From the ground up; a module may import its own layer and those before it.
LAYERS = [
    {"solver.problems", "solver.exact", "solver.events", "solver.lazy", "solver.choices"},
    {"solver.errors", "solver.irrational"},
    {"solver.limits", "solver.extras"},
    {"solver.reading"},
    {"solver.schema", "solver.explain_invalid"},
    {"solver.tree", "solver.convention"},
    {"solver.languages"},
    {"solver.expectation", "solver.ranks", "solver.window", "solver.piecewise", "solver.paranoid"},
    {"solver.building"},
    {"solver.cutoff"},
    {"solver.algorithms"},
    {"solver.analysis"},
    {"solver.search"},
    {"solver.solution"},
    {"solver.traits", "solver.star_search", "solver.searching"},
    {"solver.algorithms.registry"},
    {"solver.pipeline", "solver.analyses"},
    {"solver.render"},
    {"solver.story"},
    {"solver.drawing"},
    {"solver.sources", "solver.batch", "solver.processes", "solver.tasks"},
    {"solver.analysing", "solver.showing"},
    {"solver.interchange"},
    {"solver"},
    {"grader"},
]

# The few imports inside functions, each with its reason.
LAZY = {
    ("solver.pipeline", "solver.explain_invalid"): "loads jsonschema, which a valid document never needs",
    ("solver.algorithms.registry", "solver.algorithms.and_or"): "loaded only when it is asked for, to start fast",
    ("solver.algorithms.registry", "solver.algorithms.mcts"): "the same",
    ("solver.algorithms.registry", "solver.star_search"): "the same",
    ("solver.algorithms.registry", "solver.paranoid"): "the same",
    ("solver.render.data", "solver.render.findings"): "the same, for what they found",
    ("solver.render.data", "solver.star_search"): "the same",
    ("solver.render.summary", "solver.render.findings"): "the same",
    ("solver.batch", "solver.processes"): "a single game needs no processes",
    ("solver.drawing.png", "resvg_py"): "belongs to the extra `draw`",
    ("solver.drawing.pdf", "typst"): "belongs to the extra `pdf`",
    ("grader.papers.typst_paper", "typst"): "the same",
    ("grader.cli", "importlib.metadata"): "reads the whole environment's metadata; only for --version",
    ("grader.checking", "grader.generating.generate"): "only recipes need the generator",
    ("grader.outcome", "rich.console"): "loads longer than most trees take to solve; only for a progress bar",
    ("grader.outcome", "rich.progress"): "the same",
}

# What an algorithm may know: the tree and numbers; no document, no file, no other algorithm.
ALGORITHMS_KNOW = {
    "solver.tree",
    "solver.exact",
    "solver.errors",
    "solver.expectation",
    "solver.events",
    "solver.irrational",
}


def modules() -> dict[str, Path]:
    files = [*ROOT.glob("solver/**/*.py"), *ROOT.glob("grader/**/*.py")]
    return {".".join(file.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): file for file in files}


def imports(file: Path) -> Iterator[tuple[str, ast.stmt, bool]]:
    """Every imported module, its statement, and whether it stands at the top of the file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, node, node in tree.body) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            yield str(node.module), node, node in tree.body


def layer(module: str) -> int:
    parts = module.split(".")
    for length in range(len(parts), 0, -1):
        name = ".".join(parts[:length])
        if name == "solver" and module != "solver":
            break
        for height, names in enumerate(LAYERS):
            if name in names:
                return height
    pytest.fail(f"{module} has no layer: add it to LAYERS")


@pytest.mark.parametrize("module", sorted(modules()))
def test_imports_point_downwards(module: str) -> None:
    for imported, _, _ in imports(modules()[module]):
        if imported.split(".")[0] in ("solver", "grader"):
            assert layer(imported) <= layer(module), f"{module} imports {imported}"


@pytest.mark.parametrize("module", sorted(modules()))
def test_imports_stand_at_the_top(module: str) -> None:
    for imported, statement, at_top in imports(modules()[module]):
        if not at_top:
            assert (module, imported) in LAZY, f"{module}:{statement.lineno} imports {imported} lazily"
    assert "TYPE_CHECKING" not in modules()[module].read_text(encoding="utf-8")


def test_listed_lazy_imports_exist() -> None:
    found = {(module, imported) for module, file in modules().items() for imported, _, top in imports(file) if not top}
    assert found == set(LAZY)


def test_algorithms_know_the_tree_only() -> None:
    for module, file in modules().items():
        if module.startswith("solver.algorithms.") and module != "solver.algorithms.registry":
            ours = {imported for imported, _, _ in imports(file) if imported.startswith("solver")}
            assert ours <= ALGORITHMS_KNOW, module


def test_the_grader_uses_the_solvers_door() -> None:
    for module, file in modules().items():
        if module.startswith("grader"):
            for imported, statement, _ in imports(file):
                if imported.split(".")[0] == "solver":
                    assert imported == "solver", f"{module} reaches into {imported}"
                    assert isinstance(statement, ast.ImportFrom)
                    assert {alias.name for alias in statement.names} <= set(solver.__all__)


def test_the_door_shows_what_it_says() -> None:
    assert sorted(solver.__all__, key=lambda name: (not name.isupper(), name.islower(), name)) == solver.__all__
    assert all(hasattr(solver, name) for name in solver.__all__)
