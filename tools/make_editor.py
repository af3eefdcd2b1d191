"""Makes the editor's one file from CodeMirror's packages: python tools/make_editor.py

Needs Node.js and npm, and the packages of tools/editor/package-lock.json, which names each with its hash. With the same
packages the file is the same bytes. To take newer ones: change the versions in package.json, run `npm install
--package-lock-only` beside it, then this. Writes grader/service/http/static/vendor/: codemirror.js, what it is made of
(codemirror.json), and the licences.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RECIPE = ROOT / "tools" / "editor"
VENDOR = ROOT / "grader" / "service" / "http" / "static" / "vendor"
BUNDLE = ("--bundle", "--format=esm", "--minify", "--charset=utf8", "--legal-comments=none", "--target=es2022")
BANNER = "/*! CodeMirror 6 and Lezer, MIT: see codemirror.LICENSE.txt. Made by tools/make_editor.py. */"


def packages() -> dict[str, dict[str, Any]]:
    """What the file is made of, by name, as the lock says; the program that makes it is not in it."""
    lock = json.loads((RECIPE / "package-lock.json").read_text("utf-8"))
    found = {path.removeprefix("node_modules/"): each for path, each in lock["packages"].items() if path}
    return {name: each for name, each in sorted(found.items()) if not each.get("dev")}


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in RECIPE.iterdir():
            shutil.copy(file, folder)
        subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=folder, check=True)
        bundler = folder / "node_modules" / ".bin" / "esbuild"
        command = [bundler, "entry.js", *BUNDLE, f"--banner:js={BANNER}", "--outfile=codemirror.js"]
        subprocess.run(command, cwd=folder, check=True)
        made = (folder / "codemirror.js").read_bytes()
        licences = {each: _licence(folder / "node_modules" / each) for each in packages()}
    VENDOR.mkdir(exist_ok=True)
    (VENDOR / "codemirror.js").write_bytes(made)
    (VENDOR / "codemirror.LICENSE.txt").write_text(_together(licences), "utf-8")
    about = {
        "file": "codemirror.js",
        "bytes": len(made),
        "sha256": sha256(made).hexdigest(),
        "packages": {each: {key: of[key] for key in ("version", "license")} for each, of in packages().items()},
    }
    (VENDOR / "codemirror.json").write_text(json.dumps(about, indent=2) + "\n", "utf-8")
    print(f"codemirror.js: {len(made):,} bytes, {len(licences)} packages")


def _licence(package: Path) -> str:
    return next(file for file in sorted(package.iterdir()) if file.name.upper().startswith("LICEN")).read_text("utf-8")


def _together(licences: dict[str, str]) -> str:
    """Each text once, below the packages that it is of."""
    texts: dict[str, list[str]] = {}
    for name, text in licences.items():
        texts.setdefault(text.strip(), []).append(name)
    return "\n\n".join(f"{', '.join(names)}\n\n{text}" for text, names in texts.items()) + "\n"


if __name__ == "__main__":
    main()
