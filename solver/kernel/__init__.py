"""What everything else stands on: exact numbers, problems and errors, limits."""

from solver.kernel.errors import (
    DEFAULT_LIMITS,
    WHOLE_FILE,
    DocumentError,
    Limits,
    Place,
    PlymarkError,
    Problem,
    ProblemLog,
    Refusal,
    UsageError,
    clipped,
    nearest,
    needs_extra,
    one_of,
    quoted,
)
from solver.kernel.exact import Number, number_advice, number_text, parse_number, plain
from solver.kernel.irrational import Enclosed, RootOfLog, decimal_text, root_of_log, squared
from solver.kernel.lru_cache import LruCache
from solver.kernel.value_types import OwnText, as_written, in_language, own_text

__all__ = [
    "DEFAULT_LIMITS",
    "WHOLE_FILE",
    "DocumentError",
    "Enclosed",
    "Limits",
    "LruCache",
    "Number",
    "OwnText",
    "Place",
    "PlymarkError",
    "Problem",
    "ProblemLog",
    "Refusal",
    "RootOfLog",
    "UsageError",
    "as_written",
    "clipped",
    "decimal_text",
    "in_language",
    "nearest",
    "needs_extra",
    "number_advice",
    "number_text",
    "one_of",
    "own_text",
    "parse_number",
    "plain",
    "quoted",
    "root_of_log",
    "squared",
]
