"""Compiling on save: off by itself, and then from a range to a figure. Real compilers."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from compile.hostile import write_workspace

from .conftest import Start
from .pipe import CAPABILITIES, Message, Server, between

KERNEL = "__global__ void __launch_bounds__(1024) scale(float *x) { x[threadIdx.x] *= 2; }\n"
WORKSPACE: Message = {"configuration": True, "inlayHint": {"refreshSupport": True}}
FULL: Message = {**CAPABILITIES, "workspace": WORKSPACE, "window": {"workDoneProgress": True}}
COUNTED = "100% at 1024 · 2 blk/SM"
# A stand-in for a compiler that hangs, and says that it has started.
HANGS = """#!/bin/sh
sleep 600 &
echo $$ $! > pids.part
mv pids.part pids
wait
"""


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "caches"))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "scale.cu").write_text(KERNEL)
    return folder


def open_kernel(start: Start, root: Path, capabilities: Message = FULL, **settings: object) -> tuple[Server, str]:
    server = start("--stdio")
    server.answers["workspace/configuration"] = lambda params: [dict(settings) for _ in params["items"]]
    server.initialize(capabilities, [root])
    uri = (root / "scale.cu").as_uri()
    server.open(uri, KERNEL)
    server.wait(lambda m: m.get("method") == "workspace/inlayHint/refresh")
    return server, uri


def save(server: Server, uri: str) -> None:
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})


def label(server: Server, uri: str) -> str:
    (hint,) = server.hints(uri)
    return str(hint["label"])


def until(found: Any) -> None:
    for _ in range(1000):
        if found():
            return
        time.sleep(0.02)
    raise AssertionError("never came")


def test_off_by_itself(start: Start, root: Path, tmp_path: Path) -> None:
    server, uri = open_kernel(start, root)
    before = label(server, uri)
    save(server, uri)
    assert label(server, uri) == before
    assert not (tmp_path / "caches" / "occupancy-lsp" / "compiled").exists()


def test_a_workspace_cannot_switch_it_on(start: Start, root: Path, tmp_path: Path) -> None:
    (root / ".occupancy.yaml").write_text("compile: on-save\n")
    server, uri = open_kernel(start, root)
    faults = server.next("textDocument/publishDiagnostics", lambda p: p["uri"].endswith(".yaml") and p["diagnostics"])
    assert "compile" in faults["diagnostics"][0]["message"]
    save(server, uri)
    label(server, uri)
    assert not (tmp_path / "caches" / "occupancy-lsp" / "compiled").exists()


def test_a_range_becomes_a_figure(start: Start, root: Path) -> None:
    server, uri = open_kernel(start, root, compile="on-save")
    before = label(server, uri)
    save(server, uri)
    until(lambda: label(server, uri) != before)
    assert before == "≥50% at 1024 · regs ≤64"
    assert label(server, uri) == COUNTED
    shown = [m["value"] for m in server.of("$/progress")]
    titles = [it["title"] for it in shown if it["kind"] == "begin"]
    assert "Occupancy: compiling" in titles
    steps = {f"scale.cu: {it}" for it in ("preprocessing", "nvcc", "ptxas")}
    assert {it.get("message") for it in shown if it["kind"] == "report"} >= steps
    assert len([it for it in shown if it["kind"] == "end"]) == len(titles)


def test_a_failure_is_one_quiet_line(start: Start, root: Path) -> None:
    (root / "scale.cu").write_text("\n" + KERNEL.replace("*= 2", "*= unheard_of"))
    server, uri = open_kernel(start, root, compile="on-save")
    save(server, uri)
    said = server.next("window/logMessage", lambda params: "not compiled" in params["message"])
    assert said["type"] == 3
    assert said["message"].startswith(f"{root / 'scale.cu'}:2:")
    assert "unheard_of" in said["message"]
    assert server.of("window/showMessage") == []


def test_hostile_compile_commands(start: Start, root: Path, tmp_path: Path) -> None:
    """Some files are saved, and compiled as their commands say: with what is harmless of it."""
    sources = write_workspace(root, tmp_path / "canary")[::6]
    server, _ = open_kernel(start, root, compile="on-save")
    for it in sources:
        server.open(it.as_uri(), it.read_text(), "hip" if it.suffix == ".hip" else "cuda-cpp")
        save(server, it.as_uri())
    for it in sources:
        server.next(
            "window/logMessage",
            lambda said, name=it.name: "not compiled" in said["message"] and name in said["message"],
        )
    assert not (tmp_path / "canary").exists()


def all_in(told: set[str], sources: list[Path]) -> bool:
    """Whether each of the sources was begun."""
    return all(any(f"{it.name}:" in said for said in told) for it in sources)


def stand_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On the PATH before the real one."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "nvcc").write_text(HANGS)
    (folder / "nvcc").chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join([str(folder), os.environ["PATH"]]))
    monkeypatch.delenv("CUDA_PATH", raising=False)
    monkeypatch.delenv("CUDA_HOME", raising=False)


def alive(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def started(tmp_path: Path) -> list[int]:
    """A compiler can write to its own folder only."""
    found: list[Path] = []
    until(lambda: found.extend((tmp_path / "caches").rglob("pids")) or found)
    numbers = [int(it) for it in found[0].read_text().split()]
    found[0].unlink()
    return numbers


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_the_next_save_starts_anew(start: Start, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(tmp_path, monkeypatch)
    server, uri = open_kernel(start, root, compile="on-save")
    save(server, uri)
    first = started(tmp_path)
    save(server, uri)
    second = started(tmp_path)
    until(lambda: not any(map(alive, first)))
    assert all(map(alive, second))
    token = [m["token"] for m in server.of("$/progress") if m["value"]["kind"] == "begin"][-1]
    server.notify("window/workDoneProgress/cancel", {"token": token})
    until(lambda: not any(map(alive, second)))


def compiling_steps(server: Server) -> list[Message]:
    """Of the bar, from its beginning to its end."""
    told = server.of("$/progress")
    tokens = {it["token"] for it in told if "compiling" in it["value"].get("title", "")}
    return [it["value"] for it in told if it["token"] in tokens]


def test_saving_all_compiles_one_after_the_other(start: Start, root: Path) -> None:
    server, _ = open_kernel(start, root, compile="on-save")
    uris = []
    for name in ("a.cu", "b.cu", "c.cu"):
        (root / name).write_text(KERNEL)
        uris.append((root / name).as_uri())
        server.open(uris[-1], KERNEL)
    for uri in uris:
        save(server, uri)
    until(lambda: all(label(server, uri) == COUNTED for uri in uris))
    until(lambda: compiling_steps(server)[-1]["kind"] == "end")
    steps = compiling_steps(server)
    assert [it["kind"] for it in steps if it["kind"] != "report"] == ["begin", "end"]
    names = [it["message"].split(", ")[-1].split(":")[0] for it in steps if it["kind"] == "report"]
    assert list(dict.fromkeys(names)) == ["a.cu", "b.cu", "c.cu"] and names == sorted(names)
    assert "2 of 3 files, c.cu: ptxas" in [it.get("message") for it in steps]


def test_what_is_opened(start: Start, root: Path) -> None:
    """And nothing but: nobody has asked for the workspace."""
    (root / "other.cu").write_text(KERNEL)
    server, uri = open_kernel(start, root, compile="on")
    until(lambda: label(server, uri) == COUNTED)
    server.open((root / "other.cu").as_uri(), KERNEL)
    until(lambda: label(server, (root / "other.cu").as_uri()) == COUNTED)
    assert not [it for it in compiling_steps(server) if "of 2" in it.get("message", "")]


def test_the_workspace(start: Start, root: Path) -> None:
    """What is open comes first; a header's kernels are counted in a source that includes it; a fault costs its file."""
    (root / "bad.cu").write_text("\n" + KERNEL.replace("*= 2", "*= unheard_of"))
    (root / "host.cpp").write_text("int main() {}\n")
    header = "template <int N> __global__ void __launch_bounds__(1024) inner(float *x) { x[threadIdx.x] *= N; }\n"
    (root / "inner.cuh").write_text(header)
    (root / "user.cu").write_text('#include "inner.cuh"\nvoid f(float *x) { inner<4><<<1, 1024>>>(x); }\n')
    server, uri = open_kernel(start, root, compile="workspace")
    server.next("window/logMessage", lambda said: "bad.cu:2" in said["message"])
    until(lambda: label(server, uri) == COUNTED)
    until(lambda: compiling_steps(server)[-1]["kind"] == "end")
    server.open((root / "inner.cuh").as_uri(), header)
    assert label(server, (root / "inner.cuh").as_uri()) == COUNTED
    names = [it["message"].split(", ")[-1].split(":")[0] for it in compiling_steps(server) if it["kind"] == "report"]
    assert list(dict.fromkeys(names)) == ["scale.cu", "bad.cu", "user.cu"]


