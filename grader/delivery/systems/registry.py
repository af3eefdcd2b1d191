"""Every exporter by the name that `--to` takes."""

from __future__ import annotations

from grader.delivery.systems.base import Exporter
from grader.delivery.systems.canvas import CANVAS
from grader.delivery.systems.gradescope import GRADESCOPE
from grader.delivery.systems.moodle import MOODLE
from grader.delivery.systems.prairielearn import PRAIRIELEARN

EXPORTERS: dict[str, Exporter] = {each.name: each for each in (MOODLE, CANVAS, PRAIRIELEARN, GRADESCOPE)}
