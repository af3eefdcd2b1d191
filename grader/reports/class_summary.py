"""How a class did, in an exercise or in each part of an exam: counted report by report, so that memory does not grow
with their number.

What was counted in another process is taken there and added here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from grader.documents.exam import Exam, Variants
from grader.kernel.verdicts import EARNING, UNREADABLE, VERDICTS
from grader.marking.exam_report import AnyReport, ExamReport
from grader.marking.mark import MarkedAnswer
from grader.marking.report import Report
from grader.mistakes.words import CROSSED
from grader.questions.ask import STOPS, Given
from grader.questions.exercise import Exercise, Question
from grader.questions.registry import ask_of
from grader.reports.feedback_facts import FULL, HINTS, ItemFacts, QuestionFacts, facts_at_level
from grader.reports.feedback_sentences import NamedConvention, counted_as

Counts = Mapping[str, Counter[Any]]
"""By the names of a tally's fields; those with nothing in them are left out."""


def take_counts(tally: object) -> Counts:
    """What was counted since this was last asked; the tally begins anew, and keeps what it knows of its exercise."""
    counts = {name: counted for name, counted in vars(tally).items() if isinstance(counted, Counter) and counted}
    for name in counts:
        setattr(tally, name, Counter())
    return counts


def add_counts(tally: object, counts: Counts) -> None:
    for name, counted in counts.items():
        # Not `update`'s sum alone: zeros are kept, since an item that nobody has right is the hardest.
        mine = getattr(tally, name)
        for key, number in counted.items():
            mine[key] += number


BINS = 10
"""Columns of the histogram: equal parts of all marks."""
NOT_EXPLAINED = ""
"""In place of a mistake, where an answer is not right and no mistake explains it."""


@dataclass(frozen=True, slots=True)
class Share:
    """How many of how many."""

    right: int
    total: int

    @property
    def fraction(self) -> Fraction:
        return Fraction(self.right, self.total)


@dataclass(frozen=True, slots=True)
class QuestionSummary:
    id: str
    ask: str
    out_of: Fraction
    mean: Fraction
    full: int
    """Answers with all of its marks."""
    blank: int
    """Answers that left all of it empty."""

    @property
    def mean_share(self) -> Fraction:
        return self.mean / self.out_of


@dataclass(frozen=True, slots=True)
class ItemSummary:
    question: str
    item: str
    share: Share


