"""An action on an OpenCL kernel whose host, in another file, changes with it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from .conftest import Start
from .pipe import CAPABILITIES, Message, Server, between
from .test_other_files import begun, opened
from .test_workspace import FULL

KERNEL = """\
#define GROUP 64

// occupancy: device=mi250x
__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
void count(int n, __global int *x) {
    __local int own[2000];
    own[get_local_id(0)] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_global_id(0) < n) x[get_global_id(0)] = own[GROUP - 1 - get_local_id(0)];
}
"""
HOST = """\
#include <CL/cl.h>
static const char *smile = "😀"; static const size_t group = 64;
int run(cl_command_queue queue, cl_program program, int n)
{
    cl_kernel kernel = clCreateKernel(program, "count", NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    size_t global = (n + group - 1) / group * group;
    return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &group, 0, NULL, NULL);
}
"""
WHERE = between((4, 6), (4, 6))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "count.cl").write_text(KERNEL)
    (root / "host.c").write_text(HOST)
    return root


def offered(server: Server, uri: str, wanted: str = "Change work-group size to 512") -> Message:
    """The action, resolved; the workspace is read in the background."""
    deadline = time.monotonic() + 30
    while True:
        asked = {"textDocument": {"uri": uri}, "range": WHERE, "context": {"diagnostics": []}}
        found: list[Message] = server.ask("textDocument/codeAction", asked)
        for action in found:
            if action["title"].startswith(wanted):
                resolved: Message = action if "edit" in action else server.ask("codeAction/resolve", action)
                return resolved
        assert time.monotonic() < deadline, found
        time.sleep(0.05)


def applied(text: str, edits: list[Message]) -> str:
    """As an editor does it that counts in UTF-16."""
    lines = [line.encode("utf-16-le") for line in text.splitlines(keepends=True)]
    for edit in sorted(edits, key=lambda it: -int(it["range"]["start"]["character"])):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]]
        new = edit["newText"].encode("utf-16-le")
        lines[start["line"]] = line[: 2 * start["character"]] + new + line[2 * end["character"] :]
    return b"".join(lines).decode("utf-16-le")


def changes(action: Message) -> dict[str, tuple[int | None, list[Message]]]:
    found = action["edit"]["documentChanges"]
    return {it["textDocument"]["uri"]: (it["textDocument"]["version"], it["edits"]) for it in found}


def test_the_host_on_disk(start: Start, root: Path) -> None:
    server = begun(start, root)
    action = offered(server, opened(server, root / "count.cl"))
    assert action["title"].startswith("Change work-group size to 512 (now 64), also in host.c: ")
    found = changes(action)
    (version, edits) = found.pop((root / "count.cl").as_uri())
    assert version == 0 and applied(KERNEL, edits) == KERNEL.replace("GROUP 64", "GROUP 512")
    (version, edits) = found.pop((root / "host.c").as_uri())
    assert version is None and applied(HOST, edits) == HOST.replace("= 64", "= 512")
    assert found == {}


def test_the_host_in_the_editor(start: Start, root: Path) -> None:
    """What stands there counts, not what is on disk."""
    typed = "// typed\n" + HOST.replace("64", "96")
    server = begun(start, root)
    uri = opened(server, root / "count.cl")
    offered(server, uri)
    server.open((root / "host.c").as_uri(), HOST, "c")
    whole = between((0, 0), (1000, 0))
    server.change((root / "host.c").as_uri(), {"range": whole, "text": typed}, version=7)
    asked = {"textDocument": {"uri": uri}, "range": WHERE, "context": {"diagnostics": []}}
    assert not [it for it in server.ask("textDocument/codeAction", asked) if it["title"].startswith("Change")]
    kernel = KERNEL.replace("GROUP 64", "GROUP 96")
    server.change(uri, {"range": whole, "text": kernel}, version=3)
    found = changes(offered(server, uri, "Change work-group size to 1024 (now 96) in 2 files"))
    version, edits = found[(root / "host.c").as_uri()]
    assert version == 7 and applied(typed, edits) == typed.replace("= 96", "= 1024")
    version, edits = found[uri]
    assert version == 3 and applied(kernel, edits) == kernel.replace("GROUP 96", "GROUP 1024")


def test_a_client_without_document_changes(start: Start, root: Path) -> None:
    plain = {**FULL, "workspace": {**FULL["workspace"], "workspaceEdit": {}}}
    server = start("--stdio", environment={"XDG_CACHE_HOME": str(root.parent / "caches")})
    server.initialize({**CAPABILITIES, **plain}, [root])
    found = offered(server, opened(server, root / "count.cl"))["edit"]["changes"]
    assert found.keys() == {(root / name).as_uri() for name in ("count.cl", "host.c")}


def test_bounds_that_the_launch_implies(start: Start, root: Path) -> None:
    kernel = "\n\n// occupancy: regs=96\n__global__\nvoid wide(float* p) { p[threadIdx.x] = 1; }\n"
    (root / "wide.cu").write_text(f"{kernel}void run(float* p) {{ wide<<<9, 768>>>(p); }}\n")
    server = begun(start, root)
    action = offered(server, opened(server, root / "wide.cu"), "Add __launch_bounds__(768, 1)")
    ((_, edits),) = changes(action).values()
    assert applied(kernel, edits) == kernel.replace("wide", "__launch_bounds__(768, 1) wide")


@pytest.mark.parametrize("creates", [True, False])
def test_a_file_that_is_not_there_is_made_where_the_client_can(start: Start, tmp_path: Path, creates: bool) -> None:
    (tmp_path / "k.cu").write_text("__global__ void k(float* p) { p[0] = 1; }\n")
    edit = {"documentChanges": True, "resourceOperations": ["create"] if creates else []}
    server = start("--stdio")
    server.initialize({**CAPABILITIES, "workspace": {"workspaceEdit": edit}}, [tmp_path])
    uri = opened(server, tmp_path / "k.cu")
    asked = {"textDocument": {"uri": uri}, "range": between((0, 17), (0, 17)), "context": {"diagnostics": []}}
    found = [it for it in server.ask("textDocument/codeAction", asked) if "assumed in" in it["title"]]
    assert len(found) == creates
    for action in found:
        make, write = action["edit"]["documentChanges"]
        path = (tmp_path / ".occupancy.yaml").as_uri()
        assert make == {"kind": "create", "uri": path, "options": {"ignoreIfExists": True}}
        assert write["textDocument"] == {"uri": path, "version": None}
        assert [it["newText"] for it in write["edits"]] == ['assume:\n  "k": {block: 256}\n']
