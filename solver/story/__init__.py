"""The story of a search: what it did and why, step by step, as sentences in any language."""

from solver.story.choices import DETAILS
from solver.story.closing import plan_formula
from solver.story.stage_captions import captions
from solver.story.telling import explanation, story_of, told_story

__all__ = [
    "DETAILS",
    "captions",
    "explanation",
    "plan_formula",
    "story_of",
    "told_story",
]
