"""Marking: 10,000 answers in one run, beside a process for each answer; its memory; and what a wrong answer takes."""

from __future__ import annotations

import json
import random
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from benchmarks.commands import PLYMARK, ROOT, peak_megabytes
from benchmarks.games import SEED
from benchmarks.measure import Ratio, interleaved, show, title
from grader.documents.answer_file import load_answer_bytes
from grader.documents.exercise_file import load_exercise
from grader.languages import words_of
from grader.marking.grader import Grader
from grader.mistakes.registry import MODELS
from grader.questions.registry import ASKS
from grader.reports.feedback_facts import facts_at_level
from grader.reports.report_formats import facts_data
from solver.render import json_bytes

ANSWERS, QUICK_ANSWERS = 10_000, 180
ALONE, QUICK_ALONE = 10, 1

EXERCISE = """plymark: exercise/1
id: marked
game:
  tree: {tree}
convention: aima3
questions:
  - {{id: values, ask: values, marks: 4}}
  - {{id: windows, ask: windows, at: entry, marks: 4}}
  - {{id: pruned, ask: pruned, marks: 2}}
  - {{id: move, ask: move, marks: 1}}
"""


def marking(quick: bool) -> list[Ratio]:
    title("Marking: answers to an exercise with 40 nodes, with full diagnosis and feedback, to JSON reports")
    count, sample = (QUICK_ANSWERS, QUICK_ALONE) if quick else (ANSWERS, ALONE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        exercise = folder / "exercise.yaml"
        draw = random.Random(SEED)
        leaves = iter(draw.sample(range(100), 27))
        tree = [[[next(leaves) for _ in range(3)] for _ in range(3)] for _ in range(3)]
        exercise.write_text(EXERCISE.format(tree=tree))
        few, many = folder / "few.jsonl", folder / "many.jsonl"
        written = [json.dumps(answer) for answer in _answers(draw, exercise, count)]
        many.write_text("\n".join(written))
        few.write_text("\n".join(written[: count // 10]))
        singles = []
        for place in range(sample):
            single = folder / f"{place}.json"
            single.write_text(written[place])
            singles.append(single)
        # One run takes minutes: what it is compared with is measured before and after it.
        before = [_seconds(exercise, single) for single in singles]
        whole = _seconds(exercise, many)
        alone = [*before, *(_seconds(exercise, single) for single in singles)]
        print(f"  {count:,} answers in one run: {whole:.1f} s, {1000 * whole / count:.2f} ms each")
        print(f"  a process for each answer: {1000 * min(alone):.0f} to {1000 * max(alone):.0f} ms each")
        memory = [peak_megabytes(*_grade(exercise, path)) for path in (few, many)]
        print(f"  peak memory: {memory[0]:.0f} MB for {count // 10:,} answers, {memory[1]:.0f} MB for {count:,}")
        one, two = (_seconds(exercise, few, "--jobs", jobs) for jobs in ("1", "2"))
        print(f"  {count // 10:,} answers by two jobs: {one / two:.2f} times as fast as by one")
        ratio = Ratio(
            f"{count:,} answers in one run / a process each, clock",
            [whole] * len(alone),
            alone,
            scale=count,
            target=20,
            inverse=True,
        )
        return show([ratio, *_wrong_answers(exercise, written, quick)])


KINDS = {2: "slips", 3: "slips", 4: "a mistake carried through", 5: "drawn at random"}
"""By the place of an answer among those of a class."""
SQUARES = 100_000
MOST_EACH = 2.5 / 4
"""Milliseconds of processor time a distinct wrong answer may take where summing the squares takes 4."""


def _wrong_answers(exercise: Path, written: list[str], quick: bool) -> list[Ratio]:
    """Distinct wrong answers, from the bytes of each to those of its report, beside a plain loop."""
    wrong: dict[str, list[bytes]] = {}
    seen: set[str] = set()
    for place, text in enumerate(written):
        said = json.dumps(json.loads(text)["answers"], sort_keys=True)
        if place % 6 in KINDS and said not in seen:
            seen.add(said)
            wrong.setdefault(KINDS[place % 6], []).append(text.encode())
    count = sum(map(len, wrong.values()))
    print(f"  {count:,} distinct wrong answers: {', '.join(f'{len(each):,} {kind}' for kind, each in wrong.items())}")
    rounds = 1 if quick else 3
    ratios = []
    for kind, answers in [*wrong.items(), ("all", [*chain.from_iterable(wrong.values())])]:
        seconds = interleaved(
            {"marked": partial(_reports, exercise, answers), "squares": partial(_squares, len(answers))}, rounds
        )
        label = f"wrong answers, {kind}: marking / summing {SQUARES:,} squares, processor"
        target = MOST_EACH if kind == "all" else None
        ratios.append(Ratio(label, seconds["marked"].cpu, seconds["squares"].cpu, target=target))
    return ratios


def _reports(exercise: Path, answers: list[bytes]) -> None:
    """A new grader each time: it remembers what it has marked."""
    grader, words = Grader(load_exercise(exercise)), words_of("en")
    for raw in answers:
        json_bytes(facts_data(facts_at_level(grader.grade(load_answer_bytes(raw)), "full"), words))


def _squares(times: int) -> None:
    for _ in range(times):
        sum(number * number for number in range(SQUARES))


def _answers(draw: random.Random, exercise: Path, count: int) -> Iterator[dict[str, Any]]:
    """As a class writes them: a third right, a third with slips, a sixth by some mistake, the rest at random."""
    loaded = load_exercise(exercise)
    answer_key = Grader(loaded).declared
    right = {question.id: ASKS[question.ask].perfect(answer_key.of(question)) for question in loaded.questions}
    solution = answer_key.questions[0].solution
    tree = solution.tree
    models = [model.run(tree, loaded.convention, solution) for model in MODELS.values()]
    mistaken = [each for each in models if each is not None and each.values is not None and each.pruned is not None]
    for place in range(count):
        answers = json.loads(json.dumps(right))
        match place % 6:
            case 2 | 3:
                for _ in range(draw.randint(1, 3)):
                    answers["values"][draw.choice(list(answers["values"]))] = str(draw.randint(0, 99))
            case 4:
                mistake = draw.choice(mistaken)
                worths, pruned = mistake.values or {}, mistake.pruned or ()
                answers["values"] = {
                    str(tree.ids[node]): "-" if worth is None else str(worth) for node, worth in worths.items()
                }
                answers["pruned"] = [str(tree.ids[leaf]) for leaf in sorted(pruned)] or "none"
            case 5:
                answers["values"] = {name: str(draw.randint(0, 99)) for name in answers["values"]}
                answers["windows"] = {
                    name: draw.choice([["-inf", "inf"], ["12", "inf"], ["30", "60"]]) for name in answers["windows"]
                }
                answers["pruned"] = draw.sample([str(tree.ids[leaf]) for leaf in tree.leaves], draw.randint(1, 6))
        yield {"plymark": "answer/1", "exercise": "marked", "student": f"s{place}", "answers": answers}


def _seconds(exercise: Path, answers: Path, *options: str) -> float:
    start = time.perf_counter()
    subprocess.run(
        [*_grade(exercise, answers), *options],
        cwd=ROOT,
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return time.perf_counter() - start


def _grade(exercise: Path, answers: Path) -> list[str]:
    return [str(PLYMARK), "grade", str(exercise), str(answers), "--format", "json"]
