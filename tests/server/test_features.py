"""How answers are shaped for clients that can do more, and for those that can do less."""

from __future__ import annotations

import json
import re
from pathlib import Path
from urllib.parse import unquote

import pytest

from .conftest import Start
from .pipe import CAPABILITIES, Message, Server, at, between, edit

URI = "file:///nowhere/kernel.cu"
FINE = "__global__ void __launch_bounds__(256) fine(float *x) { x[0] *= 2; }\n"
# More warps than any SM holds: OCC102.
HUGE = "__global__ void __launch_bounds__(1024, 4) huge(float *x) { x[0] *= 2; }\n"
PULL: Message = {
    **CAPABILITIES,
    "workspace": {**CAPABILITIES["workspace"], "diagnostics": {"refreshSupport": True}},
    "textDocument": {**CAPABILITIES["textDocument"], "diagnostic": {}},
}


def actions(server: Server, only: list[str] | None = None) -> list[Message]:
    where = between((0, HUGE.index("4)")), (0, HUGE.index("4)")))
    context = {"diagnostics": [], **({"only": only} if only else {})}
    found: list[Message] = server.ask(
        "textDocument/codeAction", {"textDocument": {"uri": URI}, "range": where, "context": context}
    )
    return found


def pull(server: Server, previous: str | None = None) -> Message:
    params = {"textDocument": {"uri": URI}, **({"previousResultId": previous} if previous else {})}
    report: Message = server.ask("textDocument/diagnostic", params)
    return report


def test_edits_name_the_version_that_they_are_for(server: Server) -> None:
    server.open(URI, HUGE)
    server.change(URI, edit((1, 0), (1, 0), "//"), version=4)
    offered = [a for a in actions(server) if "command" not in a]
    resolved = [a if "edit" in a else server.ask("codeAction/resolve", a) for a in offered]
    assert resolved
    for action in resolved:
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"] == {"uri": URI, "version": 4}
        assert change["edits"]


def test_edits_at_once(start: Start) -> None:
    server = start()
    server.initialize({})
    server.open(URI, HUGE)
    eager = [a for a in actions(server) if "command" not in a]
    assert eager
    assert all(a["edit"]["changes"][URI] for a in eager)


def test_only_the_kinds_that_are_asked_for(server: Server) -> None:
    server.open(URI, HUGE)
    assert {a["kind"] for a in actions(server, ["quickfix"])} == {"quickfix"}
    assert actions(server, ["source.organizeImports"]) == []


def test_tooltips_at_once_and_without_markdown(start: Start) -> None:
    server = start()
    server.initialize({"textDocument": {"hover": {"contentFormat": ["plaintext"]}}})
    server.open(URI, FINE)
    (hint,) = server.hints(URI)
    assert hint["tooltip"]["kind"] == "plaintext"
    hover = server.ask("textDocument/hover", at(URI, 0, FINE.index("fine")))
    assert hover["contents"]["kind"] == "plaintext"
    assert "**" not in hover["contents"]["value"] + hint["tooltip"]["value"]


def test_links_that_run_commands_are_for_clients_that_say_so(start: Start) -> None:
    """Of the document that is shown; the others get no trace of them."""
    source = "\n__global__ void open_(float *p) { *p = 1; }"
    shown = []
    for extra in ({}, {"experimental": {"occupancyCommands": True}}):
        server = start()
        server.initialize({**CAPABILITIES, **extra})
        server.open(URI, source)
        shown.append(server.ask("textDocument/hover", at(URI, 1, source.index("open_") - 1))["contents"]["value"])
    plain, linked = shown
    assert "command:" not in plain and "Compile now" not in plain
    found = dict(re.findall(r"\[([^]]+)\]\(command:([^)]*)\)", linked))
    assert found.pop("Choose device…") == "occupancy.pickDevice"
    for title, command, given in (
        ("Open panel", "occupancy.openPanel", [URI, 1]),
        ("Set registers…", "occupancy.state", [URI, "open_", "regs", "Registers per thread"]),
        ("Set block size…", "occupancy.state", [URI, "open_", "block", "Threads per block"]),
        ("Compile now", "occupancy.compileFile", [URI]),
    ):
        run, _, about = found.pop(title).partition("?")
        assert (run, json.loads(unquote(about))) == (command, given)
    assert not found
    assert linked.replace(next(it for it in linked.split("\n\n") if "command:" in it) + "\n\n", "") == plain


