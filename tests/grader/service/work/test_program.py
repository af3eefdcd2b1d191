"""Which program marked: another as soon as anything differs that marks or their wording depend on."""

from __future__ import annotations

from importlib.metadata import version
from pathlib import Path

import pytest

from grader.service.base import program
from grader.service.base.program import PROGRAM


def test_rules_are_code_schemas_and_catalogues() -> None:
    names = {name for name, _ in program._rules()}
    assert {
        "solver/languages/fa.po",
        "grader/languages/en.po",
        "grader/marking/mark.py",
        "grader/service/tasks/feedback_codec.py",
        "grader/service/tasks/submission_marking.py",
        "solver/search/algorithms/alpha_beta.py",
    } <= names
    assert not [
        name for name in names if name.startswith(("grader/cli/", "grader/service/web/", "grader/service/api/"))
    ]
    assert PROGRAM.startswith(f"{version('plymark')}+")


@pytest.mark.parametrize("changed", ["solver/a.py", "grader/languages/en.po", "grader/service/tasks/feedback_codec.py"])
def test_another_program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str) -> None:
    for name in (
        "solver/a.py",
        "grader/languages/en.po",
        "grader/service/tasks/feedback_codec.py",
        "grader/cli/main.py",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    monkeypatch.setattr(program, "_ROOT", tmp_path)
    before = program._fingerprint()
    (tmp_path / "grader/cli/main.py").write_text("another command line")
    assert program._fingerprint() == before
    (tmp_path / changed).write_text("another rule")
    assert program._fingerprint() != before
