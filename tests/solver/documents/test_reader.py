"""Reading: text stays text, JSON and YAML mean the same, and every place is where an editor shows it."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import pytest
import yaml
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from solver.documents.document import FORBIDDEN_CHARACTERS, Document
from solver.documents.document_reader import read_raw
from solver.kernel import DocumentError, Place, UsageError
from solver.kernel.errors import CODES, Limits, ProblemLog
from solver.pipeline import check_bytes, load_bytes, load_tree

LIMITS = Limits()


def words(text: str) -> list[str]:
    return text.split()


def document(text: str | bytes, name: str = "x.yaml", careful: bool = True) -> Document:
    """A document that reads without a problem."""
    problems = ProblemLog(LIMITS.problems)
    found = read_raw(text.encode() if isinstance(text, str) else text, name, LIMITS, problems, careful)
    assert problems.kept == []
    assert found is not None
    return found


def problems_of(raw: bytes, name: str = "") -> list[tuple[Place, str]]:
    with pytest.raises(DocumentError) as caught:
        load_bytes(raw, name)
    return [(problem.place, problem.code) for problem in caught.value.problems]


# What a scalar looks like is what it is.

LOOKALIKES = words("""no on yes off y n true TRUE 012 0o17 0x1F 1e3 1_000 .5 1. 1:30 12:30:45 2024-01-01
2024-01-01T00:00:00Z .inf .nan -.inf = + +1 "null" 'Null' "~" nil None مهره é 𝔸""")


@pytest.mark.parametrize("written", LOOKALIKES)
def test_ids_stay_what_they_look_like(written: str) -> None:
    name = written.strip("\"'")
    block = load_bytes(f"plymark: game/1\ntree:\n  id: {written}\n  turn: max\n  children: [3]\n".encode())
    flow = load_bytes(f"plymark: game/1\ntree: {{id: {written}, turn: max, children: [3]}}\n".encode())
    flat = load_bytes(f"plymark: game/1\nroot: {written}\nnodes:\n  {written}: {{turn: max, children: [3]}}\n".encode())
    as_json = json.dumps({"plymark": "game/1", "tree": {"id": name, "turn": "max", "children": [3]}})
    assert {game.tree.ids[0] for game in (block, flow, flat, load_bytes(as_json.encode(), "x.json"))} == {name}


@pytest.mark.parametrize(
    "number", ["0", "-0", "3", "+7", "007", "-2.5", "0.10", "1/3", "-4/6", "9" * 40, "1/" + "9" * 40]
)
def test_a_quoted_number_means_the_same_as_a_bare_one(number: str) -> None:
    leaves = {load_tree(f"[{written}]").tree.leaf[1] for written in (number, f'"{number}"', f"'{number}'")}
    assert len(leaves) == 1
    assert None not in leaves


def test_a_json_number_is_read_digit_by_digit() -> None:
    game = load_bytes(b'{"plymark": "game/1", "tree": [0.1, 0.2, 0.3, 12345678901234567890123456789]}')
    assert [str(leaf) for leaf in game.tree.leaf[1:]] == ["1/10", "1/5", "3/10", "12345678901234567890123456789"]


@pytest.mark.parametrize("careful", [True, False])
@pytest.mark.parametrize("name", ["x.json", "x.yaml"])
def test_every_scalar_is_text(name: str, careful: bool) -> None:
    text = '{"a": 1.50, "b": -0, "c": [1e5, "1e5", 0.0], "d": {"012": "no"}}'
    assert document(text, name, careful).data == {
        "a": "1.50",
        "b": "-0",
        "c": ["1e5", "1e5", "0.0"],
        "d": {"012": "no"},
    }


# What is fine although it looks odd.

GOOD = "plymark: game/1\ntitle: Two-ply\ntree: [[3, 12, 8], [2, 4, 6]]\n"
ODD_BUT_FINE = {
    "byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "CRLF": GOOD.replace("\n", "\r\n").encode(),
    "byte order mark and CRLF": b"\xef\xbb\xbf" + GOOD.replace("\n", "\r\n").encode(),
    "no line break at the end": GOOD.strip().encode(),
    "start and end of the document marked": f"---\n{GOOD}...\n".encode(),
    "comments": f"# a\n{GOOD}# b\n".encode(),
    "JSON in a YAML file": b'\n {"plymark": "game/1", "title": "Two-ply", "tree": [[3, 12, 8], [2, 4, 6]]}',
    "JSON with a byte order mark": b'\xef\xbb\xbf{"plymark": "game/1", "title": "Two-ply", "tree": [[3,12,8],[2,4,6]]}',
    "YAML that starts like JSON": b"{plymark: game/1, title: Two-ply, tree: [[3, 12, 8], [2, 4, 6]]}",
}


@pytest.mark.parametrize("raw", ODD_BUT_FINE.values(), ids=ODD_BUT_FINE)
def test_odd_but_fine(raw: bytes) -> None:
    game, plain = load_bytes(raw), load_bytes(GOOD.encode())
    assert (game.title, game.tree) == (plain.title, plain.tree)


def test_a_json_file_is_json() -> None:
    assert problems_of(b"{plymark: game/1, tree: 3}", "x.json") == [(Place(1, 2), "syntax")]


@pytest.mark.parametrize("sign", ["\u200c", "\u200d"])
def test_joiners_are_fine_in_text_but_not_in_ids(sign: str) -> None:
    for written in (sign, f"\\u{ord(sign):04x}"):
        title = load_bytes(f'plymark: game/1\ntitle: "می{written}روم"\ntree: 3\n'.encode()).title
        assert title == f"می{sign}روم"
        in_an_id = f'plymark: game/1\ntree: {{id: "می{written}روم", value: 3}}\n'
        assert problems_of(in_an_id.encode()) == [(Place(2, 12), "bad-id")]


def test_escaped_surrogate_pairs_are_one_character() -> None:
    assert load_bytes(b'{"plymark": "game/1", "title": "\\ud83c\\udfb2", "tree": 3}', "x.json").title == "🎲"


def test_names_are_compared_in_nfc() -> None:
    text = (
        "plymark: game/1\nplayers: [\u00e9]\nroot: e\u0301\nnodes: {\u00e9: {turn: e\u0301, children: [{to: [3]}]}}\n"
    )
    assert load_bytes(text.encode()).tree.ids[0] == "\u00e9"


def test_null_may_stand_in_what_plymark_writes_only() -> None:
    solution = (
        b'{"plymark": "solution/1", "algorithm": "minimax", "value": 3, "move": null, "moves": [], "line": [],'
        b' "convention": {"name": "aima3", "cut": "at-bound", "update": "after-test", "returns": "fail-soft",'
        b' "order": "left-to-right", "ties": "first", "window": ["-inf", "inf"], "write": "entry",'
        b' "depth_unit": "ply"},'
        b' "counts": {"nodes": 1, "leaves": 1, "evaluated": 1, "pruned": 0, "fewest": 1, "most": 1},'
        b' "visited": ["A"], "pruned": {"leaves": [], "nodes": []},'
        b' "nodes": {"A": {"turn": null, "parent": null, "move": null, "depth": 0, "value": 3, "best": []}}}'
    )
    assert check_bytes(solution)[0] == "solution/1"
    as_a_game = solution.replace(b"solution/1", b"game/1")
    assert (Place(1, 67), "null") in problems_of(as_a_game)


# The limits, on both sides.


def nested(levels: int) -> bytes:
    """A game with so many levels; the document itself is the first."""
    return b"plymark: game/1\ntree: " + b"[" * (levels - 1) + b"3" + b"]" * (levels - 1)


def test_128_levels_are_fine() -> None:
    assert load_bytes(nested(128)).tree.depth[-1] == 127
    assert problems_of(nested(129)) == [(Place(2, 7 + 127), "nesting")]


def test_64_characters_of_an_id_and_4096_of_a_text_are_fine() -> None:
    for name in ("i" * 64, "é" * 64):
        assert load_bytes(f"plymark: game/1\ntree: {{id: {name}, value: 3}}\n".encode()).tree.ids == (name,)
    assert load_bytes(f"plymark: game/1\ntitle: {'é' * 4096}\ntree: 3\n".encode()).title == "é" * 4096


# JSON and YAML of the same document give equal data, on every path.

SIGNS = st.characters(exclude_categories=["Cs"]).filter(lambda sign: not FORBIDDEN_CHARACTERS.search(sign))
# libyaml still takes these two for line breaks, which JSON never does.
TEXTS = st.text(SIGNS.filter(lambda sign: sign not in "\u2028\u2029\ufffe\uffff"), min_size=1, max_size=12)
NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
SCALARS = TEXTS | NUMBERS | st.booleans() | st.sampled_from(["null", "~", "<<", "*a", "&a", "!t", "- x", "a: b", "#"])


def containers(below: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.lists(below, max_size=4) | st.dictionaries(TEXTS | st.just("<<"), below, max_size=4)


PLAIN = st.dictionaries(TEXTS, st.recursive(SCALARS, containers, max_leaves=12), min_size=1, max_size=4)


def as_read(data: Any) -> Any:
    """What reading must give: scalars as the text that JSON writes, keys in NFC."""
    if isinstance(data, dict):
        made = {unicodedata.normalize("NFC", key): as_read(item) for key, item in data.items()}
        assume(len(made) == len(data))
        return made
    if isinstance(data, list):
        return [as_read(item) for item in data]
    return data if isinstance(data, str) else json.dumps(data)


@given(PLAIN, st.sampled_from([None, 0, 2]))
@example({"a": "\x7e🎲", "b": ["\t", "\\", '"', "/"]}, None)
def test_json_and_yaml_mean_the_same(data: dict[str, Any], indent: int | None) -> None:
    expected = as_read(data)
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    escaped = json.dumps(data, ensure_ascii=True, indent=indent)
    assert document(text, "x.json", careful=False).data == expected
    assert document(text, "x.json", careful=True).data == expected
    assert document(escaped, "x.json", careful=False).data == expected
    assert document(escaped, "x.json", careful=True).data == expected
    assert document(f"# not JSON\n{text}").data == expected


@given(PLAIN)
def test_block_yaml_means_the_same(data: dict[str, Any]) -> None:
    expected = as_read(data)
    text = yaml.safe_dump(expected, default_flow_style=False, allow_unicode=True, sort_keys=False)
    assume("\\" not in text or not any(sign > "\uffff" for sign in text))
    assert document(text).data == expected


# Places.

PLAIN_SIGNS = st.sampled_from("ab é\u00df🎲ب,:#-'\"[]{}")
PLACED = st.recursive(
    st.text(PLAIN_SIGNS, min_size=1, max_size=6),
    lambda below: (
        st.lists(below, max_size=3) | st.dictionaries(st.text(PLAIN_SIGNS, min_size=1, max_size=4), below, max_size=3)
    ),
    max_leaves=12,
).filter(lambda data: isinstance(data, dict | list))


def assert_places(found: Document, text: str) -> None:
    """Against PyYAML's own composer, which is written in Python and shares no code with either reader."""
    pending = [(found.data, yaml.compose(text, yaml.SafeLoader))]
    while pending:
        data, node = pending.pop()
        assert isinstance(data, dict | list) and node is not None
        assert found.place(data) == place_of(node)
        if isinstance(data, dict):
            for (key, item), (key_node, item_node) in zip(data.items(), node.value, strict=True):
                assert found.key_place(data, key) == place_of(key_node)
                assert found.place(data, key) == place_of(item_node)
                pending.extend([(item, item_node)] if isinstance(item, dict | list) else [])
        else:
            for index, (item, item_node) in enumerate(zip(data, node.value, strict=True)):
                assert found.place(data, index) == place_of(item_node)
                pending.extend([(item, item_node)] if isinstance(item, dict | list) else [])


