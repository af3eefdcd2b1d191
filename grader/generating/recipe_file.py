"""recipe/1: from text to a recipe, or every problem of it at its place."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

from grader.generating.recipe_parts import (
    BOUNDED,
    MOST_CHILDREN,
    REARRANGED,
    STRICT,
    WORDS,
    Estimates,
    Leaves,
    MctsStatistics,
    NumberRange,
    Recipe,
    RecipeFields,
    ShapeLevel,
    as_mapping,
    as_switch,
    name_without_braces,
    read_requirements,
)
from solver.documents import Document
from solver.game import AND, CHANCE, MAX, MIN, OR
from solver.kernel import DEFAULT_LIMITS, DocumentError, Limits, OwnText, Place, ProblemLog, quoted
from solver.pipeline import read_document, read_file

RECIPE = "recipe/1"
_LEAF = re.compile(r"L([1-9][0-9]{0,4})\Z").match
MOST_TREE_NODES, MOST_EXERCISES = 2_000, 10_000
WIDEST = 10_000
"""The largest range of leaves or estimates."""


def load_recipe(path: str | Path, limits: Limits = DEFAULT_LIMITS) -> Recipe:
    """The recipe in a file; DocumentError with every problem of it otherwise."""
    return load_recipe_bytes(read_file(path, limits), str(path), limits)


def load_recipe_bytes(raw: bytes, name: str = "", limits: Limits = DEFAULT_LIMITS) -> Recipe:
    problems = ProblemLog(limits.problems)
    document = read_document(raw, name, RECIPE, limits, problems)
    recipe = None if document is None else _RecipeReader(document, limits, problems).read()
    if recipe is None or problems:
        raise DocumentError(sorted(problems.kept), problems.total)
    return recipe


class _RecipeReader:
    def __init__(self, document: Document, limits: Limits, problems: ProblemLog) -> None:
        self.document, self.problems = document, problems
        self.data: Any = document.data
        self.fields = RecipeFields(document, limits, problems)

    def read(self) -> Recipe | None:
        data, fields = self.data, self.fields
        shape = as_mapping(data.get("shape"))
        levels = self.levels(shape)
        above, start = self.irregular(shape, len(levels))
        leaves, require = self.leaves(), read_requirements(as_mapping(data.get("require")), fields)
        chances = as_mapping(data.get("probabilities"))
        statistics, estimates, unknowns = self.statistics(), self.estimates(len(levels)), self.unknowns()
        teams = self.teams(levels)
        name = fields.id(data, "id")
        if "convention" in data:
            fields.convention(data, "convention")
        count = fields.whole_or(1, data, "count", 1, MOST_EXERCISES)
        denominator = fields.whole_or(6, chances, "denominator", 2, 60)
        guessability = self.guessability()
        if not self.problems and self.parallel() is not None:
            self.names_in_texts(levels)
        if not self.problems:
            self.together(levels, leaves, statistics, estimates, unknowns)
        if self.problems or name is None:
            return None
        language = fields.text(data, "language")
        return Recipe(
            id=name,
            title=fields.own_text(data, "title", language),
            text=fields.own_text(data, "text", language),
            language=language or "en",
            levels=levels,
            early_leaf_chance=above,
            early_leaf_from=start,
            leaves=leaves,
            denominator=denominator,
            equal=as_switch(chances.get("equal", "true")),
            statistics=statistics,
            unknowns=unknowns,
            estimates=estimates,
            teams=teams,
            convention=data.get("convention"),
            questions=data["questions"],
            marking=data.get("marking"),
            require=require,
            count=count,
            parallel=self.parallel(),
            guessability=guessability,
            places=self.places(),
            document=self.document,
        )

    def levels(self, shape: dict[str, Any]) -> tuple[ShapeLevel, ...]:
        found: list[ShapeLevel] = []
        for written in shape.get("levels", ()):
            if isinstance(written, dict):
                low, high = self.fields.whole_range(written, "children", 1, MOST_CHILDREN)
                found.append(ShapeLevel(self.fields.text(written, "turn") or MAX, low, high))
        nodes = width = 1
        for level in found:
            width *= level.most
            nodes += width
        if nodes > MOST_TREE_NODES:
            message = f"such a tree may have {nodes:,} nodes; at most {MOST_TREE_NODES:,} are drawn"
            self.fields.report(shape, "levels", "wrong-value", message)
        return tuple(found)

    def irregular(self, shape: dict[str, Any], plies: int) -> tuple[Fraction, int]:
        written = as_mapping(shape.get("irregular"))
        share = self.share(written, "probability")
        return share or Fraction(0), self.fields.whole_or(1, written, "from", 1, max(1, plies))

    def leaves(self) -> Leaves:
        written, usual = as_mapping(self.data.get("leaves")), Leaves()
        ends = self.number_range(written) or NumberRange(usual.low, usual.high)
        goals, loops = self.share(written, "goals"), self.share(written, "loops")
        return Leaves(
            ends.low,
            ends.high,
            self.fields.text(written, "style") or usual.style,
            as_switch(written.get("bounds", "false")),
            usual.goals if goals is None else goals,
            usual.loops if loops is None else loops,
            self.fields.number(written, "sum") if "sum" in written else None,
        )

    def number_range(self, written: dict[str, Any]) -> NumberRange | None:
        """The range that numbers are drawn from."""
        found = self.fields.range(written, "range")
        if found is not None and found.high - found.low > WIDEST:
            self.fields.report(written, "range", "wrong-value", f"the range is wider than {WIDEST:,}")
        return found

    def estimates(self, plies: int) -> Estimates | None:
        written = as_mapping(self.data.get("estimates"))
        found = self.number_range(written)
        if found is None:
            return None
        return Estimates(found.low, found.high, self.fields.whole_or(1, written, "from", 0, max(0, plies - 1)))

    def unknowns(self) -> dict[str, tuple[int, ...]]:
        """By name, the numbers of the leaves, which are called L1, L2, … as in questions."""
        found: dict[str, tuple[int, ...]] = {}
        taken: dict[int, str] = {}
        for name, written in as_mapping(self.data.get("unknowns")).items():
            holder, keys = (written, range(len(written))) if isinstance(written, list) else (None, (name,))
            places = []
            for key in keys:
                within = self.data["unknowns"] if holder is None else holder
                leaf = self.fields.text(within, key)
                number = _LEAF(leaf or "")
                if leaf is not None and number is None:
                    message = f"{quoted(leaf)} is not a leaf; leaves are called L1, L2, … from left to right"
                    self.fields.report(within, key, "wrong-value", message)
                elif number is not None:
                    places.append(int(number[1]))
                    if taken.setdefault(places[-1], name) != name:
                        message = f"{leaf} may already be {taken[places[-1]]}"
                        self.fields.report(within, key, "wrong-value", message)
            found[name] = tuple(dict.fromkeys(places))
        return found

    def teams(self, levels: tuple[ShapeLevel, ...]) -> dict[str, tuple[str, ...]]:
        written = as_mapping(self.data.get("teams"))
        turns = list(dict.fromkeys(level.turn for level in levels))
        found: dict[str, tuple[str, ...]] = {}
        team_of: dict[str, str] = {}
        for team, members in written.items():
            for place in range(len(members) if isinstance(members, list) else 0):
                name = self.fields.text(members, place)
                if name is None:
                    continue
                if name not in turns or name in WORDS:
                    hint = self.fields.nearest(name, [turn for turn in turns if turn not in WORDS])
                    self.fields.report(members, place, "wrong-value", f"no level is the turn of {quoted(name)}", hint)
                elif team_of.setdefault(name, team) != team:
                    self.fields.report(members, place, "wrong-value", f"{name} is already in {team_of[name]}")
                found[team] = (*found.get(team, ()), name)
        left = [turn for turn in turns if turn not in WORDS and turn not in team_of]
        if found and left and not self.problems:
            self.fields.report_key(self.data, "teams", "wrong-value", f"{left[0]} is in no team")
        return found

    def parallel(self) -> str | None:
        written = str(self.data.get("parallel", "false")).lower()
        return written if written in (STRICT, REARRANGED, BOUNDED) else None

    def guessability(self) -> dict[str, Fraction]:
        """One number is the bound of every question."""
        written = self.data.get("guessability")
        questions = [str(each.get("id")) for each in self.data["questions"] if isinstance(each, dict)]
        one_for_all = None if written is None or isinstance(written, dict) else self.share(self.data, "guessability")
        found = {} if one_for_all is None else dict.fromkeys(questions, one_for_all)
        for name in as_mapping(written):
            share = self.share(written, name)
            if name not in questions:
                hint = self.fields.nearest(name, questions)
                self.fields.report_key(written, name, "wrong-value", f"there is no question {quoted(name)}", hint)
            elif share is not None:
                found[name] = share
        return found

    def share(self, holder: dict[str, Any], key: str) -> Fraction | None:
        return self.fields.number(holder, key, least=0, most=Fraction(1))

    def statistics(self) -> MctsStatistics | None:
        written = as_mapping(self.data.get("statistics"))
        if not written:
            return None
        low, high = self.fields.whole_range(written, "visits", 4, 10_000)
        exploration = self.fields.number(written, "exploration", least=0)
        return MctsStatistics(low, high, "1.4" if exploration is None else str(written["exploration"]))

    def together(
        self,
        levels: tuple[ShapeLevel, ...],
        leaves: Leaves,
        statistics: MctsStatistics | None,
        estimates: Estimates | None,
        unknowns: Mapping[str, tuple[int, ...]],
    ) -> None:
        """Problems of keys that do not fit each other."""
        turns = {level.turn for level in levels}
        words = turns.intersection(WORDS)
        shape, data = self.data["shape"], self.data
        if turns & {OR, AND} and not turns <= {OR, AND}:
            self.fields.report(shape, "levels", "wrong-value", "`or` and `and` nodes cannot be mixed with others")
        elif turns - words and words - {CHANCE}:
            self.fields.report(shape, "levels", "wrong-value", "players take the place of max and min")
        elif statistics is not None and not turns <= {MAX, MIN}:
            self.fields.report(shape, "levels", "wrong-value", "statistics are drawn for max and min nodes")
        if leaves.style == "signs" and not leaves.low < 0 < leaves.high:
            place = self.data["leaves"]
            self.fields.report(place, "style", "wrong-value", "signs needs a range with numbers below and above 0")
        numbers = turns <= {MAX, MIN, CHANCE} and statistics is None
        for key, there in (("unknowns", unknowns), ("estimates", estimates)):
            if there and not numbers:
                self.fields.report_key(data, key, "wrong-value", f"{key} are for trees of max, min and chance nodes")
        if leaves.sum is not None and not turns - words:
            self.fields.report_key(data["leaves"], "sum", "wrong-value", "a sum is for the vectors of several players")

    def names_in_texts(self, levels: tuple[ShapeLevel, ...]) -> None:
        """Reports names in texts that are not in braces, since each variant has its own labels."""
        holders = [self.data, *(each for each in self.data["questions"] if isinstance(each, dict))]
        others = {*as_mapping(self.data.get("unknowns")), *(level.turn for level in levels)}
        for holder in holders:
            for key in ("title", "text"):
                written = self.fields.own_text(holder, key, None) or ""
                texts = written.texts.items() if isinstance(written, OwnText) else [(key, written)]
                for place, text in texts:
                    name = name_without_braces(text, others)
                    if name is not None:
                        message = f"{name} has another name in other variants"
                        inside = holder[key] if isinstance(written, OwnText) else holder
                        self.fields.report(inside, place, "wrong-value", message, f"write {{{name}}}, in quotes")

    def places(self) -> dict[str, Place]:
        found = {key: self.document.key_place(self.data, key) for key in self.data}
        for name in ("require", "unknowns"):
            inside = as_mapping(self.data.get(name))
            found |= {f"{name}.{key}": self.document.key_place(inside, key) for key in inside}
        return found
