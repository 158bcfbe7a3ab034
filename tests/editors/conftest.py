"""What editor tests need: the editors, the packaged extension, a workspace; and nothing they start outlives them."""

import os
import platform
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
EDITORS = Path(os.environ.get("OCCUPANCY_EDITORS") or CACHE / "occupancy-lsp-editors")

Bounded = Callable[[Sequence[object], float], str]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """These come first: they wait much, and take long, while other workers are busy with the rest."""
    here = f"{HERE}{os.sep}"
    for item in items:
        if str(item.path).startswith(here):
            item.add_marker(pytest.mark.editors)
    items.sort(key=lambda it: it.get_closest_marker("editors") is None)


@pytest.fixture(scope="session")
def editors() -> Path:
    missing = [name for name in ("vscode", "neovim", "helix", "terminal") if not list(EDITORS.glob(f"done/{name}-*"))]
    missing += [name for name in ("chromium", "emacs") if not shutil.which(name)]
    if missing:
        pytest.fail(f"the editors are not set up ({', '.join(missing)}): run tests/editors/setup.sh")
    sys.path.append(str(EDITORS / "terminal"))
    return EDITORS


@pytest.fixture(scope="session")
def server() -> list[str]:
    return [sys.executable, "-m", "occupancy_lsp"]


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of an editor that has no settings, and finds `occupancy-lsp` as an installed one is found."""
    commands = Path(sys.executable).parent
    assert (commands / "occupancy-lsp").is_file()
    kinds = ("CONFIG", "CACHE", "STATE", "DATA")
    own = {f"XDG_{kind}_HOME": str(tmp_path / kind.lower()) for kind in kinds}
    return {"PATH": f"{commands}{os.pathsep}{os.environ['PATH']}", "HOME": str(tmp_path), **own}


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    copy = Path(shutil.copytree(HERE / "workspace", tmp_path / "workspace"))
    (copy / ".git").mkdir()  # tells editors where the project begins
    return copy


@pytest.fixture(scope="session")
def screenshots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    chosen = os.environ.get("OCCUPANCY_SCREENSHOTS")
    folder = Path(chosen) if chosen else tmp_path_factory.mktemp("screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def vsix(bounded: Bounded) -> Path:
    bounded(["make", "-C", ROOT, "vsix"], 600)
    return ROOT / "vscode-extension" / "dist" / "occupancy-lsp.vsix"


@pytest.fixture(scope="session")
def own_vsix(bounded: Bounded) -> Path:
    """The one for this platform, with the server in it."""
    target = {"x86_64": "linux-x64", "aarch64": "linux-arm64"}[platform.machine()]
    bounded(["make", "-C", ROOT, f"vsix-{target}"], 600)
    return ROOT / "vscode-extension" / "dist" / f"occupancy-lsp-{target}.vsix"


@pytest.fixture(scope="session")
def bounded() -> Bounded:
    return run_bounded


def run_bounded(command: Sequence[object], seconds: float) -> str:
    """Runs a command in a process group of its own, and leaves nothing of the group behind.

    It writes to a file: of a pipe nobody would see the end as long as something that left the group holds it.
    """
    with tempfile.TemporaryFile() as written:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdout=written,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            pytest.fail(f"no end after {seconds} s: {process.args}\n{_text(written)}")
        finally:
            end_group(process.pid)
        assert process.returncode == 0, f"{process.args}\n{_text(written)}"
        return _text(written)


def _text(written: IO[bytes]) -> str:
    written.seek(0)
    return written.read().decode("utf-8", "replace")


def end_group(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)
