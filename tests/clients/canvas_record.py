"""Runs Canvas' own code on our exports and writes down what it gave: see canvas.md."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent.parent))

from tests.support.canvas_runs import SHEETS, digest, disagreements, items, runs, students  # noqa: E402


def main(canvas: str, links: str, *commits: str) -> None:
    """`canvas` and `links` are where the sources lie; the commits are Canvas', the migration tool's and the links'."""
    everything = list(runs())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        jobs = []
        for place, run in enumerate(everything):
            package = folder / f"{place}.zip"
            package.write_bytes(run.content)
            given = {f"{of.exercise.id}/{of.carried[at].question.id}": texts for of, at, texts in run.responses()}
            job: dict[str, Any] = {"package": str(package), "responses": given}
            if run.name in SHEETS:
                job |= {"students": students(run), "locale": SHEETS[run.name]}
            jobs.append(job)
        (folder / "jobs.json").write_text(json.dumps(jobs), "utf-8")
        driver, found = str(HERE / "canvas_points.rb"), folder / "found.json"
        subprocess.run(["ruby", driver, canvas, links, str(folder / "jobs.json"), str(found)], check=True)
        answered = json.loads(found.read_text("utf-8"))
    recorded = {run.name: _run(run.content, result) for run, result in zip(everything, answered, strict=True)}
    differences = [each for run in everything for each in disagreements(run, recorded[run.name])]
    print(*(each for each in differences if not each.excused), sep="\n")
    count = sum(len(given) for run in everything for *_, given in run.responses())
    excused = sum(each.excused for each in differences)
    told = f"{len(differences) - excused} differences, {excused} that docs/exporting.md names"
    print(f"Canvas: {len(everything)} exports, {count} responses, {told}")
    of = dict(zip(("canvas-lms", "QTIMigrationTool", "canvas_link_migrator"), commits, strict=True))
    sheets = {
        run.name: [quiz["sheet"] for quiz in result["quizzes"]]
        for run, result in zip(everything, answered, strict=True)
        if run.name in SHEETS
    }
    lines = ",\n".join(f"{json.dumps(name)}: {_line(run)}" for name, run in recorded.items())
    kept = f'{{"commits": {json.dumps(of)},\n"sheets": {_line(sheets)},\n"runs": {{\n{lines}\n}}}}\n'
    (HERE / "canvas.json").write_text(kept, "utf-8")


def _run(content: bytes, result: dict[str, Any]) -> dict[str, Any]:
    hashes = items(content)
    questions = [item for quiz in result["quizzes"] for item in quiz["items"]]
    assert [item["title"] for item in questions] == list(hashes), result["package"]
    assert not result["warnings"] and not any(item["error"] for item in questions), result
    # Canvas found the pictures among the package's files.
    sources = [source for item in questions for source in re.findall(r'<img src="([^"]*)"', item["text"])]
    assert len(sources) == len(result["files"]) == len(set(sources)), sources
    assert all(re.fullmatch(r"/courses/1/files/\d+/preview", source) for source in sources), sources
    return {
        item["title"]: {
            "sha256": hashes[item["title"]],
            "type": item["type"],
            "points": item["points"],
            "inputs": item["inputs"],
            "responses": digest([one["texts"] for one in item["marks"]]),
            "marks": [round(one["points"], 6) for one in item["marks"]],
        }
        for item in questions
    }


def _line(run: dict[str, Any]) -> str:
    return json.dumps(run, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    main(*sys.argv[1:])
