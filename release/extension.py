"""The VS Code extension as packages: one that installs its server, and for each platform one that has it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory

from release.bundle import ROOT, bundle
from release.targets import Target
from release.version import VERSION

EXTENSION = ROOT / "vscode-extension"
_VSCE = EXTENSION / "node_modules" / ".bin" / "vsce"
_NOT_STAGED = shutil.ignore_patterns("node_modules", "src", "dist", "bundled")


def package(target: Target | None, wheel: Path, goal: Path, published: bool) -> Path:
    """Writes `goal`; for no target the package for all that have none of their own. The extension must be built.

    `published`: looked through for secrets, which in a platform's binary modules takes a minute or two.
    """
    with TemporaryDirectory() as fresh:
        staged = Path(shutil.copytree(EXTENSION, Path(fresh, "extension"), ignore=_NOT_STAGED))
        bundled = staged / "bundled"
        bundled.mkdir()
        if target:
            bundle(target, wheel, bundled / "server")
        else:
            shutil.copy(wheel, bundled)
            shutil.copy(EXTENSION / "requirements.txt", bundled)
        goal.parent.mkdir(parents=True, exist_ok=True)
        versioned = [VERSION, "--no-git-tag-version", "--no-update-package-json"]
        aimed = ["--target", target.name] if target else []
        unseen = ["--allow-package-all-secrets", "--allow-package-env-file"] if target and not published else []
        plain = ["--no-dependencies", "--allow-missing-repository", "--out", str(goal)]
        subprocess.run(
            [str(_VSCE), "package", *versioned, *aimed, *unseen, *plain], cwd=staged, check=True, stdout=subprocess.PIPE
        )
    return goal
