"""Golden solutions: cases/<spec>/<algorithm>-<convention>.json (or .txt, .yaml) is what solving specs/<spec> prints.

A new case needs no Python: create an empty file with such a name and run `pytest --update-goldens`, then read it.
"""

import json
import os
import subprocess
import sys
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from solver.analysis import AnalysisRequest
from solver.game import CONVENTIONS
from solver.jobs import AnalyseTask, named_source
from solver.pipeline import load, solve
from solver.render import FORMATS
from solver.search import ALGORITHMS
from tests.support.paths import ROOT

CASES = ROOT / "tests" / "cases"
SPECS = {path.stem: path for path in sorted((ROOT / "specs").iterdir())}
FORMAT_OF = {format.ending: name for name, format in FORMATS.items()}


class Case(NamedTuple):
    file: Path
    spec: str
    algorithm: str
    convention: str

    @property
    def name(self) -> str:
        return str(self.file.relative_to(CASES))


def case_of(file: Path) -> Case:
    """Both halves of a case's name may have hyphens: exactly one way of splitting it must make sense."""
    ways = [(a, c) for a in ALGORITHMS for c in CONVENTIONS if file.stem == f"{a}-{c}"]
    assert len(ways) == 1 and file.parent.name in SPECS and file.suffix in FORMAT_OF, f"what is {file} a golden of?"
    return Case(file, file.parent.name, *ways[0])


ANALYSES = sorted(CASES.glob("*/analysis.*"))
GOLDENS = [case_of(file) for file in sorted(CASES.glob("*/*")) if file not in ANALYSES]


def solved(spec: str, algorithm: str, convention: str, ending: str = ".json") -> bytes:
    game = load(SPECS[spec])
    return FORMATS[FORMAT_OF[ending]].write(game, solve(game, algorithm, convention), "", False)


def for_review(raw: bytes) -> bytes:
    """The same JSON with a line for each node, cut and stage."""
    lines = []
    for key, value in json.loads(raw).items():
        match value:
            case {} if key == "nodes":
                inside = [f"{json.dumps(name)}: {json.dumps(item, ensure_ascii=False)}" for name, item in value.items()]
                shown = "{\n    " + ",\n    ".join(inside) + "\n  }"
            case [{}, *_]:
                shown = "[\n    " + ",\n    ".join(json.dumps(item) for item in value) + "\n  ]"
            case _:
                shown = json.dumps(value, ensure_ascii=False)
        lines.append(f"  {json.dumps(key)}: {shown}")
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


def ordered(raw: bytes) -> Any:
    """JSON as data in which order counts and no digit is lost."""
    return json.loads(raw, object_pairs_hook=list, parse_float=str)


@pytest.mark.parametrize("case", GOLDENS, ids=lambda case: case.name)
def test_solution_is_the_golden_one(case: Case, update_goldens: bool) -> None:
    raw = solved(case.spec, case.algorithm, case.convention, case.file.suffix)
    if update_goldens:
        case.file.write_bytes(for_review(raw) if case.file.suffix == ".json" else raw)
    golden = case.file.read_bytes()
    if case.file.suffix == ".json":
        assert ordered(raw) == ordered(golden)
    else:
        assert raw.decode() == golden.decode()


@pytest.mark.parametrize("file", ANALYSES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_analysis_is_the_golden_one(file: Path, update_goldens: bool) -> None:
    task = AnalyseTask(asked=AnalysisRequest(digits=4), format={".txt": "text", ".json": "json"}[file.suffix])
    raw = task(named_source(str(SPECS[file.parent.name]))).output
    if update_goldens:
        file.write_bytes(for_review(raw) if file.suffix == ".json" else raw)
    golden = file.read_bytes()
    if file.suffix == ".json":
        assert ordered(raw) == ordered(golden)
    else:
        assert raw.decode() == golden.decode()


def test_every_spec_has_a_golden(update_goldens: bool) -> None:
    analysed = {file.parent.name for file in ANALYSES if load(SPECS[file.parent.name]).tree.unknowns}
    without = set(SPECS) - {case.spec for case in GOLDENS if case.file.suffix == ".json"} - analysed
    if update_goldens:
        for spec in without:
            algorithm = solve(load(SPECS[spec])).algorithm
            (CASES / spec).mkdir(parents=True, exist_ok=True)
            raw = solved(spec, algorithm, "aima3")
            (CASES / spec / f"{algorithm}-aima3.json").write_bytes(for_review(raw))
        without = set()
    assert not without, "run pytest --update-goldens, then read what it wrote"


def test_every_algorithm_convention_and_format_has_a_golden() -> None:
    assert {case.algorithm for case in GOLDENS} == set(ALGORITHMS)
    assert {case.convention for case in GOLDENS} == set(CONVENTIONS)
    assert {case.file.suffix for case in GOLDENS} == set(FORMAT_OF)


def test_specs_say_where_they_come_from() -> None:
    for path in SPECS.values():
        game = load(path)
        assert game.title and game.source, path
        if path.suffix != ".json":
            assert path.read_text().startswith("# yaml-language-server: $schema=../schemas/game.schema.json\n"), path


SOLVE_ALL = """
import sys
from tests.solver.render.test_goldens import all_specs
sys.stdout.buffer.write(all_specs())
"""


def all_specs() -> bytes:
    solvable = [spec for spec in SPECS if not load(SPECS[spec]).tree.unknowns]
    every = product(solvable, CONVENTIONS, FORMAT_OF)
    return b"".join(solved(spec, "auto", convention, ending) for spec, convention, ending in every)


@pytest.mark.slow
def test_bytes_are_the_same_in_every_process() -> None:
    for hashing in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": hashing, "PYTHONPATH": str(ROOT)}
        ran = subprocess.run([sys.executable, "-c", SOLVE_ALL], capture_output=True, check=True, env=environment)
        assert ran.stdout == all_specs()
