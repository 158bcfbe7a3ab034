"""YAML text, or a plain value, as a tree of nodes with places. Safe: nothing is constructed, nesting is bounded."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.text import Text

MAX_BYTES = 1 << 20
MAX_DEPTH = 32  # libyaml recurses on the C stack and dies of deep nesting
_TAG = "tag:yaml.org,2002:"


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Both loaders call these hooks around every node; the resolver they were made for is not used."""

    depth = 0

    def descend_resolver(self, current_node: yaml.Node | None, current_index: Any) -> None:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            mark = current_node.start_mark if current_node is not None else None
            raise yaml.MarkedYAMLError(problem="nested too deeply", problem_mark=mark)

    def ascend_resolver(self) -> None:
        self.depth -= 1


def compose(text: str | bytes, path: str) -> yaml.Node | Problem:
    """The node of the one document in `text`; an empty document is an empty mapping. `path` only names it."""
    if len(text) > MAX_BYTES:
        return Problem(path, 0, 0, f"larger than {MAX_BYTES >> 20} MiB, not read")
    try:
        text = text.decode("utf-8-sig") if isinstance(text, bytes) else text
        node = yaml.compose(text, _Loader)
    except UnicodeError:
        return Problem(path, 0, 0, "not UTF-8 text")
    except yaml.YAMLError as error:
        return _syntax_problem(error, str(text), path)
    except (ValueError, OverflowError) as error:  # the pure loader, of an escape such as "\\UFFFFFFFF"
        return Problem(path, 0, 0, f"not YAML: {error}")
    return mapping_node([]) if node is None or is_null(node) else node


def place_of(content: bytes, line: int, column: int, key: str) -> tuple[int, int] | None:
    """In bytes, the plain value of `key` in the mapping that has another value at a line and column, both from 1."""
    node = compose(content, "")
    return (
        next(_places(node, content, (line - 1, column - 1), key, set()), None) if isinstance(node, yaml.Node) else None
    )


def _places(
    node: yaml.Node, content: bytes, at: tuple[int, int], key: str, seen: set[int]
) -> Iterator[tuple[int, int]]:
    """`seen`: the nodes that were looked at, by id; aliases may lead to one again and again."""
    if id(node) in seen:
        return
    seen.add(id(node))
    parts = [it for pair in node.value for it in pair] if isinstance(node, yaml.MappingNode) else []
    parts = [*node.value] if isinstance(node, yaml.SequenceNode) else parts
    for one in parts:
        yield from _places(one, content, at, key, seen)
    if any((it.start_mark.line, it.start_mark.column) == at for it in parts[1::2]):
        for name, value in zip(parts[::2], parts[1::2], strict=True):
            if name.value == key and isinstance(value, yaml.ScalarNode):
                text, mark = Text(content), value.start_mark
                start = text.offset(mark.line, mark.column, "utf-32")
                end = start + len(value.value.encode())
                if content[start:end] == value.value.encode():  # not in quotes
                    yield start, end


def _syntax_problem(error: yaml.YAMLError, text: str, path: str) -> Problem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    message = f"not YAML: {getattr(error, 'problem', None) or getattr(error, 'reason', None) or 'cannot be parsed'}"
    if mark is not None:
        return Problem(path, mark.line + 1, mark.column + 1, message)
    before = text[: getattr(error, "position", None) or 0]
    return Problem(path, before.count("\n") + 1, len(before) - before.rfind("\n"), message)


def node_of(value: object, depth: int) -> yaml.Node:
    """The node of a value as JSON gives it, without places. Raises ValueError for anything else."""
    if depth > MAX_DEPTH:
        raise ValueError("nested too deeply")
    if isinstance(value, Mapping):
        pairs = [(node_of(k, depth + 1), node_of(v, depth + 1)) for k, v in value.items()]
        return mapping_node(pairs)
    if isinstance(value, (list, tuple)):
        return yaml.SequenceNode(f"{_TAG}seq", [node_of(v, depth + 1) for v in value])
    for kind, tag in ((str, "str"), (bool, "bool"), (int, "int"), (float, "float")):
        if isinstance(value, kind):
            return yaml.ScalarNode(_TAG + tag, str(value))
    if value is None:
        return yaml.ScalarNode(f"{_TAG}null", "null")
    raise ValueError(f"a {type(value).__name__} is no setting")


def mapping_node(pairs: list[tuple[yaml.Node, yaml.Node]]) -> yaml.Node:
    return yaml.MappingNode(f"{_TAG}map", pairs)


def is_null(node: yaml.Node) -> bool:
    return isinstance(node, yaml.ScalarNode) and node.tag == f"{_TAG}null"


def scalar_at(node: yaml.Node, key: str) -> str | None:
    """The text at `key` of a mapping, to learn what kind of file it is before it is read."""
    for name, value in node.value if isinstance(node, yaml.MappingNode) else ():
        if isinstance(name, yaml.ScalarNode) and name.value == key and isinstance(value, yaml.ScalarNode):
            return str(value.value)
    return None


def shown(node: yaml.Node) -> str:
    """What a message calls it."""
    if isinstance(node, yaml.SequenceNode):
        return "a list"
    if isinstance(node, yaml.MappingNode):
        return "keys and values"
    return "nothing" if is_null(node) else f"'{node.value[:40]}'"
