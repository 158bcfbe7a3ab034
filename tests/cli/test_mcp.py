"""`mcp`, as a client of the protocol's own library sees it: the real server, over standard input and output."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

import anyio
import pytest
from jsonschema import Draft202012Validator
from psutil import Process

from occupancy_lsp.calculator.calculate import answer
from occupancy_lsp.cli.commands.agents.diffing import DIFF
from occupancy_lsp.cli.commands.agents.folder import Folder
from occupancy_lsp.cli.commands.agents.tool import Call
from occupancy_lsp.cli.commands.agents.tools import TOOLS
from occupancy_lsp.cli.commands.agents.trying import BOUNDS, WHAT_IF
from tests.ci.support import git
from tests.cli.support import ROOT, occupancy
from tests.forkserver import tool as start
from tests.presets import CATALOGUE
from tests.support import live

if TYPE_CHECKING:
    from mcp.client.client import Client

EXAMPLES = ROOT / "examples"
EVERY = (*TOOLS, WHAT_IF, DIFF, BOUNDS)
HELLO = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "any", "version": "1"}}
LIMIT = 120  # seconds: a server that does not answer fails the test


def drive(work: Callable[[Client], Awaitable[None]], folder: Path, *options: str, **env: str) -> None:
    """`work` with a client of a server that looks into the folder."""

    from mcp.client.client import Client  # five seconds, which collecting all tests need not take
    from mcp.client.stdio import StdioServerParameters, stdio_client

    async def connected() -> None:
        first, *command = [*start(env), "mcp", "--root", str(folder), *options]
        server = StdioServerParameters(command=first, args=command, cwd=ROOT, env={**os.environ, **env})
        with anyio.fail_after(LIMIT):
            async with Client(stdio_client(server)) as client:
                await work(client)

    anyio.run(connected)


async def told(client: Client, tool: str, **arguments: object) -> Any:
    """What the tool answers. The client checks it against the tool's schema."""
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert content.type == "text" and not result.is_error, content
    assert json.loads(content.text) == result.structured_content
    return result.structured_content


