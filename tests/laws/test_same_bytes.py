"""Reports are the same on every run: nothing in them comes in the order of a set."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.support.paths import ROOT

FUZZ = """
import random
from hashlib import blake2b
from pathlib import Path

from grader.documents.answer_file import Answer, load_answer
from grader.documents.exercise_file import load_exercise
from grader.marking.grader import Grader
from grader.marking.report import LEVELS
from tests.laws.test_feedback_tells_no_key import JUNK, outputs, plain_case, telling_case, unknown_case, vector_case

digest = blake2b()
for seed in range(6):
    for made in (telling_case, plain_case, unknown_case, vector_case):
        graders, written = made(random.Random(seed))
        for given in (written, {question.id: JUNK[seed] for question in graders[0].exercise.questions}):
            report = graders[0].grade(Answer("e", "s", given))
            for place, level in enumerate(LEVELS):
                for output in outputs(report, level, ("en", "pt", "es", "fa")[(seed + place) % 4]):
                    digest.update(output)
exercise = load_exercise(Path("exercises/two-ply.yaml"))
for path in sorted(Path("exercises/answers").glob("two-ply*.yaml")):
    report = Grader(exercise).grade(load_answer(path))
    for level in LEVELS:
        for output in outputs(report, level, "en"):
            digest.update(output)
print(digest.hexdigest())
"""


@pytest.mark.slow
def test_reports_do_not_depend_on_the_hash_seed() -> None:
    found = set()
    for seed in ("0", "1", "20", "4711"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        run = subprocess.run(
            [sys.executable, "-c", FUZZ], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
        )
        assert run.returncode == 0, run.stderr
        found.add(run.stdout)
    assert len(found) == 1
