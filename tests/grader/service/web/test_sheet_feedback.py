"""What a student is shown of their own answer: on the tree, at every level, and from which step the search differs."""

from __future__ import annotations

import json
import time
from typing import Any

import httpx
import pytest

from grader.service.run.demo import EXERCISE
from grader.service.tasks.tree_views import answer_pictures, own_tree
from tests.grader.service.web.site import Site, visit
from tests.grader.service.web.test_student import begun, hidden, look_until

RIGHT = {
    "values.A": "3", "values.B": "3", "values.C": "2", "values.D": "2", "pruned": "L5 L6", "move": "a1",
    "windows.A": "(-inf, inf)", "windows.B": "(-inf, inf)", "windows.C": "(3, inf)", "windows.D": "(3, inf)",
}  # fmt: skip
"""Worked out by hand: B sees L1, L2, L3; C stops after L4, with L5 and L6 left out; D sees L7, L8, L9."""


def two_ply(convention: Any = "aima3", game: Any = EXERCISE["game"]) -> bytes:
    asked = [{"id": ask, "ask": ask, "marks": 1} for ask in ("values", "windows", "pruned", "move", "line")]
    document = {"plymark": "exercise/1", "id": "two-ply", "game": game, "convention": convention, "questions": asked}
    return json.dumps(document).encode()


def report(**wrong: str) -> bytes:
    """All right but for one item in a question."""
    items = {
        "values": ["A", "B", "C", "D"],
        "windows": ["A", "B", "C", "D"],
        "pruned": ["C after L4"],
        "move": ["move"],
        "line": ["1", "2"],
    }
    for question, item in wrong.items():
        items[question] = [*dict.fromkeys([*items[question], item])]
    rows = [
        {
            "id": question,
            "items": [{"item": each, "verdict": "wrong" if wrong.get(question) == each else "right"} for each in found],
        }
        for question, found in items.items()
    ]
    return json.dumps({"questions": rows}).encode()


@pytest.mark.parametrize(
    ("wrong", "step"),
    [
        ({}, None),
        ({"values": "B"}, 3),
        ({"values": "C"}, 4),
        ({"values": "D"}, 7),
        ({"windows": "A"}, 1),
        ({"windows": "C"}, 4),
        ({"windows": "D"}, 5),
        ({"pruned": "C after L4"}, 4),
        ({"pruned": "B after L1"}, 1),
        ({"pruned": "D after L8"}, 6),
        ({"move": "move"}, 7),
        ({"line": "1"}, 7),
        ({"values": "D", "windows": "D"}, 5),
        ({"move": "move", "pruned": "C after L4"}, 4),
    ],
)
def test_the_first_difference(wrong: dict[str, str], step: int | None) -> None:
    """The number of leaves evaluated when it can be seen: L1, L2, L3, L4, L7, L8, L9 are the first to the seventh."""
    assert first_difference(two_ply(), **wrong) == step


def test_the_first_difference_from_right_to_left() -> None:
    """D first: L9 is 2, L8 and L7 more, so D is 2 after three; C sees L6, L5, L4 (6, 4, 2) and stops with L4, the
    last; B sees all three: nine leaves."""
    raw = two_ply({"order": "right-to-left"})
    assert first_difference(raw, values="D") == 3
    assert first_difference(raw, values="B") == 9


def first_difference(raw: bytes, **wrong: str) -> int | None:
    return answer_pictures(raw, b"{}", report(**wrong), "en", with_key=True).step


def drawn(answers: dict[str, Any]) -> str:
    return own_tree(two_ply(), json.dumps({"answers": answers}).encode(), "en")


def spoken(figure: str, node: str) -> str:
    """What a screen reader says of a node."""
    return figure.partition(f'data-node="{node}"')[2].partition('aria-label="')[2].partition('"')[0]