async def refused(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert content.type == "text" and result.is_error and result.structured_content is None
    return content.text


def contents(folder: Path) -> dict[Path, tuple[int, bytes]]:
    return {it: (it.stat().st_mtime_ns, it.read_bytes()) for it in folder.rglob("*") if it.is_file()}


def test_tools_tell_what_the_commands_tell() -> None:
    command = json.loads(occupancy("check", ".", "--format", "json", "--device", "h100", cwd=EXAMPLES).out)
    facts = occupancy("kernels", "matmul.cu", "--format", "jsonl", cwd=EXAMPLES).out
    before = contents(EXAMPLES)

    async def work(client: Client) -> None:
        for file in command["files"]:
            found = await told(client, "occupancy", path=file["path"], devices=["h100"])
            for key in ("kernels", "device", "unread_kernels"):
                assert found[key] == file[key]
        found = await told(client, "check", path=".", devices=["h100"])
        findings = {it["path"]: it["findings"] for it in command["files"] if it["findings"]}
        assert {it["path"]: it["findings"] for it in found["files"]} == findings != {}
        assert found["files_checked"] == len(command["files"])
        assert found["kernels"] == sum(len(it["kernels"]) for it in command["files"])
        few = await told(client, "check", path="faults.cu", devices=["h100"], severity="warning", limit=1)
        worth = [it for it in findings["faults.cu"] if it["severity"] in ("warning", "error")]
        assert few["files"][0]["findings"] == worth[:1] and few["findings_left_out"] == len(worth) - 1 > 0
        assert (await told(client, "kernels", path="matmul.cu"))["kernels"] == [*map(json.loads, facts.splitlines())]
        page = (ROOT / "docs" / "rules" / "OCC005.md").read_text("utf-8")
        assert (await told(client, "explain", code="occ005"))["page"] == page.rstrip()

    drive(work, EXAMPLES)
    assert contents(EXAMPLES) == before


def test_other_values_on_several_devices(tmp_path: Path) -> None:
    text = "__kernel void k(__global float *p) { p[get_global_id(0)] = 1; }\n"
    (tmp_path / "k.cl").write_text(text)
    (tmp_path / "k.cu").write_text((EXAMPLES / "matmul.cu").read_text("utf-8"))

    async def work(client: Client) -> None:
        devices = ["h100", "rtx4090"]
        found = await told(client, "what_if", path="k.cu", kernel="matmul", devices=devices, registers=40, block=128)
        for device, on in zip(devices, found["on"], strict=True):
            needs = {"registers": 40, "workgroup": 128, "static_local": 8192, "barriers": 1}
            said = answer({"device": device, **needs}, CATALOGUE.find)
            figure = {key: said[key] for key in ("groups", "subgroups", "percent")}
            assert on["then"]["figure"] == {"lowest": figure, "highest": figure}
            assert on["now"]["figure"]["lowest"] != on["now"]["figure"]["highest"]  # its registers are not known
        # A kernel without a size has no figure, and what a device does not have is said.
        found = await told(client, "what_if", path="k.cl", devices=["mi300x", "arc-b580"], block=256, registers=40)
        assert [it["now"] for it in found["on"]] == [None, None]
        assert [it["without_meaning"] for it in found["on"]] == [[], ["registers"]]
        (kernel,) = (await told(client, "occupancy", path="k.cl", devices=["mi300x"]))["kernels"]
        assert kernel["on"][0]["figure"] is None and kernel["on"][0]["inputs"]["workgroup"]["reason"]
        every = await told(client, "what_if", path="k.cu", devices=["all"], block=128)
        nvidia = {it.id for it in CATALOGUE.all() if it.id == it.arch.id and it.vendor == "nvidia"}
        assert {it["device"]["id"] for it in every["on"]} == nvidia

        found = await told(client, "devices", contains="RTX 40")
        ids = {it["id"] for it in found["devices"]}
        assert "rtx-4090" in ids and "rtx-5090" not in ids and found["description"] is None
        found = await told(client, "devices")
        assert len(found["devices"]) + found["devices_left_out"] == len(CATALOGUE.all())
        found = await told(client, "devices", name="H100 SXM5")
        assert found["devices"] == [
            {"id": "h100", "name": "H100 SXM5", "arch": "sm_90", "vendor": "nvidia", "compute_units": 132}
        ]
        assert found["description"] == CATALOGUE.describe("h100")

    drive(work, tmp_path)


@pytest.fixture
def fenced(tmp_path: Path) -> Path:
    """A folder beside which something stands that must not be read."""
    kernel = "__global__ void secret(float *x) { x[threadIdx.x] *= 2; }\nvoid f(float *x) { secret<<<1, 256>>>(x); }\n"
    (tmp_path / "secret.cu").write_text(kernel)
    (tmp_path / ".occupancy.yaml").write_text("devices: [sm_75]\n")
    inside = tmp_path / "inside"
    (inside / "folder").mkdir(parents=True)
    (inside / "own.cu").write_text(kernel.replace("secret", "own"))
    (inside / "two.cu").write_text(kernel.replace("secret", "one") + kernel.replace("secret", "other"))
    (inside / "unsized.cu").write_text("__global__ void unsized(float *x) { x[threadIdx.x] *= 2; }\n")
    (inside / "big.cu").write_bytes(b"// " + b"x" * (3 << 20))
    git(tmp_path, "init", "-q")
    (inside / "link.cu").symlink_to(tmp_path / "secret.cu")
    (inside / "up").symlink_to(tmp_path)
    os.mkfifo(inside / "pipe.cu")
    return inside


def test_what_cannot_be_answered_says_why_and_what_to_do(fenced: Path) -> None:
    outside = "--root FOLDER"
    cases: Sequence[tuple[str, dict[str, Any], str]] = (
        ("occupancy", {"path": "../secret.cu"}, outside),
        ("occupancy", {"path": str(fenced.parent / "secret.cu")}, outside),
        ("occupancy", {"path": "folder/../../secret.cu"}, outside),
        ("occupancy", {"path": "link.cu"}, outside),
        ("kernels", {"path": "up/secret.cu"}, outside),
        ("what_if", {"path": "up/secret.cu", "block": 128}, outside),
        ("check", {"path": "up"}, outside),
        ("check", {"path": "/"}, outside),
        ("check", {"path": "a\0b"}, "a\\x00b"),
        ("occupancy", {"path": "none.cu"}, "none.cu: no such file or folder"),
        ("occupancy", {"path": "folder"}, "`check` takes folders"),
        ("occupancy", {"path": "pipe.cu"}, "not a regular file"),
        ("kernels", {"path": "big.cu"}, "larger than 2 MB"),
        ("occupancy", {"path": "own.cu", "kernel": "other"}, "no kernel other in own.cu: it has own."),
        ("occupancy", {"path": "own.cu", "devices": ["h1000"]}, "h100"),
        ("occupancy", {"path": "own.cu", "devices": "h100"}, "devices: 'h100' is not of type 'array'"),
        ("occupancy", {"path": 3}, "path: 3 is not of type 'string'"),
        ("occupancy", {}, "'path' is a required property"),
        ("occupancy", {"path": "own.cu", "file": "x"}, "'file' was unexpected"),
        ("what_if", {"path": "own.cu"}, "give at least one of block, registers"),
        ("what_if", {"path": "own.cu", "registers": -1}, "registers: -1 is less than the minimum of 0"),
        ("what_if", {"path": "own.cu", "block": 2**40}, "a whole number"),
        ("what_if", {"path": "own.cu", "mode": "cu", "devices": ["mi300x"]}, "own.cu does not run on mi300x"),
        ("what_if", {"path": "two.cu", "block": 128}, "name one of one (line 1), other (line 3)"),
        ("what_if", {"path": "unsized.cu", "registers": 32}, "`block` gives one"),
        ("devices", {"name": "h1000"}, "h100"),
        ("explain", {"code": "OCC999"}, "OCC005"),
        ("bounds", {"path": "own.cu"}, "occupancy-lsp mcp --compile"),
        ("diff", {"path": "own.cu", "revision": "HEAD"}, "begins outside"),
        ("diff", {"path": "up", "revision": "HEAD"}, outside),
        ("rm", {"path": "own.cu"}, "there are occupancy, check, kernels, devices, explain, what_if, diff."),
    )

    async def work(client: Client) -> None:
        assert "bounds" not in [it.name for it in (await client.list_tools()).tools]
        for tool, arguments, why in cases:
            said = await refused(client, tool, arguments)
            assert why in said, (tool, arguments, said)
            assert "secret<<<" not in said
        # What stands outside has no say in what is inside, and links out of it are told of, not followed.
        (kernel,) = (await told(client, "occupancy", path=str(fenced / "own.cu")))["kernels"]
        assert kernel["name"] == "own" and [it["device"] for it in kernel["on"]] != ["sm_75"]
        found = await told(client, "check", path=".")
        assert {it["path"]: it["message"] for it in found["problems"]} == {
            "link.cu": "not read: a link out of the folder",
            "pipe.cu": "not read: not a regular file",
        }

    drive(work, fenced)


def test_changes_since_a_revision(tmp_path: Path) -> None:
    """What `check --diff` tells, with what is not committed; and why there is nothing to tell."""
    kernel = "__global__ void {0}(float *x) {{ __shared__ float t[{1}]; t[threadIdx.x] = *x; x[1] = t[0]; }}\n"
    launches = "void f(float *x) {{ {0}<<<1, 256>>>(x); }}\n"
    (tmp_path / "k.cu").write_text(f"{kernel}{launches}".format("k", 1024))
    (tmp_path / "same.cu").write_text(f"{kernel}{launches}".format("same", 1024))
    (tmp_path / "large.cu").write_bytes(bytes(9 << 20))
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "-qm", "before")
    (tmp_path / "k.cu").write_text(f"{kernel}{launches}".format("k", 10240).replace("256", "2048"))
    (tmp_path / "new.cu").write_text(f"{kernel}{launches}".format("added", 1024))
    (tmp_path / "large.cu").unlink()
    caches = {"XDG_CACHE_HOME": str(tmp_path.parent / "caches"), "LOCALAPPDATA": str(tmp_path.parent / "caches")}
    command = occupancy("check", ".", "--diff", "HEAD", "--format", "json", cwd=tmp_path, **caches)
    expected = json.loads(command.out)
    before = contents(tmp_path)

    async def work(client: Client) -> None:
        found = await told(client, "diff", path=".", revision="HEAD")
        changes = found["comparison"]["kernels"]
        assert changes == [it for it in expected["comparison"]["kernels"] if it["kind"] != "same"]
        assert {it["kernel"]: it["kind"] for it in changes} == {"k": "lost", "added": "new"}
        lost = [(it["path"], one["code"]) for it in found["files"] for one in it["findings"]]
        assert lost == [(it["path"], one["code"]) for it in expected["files"] for one in it["findings"]] != []
        assert [it["message"] for it in found["problems"]] == ["large.cu is too large in HEAD: not read there"]
        assert "no revision 'nowhere'" in await refused(client, "diff", {"path": ".", "revision": "nowhere"})
        assert await refused(client, "diff", {"path": ".", "revision": "--upload-pack=x"})
        assert "it is empty" in await refused(client, "diff", {"path": ".", "revision": ""})

    drive(work, tmp_path, **caches)
    assert contents(tmp_path) == before


