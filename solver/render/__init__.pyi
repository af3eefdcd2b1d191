from solver.render.data import ALL as ALL
from solver.render.data import NODES as NODES
from solver.render.data import solution_data as solution_data
from solver.render.json import json_bytes as json_bytes
from solver.render.numbers import bound_text as bound_text
from solver.render.numbers import value_text as value_text
from solver.render.registry import FORMATS as FORMATS
from solver.render.table_rows import rows as rows
