"""How a variable is used where its name stands: merely read, or assigned, or given to what may change it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lower.calls import callee
from occupancy_lsp.source.lower.item_facts import Parameter
from occupancy_lsp.source.syntax.expression_nodes import (
    AfterCall,
    Binary,
    Call,
    Conditional,
    Expression,
    Member,
    Name,
    Number,
    Unary,
)
from occupancy_lsp.source.syntax.node_index import NodeIndex

# They take numbers by value, or by reference to const. (A function in sight of the same name is not looked at.)
_BY_VALUE = regex(
    r"(?:cuda|hip)(?:Malloc|Memcpy|Memset|Mem|Free|Event|Stream|Device|Get|Set|Func|Host|Graph|Launch|Occupancy|Create"
    r"|Destroy|Bind|Unbind|Peek|Array|Tex|Surf|Pointer|Thread|Choose|Graphics|Configure)\w*|hipLaunchKernelGGL|cl[A-Z]\w+"
    r"|(?:std::)?(?:min|max|abs|labs|ceil|floor|round|lround|sqrt|cbrt|pow|exp|exp2|log|log2|log10|fabs|fmin|fmax|fmod"
    r"|printf|fprintf|sprintf|snprintf|puts|putchar|malloc|calloc|realloc|free|memset|memcpy|memmove|memcmp|exit|abort"
    r"|assert|rand|srand|usleep|sleep|fread|fwrite|to_string|string|vector|array|size_t|u?int(?:8|16|32|64)_t|complex"
    r"|pair|fill|fill_n|generate_n|iota|setw|setprecision|chrono::\w+|span)"
    r"|thrust::(?:(?:device|host|universal)_vector|counting_iterator|make_counting_iterator|fill|sequence|raw_pointer_cast)"
    r"|(?:cl::)?(?:EnqueueArgs|NDRange)"
    # SYCL's, ranges as `blanking` has them.
    r"|(?:(?:cl::)?sycl::)?(?:(?:nd_)?range_[123]_|local_accessor|malloc_(?:device|host|shared))"
    r"|(?:cl::)?sycl::(?:(?:nd_)?range|id|buffer|accessor|free)"
    # Checks of PyTorch and glog.
    r"|TORCH_(?:CHECK|INTERNAL_ASSERT)\w*|AT_(?:ASSERTM?|CHECK)|D?CHECK(?:_(?:EQ|NE|GE|GT|LE|LT))?"
    r"|(?:static|const|dynamic)_cast|sizeof|dim3|int|unsigned|signed|long|short|float|double|bool|char|uint|ulong"
    r"|(?:u?(?:char|short|int|long|longlong)|float|double)[1234]|make_\w+|__\w+"
    # CUTLASS, cutlass/cluster_launch.hpp.
    r"|(?:\w+::)*(?:launch_kernel_on_cluster|ClusterLauncher::launch\w*|ClusterLaunchParams)"
    r"|\.(?:push_back|emplace_back|resize|reserve|assign|append|substr|at|width|precision)"
)
# The methods of a log, given the text of a message first.
_LOGS = regex(r"\.(?:trace|debug|info|warn|error|critical)")
# They read through the pointers they are given.
_READS = regex(
    r"clEnqueueNDRangeKernel|cudaLaunchKernelEx\w*|hipLaunchKernelExC|clSetKernelArg|cuda(?:Memcpy)?ToSymbol\w*|f?printf"
)
# They write through the pointers they are given before they return, and do not keep them.
_WRITES = regex(r"(?:cuda|hip)(?!\w*Async)[A-Z]\w*|cl[A-Z]\w*|f?scanf|sscanf|fread|memcpy|memset")
_PICKS = regex(r"(?:cuda|hip)OccupancyMaxPotentialBlockSize\w*")
_LITERAL = regex(r"\[\d\]")
_BUILTIN = regex(
    r"(?:(?:unsigned|signed|long|short|int|char|float|double|bool|size_t|u?int\d+_t|dim3|auto|void)\b\s*)+"
)


# What a name may stand in, other than to be read or declared there.
_USES = frozenset(
    (
        "ERROR",
        "argument_list",
        "assignment_expression",
        "binary_expression",
        "conditional_expression",
        "field_expression",
        "gnu_asm_output_operand",
        "init_declarator",
        "initializer_list",
        "lambda_capture_initializer",
        "parameter_declaration",
        "parenthesized_expression",
        "pointer_expression",
        "subscript_expression",
        "update_expression",
    )
)

# In which a name may stand for what is still the object, or a part of it.
_SAME_OBJECT = frozenset(
    ("conditional_expression", "field_expression", "parenthesized_expression", "subscript_expression")
)
# In a path: this object or another, as a condition decides; any element.
EITHER, ANY = "?:", "[]"


@dataclass(frozen=True, slots=True)
class VariableUse:
    """A use that may change the variable. `path`: the members named after it, from the outermost in.

    `kind`: "assigned" by `whole`; "changed" to what is not known; "kept", so that it may change at any time from then
    on; "passed" to `call`.
    """

    name: str
    start: int
    path: tuple[str, ...]
    kind: Literal["assigned", "changed", "kept", "passed"]
    whole: Node
    call: AfterCall | None = None
    reason: str = ""


def variable_use(nodes: NodeIndex, node: Node) -> VariableUse | None:
    """What an identifier's place says; None: it is only read there, or declared."""
    outer = nodes.parent(node)
    if outer is None or outer.type not in _USES:
        return None
    path, whole = accessed_member(nodes, node)
    kind, at, call, reason = _kind_of_use(nodes, whole)
    return VariableUse(nodes.text(node), node.start_byte, path, kind, at, call, reason) if kind else None


