"""Everything that was seen to go wrong around pygls, and what clients send that they should not."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from .conftest import Start
from .pipe import CAPABILITIES, COMMAND, PATIENCE, Server, at, between, edit, frame

URI = "file:///nowhere/kernel.cu"
KERNEL = "__global__ void __launch_bounds__(256) scale(float *x) { x[0] *= 2; }\n"


def names_kernel(server: Server, line: int, character: int) -> bool:
    """True if the server finds the kernel's name there: its text is what the client thinks it is."""
    hover = server.ask("textDocument/hover", at(URI, line, character))
    return bool(hover) and hover["range"]["start"] == {"line": line, "character": character}


@pytest.mark.parametrize("character", ["\f", "\v", "\x85", "\u2028", "\x1c", "\0"])
def test_only_line_breaks_end_lines(server: Server, character: str) -> None:
    server.open(URI, f"// a{character}b\n//\n{KERNEL}")
    server.change(URI, edit((1, 2), (1, 2), "\n"))
    assert names_kernel(server, 3, KERNEL.index("scale"))


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"])
def test_every_line_break_ends_a_line(server: Server, ends: str) -> None:
    server.open(URI, ends.join(["// a", "// b", KERNEL]))
    server.change(URI, edit((1, 4), (1, 4), f"{ends}//"))
    assert names_kernel(server, 3, KERNEL.index("scale"))


def test_edits_out_of_range_are_moved_into_it(server: Server) -> None:
    server.open(URI, "//")
    server.change(URI, edit((0, 99), (0, 99), "\n"), version=7)
    server.change(URI, edit((50, 3), (2**31 - 1, 2**31 - 1), KERNEL), version=3)
    assert names_kernel(server, 1, KERNEL.index("scale"))


def test_reversed_and_overlapping_edits(server: Server) -> None:
    server.open(URI, "// abc\n" + KERNEL)
    server.change(URI, edit((0, 6), (0, 3), ""), edit((0, 0), (0, 3), ""), edit((0, 0), (0, 1), "//"))
    server.change(URI, {"text": KERNEL}, edit((0, 0), (0, 0), "\n\n"))
    assert names_kernel(server, 2, KERNEL.index("scale"))


def test_half_a_surrogate_pair(server: Server) -> None:
    server.open(URI, "")
    server.send(frame(json.dumps({"jsonrpc": "2.0", "method": "textDocument/didChange", "params": {
        "textDocument": {"uri": URI, "version": 1},
        "contentChanges": [{"text": f"/* \ud83d \udc00x */ {KERNEL}"}],
    }}).encode()))  # fmt: skip
    assert names_kernel(server, 0, 11 + KERNEL.index("scale"))


def test_documents_that_are_not_open(server: Server) -> None:
    server.change("file:///never/opened.cu", edit((0, 0), (0, 0), "x"))
    server.notify("textDocument/didClose", {"textDocument": {"uri": "file:///never/opened.cu"}})
    server.notify("textDocument/didSave", {"textDocument": {"uri": "untitled:Untitled-1"}})
    assert server.ask("textDocument/hover", at("file:///never/opened.cu", 0, 0)) is None
    assert server.hints("git:/x.cu?%7B%7D") == []
    assert server.ask("inlayHint/resolve", {"label": "x", "position": {"line": 0, "character": 0}, "data": 7})
    server.open("untitled:Untitled-1", KERNEL)
    server.open("file:///with%00nul.cu", KERNEL)
    server.open("", KERNEL)
    server.open(URI, KERNEL)
    server.open(URI, KERNEL)
    assert server.hints("untitled:Untitled-1")
    assert len(server.hints(URI)) == len(server.hints("file:///with%00nul.cu")) == 1


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/hover", {"textDocument": {"uri": URI}}),
        ("textDocument/hover", [1, 2]),
        ("textDocument/hover", {**at(URI, -1, 0)}),
        ("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": 5}),
        (
            "textDocument/codeAction",
            {
                "textDocument": {"uri": URI},
                "range": between((0, 0), (0, 0)),
                "context": {"diagnostics": [], "triggerKind": 77},
            },
        ),
        ("workspace/executeCommand", {"command": "occupancy.unknown"}),
        ("occupancy/status", {"url": 1}),
        ("occupancy/status", None),
    ],
)
def test_a_request_that_cannot_be_read_is_answered(server: Server, method: str, params: object) -> None:
    assert server.response(server.request(method, params))["error"]["code"] == -32602
    assert not server.of("window/showMessage")


