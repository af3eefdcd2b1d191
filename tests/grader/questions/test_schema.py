"""The schemas say of each type of question what it declares."""

import json

import pytest

from grader.questions.registry import ASKS
from grader.questions.schema import with_types
from tests.support.paths import ROOT


@pytest.mark.parametrize("name", ["exercise", "recipe", "report"])
def test_the_schemas_are_what_the_types_declare(name: str) -> None:
    text = (ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8")
    written = json.dumps(with_types(json.loads(text), ASKS.values()), indent=2) + "\n"
    assert written == text, "run python tools/schemas.py"
