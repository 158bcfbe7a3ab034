"""The tools over the Model Context Protocol, on standard input and output."""

from __future__ import annotations

import gc
import json
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from io import TextIOWrapper
from threading import Event
from time import monotonic
from typing import IO, Any, Protocol, cast

import anyio
import mcp_types as types
from anyio import from_thread, to_thread
from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.exceptions import MCPError
from mcp.shared.message import SessionMessage

from occupancy_lsp import __version__
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.agents.folder import Folder
from occupancy_lsp.cli.commands.agents.tool import Arguments, Call, Reply, Tool
from occupancy_lsp.core.defects import defect_of
from occupancy_lsp.core.visible import visible

_MOMENT = 0.2  # seconds between two words of progress
_LONGEST = 300  # characters of what is wrong with an argument, which may quote it whole
_LONGEST_LINE = 4 << 20  # characters, of a message
_MOST_CALLS = 64  # under way, each of which takes memory while it waits; agents make some ten at once
_TOO_MANY = f"{_MOST_CALLS} calls wait already, and are answered one after the other: wait for answers, then call again"
_MOST_ANSWERS = 64  # that wait for the client to read before them; then no more of its messages are read
_FEW_ANSWERS = 4  # the same, then no more calls are worked out: what they tell may be long
_TOO_LONG = f"a message is longer than {_LONGEST_LINE:,} characters: it was not read"
_ABOUT = (
    "Theoretical GPU occupancy of kernels in CUDA, HIP, OpenCL C, shaders and Python (Triton, Numba, Warp and "
    "others), from their source: what fits on a compute unit and what limits it. None of your program is run, and no "
    "file is written. An unknown figure is a range or null, never 0; treat a range as a range. Higher occupancy is "
    "not by itself faster: judge a change by measuring. `occupancy` tells of the kernels of a file, `check` lists "
    "findings, `what_if` tries other values, and `devices` lists what `devices` arguments take. "
)
_COMPILES = "`bounds` compiles a kernel with other launch bounds."
_NO_COMPILES = "Compiling is off: the user allows it by `occupancy-lsp mcp --compile`, which adds the tool `bounds`."


def serve(tools: Sequence[Tool], folder: Folder, compiles: bool) -> None:
    """Until standard input ends. `compiles`: the user lets compilers be started."""
    anyio.run(_Serving(tools, folder, compiles).run)