def test_a_notification_that_cannot_be_read_is_logged_once(server: Server) -> None:
    for _ in range(3):
        server.notify("textDocument/didOpen", {"textDocument": {"uri": URI}})
    assert "didOpen" in server.next("window/logMessage")["message"]
    server.ask("occupancy/devices")
    assert len(server.of("window/logMessage")) == 1
    assert not server.of("window/showMessage")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"not json", -32700),
        (b"", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"7", -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": [1], "method": "shutdown"}', -32600),
    ],
)
def test_a_message_that_is_none(server: Server, body: bytes, code: int) -> None:
    server.send(frame(body))
    assert server.response(None)["error"]["code"] == code
    server.ask("occupancy/devices")


def test_requests_in_their_time(start: Start) -> None:
    server = start()
    assert server.response(server.request("textDocument/hover", at(URI, 0, 0)))["error"]["code"] == -32002
    server.open(URI, KERNEL)
    server.initialize()
    assert server.response(server.request("initialize", {"capabilities": {}}))["error"]["code"] == -32600
    assert server.response(server.request("no/such", {}))["error"]["code"] == -32601
    server.ask("shutdown")
    assert server.response(server.request("textDocument/hover", at(URI, 0, 0)))["error"]["code"] == -32600
    server.notify("exit")
    assert server.process.wait(PATIENCE) == 0


def test_capabilities_of_a_newer_protocol(start: Start) -> None:
    server = start()
    text_document = {
        **CAPABILITIES["textDocument"],
        "completion": {"completionItem": {"tagSupport": {"valueSet": [99]}}},
    }
    server.initialize({**CAPABILITIES, "textDocument": text_document, "notebookDocument": "?", "general": 1})
    server.open(URI, KERNEL)
    assert names_kernel(server, 0, KERNEL.index("scale"))


def test_a_nested_jsonrpc_key_is_data(server: Server) -> None:
    params = {"command": "occupancy.selectDevice", "arguments": [{"jsonrpc": "2.0", "id": 1, "method": "initialize"}]}
    assert server.ask("workspace/executeCommand", params) is None


def test_frames_out_of_step(server: Server) -> None:
    body = json.dumps({"jsonrpc": "2.0", "id": "last", "method": "occupancy/devices"}).encode()
    server.send(b"stray line\r\n\r\nContent-Length: x\r\n\r\n")
    server.send(b"Content-Length: 4\r\n\r\nnull, and more than announced")
    server.send(b"content-length:%d\r\nX-Other: 1\r\n\r\n" % len(body) + body[:5])
    server.send(body[5:])
    assert server.response("last")["result"]


def test_leaving_without_shutdown(start: Start) -> None:
    server = start()
    server.initialize()
    server.notify("exit")
    assert server.process.wait(PATIENCE) == 1


def test_settings_with_thousands_of_entries(start: Start, tmp_path: Path) -> None:
    """Whoever wrote them, the editor gets its hints: each name of no device took 20 ms, each glob 0.1 ms for a file."""
    devices = ", ".join(["h100", *(f"gpu{it}" for it in range(9_000)), *["gpu1"] * 9_000])
    each = {
        "budgets": "".join(f"  k{it}: {{registers: 64, devices: [one{it}]}}\n" for it in range(2_000)),
        "languages": "".join(f"  '*{it}x*.inc': cuda\n" for it in range(5_000)),
        "macros": "".join(f"  N{it}: N{it + 1}\n" for it in range(5_000)),
    }
    sections = "".join(f"{name}:\n{lines}" for name, lines in each.items())
    (tmp_path / ".occupancy.yaml").write_text(f"devices: [{devices}]\n{sections}")
    server = start()
    server.initialize(folders=[tmp_path])
    uri = (tmp_path / "k.cu").as_uri()
    server.open(uri, KERNEL)
    assert server.hints(uri)
    told = server.next("textDocument/publishDiagnostics", lambda it: it["uri"].endswith(".occupancy.yaml"))
    said = " ".join(it["message"] for it in told["diagnostics"])
    for first in (
        "first 64 of 9,001 devices",
        "macros: only the first 1,000 of 5,000",
        "languages: only the first 100 of",
    ):
        assert first in said


@pytest.mark.parametrize("last", [b"", b"Content-Len", b"Content-Length: 500\r\n\r\n{", b"\0" * 100])
def test_input_that_ends(server: Server, last: bytes) -> None:
    server.send(last)
    server.wire.close()
    assert server.process.wait(PATIENCE) == 1


def test_clean_leave(server: Server) -> None:
    server.open(URI, KERNEL)
    assert server.leave() == 0
    assert server.stderr() == b""


