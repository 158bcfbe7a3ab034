"""The panel's requests over stdio, as the extension sends them, and as nobody should."""

from __future__ import annotations

import pytest

from .pipe import Message, Server

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
    apply = {"uri": URI, "kernel": "add", "key": tried["apply"]["key"]}
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


@pytest.mark.parametrize("params", [None, {}, {"uri": 1}, [URI]])
@pytest.mark.parametrize("method", ["occupancy/panel", "occupancy/apply"])
def test_a_request_about_no_document_is_refused(server: Server, method: str, params: object) -> None:
    assert server.response(server.request(method, params))["error"]["code"] == -32602