@dataclass(frozen=True, slots=True)
class VariantSummary:
    id: str
    answers: int
    mean: Fraction


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What the totals of a class come to."""

    out_of: Fraction
    answers: int
    mean: Fraction | None
    """Of the totals as they are reported; this and the next four are None without an answer."""
    median: Fraction | None
    quartiles: tuple[Fraction, Fraction] | None
    """The medians of the lower and of the upper half; the middle one of an odd number is in neither."""
    lowest: Fraction | None
    highest: Fraction | None
    histogram: tuple[int, ...]
    """Answers by tenths of all marks; all of them belong to the last tenth."""
    broken: int = 0
    duplicates: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassSummary(Figures):
    exercise: Exercise
    """Of variants the first: others are counted at the same places of its tree."""
    questions: tuple[QuestionSummary, ...]
    items: tuple[ItemSummary, ...]
    """Hardest first; none for variants of different shapes."""
    verdicts: Mapping[str, int]
    """Of items, in the order of VERDICTS."""
    mistakes: Mapping[str, int]
    """Answers by the mistake that explains them, most frequent first; NOT_EXPLAINED comes last."""
    conventions: Mapping[NamedConvention, int]
    """Answers by the convention under which they were marked; the declared one first."""
    declared: NamedConvention
    unreadable_answers: int
    """Answers with an item that could not be read."""
    heat: Mapping[str, Mapping[str, Share]]
    """By node and question, how many were right there; none for variants of different shapes."""
    variants: tuple[VariantSummary, ...] = ()
    """By id; none if all answers are to one exercise."""

    def at(self, node: str) -> Share | None:
        """Over all questions; None where nothing was asked about a node."""
        shares = self.heat.get(node)
        if not shares:
            return None
        return Share(sum(each.right for each in shares.values()), sum(each.total for each in shares.values()))


def class_summary(
    exercise: Exercise, reports: Iterable[Report], broken: int = 0, duplicates: int = 0, level: str = FULL
) -> ClassSummary:
    tally = Tally(exercise, level)
    for report in reports:
        tally.add(report)
    return tally.summary(broken, duplicates)


@dataclass
class Tally:
    """Counts that grow with the tree and with the marks there are, never with the number of answers."""

    exercise: Exercise
    level: str = FULL
    """What the summary may tell: below full no more than reports do, at `none` and `marks` nothing but marks."""
    totals: Counter[Fraction] = field(default_factory=Counter)
    earned: Counter[str] = field(default_factory=Counter)
    """By question; its values are exact marks."""
    full: Counter[str] = field(default_factory=Counter)
    blank: Counter[str] = field(default_factory=Counter)
    asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By question and item; so is the next."""
    right: Counter[tuple[str, str]] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    mistakes: Counter[str] = field(default_factory=Counter)
    conventions: Counter[NamedConvention] = field(default_factory=Counter)
    unreadable: Counter[str] = field(default_factory=Counter)
    heat_asked: Counter[tuple[str, str]] = field(default_factory=Counter)
    """By node and question; so is the next."""
    heat_right: Counter[tuple[str, str]] = field(default_factory=Counter)
    variants: Counter[str] = field(default_factory=Counter)
    """Answers by exercise."""
    variant_marks: Counter[str] = field(default_factory=Counter)
    unlike: Counter[str] = field(default_factory=Counter)
    """Answers to variants whose tree has another shape."""
    _keys: dict[tuple[str, str], frozenset[str]] = field(default_factory=dict)
    _places: dict[str, dict[str, str] | None] = field(default_factory=dict)

    def add(self, report: AnyReport) -> None:
        assert isinstance(report, Report), "an exam is counted part by part"
        name = report.exercise.id
        self.totals[report.marks] += 1
        self.variants[name] += 1
        self.variant_marks[name] += report.marks  # type: ignore[assignment]
        self.unlike[name] += self._renamed(report.exercise) is None
        shown = facts_at_level(report, HINTS if self.level != FULL else FULL)
        self.unreadable["answers"] += any(
            each.note is not None or any(item.verdict == UNREADABLE for item in each.items) for each in shown.questions
        )
        for each in shown.questions:
            self._add_marks(each, report)
        if self.level in (HINTS, FULL):
            self._add_explained(report)
            for each in shown.questions:
                self._add_items(each, report)
        if self.level == FULL:
            for each in shown.questions:
                self._add_leaves(each.question, report.best)

    def _add_explained(self, report: Report) -> None:
        self.conventions[counted_as(report)] += 1
        if report.diagnosis:
            self.mistakes[report.diagnosis[0].mistake] += 1
        elif report.exact_marks != self.exercise.out_of and not is_blank(report):
            self.mistakes[NOT_EXPLAINED] += 1

    def taken(self) -> Counts:
        """What was counted since this was last asked."""
        return take_counts(self)

    def add_counts(self, counts: Counts) -> None:
        """What another process counted of the same exercise."""
        add_counts(self, counts)

    def _counts(self, found: ItemFacts, question: Question, report: Report) -> bool:
        """Whether an item is one of the declared key's; below full feedback, one that could be read. Others are a
        student's own doing, and their names can be anything."""
        if self.level == FULL:
            return found.expected is not None and found.name in self._key(question, report)
        return found.verdict != UNREADABLE or found.name in ask_of(question).asked(report.best.answer_key.of(question))

    def _key(self, question: Question, report: Report) -> frozenset[str]:
        """The items of the declared key."""
        place = (report.exercise.id, question.id)
        if place not in self._keys:
            items = ask_of(question).key(report.declared.answer_key.of(question))
            self._keys[place] = frozenset(items) or frozenset({"none"})
        return self._keys[place]

    def _renamed(self, exercise: Exercise) -> dict[str, str] | None:
        """What the nodes of a variant are called in the first; None if its tree has another shape."""
        if exercise.id not in self._places:
            mine, other = self.exercise.game.tree, exercise.game.tree
            alike = mine.children == other.children and mine.turn == other.turn
            pairs = zip(map(str, other.ids), map(str, mine.ids), strict=True) if alike else None
            self._places[exercise.id] = None if pairs is None else dict(pairs)
        return self._places[exercise.id]

    def _add_marks(self, each: QuestionFacts, report: Report) -> None:
        name = each.question.id
        # Variants of an exam's part may share the same marks among their questions in other ways.
        share = _question_of(self.exercise, name).marks / each.question.marks
        self.earned[name] += each.marks * share  # type: ignore[assignment]
        self.full[name] += each.marks == each.question.marks
        self.blank[name] += _is_blank(report.best.given[name])

    def _add_items(self, each: QuestionFacts, report: Report) -> None:
        name, renamed = each.question.id, self._renamed(report.exercise)
        for found in each.items:
            assert found.verdict is not None
            self.verdicts[found.verdict] += 1
            if renamed is None or not self._counts(found, each.question, report):
                continue
            earns = found.verdict in EARNING
            item = " ".join(renamed.get(part, part) for part in found.name.split(" "))
            self.asked[name, item] += 1
            self.right[name, item] += earns
            node = _node(self.exercise, each.question, item)
            if node is not None and self.level == FULL:
                self.heat_asked[node, name] += 1
                self.heat_right[node, name] += earns

    def _add_leaves(self, question: Question, best: MarkedAnswer) -> None:
        """Of a pruned set, whether each leaf was rightly crossed out or left; an empty answer is right nowhere."""
        answer_key = best.answer_key
        renamed = self._renamed(answer_key.exercise)
        if ask_of(question).items_are != STOPS or renamed is None:
            return
        keyed = answer_key.of(question)
        solution = keyed.solution
        given = ask_of(question).cells(keyed, best.given[question.id])
        pruned = set(solution.pruned)
        for leaf in solution.tree.leaves:
            place = (renamed[str(solution.tree.ids[leaf])], question.id)
            self.heat_asked[place] += 1
            self.heat_right[place] += given.get((CROSSED, leaf)) == (leaf in pruned)

    def add_blank(self, marks: Fraction) -> None:
        """An answer that says nothing of the exercise, whichever of its variants it was."""
        self.totals[marks] += 1
        for question in self.exercise.questions:
            self.blank[question.id] += 1

    def summary(self, broken: int = 0, duplicates: int = 0) -> ClassSummary:
        answers = sum(self.totals.values())
        declared = NamedConvention.of(self.exercise.convention)
        unlike = any(self.unlike.values())
        return ClassSummary(
            **statistics(self.totals, self.exercise.out_of),
            exercise=self.exercise,
            questions=tuple(self._question(question, answers) for question in self.exercise.questions),
            items=() if unlike else self._items(),
            verdicts={verdict: self.verdicts[verdict] for verdict in VERDICTS if self.verdicts[verdict]},
            mistakes=dict(sorted(self.mistakes.items(), key=lambda each: (not each[0], -each[1], each[0]))),
            conventions=dict(
                sorted(self.conventions.items(), key=lambda each: (each[0] != declared, -each[1], each[0].id))
            ),
            declared=declared,
            unreadable_answers=self.unreadable["answers"],
            heat={} if unlike else self._heat(),
            variants=self._variants(),
            broken=broken,
            duplicates=duplicates,
        )

    def _variants(self) -> tuple[VariantSummary, ...]:
        if len(self.variants) < 2:
            return ()
        counted = sorted(self.variants.items())
        return tuple(VariantSummary(name, n, Fraction(self.variant_marks[name]) / n) for name, n in counted)

    def _question(self, question: Question, answers: int) -> QuestionSummary:
        name = question.id
        mean = Fraction(self.earned[name]) / answers if answers else Fraction(0)
        return QuestionSummary(name, question.ask, question.marks, mean, self.full[name], self.blank[name])

    def _items(self) -> tuple[ItemSummary, ...]:
        """In the order of the exercise where they are equally hard."""
        found = [ItemSummary(*key, Share(self.right[key], count)) for key, count in self.asked.items()]
        place = {question.id: number for number, question in enumerate(self.exercise.questions)}
        index = self.exercise.game.tree.index

        def order(each: ItemSummary) -> tuple[Fraction, int, int, str]:
            node = index.get(each.item.split(" ")[0], len(index))  # type: ignore[call-overload]
            return each.share.fraction, place[each.question], node, each.item

        return tuple(sorted(found, key=order))

    def _heat(self) -> dict[str, dict[str, Share]]:
        found: dict[str, dict[str, Share]] = {}
        for node in map(str, self.exercise.game.tree.ids):
            for question in self.exercise.questions:
                asked = self.heat_asked[node, question.id]
                if asked:
                    found.setdefault(node, {})[question.id] = Share(self.heat_right[node, question.id], asked)
        return found


