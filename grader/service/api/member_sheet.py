"""Members from a sheet: whatever a learning system or a spreadsheet calls its columns."""

from __future__ import annotations

from typing import Any

from grader.people.roster import read_roster
from grader.service.problems import ServiceProblem
from solver.kernel import UsageError


def members_of_sheet(raw: bytes) -> list[dict[str, Any]]:
    """Students in the order of the sheet."""
    try:
        found = read_roster(raw, "members")
    except UsageError as error:
        raise ServiceProblem(422, "sheet", str(error)) from None
    return [{"id": each, "name": found.names.get(each), "email": found.addresses.get(each)} for each in found.ids]
