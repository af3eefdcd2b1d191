"""What everything else stands on: exact numbers, problems and errors, limits."""

from solver.kernel.authored import OwnText, as_written, in_language, own_text
from solver.kernel.caching import LruCache
from solver.kernel.errors import DocumentError, PlymarkError, Refusal, UsageError
from solver.kernel.exact import Number, number_advice, number_text, parse_number, plain
from solver.kernel.extras import needs_extra
from solver.kernel.irrational import Enclosed, RootOfLog, decimal_text, root_of_log, squared
from solver.kernel.limits import DEFAULT_LIMITS, Limits
from solver.kernel.names import nearest, one_of
from solver.kernel.problems import WHOLE_FILE, Place, Problem, ProblemLog, clipped, quoted

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
