from solver.story.choices import DETAILS as DETAILS
from solver.story.closing import plan_formula as plan_formula
from solver.story.stage_captions import captions as captions
from solver.story.telling import explanation as explanation
from solver.story.telling import story_of as story_of
from solver.story.telling import told_story as told_story
