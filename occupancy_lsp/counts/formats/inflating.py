"""Compressed device code made whole again: the three methods that nvcc and clang use.

Each takes the bytes and how many they must become; ValueError: they do not, or would be more than `MOST` bytes.
The libraries are imported when the first such code is met; there are systems for which nobody publishes them.
"""

from __future__ import annotations

import zlib

MOST = 64 << 20  # bytes of one piece of code

_MISSING = "the Python package {} is missing"


def from_zlib(data: bytes, size: int) -> bytes:
    """Bytes behind the stream's end are passed over."""
    inflater = zlib.decompressobj()
    try:
        content = inflater.decompress(data, _allowed(size) + 1)
    except zlib.error:
        raise ValueError("damaged") from None
    return _whole(content, size if inflater.eof else -1)


def from_zstd(data: bytes, size: int) -> bytes:
    """One frame, behind which bytes are passed over. Its own header may claim no more than `size`."""
    try:
        import zstandard
    except ImportError:
        raise ValueError(_MISSING.format("zstandard")) from None

    try:
        if zstandard.frame_content_size(data) not in (-1, size):
            raise ValueError("damaged")
        decompressor = zstandard.ZstdDecompressor()
        content = decompressor.decompress(data, max_output_size=_allowed(size), allow_extra_data=True)
    except zstandard.ZstdError:
        raise ValueError("damaged") from None
    return _whole(content, size)


def from_lz4(data: bytes, size: int) -> bytes:
    """One block without a frame around it, as nvcc writes it."""
    try:
        import lz4.block
    except ImportError:
        raise ValueError(_MISSING.format("lz4")) from None

    try:
        content = lz4.block.decompress(data, uncompressed_size=_allowed(size))
    except (lz4.block.LZ4BlockError, MemoryError):
        raise ValueError("damaged") from None
    return _whole(content, size)


def _allowed(size: int) -> int:
    if size > MOST:
        raise ValueError(f"larger than {MOST >> 20} MiB once inflated")
    return size


def _whole(content: bytes, size: int) -> bytes:
    if len(content) != size:
        raise ValueError("damaged")
    return content
