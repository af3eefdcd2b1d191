"""Solution → text: for people (text) and for programs (JSON, YAML)."""

from solver.render.data_format import ALL, NODES, rows, solution_data
from solver.render.solution_formats import FORMATS
from solver.render.writers import bound_text, json_bytes, value_text
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