def accessed_member(nodes: NodeIndex, node: Node) -> tuple[tuple[str, ...], Node]:
    """The members that are named after an identifier, and the largest expression that is still the object itself."""
    path: list[str] = []
    while (outer := nodes.parent(node)) is not None and (kind := outer.type) in _SAME_OBJECT:
        if kind == "conditional_expression":
            if outer.child_by_field_name("condition") == node:
                break
            path.append(EITHER)
        elif kind != "parenthesized_expression":
            if outer.child_by_field_name("argument") != node:
                break
            field = outer.child_by_field_name("field") if kind == "field_expression" else None
            path.append(
                _index_text(nodes, outer) if kind == "subscript_expression" else nodes.text(field) if field else ""
            )
        node = outer
    return tuple(path), node


def _index_text(nodes: NodeIndex, subscript: Node) -> str:
    """`[0]`, or any element."""
    said = nodes.text(subscript)[len(nodes.text(subscript.child_by_field_name("argument") or subscript)) :]
    return said if _LITERAL.fullmatch(said) else ANY


_How = tuple[Literal["assigned", "changed", "kept", "passed", ""], Node, AfterCall | None, str]


def _kind_of_use(nodes: NodeIndex, node: Node) -> _How:
    outer = nodes.parent(node)
    if outer is None:
        return "", node, None, ""
    match outer.type:
        case "assignment_expression" if outer.child_by_field_name("left") == node:
            return "assigned", outer, None, ""
        case "update_expression":
            return "assigned", outer, None, ""
        case "pointer_expression" if nodes.text(outer).startswith("&"):
            return _use_of_pointer(nodes, outer)
        case "gnu_asm_output_operand":
            return "changed", outer, None, ""
        case "binary_expression":
            return ("changed" if _is_stream_target(nodes, outer, node) else ""), outer, None, ""
        case "init_declarator" if _binds_reference(nodes, outer):
            return "kept", outer, None, ""
        case "lambda_capture_initializer" if nodes.text(outer).startswith("&"):
            return "kept", outer, None, ""
        case "argument_list" | "initializer_list" | "parameter_declaration":
            return _use_as_argument(nodes, outer, node)
        case "ERROR":
            return "kept", outer, None, ""
    return "", node, None, ""


def _is_stream_target(nodes: NodeIndex, expression: Node, node: Node) -> bool:
    """`in >> n`, and `archive & n` as a statement."""
    operator = expression.child_by_field_name("operator")
    if operator is None or expression.child_by_field_name("right") != node:
        return False
    outer = nodes.parent(expression)
    statement = outer is not None and outer.type == "expression_statement"
    return operator.type == ">>" or (operator.type == "&" and statement)


