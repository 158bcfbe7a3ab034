"""Archives of `ar`: what ocloc and clang pack the code for several devices into, and static libraries."""

from __future__ import annotations

import re
from collections.abc import Iterator

from occupancy_lsp.core.regex import regex

MAGIC = b"!<arch>\n"
_HEADER = regex(rb"(?P<name>.{16}).{32}(?P<size>\d{1,10}) *`\n", re.DOTALL)
_HEADER_BYTES = 60
_NAMES = "//"  # the member that has the long names of the others
MAX_MEMBERS = 10_000


def members(data: bytes) -> Iterator[tuple[str, bytes]]:
    """Name and content of each; what comes after damage, or is cut off, is left out."""
    at, names = len(MAGIC), b""
    for _ in range(MAX_MEMBERS):
        header = _HEADER.fullmatch(data, at, at + _HEADER_BYTES)
        end = at + _HEADER_BYTES + int(header["size"]) if header else len(data) + 1
        if header is None or end > len(data):
            return
        name = header["name"].decode("latin-1").rstrip()
        content = data[at + _HEADER_BYTES : end]
        if name == _NAMES:
            names = content
        else:
            yield _long_name(name, names), content
        at = end + end % 2


def _long_name(name: str, names: bytes) -> str:
    if re.fullmatch(r"/\d{1,9}", name):
        start = int(name[1:])
        return names[start : start + 4096].partition(b"/\n")[0].decode("utf-8", "replace")
    return name.removesuffix("/")
