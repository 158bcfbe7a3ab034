"""Who may talk to a server that listens: pure rules, no input or output.

A token that is made at the start and printed for the user lets in whoever knows it. Pages in a browser reach this
machine too. They cannot hide where they come from, so those of other machines are kept out even with the token.
"""

from __future__ import annotations

import hmac
import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import field
from ipaddress import ip_address
from urllib.parse import parse_qs

from lsprotocol import types as t

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.server.messages import Message

_HERE = r"(localhost|127\.0\.0\.1|\[::1\])(:\d+)?"
_HOST = regex(_HERE, re.IGNORECASE)
_ORIGIN = regex(rf"https?://{_HERE}", re.IGNORECASE)
_BEARER = "Bearer "

WRONG_TOKEN = "the token is missing or wrong"


@dataclass(frozen=True, slots=True)
class Door:
    """`loopback`: only programs of this machine can connect."""

    loopback: bool
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32))

    def opens(self, token: object) -> bool:
        offered = token if isinstance(token, str) else ""
        return hmac.compare_digest(offered.encode("utf-8", "backslashreplace"), self.token.encode())

    def refuses(
        self, path: str, hosts: Sequence[str], origins: Sequence[str], authorizations: Sequence[str]
    ) -> str | None:
        """Why a WebSocket's request is refused: its path, all values of three headers. Only browsers send an origin."""
        if not all(_ORIGIN.fullmatch(origin) for origin in origins):
            return "pages of other origins may not connect"
        # A name of another machine that was made to mean this one.
        if self.loopback and not (hosts and all(_HOST.fullmatch(host) for host in hosts)):
            return "this server goes by no such name"
        bearers = [it.removeprefix(_BEARER) for it in authorizations if it.startswith(_BEARER)]
        offered = [*parse_qs(path.partition("?")[2]).get("token", []), *bearers]
        return None if any(map(self.opens, offered)) else WRONG_TOKEN

    def admits(self, message: Message) -> bool:
        """Whether the first message on a bare connection shows the token, which is taken out of it."""
        params = message.data.get("params")
        options = params.get("initializationOptions") if isinstance(params, Mapping) else None
        is_first = message.method == t.INITIALIZE and not message.refusal
        return is_first and isinstance(options, dict) and self.opens(options.pop("token", None))


def is_loopback(host: str) -> bool:
    return ip_address(host).is_loopback
