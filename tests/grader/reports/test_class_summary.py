"""A class summary counts what is there, and its page can be opened by anybody."""

from __future__ import annotations

import csv
import gc
import io
import random
import re
import statistics
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.documents.answer_file import Answer
from grader.documents.exercise_file import load_exercise, load_exercise_bytes
from grader.kernel.verdicts import EARNING
from grader.marking.grader import Grader
from grader.marking.report import Report
from grader.reports.class_page import COLOURS, band, draw_heat_map
from grader.reports.class_summary import BINS, NOT_EXPLAINED, ClassSummary, Share, Tally, class_summary
from grader.reports.output_options import OutputOptions
from grader.reports.report_outputs import CLASS_OUTPUTS
from solver.languages import LANGUAGES, language
from tests.support.browser import browser, watched_page
from tests.support.paths import ROOT

__all__ = ["browser"]

EXERCISE = load_exercise(ROOT / "exercises" / "two-ply.yaml")
GRADER = Grader(EXERCISE)
WORDS = {code: language(code, ROOT / "grader" / "languages") for code in LANGUAGES}
RIGHT: dict[str, Any] = {
    "values": {"A": "3", "B": "3", "C": "<= 2", "D": "2"},
    "windows": {"A": "(-inf, inf)", "B": "(-inf, inf)", "C": "(3, inf)", "D": "(3, inf)"},
    "pruned": "L5 L6",
    "move": "a1",
}
PRUNED = {
    "L5 L6": {"L5", "L6"},
    "L6": {"L6"},
    "none": set[str](),
    "L5 L6 L9": {"L5", "L6", "L9"},
    "gibberish": None,
    None: None,
}


def drawn(count: int, seed: int = 1) -> list[Answer]:
    """A class whose answers are drawn: some right, some not, some empty or unreadable."""
    pick = random.Random(seed)
    found = []
    for place in range(count):
        answers: dict[str, Any] = {"move": pick.choice(["a1", "a2", "north"])}
        answers["values"] = {node: pick.choice([key, "14", "?"]) for node, key in RIGHT["values"].items()}
        answers["windows"] = {node: key for node, key in RIGHT["windows"].items() if pick.random() < 0.7}
        answers["pruned"] = pick.choice(list(PRUNED))
        kept = {question: answer for question, answer in answers.items() if answer is not None}
        found.append(Answer("two-ply", f"s{place}", kept))
    return found


def reports(count: int, seed: int = 1) -> list[Report]:
    return [GRADER.grade(answer) for answer in drawn(count, seed)]


def test_a_class_of_known_answers() -> None:
    everyone_maximises = {"values": {"A": "14", "B": "12", "C": "6", "D": "14"}, "move": "a3"}
    # By their own values, MAX plays a3 and A is worth 14: two marks are carried on.
    answered = [RIGHT, RIGHT, {**RIGHT, "move": "a2"}, everyone_maximises, {}]
    found = class_summary(EXERCISE, (GRADER.grade(Answer("two-ply", "s", each)) for each in answered), 2, 1)
    assert (found.answers, found.broken, found.duplicates) == (5, 2, 1)
    assert [found.mean, found.median, found.lowest, found.highest] == [Fraction(34, 5), 10, 0, 11]
    assert list(found.quartiles or ()) == [1, 11]
    assert found.histogram == (1, 1, 0, 0, 0, 0, 0, 0, 0, 3)
    move = found.questions[3]
    assert (move.mean, move.full, move.blank) == (Fraction(3, 5), 3, 1)
    assert [each.blank for each in found.questions] == [1, 2, 2, 1]
    assert {each.item: each.share for each in found.items if each.question == "move"} == {"move": Share(3, 5)}
    assert found.items[0] == min(found.items, key=lambda each: each.share.fraction)
    assert found.mistakes["M2"] == 1
    assert {each.id: count for each, count in found.conventions.items()} == {"aima3": 5}
    # Two of five are empty where L5 is asked about; the others cross it out.
    assert found.heat["L5"] == {"pruned": Share(3, 5)}
    assert found.at("C") == Share(9, 15)