def place_of(node: yaml.Node) -> Place:
    assert node.start_mark is not None
    return Place(node.start_mark.line + 1, node.start_mark.column + 1)


@given(PLACED, st.sampled_from([None, 0, 1, 4]))
def test_places_in_json(data: Any, indent: int | None) -> None:
    text = json.dumps(data, ensure_ascii=False, indent=indent)
    assert_places(document(text, "x.json"), text)
    assert_places(document(f"# not JSON\n{text}"), f"# not JSON\n{text}")


@given(PLACED, st.sampled_from([None, False]), st.sampled_from([None, '"', "'"]))
def test_places_in_yaml(data: Any, flow: bool | None, style: str | None) -> None:
    # A detour through text, since an object that is drawn once and used twice would be written as an alias.
    fresh = json.loads(json.dumps(data))
    text = yaml.safe_dump(fresh, default_flow_style=flow, default_style=style, allow_unicode=True, sort_keys=False)
    assert_places(document(text), text)


def test_places_by_hand() -> None:
    text = 'a: 1\n"b c" :\n  - بازی 🎲\n  - {c: [d,   e],\n     f: g}\n'
    found = document(text)
    top: Any = found.data
    assert found.place(top) == found.key_place(top, "a") == Place(1, 1)
    assert found.place(top, "a") == Place(1, 4)
    assert found.key_place(top, "b c") == Place(2, 1)
    below = top["b c"]
    assert (found.place(below), found.place(below, 0), found.place(below, 1)) == (Place(3, 3), Place(3, 5), Place(4, 5))
    assert (found.key_place(below[1], "c"), found.place(below[1], "f")) == (Place(4, 6), Place(5, 9))
    assert (found.place(below[1]["c"], 0), found.place(below[1]["c"], 1)) == (Place(4, 10), Place(4, 15))


