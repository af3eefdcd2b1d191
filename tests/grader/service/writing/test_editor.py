"""The editor in a browser: live problems, questions from a menu, versions, recipes; and the same without script."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from grader.service.features.writing.pages import NEW
from tests.grader.service.web.scenes import look_from
from tests.grader.service.web.site import Site, Visit
from tests.grader.service.web.test_look import JUDGED, LOOK, PLACES
from tests.grader.service.writing.conftest import Writing, write_document
from tests.grader.service.writing.scenes import each_writing_page
from tests.support.browser import expect

pytestmark = pytest.mark.slow

QUESTION = "  - {id: pruned, ask: pruned, marks: 3}\n"
RECIPE = (Path(__file__).parents[4] / "recipes" / "minimax-easy.yaml").read_text("utf-8")


def new(opened: Visit, site: Site) -> Any:
    opened.go(f"/teach/c/{site.course}/exercises/new")
    return opened.page


def document_of(site: Site, page: Any) -> Any:
    exercise = page.url.partition("/exercises/")[2].partition("?")[0]
    return site.call("GET", f"/api/courses/{site.course}/exercises/{exercise}")


def test_problems_stand_at_their_lines_while_one_types(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = new(opened, site)
        page.locator("ply-build svg").wait_for()
        write_document(page, NEW.replace("ask: values", "ask: valves"))
        page.locator('.problem a[data-line="8"]').click()
        assert page.evaluate("String(getSelection())") == "valves"
        marked = page.locator(".cm-lintRange-error")
        expect(marked).to_have_text("valves")
        expect(page.locator(".cm-lint-marker-error")).to_have_count(1)
        marked.hover()
        expect(page.locator(".cm-diagnostic")).to_contain_text("[wrong-value]")
        write_document(page, NEW.replace("14, 5, 2", "14, 5, 9"))
        expect(page.locator(".questions td[dir]").last).to_have_text("A: 5; B: 3; C: 2; D: 5")
        assert page.locator(".problem").count() == 0
        expect(page.locator(".cm-lintRange-error")).to_have_count(0)


def test_an_exercise_gets_a_question_and_is_saved(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = new(opened, site)
        page.locator("ply-build svg").wait_for()
        told = page.locator("#ask option[value=pruned]")
        assert told.inner_text() == "pruned: Which leaves does alpha-beta prune?"
        page.locator("#ask").select_option("pruned")
        page.locator("#marks").fill("3")
        page.locator("button[data-ask]").click()
        expect(page.locator("#document")).to_have_value(NEW + QUESTION)
        expect(page.locator(".questions tbody tr")).to_have_count(2)
        page.locator("button[value=save]").click()
        page.wait_for_url("**?saved=1")
        assert document_of(site, page)["document"] == NEW + QUESTION


def test_a_game_becomes_an_exercise_when_it_is_asked_about(site: Site, writing: Writing) -> None:
    game = "# mine\nplymark: game/1  # a game\n# the tree\ntree: [[3, 12], [2, 4]]\n"
    with writing() as opened:
        page = new(opened, site)
        write_document(page, game)
        page.locator('.state[data-kind="game/1"] ~ .result [data-ask]').click()
        expect(page.locator("#document")).to_have_value(re.compile("^# mine\nplymark: exercise/1  # a game\nid: "))
        page.locator('.state[data-kind="exercise/1"]').wait_for()


def test_of_two_windows_the_second_is_told(site: Site, writing: Writing) -> None:
    with writing() as opened:
        exercise = site.put_exercise({"plymark": "exercise/1", "id": "twice", "game": {"tree": [[1, 2], [3, 4]]},
                                      "questions": [{"id": "q", "ask": "values", "marks": 1}]})  # fmt: skip
        address = f"/teach/c/{site.course}/exercises/{exercise}"
        opened.go(address)
        other = opened.context.new_page()
        other.goto(f"{site.url}{address}")
        write_document(opened.page, NEW)
        opened.page.locator("button[value=save]").click()
        opened.page.wait_for_url("**?saved=1")
        write_document(other, NEW.replace("My exercise", "Mine"))
        other.locator("button[value=save]").click()
        other.locator(".alert a[target=_blank]").wait_for()
        assert "title: Mine" in other.locator("#document").input_value()
        assert document_of(site, opened.page)["version"] == 2


def test_a_ready_recipe_is_taken_previewed_and_made(site: Site, writing: Writing) -> None:
    with writing() as opened:
        opened.go(f"/teach/c/{site.course}/exercises")
        page = opened.page
        page.locator('a[href$="/recipes/new"]').click()
        names = page.locator("#recipe option").all_inner_texts()
        assert len(set(names)) == len(names), "no two are called alike"
        page.locator("#recipe").select_option("minimax-easy")
        page.locator("form.ready button").click()
        page.wait_for_url("**?recipe=minimax-easy")
        page.locator(".preview .variant").nth(2).wait_for()
        assert page.locator("#document").input_value() in RECIPE
        assert page.locator("#document").input_value().startswith(("# ", "plymark:"))
        assert page.locator(".preview tbody tr").count() >= 1
        assert page.locator("ply-build").count() == 0
        page.locator("#count").fill("4")
        page.get_by_text("Advanced").click()
        page.locator("#seed").fill("exam")
        page.locator("button[value=save]").click()
        page.wait_for_url("**?saved=1")
        found = document_of(site, page)
        assert (found["kind"], found["seed"], len(found["variants"])) == ("recipe", "exam", 4)


def test_what_is_no_recipe_is_said_to_be_none(site: Site, writing: Writing) -> None:
    with writing() as opened:
        opened.go(f"/teach/c/{site.course}/recipes/new?recipe=../../etc")
        opened.page.locator("main h1").wait_for()
        assert opened.responses[0].status == 422
        page = new(opened, site)
        write_document(page, RECIPE.replace("minimax-easy", "two words", 1).replace("shape:", "shapes:"))
        page.locator(".recipe:not([data-idle]), .problem").first.wait_for()


def test_questions_are_moved_weighed_and_removed_beside_their_key(site: Site, writing: Writing) -> None:
    first, second = "  - {id: values, ask: values, marks: 4}\n", QUESTION.replace("\n", "  # hard\n")
    with writing() as opened:
        page = new(opened, site)
        write_document(page, NEW + second)
        rows = page.locator(".questions tbody tr")
        expect(rows).to_have_count(2)
        page.locator('[data-place="1"] [data-question=earlier]').click()
        expect(page.locator("#document")).to_have_value(NEW.replace(first, second + first))
        expect(page.locator('[data-place="0"] [data-question=earlier]')).to_be_disabled()
        page.locator('[data-place="1"] [data-question=marks]').fill("2.5")
        page.locator('[data-place="1"] [data-question=marks]').press("Enter")
        expect(page.locator(".questions tfoot strong")).to_have_text("5.5")
        page.locator('[data-place="1"] [data-question=marks]').fill("many")
        page.locator('[data-place="1"] [data-question=marks]').press("Enter")
        expect(page.locator(".wide + .said").first).to_contain_text("marks are a number")
        page.locator('[data-place="1"] [data-question=remove]').click()
        expect(page.locator("#document")).to_have_value(NEW.replace(first, second))
        expect(rows).to_have_count(1)


def test_without_script_a_button_checks_and_another_saves(site: Site, writing: Writing) -> None:
    with writing(java_script_enabled=False) as opened:
        page = new(opened, site)
        page.locator("#document").fill(NEW.replace("ask: values", "ask: valves"))
        page.locator("button[value=check]").click()
        page.locator(".problem").first.wait_for()
        page.locator("#document").fill(NEW)
        page.locator("button[value=save]").click()
        page.wait_for_url("**?saved=1")
        assert document_of(site, page)["version"] == 1


def test_a_student_cannot_write(site: Site) -> None:
    with site.new_student().client() as client:
        assert client.get(f"/teach/c/{site.course}/exercises/new").status_code == 403
        assert client.get(f"/teach/c/{site.course}/exercises/{site.exercise}").status_code == 403
        assert client.post("/teach/write/look").status_code == 403


def test_what_cannot_be_saved_is_kept(site: Site, writing: Writing) -> None:
    with writing() as opened:
        page = new(opened, site)
        write_document(page, NEW.replace("aima3", "aima9"))
        page.locator("button[value=save]").click()
        page.locator("main > .alert").wait_for()
        assert "aima9" in page.locator("#document").input_value()


@pytest.mark.parametrize("language", ["en", "fa"])
def test_it_can_be_looked_at(site: Site, writing: Writing, language: str) -> None:
    """Every page of the room: nothing clipped or too small anywhere, no policy broken, nothing for axe to say."""
    from axe_playwright_python.sync_playwright import Axe

    found: list[str] = []
    with writing(reduced_motion="reduce") as opened:
        opened.context.add_cookies([{"name": "plymark_language", "value": language, "url": site.url}])
        for name in each_writing_page(opened, site.course):
            assert opened.page.locator("html").get_attribute("lang") == language
            for place in PLACES:
                look_from(opened, *place)
                opened.page.locator(".cm-activeLine").evaluate("(line) => line.scrollIntoView({ block: 'center' })")
                opened.page.wait_for_timeout(120)  # what floats is put in its new place
                found += [f"{name} {place}: {fault}" for fault in opened.page.evaluate(LOOK)]
                violations = Axe().run(opened.page).response["violations"] if place in JUDGED else []
                found += [f"{name} {place}: {each['id']}: {each['nodes'][0]['html'][:200]}" for each in violations]
            look_from(opened, "desktop", "light")
    assert found == [], "\n".join(found)