def test_a_text_at_rest_is_compiled_without_being_saved(start: Start, root: Path) -> None:
    """Its header stands beside the file, not beside the text; what was compiled goes when the text does."""
    (root / "times.h").write_text("#define TIMES 2\n")
    server, uri = open_kernel(start, root, compile="on")
    until(lambda: label(server, uri) == COUNTED)
    bounds = "__launch_bounds__(512)"
    typed = '#include "times.h"\n' + KERNEL.replace("__launch_bounds__(1024)", bounds).replace("*= 2", "*= TIMES + 1")
    server.change(uri, {"text": typed}, version=2)
    assert "stale" in label(server, uri)
    until(lambda: label(server, uri) == "100% at 512 · 4 blk/SM")
    server.change(uri, {"text": typed + "\n// a comment\nint other = 1;\n"}, version=3)
    assert label(server, uri) == "100% at 512 · 4 blk/SM"
    server.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    server.open(uri, typed)
    assert label(server, uri) != "100% at 512 · 4 blk/SM"
    assert (root / "scale.cu").read_text() == KERNEL
    assert not [it for it in server.of("window/logMessage") if "not compiled" in it["message"]]


def test_a_kernel_that_was_edited_is_compiled_alone(start: Start, root: Path) -> None:
    """The other's count stays as it is, and so does what is said of it."""
    other = KERNEL.replace("scale", "other").replace("1024", "256")
    (root / "scale.cu").write_text(KERNEL + other)
    server, uri = open_kernel(start, root, compile="on")
    server.change(uri, {"text": KERNEL + other}, version=2)

    def labels() -> list[str]:
        return [str(it["label"]) for it in server.hints(uri)]

    until(lambda: labels() == [COUNTED, "100% at 256 · 8 blk/SM"])
    server.change(uri, {"text": KERNEL + other.replace("256", "512")}, version=3)
    assert labels()[0] == COUNTED and "stale" in labels()[1]
    until(lambda: labels() == [COUNTED, "100% at 512 · 4 blk/SM"])
    places = [{"line": line, "character": KERNEL.index("scale")} for line in (0, 1)]
    hovers = [server.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": it}) for it in places]
    assert ["only what its kernels need" in str(it) for it in hovers] == [False, True]


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_nothing_runs_on_after_the_server(
    start: Start, root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(tmp_path, monkeypatch)
    server, uri = open_kernel(start, root, compile="on-save")
    save(server, uri)
    running = started(tmp_path)
    server.ask("shutdown")
    server.notify("exit")
    until(lambda: not any(map(alive, running)))


def test_an_extension_is_told_what_has_no_count(start: Start, root: Path) -> None:
    """Not before the build results are known; and what would compile it."""
    server, uri = open_kernel(start, root)
    until(lambda: server.ask("occupancy/status", {"uri": uri})["uncounted"] == 1)
    offer = server.ask("occupancy/compiler", {"uri": uri})
    assert Path(offer["compiler"]).name.startswith("nvcc") and offer["wheels"] == "nvidia"


@pytest.mark.skipif(sys.platform == "win32", reason="the program is a shell script")
def test_the_machines_devices(
    start: Start, root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On request, from a tool outside the workspace alone; the one inside, which is first on the PATH, would lie."""
    outside = tmp_path_factory.mktemp("tools")
    for folder, name in ((root, "NVIDIA H100 PCIe"), (outside, "NVIDIA GeForce RTX 4090 Laptop GPU")):
        tool = folder / "nvidia-smi"
        tool.write_text(f"#!/bin/sh\necho 'GPU 0: {name} (UUID: GPU-2f1b)'\n")
        tool.chmod(0o755)
    monkeypatch.setenv("PATH", os.pathsep.join((str(root), str(outside), os.environ["PATH"])))
    server, _ = open_kernel(start, root)
    seen = {"name": "NVIDIA GeForce RTX 4090 Laptop GPU", "tool": "nvidia-smi", "devices": ["rtx-4090-laptop"]}
    assert server.ask("occupancy/detect", {}) == [seen]


def test_commands(start: Start, root: Path) -> None:
    """The user's own word is leave enough, whatever the settings say."""
    (root / "other.cu").write_text(KERNEL)
    server, uri = open_kernel(start, root)
    server.ask("workspace/executeCommand", {"command": "occupancy.compileFile", "arguments": [uri]})
    until(lambda: label(server, uri) == COUNTED)
    server.ask("workspace/executeCommand", {"command": "occupancy.compileWorkspace", "arguments": []})
    server.open((root / "other.cu").as_uri(), KERNEL)
    until(lambda: label(server, (root / "other.cu").as_uri()) == COUNTED)
    text = server.ask("workspace/executeCommand", {"command": "occupancy.showCompilation", "arguments": [uri]})
    assert text.startswith("How scale.cu is compiled for H100 SXM5 (sm_90)\n") and "nvcc" in text
    assert text.rstrip().endswith("compiled here with the compiler's defaults, for no build file tells its flags")


def test_code_actions_compile_the_file(start: Start, root: Path) -> None:
    """On the kernel's name, as long as it has no count; afterwards only how it was compiled is shown."""
    text = "Show charts and limits as text"
    tried = "Try other bounds: compile the kernel as it is, then with those that may help"

    def offered() -> dict[str, Message]:
        where = {"textDocument": {"uri": uri}, "range": between((0, 41), (0, 41)), "context": {"diagnostics": []}}
        found = [it.get("command") for it in server.ask("textDocument/codeAction", where)]
        return {it["title"]: it for it in found if it and it["command"] != "occupancy.selectDevice"}

    server, uri = open_kernel(start, root)
    assert list(offered()) == [tried, text, "Compile this file now", "Show how it was compiled"]
    now = offered()["Compile this file now"]
    assert now["arguments"] == [uri]
    server.ask("workspace/executeCommand", {"command": now["command"], "arguments": now["arguments"]})
    until(lambda: label(server, uri) == COUNTED)
    assert list(offered()) == [text, "Show how it was compiled"]
