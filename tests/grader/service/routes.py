"""Every route of the service and who may call it, as the application has them."""

from __future__ import annotations

import re

from grader.service.http.routing import rights
from grader.service.run.app import PAGES, ROUTERS

API_RIGHTS = rights(route for router in ROUTERS if router not in PAGES for route in router.routes)
PAGE_RIGHTS = rights(route for router in PAGES for route in router.routes)
TEACHING = [(method, path) for method, path in PAGE_RIGHTS if path.startswith("/teach")]
EDITOR = [(method, path) for method, path in TEACHING if re.search(r"/write/|/(exercises|recipes)/", path)]
HALL = [(method, path) for method, path in PAGE_RIGHTS if "/live" in path]
DESK = [each for each in TEACHING if each not in EDITOR and each not in HALL]