def test_what_was_chosen_is_said_and_drawn() -> None:
    figure = drawn({"move": "a2", "line": "a2, L4", "pruned": "L5 L6"})
    assert spoken(figure, "C").endswith("chosen move, on your line of play")
    assert spoken(figure, "L4").endswith("on your line of play")
    assert "chosen" not in spoken(figure, "B")
    assert "on your line of play" not in spoken(figure, "B")
    assert "pruned" in spoken(figure, "L5")


def test_a_line_is_drawn_as_far_as_it_can_be_played() -> None:
    figure = drawn({"line": "a1, nonsense, L4"})
    assert spoken(figure, "B").endswith("on your line of play")
    assert "on your line of play" not in spoken(figure, "L4")


def test_the_own_tree_is_the_same_whatever_the_key() -> None:
    answers = {"move": "a1", "values": {"A": "9", "B": "3"}, "windows": {"C": "(1, 2)"}, "pruned": "L8"}
    body = json.dumps({"answers": answers}).encode()
    rows = [("a1", "B", [9, 9, 9]), ("a2", "C", [1, 1, 1]), ("a3", "D", [50, 60, 70])]
    children = [{"move": move, "id": name, "turn": "min", "children": leaves} for move, name, leaves in rows]
    game = {"tree": {"id": "A", "turn": "max", "children": children}}
    other = own_tree(two_ply(game=game), body, "en")
    for node in ("A", "B", "C", "D"):
        assert spoken(other, node) == spoken(drawn(answers), node)


def test_a_very_long_answer_does_not_burst_the_picture() -> None:
    figure = drawn({"values": {"B": "x" * 10_000}})
    assert "x" * 13 + "…" in figure
    assert "x" * 14 not in figure


@pytest.mark.slow
@pytest.mark.parametrize("level", ["none", "marks", "hints", "full"])
def test_the_own_move_is_on_the_page_at_every_level(site: Site, client: httpx.Client, browser: Any, level: str) -> None:
    """MAX's move is a1; a student who chose a2 sees a2, and a1 only with the key."""
    assignment = site.assign(feedback_before=level)
    student, fields = begun(site, client, assignment)
    page = client.post(f"/a/{assignment}/check", data={**fields, "move": "a2"}, follow_redirects=True).text
    sent = client.post(f"/a/{assignment}/hand-in", data={**fields, "key": hidden(page, "key"), "move": "a2"})
    with visit(browser, site, java_script_enabled=False) as opened:
        opened.sign_in(student)
        opened.go(sent.headers["location"])
        look_until(opened, "How it went")
        own = opened.page.locator('[data-side="own"] svg:visible')
        assert own.locator(".edge.best").count() == 1
        told = "chosen move, wrong" if level in ("hints", "full") else "chosen move"
        assert own.locator('[data-node="C"]').get_attribute("aria-label").endswith(told)
        assert opened.page.get_by_text("Your choices are drawn in bold").is_visible()
        assert opened.page.locator('[data-side="key"]').count() == (level == "full")


def marked_page(client: httpx.Client, address: str) -> str:
    """Asks until it has been marked."""
    deadline = time.monotonic() + 300
    while "How it went" not in (page := client.get(address).text):
        assert time.monotonic() < deadline, "it was never marked"
        time.sleep(0.05)
    return page


@pytest.mark.slow
def test_the_page_leads_to_the_first_difference(site: Site, client: httpx.Client) -> None:
    assignment = site.assign(feedback_before="full", attempts=None)
    student, fields = begun(site, client, assignment)
    with student.client() as api:
        for wrong, step in (({"values.C": "7"}, "#4"), ({"windows.D": "(2, inf)"}, "#5"), ({}, "")):
            attempt = api.post(f"/api/assignments/{assignment}/attempts").json()["id"]
            written = {**fields, **RIGHT, **wrong, "attempt": attempt}
            page = client.post(f"/a/{assignment}/check", data=written, follow_redirects=True).text
            sent = client.post(f"/a/{assignment}/hand-in", data={**written, "key": hidden(page, "key")})
            address = sent.headers["location"]
            assert f'href="{address}/steps{step}"' in marked_page(client, address)