@pytest.mark.skipif(sys.platform == "win32", reason="pipes are passed by number")
@pytest.mark.parametrize("told", ["initialize", "--clientProcessId"])
def test_the_editor_dies_while_its_pipes_stay_open(tmp_path: Path, told: str) -> None:
    arguments = ["--clientProcessId", "{pid}"] if told.startswith("--") else []
    editor = textwrap.dedent(f"""
        import json, os, subprocess, sys, time
        (a, b), (c, d) = os.pipe(), os.pipe()
        quiet = {{"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}}
        keeper = subprocess.Popen(["sleep", "60"], pass_fds=(b, c), **quiet)
        arguments = [x.format(pid=os.getpid()) for x in {arguments!r}]
        server = subprocess.Popen({COMMAND!r} + arguments, stdin=a, stdout=d, stderr=subprocess.DEVNULL)
        params = {{"processId": {"os.getpid()" if not arguments else "None"}, "rootUri": None, "capabilities": {{}}}}
        body = json.dumps({{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}}).encode()
        os.write(b, b"Content-Length: %d\\r\\n\\r\\n" % len(body) + body)
        os.read(c, 10)
        time.sleep(0.5)
        print(server.pid, keeper.pid, flush=True)
        os._exit(0)
    """)
    out = subprocess.run([sys.executable, "-c", editor], cwd=tmp_path, capture_output=True, text=True, check=True)
    server, keeper = (psutil.Process(int(pid)) for pid in out.stdout.split())
    try:
        psutil.wait_procs([server], timeout=PATIENCE)
        assert not server.is_running() or server.status() == psutil.STATUS_ZOMBIE
    finally:
        keeper.kill()
        if server.is_running():
            server.kill()


# Python imports it at start. It prints, and lets a child read, from within the server's loop.
PRINTER = """
import asyncio, os, subprocess
handle = asyncio.events.Handle._run
def noisy(self):
    print("stray", flush=True)
    os.write(1, b"raw")
    subprocess.run(["cat"])
    asyncio.events.Handle._run = handle
    return handle(self)
asyncio.events.Handle._run = noisy
"""


def test_prints_do_not_reach_the_client(start: Start, tmp_path: Path) -> None:
    (tmp_path / "noise").mkdir()
    (tmp_path / "noise" / "sitecustomize.py").write_text(PRINTER)
    server = start(environment={"PYTHONPATH": f"{tmp_path / 'noise'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"})
    server.initialize()
    server.open(URI, KERNEL)
    assert server.hints(URI)
    assert server.leave() == 0
    assert b"stray" in server.stderr()