def statistics(totals: Mapping[Fraction, int], out_of: Fraction) -> dict[str, Any]:
    """What `Figures` has of totals, by how many answers have each."""
    answers, ordered = sum(totals.values()), sorted(totals.items())
    half = answers // 2 or 1
    histogram = [0] * BINS
    for marks, count in ordered:
        histogram[min(BINS - 1, int(marks * BINS / out_of))] += count
    return {
        "out_of": out_of,
        "answers": answers,
        "mean": sum((marks * count for marks, count in ordered), Fraction(0)) / answers if answers else None,
        "median": _middle(ordered, 0, answers) if answers else None,
        "quartiles": (_middle(ordered, 0, half), _middle(ordered, answers - half, answers)) if answers else None,
        "lowest": ordered[0][0] if answers else None,
        "highest": ordered[-1][0] if answers else None,
        "histogram": tuple(histogram),
    }


def is_blank(report: Report) -> bool:
    """Whether nothing was answered."""
    return all(map(_is_blank, report.best.given.values()))


def _is_blank(given: Mapping[str, Given]) -> bool:
    return not any(here.read or here.problem is not None for here in given.values())


def _question_of(exercise: Exercise, name: str) -> Question:
    found = exercise.question(name)
    assert found is not None, name
    return found


def _node(exercise: Exercise, question: Question, item: str) -> str | None:
    """The node that an item is about: itself, or where a stop is."""
    name = ask_of(question).node_of_item(item)
    return name if name in exercise.game.tree.index else None


