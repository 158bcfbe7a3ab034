"""Texts as they are found: packed by gzip, or in UTF-16, as PowerShell's `>` writes what a compiler says."""

from __future__ import annotations

import codecs
import zlib

from occupancy_lsp.counts.formats.inflating import MOST

_PACKED = b"\x1f\x8b\x08"
_WIDE = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
_ANY = 47  # of zlib: a header of gzip's or its own is expected


def plain(data: bytes) -> bytes:
    """The text in UTF-8; what is neither packed nor in UTF-16 is as it is. ValueError: what is wrong with it, for
    people."""
    inflated = _inflated(data) if data.startswith(_PACKED) else data
    wide = next((name for mark, name in _WIDE.items() if inflated.startswith(mark)), None)
    return inflated.decode(wide, "replace").encode("utf-8", "replace") if wide else inflated


def beginning(data: bytes, most: int) -> bytes:
    """The same of the beginning of a file, so far as `most` bytes of it tell."""
    try:
        inflated = zlib.decompressobj(_ANY).decompress(data, most) if data.startswith(_PACKED) else data
    except zlib.error:
        return b""
    return plain(inflated) if not inflated.startswith(_PACKED) else b""


def _inflated(data: bytes) -> bytes:
    """Of one member or several, one behind the other."""
    whole = bytearray()
    while data.startswith(_PACKED):
        inflater = zlib.decompressobj(_ANY)
        try:
            whole += inflater.decompress(data, MOST - len(whole) + 1)
        except zlib.error:
            raise ValueError("damaged: not what gzip writes, not read") from None
        if len(whole) > MOST:
            raise ValueError(f"not read: larger than {MOST >> 20} MiB once inflated")
        if not inflater.eof:
            raise ValueError("cut short: not all that gzip wrote, not read")
        data = inflater.unused_data
    return bytes(whole)
