"""Records and dataclasses as bytes and back. What is read is checked against the types that its fields declare."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Generic, TypeVar

from msgspec.msgpack import Decoder, Encoder

_T = TypeVar("_T")


class Damaged(ValueError):
    """The bytes are not what was packed."""


class Form(Generic[_T]):
    """How values of a kind are packed: the same value always in the same way."""

    def __init__(self, kind: type[_T]) -> None:
        self._kind = kind
        self._encoder = Encoder(order="deterministic", enc_hook=_as_text)

    @cached_property
    def _decoder(self) -> Decoder[_T]:
        """Made when something is read: it looks at all the types that there may be, which takes a while."""
        return Decoder(self._kind, dec_hook=_of_text)

    def pack(self, value: _T) -> bytes | None:
        """None: it has a text that is no UTF-8, as names of files may be, or a number of more than 64 bits."""
        try:
            return self._encoder.encode(value)
        except (UnicodeEncodeError, OverflowError):
            return None

    def unpack(self, packed: bytes) -> _T:
        """Damaged: it is something else."""
        try:
            return self._decoder.decode(packed)
        except (ValueError, RecursionError) as error:
            raise Damaged(str(error)) from None


def _as_text(value: object) -> str:
    """Of what the library does not know."""
    if isinstance(value, Path):
        return str(value)
    raise TypeError(f"no form for {type(value)}")


def _of_text(kind: type[Any], value: object) -> Path:
    if issubclass(kind, Path) and isinstance(value, str):
        return Path(value)
    raise TypeError(f"no {kind}")


def packable(by_name: Mapping[str, _T]) -> tuple[tuple[str, _T], ...]:
    """Without what has a name that is no UTF-8, as a file may have."""
    return tuple(it for it in by_name.items() if _is_utf8(it[0]))


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
