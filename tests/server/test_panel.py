"""The panel's requests over stdio, as the extension sends them, and as nobody should."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from urllib.parse import quote, unquote, urlsplit
from urllib.request import url2pathname

import pytest

from .conftest import Start
from .pipe import CAPABILITIES, Message, Server

INVOKED, AUTOMATIC = 1, 2  # CodeActionTriggerKind
URI = "file:///nowhere/kernel.cu"
ADD = """\
// occupancy: regs=32
__global__ void add(int n, float *x) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1;
}
void run(int n, float *x) { add<<<(n + 1023) / 1024, 1024>>>(n, x); }
"""
INSIDE = {"line": 3, "character": 4}


def test_a_what_if_and_its_edit(server: Server) -> None:
    server.open(URI, "// occupancy: device=rtx-4090\n" + ADD)
    asked: Message = {"uri": URI, "position": INSIDE}
    content = server.ask("occupancy/panel", asked)
    assert (content["kernel"], content["line"], content["arch"]) == ("add", 3, "sm_89")
    assert [it["value"] for it in content["fields"]][:2] == ["1024", "32"]
    tried = server.ask("occupancy/panel", {**asked, "kernel": "add", "changes": {"group_size": "512"}})
    assert tried["what_if"].startswith("100%, 3 blocks per SM")
    assert server.ask("occupancy/applicable", {"uri": URI, "kernel": "add"}) is None
    found = server.ask("occupancy/applicable", {"uri": URI, "kernel": "add", "changes": {"group_size": "512"}})
    assert "512" in found["title"]
    apply = {"uri": URI, "kernel": "add", "key": found["key"]}
    edit = server.ask("occupancy/apply", apply)
    (change,) = edit["documentChanges"]
    assert change["textDocument"]["uri"] == URI
    assert "512" in {it["newText"] for it in change["edits"]}
    for moved_on in ({"key": "size:9:512"}, {"kernel": "other"}, {"key": "size:x:512"}, {"key": ""}):
        assert server.ask("occupancy/apply", {**apply, **moved_on}) is None


@pytest.mark.parametrize(
    "more",
    [
        {"position": {"line": -1, "character": 0}},
        {"position": "here", "kernel": 7},
        {"kernel": "gone"},
        {"kernel": "add", "device": "no such device"},
        {"kernel": "add", "changes": [1], "beside": "nor this"},
        {"kernel": "add", "changes": {"group_size": {"a": 1}, "nonsense": 1}},
    ],
)
def test_whatever_is_asked_is_answered(server: Server, more: Message) -> None:
    server.open(URI, ADD)
    content = server.ask("occupancy/panel", {"uri": URI, **more})
    assert content is None or content["kernel"] == "add"
    assert server.ask("occupancy/panel", {"uri": "file:///nowhere/else.cu"}) is None


def test_the_devices_that_run_a_file(server: Server) -> None:
    server.open(URI, ADD)
    assert {it["vendor"] for it in server.ask("occupancy/devices", {"uri": URI})} == {"nvidia"}
    assert {"amd", "intel"} < {it["vendor"] for it in server.ask("occupancy/devices", {})}


@pytest.mark.parametrize("runs", [False, True])
def test_a_hints_tooltip_links_to_the_panel_of_its_kernel(start: Start, runs: bool) -> None:
    server = start("--stdio")
    server.initialize({**CAPABILITIES, "experimental": {"occupancyCommands": runs}})
    server.open(URI, ADD)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 0}}
    hint = server.ask("textDocument/inlayHint", {"textDocument": {"uri": URI}, "range": everything})[0]
    link = f"[Open panel](command:occupancy.openPanel?{quote(json.dumps([URI, 1]), safe='')})"
    assert (link in server.ask("inlayHint/resolve", hint)["tooltip"]["value"]) == runs


def test_a_report_is_markdown(server: Server) -> None:
    server.open(URI, ADD)
    said = server.ask("occupancy/report", {"uri": URI, "position": INSIDE})
    assert said.startswith("**add**") and "\n| " in said and "data:" not in said and "file:" not in said
    assert "What other vendors call these" not in said  # a link's words, where there is no link
    assert server.ask("occupancy/report", {"uri": URI, "position": {"line": 99, "character": 0}}) is None


def test_every_rule_has_a_page(server: Server) -> None:
    found = server.ask("occupancy/rules", {})
    assert {"OCC001", "OCC308"} < {it["code"] for it in found}
    assert all(Path(url2pathname(urlsplit(it["page"]).path)).is_file() for it in found)


def offered(server: Server, kind: int) -> list[str]:
    where = {"start": {"line": 1, "character": 18}, "end": {"line": 1, "character": 18}}
    context = {"diagnostics": [], "triggerKind": kind}
    found = server.ask("textDocument/codeAction", {"textDocument": {"uri": URI}, "range": where, "context": context})
    return [it["title"] for it in found]


def test_what_is_shown_to_who_opens_the_list(server: Server) -> None:
    """No light bulb stands for the choice of a device alone."""
    server.open(URI, ADD)
    select = "Select another device (now H100 SXM5)…"
    assert select in offered(server, INVOKED) and select not in offered(server, AUTOMATIC)
    assert "Open the panel" not in offered(server, INVOKED)  # the client has none


def test_the_panel_is_offered_where_there_is_one(start: Start) -> None:
    server = start("--stdio")
    server.initialize({**CAPABILITIES, "experimental": {"occupancyPanel": True}})
    server.open(URI, ADD)
    assert "Open the panel" in offered(server, INVOKED)


@pytest.mark.parametrize("params", [None, {}, {"uri": 1}, [URI]])
@pytest.mark.parametrize("method", ["occupancy/panel", "occupancy/applicable", "occupancy/apply", "occupancy/report"])
def test_a_request_about_no_document_is_refused(server: Server, method: str, params: object) -> None:
    assert server.response(server.request(method, params))["error"]["code"] == -32602


def _shown(server: Server, kernel: object = "add") -> str:
    text: str = server.ask("workspace/executeCommand", {"command": "occupancy.showPanel", "arguments": [URI, kernel]})
    return text


def test_an_editor_without_a_panel_opens_a_text_that_is_gone_with_the_server(server: Server) -> None:
    server.answers["window/showDocument"] = lambda params: {"success": True}
    server.open(URI, ADD)
    paths = []
    for kernel in ("add", 2):
        text = _shown(server, kernel)
        assert text.startswith("add: ") and "Occupancy over threads per block" in text
        asked = server.next("window/showDocument")
        assert asked["takeFocus"]
        paths.append(Path(unquote(urlsplit(asked["uri"]).path)))
        assert paths[-1].read_text(encoding="utf-8") == text
    assert paths[0] != paths[1]  # an editor that has the first open would show that
    assert os.stat(paths[0]).st_mode & 0o777 == 0o400 and os.stat(paths[0].parent).st_mode & 0o777 == 0o700
    assert server.leave() == 0
    assert not paths[0].parent.exists()
    assert not server.of("window/showMessage")


def test_a_text_is_shown_also_after_temporary_files_are_cleaned_away(server: Server) -> None:
    server.answers["window/showDocument"] = lambda params: {"success": True}
    server.open(URI, ADD)
    for _ in range(2):
        text = _shown(server)
        path = Path(unquote(urlsplit(server.next("window/showDocument")["uri"]).path))
        assert path.read_text(encoding="utf-8") == text
        shutil.rmtree(path.parent)


def test_an_editor_that_opens_nothing_is_told_where_the_text_is(server: Server) -> None:
    server.answers["window/showDocument"] = lambda params: {"success": False}
    server.open(URI, ADD)
    _shown(server)
    assert Path(server.next("window/showMessage")["message"].removeprefix("add: see ")).is_file()
    for nothing in ("gone", 40, None, [1]):
        assert _shown(server, nothing) is None


def test_no_text_is_written_into_the_workspace(start: Start, tmp_path: Path) -> None:
    server = start("--stdio", environment={"TMPDIR": str(tmp_path)})
    server.initialize(folders=[tmp_path])
    server.open(URI, ADD)
    _shown(server)
    server.wait(
        lambda it: it.get("method") == "window/logMessage" and "Occupancy over threads" in it["params"]["message"]
    )
    assert not [*tmp_path.rglob("*.txt")]


def test_the_text_is_offered_to_who_has_no_panel(start: Start) -> None:
    for panel, offered in ((False, True), (True, False)):
        server = start("--stdio")
        server.initialize({**CAPABILITIES, "experimental": {"occupancyPanel": panel}})
        server.open(URI, ADD)
        at = {"start": {"line": 1, "character": 16}, "end": {"line": 1, "character": 16}}
        about = {"textDocument": {"uri": URI}, "range": at, "context": {"diagnostics": []}}
        titles = [it["title"] for it in server.ask("textDocument/codeAction", about)]
        assert ("Show charts and limits as text" in titles) == offered
