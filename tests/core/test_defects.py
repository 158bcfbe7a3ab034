"""One defect of ours costs one kernel, or one file: all else is said as ever, and the defect is told."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

import pytest

from occupancy_lsp.cli.main import main
from occupancy_lsp.core.defects import Defect, attempt, told_to
from tests.server.conftest import Start, start  # noqa: F401 - a fixture
from tests.server.pipe import at

# Each kernel has a hint, an error at its launch, and a warning at its bounds.
SOURCE = """\
__global__ void __launch_bounds__(1024, 4) good(float *x) { x[0] = 1; }
__global__ void __launch_bounds__(1024, 4) bad(float *x) { x[0] = 1; }
void f(float *x) { good<<<1, 2048>>>(x); }
void g(float *x) { bad<<<1, 2048>>>(x); }
"""


@dataclass(frozen=True)
class Layer:
    """`function` fails where its argument at `index` has the word. The rest: what is left of the kernel `bad`."""

    function: str
    index: int = 0
    word: str = "name='bad'"
    hint: bool = False
    findings: tuple[str, ...] = ()
    hover: str = "could not be analysed: internal error (KeyError at "
    error: type[Exception] = KeyError


LAYERS = {
    "an item read": Layer("source.incremental.unread_item:read_item", word="4) bad("),
    "its names looked up": Layer("source.incremental.item_resolution:resolve_kernel", 2),
    "nested too deep": Layer(
        "source.incremental.item_resolution:resolve_kernel", 2, hover="(RecursionError at ", error=RecursionError
    ),
    "a report": Layer("session.reports:report"),
    "out of memory": Layer("session.reports:report", hover="(MemoryError at ", error=MemoryError),
    "a rule": Layer(
        "rules.launch_exceeds_bounds:_sizes", 0, "name='bad'", True, ("OCC001", "OCC102"), "**bad** cannot launch"
    ),
    "a hint": Layer("features.hints:kernel_label", 0, "name='bad'", False, ("OCC005", "OCC102"), "**bad** cannot"),
}
BREAKING = """
import importlib
module = importlib.import_module("occupancy_lsp.{module}")
was = getattr(module, "{name}")
def broken(*given, **named):
    if {word!r} in repr(given[{index}]):
        raise {error}("x")
    return was(*given, **named)