def _middle(ordered: Sequence[tuple[Fraction, int]], first: int, last: int) -> Fraction:
    """The median of the places from `first` up to, not including, `last`."""
    low, high = (first + last - 1) // 2, (first + last) // 2
    return (_at(ordered, low) + _at(ordered, high)) / 2


def _at(ordered: Sequence[tuple[Fraction, int]], place: int) -> Fraction:
    for marks, count in ordered:
        if place < count:
            return marks
        place -= count
    raise IndexError(place)


@dataclass(frozen=True, slots=True)
class PartSummary:
    name: str
    title: str | None
    full: int
    """Answers with all of its marks."""
    blank: int
    """Answers that left all of it empty."""
    summary: ClassSummary


@dataclass(frozen=True, slots=True, kw_only=True)
class ExamSummary(Figures):
    exam: Exam
    parts: tuple[PartSummary, ...]


ExamCounts = tuple[Counts, Mapping[str, Counts]]
"""Of the whole, and of each part."""


class ExamTally:
    """Counts that grow with the trees and with the marks there are, never with the number of answers."""

    def __init__(self, exam: Exam, level: str = FULL) -> None:
        self.exam = exam
        self.totals: Counter[Fraction] = Counter()
        self.parts = {name: Tally(part.first, level) for name, part in exam.parts.items()}
        self.blank: Counter[str] = Counter()
        self.full: Counter[str] = Counter()

    def add(self, report: AnyReport) -> None:
        assert isinstance(report, ExamReport)
        self.totals[report.marks] += 1
        for part in report.parts:
            tally = self.parts[part.name]
            if part.known:
                tally.add(part.report)
            else:
                tally.add_blank(part.report.marks)
            self.blank[part.name] += is_blank(part.report)
            self.full[part.name] += part.report.exact_marks == part.report.out_of

    def taken(self) -> ExamCounts:
        """What was counted since this was last asked."""
        return take_counts(self), {name: tally.taken() for name, tally in self.parts.items()}

    def add_counts(self, counts: ExamCounts) -> None:
        add_counts(self, counts[0])
        for name, counted in counts[1].items():
            self.parts[name].add_counts(counted)

    def summary(self, broken: int = 0, duplicates: int = 0) -> ExamSummary:
        parts = tuple(
            PartSummary(name, tally.exercise.title, self.full[name], self.blank[name], tally.summary())
            for name, tally in self.parts.items()
        )
        figures = statistics(self.totals, self.exam.out_of)
        return ExamSummary(**figures, exam=self.exam, parts=parts, broken=broken, duplicates=duplicates)


def tally_of(handed_out: Variants | Exam, level: str = FULL) -> Tally | ExamTally:
    return ExamTally(handed_out, level) if isinstance(handed_out, Exam) else Tally(handed_out.first, level)
