"""One message of a client: what it is, before anyone looks at what it wants."""

from __future__ import annotations

import json
from typing import Any, TypeGuard

from pygls.exceptions import JsonRpcException, JsonRpcInvalidRequest, JsonRpcParseError

from occupancy_lsp.core.dataclass import dataclass

Id = int | str


@dataclass(eq=False)
class Message:
    """`id` None: a notification. `method` "": a response. `refusal`: why it is not worked on. `answered`: it has
    its answer already."""

    data: dict[str, Any]
    method: str = ""
    id: Id | None = None
    refusal: JsonRpcException | None = None
    answered: bool = False

    @property
    def document(self) -> str | None:
        """The URI of the document it speaks of."""
        params = self.data.get("params")
        named = params.get("textDocument") if isinstance(params, dict) else None
        uri = named.get("uri") if isinstance(named, dict) else None
        return uri if isinstance(uri, str) else None


def read(body: bytes, answered: bool = False) -> Message:
    """Any bytes. What is no message comes back refused."""
    try:
        data = json.loads(body)
    except (ValueError, RecursionError):
        return Message({}, refusal=JsonRpcParseError("the message is not JSON"))
    if not isinstance(data, dict):
        return _no_message("the message is no request, notification or response")
    if "method" not in data:
        return Message(data)
    if "id" in data and not is_id(data["id"]):
        return _no_message("the id is neither a whole number nor a string")
    if not isinstance(data["method"], str):
        return Message(data, id=data.get("id"), refusal=JsonRpcInvalidRequest("the method is not a string"))
    return Message(data, data["method"], data.get("id"), answered=answered)


def is_id(value: object) -> TypeGuard[Id]:
    return isinstance(value, int | str) and not isinstance(value, bool)


def _no_message(why: str) -> Message:
    return Message({}, refusal=JsonRpcInvalidRequest(why))