def test_a_hostile_file(tmp_path: Path) -> None:
    """Its texts are text: nothing in them hides, turns letters round or ends the answer."""
    name = os.fsdecode(b"\x1b]0;owned\x07\xff.cu")
    kernel = b"__global__ void __launch_bounds__(256, 9) k\xe2\x80\xae(float *x) { x[threadIdx.x] *= 2; }\n"
    (tmp_path / name).write_bytes(b"/* \x1b[2J \xe2\x80\xae\0 */\n" + kernel + b"{" * 3000 + b"__global__ " * 50_000)
    (tmp_path / ".occupancy.yaml").write_bytes(b"devices: ['\xe2\x80\xae\x1b']\nexec: !!python/object:os.system x\n")

    async def work(client: Client) -> None:
        result = await client.call_tool("check", {"path": "."})
        (content,) = result.content
        assert content.type == "text"
        assert all(it.isprintable() or it == "\n" for it in content.text), content.text
        assert result.structured_content["problems"][0]["path"].endswith(".occupancy.yaml")

    drive(work, tmp_path)


def test_bounds_where_the_user_lets_compilers_be_started(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    text = live(40) + "void go(float* p, int n) { live<<<64, 256>>>(p, p, n, n, n); }\n"
    (folder / "k.cu").write_text(text)
    caches = {"XDG_CACHE_HOME": str(tmp_path / "caches"), "LOCALAPPDATA": str(tmp_path / "caches")}
    steps: list[str] = []

    async def noted(done: float, total: float | None, message: str | None) -> None:
        steps.append(message or "")

    async def work(client: Client) -> None:
        asked = {"path": "k.cu", "kernel": "live", "device": "h100"}
        result = await client.call_tool("bounds", asked, progress_callback=noted)
        (kernel,) = result.structured_content["kernels"]
        assert [it["head"]["second"] for it in kernel["steps"]] == [None, 6, 8]
        assert [it["improves"] for it in kernel["steps"]] == [False, True, True]
        for step in kernel["steps"]:
            assert step["registers"]["highest"] == step["counts"][0]["registers"] <= (step["ceiling"] or 255)

    drive(work, folder, "--compile", **caches)
    assert steps
    assert [it.name for it in folder.iterdir()] == ["k.cu"]


def test_a_call_that_is_cancelled_goes_no_further(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number in range(40):
        (tmp_path / f"k{number}.cu").write_text("__global__ void k(float *x) { *x = 1; }\n")
    said: list[str] = []

    class Cancelled(BaseException):
        pass

    def tell(text: str) -> None:
        said.append(text)
        if text.startswith("file 3"):
            raise Cancelled

    check = next(it for it in TOOLS if it.name == "check")
    with pytest.raises(Cancelled):
        check.run(Call(Folder(tmp_path), tell, lambda: False), {"path": "."})
    assert said[-1] == "file 3 of 40"
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        git(tmp_path, *arguments)
    (tmp_path / ".occupancy.yaml").write_text("devices: [sm_90]\n")  # bears on all

    def tell_of_base(text: str) -> None:
        said.append(text)
        if text.startswith("checking 3"):
            raise Cancelled

    with pytest.raises(Cancelled):
        DIFF.run(Call(Folder(tmp_path), tell_of_base, lambda: False), {"path": ".", "revision": "HEAD"})
    assert said[-1] == "checking 3 of 40: k10.cu"
    (tmp_path / ".occupancy.yaml").unlink()

    async def work(client: Client) -> None:
        """The server is told of it, and goes on with the next call."""
        with anyio.CancelScope() as scope:

            async def cancel(done: float, total: float | None, message: str | None) -> None:
                scope.cancel()

            await client.call_tool("check", {"path": "."}, progress_callback=cancel)
        assert scope.cancelled_caught
        assert (await told(client, "check", path="."))["files_checked"] == 40

    drive(work, tmp_path)


@pytest.mark.skipif(os.name == "nt", reason="it has no such pipes")
def test_a_cancelled_call_does_not_wait_for_git(tmp_path: Path) -> None:
    """Which waits here for the other end of a pipe; by itself for two minutes."""
    (tmp_path / "k.cu").write_text("__global__ void k(float *x) { *x = 1; }\n")
    for arguments in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-q", "-m", "all"]):
        git(tmp_path, *arguments)
    os.mkfifo(tmp_path / ".git" / "packed-refs")

    async def work(client: Client) -> None:
        with anyio.CancelScope() as scope:

            async def cancel(done: float, total: float | None, message: str | None) -> None:
                scope.cancel()

            await client.call_tool("diff", {"path": ".", "revision": "other"}, progress_callback=cancel)
        assert scope.cancelled_caught
        with anyio.fail_after(LIMIT / 2):
            assert (await told(client, "check", path="."))["files_checked"] == 1

    drive(work, tmp_path)


@pytest.mark.parametrize("tool", EVERY, ids=lambda it: it.name)
def test_schemas(tool: Any) -> None:
    for schema in (tool.takes, tool.gives):
        Draft202012Validator.check_schema(schema)
    assert tool.description.endswith(".") and tool.takes["additionalProperties"] is False


def test_every_tool_is_documented() -> None:
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == {it.name for it in EVERY}


def test_without_the_library() -> None:
    """As where the extra is not installed."""
    program = (
        "import sys; sys.modules['mcp_types'] = None\nfrom occupancy_lsp.cli.main import main\nsys.exit(main(['mcp']))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2 and done.stdout == ""
    assert done.stderr == (
        "occupancy-lsp: error: the library mcp is not installed: `pip install 'occupancy-lsp[mcp]'` installs it.\n"
    )


def test_lines_that_are_no_messages(tmp_path: Path) -> None:
    """Of each kind some, and what follows is answered. What is too long is not kept, and an error tells of it."""
    deep = b"[" * 900 + b"]" * 900
    lines = [
        b"", b"null", b"[]", b"[[]]", b"{}", b"1e999", b"\xff\xfe\0", b"\0" * 1000, b'"' + b"a" * 1_000_000,
        b"[" * 100_000, b'{"a":' * 3000, b'{"jsonrpc":"2.0","id":null,"method":"ping"}',
        b'{"jsonrpc":"2.0","result":{},"id":77}', b'{"jsonrpc":"1.0","id":1,"method":"ping"}',
        b'{"jsonrpc":"2.0","id":' + b"9" * 5000 + b',"method":"ping"}',
        b'{"jsonrpc":"2.0","id":"c","method":"tools/call","params":{"name":"check","arguments":' + deep + b"}}",
        b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
    ]  # fmt: skip
    command, quiet = [*start({}), "mcp", "--root", str(tmp_path)], subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=quiet) as server:
        assert server.stdin is not None and server.stdout is not None

        errors = []

        def ask(id_: str, method: str, params: object) -> None:
            assert server.stdin is not None and server.stdout is not None
            asked = {"jsonrpc": "2.0", "id": id_, "method": method, "params": params}
            server.stdin.write(json.dumps(asked).encode() + b"\n")
            server.stdin.flush()
            while (answer := json.loads(server.stdout.readline())).get("id") != id_:
                errors.extend([answer["error"]["message"]] if answer.get("id", "") is None else [])

        ask("first", "initialize", HELLO)
        for number, line in enumerate(lines):
            server.stdin.write(line + b"\n")
            ask(f"after {number}", "ping", {})
        assert not errors
        before = Process(server.pid).memory_info().rss
        for _ in range(32):
            server.stdin.write(b"a" * (1 << 20))
        server.stdin.write(b'"\n')
        ask("after a long one", "ping", {})
        assert errors == ["a message is longer than 4,194,304 characters: it was not read"]
        assert Process(server.pid).memory_info().rss < before + (32 << 20)
        server.stdin.close()
        assert server.wait(LIMIT) == 0


def test_of_a_flood_of_calls_a_few_wait(tmp_path: Path) -> None:
    """The others are refused at once, and who calls again when those are answered has an answer."""
    (tmp_path / "a.cu").write_text("__global__ void k(int *p) { p[0] = 1; }\n" * 40)
    why = "64 calls wait already, and are answered one after the other: wait for answers, then call again"

    async def call(client: Client) -> None:
        from mcp.shared.exceptions import MCPError

        told: list[str] = []

        async def once() -> None:
            try:
                told.append("" if not (await client.call_tool("check", {"path": "a.cu"})).is_error else "error")
            except MCPError as error:
                told.append(f"{error.code} {error}")

        async with anyio.create_task_group() as group:
            for _ in range(400):
                group.start_soon(once)
        assert {*told} == {"", f"-32603 {why}"} and 64 <= told.count("") < 200
        told.clear()
        await once()
        assert told == [""]

    drive(call, tmp_path)


@pytest.mark.parametrize("goes_away", [False, True])
def test_of_a_client_that_reads_no_answers_no_more_is_read(tmp_path: Path, goes_away: bool) -> None:
    """What it asks stays in its pipe. When it reads, each has its answer; when it is gone, the server ends."""
    asked = [json.dumps({"jsonrpc": "2.0", "id": it, "method": "tools/list"}).encode() for it in range(3000)]
    command, quiet = [*start({}), "mcp", "--root", str(tmp_path)], subprocess.DEVNULL
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=quiet, bufsize=0) as server:
        stdin, stdout, sent = server.stdin, server.stdout, list[bytes]()
        assert stdin is not None and stdout is not None
        stdin.write(json.dumps({"jsonrpc": "2.0", "id": "", "method": "initialize", "params": HELLO}).encode() + b"\n")
        assert stdout.readline()

        def send() -> None:
            with suppress(BrokenPipeError):
                for it in asked:
                    stdin.write(it + b"\n")
                    sent.append(it)

        before, writer = Process(server.pid).memory_info().rss, Thread(target=send)
        writer.start()
        seen = -1
        while seen != len(sent):
            seen = len(sent)
            writer.join(2)
        assert 0 < seen < len(asked)
        assert Process(server.pid).memory_info().rss < before + (32 << 20)
        if goes_away:
            stdout.close()
        else:
            with open(stdout.fileno(), "rb", closefd=False) as answers:
                assert {json.loads(answers.readline())["id"] for _ in asked} == {*range(len(asked))}
        writer.join(LIMIT)
        stdin.close()
        assert server.wait(LIMIT) == 0 or goes_away


def test_no_such_folder() -> None:
    done = occupancy("mcp", "--root", "nowhere")
    assert (done.status, done.err) == (2, "occupancy-lsp: error: nowhere: no such folder.\n")
