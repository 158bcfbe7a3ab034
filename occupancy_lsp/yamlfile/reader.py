"""YAML text, or a plain value that an editor sent, into frozen dataclasses; every fault is a Problem, none is raised.

A class is its own schema: fields are keys, defaults make them optional, a faulty optional field keeps its default.
Fields: dataclasses, tuple[T, ...] (one scalar stands for a list of one), dict[str, T], Optional, Literal, int, float,
str, bool, date and the types of yaml_types. A field Annotated[dict[str, T], REST] takes the keys with
mappings that no other field names.
Only nodes are composed, no object is constructed, so no tag can run anything.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from datetime import date
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

import yaml

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.query import remembered
from occupancy_lsp.yamlfile.nodes import compose, is_null, mapping_node, node_of, shown
from occupancy_lsp.yamlfile.types import (
    Line,
    Placed,
    byte_size,
    day,
    did_you_mean,
    percentage,
    rate,
    real_number,
    rule_code,
    whole_number,
)

T = TypeVar("T")
MAX_PROBLEMS = 100
MAX_NODES = 50_000  # aliases count each time they are used: a small file can stand for billions of nodes
REST = "rest"
_BAD: Any = object()
_BOOLS = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}
_SCALARS: dict[tuple[type, str], tuple[str, Callable[[str], Any]]] = {
    (int, ""): ("a whole number", whole_number),
    (int, "count"): ("a whole number, 0 or more", lambda text: whole_number(text, 0)),
    (int, "positive"): ("a whole number, 1 or more", lambda text: whole_number(text, 1)),
    (int, "bytes"): ("a size in bytes such as 49152 or 48KiB", byte_size),
    (float, ""): ("a number", real_number),
    (float, "percent"): ("a percentage from 0 to 100", percentage),
    (float, "rate"): ("a number above 0", rate),
    (str, "code"): ("the code of a rule such as OCC101", rule_code),
    (date, "day"): ("a day such as 2027-03-31", day),
    (bool, ""): ("true or false", lambda text: _BOOLS.get(text.lower())),
}


def read_text(kind: type[T], text: str | bytes, path: str) -> tuple[T | None, tuple[Problem, ...]]:
    """The YAML document `text` as a `kind`; None where it cannot be one. `path` only names it in problems."""
    node = compose(text, path)
    return (None, (node,)) if isinstance(node, Problem) else read_node(kind, node, path)


def read_value(kind: type[T], value: object, path: str) -> tuple[T | None, tuple[Problem, ...]]:
    """A value as JSON gives it, read by the same rules; its problems have no line."""
    try:
        node = node_of(value, 0)
    except ValueError as error:
        return None, (Problem(path, 0, 0, str(error)),)
    return read_node(kind, node, path)


def read_node(kind: type[T], node: yaml.Node, path: str) -> tuple[T | None, tuple[Problem, ...]]:
    """The same for a node that yaml_nodes.compose made."""
    reader = _Reader(path)
    try:
        value = reader.read(kind, node, "", node)
    except _TooMuch as reason:
        value = _BAD
        reader.problems.append(Problem(path, 0, 0, f"{reason}, not read"))
    return (None if value is _BAD else value), tuple(reader.problems)


class _TooMuch(Exception):
    pass


@remembered(256)
def _schema(kind: type) -> tuple[dict[str, Any], frozenset[str], str | None, str | None]:
    """Of a dataclass: type by key, the required keys, the field for other keys, the field for the line."""
    names = {f.name for f in dataclasses.fields(kind)}  # a class's own constants are no keys
    hints = {n: h for n, h in get_type_hints(kind, include_extras=True).items() if n in names}
    required = {f.name for f in dataclasses.fields(kind) if f.default is f.default_factory is dataclasses.MISSING}
    rest = next((n for n, h in hints.items() if REST in getattr(h, "__metadata__", ())), None)
    line = next((n for n, h in hints.items() if h == Line), None)
    keys = {n: h for n, h in hints.items() if n not in (rest, line)}
    return keys, frozenset(required & keys.keys()), rest, line


class _Reader:
    def __init__(self, path: str) -> None:
        self.path = path
        self.problems: list[Problem] = []
        self.left = MAX_NODES

    def spend(self, nodes: int) -> None:
        self.left -= nodes
        if self.left < 0:
            raise _TooMuch(f"stands for more than {MAX_NODES} values")

    def fault(self, node: yaml.Node, where: str, message: str) -> Any:
        if len(self.problems) >= MAX_PROBLEMS:
            raise _TooMuch(f"more than {MAX_PROBLEMS} faults")
        mark = node.start_mark
        line, column = (mark.line + 1, mark.column + 1) if mark is not None else (0, 0)
        self.problems.append(Problem(self.path, line, column, f"{where}: {message}" if where else message))
        return _BAD

    def read(self, kind: Any, node: yaml.Node, where: str, key: yaml.Node) -> Any:
        """A value of type `kind`; `where` is its dotted path, `key` the node that names it."""
        self.spend(1)
        origin = get_origin(kind)
        if origin in (Union, UnionType):
            inner = next(arm for arm in get_args(kind) if arm is not NoneType)
            return None if is_null(node) else self.read(inner, node, where, key)
        if origin is tuple:
            return self.sequence(get_args(kind)[0], node, where)
        if origin is dict:
            names, values = get_args(kind)
            return self.mapping(names, values, node, where)
        if dataclasses.is_dataclass(kind) and kind is not Placed:
            return self.record(kind, node, where, key)
        return self.scalar(kind, node, where)

    def pairs(self, node: yaml.Node, where: str) -> list[tuple[str, yaml.Node, yaml.Node]] | None:
        """Key, its node and the value's of a mapping, the last of equal keys; None if it is no mapping."""
        if is_null(node):
            return []
        if not isinstance(node, yaml.MappingNode):
            self.fault(node, where, f"expected keys and values, not {shown(node)}")
            return None
        self.spend(len(node.value))
        found: dict[str, tuple[str, yaml.Node, yaml.Node]] = {}
        for key, value in node.value:
            if not isinstance(key, yaml.ScalarNode):
                self.fault(key, where, "a key must be text")
                continue
            if key.value in found:
                self.fault(key, where, f"key '{key.value[:80]}' is given twice")
            found[key.value] = (key.value, key, value)
        return list(found.values())

    def sequence(self, kind: Any, node: yaml.Node, where: str) -> Any:
        if isinstance(node, yaml.MappingNode):
            return self.fault(node, where, "expected a list, not keys and values")
        items = [] if is_null(node) else node.value if isinstance(node, yaml.SequenceNode) else [node]
        values = [self.read(kind, item, f"{where}[{i}]", item) for i, item in enumerate(items)]
        return tuple(v for v in values if v is not _BAD)

    def mapping(self, names: Any, kind: Any, node: yaml.Node, where: str) -> Any:
        pairs = self.pairs(node, where)
        if pairs is None:
            return _BAD
        found: dict[Any, Any] = {}
        for text, key, value in pairs:
            name = self.scalar(names, key, where)
            item = _BAD if name is _BAD else self.read(kind, value, _join(where, text), key)
            if item is not _BAD:
                found[name] = item
        return found

    def record(self, kind: Any, node: yaml.Node, where: str, name: yaml.Node) -> Any:
        pairs = self.pairs(node, where)
        if pairs is None:
            return _BAD
        keys, required, rest, line = _schema(kind)
        got: dict[str, Any] = {}
        others: list[tuple[yaml.Node, yaml.Node]] = []
        for key, key_node, value in pairs:
            if key in keys:
                got[key] = self.read(keys[key], value, _join(where, key), key_node)
            elif rest is not None and isinstance(value, yaml.MappingNode):
                others.append((key_node, value))
            else:
                self.fault(key_node, where, f"unknown key '{key[:80]}'{did_you_mean(key, keys)}")
        if missing := sorted(required - got.keys()):
            return self.fault(name, where, f"missing {', '.join(missing)}")
        if any(got[key] is _BAD for key in required):
            return _BAD
        if rest is not None:
            got[rest] = self.mapping(str, _rest_kind(kind, rest), mapping_node(others), where)
        if line is not None and name.start_mark is not None:
            got[line] = name.start_mark.line + 1
        return kind(**{k: v for k, v in got.items() if v is not _BAD})

    def scalar(self, kind: Any, node: yaml.Node, where: str) -> Any:
        if get_origin(kind) is Literal:
            return self.choice(get_args(kind), node, where)
        marker = ""
        if get_origin(kind) is Annotated:
            kind, marker = get_args(kind)
        if kind is Placed or (kind is str and not marker):
            return self.text(kind, node, where)
        wanted, convert = _SCALARS[kind, marker]
        value = convert(node.value) if isinstance(node, yaml.ScalarNode) else None
        return self.fault(node, where, f"expected {wanted}, not {shown(node)}") if value is None else value

    def choice(self, choices: tuple[Any, ...], node: yaml.Node, where: str) -> Any:
        # the raw text: YAML 1.1 takes a plain `off` for a boolean
        text = node.value.lower() if isinstance(node, yaml.ScalarNode) else None
        found = next((it for it in choices if it.lower() == text), None)
        if found is not None:
            return found
        near = did_you_mean(node.value, choices) if text is not None else ""
        return self.fault(node, where, f"expected one of {', '.join(choices)}, not {shown(node)}{near}")

    def text(self, kind: Any, node: yaml.Node, where: str) -> Any:
        if not isinstance(node, yaml.ScalarNode) or is_null(node):
            return self.fault(node, where, f"expected text, not {shown(node)}")
        if kind is str:
            return node.value
        mark = node.start_mark
        return Placed(node.value, mark.line + 1, mark.column + 1) if mark is not None else Placed(node.value, 0, 0)


def _rest_kind(kind: type, rest: str) -> Any:
    return get_args(get_args(get_type_hints(kind, include_extras=True)[rest])[0])[1]


def _join(where: str, key: str) -> str:
    return f"{where}.{key[:80]}" if where else key[:80]
