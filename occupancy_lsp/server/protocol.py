"""What pygls leaves open between the messages and the handlers: every request gets one answer, and only in its time.

Whatever a client sends, the server goes on: `receive` raises nothing. Of pygls there remain the types of messages, what
the server can do, and the requests that the server itself makes.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import sys
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import (
    FeatureNotificationError,
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcMethodNotFound,
    JsonRpcRequestCancelled,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol
from pygls.protocol.json_rpc import JsonRPCResponseMessage

from occupancy_lsp.server.client import Client
from occupancy_lsp.server.greeting import answer, stated
from occupancy_lsp.server.messages import Id, Message, is_id

if TYPE_CHECKING:
    from cattrs import Converter

    from occupancy_lsp.server.state import ServerState

_MOST_CHARACTERS = 500  # of a reason, which may hold the whole message


class Protocol(LanguageServerProtocol):
    """pygls' protocol with its gaps closed."""

    _server: ServerState
    initialized = False
    exited = False

    def __init__(self, server: ServerState, converter: Converter) -> None:
        self._running: dict[Id | None, asyncio.Future[Any]] = {}
        self._unreadable: set[str] = set()  # methods of notifications, each told once
        super().__init__(server, converter)

    def _register_builtin_features(self) -> None:
        """None of pygls' own: they keep documents that nobody reads, end the process and fail on odd parameters."""
        for method, handler in (
            (t.INITIALIZE, self._initialize),
            (t.SHUTDOWN, self._shut_down),
            (t.CANCEL_REQUEST, self._cancel),
            (t.WINDOW_WORK_DONE_PROGRESS_CANCEL, self._cancel_progress),
            (t.WORKSPACE_EXECUTE_COMMAND, self._execute),
        ):
            self.fm.add_builtin_feature(method, handler)

    @property
    def shut_down(self) -> bool:
        return self._shutdown

    def rest(self) -> None:
        """Let go of the functions that the converter has made for types of messages: it makes them again."""
        for made in (self._converter._structure_func, self._converter._unstructure_func):
            made.clear_cache()

    def receive(self, message: Message) -> None:
        """Handle one message, whatever it holds."""
        try:
            if message.method or message.refusal:
                self._serve(message)
            else:
                self._receive_response(message.data)
        except JsonRpcException as error:
            self._fail(message, error)
        except Exception as error:
            if message.id is None:
                self._server.report_server_error(error, FeatureNotificationError)
            self._fail(message, JsonRpcInternalError.of(sys.exc_info()))  # type: ignore[no-untyped-call]

    def dispose(self) -> None:
        """Nobody waits for these answers any more."""
        for running in [*self._running.values()]:
            running.cancel()

    def _serve(self, message: Message) -> None:
        if error := message.refusal or self._out_of_time(message.method):
            raise error
        builtin, features = self.fm.builtin_features, self.fm.features
        handler = builtin.get(message.method) or features.get(message.method)
        if handler is None:
            raise JsonRpcMethodNotFound.of(message.method)
        result = handler(self._params(message))
        if inspect.iscoroutine(result):
            self._answer_later(message, result)
        else:
            self._answer(message, result)

    def _answer(self, message: Message, result: Any) -> None:
        if message.id is not None and not message.answered:
            response_type = self.get_result_type(message.method) or JsonRPCResponseMessage
            self._send_data(response_type(id=message.id, result=result, jsonrpc=self.VERSION))

    def _answer_later(self, message: Message, work: Coroutine[Any, Any, Any]) -> None:
        self._running[message.id] = running = asyncio.ensure_future(work)

        def done(_: object) -> None:
            if self._running.get(message.id) is running:
                del self._running[message.id]
            if running.cancelled():
                self._fail(message, JsonRpcRequestCancelled())
            elif error := running.exception():
                told = error if isinstance(error, JsonRpcException) else JsonRpcInternalError(_reason(error))
                self._fail(message, told)
            else:
                self._answer(message, running.result())

        running.add_done_callback(done)

    def _fail(self, message: Message, error: JsonRpcException) -> None:
        """Tell whoever asked. What is no message at all may have been a request."""
        if message.id is not None or not message.method:
            self._send_data(t.ResponseErrorMessage(id=message.id, error=error.to_response_error()))
            return
        at_fault = isinstance(error, JsonRpcInvalidParams | JsonRpcInvalidRequest) and not self._shutdown
        if at_fault and message.method not in self._unreadable:
            self._unreadable.add(message.method)
            self._server.warn(error.message)

    def _out_of_time(self, method: str) -> JsonRpcException | None:
        if self._shutdown and method != t.EXIT:
            return JsonRpcInvalidRequest("the server is shutting down")
        if self.initialized and method == t.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already")
        if not self.initialized and method not in (t.INITIALIZE, t.EXIT):
            return JsonRpcServerNotInitialized("the server is not initialized")
        return None

    def _params(self, message: Message) -> Any:
        """As the protocol's types; those of our own requests as they came."""
        params = message.data.get("params")
        kind = self.get_message_type(message.method)
        if kind is None:
            return params
        is_request = self.get_result_type(message.method) is not None
        if is_request != (message.id is not None):
            raise JsonRpcInvalidRequest(f"{message.method} is a {'request' if is_request else 'notification'}")
        if message.method == t.INITIALIZE and isinstance(params, dict):
            # An unknown value among the capabilities would fail the whole handshake, so pygls sees none of them.
            self._server.client = Client.of(params.get("capabilities"))
            params = stated(params) or {**params, "capabilities": {}}
        data = {"jsonrpc": self.VERSION, "id": message.id, "method": message.method}
        if params is not None:
            data["params"] = params
        try:
            return self._converter.structure(data, kind).params
        except Exception as error:  # nothing of ours has run yet: the client's message is at fault
            raise JsonRpcInvalidParams(f"{message.method}: {_reason(error)}") from error

    def _receive_response(self, data: dict[str, Any]) -> None:
        number = data.get("id")
        if not is_id(number):
            return
        future = self._request_futures.pop(number, None)
        if future is None or future.done():  # done: nobody waits for it any more
            return
        kind = self._result_types.pop(number, None) or JsonRPCResponseMessage
        try:
            if "error" in data:
                error = self._converter.structure(data["error"], t.ResponseError)
                future.set_exception(JsonRpcException.from_error(error))
            else:
                future.set_result(self._converter.structure({**data, "jsonrpc": self.VERSION}, kind).result)
        except Exception as error:
            # Whoever waits for this answer must not wait for ever.
            future.set_exception(JsonRpcInternalError(f"the client's answer cannot be read: {_reason(error)}"))

    def _send_data(self, data: Any) -> None:
        """JSON and nothing else: what a client sends back to us may hold numbers that JSON does not have."""
        try:
            body = json.dumps(data, default=self._serialize_message, allow_nan=False)
        except Exception as error:
            if not hasattr(data, "id") or hasattr(data, "method"):
                raise
            failure = JsonRpcInternalError(f"the answer cannot be written: {_reason(error)}")
            body = json.dumps(self._serialize_message(t.ResponseErrorMessage(data.id, failure.to_response_error())))
        if self._include_headers:
            body = f"Content-Length: {len(body)}\r\n\r\n{body}"
        if self.writer:
            self.writer.write(body.encode())

    def _initialize(self, params: t.InitializeParams) -> t.InitializeResult:
        self._server.start(params)
        self.initialized = True
        return self._converter.structure(answer(self._server.client), t.InitializeResult)

    def _shut_down(self, params: None) -> None:
        self._shutdown = True
        self.dispose()

    def _cancel(self, params: t.CancelParams) -> None:
        """What still waits for its turn was cancelled in the inbox; what is answered stays answered."""
        if is_id(params.id) and (running := self._running.get(params.id)):
            running.cancel()

    def _cancel_progress(self, params: t.WorkDoneProgressCancelParams) -> None:
        if is_id(params.token) and (progress := self.progress.tokens.get(params.token)):
            progress.cancel()

    def _execute(self, params: t.ExecuteCommandParams) -> Any:
        if (command := self.fm.commands.get(params.command)) is None:
            raise JsonRpcInvalidParams(f"there is no command {params.command!r}")
        return command(*(params.arguments or ()))


def _reason(exception: BaseException) -> str:
    """The innermost cause that says something."""
    while True:
        inner = getattr(exception, "exceptions", None)
        following = inner[0] if inner else exception.__cause__
        if following is None:
            text = f"{type(exception).__name__}: {exception}" if str(exception) else "it cannot be read"
            return text if len(text) <= _MOST_CHARACTERS else f"{text[:_MOST_CHARACTERS]}…"
        exception = following
