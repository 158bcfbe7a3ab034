"""The digest by which Warp names what it compiles of a kernel: its text, and the types, constants and functions there.

`saxpy_d0756060_cuda_kernel_forward` has the kernel's name and eight digits of a SHA-256 (`ModuleHasher` in
`warp._src.context` of Warp 1.19). Where something is not known that goes into it, there is none; one that differs tells
of another text, of another version of Warp, or of something that is not understood here.
"""

from __future__ import annotations

import ast
import hashlib
import struct
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from occupancy_lsp.languages.python.decorated import Decorated
from occupancy_lsp.languages.python.module import Module, parameters
from occupancy_lsp.languages.python.names import Placed
from occupancy_lsp.languages.python.statements import Function
from occupancy_lsp.languages.python.values import Scope, value

_WARP = "warp."
_SHOWN = 8  # hexadecimal digits in a symbol
_DEEPEST = 16
_SCALARS = {
    **{
        f"{kind}{bits}": f"{code}{bits // 8}"
        for kind, code in (("int", "i"), ("uint", "u"))
        for bits in (8, 16, 32, 64)
    },
    **{f"float{bits}": f"f{bits // 8}" for bits in (16, 32, 64)},
    "bool": "b",
}
_BUILT_IN = {"int": "i4", "float": "f4", "bool": "b"}
_SUFFIXES = {"": "f4", "h": "f2", "f": "f4", "d": "f8"}
_WHOLE = {"b": "i1", "ub": "u1", "s": "i2", "us": "u2", "i": "i4", "ui": "u4", "l": "i8", "ul": "u8"}
_TYPES: Mapping[str, str] = {
    **_SCALARS,
    **{f"vec{n}{end}": f"v{n}{code}" for n in (2, 3, 4) for end, code in {**_SUFFIXES, **_WHOLE}.items()},
    **{f"mat{n}{n}{end}": f"m{n}{n}{code}" for n in (2, 3, 4) for end, code in _SUFFIXES.items()},
    **{f"quat{end}": f"q{code}" for end, code in _SUFFIXES.items()},
    **{f"transform{end}": f"t{code}" for end, code in _SUFFIXES.items()},
    **{f"spatial_vector{end}": f"v6{code}" for end, code in _SUFFIXES.items()},
    **{f"spatial_matrix{end}": f"m66{code}" for end, code in _SUFFIXES.items()},
}
_ARRAYS = {"array": 1, "array1d": 1, "array2d": 2, "array3d": 3, "array4d": 4}
_OPTIONS = ("enable_backward", "launch_bounds", "cuda_max_registers")  # that Warp takes as they are written
_OPEN = frozenset({"static", "tile_sum"})  # what goes into the digest in ways of its own
_LOWER = "e half_pi inf ln10 ln2 log10e log2e nan phi pi tau"
_CONSTANTS = frozenset(_LOWER.split())  # of Warp, as are those in capitals
_FUNCTION = "warp.func"


class _NotKnown(Exception):
    """Something that goes into a digest is not known."""


def digest(module: Module, it: Decorated) -> str:
    """What stands in the kernel's symbol; "": it is not known."""
    if it.function.outer:
        return ""
    try:
        made = hashlib.sha256(it.function.name.encode())
        for name, given in sorted(_options(module, it)):
            made.update(f"{name}:{given}".encode())
        made.update(_of_text(module, it.placed, it.function, ()))
        return made.hexdigest()[:_SHOWN]
    except (_NotKnown, RecursionError):
        return ""


def _options(module: Module, it: Decorated) -> Iterator[tuple[str, Any]]:
    if it.options is None:
        return
    if it.options.args:
        raise _NotKnown
    for one in it.options.keywords:
        found = value(one.value, module.scope)
        whole = tuple(found) if isinstance(found, list) and isinstance(one.value, ast.Tuple) else found
        if one.arg not in _OPTIONS or not _is_plain(whole):
            raise _NotKnown
        if whole is not None:
            yield one.arg, whole


def _is_plain(found: Any) -> bool:
    return (
        found is None or type(found) in (int, bool) or (type(found) is tuple and all(type(it) is int for it in found))
    )


