"""Frozen dataclasses as bytes and back. What is read is checked against the types that the fields are declared with.

A dataclass is the row of its fields' values; where one of several may stand, its number comes first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Generic, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

import msgpack

_T = TypeVar("_T")
_Read = Callable[[Any], Any]
_LEAVES = frozenset((str, int, float, bool, bytes, NoneType))
_LARGE = 1  # integers of more than 64 bits, as text


class Damaged(ValueError):
    """The bytes are not what was packed."""


class Form(Generic[_T]):
    """How values of a kind are packed: dataclasses, tuples, frozensets, mappings from text, text, bytes, numbers, None.

    What is in a mapping is read, and refused, only when it is looked at.

    `numbered`: the dataclasses of which one of several may stand somewhere.
    """

    def __init__(self, kind: type[_T], numbered: tuple[type, ...] = ()) -> None:
        self._numbers = {it: number for number, it in enumerate(numbered)}
        self._rows: dict[type, Callable[[Any], object]] = {}
        self._readers: dict[Any, _Read] = {}
        self._read = self._reader(kind)

    def pack(self, value: _T) -> bytes:
        return cast(bytes, msgpack.packb(value, default=self._plain, unicode_errors="surrogatepass"))

    def unpack(self, packed: bytes) -> _T:
        """Damaged: it is something else."""
        try:
            plain = msgpack.unpackb(packed, use_list=False, ext_hook=_large, unicode_errors="surrogatepass")
            return cast(_T, self._read(plain))
        except Exception as error:
            raise Damaged(str(error)) from None

    def _plain(self, value: object) -> object:
        row = self._rows.get(type(value))
        if row is not None:
            return row(value)
        if isinstance(value, int):
            return msgpack.ExtType(_LARGE, str(value).encode())
        if isinstance(value, frozenset):
            return sorted(value)
        if isinstance(value, Mapping):
            return dict(value)
        raise TypeError(f"{type(value).__name__} has no form")

    def _reader(self, kind: Any) -> _Read:
        if kind not in self._readers:
            self._readers[kind] = lambda value: self._readers[kind](value)  # a kind may hold others of its own
            self._readers[kind] = self._made(kind)
        return self._readers[kind]

    def _made(self, kind: Any) -> _Read:
        origin, given = get_origin(kind), get_args(kind)
        if is_dataclass(kind):
            return self._dataclass(cast(type, kind))
        if origin in (Union, UnionType):
            return self._union(given)
        if origin is tuple:
            return self._sequence(given[0], tuple) if _is_sequence(kind) else _row(tuple(map(self._reader, given)))
        if origin is frozenset:
            return self._sequence(given[0], frozenset)
        if origin is Mapping:
            of = self._reader(given[1])
            return lambda value: _Rows(value, of) if {str}.issuperset(map(type, value)) else _refuse()
        return _one_of(frozenset(given)) if origin is Literal else _exactly(kind)

    def _sequence(self, kind: Any, made: type) -> _Read:
        empty = made()  # as most are
        if kind in (str, bytes, int):
            whole = {kind}.issuperset
            return lambda value: empty if value == () else made(_tuple(value)) if whole(map(type, value)) else _refuse()
        read = self._reader(kind)
        return lambda value: empty if value == () else made(map(read, _tuple(value)))

    def _dataclass(self, kind: type) -> _Read:
        hints = get_type_hints(kind)
        names = [it.name for it in fields(kind) if it.init]
        number = self._numbers.get(kind)
        get = attrgetter(*names)
        values = get if len(names) > 1 else lambda it: (get(it),)
        self._rows[kind] = values if number is None else lambda it: (number, *cast(tuple[object, ...], values(it)))
        kinds = [hints[name] for name in names]
        read = _made_of(kind, tuple((_types(it), _inner(it, self._reader), _is_sequence(it)) for it in kinds))
        if number is None:
            return read
        return lambda value: read(value[1:]) if value[0] == number else _refuse()

    def _union(self, kinds: tuple[Any, ...]) -> _Read:
        some = [it for it in kinds if it is not NoneType]
        readers = {self._numbers[it]: self._reader(it) for it in some} if len(some) > 1 else {}
        read: _Read = (lambda value: readers[value[0]](value)) if readers else self._reader(some[0])
        return (lambda value: None if value is None else read(value)) if len(some) < len(kinds) else read


class _Rows(Mapping[str, Any]):
    """A mapping whose values are read when somebody asks for them. Any thread may; two that do find the same."""

    def __init__(self, packed: Mapping[str, Any], read: _Read) -> None:
        self._packed = packed
        self._read = read
        self._known: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._known:
            self._known.setdefault(name, self._read(self._packed[name]))
        return self._known[name]

    def __contains__(self, name: object) -> bool:
        return name in self._packed

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)

    def __repr__(self) -> str:
        return repr(dict(self))


_Column = tuple[frozenset[type], _Read | None, bool]


def _made_of(kind: type, columns: tuple[_Column, ...]) -> _Read:
    """Of the values of its fields: each may be of these types, may have more in it to read, and may be a sequence."""
    known: dict[tuple[type, ...], tuple[list[tuple[int, _Read]], ...]] = {}  # by the types of the values, what to read

    def made(value: tuple[object, ...]) -> object:
        types = (*map(type, value),)
        plan = known.get(types)
        if plan is None:
            plan = known[types] = _to_read(types, columns)
        if not plan:
            return kind(*value)
        row = [*value]
        always, unless_empty = plan
        for at, read in always:
            row[at] = read(row[at])
        for at, read in unless_empty:
            if row[at] != ():
                row[at] = read(row[at])
        return kind(*row)

    return made


def _to_read(types: tuple[type, ...], columns: tuple[_Column, ...]) -> tuple[list[tuple[int, _Read]], ...]:
    """Which columns are read on: always, and where they are not empty."""
    if not all(it in allowed for it, (allowed, *_) in zip(types, columns, strict=True)):
        _refuse()
    pairs = enumerate(zip(types, columns, strict=True))
    found = [(at, read, often) for at, (it, (_, read, often)) in pairs if read is not None and it is not NoneType]
    each = [[(at, read) for at, read, often in found if often is wanted] for wanted in (False, True)]
    return tuple(each) if found else ()


def _inner(kind: Any, reader: Callable[[Any], _Read]) -> _Read | None:
    """Of a field whose type alone does not tell that its value is right."""
    alternatives = get_args(kind) if get_origin(kind) in (Union, UnionType) else (kind,)
    return None if _LEAVES.issuperset(alternatives) else reader(kind)


def _is_sequence(kind: Any) -> bool:
    return get_origin(kind) is tuple and get_args(kind)[1:] == (...,)


def _types(kind: Any) -> frozenset[type]:
    """Those of the values that a field may have as they are packed."""
    origin, given = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return frozenset[type]().union(*map(_types, given))
    if origin is Mapping:
        return frozenset((dict,))
    if origin is Literal:
        return frozenset(map(type, given))
    return frozenset((kind if kind in _LEAVES else tuple,))


def _row(readers: tuple[_Read, ...]) -> _Read:
    count = len(readers)
    return lambda value: (
        tuple([read(it) for read, it in zip(readers, value, strict=True)])
        if type(value) is tuple and len(value) == count
        else _refuse()
    )


def _exactly(kind: type) -> _Read:
    return lambda value: value if type(value) is kind else _refuse()


def _one_of(values: frozenset[object]) -> _Read:
    return lambda value: value if value in values else _refuse()


def _tuple(value: object) -> tuple[object, ...]:
    return value if type(value) is tuple else _refuse()


def _refuse() -> Any:
    raise Damaged("another kind of value")


def _large(code: int, data: bytes) -> int:
    return int(data) if code == _LARGE and len(data) < 5000 else _refuse()
