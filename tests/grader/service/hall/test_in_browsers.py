"""A live exercise in real browsers: a projector and phones that come, go, and come back."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from solver.languages import LANGUAGES
from tests.grader.service.hall.lecture import Lecture, start_lecture
from tests.grader.service.served import served, start
from tests.grader.service.web.scenes import WIDTHS, look_from
from tests.grader.service.web.site import Site, Visit, open_site, visit
from tests.grader.service.web.test_key import PLANTED, planted
from tests.grader.service.web.test_look import LOOK

pytestmark = pytest.mark.slow

WRITE = "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); }"
LIVE_PAGES = ("/live", "/live/{code}", "/teach/c/{c}/live", "/teach/live/{code}")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}


def open_phone(opened: Visit, lecture: Lecture) -> None:
    opened.go(f"/live/{lecture.code}")
    opened.page.locator("ply-tree").wait_for()


def send(opened: Visit, **fields: str) -> None:
    for name, text in fields.items():
        box = opened.page.locator(f'[name="{name.replace("_", ".")}"]')
        box.evaluate(
            "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', { bubbles: true })); }", text
        )
    opened.page.locator("button.send").click()
    opened.page.wait_for_url("**?sent=1")


def holds_key(opened: Visit) -> bool:
    """In all that the page holds."""
    return any(each in opened.page.content() for each in PLANTED)


def test_a_whole_lecture(tmp_path: Path, browser: Any) -> None:
    """With a server of its own, which is killed in the middle."""
    data = tmp_path / "data"
    running = start(data)
    site = open_site(running)
    lecture = start_lecture(site, site.put_exercise(planted()))
    with (
        ExitStack() as closing,
        lecture.projector(browser) as projector,
        visit(browser, site, **PHONE) as one,
        visit(browser, site, **PHONE) as two,
        visit(browser, site, **PHONE) as late,
    ):
        closing.callback(site.teacher.close)
        closing.callback(running.process.kill)
        open_phone(one, lecture)
        open_phone(two, lecture)
        projector.page.locator('[data-present="2"]').wait_for()
        send(one, values_A="12", move="a1")
        projector.page.locator('[data-answered="1"]').wait_for()
        send(two, values_A="12", move="a2")
        projector.page.locator('[data-answered="2"]').wait_for()
        assert projector.page.locator(".tally").first.locator(".count").first.inner_text() == "2"
        assert projector.page.locator(".right, .wrong, .judged").count() == 0
        assert not holds_key(one) and not holds_key(two) and not holds_key(projector)

        # All connections are lost. One phone is away for longer, and comes back where the class is by then.
        two.context.route("**/events", lambda route: route.abort())
        running.end(signal.SIGKILL)
        running.process.communicate(timeout=300)
        for each in (one, two, projector):
            each.page.locator(".live-lost").wait_for()
        closing.enter_context(served(data, "--port", str(running.port), link=False))
        for each in (one, projector):
            each.page.locator(".live-lost").wait_for(state="hidden", timeout=300_000)
        assert "2 answers" in projector.page.locator(".counts").inner_text()
        projector.page.get_by_role("button", name="Next stage").click()
        one.page.get_by_role("heading", name="Stage 0").wait_for()
        assert not holds_key(one)
        assert two.page.get_by_role("heading", name="Stage 0").count() == 0
        two.context.unroute_all()
        two.page.get_by_role("heading", name="Stage 0").wait_for(timeout=300_000)
        assert two.page.locator(".live-lost").is_hidden()

        # What is being typed stays when something is shown.
        one.page.locator('[name="values.A"]').evaluate("(box) => { box.value = '13'; }")
        projector.page.get_by_role("button", name="Next stage").click()
        one.page.get_by_role("heading", name="Stage 1").wait_for()
        assert one.page.locator('[name="values.A"]').input_value() == "13"

        # Who comes late is where the class is.
        open_phone(late, lecture)
        assert late.page.get_by_role("heading", name="Stage 1").is_visible()
        assert not holds_key(late)

        projector.page.get_by_role("button", name="Show everything").click()
        for each in (one, two, late, projector):
            each.page.get_by_role("heading", name="The solution").wait_for()
            assert holds_key(each)
        assert one.page.locator("button.send").is_disabled()
        assert projector.page.locator(".judged").count() == 1
        projector.page.get_by_role("button", name="Take answers again").wait_for()
        assert not projector.page.get_by_role("button", name="Close the round").is_visible(), "it is closed"


def test_ending_is_asked_about_first_and_phones_are_told(site: Site, browser: Any) -> None:
    """Somebody is still writing; what arrives afterwards is refused."""
    lecture = start_lecture(site, site.put_exercise(planted()))
    with lecture.projector(browser) as projector, visit(browser, site, **PHONE) as phone:
        open_phone(phone, lecture)
        phone.page.locator('[name="values.A"]').evaluate(WRITE, "12")
        end = projector.page.get_by_role("button", name="End this live exercise")
        projector.page.once("dialog", lambda dialog: dialog.dismiss())
        end.click()
        assert phone.page.locator("button.send").is_enabled()
        projector.page.once("dialog", lambda dialog: dialog.accept())
        end.click()
        phone.page.get_by_text("This live exercise is over.").wait_for()
        assert phone.page.locator("button.send").is_disabled()
        assert phone.page.locator('[name="values.A"]').input_value() == "12", "what was written stays in sight"
        fields = {"csrf": phone.page.locator(".live-form [name=csrf]").input_value(), "values.A": "12"}
        answer = phone.context.request.post(
            f"{site.url}/live/{lecture.code}", form=fields, headers={"Origin": site.url}
        )
        assert answer.status == 409
        assert "0 answers" in projector.page.locator(".counts").inner_text()


def test_without_script_everything_is_there(lecture: Lecture, browser: Any) -> None:
    plain: dict[str, Any] = {"java_script_enabled": False}
    with visit(browser, lecture.site, **PHONE, **plain) as phone, lecture.projector(browser, **plain) as projector:
        phone.go("/live")
        phone.page.get_by_label("Code").fill(lecture.code.upper())
        phone.page.get_by_role("button", name="Take part").click()
        phone.page.locator('[name="values.A"]').fill("3")
        phone.page.get_by_role("button", name="Send").click()
        phone.page.get_by_text("Your answer has arrived").wait_for()
        projector.page.get_by_role("button", name="Next stage").click()
        phone.page.get_by_role("link", name="Show what is new").click()
        phone.page.get_by_role("heading", name="Stage 0").wait_for()
        projector.page.get_by_role("link", name="Show what is new").click()
        assert "1 answer" in projector.page.locator(".counts").inner_text()


@pytest.mark.parametrize("language", ["en", "fa"])
def test_how_the_pages_look(lecture: Lecture, browser: Any, language: str) -> None:
    """As all pages are measured: nothing beside the page, targets, sizes of text, and axe."""
    from axe_playwright_python.sync_playwright import Axe

    faults: list[str] = []
    with lecture.guest() as one, lecture.guest() as two:
        lecture.answer(one, values_A="3", values_B="2,5", pruned="L5, L6", move="a1")
        lecture.answer(two, values_A="6", values_C="what", windows_C="(3, inf)", pruned="L5")
    with lecture.projector(browser, reduced_motion="reduce") as opened:
        opened.page.get_by_role("button", name=LANGUAGES[language]).click()
        opened.page.locator(f'html[lang="{language}"]').wait_for()
        for state in ("nothing", "everything"):
            lecture.do(state)
            course = lecture.site.course
            for route in LIVE_PAGES:
                path = route.format(code=lecture.code, c=course)
                opened.go(path)
                opened.page.locator("ply-tree:not(:defined)").wait_for(state="detached")
                for device in WIDTHS:
                    for scheme in ("light", "dark"):
                        look_from(opened, device, scheme)
                        where = f"{path} {state} {device} {scheme}"
                        faults += [f"{where}: {each}" for each in opened.page.evaluate(LOOK)]
                        if (device, scheme) in (("phone", "light"), ("desktop", "dark")):
                            found = Axe().run(opened.page).response["violations"]
                            faults += [f"{where}: {each['id']}: {each['nodes'][0]['html'][:120]}" for each in found]
        opened.page.get_by_role("button", name=LANGUAGES["en"]).click()
        opened.page.locator('html[lang="en"]').wait_for()
    assert faults == []
