"""Every language says everything that English says, with the same facts; numbers keep every digit."""

import ast
import re
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po
from babel.numbers import format_decimal
from hypothesis import given
from hypothesis import strategies as st

from solver.kernel.errors import UsageError
from solver.languages.codes import LANGUAGES
from solver.languages.facts import Amount, Between, Formula, Items, Limit, Sentence
from solver.languages.translation import FSI, PDI, language
from tests.support.paths import ROOT

FOLDER = ROOT / "solver" / "languages"
ISOLATES = re.compile("[\u2066-\u2069\u200e\u200f]")


def read(code: str) -> Catalog:
    with (FOLDER / f"{code}.po").open("rb") as file:
        return read_po(file, abort_invalid=True)


def messages(code: str) -> dict[str, Message]:
    return {key_of(message): message for message in read(code) if message.id}


def key_of(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


def forms(message: Message) -> list[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or ())


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


def plain(text: str) -> str:
    """Without the marks of direction."""
    return ISOLATES.sub("", text)


def test_every_language_has_a_catalogue_and_the_other_way_round() -> None:
    assert {path.stem for path in FOLDER.glob("*.po")} == set(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_catalogue_is_sound(code: str) -> None:
    catalogue = read(code)
    assert str(catalogue.locale) == code
    seen = re.findall(r'^msgid "(.+)"$', (FOLDER / f"{code}.po").read_text(encoding="utf-8"), re.MULTILINE)
    assert len(seen) == len(set(seen))
    for message in catalogue:
        if not message.id:
            continue
        key = key_of(message)
        assert not message.fuzzy, f"{code}: {key} is fuzzy"
        assert all(form.strip(" ") or key == "list.comma" for form in forms(message)), f"{code}: {key} is empty"
        if message.pluralizable:
            assert message.id == (key, key)
            assert len(forms(message)) == catalogue.num_plurals, f"{code}: {key} lacks a plural form"


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_language_says_what_english_says(code: str) -> None:
    english, other = messages("en"), messages(code)
    assert list(other) == list(english), "the same keys in the same order"
    for key, message in english.items():
        expected = set().union(*map(placeholders, forms(message)))
        assert other[key].pluralizable == message.pluralizable, key
        for form in forms(other[key]):
            optional = {"count"} if message.pluralizable else set()
            assert placeholders(form) | optional == expected | optional, f"{code}: {key}: {form}"
        notes = [note for note in other[key].auto_comments if not note.startswith("en: ")]
        assert notes == message.auto_comments, f"{code}: {key}: translators' comment"


FILES = {"stages_page.js", "stages_page.css", "advances.json", "parts.json"}
"""Constants that look like keys."""


def string_constants(folder: str) -> set[str]:
    found = set()
    for file in (ROOT / "solver" / folder).glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found.add(node.value)
    return found


def test_every_key_is_used() -> None:
    constants = string_constants("story") | string_constants("languages") | string_constants("drawing")
    constants |= string_constants("search/algorithms")
    prefixes = tuple(text for text in constants if re.fullmatch(r"[a-z]+(\.[a-z-]+)*\.", text))
    # `About.by_mover` adds the last word where MAX and MIN stand for players.
    bare = {key: key.removesuffix(".player") for key in messages("en")}
    used = {key for key, short in bare.items() if {key, short} & constants or key.startswith(prefixes)}
    assert [key for key in messages("en") if key not in used] == []


def test_every_key_that_code_uses_is_there() -> None:
    constants = string_constants("story") | string_constants("drawing") | string_constants("search/algorithms")
    dotted = {text for text in constants if re.fullmatch(r"(?!solver\.)[a-z]+(\.[a-z0-9-]+)+", text)} - FILES
    named = set()
    for file in (ROOT / "solver" / "story").glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Sentence":
                named |= {each.value for each in [node.args[0]] if isinstance(each, ast.Constant)}
    assert len(named) > 50
    assert dotted | named <= set(messages("en"))


def test_unknown_language_names_the_codes() -> None:
    with pytest.raises(UsageError, match="unknown language 'de'; choose one of en, pt, es, fa"):
        language("de")


def test_direction() -> None:
    assert {code for code in LANGUAGES if language(code).direction == "rtl"} == {"fa"}


NUMBERS = st.integers(-(10**40), 10**40) | st.builds(
    lambda digits, places: Fraction(digits, 10**places), st.integers(-(10**30), 10**30), st.integers(0, 30)
)


@pytest.mark.parametrize("code", LANGUAGES)
@given(value=NUMBERS)
def test_numbers_are_babels_with_every_digit(code: str, value: int | Fraction) -> None:
    exact = Decimal(value.numerator) if value.denominator == 1 else None
    if exact is None:
        places = next(n for n in range(41) if 10**n % value.denominator == 0)
        exact = Decimal(f"{value.numerator * 10**places // value.denominator}e-{places}")
    with localcontext(prec=200):
        # Left to itself, Babel loses digits after the 28th.
        theirs = format_decimal(
            exact, locale=code, decimal_quantization=False, group_separator=False, numbering_system="default"
        )
    digits = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹") if code == "fa" else {}
    assert language(code).number(value) == plain(theirs).replace("-", "−").translate(digits)


@pytest.mark.parametrize(
    ("code", "number", "ratio", "count", "window", "vector"),
    [
        ("en", "−1234.5", "−7/3", "1,234,567", "(−∞, 2.5)", "(1, −2, 1/3)"),
        ("pt", "−1234,5", "−7/3", "1.234.567", "(−∞; 2,5)", "(1; −2; 1/3)"),
        ("es", "−1234,5", "−7/3", "1.234.567", "(−∞; 2,5)", "(1; −2; 1/3)"),
        ("fa", "−۱۲۳۴٫۵", "−۷/۳", "۱٬۲۳۴٬۵۶۷", "(−∞، ۲٫۵)", "(۱، −۲، ۱/۳)"),
    ],
)
def test_numbers_by_hand(code: str, number: str, ratio: str, count: str, window: str, vector: str) -> None:
    spoken = language(code)
    assert spoken.number(Fraction(-2469, 2)) == number
    assert spoken.number(Fraction(-7, 3)) == ratio
    assert spoken.count(1234567) == count
    assert spoken.window(("-inf", Fraction(5, 2))) == window
    assert spoken.interval(("-inf", Fraction(5, 2))) == window.replace("(", "[").replace(")", "]")
    assert spoken.vector((1, -2, Fraction(1, 3))) == vector
    assert spoken.bound("inf") == "+∞"
    assert spoken.number(Decimal("1.40")) == spoken.number(Fraction(7, 5)) + ("۰" if code == "fa" else "0")


@pytest.mark.parametrize(
    ("code", "three", "either", "long"),
    [
        ("en", "a, b, and c", "a or b", "x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, … (1,037 in all)"),
        ("pt", "a, b e c", "a ou b", "x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, … (1.037 no total)"),
        ("es", "a, b y c", "a o b", "x0, x1, x2, x3, x4, x5, x6, x7, x8, x9, x10, x11, … (1.037 en total)"),
        ("fa", "a، b و c", "a یا b", "x0، x1، x2، x3، x4، x5، x6، x7، x8، x9، x10، x11، … (در مجموع ۱٬۰۳۷)"),
    ],
)
def test_lists(code: str, three: str, either: str, long: str) -> None:
    spoken = language(code)
    assert plain(spoken.listed(["a", "b", "c"])) == three
    assert spoken.listed(["a", "b"], "or") == either
    assert plain(spoken.listed([f"x{n}" for n in range(1037)])) == long
    assert spoken.listed(["a"]) == "a"


def test_twelve_names_are_listed_and_thirteen_are_counted() -> None:
    names = [f"x{n}" for n in range(13)]
    assert "…" not in language("en").listed(names[:12])
    assert language("en").listed(names).endswith("x11, … (13 in all)")


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("text", ["{0}", "%s", "{x!r}", "{leaf}", "{", "\\N{DASH}", "گره", "אב", "{count}"])
def test_users_text_stands_as_it_is(code: str, text: str) -> None:
    said = language(code).say("leaf.value", leaf=text, value=Limit(3))
    assert text in said
    isolated = f"{FSI}{text}{PDI}" in said
    assert isolated == (code == "fa" or text in ("گره", "אב"))


def test_persian_isolates_every_fact_and_every_latin_term() -> None:
    said = language("fa").say("rule.at-bound", max_test=Formula(("v", " ≥ ", "β")), min_test=Formula(("v", " ≤ ", "α")))
    assert f"{FSI}v\xa0≥\xa0β{PDI}" in said, "a formula is never broken over two lines"
    assert f"{FSI}Max{PDI}" in said
    outside = re.sub(f"{FSI}[^{PDI}]*{PDI}", "", said)
    assert not re.search("[A-Za-zα-ω0-9]", outside)


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "fa"])
def test_other_languages_need_no_marks(code: str) -> None:
    said = language(code).say("leaf.clamped", leaf="L4", value=Limit(2), window=Between((3, "inf")), handed=Limit(3))
    assert plain(said) == said