setattr(module, "{name}", broken)
"""


def breaking(layer: Layer) -> str:
    """A program that breaks a function of ours."""
    module, _, name = layer.function.partition(":")
    return BREAKING.format(module=module, name=name, index=layer.index, word=layer.word, error=layer.error.__name__)


Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(
    tmp_path: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Run:
    """The command line in this process, with a function of ours broken: its status, and what it printed."""
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):  # what was kept of the same text is not read again
        monkeypatch.setenv(name, str(tmp_path_factory.mktemp("cache")))
    monkeypatch.chdir(tmp_path)

    def run(layer: Layer, *arguments: str) -> tuple[int, str]:
        module, _, name = layer.function.partition(":")
        whole = import_module(f"occupancy_lsp.{module}")
        monkeypatch.setattr(whole, name, getattr(whole, name))  # is put back
        exec(breaking(layer), {})
        status = main(arguments)
        printed = capsys.readouterr()
        return status, printed.out + printed.err

    return run


@pytest.mark.parametrize("layer", LAYERS.values(), ids=LAYERS)
def test_one_kernel_is_lost(tmp_path: Path, run: Run, layer: Layer) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "b.cu").write_text(SOURCE.replace("bad", "fine"))
    status, printed = run(layer, "check", "--format", "json", ".")
    assert status == 2
    report = json.loads(printed)
    (problem,) = report["problems"]
    assert problem["path"] == "a.cu"
    assert problem["message"].startswith(f"internal error: {layer.error.__name__} at ")
    of_a, of_b = (file["findings"] for file in report["files"])
    assert [it["code"] for it in of_b] == ["OCC102", "OCC102", "OCC005", "OCC005"]
    assert [it["code"] for it in of_a if it["line"] in (1, 3)] == ["OCC102", "OCC005"]
    assert sorted(it["code"] for it in of_a if it["line"] in (2, 4)) == sorted(layer.findings)


def test_it_is_told_in_one_line(tmp_path: Path, run: Run) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "b.cu").write_text(SOURCE.replace("bad", "fine"))
    status, printed = run(LAYERS["a report"], "check", "--hints", "--fail-on", "never", ".")
    assert status == 2
    assert printed.count("no launch") == 3
    (line,) = (it for it in printed.splitlines() if "internal error" in it)
    assert re.fullmatch(r"internal error in a\.cu: KeyError at session/reports\.py:\d+, please report", line)


@pytest.mark.parametrize("layer", [LAYERS["an item read"], LAYERS["a report"], LAYERS["a rule"]])
def test_the_editor_keeps_the_rest(tmp_path: Path, start: Start, layer: Layer) -> None:  # noqa: F811
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text(breaking(layer))
    uri = (tmp_path / "a.cu").as_uri()
    server = start("--stdio", environment={"PYTHONPATH": str(tmp_path / "site")})
    server.initialize()
    server.open(uri, SOURCE)
    found = server.next("textDocument/publishDiagnostics", lambda it: it["uri"] == uri)["diagnostics"]
    assert [it["code"] for it in found if it["range"]["start"]["line"] in (0, 2)] == ["OCC102", "OCC005"]
    assert sorted(it["code"] for it in found if it["range"]["start"]["line"] in (1, 3)) == sorted(layer.findings)
    assert [it["position"]["line"] for it in server.hints(uri)] == ([0, 1] if layer.hint else [0])
    assert "**good** cannot launch" in server.ask("textDocument/hover", at(uri, 0, 44))["contents"]["value"]
    assert layer.hover in server.ask("textDocument/hover", at(uri, 1, 44))["contents"]["value"]
    for _ in range(3):
        server.change(uri, {"text": SOURCE})
        server.hints(uri)
    told = [it["message"] for it in server.of("window/logMessage") if "internal error" in it["message"]]
    assert len(told) == 1
    assert uri in told[0] and "Traceback" in told[0] and layer.error.__name__ in told[0]


def test_a_build_result_that_is_not_read(tmp_path: Path, run: Run) -> None:
    (tmp_path / ".occupancy.yaml").write_text("sidecars: ['*.log']\n")
    (tmp_path / "a.cu").write_text(SOURCE)
    log = "ptxas info    : Compiling entry function 'good' for 'sm_90'\nptxas info    : Used 40 registers\n"
    (tmp_path / "one.log").write_text(log)
    (tmp_path / "two.occupancy.yaml").write_text("kernels: {bad: {registers: 41}}\n")
    status, printed = run(Layer("counts.formats.ptxas:read", 1, "one.log"), "check", "--format", "json", ".")
    assert status == 2
    report = json.loads(printed)
    assert {(it["path"], it["message"].partition(" at ")[0]) for it in report["problems"]} == {
        ("one.log", "internal error: KeyError"),
        ("one.log", "internal error (KeyError"),
    }
    counts = [kernel["on"][0]["inputs"]["registers"]["lowest"] for kernel in report["files"][0]["kernels"]]
    assert counts == [None, 41]


@pytest.mark.parametrize("command", ["check", "kernels", "doctor"])
def test_a_file_that_fails_as_a_whole(tmp_path: Path, run: Run, command: str) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "b.cu").write_text(SOURCE.replace("bad", "fine"))
    status, printed = run(Layer("source.incremental.file_summary:_gather_file_facts"), command, ".")
    assert status == 2
    assert re.search(
        r"internal error in a\.cu: KeyError at source/incremental/file_summary\.py:\d+, please report", printed
    )
    assert "b.cu:1" in printed


def test_a_defect_outside_of_any_file(run: Run) -> None:
    status, printed = run(Layer("cli.commands.devices:_units", word=""), "devices")
    assert status == 2
    (line,) = printed.splitlines()
    assert re.fullmatch(r"occupancy-lsp: error: internal error \(KeyError at cli/.*:\d+\), please report", line)


def test_where_nobody_listens_a_failure_is_raised() -> None:
    def fail() -> int:
        raise KeyError("x")

    with pytest.raises(KeyError):
        attempt(fail)
    told: list[Defect] = []
    with told_to(told.append):
        assert attempt(lambda: 1) == 1
        assert isinstance(attempt(fail), Defect)
    assert len(told) == 1 and told[0].what.startswith("KeyError at ")
    assert "in fail" in told[0].story
