"""Every exporter by the name that `--to` takes."""

from __future__ import annotations

from grader.exporters.base import Exporter
from grader.exporters.canvas import CANVAS
from grader.exporters.gradescope import GRADESCOPE
from grader.exporters.moodle import MOODLE
from grader.exporters.prairielearn import PRAIRIELEARN

EXPORTERS: dict[str, Exporter] = {each.name: each for each in (MOODLE, CANVAS, PRAIRIELEARN, GRADESCOPE)}
