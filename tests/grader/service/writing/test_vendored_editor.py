"""The vendored editor is what is written down of it, and works under the pages' policy, by keyboard and in Persian."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import pytest

from grader.service.features.writing.pages import NEW
from grader.service.http.static_files import FOLDER, static_files
from tests.grader.service.web.site import Site
from tests.grader.service.writing.conftest import Writing
from tests.support.browser import expect

ROOT = Path(__file__).parents[4]
VENDOR = FOLDER / "vendor"


def test_the_file_is_the_one_that_is_written_down() -> None:
    about = json.loads((VENDOR / "codemirror.json").read_text("utf-8"))
    raw = (VENDOR / about["file"]).read_bytes()
    assert (sha256(raw).hexdigest(), len(raw)) == (about["sha256"], about["bytes"])
    lock = json.loads((ROOT / "tools" / "editor" / "package-lock.json").read_text("utf-8"))["packages"]
    kept = {path.removeprefix("node_modules/"): each for path, each in lock.items() if path and not each.get("dev")}
    assert about["packages"] == {
        name: {"version": each["version"], "license": each["license"]} for name, each in kept.items()
    }
    assert all(each["integrity"].startswith("sha512-") for path, each in lock.items() if path)
    assert {each["license"] for each in kept.values()} == {"MIT"}
    licences = (VENDOR / "codemirror.LICENSE.txt").read_text("utf-8")
    assert all(name in licences for name in kept)


@pytest.mark.slow
def test_it_is_sent_as_all_files_are_and_what_is_beside_it_is_not(site: Site) -> None:
    assert "vendor/codemirror.js" in static_files()
    assert not [name for name in static_files() if name.endswith((".json", ".txt"))]
    page = site.teacher.get(f"/teach/c/{site.course}/exercises/new").text
    base = page.partition('src="')[2].partition("editor.js")[0]
    sent = site.teacher.get(f"{base}vendor/codemirror.js")
    assert sent.status_code == 200
    assert "immutable" in sent.headers["cache-control"]
    assert len(sent.content) > 100_000


@pytest.mark.slow
def test_no_policy_is_broken_and_the_keyboard_is_not_caught(site: Site, writing: Writing) -> None:
    """In a Persian page the document is still written from left to right."""
    with writing(color_scheme="dark") as opened:
        opened.context.add_cookies([{"name": "plymark_language", "value": "fa", "url": site.url}])
        opened.go(f"/teach/c/{site.course}/exercises/new")
        page = opened.page
        content = page.locator(".cm-content")
        content.click()
        assert page.locator("html").get_attribute("dir") == "rtl"
        assert content.evaluate("(each) => getComputedStyle(each).direction") == "ltr"
        assert content.get_attribute("role") == "textbox"
        assert content.evaluate("(each) => document.getElementById(each.getAttribute('aria-labelledby')).textContent")
        page.keyboard.press("Control+f")
        page.locator(".cm-search input").first.wait_for()
        expect(page.locator(".cm-search [name=close]")).to_have_attribute("aria-label", "بستن")
        page.keyboard.press("Escape")
        page.keyboard.press("Control+End")
        page.keyboard.press("Tab")
        expect(page.locator("#document")).to_have_value(NEW + "  ")
        page.keyboard.press("Escape")
        page.keyboard.press("Tab")
        assert not content.evaluate("(each) => each.contains(document.activeElement)")
        assert page.evaluate("window.heard") == []