@given(st.lists(st.integers(0, 1100), min_size=1, max_size=60))
def test_figures_are_those_of_the_statistics_module(hundredths: list[int]) -> None:
    marks = sorted(Fraction(each, 100) for each in hundredths)
    found = Tally(EXERCISE, totals=Counter(marks)).summary()
    assert found.mean == sum(marks) / len(marks)
    assert found.median == statistics.median(marks)
    assert (found.lowest, found.highest) == (marks[0], marks[-1])
    half = max(1, len(marks) // 2)
    assert found.quartiles == (statistics.median(marks[:half]), statistics.median(marks[-half:]))
    bins = [sum(place <= each * BINS / 11 < place + 1 for each in marks) for place in range(BINS)]
    bins[-1] += marks.count(Fraction(11))
    assert list(found.histogram) == bins


def test_counts_are_those_of_the_reports() -> None:
    graded = reports(120)
    found = class_summary(EXERCISE, graded)
    items = [(each.question.id, item) for report in graded for each in report.questions() for item in each.items]
    assert found.verdicts == Counter(item.verdict for _, item in items)
    assert sum(found.verdicts.values()) == len(items)
    for summary in found.items:
        same = [item for question, item in items if (question, item.item.name) == (summary.question, summary.item)]
        assert summary.share == Share(sum(item.verdict in EARNING for item in same), len(same))
    named = Counter(report.diagnosis[0].mistake for report in graded if report.diagnosis)
    assert {key: count for key, count in found.mistakes.items() if key != NOT_EXPLAINED} == named
    assert sum(found.conventions.values()) == sum(found.histogram) == 120
    for place, question in enumerate(found.questions):
        earned = [list(report.questions())[place].marks for report in graded]
        assert question.mean == sum(earned, Fraction(0)) / 120
        assert question.full == earned.count(question.out_of)


def test_leaves_are_counted_by_what_was_crossed_out() -> None:
    """Straight from the texts of the answers, under a policy that knows one convention."""
    strict = replace(EXERCISE, marking=replace(EXERCISE.marking, accept=(), other_convention="none"))
    grader, answers = Grader(strict), drawn(80)
    found = class_summary(strict, map(grader.grade, answers))
    for leaf in (f"L{number}" for number in range(1, 10)):
        crossed = [PRUNED[answer.answers.get("pruned")] for answer in answers]
        right = sum(each is not None and (leaf in each) == (leaf in {"L5", "L6"}) for each in crossed)
        assert found.heat[leaf]["pruned"] == Share(right, 80)


def test_parts_of_a_class_can_be_counted_apart() -> None:
    graded = reports(40)
    one, two, whole = Tally(EXERCISE), Tally(EXERCISE), Tally(EXERCISE)
    for place, report in enumerate(graded):
        (one if place % 3 else two).add(report)
        whole.add(report)
    one.add_counts(two.taken())
    assert one.summary() == whole.summary()
    assert two.summary().answers == 0, "what is taken is taken"


@pytest.mark.parametrize("name", CLASS_OUTPUTS)
@pytest.mark.parametrize("code", LANGUAGES)
def test_the_order_of_input_does_not_matter(name: str, code: str) -> None:
    graded = reports(40)
    made = set()
    for seed in range(3):
        random.Random(seed).shuffle(graded)
        made.add(CLASS_OUTPUTS[name](class_summary(EXERCISE, graded), OutputOptions(WORDS[code])))
    assert len(made) == 1


@pytest.mark.slow
def test_memory_does_not_grow_with_the_answers() -> None:
    def peak(count: int) -> int:
        tally = Tally(EXERCISE)
        for answer in drawn(5):
            tally.add(GRADER.grade(answer))
        many = drawn(count)
        # What students write does not become a key of anything.
        hostile = ({**answer.answers, "pruned": [f"{place}x" * 500]} for place, answer in enumerate(many))
        # The grader remembers a few hundred answers; the tally must not remember any.
        reports = [GRADER.grade(Answer("two-ply", "s", answers)) for answers in hostile]
        for report in reports:
            # What a report works out once is the report's own.
            report.questions()
        tracemalloc.start()
        for report in reports:
            tally.add(report)
        gc.collect()
        found = tracemalloc.get_traced_memory()[0]
        tracemalloc.stop()
        return found

    assert peak(160) - peak(40) < 60_000


def test_no_answers_at_all() -> None:
    found = class_summary(EXERCISE, [], broken=3)
    assert found.mean is None and found.at("A") is None
    for write in CLASS_OUTPUTS.values():
        assert b"3" in write(found, OutputOptions(WORDS["en"]))


def test_a_sheet_that_can_be_filtered() -> None:
    found = class_summary(EXERCISE, reports(30))
    header, *rows = csv.reader(io.StringIO(CLASS_OUTPUTS["csv"](found, OutputOptions(WORDS["en"])).decode()))
    assert header == ["Section", "Question", "Name", "Value", "Of", "Share"]
    assert {len(row) for row in rows} == {6}
    assert sum(int(row[3]) for row in rows if row[0] == "distribution") == 30
    assert sum(int(row[3]) for row in rows if row[0] == "verdict") == sum(found.verdicts.values())
    assert [row[1:4] for row in rows if row[0] == "item"] == [
        [each.question, each.item, str(each.share.right)] for each in found.items
    ]


@pytest.mark.parametrize(("items", "folded", "nowhere"), [(10, 0, 0), (11, 1, 0), (47, 37, 0), (230, 190, 30)])
def test_ten_hardest_items_come_first(items: int, folded: int, nowhere: int) -> None:
    """The page unfolds the rest, the text counts it, and the sheet has all."""
    found = class_summary(EXERCISE, reports(30))
    found = replace(found, items=(found.items * 30)[:items])
    page, sheet, text = (
        CLASS_OUTPUTS[name](found, OutputOptions(WORDS["en"])).decode() for name in ("html", "csv", "text")
    )
    section = page.partition('id="items"')[2].partition("</section>")[0]
    first, _, rest = section.partition("<details>")
    assert (first.count("<tr><th"), rest.count("<tr><th")) == (11, folded + 1 if folded else 0)
    assert (f"Show {folded} easier item" in rest) == bool(folded)
    assert (f"{nowhere} easier items are not listed." in section) == bool(nowhere)
    shown = text.partition("Hardest items")[2].partition("\n\n")[0].splitlines()[2:]
    more = [f"{items - 10} easier item{'s are' if items > 11 else ' is'} not listed."] if items > 10 else []
    assert len(shown) == 10 + len(more)
    assert [line.strip() for line in shown[10:]] == more
    assert sheet.count("\nitem,") == items


VOID = ("meta", "br")


class Page(HTMLParser):
    """What a page is made of; tags must be closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs
        if tag not in VOID and not self.get_starttag_text().endswith("/>"):  # type: ignore[union-attr]
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags[tag] += 1
        self.attributes += attrs

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


HOSTILE = "</title></style><script>window.pwned=1</script><img src=x onerror=window.pwned=1>\"'&amp;"


def hostile_summary() -> ClassSummary:
    """Everything that a teacher or a student writes is markup."""
    names = ["<b>A", "<script>B", '"onload=x']
    game = f"{{id: '{names[0]}', turn: max, children: [{{id: '{names[1]}', turn: min, children: [1, 2]}}, 3]}}"
    text = "plymark: exercise/1\nid: e\ngame:\n  tree: " + game
    text += "\nquestions: [{id: values, ask: values, marks: 2}, {id: pruned, ask: pruned, marks: 1}]"
    exercise = replace(load_exercise_bytes(text.encode()), title=HOSTILE)
    grader = Grader(exercise)
    answers: list[dict[str, Any]] = [{"values": {names[0]: HOSTILE}, "pruned": [HOSTILE]}, {"values": {names[0]: "3"}}]
    return class_summary(exercise, [grader.grade(Answer("e", HOSTILE, each, name=HOSTILE)) for each in answers])


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_page_is_whole_and_alone(code: str) -> None:
    for summary in (class_summary(EXERCISE, reports(30)), hostile_summary()):
        text = CLASS_OUTPUTS["html"](summary, OutputOptions(WORDS[code])).decode()
        page = Page(text)
        assert not {"script", "img", "link", "iframe", "object", "form", "b"} & set(page.tags)
        assert not [name for name, _ in page.attributes if name.startswith("on") or name in ("src", "href")]
        assert not re.search(r"url\(|@import|https?:", text.replace("http://www.w3.org/2000/svg", ""))
        assert ("http-equiv", "Content-Security-Policy") in page.attributes
        assert ("dir", "rtl" if code == "fa" else "ltr") in page.attributes
        ids = [value for name, value in page.attributes if name == "id"]
        assert len(ids) == len(set(ids))


def test_hostile_texts_are_shown_as_text() -> None:
    summary = hostile_summary()
    page = Page(CLASS_OUTPUTS["html"](summary, OutputOptions(WORDS["en"])).decode())
    assert any(HOSTILE in text for text in page.text)
    text = CLASS_OUTPUTS["text"](summary, OutputOptions(WORDS["en"])).decode()
    assert all(sign.isprintable() or sign == "\n" for sign in text)


def test_every_node_has_a_number_and_a_colour() -> None:
    found = class_summary(EXERCISE, reports(30))
    drawn = draw_heat_map(found, WORDS["en"])
    nodes = re.findall(r'<g class="node (h\S+) .*?aria-label="(.*?)">(.*?)</g>', drawn, re.DOTALL)
    assert len(nodes) == 13
    for (colour, spoken, inside), name in zip(nodes, EXERCISE.game.tree.ids, strict=True):
        share = found.at(name)
        assert share is not None
        assert colour == f"h{band(share.fraction)}"
        percent = int(100 * share.fraction + Fraction(1, 2))
        assert f"{percent}%" in " ".join(re.findall(r"<text.*?>(.*?)</text>", inside))
        question, number = next(iter(found.heat[name].items()))
        assert f"{question}: {number.right} of {number.total} right" in spoken


def test_a_tree_with_leaves_in_columns_still_says_the_share_of_each() -> None:
    rows = [[list(range(place, place + 12)) for place in range(3)] for _ in range(3)]
    text = f"plymark: exercise/1\nid: e\ngame: {{tree: {rows}}}\nquestions: [{{id: pruned, ask: pruned, marks: 1}}]"
    exercise = load_exercise_bytes(text.encode())
    found = class_summary(exercise, [Grader(exercise).grade(Answer("e", "s", {"pruned": "none"}))])
    leaves = re.findall(r'<g class="node h\d leaf .*?</g>', draw_heat_map(found, WORDS["en"]), re.DOTALL)
    assert len(leaves) == 108
    assert all(re.search(r"<text[^>]*>[^<]*(0|100)%</text>", leaf) for leaf in leaves)


def test_nodes_that_nobody_asks_about_are_plain() -> None:
    asked = replace(EXERCISE, questions=(replace(EXERCISE.questions[0], nodes=("A",)),), out_of=Fraction(4))
    found = class_summary(asked, [Grader(asked).grade(Answer("two-ply", "s", {"values": {"A": "3"}}))])
    drawn = draw_heat_map(found, WORDS["en"])
    assert (drawn.count('"node h4 '), drawn.count('"node h-none ')) == (1, 12)


def test_colours_can_be_written_on() -> None:
    for theme, ink in (("light", "#1b1f24"), ("dark", "#eef2f6")):
        for colour in COLOURS[theme]:
            light, dark = sorted((luminance(colour), luminance(ink)), reverse=True)
            assert (light + 0.05) / (dark + 0.05) >= 4.5, colour


def luminance(colour: str) -> float:
    """Of WCAG 2."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


Visit = Callable[..., Any]


@pytest.fixture
def visit(browser: Any, tmp_path: Path) -> Iterator[Visit]:
    """Opens a class's page; at the end it must have asked for nothing and complained about nothing."""
    with ExitStack() as pages:

        def visit(summary: ClassSummary, code: str, **options: Any) -> Any:
            file = tmp_path / f"{code}.html"
            file.write_bytes(CLASS_OUTPUTS["html"](summary, OutputOptions(WORDS[code])))
            page = pages.enter_context(watched_page(browser, **options))
            page.goto(file.as_uri())
            return page

        yield visit


@pytest.mark.slow
@pytest.mark.parametrize(("code", "scheme"), [("en", "light"), ("en", "dark"), ("fa", "light"), ("fa", "dark")])
def test_axe_finds_nothing(visit: Visit, code: str, scheme: str) -> None:
    # It loads Playwright, which may be absent where these tests are skipped.
    from axe_playwright_python.sync_playwright import Axe

    page = visit(class_summary(EXERCISE, reports(60), 2, 1), code, color_scheme=scheme)
    found = Axe().run(page).response["violations"]
    assert [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]] == []


@pytest.mark.slow
def test_a_telephone_shows_the_page_without_scrolling_sideways(visit: Visit) -> None:
    page = visit(class_summary(EXERCISE, reports(30)), "pt", viewport={"width": 360, "height": 700})
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.slow
def test_hostile_texts_do_nothing_in_a_browser(visit: Visit) -> None:
    page = visit(hostile_summary(), "en")
    assert page.evaluate("window.pwned") is None
    assert HOSTILE in page.locator("h1").inner_text()
