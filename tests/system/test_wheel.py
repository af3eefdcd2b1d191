"""The built wheel, installed in an empty environment and run from an empty folder, finds all it needs."""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import pytest

from tests.support.paths import ROOT

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path) -> str:
    ran = subprocess.run(list(map(str, command)), cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, f"{command}: {ran.stdout}{ran.stderr}"
    return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, cwd=ROOT)
    (built,) = folder.glob("*.whl")
    return built


def test_every_extra_has_code_and_every_message_an_extra() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    sources = [file.read_text("utf-8") for name in ("solver", "grader") for file in (ROOT / name).glob("**/*.py")]
    named = {name for source in sources for name in re.findall(r'needs_extra\("(\w+)"\)', source)}
    assert set(extras) - {"all", "dev", "ci", "bench"} == named
    everything = {name for each in extras["all"] for name in re.findall(r"\[(.+)\]", each)[0].split(",")}
    assert everything == named


def test_wheel_holds_the_packages_and_schemas_only(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"solver", "grader"}
    schemas = {Path(name).name for name in names if name.startswith("solver/schemas/")}
    assert schemas == {file.name for file in (ROOT / "schemas").glob("*.json")}
    recipes = {Path(name).name for name in names if name.startswith("grader/recipes/")}
    assert recipes == {file.name for file in (ROOT / "recipes").glob("*.yaml")}
    static = ROOT / "grader" / "service" / "http" / "static"
    assert {file.relative_to(ROOT).as_posix() for file in static.rglob("*") if file.is_file()} <= set(names)


def test_installed_wheel_works_from_an_empty_folder(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "env", with_pip=True)
    scripts = tmp_path / "env" / ("Scripts" if sys.platform == "win32" else "bin")
    run(scripts / "python", "-m", "pip", "install", "-q", wheel, cwd=tmp_path)
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "the game is worth 3" in run(
        scripts / "plymark", "solve", "--tree", "[[3,12,8],[2,4,6],[14,5,2]]", cwd=empty
    )
    (empty / "bad.yaml").write_text("plymark: game/1\ntree: {trun: max, children: [1]}\n", encoding="utf-8")
    ran = subprocess.run(
        [scripts / "plymark", "check", "bad.yaml"], cwd=empty, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1
    assert "bad.yaml:2:8: unknown key" in ran.stderr
    drawn = run(scripts / "plymark", "draw", "--tree", "[[3,5],[2,4]]", "--out", "tree.html", "-l", "fa", cwd=empty)
    assert drawn == "" and "مرحلهٔ" in (empty / "tree.html").read_text("utf-8")
    assert "α-cut" in run(scripts / "plymark", "explain", "--tree", "[[3,5],[2,4]]", cwd=empty)
    for ending, extra in (("png", "draw"), ("pdf", "pdf")):
        ran = subprocess.run(
            [scripts / "plymark", "draw", "--tree", "[3]", "--out", f"tree.{ending}"],
            cwd=empty,
            capture_output=True,
            text=True,
            check=False,
        )
        assert ran.returncode == 2
        assert f"pip install 'plymark[{extra}]'" in ran.stderr
