"""Solution → text: for people (text) and for programs (JSON, YAML)."""

from solver.render.data import ALL, NODES, solution_data
from solver.render.json import json_bytes
from solver.render.numbers import bound_text, value_text
from solver.render.registry import FORMATS
from solver.render.table_rows import rows
from solver.render.yaml import yaml_bytes

__all__ = [
    "ALL",
    "FORMATS",
    "NODES",
    "bound_text",
    "json_bytes",
    "rows",
    "solution_data",
    "value_text",
    "yaml_bytes",
]
