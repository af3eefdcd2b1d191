"""Many exercises from one recipe. Each must differ from all before it, so that they are made in one piece."""

from __future__ import annotations

import base64
import json
from typing import Any

from grader.service import tasks
from grader.service.queue.jobs import JobRun

KIND = "generate"
SECONDS = 120.0


def payload_of(recipe: bytes, count: int, seed: str | None) -> dict[str, Any]:
    return {"recipe": base64.b64encode(recipe).decode(), "count": count, "seed": seed}


async def generate(run: JobRun) -> Any:
    """`{seed, exercises}`, as the route answers it for a few."""
    given = run.payload
    await run.progress(0, given["count"])
    recipe = base64.b64decode(given["recipe"])
    made = await run.bulk(SECONDS).run(tasks.generate, recipe, given["count"], given["seed"])
    await run.progress(given["count"], given["count"])
    # A decimal as text means the same, and keeps its spelling.
    return json.loads(made, parse_float=str)