def _of_text(module: Module, placed: Placed, function: Function, callers: tuple[str, ...]) -> bytes:
    """Of a function's text, the types of what it takes, and the constants, types and functions that it names."""
    made = hashlib.sha256(_source(placed, function).encode())
    scope = module.scope
    taken = function.parameters
    if taken.vararg or taken.kwarg or taken.defaults or taken.kw_defaults or taken.posonlyargs:
        raise _NotKnown
    for it in (*taken.args, *taken.kwonlyargs):
        made.update(f"{it.arg}:{_type(it.annotation, scope)}".encode())
    if callers and function.node.returns is not None and not _is_none(function.node.returns):
        made.update(f"return:{_type(function.node.returns, scope)}".encode())
    constants, types, called = _named(module, function)
    for name, found in constants.items():
        made.update(name.encode() + found)
    for code in types:
        made.update(code.encode())
    for name in called:
        if name not in callers:
            made.update(_of_function(module, name, (*callers, name)))
    return made.digest()


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _of_function(module: Module, name: str, callers: tuple[str, ...]) -> bytes:
    """Of one of the file's own, which stand beside the module, if it has no options."""
    several = module.beside[name]
    if len(several) != 1 or len(module.scope.given.get(name, ())) != 1 or len(callers) > _DEEPEST:
        raise _NotKnown
    ((placed, function),) = several
    if function.outer or [module.scope.dotted(it) for it in function.decorators] != [_FUNCTION]:
        raise _NotKnown
    made = hashlib.sha256(name.encode())
    made.update(_of_text(module, placed, function, callers))
    return made.digest()


def _source(placed: Placed, function: Function) -> str:
    """The lines from the first decorator to the last that is indented, as `inspect` gives them."""
    text = placed.statement.text[function.head.start :].decode().replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")
    last = len(lines) - 1
    head = len(function.decorators)
    while last > head and not (lines[last].strip() and lines[last][0].isspace()):
        last -= 1
    return textwrap.dedent("\n".join(lines[: last + 1]) + "\n")


def _named(module: Module, function: Function) -> tuple[dict[str, bytes], dict[str, None], dict[str, None]]:
    """The constants, the types that are called and the functions of the file, in the order of `ast.walk`."""
    constants: dict[str, bytes] = {}
    types: dict[str, None] = {}
    called: dict[str, None] = {}
    assigned = set(_assigned(function.node))
    own = assigned | {*parameters(function)}
    for node in ast.walk(function.node):
        match node:
            case ast.Name(id=name) if name not in assigned and name in module.scope.given:
                if name not in module.beside:
                    constants[name] = _bytes(value(ast.Name(name, ast.Load()), module.scope))
            case ast.Name(id=name) if name not in own and name in module.scope.imports:
                if not f"{module.scope.imports[name]}.".startswith(_WARP):
                    raise _NotKnown
            case ast.Attribute(attr=name):
                full = module.scope.dotted(node)
                if full.startswith(_WARP) and (full.count(".") > 1 or name in _OPEN | _CONSTANTS or name.isupper()):
                    raise _NotKnown
            case ast.Call(func=ast.Name(id=name)) if name in module.beside and name not in own:
                called[name] = None
            case ast.Call(func=func) if not (isinstance(func, ast.Name) and func.id in own):
                code = _code(func, module.scope)
                if code is not None:
                    types[code] = None
            case ast.FunctionDef() | ast.Lambda() | ast.AnnAssign() if node is not function.node:
                raise _NotKnown
    return constants, types, called


def _assigned(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    """The names that plain assignments in it make its own."""
    pending = [target for it in ast.walk(node) if isinstance(it, ast.Assign) for target in it.targets]
    while pending:
        match pending.pop():
            case ast.Name(id=name):
                yield name
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                pending += parts


def _bytes(found: Any) -> bytes:
    """Of a constant, as C has it."""
    if isinstance(found, int):
        return (found & 0xFFFFFFFF).to_bytes(4, "little")
    if isinstance(found, float):
        try:
            return struct.pack("<f", found)
        except OverflowError:
            raise _NotKnown from None
    raise _NotKnown


def _type(node: ast.expr | None, scope: Scope) -> str:
    """The code of a type that an annotation names."""
    match node:
        case ast.Call(func=func, args=given, keywords=more):
            rank = _ARRAYS.get(_warps(func, scope))
            named = {it.arg: it.value for it in more} | dict(zip(("dtype", "ndim"), given, strict=False))
            if rank is None or not named.keys() <= {"dtype", "ndim"} or "dtype" not in named:
                raise _NotKnown
            rank = value(named["ndim"], scope) if "ndim" in named else rank
            if type(rank) is not int:
                raise _NotKnown
            return f"a{rank}{_type(named['dtype'], scope)}"
        case ast.Subscript(value=of, slice=inner) if (rank := _ARRAYS.get(_warps(of, scope))) is not None:
            return f"a{rank}{_type(inner, scope)}"
    code = _code(node, scope) if node is not None else None
    if code is None:
        raise _NotKnown
    return code


def _code(node: ast.expr, scope: Scope) -> str | None:
    """Of a type of Warp's or Python's that is named; None: it is none of those that are known."""
    if isinstance(node, ast.Name) and scope.giver(node.id) is None and node.id not in scope.imports:
        return _BUILT_IN.get(node.id)
    return _TYPES.get(_warps(node, scope))


def _warps(node: ast.expr, scope: Scope) -> str:
    """What the name of something of Warp's is there; "": it is of something else."""
    full = scope.dotted(node)
    return full.removeprefix(_WARP) if full.startswith(_WARP) else ""
