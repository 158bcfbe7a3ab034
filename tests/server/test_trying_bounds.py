"""Trying other bounds of a kernel, by the user's word alone: what compilers made of them, as a table and as edits."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from urllib.parse import unquote, urlparse

import pytest

from tests.support import live

from .conftest import Start
from .pipe import CAPABILITIES, Message, Server, between
from .test_compiling import alive, stand_in, started, until

KERNEL = live(40) + "void go(float* p, int n) { live<<<64, 256>>>(p, p, n, n, n); }\n"
WORKSPACE: Message = {"configuration": True, "inlayHint": {"refreshSupport": True}}
FULL: Message = {**CAPABILITIES, "workspace": WORKSPACE, "window": {"workDoneProgress": True}}
AT = (0, KERNEL.index("live"))
LOG = """ptxas info    : Compiling entry function '_Z4livePKfPfiii' for 'sm_90'
ptxas info    : Function properties for _Z4livePKfPfiii
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 48 registers, used 0 barriers, 368 bytes cmem[0]
"""


@pytest.fixture(autouse=True)
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(tmp_path / "caches"))
    return tmp_path / "caches" / "occupancy-lsp" / "compiled"


def open_live(
    start: Start, tmp_path: Path, log: str = LOG, capabilities: Message = FULL, text: str = KERNEL
) -> tuple[Server, str]:
    """With a count of a build, and nothing set. Once the folder is read: until then other launches are possible."""
    root = tmp_path / "project"
    root.mkdir()
    (root / "live.cu").write_text(text)
    os.utime(root / "live.cu", (1_000_000_000, 1_000_000_000))
    (root / "live.ptxas.log").write_text(log)
    server, uri = start("--stdio"), (root / "live.cu").as_uri()
    server.answers["workspace/configuration"] = lambda params: [{} for _ in params["items"]]
    server.initialize(capabilities, [root])
    server.open(uri, text)
    server.wait(lambda it: it.get("method") == "$/progress" and it["params"]["value"]["kind"] == "end")
    until(lambda: ("62.5%" if log else "if ≤32 regs") in str(server.hints(uri)))
    return server, uri


def offered(server: Server, uri: str) -> list[Message]:
    where = {"textDocument": {"uri": uri}, "range": between(AT, AT), "context": {"diagnostics": []}}
    found: list[Message] = server.ask("textDocument/codeAction", where)
    return [it for it in found if re.search("bounds|__maxnreg__", it["title"].lower())]


def trying(server: Server, uri: str) -> None:
    (action,) = [it for it in offered(server, uri) if "command" in it]
    assert action["title"] == "Try 2 other bounds, (256, 6) to (256, 8): compile the kernel with each"
    assert action["command"]["arguments"] == [uri, "live"]
    server.ask("workspace/executeCommand", {key: action["command"][key] for key in ("command", "arguments")})


def hover(server: Server, uri: str) -> str:
    position = {"line": AT[0], "character": AT[1]}
    return str(server.ask("textDocument/hover", {"textDocument": {"uri": uri}, "position": position}))


def test_a_table_and_edits(start: Start, tmp_path: Path, caches: Path) -> None:
    server, uri = open_live(start, tmp_path)
    assert not caches.exists()  # nothing was compiled yet
    trying(server, uri)
    said = server.next("window/showMessage")
    assert said["message"].startswith("live: no other bounds do better without spills.") and said["type"] == 3
    titles = [it["title"] for it in offered(server, uri) if "edit" in it]
    assert len(titles) == 2 and all(len(it) <= 100 for it in titles)
    assert titles[0].startswith("Bounds (256, 6): 40 registers (now 48), 62.5% → 75%, spills ")
    assert "| (256, 8)  | 32        | 100%      |" in hover(server, uri)
    (edit,) = next(it for it in offered(server, uri) if it["title"] == titles[0])["edit"]["changes"][uri]
    assert edit["newText"] == "__launch_bounds__(256, 6) "
    # Of another text none of it holds; nor is it compiled anew.
    server.change(uri, {"range": between((4, 0), (4, 0)), "text": "    n += 0;\n"}, version=2)
    assert "(256, 8)" not in hover(server, uri)
    assert not [it for it in offered(server, uri) if "edit" in it and it["title"].startswith("Bounds")]


LAUNCHED = "void go(float* p, int n) { live<<<64, 256>>>(p, p, n, n, n); }\n"
GAINS = live(50) + LAUNCHED  # 72 registers; at (256, 4) 64 and no spills


@pytest.mark.parametrize(
    ("text", "choice", "titles"),
    [
        (GAINS, "Apply", ["Apply", "Show Table"]),
        (GAINS, "Show Table", ["Apply", "Show Table"]),
        (GAINS, None, ["Apply", "Show Table"]),
        (KERNEL, "Show Table", ["Show Table"]),
    ],
)
def test_a_client_with_the_panel_is_asked_what_to_do(
    start: Start, tmp_path: Path, text: str, choice: str | None, titles: list[str]
) -> None:
    server, uri = open_live(start, tmp_path, "", {**FULL, "experimental": {"occupancyPanel": True}}, text)
    asked: list[Message] = []
    shown: list[str] = []
    edits: list[Message] = []

    def answer(params: Message) -> Message | None:
        asked.append(params)
        return {"title": choice} if choice else None

    def show(params: Message) -> Message:
        shown.append(Path(unquote(urlparse(params["uri"]).path)).read_text())
        return {"success": True}

    def apply(params: Message) -> Message:
        edits.append(params["edit"]["changes"][uri])
        return {"applied": True}

    server.answers["window/showMessageRequest"] = answer
    server.answers["window/showDocument"] = show
    server.answers["workspace/applyEdit"] = apply
    server.ask("workspace/executeCommand", {"command": "occupancy.tryBounds", "arguments": [uri, "live"]})
    until(lambda: asked)
    assert asked[0]["message"].startswith("live: ") and [it["title"] for it in asked[0]["actions"]] == titles
    if choice == "Apply":
        until(lambda: edits)
        assert [it["newText"] for it in edits[0]] == ["__launch_bounds__(256, 4) "]
    if choice == "Show Table":
        until(lambda: shown)
        assert "(256, 8)" in shown[0]
    assert (len(edits), len(shown)) == (choice == "Apply", choice == "Show Table")
    assert not server.of("window/showMessage")


def test_by_a_line(start: Start, tmp_path: Path) -> None:
    """A kernel without a count has one then."""
    server, uri = open_live(start, tmp_path, log="")
    assert "if ≤32 regs" in str(server.hints(uri))
    (action,) = offered(server, uri)
    assert action["title"].startswith("Try other bounds: compile") and action["command"]["arguments"] == [uri, "live"]
    asked = {"command": "occupancy.tryBounds", "arguments": [uri, len(KERNEL.splitlines()) - 1]}
    server.ask("workspace/executeCommand", asked)  # of no kernel
    server.ask("workspace/executeCommand", {**asked, "arguments": [uri, 4]})
    assert server.next("window/showMessage")["message"].startswith("live: ")
    assert "62.5% · 5 blk/SM" in str(server.hints(uri))
    titles = [it["title"] for it in offered(server, uri)]
    assert len(titles) == 2 and all("registers (now 48)" in it for it in titles), titles


@pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a script")
def test_cancelled(start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It leaves nothing running, nothing shown, and can be tried again."""
    stand_in(tmp_path, monkeypatch)
    server, uri = open_live(start, tmp_path)
    trying(server, uri)
    running = started(tmp_path)
    token = [it["token"] for it in server.of("$/progress") if it["value"]["kind"] == "begin"][-1]
    server.notify("window/workDoneProgress/cancel", {"token": token})
    until(lambda: not any(map(alive, running)))
    until(lambda: server.hints(uri) and {"token": token, "value": {"kind": "end"}} in server.of("$/progress"))
    assert server.of("window/showMessage") == []
    trying(server, uri)
    assert all(map(alive, started(tmp_path)))
