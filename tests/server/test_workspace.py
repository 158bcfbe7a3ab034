"""Folders, settings, files on disk: what reaches the server from outside the open documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from .conftest import Start
from .pipe import CAPABILITIES, Message, Server

KERNEL = "__global__ void __launch_bounds__(256) scale(float *x) { x[0] *= 2; }\n"
WORKSPACE: Message = {
    "workspaceEdit": {"documentChanges": True},
    "configuration": True,
    "inlayHint": {"refreshSupport": True},
    "didChangeConfiguration": {"dynamicRegistration": True},
    "didChangeWatchedFiles": {"dynamicRegistration": True, "relativePatternSupport": True},
}
FULL: Message = {**CAPABILITIES, "workspace": WORKSPACE, "window": {"workDoneProgress": True}}


def folder(path: Path, device: str | None = None) -> Path:
    path.mkdir(parents=True)
    (path / "scale.cu").write_text(KERNEL)
    if device:
        (path / ".occupancy.yaml").write_text(f"devices: [{device}]\n")
    return path


def open_kernel(server: Server, root: Path) -> str:
    uri = (root / "scale.cu").as_uri()
    server.open(uri, KERNEL)
    return uri


def device(server: Server, uri: str) -> str:
    return str(server.ask("occupancy/status", {"uri": uri})["device"])


def changed(server: Server, path: Path) -> None:
    server.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": 2}]})


def test_each_folder_has_its_device(start: Start, tmp_path: Path) -> None:
    server = start()
    outer, inner = folder(tmp_path / "outer", "a100"), folder(tmp_path / "outer" / "inner", "l40s")
    server.initialize(folders=[outer, inner])
    outside = folder(tmp_path / "outside", "t4")
    uris = [open_kernel(server, root) for root in (outer, inner, outside)]
    assert [device(server, uri) for uri in uris] == ["a100", "l40s", "h100"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [("", "a100"), ("//ssh-remote%2Bgpu", "a100"), ("//127.0.0.1%3A8080", "a100"), ("//[", "h100")],
)
def test_cells_of_a_notebook_are_in_its_folder(start: Start, tmp_path: Path, host: str, expected: str) -> None:
    server = start()
    inside = folder(tmp_path / "inside", "a100")
    cell = (inside / "book.ipynb").as_uri().replace("file://", f"vscode-notebook-cell:{host}") + "#W0sZmlsZQ%3D%3D"
    server.initialize(folders=[inside])
    server.open(cell, "@triton.jit\ndef one(x):\n    pass\n", language="python")
    assert device(server, cell) == expected


def test_folders_come_and_go(start: Start, tmp_path: Path) -> None:
    server = start()
    outer, inner = folder(tmp_path / "outer", "a100"), folder(tmp_path / "outer" / "inner", "l40s")
    server.initialize(folders=[outer])
    uri = open_kernel(server, inner)
    assert device(server, uri) == "a100"
    named = {"uri": inner.as_uri(), "name": "inner"}
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [named], "removed": []}})
    server.next("occupancy/statusChanged")
    assert device(server, uri) == "l40s"
    assert server.hints(uri)
    server.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [named]}})
    server.next("occupancy/statusChanged")
    assert device(server, uri) == "a100"


def test_root_uri_and_root_path(start: Start, tmp_path: Path) -> None:
    root = folder(tmp_path / "root", "a100")
    for stated in ({"rootUri": root.as_uri()}, {"rootPath": str(root)}):
        server = start()
        server.initialize(None, (), workspaceFolders=None, **stated)
        assert device(server, open_kernel(server, root)) == "a100"


def test_settings_are_pulled_for_each_folder_and_again(start: Start, tmp_path: Path) -> None:
    server = start()
    chosen = {"a": "a100", "b": "l40s"}
    roots = [folder(tmp_path / name) for name in chosen]

    def settings(params: Any) -> list[Message | None]:
        names = [Path(item.get("scopeUri") or "/none").name for item in params["items"]]
        assert {item["section"] for item in params["items"]} == {"occupancy"}
        return [{"devices": [chosen[name]], "hints": None} if name in chosen else None for name in names]

    server.answers["workspace/configuration"] = settings
    server.initialize(FULL, roots)
    server.next("workspace/inlayHint/refresh")
    uris = [open_kernel(server, root) for root in roots]
    assert [device(server, uri) for uri in uris] == ["a100", "l40s"]
    registered = [r["method"] for params in server.of("client/registerCapability") for r in params["registrations"]]
    assert "workspace/didChangeConfiguration" in registered
    chosen["b"] = "t4"
    server.pass_over("occupancy/statusChanged")  # of b, when a's was asked for first
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    server.next("occupancy/statusChanged")
    assert [device(server, uri) for uri in uris] == ["a100", "t4"]


def test_settings_that_are_sent(start: Start, tmp_path: Path) -> None:
    server = start()
    root = folder(tmp_path / "root")
    server.initialize({}, [root], initializationOptions={"devices": ["a100"]})
    uri = open_kernel(server, root)
    assert device(server, uri) == "a100"
    server.notify("workspace/didChangeConfiguration", {"settings": {"occupancy": {"devices": ["t4"]}}})
    server.next("occupancy/statusChanged")
    assert device(server, uri) == "t4"
    server.notify("workspace/didChangeConfiguration", {"settings": {"occupancy": {"hints": False}}})
    server.next("occupancy/statusChanged")
    assert device(server, uri) == "a100"
    assert server.hints(uri) == []


@pytest.mark.parametrize("value", ["h100", 7, [], {"devices": {"a": 1}}])
def test_malformed_settings_are_said_once(start: Start, tmp_path: Path, value: object) -> None:
    server = start()
    server.answers["workspace/configuration"] = lambda params: [value for _ in params["items"]]
    server.initialize(FULL, [root := folder(tmp_path / "root")])
    said = server.next("window/logMessage")
    assert said["type"] == 2
    assert "settings" in said["message"]
    server.notify("workspace/didChangeConfiguration", {"settings": None})
    uri = open_kernel(server, root)
    assert server.hints(uri)
    assert device(server, uri) == "h100"
    assert len(server.of("window/logMessage")) == 1


def test_a_client_that_refuses_to_tell_its_settings(start: Start, tmp_path: Path) -> None:
    server = start()
    server.answers["workspace/configuration"] = lambda params: "nothing that fits"
    server.initialize(FULL, [root := folder(tmp_path / "root")])
    assert "settings" in server.next("window/logMessage")["message"]
    assert server.hints(open_kernel(server, root))


def test_a_sidecar_that_changes(start: Start, tmp_path: Path) -> None:
    server = start()
    root = folder(tmp_path / "root")
    sidecar = root / "scale.cu.occupancy.yaml"
    server.initialize(FULL, [root])
    params = server.next("client/registerCapability", lambda p: "watchers" in p["registrations"][0]["registerOptions"])
    watchers = [watcher["globPattern"] for watcher in params["registrations"][0]["registerOptions"]["watchers"]]
    assert "**/.occupancy.yaml" in {watcher["pattern"] for watcher in watchers}
    assert {watcher["baseUri"] for watcher in watchers} == {root.as_uri()}
    uri = open_kernel(server, root)
    server.next("workspace/inlayHint/refresh")
    before = server.hints(uri)
    sidecar.write_text("kernels:\n  scale:\n    sm_90: {registers: 128}\n")
    changed(server, sidecar)
    server.next("workspace/inlayHint/refresh")
    assert server.hints(uri) != before
    sidecar.unlink()
    changed(server, sidecar)
    server.next("workspace/inlayHint/refresh")
    assert server.hints(uri) == before


def test_triton_s_own_cache_is_watched_where_it_is_read(start: Start, tmp_path: Path) -> None:
    server = start()
    root, cache = folder(tmp_path / "root"), folder(tmp_path / "cache")
    server.initialize(FULL, [root], initializationOptions={"triton_cache": str(cache)})
    params = server.next("client/registerCapability", lambda p: "watchers" in p["registrations"][0]["registerOptions"])
    watchers = [watcher["globPattern"] for watcher in params["registrations"][0]["registerOptions"]["watchers"]]
    assert {"baseUri": cache.as_uri(), "pattern": "*/__grp__*.json"} in watchers


def test_nothing_is_refreshed_for_files_that_mean_nothing(start: Start, tmp_path: Path) -> None:
    server = start()
    root = folder(tmp_path / "root")
    server.initialize(FULL, [root])
    server.next("workspace/inlayHint/refresh")  # the first look at the folder ends with it
    refreshes = len(server.of("workspace/inlayHint/refresh"))
    (root / "notes.txt").write_text("")
    changed(server, root / "notes.txt")
    uri = open_kernel(server, root)
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    assert server.hints(uri)
    assert len(server.of("workspace/inlayHint/refresh")) <= refreshes + 1


def test_without_watchers_a_save_looks_again(start: Start, tmp_path: Path) -> None:
    server = start()
    root = folder(tmp_path / "root")
    server.initialize({}, [root])
    uri = open_kernel(server, root)
    before = server.hints(uri)
    (root / "scale.cu.occupancy.yaml").write_text("kernels:\n  scale:\n    sm_90: {registers: 128}\n")
    server.notify("textDocument/didSave", {"textDocument": {"uri": uri}})
    for _ in range(200):
        if server.hints(uri) != before:
            return
    pytest.fail("the sidecar was not seen")


def test_faults_of_yaml_files_are_published_on_them(start: Start, tmp_path: Path) -> None:
    server = start()
    root = folder(tmp_path / "root")
    config = root / ".occupancy.yaml"
    config.write_text("# ünïcode\ndevises: [h100]\n")
    server.initialize(FULL, [root])
    published = server.next("textDocument/publishDiagnostics")
    assert published["uri"] == config.as_uri()
    (item,) = published["diagnostics"]
    assert (item["code"], item["source"]) == ("occupancy-config", "occupancy")
    assert item["range"]["start"] == {"line": 1, "character": 0}
    config.write_text("devices: [h100]\n")
    changed(server, config)
    mended = server.next("textDocument/publishDiagnostics", lambda params: not params["diagnostics"])
    assert mended["uri"] == config.as_uri()


def test_progress_and_cancel(start: Start, tmp_path: Path) -> None:
    server = start()
    root = folder(tmp_path / "root")
    for i in range(3000):
        (root / f"k{i}.cu.occupancy.yaml").write_text(f"kernels:\n  k{i}:\n    sm_90: {{registers: {i % 255}}}\n")
    server.initialize(FULL, [root])
    token = server.next("window/workDoneProgress/create")["token"]
    begin = server.next("$/progress")
    assert begin["token"] == token
    assert (begin["value"]["kind"], begin["value"]["cancellable"]) == ("begin", True)
    server.notify("window/workDoneProgress/cancel", {"token": token})
    server.notify("window/workDoneProgress/cancel", {"token": "of nobody"})
    assert server.hints(open_kernel(server, root))
    end = server.next("$/progress", lambda p: p["value"]["kind"] == "end")
    assert end["value"]["message"] == "cancelled"


def test_progress_is_optional(start: Start, tmp_path: Path) -> None:
    server = start()
    server.answers["window/workDoneProgress/create"] = lambda params: NotImplemented
    root = folder(tmp_path / "root")
    server.initialize(FULL, [root])
    server.next("workspace/inlayHint/refresh")
    assert server.hints(open_kernel(server, root))
    assert server.leave() == 0