class _Serving:
    def __init__(self, tools: Sequence[Tool], folder: Folder, compiles: bool) -> None:
        self._tools = {it.name: it for it in tools if compiles or not it.compiles}
        self._denied = {it.name for it in tools} - self._tools.keys()
        self._folder = folder
        self._calls = 0  # under way
        self._about = _ABOUT + (_COMPILES if compiles else _NO_COMPILES)

    async def run(self) -> None:
        self._one = anyio.Lock()  # a project takes memory: one call after the other
        server: Server[Any] = Server(
            "occupancy-lsp",
            version=__version__,
            title="Occupancy",
            instructions=self._about,
            on_list_tools=self._list,
            on_call_tool=self._call,
        )
        lines = _Lines()
        async with stdio_server(anyio.wrap_file(cast(IO[str], lines))) as (incoming, outgoing):
            self._answers = answers = _Answers(outgoing)
            lines.refuse = partial(from_thread.run, answers.send, _refusal())
            lines.wait = partial(from_thread.run, answers.until_at_most, _MOST_ANSWERS)
            await server.run(incoming, answers, server.create_initialization_options())

    async def _list(
        self, context: ServerRequestContext[Any], params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(it) for it in self._tools.values()])

    async def _call(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        if self._calls >= _MOST_CALLS:
            raise MCPError(types.INTERNAL_ERROR, _TOO_MANY)
        self._calls += 1
        try:
            cancelled = Event()
            async with anyio.create_task_group() as group:
                group.start_soon(_note_end, cancelled)
                result = await self._result(context, params, cancelled.is_set)
                group.cancel_scope.cancel()
            return result
        finally:
            self._calls -= 1

    async def _result(
        self, context: ServerRequestContext[Any], params: types.CallToolRequestParams, cancelled: Callable[[], bool]
    ) -> types.CallToolResult:
        asked = params.arguments or {}
        try:
            tool = self._found(params.name, asked)
            call = Call(self._folder, _Progress(context).tell, cancelled)
            async with self._one:
                await self._answers.until_at_most(_FEW_ANSWERS)
                return _answered(await to_thread.run_sync(partial(_run, tool, call, asked)))
        except Failed as failure:
            return _refused("\n".join(map(str, failure.args)))
        except OSError as error:
            return _refused(f"{error.filename or 'a file'}: {error.strerror or error}.")
        except Exception as error:
            return _refused(str(defect_of(error)))

    def _found(self, name: str, asked: Arguments) -> Tool:
        """Failed: there is no such tool, or it does not take these arguments."""
        if name in self._denied:
            raise Failed(f"{name} starts compilers, which only the user can allow: `occupancy-lsp mcp --compile`.")
        if name not in self._tools:
            raise Failed(f"no tool {name}: there are {', '.join(self._tools)}.")
        tool = self._tools[name]
        if wrong := best_match(Draft202012Validator(tool.takes).iter_errors(asked)):
            where = ".".join(map(str, wrong.absolute_path))
            raise Failed(f"{name}: {f'{where}: ' if where else ''}{wrong.message[:_LONGEST]}.")
        return tool


def _run(tool: Tool, call: Call, asked: Arguments) -> Reply:
    """What it looked at stays no longer: a program that ends soon collects too seldom for one that goes on."""
    try:
        return tool.run(call, asked)
    finally:
        gc.collect()
        if not gc.get_freeze_count():  # what the first call loaded stays, and need not be looked through again
            gc.freeze()


class _Progress:
    """Of one call, told from the thread that works on it."""

    def __init__(self, context: ServerRequestContext[Any]) -> None:
        self._context = context
        self._told = 0
        self._next = 0.0

    def tell(self, text: str) -> None:
        """Ends the thread's work where the call was cancelled."""
        from_thread.check_cancelled()
        if text and monotonic() >= self._next:
            self._told += 1  # of how many is not known before the end
            from_thread.run(self._context.session.report_progress, self._told, None, visible(text))
            self._next = monotonic() + _MOMENT


class _Stream(Protocol):
    async def send(self, item: SessionMessage, /) -> None: ...
    async def aclose(self) -> None: ...


class _Answers:
    """Where the library sends what the client is to read. It would keep any number for one that never reads."""

    def __init__(self, stream: _Stream) -> None:
        self._stream = stream
        self._waiting = 0
        self._fewer = anyio.Event()

    async def send(self, item: SessionMessage, /) -> None:
        self._waiting += 1
        try:
            await self._stream.send(item)
        finally:
            self._waiting -= 1
            self._fewer.set()

    async def until_at_most(self, count: int) -> None:
        """Return once no more wait to be sent."""
        while self._waiting > count:
            if self._fewer.is_set():  # else others wait for it
                self._fewer = anyio.Event()
            await self._fewer.wait()

    async def aclose(self) -> None:
        await self._stream.aclose()

    async def __aenter__(self) -> _Answers:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()


class _Lines:
    """What comes on standard input, a message a line. The library would keep a line of any length in memory."""

    refuse: Callable[[], object]
    wait: Callable[[], object]  # until the client reads

    def __init__(self) -> None:
        own = os.dup(sys.stdin.fileno())  # never closed: a thread may wait for the next line when the program ends
        self._text = TextIOWrapper(os.fdopen(own, "rb", closefd=False), "utf-8", "replace")

    def readline(self) -> str:
        self.wait()
        line = self._text.readline(_LONGEST_LINE)
        if len(line) < _LONGEST_LINE or line.endswith("\n"):
            return line
        while (rest := self._text.readline(_LONGEST_LINE)) and not rest.endswith("\n"):
            pass
        self.refuse()
        return "\n"  # no message: it is passed over


def _refusal() -> SessionMessage:
    """The answer to what was not read: whose it is nobody knows."""
    error = types.ErrorData(code=types.INVALID_REQUEST, message=_TOO_LONG)
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=None, error=error))


async def _note_end(ended: Event) -> None:
    """When it is cancelled: for threads, of which the library asks only the one that works on the call."""
    try:
        await anyio.sleep_forever()
    finally:
        ended.set()


def _described(tool: Tool) -> types.Tool:
    hints = types.ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=dict(tool.takes),
        output_schema=dict(tool.gives),
        annotations=hints,
    )


def _answered(reply: Reply) -> types.CallToolResult:
    shown = _harmless(reply)
    told = types.TextContent(type="text", text=json.dumps(shown, ensure_ascii=False))
    return types.CallToolResult(content=[told], structured_content=shown)


def _refused(why: str) -> types.CallToolResult:
    lines = "\n".join(map(visible, why.split("\n")))
    return types.CallToolResult(content=[types.TextContent(type="text", text=lines)], is_error=True)


def _harmless(value: object) -> Any:
    """Texts of a workspace without what hides or reverses text; those of our own keep their lines."""
    if isinstance(value, str):
        return "\n".join(map(visible, value.split("\n")))
    if isinstance(value, Mapping):
        return {key: _harmless(it) for key, it in value.items()}
    return [_harmless(it) for it in value] if isinstance(value, list | tuple) else value