def test_a_defect_in_the_engine_is_said_once(start: Start, tmp_path: Path) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "from occupancy_lsp.features import diagnostics, hints, hover\n"
        "def fail(*arguments):\n    raise RuntimeError('a defect')\n"
        "diagnostics.diagnostics = hover.hover = hints.tooltip = fail\n"
    )
    server = start(environment={"PYTHONPATH": f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"})
    server.initialize()
    server.open(URI, KERNEL)
    for version in range(1, 4):
        server.change(URI, edit((1, 0), (1, 0), "//"), version=version)
        assert server.ask("textDocument/hover", at(URI, 0, KERNEL.index("scale"))) is None
        server.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
    (hint,) = server.hints(URI)
    assert server.ask("inlayHint/resolve", hint) == hint
    logged = server.of("window/logMessage")
    assert len(logged) == 3
    assert all("a defect" in params["message"] and params["type"] == 1 for params in logged)
    assert not server.of("window/showMessage")
    assert server.leave() == 0


def test_cancelling_what_has_been_answered(server: Server) -> None:
    server.open(URI, KERNEL)
    for _ in range(3):
        server.notify("$/cancelRequest", {"id": server.request("textDocument/hover", at(URI, 0, 0))})
    server.notify("$/cancelRequest", {"id": "never sent"})
    assert server.leave() == 0
    assert server.stderr() == b""


def test_cancellations_that_cannot_be_read(server: Server) -> None:
    for number in ([1], {}, None, 1.5, True):
        server.notify("$/cancelRequest", {"id": number})
    for params in ({}, [], None, 7):
        server.notify("$/cancelRequest", params)
    assert server.leave() == 0
    assert server.stderr() == b""


def test_messages_of_the_wrong_kind(server: Server) -> None:
    for method in ("textDocument/didOpen", "$/cancelRequest", "exit", "initialized", "$/progress"):
        assert server.response(server.request(method, {}))["error"]["code"] in (-32600, -32601)
    server.notify("textDocument/hover", at(URI, 0, 0))
    server.notify("shutdown")
    for token in ([], {}, None, 1.5):
        server.notify("window/workDoneProgress/cancel", {"token": token})
    server.post({"jsonrpc": "2.0", "id": "nobody asked", "result": {}, "error": {}})
    server.post({"jsonrpc": "2.0", "id": [], "error": None})
    hover = {"jsonrpc": "2.0", "id": "x", "method": "textDocument/hover", "params": at(URI, 0, 0)}
    server.post({**hover, "error": {}, "result": 1})
    assert server.response("x")["result"] is None
    assert server.leave() == 0
    assert server.stderr() == b""


def test_a_request_that_waits_can_be_cancelled_but_not_answered_by_the_client(server: Server) -> None:
    server.answers["window/showMessageRequest"] = lambda params: NotImplemented
    asked = server.request("workspace/executeCommand", {"command": "occupancy.selectDevice"})
    server.next("window/showMessageRequest")
    server.post({"jsonrpc": "2.0", "id": asked, "result": "h100"})
    server.ask("occupancy/devices")
    assert not [it for it in server.received if it.get("id") == asked]
    server.notify("$/cancelRequest", {"id": asked})
    assert server.response(asked)["error"]["code"] == -32800


def test_what_comes_back_is_json_or_an_error(server: Server) -> None:
    server.open(URI, KERNEL)
    for n, data in enumerate(["NaN", "-Infinity", "1e999", "[" * 900 + "]" * 900]):
        hint = f'{{"label": "x", "position": {{"line": 0, "character": 0}}, "data": {{"uri": "{URI}", "x": {data}}}}}'
        body = f'{{"jsonrpc": "2.0", "id": "{n}", "method": "inlayHint/resolve", "params": {hint}}}'
        server.send(frame(body.encode()))
        answer = server.response(str(n))
        assert ("result" in answer) != ("error" in answer)
        assert not any(word in json.dumps(answer.get("result")) for word in ("NaN", "Infinity"))


COUNTER = """
from occupancy_lsp.features import hover
real = hover.hover
def counted(*arguments):
    with open({path!r}, "ab") as file:
        file.write(b".")
    return real(*arguments)
hover.hover = counted
"""


def counting_hovers(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A file that gets a byte for each hover worked out, and the environment for a server that does so."""
    count = tmp_path / "count"
    count.touch()
    (tmp_path / "counter").mkdir()
    (tmp_path / "counter" / "sitecustomize.py").write_text(COUNTER.format(path=str(count)))
    return count, {"PYTHONPATH": f"{tmp_path / 'counter'}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"}


def test_what_the_client_no_longer_wants_is_not_worked_out(start: Start, tmp_path: Path) -> None:
    count, environment = counting_hovers(tmp_path)
    server = start(environment=environment)
    server.initialize()
    server.open(URI, KERNEL)
    where = at(URI, 0, KERNEL.index("scale"))
    server.ask("textDocument/hover", where)
    assert count.stat().st_size == 1
    hover = {"jsonrpc": "2.0", "method": "textDocument/hover", "params": where}
    cancel = {"jsonrpc": "2.0", "method": "$/cancelRequest"}
    pairs = (({**hover, "id": n}, {**cancel, "params": {"id": n}}) for n in range(10_000, 14_000))
    server.send(b"".join(frame(json.dumps(message).encode()) for pair in pairs for message in pair))
    server.ask("occupancy/devices")
    answers = {it["id"]: it for it in server.received if it.get("id", 0) in range(10_000, 14_000)}
    assert len(answers) == 4000
    worked_out = sum("result" in it for it in answers.values())
    assert worked_out == count.stat().st_size - 1
    # One may be at work while the next of what was sent is read: 64 KiB at a time.
    assert worked_out <= 40
    assert {it["error"]["code"] for it in answers.values() if "error" in it} == {-32800}


@pytest.mark.skipif(sys.platform == "win32", reason="a pipe's end is found out otherwise")
def test_an_editor_that_no_longer_listens(start: Start, tmp_path: Path) -> None:
    """Its end of the server's output is closed, and it still writes: the server leaves, and says nothing of it."""
    count, environment = counting_hovers(tmp_path)
    server = start(environment=environment)
    server.initialize()
    server.open(URI, KERNEL)
    server.hints(URI)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), server.source.fileno())
    hover = {"jsonrpc": "2.0", "id": 1, "method": "textDocument/hover", "params": at(URI, 0, KERNEL.index("scale"))}
    with suppress(BrokenPipeError):
        server.send(frame(json.dumps(hover).encode()) * 2000)
    assert server.process.wait(PATIENCE) == 1
    assert server.stderr() == b""
    assert count.stat().st_size < 100


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be deleted there")
def test_a_folder_that_is_deleted(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    (gone / "a.cu").write_text(KERNEL)
    server = Server(gone)
    try:
        server.initialize(folders=[gone])
        server.open((gone / "a.cu").as_uri(), KERNEL)
        assert len(server.hints((gone / "a.cu").as_uri())) == 1
        (gone / "a.cu").unlink()
        gone.rmdir()
        server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": gone.as_uri(), "type": 3}]})
        server.notify("textDocument/didSave", {"textDocument": {"uri": (gone / "a.cu").as_uri()}})
        server.change((gone / "a.cu").as_uri(), edit((0, 0), (0, 0), "\n"))
        assert len(server.hints((gone / "a.cu").as_uri())) == 1
        assert server.leave() == 0
        assert server.stderr() == b""
        assert not server.of("window/logMessage")
    finally:
        server.stop()
