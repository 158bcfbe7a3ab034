"""Symbols as compilers write them, and whether one belongs to a kernel of the source.

The names come from a scanner of our own: it only has to find where template arguments end, so it copes with symbols
that the demangling library does not know (lambdas, local types, expressions). The library writes template arguments.
"""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts import cute_names, tile_names
from occupancy_lsp.counts.mangled import mangled_parts
from occupancy_lsp.counts.template_args import mangled_arguments, plain_arguments

MAX_LENGTH = 4096
_ANONYMOUS = regex(r"_GLOBAL__N_.*|_INTERNAL_.*|")
_ANONYMOUS_TEXT = regex(r"\(anonymous(?: namespace)?\)|\{anonymous\}|<unnamed>")
# nvcc gives static kernels such a prefix when it links device code.
_STATIC = regex(r"__nv_static_\d+__\w*?_(_Z\w+)")


@remembered(4096)
def name_parts(name: str) -> tuple[str, ...]:
    """`("lin", "reduce")` of a symbol or of text such as `void lin::reduce<float>(float*)`; anonymous ones left out.

    What is neither is one part, as it is.
    """
    if len(name) > MAX_LENGTH:
        return (name,)
    if (function := tile_names.function_of(name) or cute_names.function_of(name)) is not None:
        return (function,)
    symbol = _symbol(name)
    parts = mangled_parts(symbol) if symbol.startswith("_Z") else _text_parts(name)
    named = tuple(part for part in parts or () if not _ANONYMOUS.fullmatch(part))
    return named or (name,)


def qualified_name(name: str) -> str:
    """`lin::reduce`: without template arguments, parameters and anonymous namespaces."""
    return "::".join(name_parts(name))


@remembered(4096)
def template_arguments(name: str) -> tuple[str, ...] | None:
    """`("double", "512")` of the function itself; None if there are none or they cannot be told."""
    if len(name) > MAX_LENGTH:
        return None
    tile = tile_names.arguments_of(name)
    if (given := tile if tile is not None else cute_names.arguments_of(name)) is not None:
        return given
    symbol = _symbol(name)
    return mangled_arguments(symbol) if symbol.startswith("_Z") else _text_arguments(name)


def same_arguments(given: Sequence[str], arguments: str) -> bool:
    """Whether a tool's template arguments are those that the source shows, `256, float`."""
    return plain_arguments(", ".join(given)) == plain_arguments(arguments)


def readable(name: str) -> str:
    """For people: `lin::reduce<double, 512>`, or `lin::reduce` where the arguments cannot be told."""
    arguments = template_arguments(name)
    return qualified_name(name) + (f"<{', '.join(arguments)}>" if arguments else "")


def same_kernel(name: str, qualified: str) -> bool:
    """Whether `name`, from a log or a sidecar, means the kernel that the source calls `qualified`.

    A name without any scope also means a kernel within one: C linkage drops the scope, and people do.
    """
    parts, kernel = name_parts(name), name_parts(qualified)
    if parts == kernel:
        return True
    scopeless = len(parts) == 1 and not _symbol(name).startswith("_Z")
    return scopeless and parts[0] == kernel[-1]


def _symbol(name: str) -> str:
    match = _STATIC.fullmatch(name)
    return match[1] if match else name


def _text_parts(text: str) -> list[str]:
    """The scopes and the name, of text with or without a return type, template arguments and parameters."""
    kept, depth = [], 0
    for char in _ANONYMOUS_TEXT.sub("", text):
        if depth == 0 and char in "([":
            break
        if depth == 0 and char not in "<>":
            kept.append(char)
        depth = max(0, depth + (char == "<") - (char == ">"))
    words = "".join(kept).split()
    return words[-1].split("::") if words else [text]


def _text_arguments(text: str) -> tuple[str, ...] | None:
    """What stands in the last angle brackets before the parameters."""
    found: list[str] | None = None
    depth = start = 0
    for at, char in enumerate(text := _ANONYMOUS_TEXT.sub("", text)):
        if depth == 0 and char == "(":
            break
        if char == "<":
            depth += 1
            if depth == 1:
                found, start = [], at + 1
        elif depth == 1 and char in ",>" and found is not None:
            found.append(text[start:at].strip())
            start = at + 1
        depth -= char == ">" and depth > 0
    return tuple(found) if found and depth == 0 else None
