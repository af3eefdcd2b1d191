"""Write what Plymark makes of all specs, exercises, recipes and kept stores, so that two versions can be compared.

python tools/outputs.py before     in the checkout of one version
python tools/outputs.py after      in that of the other; then `diff -rq before after` prints nothing
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import yaml

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from solver.languages import LANGUAGES  # noqa: E402
from tests.support.command import plymark_within  # noqa: E402

CONVENTIONS = ("aima3", "aima4", "strict", "fail-hard")
SYSTEMS = ("moodle", "canvas")
GUESSES = ("3", "-1/2", "L2, L3", "a1", "none", "≤ 2", "(3, +∞)", "a1, b1")
"""Written into every question of an exercise: some can be read there, most are wrong."""
VARIANTS = 2


def main() -> None:
    out = Path(sys.argv[1]).resolve()
    if out.exists():
        shutil.rmtree(out)
    out.mkdir(parents=True)
    games = sorted((ROOT / "specs").iterdir())
    exercises = sorted((ROOT / "exercises").glob("*.yaml"))
    for game in games:
        write_game(out / "games" / game.stem, game)
    for exercise in exercises:
        write_exercise(out / "exercises" / exercise.stem, exercise)
    answers = sorted((ROOT / "exercises/answers").iterdir())
    for form in ("text", "json", "csv"):
        run(out / "class" / form, "grade", ROOT / "exercises/two-ply.yaml", *answers, "--format", form)
    for recipe in sorted((ROOT / "recipes").iterdir()):
        write_recipe(out / "recipes" / recipe.stem, recipe)
    for store in sorted((ROOT / "tests/kept_stores").iterdir()):
        data = out / "data"
        data.mkdir()
        shutil.copy(store / "store.sqlite3", data / "plymark.sqlite3")
        run(out / "stores" / store.name, "admin", "check", "--data", data)
        shutil.rmtree(data)


def write_game(out: Path, game: Path) -> None:
    run(out / "check", "check", game)
    for form in ("text", "json", "yaml"):
        run(out / f"solve-{form}", "solve", game, "--format", form)
    for convention in CONVENTIONS:
        run(out / f"solve-{convention}", "solve", game, "--convention", convention, "--format", "json")
    run(out / "solve-steps", "solve", game, "--steps", 4)
    for form in ("text", "json"):
        run(out / f"analyse-{form}", "analyse", game, "--format", form)
    for language in LANGUAGES:
        run(out / f"explain-{language}", "explain", game, "--language", language)
        run(out / f"stages-{language}", "draw", game, "--stages", "--language", language, "--format", "html")
    for form in ("svg", "latex", "txt"):
        run(out / f"draw-{form}", "draw", game, "--format", form)
        run(out / f"blank-{form}", "draw", game, "--format", form, "--hide", "all")


def write_exercise(out: Path, exercise: Path) -> None:
    asked = [question["id"] for question in yaml.safe_load(exercise.read_text("utf-8"))["questions"]]
    answers = list(_answers(out, exercise, asked))
    for language in LANGUAGES:
        for form in ("text", "json", "html"):
            for answer in answers:
                name = f"grade-{form}-{language}-{answer.stem}"
                target = ("--out", out / name) if form == "html" else ()
                run(out / name, "grade", exercise, answer, "--format", form, "--language", language, *target)
    write_handouts(out, exercise, *LANGUAGES)


def _answers(out: Path, exercise: Path, asked: list[str]) -> Iterator[Path]:
    out.mkdir(parents=True, exist_ok=True)
    for number, guess in enumerate(GUESSES):
        file = out / f"answer-{number}.yaml"
        answer = {
            "plymark": "answer/1",
            "exercise": exercise.stem,
            "student": "Ana",
            "answers": dict.fromkeys(asked, guess),
        }
        file.write_text(yaml.safe_dump(answer, allow_unicode=True), "utf-8")
        yield file


def write_recipe(out: Path, recipe: Path) -> None:
    made = out / "variants"
    run(out / "generate", "generate", recipe, "--count", VARIANTS, "--seed", 7, "--out", made, "--quiet")
    write_handouts(out, made, "en")


def write_handouts(out: Path, exercise: Path, *languages: str) -> None:
    for language in languages:
        for kind in ("sheet", "key", "solution"):
            for form in ("html", "latex"):
                target = out / f"{kind}-{language}.{form}"
                run(out / f"paper-{kind}-{language}-{form}", "paper", exercise, "--to", form, "--kind", kind,
                    "--language", language, "--out", target, "--jobs", 1)  # fmt: skip
    for system in SYSTEMS:
        run(out / f"export-{system}", "export", exercise, "--to", system, "--out", out / f"{system}.out", "--jobs", 1)


def run(file: Path, *arguments: str | int | Path) -> None:
    """What a command prints and answers, without the names of folders."""
    ran = plymark_within(*map(str, arguments), cwd=ROOT)
    text = f"exit {ran.code}\n{ran.stdout}\n{ran.stderr}"
    file.parent.mkdir(parents=True, exist_ok=True)
    for folder in (Path(sys.argv[1]).resolve(), ROOT):
        text = text.replace(str(folder), "…")
    file.with_name(f"{file.name}.run").write_text(text, "utf-8")


if __name__ == "__main__":
    main()