def test_the_rest_of_a_hover_is_folded_for_clients_that_fold(start: Start) -> None:
    shown = []
    for tags in ([], ["details", "summary"]):
        server = start()
        server.initialize({**CAPABILITIES, "general": {"markdown": {"parser": "marked", "allowedTags": tags}}})
        server.open(URI, FINE)
        shown.append(server.ask("textDocument/hover", at(URI, 0, FINE.index("fine")))["contents"]["value"])
    plain, folded = shown
    first, rest = plain.split("\n\n---\n\n")
    assert folded == f"{first}\n\n<details><summary>More</summary>\n\n{rest}\n\n</details>"
    assert first.startswith("**fine**") and "| allows" in first and "words" in rest and "allows" not in rest


@pytest.mark.parametrize(
    ("key", "value", "fault"),
    [
        ("regs", "40", ""),
        ("block", " 16x16", ""),
        ("shared", "4KiB", ""),
        ("regs", "0", "not a valid value"),
        ("regs", "40 shared=3", "One value is expected"),
        ("regs", "40\n#error", "One value is expected"),
        ("nothing", "40", "unknown"),
    ],
)
def test_what_a_person_types_is_stated_above_the_kernel(server: Server, key: str, value: str, fault: str) -> None:
    server.open(URI, "__global__ void k(float *p) { *p = 1; }")
    asked = {"uri": URI, "kernel": "k", "key": key, "value": value}
    found = server.ask("occupancy/state", asked)
    assert fault in found["fault"] and bool(fault) == bool(found["fault"]) == (found["edit"] is None)
    if not fault:
        (edit,) = found["edit"]["documentChanges"][0]["edits"]
        assert edit["newText"] == f"// occupancy: {key}={value.strip()}\n" and edit["range"]["start"]["line"] == 0
    assert server.ask("occupancy/state", {**asked, "kernel": "gone"})["edit"] is None


def test_pulled_diagnostics(start: Start) -> None:
    server = start()
    assert server.initialize(PULL)["capabilities"]["diagnosticProvider"]
    server.open(URI, HUGE)
    report = pull(server)
    assert [d["code"] for d in report["items"]] == ["OCC102"]
    assert pull(server, report["resultId"]) == {"kind": "unchanged", "resultId": report["resultId"]}
    place = HUGE.index("4)")
    server.change(URI, edit((0, place), (0, place + 1), "2"))
    assert pull(server, report["resultId"])["items"] == []
    assert not server.of("textDocument/publishDiagnostics")


def test_new_diagnostics_are_announced_after_a_rest(start: Start) -> None:
    server = start()
    server.initialize(PULL)
    server.open(URI, FINE)
    assert pull(server)["items"] == []
    server.change(URI, edit((1, 0), (1, 0), HUGE))
    server.next("workspace/diagnostic/refresh")
    assert [d["code"] for d in pull(server)["items"]] == ["OCC102"]


def test_a_save_ends_the_rest(server: Server) -> None:
    server.open(URI, FINE)
    server.change(URI, edit((1, 0), (1, 0), HUGE), version=5)
    server.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
    published = server.next("textDocument/publishDiagnostics")
    assert (published["version"], len(published["diagnostics"])) == (5, 1)


def test_only_what_changed_is_published(server: Server) -> None:
    server.open(URI, HUGE)
    server.next("textDocument/publishDiagnostics")
    server.change(URI, edit((1, 0), (1, 0), "// below\n"))
    server.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
    server.change(URI, edit((0, 0), (0, 0), "\n"))
    server.notify("textDocument/didSave", {"textDocument": {"uri": URI}})
    moved = server.next("textDocument/publishDiagnostics")
    assert moved["diagnostics"][0]["range"]["start"]["line"] == 1


