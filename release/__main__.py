"""`python -m release`: all that is published, into dist/release; `python -m release vsix [TARGET]`: one package."""

from __future__ import annotations

import argparse
import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

from release.bundle import ROOT
from release.contents import problems
from release.extension import EXTENSION, package
from release.targets import TARGETS, Target
from release.version import VERSION, unreleased

_WHEEL = ROOT / "dist" / f"occupancy_lsp-{VERSION}-py3-none-any.whl"
_RELEASE = ROOT / "dist" / "release"


def main() -> int:
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    commands = parser.add_subparsers(dest="command")
    one = commands.add_parser("vsix", help="one package of the VS Code extension, into its dist folder")
    one.add_argument("target", nargs="?", choices=TARGETS, help="default: the one that installs its server")
    parser.add_argument("--draft", action="store_true", help="whatever the change logs say")
    given = parser.parse_args()
    if given.command:
        return _vsix(TARGETS.get(given.target), EXTENSION / "dist")
    if not given.draft and (reasons := [*unreleased(ROOT)]):
        print(*reasons, sep="\n", file=sys.stderr)
        return 1
    return _release()


def _release() -> int:
    shutil.rmtree(_RELEASE, ignore_errors=True)
    _RELEASE.mkdir(parents=True)
    shutil.copy(_WHEEL, _RELEASE)
    subprocess.run(
        [sys.executable, "-m", "uv", "build", "--quiet", "--sdist", "--out-dir", _RELEASE], cwd=ROOT, check=True
    )
    if sum(_vsix(target, _RELEASE, published=True) for target in (None, *TARGETS.values())):
        return 1
    files = sorted(it for it in _RELEASE.iterdir() if it.suffix in (".whl", ".gz", ".vsix"))
    sums = [f"{hashlib.sha256(it.read_bytes()).hexdigest()}  {it.name}\n" for it in files]
    (_RELEASE / "SHA256SUMS").write_text("".join(sums), "utf-8")
    print("".join(sums), end="")
    return 0


def _vsix(target: Target | None, folder: Path, published: bool = False) -> int:
    """Builds it and tells what is in it."""
    name = (f"-{target.name}" if target else "") + (f"-{VERSION}" if published else "")
    built = package(target, _WHEEL, folder / f"occupancy-lsp{name}.vsix", published)
    wrong = [*problems(built, target, VERSION)] if target else []
    modules = f", {len(dict(target.modules()))} binary modules" if target else ""
    print(f"{built.relative_to(ROOT)}: {built.stat().st_size / 1e6:.1f} MB{modules}", *wrong, sep="\n  ", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
