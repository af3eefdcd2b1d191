"""What is offered where the cursor is, from the schemas and from the document; in the browser that will run it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from grader.service.features.writing.pages import NEW
from grader.service.tasks.document_preview import completion_shapes
from solver.documents import KINDS, schema_of
from tests.grader.service.web.site import Site
from tests.grader.service.writing.conftest import Writing, write_document
from tests.support.browser import expect

OPTIONS = """
async ([address, offers, texts]) => {
  const { placeAt } = await import(`${address}yaml-place.js`);
  const { optionsAt } = await import(`${address}schema-completion.js`);
  return texts.map((text) => {
    const at = text.indexOf("|"), whole = text.replace("|", "");
    const place = placeAt(whole, at);
    return place && optionsAt(offers, whole, place, ["A", "L1"]).map((each) => each.label);
  });
}
"""
GAME, EXERCISE, RECIPE = "plymark: game/1\n", "plymark: exercise/1\n", "plymark: recipe/1\n"
QUESTIONS = f"{EXERCISE}questions:\n  - id: a\n    ask: windows\n"
OFFERED: dict[str, tuple[str, ...]] = {
    "|": ("plymark",),
    "ply|": ("plymark",),
    "plymark: |": ("game/1", "exercise/1", "recipe/1"),
    f"{GAME}|": ("title", "players", "tree", "root", "nodes"),
    f"{GAME}t|\ntree: [1, 2]\n": ("title", "teams"),
    f"{GAME}tree: {{|": ("id", "turn", "children", "value"),
    f"{GAME}tree: {{turn: |": ("max", "min", "chance", "or", "and"),
    f"{GAME}players: [A, B]\ntree: {{turn: |": ("A", "B", "chance"),
    f"{GAME}tree:\n  turn: max\n  children:\n    - {{|": ("move", "p", "value"),
    f"{GAME}tree:\n  turn: max\n  children:\n    - move: x\n      |": ("turn", "value"),
    f"{GAME}tree:\n  turn: max\n  children: [{{value: 3}}, {{children: [1, {{|": ("id", "value"),
    f"{GAME}root: |\nnodes:\n  A: {{turn: max}}\n": ("A", "L1"),
    f"{EXERCISE}game:\n  |": ("tree", "players"),
    f"{EXERCISE}title: mine\ngame:\n  |\nid: x\n": ("title", "tree"),
    f"{GAME}tree: [{{|\nplayers: [A, B]\n": ("id", "turn"),
    f"{EXERCISE}convention: |": ("aima3", "strict"),
    f"{EXERCISE}convention: {{like: aima3, cut: |": ("at-bound", "past-bound"),
    f"{EXERCISE}marking:\n  other_convention: h|": ("full", "half"),
    f"{QUESTIONS}    |": ("marks", "nodes", "at"),
    f"{QUESTIONS}    nodes: [|": ("A", "L1"),
    f"{QUESTIONS}    algorithm: |": ("alpha-beta", "star1"),
    f"{EXERCISE}questions:\n- |": ("id", "ask"),
    f"{EXERCISE}questions: [{{id: a, |, ask: choice}}]": ("marks", "claim"),
    f"{EXERCISE}questions: [{{id: a, ask: choice, claim: |": ("unique-best-move",),
    f"{EXERCISE}questions:\n  - {{id: 'a: [b', ask: |": ("values", "choice"),
    f"{RECIPE}require:\n  |": ("pruned", "unique_move"),
    f"{RECIPE}require:\n  unique_move: |": ("true", "false"),
    f"{RECIPE}require:\n  exposes: [A2, |": ("A9", "M1"),
    f"{RECIPE}shape:\n  levels:\n    - {{|": ("turn", "children"),
}
"""What must be among the offers at `|`."""
NOT_OFFERED = {
    f"{GAME}t|\ntree: [1, 2]\n": ("plymark", "tree"),
    f"{QUESTIONS}    |": ("id", "ask", "claim", "of"),
    f"{EXERCISE}questions: [{{id: a, |, ask: choice}}]": ("ask", "at"),
    f"{RECIPE}|": ("game", "tree"),
}
NOTHING = ("# plymark|", f"{GAME}title: My |", f"{GAME}# a |", f"{GAME}source: >\n  some |",
           "plymark: other/1\n|", f"{GAME}tree: [1, 2] |", f"{GAME}tree: [1, [2, 3]|",
           f"{GAME}tree: {{turn:|", f"{GAME}title: 'a|", f"{GAME}title:\n  en: a\n |")  # fmt: skip


def test_every_key_and_word_of_the_schemas_is_among_the_offers() -> None:
    made = completion_shapes()
    assert set(made) == {kind for kind in KINDS if kind.partition("/")[0] not in ("answer", "solution", "report")}
    for kind, offered in made.items():
        whole = schema_of(kind)
        parts = {"": whole, **whole.get("$defs", {})}
        for name, part in parts.items():
            shape = offered["shapes"][name] if name else offered["root"]
            for key, inner in part.get("properties", {}).items():
                assert shape["keys"][key]["text"] == inner["description"]
                assert {*map(str, inner.get("enum", []))} - {"true", "false"} <= {
                    *map(str, shape["keys"][key].get("values", []))
                }


@pytest.mark.slow
def test_what_is_offered_where(site: Site, writing: Writing) -> None:
    texts = [*dict.fromkeys([*OFFERED, *NOT_OFFERED]), *NOTHING]
    with writing() as opened:
        opened.go(f"/teach/c/{site.course}/exercises/new")
        page = opened.page
        address = str(page.locator("script[type=module]").get_attribute("src")).removesuffix("editor.js")
        found: list[Any] = page.evaluate(OPTIONS, [address, json.loads(json.dumps(completion_shapes())), texts])
    by_text = dict(zip(texts, found, strict=True))
    assert {text: sorted(set(wanted) - set(by_text[text] or [])) for text, wanted in OFFERED.items()} == {
        text: [] for text in OFFERED
    }
    assert {text: sorted(set(words) & set(by_text[text] or [])) for text, words in NOT_OFFERED.items()} == {
        text: [] for text in NOT_OFFERED
    }
    assert {text: by_text[text] or [] for text in texts if text in NOTHING} == {
        text: [] for text in texts if text in NOTHING
    }


@pytest.mark.slow
def test_a_key_and_a_word_are_offered_and_inserted(site: Site, writing: Writing) -> None:
    with writing() as opened, opened.page.expect_response("**/teach/write/offers"):
        opened.go(f"/teach/c/{site.course}/exercises/new")
        page = opened.page
        write_document(page, NEW)
        page.locator(".cm-content").click()
        page.keyboard.press("Control+End")
        page.keyboard.type("  - {id: w, as")
        chosen = page.locator(".cm-tooltip-autocomplete [aria-selected]")
        expect(chosen).to_have_text("ask")
        expect(page.locator(".cm-completionInfo")).to_contain_text("What is asked")
        page.wait_for_timeout(100)  # it cannot be accepted sooner, lest a key that was meant for the text does it
        page.keyboard.press("Enter")
        expect(page.locator(".cm-tooltip-autocomplete li").first).to_have_text("values")
        page.keyboard.type("wi")
        expect(chosen).to_have_text("windows")
        page.wait_for_timeout(100)
        page.keyboard.press("Enter")
        page.keyboard.type(", marks: 2")
        expect(page.locator("#document")).to_have_value(NEW + "  - {id: w, ask: windows, marks: 2}")
        page.locator(".note.good").wait_for()
