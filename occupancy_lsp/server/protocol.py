"""What pygls leaves open between the bytes and the handlers: every request gets a reply, and only in its time."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Generator
from contextvars import copy_context
from typing import TYPE_CHECKING, Any

from lsprotocol import types as t
from pygls.exceptions import (
    FeatureNotificationError,
    JsonRpcException,
    JsonRpcInternalError,
    JsonRpcInvalidParams,
    JsonRpcInvalidRequest,
    JsonRpcParseError,
    JsonRpcServerNotInitialized,
)
from pygls.protocol import LanguageServerProtocol, lsp_method

from occupancy_lsp.server.client import Client

if TYPE_CHECKING:
    from occupancy_lsp.server.server import Server


# pygls keeps documents that nobody would read, and ends the process wherever it is. Ours are in `wiring`.
_REPLACED = (
    t.TEXT_DOCUMENT_DID_OPEN,
    t.TEXT_DOCUMENT_DID_CHANGE,
    t.TEXT_DOCUMENT_DID_CLOSE,
    t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS,
    t.EXIT,
)


class Protocol(LanguageServerProtocol):
    """pygls' protocol with its gaps closed."""

    _server: Server
    initialized = False
    exited = False

    def _register_builtin_features(self) -> None:
        super()._register_builtin_features()  # type: ignore[no-untyped-call]
        for method in _REPLACED:
            del self.fm.builtin_features[method]

    @property
    def shut_down(self) -> bool:
        return self._shutdown

    def receive(self, body: bytes) -> None:
        """Handle one message, whatever it holds."""
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            return self._refuse(None, JsonRpcParseError("the message is not JSON"))
        if not isinstance(data, dict) or not isinstance(data.get("id", 0), int | str):
            return self._refuse(None, JsonRpcInvalidRequest("the message is no request, notification or response"))
        if "method" not in data:
            return self._receive_response(data)
        error = self._out_of_time(data["method"]) or self._handle(data)
        if error and "id" in data:
            self._refuse(data["id"], error)
        elif isinstance(error, JsonRpcInvalidParams):
            self._server.warn(error.message)

    def _handle(self, data: dict[str, Any]) -> JsonRpcException | None:
        try:
            message = self.structure_message(self._prepare(data))
        except JsonRpcException as exception:
            # Whatever pygls calls it, nothing of ours has run yet: the client's message is at fault.
            return JsonRpcInvalidParams(f"{data['method']}: {_reason(exception)}")
        if message.method in self.fm.features and message.method not in self.fm.builtin_features:
            return self._answer(self.fm.features[message.method], message)
        # What pygls does, which finds out anew whether it is a request.
        context = copy_context()
        if hasattr(message, "id"):
            context.run(self._handle_request, message.id, message.method, message.params)
        else:
            context.run(self._handle_notification, message.method, message.params)
        return None

    def _answer(self, handler: Callable[[Any], object], message: Any) -> JsonRpcException | None:
        """Ours answer at once; pygls would make a future, with its lock, for each of them."""
        request = hasattr(message, "id")
        try:
            result = handler(message.params)
        except JsonRpcException as exception:
            return exception
        except Exception as exception:
            if not request:
                self._server.report_server_error(exception, FeatureNotificationError)
            error: JsonRpcException = JsonRpcInternalError.of(sys.exc_info())  # type: ignore[no-untyped-call]
            return error
        if request:
            self._send_response(message.id, result)
        return None

    def _refuse(self, message_id: int | str | None, error: JsonRpcException) -> None:
        if message_id is not None:
            self._result_types.pop(message_id, None)
        self._send_data(t.ResponseErrorMessage(id=message_id, error=error.to_response_error()))

    def _out_of_time(self, method: object) -> JsonRpcException | None:
        if not isinstance(method, str):
            return JsonRpcInvalidRequest("the method is not a string")
        if self._shutdown and method != t.EXIT:
            return JsonRpcInvalidRequest("the server is shutting down")
        if self.initialized and method == t.INITIALIZE:
            return JsonRpcInvalidRequest("the server is initialized already")
        if not self.initialized and method not in (t.INITIALIZE, t.EXIT):
            return JsonRpcServerNotInitialized("the server is not initialized")
        return None

    def _prepare(self, data: dict[str, Any]) -> dict[str, Any]:
        """A message as pygls can read it."""
        data["jsonrpc"] = self.VERSION
        if self.get_message_type(data["method"]) is None:
            data.setdefault("params", None)
        params = data.get("params")
        if data["method"] == t.INITIALIZE and isinstance(params, dict):
            # An unknown value among the capabilities would fail the whole handshake, so pygls sees none of them.
            self._server.client = Client.of(params.get("capabilities"))
            params["capabilities"] = {"general": {"positionEncodings": [self._server.client.encoding]}}
        return data

    def _receive_response(self, data: dict[str, Any]) -> None:
        message_id: Any = data.get("id")
        future = self._request_futures.get(message_id)
        try:
            self.handle_message(self.structure_message({**data, "jsonrpc": self.VERSION}))
        except JsonRpcException as exception:
            # Whoever waits for this answer must not wait for ever.
            self._request_futures.pop(message_id, None)
            if future and not future.done():
                future.set_exception(JsonRpcInternalError(f"the client's answer cannot be read: {_reason(exception)}"))

    @lsp_method(t.INITIALIZE)
    def lsp_initialize(self, params: t.InitializeParams) -> Generator[Any, Any, t.InitializeResult]:
        result = yield from super().lsp_initialize(params)
        if not self._server.client.pulls_diagnostics:
            result.capabilities.diagnostic_provider = None
        self._server.start(params)
        self.initialized = True
        return result


def _reason(exception: BaseException) -> str:
    """The innermost cause that says something."""
    while True:
        inner = getattr(exception, "exceptions", None)
        following = inner[0] if inner else exception.__cause__
        if following is None:
            return f"{type(exception).__name__}: {exception}" if str(exception) else "it cannot be read"
        exception = following