@pytest.mark.parametrize("name", ["x.json", "x.yaml"])
def test_a_problem_of_json_that_reads_fast_has_its_place(name: str) -> None:
    text = '{"plymark": "game/1",\n "tree": [3,\n  {"id": "a", "value": 5}, {"id": "a", "value": 7}]}'
    assert problems_of(text.encode(), name) == [(Place(3, 35), "duplicate-id")]


@pytest.mark.parametrize("before", ["", "# not JSON\n"])
def test_a_place_is_found_by_reading_again(before: str) -> None:
    game = load_bytes(f'{before}{{"plymark": "game/1",\n "tree": [3, {{"id": "C", "value": 4}}]}}'.encode())
    assert game.document.marks == {}
    assert game.place("C") == (3 if before else 2, 14)


def test_without_libyaml_the_error_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(yaml, "__with_libyaml__", False)
    with pytest.raises(UsageError, match=r"pip install .* pyyaml"):
        load_bytes(b"plymark: game/1\ntree: [3, 5]\n")
    assert load_bytes(b'{"plymark": "game/1", "tree": [3, 5]}').tree.leaf == (None, 3, 5)


@pytest.mark.parametrize("start", ["\ufeff", ""])
@pytest.mark.parametrize("line_break", ["\n", "\r\n"])
def test_a_byte_order_mark_and_crlf_move_no_place(start: str, line_break: str) -> None:
    lines = [f"{start}plymark: game/1", "title: |", "  two", "  lines", "tree: [3, 1e3]", ""]
    assert problems_of(line_break.join(lines).encode()) == [(Place(5, 11), "number")]


