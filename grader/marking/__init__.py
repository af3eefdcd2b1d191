"""Marking: what an answer earns, and why.

mark          one answer under one convention
grader        one answer under every convention that counts; the page where the stages of marking compose
conventions   which conventions are tried, and what each counts for
diagnose      which mistake explains an answer
run           many answers to many variants
duplicates    which of several answers by one student counts
review        what of a report a person should look at
overrides     marks that people gave by hand
report        what one answer earned, item by item
from_data     exercises and answers that are in no file
verify        whether an exercise has a key for every question
"""