def test_a_device_is_selected_for_the_session(server: Server) -> None:
    server.open(URI, FINE)
    server.ask("workspace/executeCommand", {"command": "occupancy.selectDevice", "arguments": ["a100"]})
    assert server.ask("occupancy/status", {"uri": URI})["device"] == "a100"
    server.ask("workspace/executeCommand", {"command": "occupancy.selectDevice", "arguments": ["h100", URI]})
    server.next("occupancy/statusChanged")
    wrong = {"command": "occupancy.selectDevice", "arguments": ["h1000"]}
    error = server.response(server.request("workspace/executeCommand", wrong))["error"]
    assert error["code"] == -32602
    assert "h1000" in error["message"]
    assert server.ask("occupancy/status", {"uri": URI})["device"] == "h100"


@pytest.mark.parametrize("choice", [0, None])
def test_the_user_is_asked_for_a_device(server: Server, choice: int | None) -> None:
    offered: list[Message] = []

    def answer(params: Message) -> Message | None:
        offered.extend(params["actions"])
        return None if choice is None else params["actions"][-1]

    server.answers["window/showMessageRequest"] = answer
    server.open(URI, FINE)
    before = server.ask("occupancy/status", {"uri": URI})["device"]
    server.ask("workspace/executeCommand", {"command": "occupancy.selectDevice"})
    assert 1 < len(offered) <= 8
    after = server.ask("occupancy/status", {"uri": URI})["device"]
    assert (after != before) == (choice is not None)


def test_yaml_files(server: Server, tmp_path: Path) -> None:
    uri = (tmp_path / ".occupancy.yaml").as_uri()
    server.open(uri, "", "yaml")
    server.change(uri, edit((0, 0), (0, 0), "dev"))
    labels = [c["label"] for c in server.ask("textDocument/completion", at(uri, 0, 3))]
    assert any(label.startswith("devices") for label in labels)
    server.change(uri, {"text": "devices: [h100]\n"})
    server.ask("textDocument/hover", at(uri, 0, 1))
    assert server.hints(uri) == []


def test_hints_of_a_file_that_is_not_open_yet(server: Server, tmp_path: Path) -> None:
    """Helix asks before it opens, and does not ask again until the text changes."""
    path = tmp_path / "early.cu"
    path.write_text("__global__ void k(float* p) { p[0] = 1; }\nvoid h(float* p) { k<<<1, 256>>>(p); }\n")
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    asked = {"textDocument": {"uri": path.as_uri()}, "range": where}
    assert [hint["label"] for hint in server.ask("textDocument/inlayHint", asked)] == ["256 thr · 100% if ≤32 regs"]
    missing = {"textDocument": {"uri": (tmp_path / "none.cu").as_uri()}, "range": where}
    assert server.ask("textDocument/inlayHint", missing) == []


def _stating(server: Server) -> Message:
    """The action that states the registers of a kernel behind a comment with wide characters."""
    server.open(URI, f"/* \U0001f600 */ {FINE}")
    at_name = between((0, 9), (0, 60))
    asked = {"textDocument": {"uri": URI}, "range": at_name, "context": {"diagnostics": []}}
    found: list[Message] = server.ask("textDocument/codeAction", asked)
    return next(it for it in found if it["title"].endswith("regs="))


def test_a_value_that_is_stated_is_selected(start: Start) -> None:
    server = start("--stdio")
    server.initialize({**CAPABILITIES, "window": {"showDocument": {"support": True}}})
    server.answers["window/showDocument"] = lambda params: {"success": True}
    action = _stating(server)
    (changed,) = action["edit"]["documentChanges"][0]["edits"]
    before = f"/* \U0001f600 */ {FINE}".encode("utf-16-le")
    cut = 2 * changed["range"]["start"]["character"]
    after = before[:cut] + changed["newText"].encode("utf-16-le") + before[cut:]
    command = action["command"]
    server.ask("workspace/executeCommand", {"command": command["command"], "arguments": command["arguments"]})
    params = server.wait(lambda message: message.get("method") == "window/showDocument")["params"]
    assert params["uri"] == URI and params["takeFocus"] is True
    first, last = (params["selection"][end] for end in ("start", "end"))
    assert first["line"] == last["line"] == 0
    assert after[2 * first["character"] : 2 * last["character"]].decode("utf-16-le") == "?"


def test_nothing_is_selected_in_editors_that_cannot(server: Server) -> None:
    assert "command" not in _stating(server)


