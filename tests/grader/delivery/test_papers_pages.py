"""Papers page by page: what stands where, what is never parted, and that nothing leaves the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.delivery.papers.exam_sheets import key_sheet, solution_sheet, student_sheet
from grader.delivery.papers.paper_content import Header
from grader.delivery.papers.paper_figures import LEGIBLE, UPRIGHT, sheet_figure, solved_figures
from grader.delivery.papers.paper_registry import FORMATS, paper
from grader.documents.exercise_file import load_exercise_bytes
from grader.languages import words_of
from grader.people.roster import Student
from grader.people.variant_allocation import deal
from grader.questions.answer_key import AnswerKey
from grader.questions.exercise import Exercise
from solver.drawing import PICTURE_FONTS, picture
from solver.languages import LANGUAGES
from tests.grader.delivery.test_papers import NAMES, compiled, exercise, only, program
from tests.support.browser import browser, chromium, watched_page  # noqa: F401
from tests.support.machine import vnu

pytestmark = pytest.mark.slow

EN = words_of("en")
MARGIN = 40.0
"""Points at every edge in which only the foot of a page stands."""


def tree_of(branching: int, depth: int, first: int = 0) -> str:
    level = [str((7 * n + first) % 97) for n in range(branching**depth)]
    while len(level) > 1:
        level = [f"[{', '.join(level[n : n + branching])}]" for n in range(0, len(level), branching)]
    return level[0]


def asking(tree: str, *asked: str, id: str = "made") -> Exercise:
    questions = "".join(f"  - {{id: q{place}, ask: {what}, marks: 1}}\n" for place, what in enumerate(asked))
    text = f"plymark: exercise/1\nid: {id}\ntitle: Made\ngame: {{tree: {tree}}}\nquestions:\n{questions}"
    return load_exercise_bytes(text.encode())


def pages_of(content: bytes, tmp_path: Path) -> list[str]:
    file = tmp_path / "pages.pdf"
    file.write_bytes(content)
    text = subprocess.run([program("pdftotext"), "-layout", file, "-"], capture_output=True, check=True).stdout
    return text.decode().split("\f")[:-1]


def sizes_of(content: bytes, tmp_path: Path) -> list[tuple[float, float]]:
    file = tmp_path / "sizes.pdf"
    file.write_bytes(content)
    command = [program("pdfinfo"), "-f", "1", "-l", "9999", str(file)]
    said = subprocess.run(command, capture_output=True, check=True).stdout.decode()
    return [(float(x), float(y)) for x, y in re.findall(r"Page +\d+ size: +([\d.]+) x ([\d.]+)", said)]


def placed(content: bytes, tmp_path: Path) -> Iterator[tuple[tuple[float, float], list[float], str]]:
    """Every word with the size of its page and its own corners."""
    file = tmp_path / "boxes.pdf"
    file.write_bytes(content)
    said = subprocess.run([program("pdftotext"), "-bbox", file, "-"], capture_output=True, check=True).stdout.decode()
    corners = r'xMin="([-\d.]+)" yMin="([-\d.]+)" xMax="([-\d.]+)" yMax="([-\d.]+)">([^<]*)<'
    for page in said.split("<page ")[1:]:
        found = re.match(r'width="([\d.]+)" height="([\d.]+)"', page)
        assert found is not None
        for *corner, word in re.findall(corners, page):
            yield (float(found[1]), float(found[2])), list(map(float, corner)), word


def words_beyond(content: bytes, tmp_path: Path) -> Iterator[str]:
    """What stands in the margins, or over them."""
    for (wide, high), (x0, y0, x1, y1), word in placed(content, tmp_path):
        if x0 < MARGIN or x1 > wide - MARGIN or y0 < 30 or y1 > high - 12:
            yield word


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", ["sheet", "key"])
def test_nothing_reaches_into_the_margins(kind: str, code: str, tmp_path: Path) -> None:
    content = only(paper([exercise(name) for name in NAMES], kind, code, "pdf"))
    assert list(words_beyond(content, tmp_path)) == []


HEAVY = (
    "values",
    "windows, at: all",
    "windows, at: entry",
    "pruned",
    "inequalities",
    "visited",
    "visited, what: nodes",
    "line",
)


@pytest.mark.parametrize("shape", [(2, 4), (3, 3), (2, 7), (5, 3)])
@pytest.mark.parametrize("kind", ["sheet", "key"])
def test_large_trees_stay_on_their_pages(kind: str, shape: tuple[int, int], tmp_path: Path) -> None:
    """Also a question of so many boxes that no page has room for it."""
    found = asking(tree_of(*shape), *HEAVY)
    content = only(paper([found], kind, "en", "pdf"))
    assert list(words_beyond(content, tmp_path)) == []
    text = "".join(pages_of(content, tmp_path))
    tree = found.game.tree
    assert all(len(re.findall(rf"\b{tree.ids[node]}\b", text)) >= 4 for node in tree.inner), "every node has its boxes"


def test_a_wide_tree_is_on_a_page_on_its_side_before_the_questions(tmp_path: Path) -> None:
    found = asking(tree_of(3, 3), *HEAVY)
    content = only(paper([found], "sheet", "en", "pdf"))
    sides = [round(wide) > round(high) for wide, high in sizes_of(content, tmp_path)]
    assert sides == [True] + [False] * (len(sides) - 1)
    first, second, *_ = pages_of(content, tmp_path)
    assert "Made" in first and "L27" in first and "Total" in first, "with the head of the sheet"
    assert "1." in second and f"Page 2 of {len(sides)}" in second and "made" in second


def test_questions_that_find_room_stay_beside_a_wide_tree(tmp_path: Path) -> None:
    (page,) = pages_of(only(paper([asking(tree_of(3, 3), "pruned", "move")], "sheet", "en", "pdf")), tmp_path)
    assert "L27" in page and "2." in page and "Page 1 of 1" in page


def test_a_very_high_tree_has_a_page_before_the_questions(tmp_path: Path) -> None:
    tree = "[7, 5]"
    for number in range(13):
        tree = f"[{number}, {tree}]"
    content = only(paper([asking(tree, "values", "pruned")], "sheet", "en", "pdf"))
    assert all(wide < high for wide, high in sizes_of(content, tmp_path))
    first, second, third = pages_of(content, tmp_path)
    assert "The tree is on the next page." in first and "L15" in second and "1." in third


def test_a_page_is_saved_where_a_little_less_room_is_enough(tmp_path: Path) -> None:
    """A last page with little on it is avoided by a smaller tree and narrower gaps; all variants are set alike."""
    plain = replace(exercise("deep-cut"), text=None)
    few, most = (replace(plain, id=f"v{count}", questions=plain.questions[:count]) for count in (5, 6))
    counts = [len(pages_of(only(paper([each], "sheet", "en", "pdf")), tmp_path)) for each in (few, most)]
    assert counts == [1, 1]
    assert len(pages_of(only(paper([few, most], "sheet", "en", "pdf")), tmp_path)) == 2


def test_trees_are_as_large_as_they_must_be_to_be_read() -> None:
    for name in NAMES:
        found = exercise(name)
        for figure in (sheet_figure(found, EN), *solved_figures(AnswerKey(found, found.convention), EN)):
            assert not figure.apart and UPRIGHT / picture(figure.board).width >= LEGIBLE, name
    roomy, tight = asking(tree_of(2, 3), "windows"), asking(tree_of(2, 4), "windows")
    assert any(item.blank_note for item in sheet_figure(roomy, EN).board.items), "room for windows"
    assert not any(item.blank_note for item in sheet_figure(tight, EN).board.items), "the tree before the room"
    assert not sheet_figure(tight, EN).wide and sheet_figure(asking(tree_of(3, 3), "windows"), EN).wide


def test_outcomes_have_no_names_that_nobody_gave_them() -> None:
    made = sheet_figure(exercise("chance"), EN).board
    moves = {item.name: item.move for item in made.items}
    assert moves["B"] == "a1" and moves["E"] == "" and moves["L1"] == "e1"
    named = """
