"""The story of a search: what it did and why, step by step, as sentences in any language."""

from solver.story.opening_and_closing import plan_formula
from solver.story.search_facts import DETAILS
from solver.story.search_story import explanation, story_of, tell_story
from solver.story.stage_captions import captions

__all__ = [
    "DETAILS",
    "captions",
    "explanation",
    "plan_formula",
    "story_of",
    "tell_story",
]