def test_plurals() -> None:
    def cuts(code: str, count: int) -> str:
        return plain(language(code).say("caption.cuts", count, leaves=Items(("L1", "L2"), 2)))

    assert cuts("en", 1) == "1 cut prunes L1 and L2."
    assert cuts("en", 2) == "2 cuts prune L1 and L2."
    assert cuts("pt", 1) == "1 poda elimina L1 e L2."
    assert cuts("pt", 1000) == "1.000 podas eliminam L1 e L2."
    assert cuts("es", 2) == "2 podas eliminan L1 y L2."
    assert cuts("fa", 2) == "با ۲ هرس این برگ‌ها حذف می‌شوند: L1 و L2."


def test_a_sentence_within_a_sentence() -> None:
    formula = Formula(("s5", " = ", Sentence("word.success")))
    said = language("pt").say("caption.follows", facts=Items((formula, Amount(1234)), 2))
    assert said == "Segue-se que s5 = sucesso e 1.234."


def test_further_catalogues_are_merged_in(tmp_path: Path) -> None:
    head = 'msgid ""\nmsgstr ""\n"Language: pt\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n'
    head += '"Plural-Forms: nplurals=2; plural=(n > 1);\\n"\n\n'
    (tmp_path / "pt.po").write_text(head + 'msgid "mark"\nmsgstr "{points} pontos"\n', encoding="utf-8")
    spoken = language("pt", tmp_path)
    assert spoken.say("mark", points=Fraction(5, 2)) == "2,5 pontos"
    assert spoken.say("worth.exact", node="B", value=3) == "O nó B vale 3."
    assert "mark" not in language("pt").keys


@pytest.mark.parametrize("text", ["{x!r}", "{x:d}", "{x.y}", "{0}", "{}"])
def test_a_placeholder_is_a_name_only(tmp_path: Path, text: str) -> None:
    head = 'msgid ""\nmsgstr ""\n"Language: en\\n"\n"Content-Type: text/plain; charset=utf-8\\n"\n\n'
    (tmp_path / "en.po").write_text(head + f'msgid "mark"\nmsgstr "{text}"\n', encoding="utf-8")
    with pytest.raises(ValueError, match="a placeholder is a name in braces"):
        language("en", tmp_path)


def test_a_language_is_read_once() -> None:
    assert language("fa") is language("fa")


@pytest.mark.parametrize(
    ("names", "joint", "text"),
    [
        (["H", "I"], "and", "H e I"),
        (["A", "B", "I"], "and", "A, B e I"),
        (["A", "B"], "and", "A y B"),
        (["A", "hielo"], "and", "A y hielo"),
        (["siete", "ocho"], "or", "siete u ocho"),
        (["A", "B"], "or", "A o B"),
    ],
)
def test_spanish_lists_sound_right(names: list[str], joint: str, text: str) -> None:
    assert language("es").listed(names, joint) == text
