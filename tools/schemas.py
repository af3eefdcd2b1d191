"""Write into the schemas what the types of question declare: `python tools/schemas.py`."""

from __future__ import annotations

import json
from pathlib import Path

from grader.questions.registry import ASKS
from grader.questions.schema import with_types

SCHEMAS = Path(__file__).parent.parent / "schemas"


def main() -> None:
    for name in ("exercise", "recipe", "report"):
        file = SCHEMAS / f"{name}.schema.json"
        written = with_types(json.loads(file.read_bytes()), ASKS.values())
        file.write_text(json.dumps(written, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