plymark: exercise/1
id: named
game:
  tree:
    turn: chance
    children: [{move: heads, p: 1/2, value: 1}, {move: tails, p: 1/2, value: 2}]
questions: [{id: v, ask: values, marks: 1}]
"""
    own = sheet_figure(load_exercise_bytes(named.encode()), EN).board
    assert {item.move for item in own.items} == {"", "heads", "tails"}


def test_no_heading_is_alone_at_the_foot_of_a_page(tmp_path: Path) -> None:
    """With a text that pushes everything down, line by line."""
    plain = exercise("deep-cut")
    for lines in range(0, 60, 4):
        pushed = replace(plain, text="\n\n".join(["A line of text."] * lines) or None)
        for page in pages_of(only(paper([pushed], "key", "en", "pdf")), tmp_path):
            body = [line.strip() for line in page.splitlines() if line.strip()][:-1]
            assert not body[-1].startswith(("Mistakes that show", "Marking notes", "Beside each", "Rules for"))
            assert not re.match(r"\d+\. ", body[-1]), "a question without its boxes"


def test_every_page_tells_whose_it_is(tmp_path: Path) -> None:
    two = [exercise("deep-cut"), exercise("mcts")]
    pages = pages_of(only(paper(two, "sheet", "en", "pdf")), tmp_path)
    feet = [page.strip().splitlines()[-1] for page in pages]
    assert [foot.split() for foot in feet] == [
        ["Page", "1", "of", "2", "deep-cut"],
        ["Name", "Page", "2", "of", "2", "deep-cut"],
        ["Page", "1", "of", "1", "mcts"],
    ]


def test_the_index_tells_the_pages_of_every_student(tmp_path: Path) -> None:
    variants = [exercise("deep-cut"), exercise("two-ply")]
    students = [Student(f"Student Nr {number}", f"s{number:02d}") for number in range(12)]
    for duplex in (False, True):
        files = paper(variants, "booklet", "en", "pdf", students, secret="s", duplex=duplex)
        pages = pages_of(files["booklet.pdf"], tmp_path)
        index = "\n".join(pages_of(files["index.pdf"], tmp_path))
        seen = 0
        dealt = deal(students, ["deep-cut", "two-ply"], "s", "variants")
        for student, line in zip(students, dealt, strict=True):
            code = line.variant
            found = re.search(rf"{student.name} +{student.id} +{code} +(\d+)(?:–(\d+))?", index)
            assert found is not None
            first, last = int(found[1]), int(found[2] or found[1])
            own = pages[first - 1 : last]
            assert all(student.name in page and code in page for page in own)
            assert f"Page {len(own)} of {len(own)}" in own[-1]
            assert first % 2 == 1 or not duplex
            seen += len(own)
        assert sum(bool(page.strip()) for page in pages) == seen, "no page is anybody else's"


def test_pages_of_both_sizes(tmp_path: Path) -> None:
    found = [exercise("two-ply")]
    for size, (wide, high) in {"a4": (595, 842), "letter": (612, 792)}.items():
        (got,) = sizes_of(only(paper(found, size=size)), tmp_path)
        assert (round(got[0]), round(got[1])) == (wide, high)
        assert f"{size}paper".encode() in only(paper(found, to="latex", size=size))
        assert f"size:{size}".encode() in only(paper(found, to="html", size=size))


def test_solutions_are_the_key_without_how_it_is_marked() -> None:
    found = [exercise("two-ply")]
    solution, key = solution_sheet(found, EN, Header()).parts[0], key_sheet(found, EN, Header()).parts[0]
    answers = [[box.answer for box in question.boxes] for question in solution.questions]
    assert answers == [[box.answer for box in question.boxes] for question in key.questions]
    assert solution.figures == key.figures and solution.text == found[0].text
    assert solution.notes == () and solution.mistakes is None and all(not each.notes for each in solution.questions)
    for to in FORMATS:
        assert list(paper(found, "solution", "en", to)) == [f"solution{FORMATS[to][0]}"]
    page = only(paper(found, "solution", "en", "html")).decode()
    assert "Solutions: " in page and "teacher" not in page and "Mistakes" not in page


@pytest.mark.parametrize("to", FORMATS)
def test_an_exam_of_several_exercises_has_one_head_and_one_total(to: str, tmp_path: Path) -> None:
    parts = [exercise("two-ply"), exercise("mcts"), exercise("vacuum-plan")]
    header = Header("CS 188", "Final exam", "1 December", "University of Somewhere")
    sheet = student_sheet(parts, EN, header)
    assert sheet.scores == (("1", "11"), ("2", "8"), ("3", "3")) and sheet.total == "22 marks"
    assert [part.title for part in sheet.parts][1] == "Exercise 2: One step of Monte Carlo tree search"
    assert [part.marks for part in sheet.parts] == ["11 marks", "8 marks", "3 marks"]
    content = only(paper(parts, "sheet", "en", to, header=header, together=True))
    text = "".join(pages_of(content, tmp_path)) if to == "pdf" else content.decode()
    for said in ("University of Somewhere", "Final exam", "CS 188", "Exercise 3: The erratic vacuum world"):
        assert text.count(said) in ((1, 2) if to == "html" and said == "Final exam" else (1,)), said


def test_what_a_playout_ends_with_is_given() -> None:
    ucb, backup = student_sheet([exercise("mcts")], EN, Header()).parts[0].questions
    assert "w/n + C √(ln N / n)" in ucb.remarks[-1]
    assert backup.remarks == ("The playout ends with 1 for MAX and 0 for MIN.",)
    tree = "{turn: max, visits: 3, total: 2, children: [{turn: min, visits: 2, total: 5, children: [3, -4]}, 1]}"
    text = f"plymark: exercise/1\nid: m\ngame: {{mcts: {{playouts: [-4]}}, tree: {tree}}}\n"
    found = load_exercise_bytes(f"{text}questions: [{{id: b, ask: backup, marks: 1}}]\n".encode())
    (backup,) = student_sheet([found], EN, Header()).parts[0].questions
    assert backup.remarks == ("The playout ends with −4 for MAX and 4 for MIN.",)


def test_bounds_are_asked_for_where_the_key_has_them() -> None:
    """Boxes of nodes that are not cut are to be left blank, and the key leaves them so."""
    found = asking("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]", "inequalities", "inequalities, nodes: [B, C]")
    cut, named = key_sheet([found], EN, Header()).parts[0].questions
    assert cut.text.startswith("At which nodes does alpha-beta stop early?") and "blank" in cut.text
    assert [box.answer for box in cut.boxes] == ["", "", "≤ 2", ""]
    assert named.text.startswith("After alpha-beta, what is known") and [box.answer for box in named.boxes] == [
        "3",
        "≤ 2",
    ]
    sheet = student_sheet([found], EN, Header()).parts[0].questions
    assert sheet[0].remarks == () and sheet[1].remarks == ("Write – for a node that is never visited.",)


def test_a_decimal_comma_parts_numbers_by_semicolons() -> None:
    found = asking("[[2.5, 12/7, -8.25], [2, 1000.5, 6]]", "values", "windows, at: entry", "windows, at: all")
    expected = {"en": "(−8.25, +∞)", "pt": "(−8,25; +∞)", "es": "(−8,25; +∞)", "fa": "(−۸٫۲۵، +∞)"}
    for code, window in expected.items():
        part = key_sheet([found], words_of(code), Header()).parts[0]
        assert part.questions[1].boxes[2].answer == window
        assert part.questions[2].boxes[0].answer.endswith(f"→ {words_of(code).window((2, 'inf'))}") or code == "fa"
        drawn = [item.windows for item in part.figures[0].board.items if item.name == "C"]
        assert code == "fa" or drawn == [(window,)], "as the tree writes it"


def test_boxes_have_room_for_handwriting() -> None:
    found = asking(tree_of(3, 3), *HEAVY)
    widths = {each.number: (each.width, each.lines) for each in student_sheet([found], EN, Header()).parts[0].questions}
    assert widths["1"] == (20, 1) and widths["2"] == (80, 1) and widths["3"] == (34, 1)
    assert widths["6"] == (0, 3) and widths["7"] == (0, 4), "27 leaves on three lines, 40 nodes on four"


def test_the_policy_is_the_markers_own() -> None:
    """What the key says of other conventions is what marking by them counts."""
    plain = asking("[[3, 12, 8], [2, 4, 6], [14, 3, 2]]", "values", "pruned", "windows")
    said = key_sheet([plain], EN, Header()).parts[0].notes
    assert any("for one of these is marked by it, with nothing deducted: " in note for note in said)
    half = replace(plain, marking=replace(plain.marking, other_convention="half"))
    assert any("for one of these gets half marks: " in note for note in key_sheet([half], EN, Header()).parts[0].notes)
    errors = replace(plain, marking=replace(plain.marking, other_convention="as-errors"))
    notes = key_sheet([errors], EN, Header()).parts[0].notes
    assert notes[-1].startswith("Following a different convention for one of these is marked as an error: ")


def test_latex_lays_wide_trees_on_their_side(tmp_path: Path) -> None:
    found = [asking(tree_of(3, 3), "values", "pruned", id="one"), asking(tree_of(2, 6), "values", "windows", id="two")]
    text = compiled(only(paper(found, "sheet", "en", "latex", duplex=True)), tmp_path)
    assert "Page 2 of 2" in text and "??" not in text
    sizes = sizes_of((tmp_path / "paper.pdf").read_bytes(), tmp_path)
    assert len(sizes) > 5
    log = (tmp_path / "paper.log").read_text("utf-8", "replace")
    assert "Overfull \\vbox" not in log, "a question of 63 boxes goes on on the next page"


def test_latex_counts_pages_in_persian_digits_and_tables_run_from_the_right(tmp_path: Path) -> None:
    files = paper([exercise("two-ply")], "booklet", "fa", "latex", ["Ada", "فروغ"])
    assert "۱" in compiled(files["index.tex"], tmp_path)
    assert "۲" in compiled(only(paper([exercise("deep-cut")], "sheet", "fa", "latex")), tmp_path)
    for content in (
        (tmp_path / "paper.pdf").read_bytes(),
        only(paper([exercise("deep-cut")], "sheet", "fa", "pdf")),
    ):
        rows: dict[float, dict[str, float]] = {}
        for _, (x0, y0, _, _), word in placed(content, tmp_path):
            rows.setdefault(y0, {})[word.strip("\u202a\u202b\u202c")] = x0
        labels = next(row for row in rows.values() if {"A", "B", "C", "D"} <= set(row))
        assert labels["D"] < labels["C"] < labels["B"] < labels["A"], "the first node stands at the right"


@pytest.mark.parametrize("code", ["en", "fa"])
def test_the_w3c_finds_no_error(code: str, tmp_path: Path) -> None:
    files = {
        "sheet": only(paper([exercise(name) for name in NAMES], "sheet", code, "html")),
        "key": only(paper([exercise(name) for name in NAMES], "key", code, "html", together=True)),
        "wide": only(paper([asking(tree_of(3, 3), *HEAVY)], "sheet", code, "html", header=Header("</style>", "<b>"))),
        "index": paper([exercise("two-ply")], "booklet", code, "html", ["A </style> B"])["index.html"],
    }
    for name, content in files.items():
        (tmp_path / f"{name}.html").write_bytes(content)
    # SVG's own property, which the checker does not know within HTML.
    command = [
        *vnu(),
        "--errors-only",
        "--filterpattern",
        ".*paint-order.*",
        *map(str, sorted(tmp_path.glob("*.html"))),
    ]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[:2000]


@pytest.fixture
def printed(browser: Any, tmp_path: Path) -> Iterator[Any]:  # noqa: F811
    """What a browser prints of a paper."""
    with ExitStack() as pages:

        def printed(content: bytes) -> bytes:
            file = tmp_path / "paper.html"
            file.write_bytes(content)
            page = pages.enter_context(watched_page(browser))
            page.goto(file.as_uri())
            made: bytes = page.pdf(prefer_css_page_size=True)
            return made

        yield printed


def test_a_browser_prints_pages_as_they_should_be(printed: Any, tmp_path: Path) -> None:
    one = printed(only(paper([exercise("two-ply")], "sheet", "en", "html")))
    assert len(pages_of(one, tmp_path)) == 1, "as short as the PDF"
    content = printed(only(paper([asking(tree_of(3, 3), *HEAVY, id="wide-one")], "sheet", "en", "html", size="letter")))
    pages, sizes = pages_of(content, tmp_path), sizes_of(content, tmp_path)
    assert [round(wide) > round(high) for wide, high in sizes] == [True] + [False] * (len(pages) - 1)
    assert {tuple(sorted(map(round, size))) for size in sizes} == {(612, 792)}
    for number, page in enumerate(pages, 1):
        assert f"Page {number} of {len(pages)}" in page and "wide-one" in page
    assert "Total" in pages[0] and "L27" in pages[0]


@pytest.mark.parametrize("code", ["en", "fa"])
def test_a_paper_carries_its_font(code: str, browser: Any, printed: Any, tmp_path: Path) -> None:  # noqa: F811
    """A machine with other fonts, and other rules of drawing them, prints every word at the same place."""
    files = [paper([exercise("deep-cut")], "sheet", code, "html")]
    files += [paper([exercise("two-ply")], "booklet", code, "html", ["Žižek Łukasz", "Ада Лавлейс", "فروغ", "Ω עדה"])]
    contents = [content for each in files for content in each.values()]
    fonts = tmp_path / "fonts"
    fonts.mkdir()
    shutil.copy(PICTURE_FONTS / "DejaVuSans.ttf", fonts)
    (fonts / "fonts.conf").write_text(f"<fontconfig><dir>{fonts}</dir><cachedir>{fonts}</cachedir></fontconfig>")
    elsewhere = browser.browser_type.launch(
        executable_path=chromium(),
        args=["--no-sandbox"],
        env={**os.environ, "FONTCONFIG_FILE": str(fonts / "fonts.conf")},
    )
    try:
        for content in contents:
            here = printed(content)
            file = tmp_path / "elsewhere.html"
            file.write_bytes(content)
            with watched_page(elsewhere) as page:
                page.goto(file.as_uri())
                there = page.pdf(prefer_css_page_size=True)
            assert list(placed(here, tmp_path)) == list(placed(there, tmp_path))
            said = subprocess.run([program("pdffonts"), "-"], input=here, capture_output=True, check=True).stdout
            names = {line.split()[0].partition("+")[2] for line in said.decode().splitlines()[2:]}
            # Letters with an outline of their own have no name.
            carried = {each.stem for each in PICTURE_FONTS.glob("*.woff2")} | {""}
            assert names <= carried, "none is the machine's"
    finally:
        elsewhere.close()


def test_a_browser_prints_every_students_name_on_every_page(printed: Any, tmp_path: Path) -> None:
    students = ['Ada "quoted" \\ Lovelace', "Zoë </style> O’Brien"]
    content = printed(paper([exercise("deep-cut")], "booklet", "en", "html", students)["booklet.html"])
    pages = pages_of(content, tmp_path)
    feet = [page.strip().splitlines()[-1] for page in pages]
    assert [next(name in foot for name in students if name in foot) for foot in feet] == [True] * len(pages)
    assert all("deep-cut" in foot for foot in feet)


def test_persian_pages_are_counted_in_persian(printed: Any, tmp_path: Path) -> None:
    for content in (
        only(paper([exercise("deep-cut")], "sheet", "fa", "pdf")),
        printed(only(paper([exercise("deep-cut")], "sheet", "fa", "html"))),
    ):
        feet = [" ".join(page.strip().splitlines()[-4:]) for page in pages_of(content, tmp_path)]
        assert len(feet) == 2 and all("۲" in foot for foot in feet) and "۱" in feet[0]
        assert not any(re.search(r"\b[0-9]+\b", foot) for foot in feet)
