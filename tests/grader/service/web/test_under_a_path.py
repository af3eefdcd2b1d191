"""The pages under a path of somebody's own site: no address leads out of it."""

from __future__ import annotations

import socket
from typing import Any

import pytest

from tests.grader.service.served import served
from tests.grader.service.web.scenes import begin, hand_in
from tests.grader.service.web.site import open_site, visit

pytestmark = pytest.mark.slow


def test_a_student_under_a_path(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> None:
    """From the link to the feedback, with drafts, practice and a tree to try; a visit ends in complaints if anything
    was asked for outside the path, or was not there."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    url = f"http://127.0.0.1:{port}/school/ai"
    with served(tmp_path_factory.mktemp("path") / "data", "--port", str(port), "--public-url", url) as running:
        assert running.url == url
        site = open_site(running)
        assignment = site.assign(feedback_before="full", attempts=2)
        with visit(browser, site) as opened:
            opened.sign_in(site.new_student("Ines"))
            opened.page.get_by_role("link", name="Adversarial search").first.click()
            opened.page.locator(f'a[href$="/a/{assignment}"]').first.click()
            receipt = hand_in(opened, assignment)
            assert receipt.startswith("/s/")
            opened.page.locator(".report").wait_for()
            opened.page.get_by_role("link", name="The search, step by step").click()
            opened.page.locator("svg:visible").first.wait_for()
            begin(opened, assignment)
            with opened.page.expect_response("**/draft") as saved:
                opened.page.locator('[name="values.A"]').evaluate(
                    "(box) => { box.value = '4'; box.dispatchEvent(new Event('input', { bubbles: true })); }"
                )
            assert (saved.value.status, saved.value.url.startswith(url)) == (200, True)
            opened.page.get_by_role("button", name="Português").click()
            opened.page.wait_for_url(f"{url}/a/{assignment}")
            opened.go("/practice")
            opened.page.locator("main a").first.click()
            opened.go("/try?tree=%5B%5B3%2C5%5D%2C%5B2%2C4%5D%5D")
            opened.page.locator(".found svg").first.wait_for()
            assert all(response.status < 400 for response in opened.responses), [
                response.url for response in opened.responses if response.status >= 400
            ]
        site.teacher.close()