SEVERAL = """\
// occupancy: regs=40
__global__ void __launch_bounds__(256) scale(float *x) { x[0] *= 2; }
void go(float *x) { scale<<<1, 256>>>(x); }
"""
PANEL: Message = {**CAPABILITIES, "experimental": {"occupancyPanel": True}}
NESTS: Message = {
    **CAPABILITIES,
    "textDocument": {
        **CAPABILITIES["textDocument"],
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
    },
}


@pytest.mark.parametrize(
    ("capabilities", "panel"),
    [(CAPABILITIES, ("occupancy.showPanel", ["scale"])), (PANEL, ("occupancy.openPanel", [1]))],
)
def test_lenses_run_what_the_client_has(
    start: Start, tmp_path: Path, capabilities: Message, panel: tuple[str, list[object]]
) -> None:
    server, uri = start(), (tmp_path / "a.cu").as_uri()
    server.initialize(capabilities)
    server.open(uri, SEVERAL)
    found = server.ask("textDocument/codeLens", {"textDocument": {"uri": uri}})
    command, about = panel
    assert {it["range"]["start"]["line"] for it in found} == {1}
    assert [(it["command"]["title"], it["command"]["command"], it["command"]["arguments"]) for it in found] == [
        ("75% · 6 blk/SM · regs", command, [uri, *about]),
        ("Try bounds", "occupancy.tryBounds", [uri, "scale"]),
        ("Panel", command, [uri, *about]),
    ]


def test_lenses_can_be_turned_off(start: Start) -> None:
    server = start()
    server.initialize(CAPABILITIES, initializationOptions={"lenses": False})
    server.open(URI, SEVERAL)
    assert server.ask("textDocument/codeLens", {"textDocument": {"uri": URI}}) == []


def test_navigation(start: Start) -> None:
    server = start()
    server.initialize(NESTS)
    server.open(URI, SEVERAL)
    line = SEVERAL.split("\n")
    name, launch = (1, line[1].index("scale")), (2, line[2].index("scale"))
    kernel, launched = (between(it, (it[0], it[1] + len("scale"))) for it in (name, launch))
    (defined,) = server.ask("textDocument/definition", at(URI, *launch))
    assert defined == {"uri": URI, "range": kernel}
    context = {"context": {"includeDeclaration": True}}
    found = server.ask("textDocument/references", {**at(URI, *name), **context})
    assert [it["range"] for it in found] == [kernel, launched]
    (symbol,) = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert (symbol["name"], symbol["detail"], symbol["selectionRange"]) == ("scale", "75% · 6 blk/SM · regs", kernel)


def test_symbols_for_a_client_that_knows_no_detail(server: Server) -> None:
    server.open(URI, SEVERAL)
    (symbol,) = server.ask("textDocument/documentSymbol", {"textDocument": {"uri": URI}})
    assert symbol["name"] == "scale" and symbol["location"]["uri"] == URI


def test_what_a_log_begins_with(start: Start, tmp_path: Path) -> None:
    (tmp_path / ".occupancy.yaml").write_text("devices: [rtx-4090]\n")
    server = start()
    server.initialize(CAPABILITIES, [tmp_path])
    first, folder, *rest = server.ask("occupancy/about")
    assert re.match(r"occupancy-lsp \S+, Python 3\.\d+\.\S+ \(.+\), in .+", first) and folder == f"folder {tmp_path}"
    assert any("CUDA" in it and it.endswith(": GeForce RTX 4090 (.occupancy.yaml)") for it in rest)
    assert any("HIP" in it and it.endswith(": Instinct MI300X (default)") for it in rest)
    assert [it.partition(":")[0] for it in rest[-2:]] == ["compilers for `compile`", "cache"]


@pytest.mark.parametrize(
    ("chosen", "idle"),
    [(["mi300a"], ["Instinct MI300A"]), (["mi300a", "rtx-4090"], []), ([], []), (["mi300x"], ["Instinct MI300X"])],
)
def test_a_status_names_what_was_chosen_in_vain(start: Start, chosen: list[str], idle: list[str]) -> None:
    server = start()
    server.initialize(CAPABILITIES, initializationOptions={"devices": chosen})
    server.open(URI, FINE)
    said = server.ask("occupancy/status", {"uri": URI})
    assert (said["language"], said["idle"]) == ("CUDA", idle)
