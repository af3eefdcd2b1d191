"""Practice and trying a tree, in a real browser: with script, and without."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from grader.marking.diagnose import Diagnosing
from grader.practice.guided_search import StepKind, led_solution, steps_of
from grader.practice.mistake_practice import (
    Evidence,
    Mastery,
    class_with,
    mistaken_answers,
    right_answers,
    update_mastery,
)
from grader.practice.ready_exercises import exercise_of, ready_recipes
from grader.service.http.page_texts import texts_of
from solver.game import CONVENTIONS
from solver.languages import LANGUAGES
from solver.search import ALGORITHMS
from tests.grader.service.web.site import Site

pytestmark = pytest.mark.slow

EXERCISE = "/practice/alpha-beta-easy/7"
TREE = "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"


@pytest.fixture
def opened(site: Site, browser: Any) -> Iterator[Any]:
    """A page of a reader who has never been here; whatever the browser complains about is an error."""
    context = browser.new_context(base_url=site.url, viewport={"width": 390, "height": 800}, accept_downloads=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "Content Security" in said.text else None)
    yield page
    context.close()
    assert complaints == []


@pytest.fixture
def unscripted(site: Site, browser: Any) -> Iterator[Any]:
    context = browser.new_context(base_url=site.url, java_script_enabled=False, locale="fa")
    yield context.new_page()
    context.close()


def fill(page: Any, answers: dict[str, Any]) -> None:
    """Into the form, which the tree on the page may cover."""
    texts = {}
    for question, answer in answers.items():
        for item, text in answer.items() if isinstance(answer, dict) else [("", answer)]:
            texts[f"{question}.{item}" if item else question] = ", ".join(text) if isinstance(text, list) else str(text)
    page.evaluate(
        "texts => Object.entries(texts).forEach(([name, text]) => document.getElementsByName(name)[0].value = text)",
        texts,
    )


def mistaken(mistake: str) -> dict[str, Any]:
    key = exercise_of("alpha-beta-easy", "7").grader.declared
    of = class_with(Diagnosing(key), mistake)
    assert of is not None
    return mistaken_answers(key, of.different)


def test_a_mistake_is_followed_until_it_is_gone(opened: Any, tmp_path: Path) -> None:
    """By the pages alone: made, named, the next exercise exposes it, avoided twice; saved, forgotten and loaded."""
    opened.goto(EXERCISE)
    fill(opened, mistaken("A10"))
    opened.locator("button[value=hints]").click()
    assert "no improvement" in opened.locator("#result .note").inner_text()
    assert opened.locator("th", has_text="Right").count() == 0
    opened.goto("/practice/progress")
    assert "made the last time" in opened.locator("tr", has_text="no improvement").inner_text()
    opened.locator("tr", has_text="no improvement").locator("a").click()
    for avoided in (1, 2):
        recipe, seed = re.findall(r"/practice/([a-z0-9-]+)/([a-z0-9]+)", opened.url)[0]
        fill(opened, right_answers(exercise_of(recipe, seed).grader.declared))
        opened.locator("button[value=hints]").click()
        assert opened.locator("#result-title").inner_text() == "All of it is right"
        assert opened.locator(".follow").is_visible() == (avoided == 1)
        if avoided == 1:
            opened.locator(".follow").click()
            opened.wait_for_url("**?after=A10")
    opened.goto("/practice/progress")
    row = opened.locator("tr", has_text="no improvement")
    assert "gone" in row.inner_text() and row.locator("a").count() == 0
    with opened.expect_download() as download:
        opened.locator("#export").click()
    saved = tmp_path / "progress.json"
    download.value.save_as(saved)
    assert json.loads(saved.read_text())["mistakes"]["A10"] == {"made": 1, "avoided": 2}
    opened.locator("#clear").click()
    assert opened.locator("#progress .empty").is_visible()
    opened.locator("#import").set_input_files(saved)
    opened.locator("tr", has_text="no improvement").wait_for()
    saved.write_text('{"mistakes": 7}')
    opened.locator("#import").set_input_files(saved)
    opened.locator(".said", has_text="does not contain saved progress").wait_for()
    assert "gone" in opened.locator("tr", has_text="no improvement").inner_text()


def test_the_browser_counts_as_the_grader_does(opened: Any) -> None:
    opened.goto("/practice/progress")
    script = opened.locator("script[src*=practice]").get_attribute("src")
    answers = [{"A2": "made", "M1": "avoided"}, {"A2": "avoided"}, {"A2": "avoided", "M1": "made"}, {"A2": "made"}]
    found = opened.evaluate(
        """async ([script, answers]) => {
          const {empty, noted, gone} = await import(script);
          const every = [];
          let record = empty();
          answers.forEach((each, place) => { record = noted(record, String(place), each); every.push(Object.fromEntries(
            Object.entries(record.mistakes).map(([name, of]) => [name, [of.made, of.avoided, gone(of)]]))); });
          return every;
        }""",
        [script, answers],
    )
    known: dict[str, Mastery] = {}
    for each, counted in zip(answers, found, strict=True):
        known = update_mastery(known, {name: Evidence(what) for name, what in each.items()})
        assert counted == {name: [of.made, of.avoided, of.gone] for name, of in known.items()}


def test_whoever_is_led_gets_a_hint_then_the_step_and_comes_to_the_end(unscripted: Any) -> None:
    """Without script, in Persian."""
    solution = led_solution(exercise_of("minimax-easy", "7").grader.declared)
    unscripted.goto("/practice/minimax-easy/7/steps")
    assert unscripted.locator("html").get_attribute("dir") == "rtl"
    for number, step in enumerate(steps_of(solution)):
        assert unscripted.locator("input[name=step]").get_attribute("value") == str(number)
        if number == 0:
            unscripted.locator("button[value=hint]").click()
            assert unscripted.locator("#step .note").count() == 1
            unscripted.locator("button[value=tell]").click()
            unscripted.locator("button[value=skip]").click()
        elif step.kind == StepKind.NEXT:
            unscripted.locator("#answer").select_option(str(solution.tree.ids[step.right]))
            unscripted.locator("button[value=check]").click()
        else:
            unscripted.locator("#answer").fill("1000")
            unscripted.locator("button[value=check]").click()
            assert unscripted.locator("#step .alert").count() == 1
            unscripted.locator("#answer").fill(str(step.right))
            unscripted.locator("button[value=check]").click()
    assert unscripted.locator("#step").count() == 0


def test_an_exercise_is_picked_answered_and_solved_without_script(unscripted: Any) -> None:
    unscripted.goto("/practice")
    unscripted.locator("a[href$='new?recipe=minimax-easy']").click()
    assert re.search("/practice/minimax-easy/[0-9a-z]{8}$", unscripted.url)
    unscripted.locator("button[value=hints]").click()
    assert unscripted.locator("#result").count() == 1 and unscripted.locator("#result thead th").count() % 3 == 0
    unscripted.locator("button[value=full]").click()
    assert unscripted.locator("#result thead th").count() % 4 == 0


def test_a_tree_of_ones_own_is_practised_without_script(unscripted: Any) -> None:
    unscripted.goto("/practice")
    unscripted.locator("form.own button").click()
    assert unscripted.locator("input[name='values.C'], [name='values.C']").count() == 1
    unscripted.locator("form[action$=steps] button").click()
    assert unscripted.locator("#step").count() == 1


def test_a_tree_is_tried_shared_and_stepped_through(opened: Any) -> None:
    opened.goto("/try")
    opened.locator("#tree").fill(TREE)
    opened.locator("#own").fill("{like: aima3, order: right-to-left}")
    opened.locator("form.trying button.main").click()
    assert "from right to left" in opened.locator(".told").inner_text()
    shared = opened.locator("#share").input_value()
    opened.goto(shared)
    assert opened.locator("#own").input_value() == "{like: aima3, order: right-to-left}"
    assert opened.locator("figure svg").count() >= 1
    opened.get_by_role("link", name="Step through the search").click()
    opened.get_by_role("link", name="Next leaf").click()
    assert "stage=1" in opened.url


def test_errors_are_at_their_lines_and_what_was_typed_stays(opened: Any) -> None:
    opened.goto("/try")
    opened.locator("#tree").fill("[[3, 12],\n [x y, 4]]")
    opened.locator("form.trying button.main").click()
    link = opened.locator(".alert a")
    assert link.inner_text() == "Line 2, column 3"
    assert opened.locator("#tree").input_value() == "[[3, 12],\n [x y, 4]]"
    link.click()
    assert opened.evaluate("document.querySelector('#tree').selectionStart") == len("[[3, 12],\n [")


def test_a_long_tree_goes_with_the_form(client: httpx.Client) -> None:
    tree = f"[{', '.join(['[1, 2]'] * 700)}]"
    answered = client.post("/try", data={"tree": tree})
    assert answered.status_code == 200 and 'id="share"' not in answered.text


@pytest.mark.parametrize(
    "path",
    [
        "/practice/nonsense/7",
        "/practice/minimax-easy/A!",
        "/practice/next?mistake=Z9&recipe=-&seed=-",
        "/practice/tree",
    ],
)
def test_what_is_none_is_said_on_a_page(client: httpx.Client, path: str) -> None:
    answered = client.get(path)
    assert answered.status_code == 422 and "text/html" in answered.headers["content-type"]


@pytest.mark.parametrize("options", [{"algorithm": "nonsense"}, {"convention": "{{"}, {"own": "{like: nobody}"}])
def test_an_option_that_is_wrong_is_said_above_the_tree(client: httpx.Client, options: dict[str, str]) -> None:
    answered = client.get("/try", params={"tree": TREE, **options})
    assert answered.status_code == 422 and TREE in answered.text and 'role="alert"' in answered.text


@pytest.mark.parametrize("stage", ["9" * 5_000, "999999", "-1", "x"])
def test_a_stage_that_is_none_does_no_harm(client: httpx.Client, stage: str) -> None:
    assert client.get("/try", params={"tree": TREE, "stage": stage}).status_code == 200


def test_nothing_tells_the_key_before_it_is_asked_for(client: httpx.Client) -> None:
    """Values of inner nodes that no leaf has are nowhere in the page of the exercise."""
    page = client.get("/practice/expectiminimax-medium/7").text
    key = right_answers(exercise_of("expectiminimax-medium", "7").grader.declared)["values"]
    telling = [text for text in key.values() if "." in text or "/" in text]
    assert telling and not [text for text in telling if re.search(rf"(?<![\d.]){re.escape(text)}(?![\d.])", page)]


def steps_until(client: httpx.Client, place: str, kind: str) -> int:
    """The number of the first step of a kind."""
    for number in range(40):
        if f'data-kind="{kind}"' in client.get(f"{place}/steps", params={"step": number}).text:
            return number
    raise AssertionError(f"no step asks for {kind}")


def test_the_next_node_is_chosen_on_the_tree_by_pointer_and_by_keyboard(opened: Any, client: httpx.Client) -> None:
    number = steps_until(client, EXERCISE, "next")
    opened.goto(f"{EXERCISE}/steps?step={number}")
    nodes = opened.locator("figure svg:visible [data-node]")
    wanted = nodes.last.get_attribute("data-node")
    nodes.last.click()
    assert opened.locator("#answer").input_value() == wanted
    assert wanted in opened.locator(".chosen-node").inner_text()
    nodes.first.focus()
    opened.keyboard.press("ArrowRight")
    opened.keyboard.press("Enter")
    assert opened.locator("#answer").input_value() == nodes.nth(1).get_attribute("data-node")
    assert opened.locator("figure svg:visible .chosen").count() == 1


def test_stopping_or_going_on_is_chosen_on_the_tree(opened: Any, client: httpx.Client) -> None:
    number = steps_until(client, EXERCISE, "cut")
    opened.goto(f"{EXERCISE}/steps?step={number}")
    form = opened.locator("#step")
    children = json.loads(form.get_attribute("data-children"))
    drawn = opened.locator("figure svg:visible")
    drawn.locator(f'[data-node="{form.get_attribute("data-node")}"]').click()
    assert opened.locator("[name=answer][value=yes]").is_checked()
    drawn.locator(f'[data-node="{children[-1]}"]').click()
    assert opened.locator("[name=answer][value=no]").is_checked()
    opened.locator("button[value=check]").click()
    opened.wait_for_url("**/steps")
    assert opened.locator("#step .alert, .note.good").count() == 1


def test_every_recipe_has_a_title_in_every_language() -> None:
    for code in LANGUAGES:
        texts = texts_of(code)
        assert [name for name in ready_recipes() if not texts.knows(f"page.recipe.{name}")] == []
    titles = [[texts_of(code)(f"page.recipe.{name}") for name in ready_recipes()] for code in ("en", "fa")]
    assert not set(titles[0]) & set(titles[1])


def test_an_exercise_is_called_by_its_title_in_the_readers_language(client: httpx.Client) -> None:
    for code in LANGUAGES:
        shown = client.get(EXERCISE, headers={"Accept-Language": code}).text
        assert texts_of(code)("page.recipe.alpha-beta-easy") in shown


def test_everything_that_the_solver_has_can_be_chosen(client: httpx.Client) -> None:
    shown = client.get("/try").text
    offered = {
        name: re.findall("<option[^>]*>([^<]+)", shown.split(f'id="{name}"')[1].split("</select>")[0])
        for name in ("algorithm", "convention")
    }
    assert offered == {"algorithm": ["auto", *ALGORITHMS], "convention": list(CONVENTIONS)}


def test_a_search_without_stages_is_solved(client: httpx.Client) -> None:
    answered = client.get("/try", params={"tree": TREE, "algorithm": "mcts", "stage": "2"})
    assert answered.status_code == 200 and "plymark-room" in answered.text and "stage=0" not in answered.text


def test_where_no_exercise_shows_a_mistake_that_is_said(client: httpx.Client) -> None:
    """A1 shows in no ready recipe for certain."""
    said = client.get(
        "/practice/next", params={"mistake": "A1", "recipe": "minimax-easy", "seed": "7"}, follow_redirects=True
    )
    assert (
        said.status_code == 200 and "No exercise was found" in said.text and "/practice/minimax-easy/" in str(said.url)
    )
    own = client.get("/practice/next", params={"mistake": "A1", "recipe": "tree", "seed": "-"}, follow_redirects=True)
    assert own.status_code == 200 and "No exercise was found" in own.text


HOSTILE = [
    "",
    " ",
    "\x00",
    "\ud7ff\uffff\U0001f600",
    "<script>alert(1)</script>",
    "../../etc/passwd",
    "%00%ff",
    "'" * 300,
    "9" * 400,
]
HOSTILE += [
    "-1",
    "1e999",
    "[" * 3_000,
    "{a: &x [*x]}",
    "!!python/object:os.system x",
    "[[1, 2], [nan, inf]]",
    "\u202e\u200f7",
    "{{7*7}}",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_whatever_is_sent_is_answered_with_a_page(client: httpx.Client, text: str) -> None:
    """In every field of every page of practice, in the address and in the form."""
    of_try = ("tree", "algorithm", "convention", "own", "stage")
    answers = [client.get("/try", params={"tree": TREE, name: text}) for name in of_try]
    answers += [client.post("/try", data={"tree": TREE, name: text}) for name in of_try]
    known = {"mistake": "A10", "recipe": "minimax-easy", "seed": "7"}
    answers += [client.get("/practice/next", params={**known, name: text}) for name in known]
    answers += [client.get("/practice/new", params={"recipe": text, "after": text})]
    answers += [client.get("/practice", params={"none": text})]
    for place in ("/practice/minimax-easy/7", "/practice/tree"):
        sent = {"tree": TREE, "show": "hints"}
        answers += [
            client.get(place, params={"tree": TREE, "after": text}),
            client.post(place, data={**sent, "show": text}),
        ]
        answers += [
            client.post(place, data={**sent, name: text}) for name in ("tree", "values.A", "values", "move", text)
        ]
        step = {"tree": TREE, "step": "0", "show": "check"}
        answers += [client.get(f"{place}/steps", params={"tree": TREE, name: text}) for name in ("step", "every")]
        fields = ("step", "every", "show", "answer", "low", "high", "tree")
        answers += [client.post(f"{place}/steps", data={**step, name: text}) for name in fields]
        answers += [
            client.post(f"{place}/steps", data={**step, "step": "2", "answer": text, "low": text, "high": text})
        ]
    assert {each.status_code for each in answers} <= {200, 303, 404, 413, 422}
    assert all("text/html" in each.headers["content-type"] for each in answers if each.status_code != 303)
    assert "<script>alert(1)" not in "".join(each.text for each in answers)


@pytest.mark.parametrize("part", ["..", "%00", "A" * 3_000, "%F0%9F%98%80", "<b>", "tree", "-"])
def test_whatever_an_address_names_is_answered_with_a_page(client: httpx.Client, part: str) -> None:
    for path in (f"/practice/{part}/7", f"/practice/minimax-easy/{part}", f"/practice/{part}/{part}/steps"):
        answered = client.get(path, headers={"Accept": "text/html"})
        assert answered.status_code in (200, 404, 414, 422), f"{path[:80]}: {answered.status_code}"
        assert "text/html" in answered.headers["content-type"], path[:80]