@pytest.mark.parametrize("sign", ["\u2028", "\u2029"])
def test_lines_are_counted_as_editors_do(sign: str) -> None:
    """In YAML 1.2 these are no line breaks; refusing them would be right as well."""
    found = problems_of(f"plymark: game/1\ntitle: a{sign}b # {sign}\ntree: [3, 1e3]\n".encode())
    assert (Place(3, 11), "number") in found or {code for _, code in found} == {"character"}


# Nothing but a DocumentError, whatever the input.


def survives(raw: bytes, name: str = "") -> None:
    error = None
    try:
        load_bytes(raw, name)
    except DocumentError as caught:
        error = caught
    if error is not None:
        assert error.total >= len(error.problems) >= 1
        for problem in error.problems:
            assert problem.code in CODES
            assert min(problem.place) >= 1
            assert all(sign.isprintable() for sign in str(problem))


NAMES = st.sampled_from(["", "x.json", "x.yaml"])


@given(st.binary(max_size=200), NAMES)
@example(b"\xef\xbb\xbf", "")
@example(b"{", "x.yaml")
@example(b'"\\ud800"', "x.yaml")
@example(b'{"\\u00001": 1, "a": 1, "a": 2}', "x.json")
def test_any_bytes(raw: bytes, name: str) -> None:
    survives(raw, name)
    survives(b"plymark: game/1\ntree: " + raw, name)


@given(st.text(st.sampled_from("[]{},:?-&*!|>%@`\"'#~<=\\/ \n\t0a1.é\u200b"), max_size=60), NAMES)
def test_any_punctuation(text: str, name: str) -> None:
    survives(text.encode(), name)
    survives(f"plymark: game/1\ntree: {text}".encode(), name)


WORDS = words("""3 -1/2 1e3 x A B C max min chance or and true false game/1 solution/1 0.5 1 2 <= ~ null""")
KEYS = words("""plymark title source players teams sum bounds unknowns weights mcts levels tree root nodes id move p
turn children value features loop estimate visits total note to exploration playouts A B C x cut like""")
ANYTHING = st.recursive(
    st.sampled_from([*WORDS, "", None, 1, 2.5, True]),
    lambda below: st.lists(below, max_size=4) | st.dictionaries(st.sampled_from(KEYS), below, max_size=5),
    max_leaves=25,
)


@settings(max_examples=500)
@given(
    st.dictionaries(st.sampled_from(KEYS), ANYTHING, max_size=8), st.sampled_from(["game/1", "solution/1", "game/2"])
)
def test_any_document_of_our_own_words(data: dict[str, Any], kind: str) -> None:
    survives(json.dumps({"plymark": kind, **data}).encode(), "x.json")
    survives(json.dumps({"plymark": kind, "tree": data}).encode(), "x.json")
    survives(json.dumps({"plymark": kind, "root": "A", "nodes": data}).encode(), "x.yaml")
    survives(yaml.safe_dump({**data, "plymark": kind}).encode())