def _binds_reference(nodes: NodeIndex, declarator: Node) -> bool:
    """`int& r = n`"""
    target = declarator.child_by_field_name("declarator")
    declaration = nodes.parent(declarator)
    if target is None or target.type != "reference_declarator" or declaration is None:
        return target is not None and target.type == "reference_declarator"
    words = (it for it in declaration.named_children if it.start_byte < declarator.start_byte)
    return not any(it.type == "type_qualifier" and nodes.text(it) == "const" for it in words)


def _use_of_pointer(nodes: NodeIndex, node: Node) -> _How:
    """`&n`: what becomes of the pointer."""
    given = nodes.parent(node)
    while given is not None and given.type in ("cast_expression", "parenthesized_expression"):
        given = nodes.parent(given)
    call = nodes.parent(given) if given is not None and given.type == "argument_list" else None
    name = callee(nodes, call) if call is not None and call.type == "call_expression" else ""
    if _READS.fullmatch(name):
        return "", node, None, ""
    if call is not None and _PICKS.fullmatch(name):
        return "changed", call, None, f"the size that {name} picks"
    return ("changed" if _WRITES.fullmatch(name) else "kept"), call or node, None, ""


def _use_as_argument(nodes: NodeIndex, holder: Node, node: Node) -> _How:
    """An argument, or a part of a braced list: given to a function or to a type's constructor."""
    outer = nodes.parent(holder)
    while outer is not None and outer.type in ("initializer_list", "parameter_list", "function_declarator"):
        outer = nodes.parent(outer)
    if outer is None or nodes.has_child_of_kind(outer, "kernel_call_syntax"):
        return "", node, None, ""
    name = callee(nodes, outer) if outer.type == "call_expression" else _constructed_type(nodes, outer)
    if name is None or _BY_VALUE.fullmatch(name) or _BUILTIN.fullmatch(name) or _is_logging(nodes, holder, name):
        return "", node, None, ""
    if name == ".Setup" and _is_grid_barrier(nodes, outer):
        return "", node, None, ""
    index = nodes.index_among_siblings(holder if holder.type == "parameter_declaration" else node)
    return ("passed" if name else "kept"), outer, AfterCall(name, index) if name else None, ""


def _is_logging(nodes: NodeIndex, arguments: Node, name: str) -> bool:
    return _LOGS.fullmatch(name) is not None and nodes.text(arguments).startswith('("')


def _is_grid_barrier(nodes: NodeIndex, call: Node) -> bool:
    """Whether a method is called of what the function declares as cub's: `Setup` takes a number by value."""
    function = call.child_by_field_name("function")
    named = function.child_by_field_name("argument") if function is not None else None
    around = call
    while (outer := nodes.parent(around)) is not None:
        around = outer
    declared = (
        rf"\b(?:cub\s*::\s*)?GridBarrierLifetime\s+{re.escape(nodes.text(named))}\s*;" if named is not None else ""
    )
    return bool(declared) and re.search(declared, nodes.text(around)) is not None


def _constructed_type(nodes: NodeIndex, node: Node) -> str | None:
    """The type that a declaration or expression makes of what it is given; None: it makes none."""
    made = nodes.parent(node) if node.type == "init_declarator" else node
    if made is None or made.type not in ("declaration", "new_expression", "compound_literal_expression"):
        return None
    return nodes.text(made.child_by_field_name("type") or made).split("<")[0].strip()


def only_reads_arguments(function: str) -> bool:
    """Whether it merely reads what the pointers that it is given point to."""
    return _READS.fullmatch(function) is not None


def may_alter_argument(parameters: Sequence[Parameter], index: int) -> bool:
    """Whether the argument at `index` may be changed; those beyond the last parameter go to its pack."""
    return not parameters or parameters[min(index, len(parameters) - 1)].alters


def is_pure_arithmetic(body: Expression) -> bool:
    """Whether a macro's body only works out a number from its arguments."""
    match body:
        case Number() | Name():
            return True
        case Unary(_, operand) | Member(operand, _):
            return is_pure_arithmetic(operand)
        case Binary(_, left, right):
            return is_pure_arithmetic(left) and is_pure_arithmetic(right)
        case Conditional(condition, then, otherwise):
            return all(map(is_pure_arithmetic, (condition, then, otherwise)))
        case Call(name, arguments):
            return bool(_BY_VALUE.fullmatch(str(name))) and all(map(is_pure_arithmetic, arguments))
    return False
