"""Desk, student's pages and a live exercise under a path, behind a real nginx that is set up as the docs say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.grader.service.hall.lecture import events, start_lecture
from tests.grader.service.hall.test_in_browsers import PHONE, open_phone, send
from tests.grader.service.served import served
from tests.grader.service.web.scenes import hand_in
from tests.grader.service.web.site import open_site, visit
from tests.support.nginx import free_ports, nginx

pytestmark = pytest.mark.slow

PATH = "/school/ai"


def test_a_class_and_a_lecture_behind_nginx(tmp_path: Path, browser: Any) -> None:
    """A visit ends in complaints if anything is asked for outside the path, or a policy is broken."""
    port, buffering, service = free_ports(3)
    url = f"http://127.0.0.1:{port}{PATH}"
    own = ("--port", str(service), "--public-url", url, "--proxy", "127.0.0.1")
    with nginx(tmp_path / "nginx", port, buffering, service, PATH), served(tmp_path / "data", *own) as running:
        site = open_site(running)
        assert site.url == url
        assignment = site.assign(feedback_before="full")
        with visit(browser, site, **PHONE) as student:
            student.sign_in(site.new_student("Ines"))
            assert hand_in(student, assignment).startswith("/s/")
        lecture = start_lecture(site)
        with lecture.projector(browser) as teacher, visit(browser, site, **PHONE) as phone:
            open_phone(phone, lecture)
            send(phone, values_A="3")
            teacher.page.get_by_text("1 answer", exact=True).wait_for()
            teacher.page.get_by_role("button", name="Next stage").click()
            phone.page.locator(".stage").wait_for()
            teacher.page.get_by_role("link", name="Adversarial search").click()
            teacher.page.locator(f'h3 a[href$="/teach/a/{assignment}"]').click()
            teacher.page.get_by_text("Handed in: 1 of 1 students").wait_for()
            for place in ("The class", "Review", "Regrade", "Extensions", "Rules"):
                teacher.page.get_by_role("link", name=place, exact=place == "Rules").first.click()
                teacher.page.locator("nav.places [aria-current]").wait_for()
            assert all(each.url.startswith(url) for each in teacher.responses)
            assert [each.url for each in (*teacher.responses, *phone.responses) if each.status >= 400] == []
        with httpx.Client(base_url=f"http://127.0.0.1:{buffering}{PATH}", timeout=300) as plain:
            plain.get(f"/live/{lecture.code}").raise_for_status()
            told = events(plain, f"/live/{lecture.code}/events")
            assert "html" in next(told), "an event comes though nginx would hold answers back"
            lecture.do("next")
            assert "html" in next(told)
            told.close()
        site.teacher.close()
