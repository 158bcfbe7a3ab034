"""Launches: `kernel<<<grid, block, bytes, stream>>>(…)` and the runtimes' functions that launch a kernel."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.argument_text import call_arguments_at, split_template_arguments
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.calls import call_site, callee
from occupancy_lsp.source.lower.item_facts import (
    Argument,
    CallSite,
    Definition,
    Function,
    Launch,
    LaunchedCluster,
    WrapperCall,
)
from occupancy_lsp.source.lower.launch_attributes import cluster_requests, unknown_cluster
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import Expression, Name, UnparsedText, UnreadableExpression
from occupancy_lsp.source.syntax.expression_parser import parse
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span


@dataclass(frozen=True, slots=True)
class _Form:
    """Which arguments are the bytes of dynamic memory, and from where on the kernel's own; None: it takes an array."""

    bytes: int
    arguments: int | None = None


_FORMS = {
    "hipLaunchKernelGGL": _Form(3, 5),
    **{
        f"{vendor}Launch{name}": _Form(4)
        for vendor in ("cuda", "hip")
        for name in ("Kernel", "Kernel_ptsz", "CooperativeKernel")
    },
}
_CONFIGURED = {"cudaLaunchKernelEx": 2, "cudaLaunchKernelExC": None, "hipLaunchKernelExC": None}
WORDS = (b"<<<", b"LaunchKernel", b"LaunchCooperativeKernel")
_LAUNCHES = regex(rb"<<<|\b(?:%b)\s*(?:<[^;(){}]{0,500}>\s*)?\(" % "|".join((*_FORMS, *_CONFIGURED)).encode())

_ON_DEVICE = ("__global__", "__device__")
_OF_LAMBDA = regex(rb"\]\s*(?:__\w+__\s*)*\Z")  # what stands before an annotation of a lambda
# What is called, or given to a call, bears the word; or what is given has template arguments. Before each pattern
# stands what any text has that it finds: most have nothing of it, and that is quickly seen.
_SAYS, _SAID = (b"launch", b"kernel"), regex(rb"(?:launch|kernel)\w{0,60}\s{0,60}[(<,)]")  # in lower case
_RUNS = (b"RUN", b"CALL", b"CASE", b"INVOKE", b"DISPATCH")
_RUN = regex(rb"\b(?:%b)\w*\s{0,60}[(;}]" % b"|".join(_RUNS))
_CLOSES = regex(rb">\s*\)?\s*[,)]")
_INSTANCE = regex(rb"[(,]\s{0,60}[(&]?\s{0,60}[\w:]{1,99}\s{0,9}<[^;(){}]{0,500}>\s*\)?\s*[,)]")
_BY_NAME = regex(r"(?i)launch|(?-i:\A(?:[A-Z][A-Z0-9_]+\Z|RUN|CALL|CASE|INVOKE|DISPATCH))")

# What may stand around a kernel's name where its address is taken.
_PACKED = regex(r"[A-Za-z_]\w*\s*(?:\(|\Z)")
_APPLIED = regex(rb"\s*([(,)])")  # or given to another
_GIVEN_TO = regex(rb"(?<!\w)([A-Za-z_]\w*)\s*\([^();{}]*\Z")
_OPENS = regex(rb"\s*\(")
_CHEVRONS = regex(rb"(?<!<)<<<(?!<)")
_BEFORE = regex(rb"(?:\w+\s*::\s*)*[A-Za-z_]\w*\s*(?:<[^;(){}]*>\s*)?\Z")
_MADE_BEFORE = regex(rb"[A-Za-z_]\w*\s*\([^()?*&;{}]*\)\s*\Z")  # `NAMED(float, 4)`, which no call may be
_KEYWORDS = frozenset(("else", "do", "return", "case", "default", "goto", "throw", "new", "delete"))
_LONGEST = 600  # letters of a kernel's name with its template arguments
_WRAPPED = regex(
    r"(?:\(\s*(?:const\s+)?void\s*(?:const\s*)?\*\s*\)|(?:reinterpret|static)_cast\s*<[^<>]*>|HIP_KERNEL_NAME\b|[(&\s])*"
)
_POINTED = regex(r"\(\s*\*\s*(\w+)\s*\)")
_ELEMENT = regex(r"\w+\s*\[[^][]*\]")
_KERNEL = regex(
    r"(?:this->)?(?P<name>(?:::)?[A-Za-z_]\w*(?:::[A-Za-z_]\w*)*)\s*(?:<(?P<template>.*)>)?[\s)]*", re.DOTALL
)
_MADE_NAME = regex(r"(?:\w+\s*::\s*)*[A-Z_a-z]\w*\s*\([^?*&]*\)\s*(?:<.*>\s*)?", re.DOTALL)


def kernel_of_expression(said: str) -> tuple[str, tuple[str, ...] | None]:
    """The kernel that an expression is, and its template arguments; "" where it is not one name."""
    match = _KERNEL.fullmatch(said, _WRAPPED.match(said).end())  # type: ignore[union-attr]  # it matches nothing, too
    if match is None:
        return "", None
    template = match["template"]
    return match["name"], None if template is None else split_template_arguments(template)


def launch_of_call(masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions) -> Launch | None:
    """The launch that a call expression is; None if it is a plain call or cannot be read."""
    if nodes.has_child_of_kind(node, "kernel_call_syntax"):
        chevrons = next(it for it in node.children if it.type == "kernel_call_syntax")
        return _chevron_launch(masked, nodes, node, chevrons, regions)
    name = callee(nodes, node)
    given = node.child_by_field_name("arguments")
    if given is None or (name not in _FORMS and name not in _CONFIGURED):
        return None
    if name in _CONFIGURED:
        return _configured_launch(masked, nodes, node, given.named_children, _CONFIGURED[name], regions)
    return _runtime_call_launch(masked, nodes, node, given.named_children, _FORMS[name], regions)


def _chevron_launch(
    masked: MaskedCode, nodes: NodeIndex, node: Node, chevrons: Node, regions: ConditionRegions
) -> Launch | None:
    function, given = node.child_by_field_name("function"), node.child_by_field_name("arguments")
    arguments = [_argument_of_node(masked, c) for c in chevrons.named_children]
    packed = nodes.text(chevrons.named_children[0]) if len(arguments) == 1 else ""
    if chevrons.has_error or function is None or (len(arguments) < 2 and not _PACKED.match(packed)):
        return None
    kernel, template = kernel_of_expression(nodes.text(function))
    grid, block, dynamic = (arguments[0],) * 3 if packed else (arguments[0], arguments[1], (*arguments, None)[2])
    return Launch(
        kernel, span(node), span(chevrons), grid, block, dynamic, regions.at(node.start_byte), template,
        tuple(nodes.text(it) for it in given.named_children) if given is not None else (),
        made=_macro_made_name(kernel, nodes.text(function)), variable=_kernel_choice_text(nodes, function),
        packed=packed,
    )  # fmt: skip


def _macro_made_name(kernel: str, said: str) -> str:
    """`CAT(sum_, T)<4>` as written; "" of what cannot be a name that a macro makes."""
    if kernel:
        return ""
    bare = said[_WRAPPED.match(said).end() :]  # type: ignore[union-attr]  # it matches nothing, too
    return bare if _MADE_NAME.fullmatch(bare) else ""


def _kernel_choice_text(nodes: NodeIndex, kernel: Node) -> str:
    """`c ? a : b` and `kernels[i]` as written, and the variable of `(*variable)`; "" of all else."""
    said = nodes.text(kernel)
    pointer = _POINTED.fullmatch(said)
    return pointer[1] if pointer is not None else said if "?" in said or _ELEMENT.fullmatch(said) else ""


def _runtime_call_launch(
    masked: MaskedCode, nodes: NodeIndex, node: Node, given: Sequence[Node], form: _Form, regions: ConditionRegions
) -> Launch | None:
    """`hipLaunchKernelGGL(kernel, grid, block, bytes, stream, …)`, `cudaLaunchKernel(kernel, grid, block, …, bytes)`"""
    if len(given) < 3 or any(it.has_error for it in given[:5]):
        return None
    kernel, template = kernel_of_expression(nodes.text(given[0]))
    dynamic = given[form.bytes] if len(given) > form.bytes else None
    return Launch(
        kernel, span(node), Span(given[1].start_byte, (dynamic or given[2]).end_byte),
        _argument_of_node(masked, given[1]), _argument_of_node(masked, given[2]),
        _argument_of_node(masked, dynamic) if dynamic else None,
        regions.at(node.start_byte),
        template, tuple(nodes.text(it) for it in given[form.arguments :]) if form.arguments is not None else (),
        made=_macro_made_name(kernel, nodes.text(given[0])), variable=_kernel_choice_text(nodes, given[0]),
    )  # fmt: skip


def _configured_launch(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    given: Sequence[Node],
    first: int | None,
    regions: ConditionRegions,
) -> Launch | None:
    """`cudaLaunchKernelEx(&config, kernel, …)`: the sizes are members of `config`."""
    if len(given) < 2 or any(it.has_error for it in given[:2]):
        return None
    where, config = span(given[0]), re.fullmatch(r"&\s*(\w+)", nodes.text(given[0]))

    def member_argument(name: str) -> Argument:
        value: Expression = Name((f"{config[1]}.{name}",)) if config else UnreadableExpression("given elsewhere")
        return Argument(where, value)

    kernel, template = kernel_of_expression(nodes.text(given[1]))
    asked = cluster_requests(masked, nodes, node, config[1], regions) if config else (unknown_cluster(node),)
    return Launch(
        kernel, span(node), where,
        member_argument("gridDim"), member_argument("blockDim"), member_argument("dynamicSmemBytes"),
        regions.at(node.start_byte), template,
        tuple(nodes.text(it) for it in given[first:]) if first is not None else (),
        made=_macro_made_name(kernel, nodes.text(given[1])), variable=_kernel_choice_text(nodes, given[1]),
        cluster=LaunchedCluster(
            tuple((it.conditions, it.cluster) for it in asked) if any(it.cluster for it in asked) else (),
            frozenset().union(*(it.around for it in asked)), frozenset().union(*(it.set_up for it in asked)),
        ),
        cooperative=all(it.cooperative for it in asked),
    )  # fmt: skip


def kernel_of_variable(variable: Definition) -> str:
    """What a variable is made from that may be a kernel; "" where that is not known."""
    value = variable.value
    if isinstance(value, UnreadableExpression):
        return value.said
    if isinstance(value, Name) and len(value.parts) > 1:
        return "::".join(value.parts)  # a using-declaration
    return value.text.decode("utf-8", "replace") if isinstance(value, UnparsedText) else ""


def launch_with_resolved_kernel(launch: Launch, known: Mapping[str, Sequence[Definition]], code: bytes) -> Launch:
    """Where a local variable holds the kernel: the launch of that kernel, or of one that is not known here."""
    if launch.template is not None or not launch.kernel or launch.body is not None:
        return launch
    kernel, template = kernel_meant_by_name(launch.kernel, launch.span.start, known, code)
    if not kernel:
        return structs.replace(launch, kernel="", variable=launch.kernel)
    return structs.replace(launch, kernel=kernel, template=template)


def kernel_meant_by_name(
    name: str, at: int, known: Mapping[str, Sequence[Definition]], code: bytes
) -> tuple[str, tuple[str, ...] | None]:
    """The kernel that a name without template arguments means there: its own, or what the local variable of that name
    holds; "" where that is not known."""
    around = [d for d in known.get(name, ()) if d.scope is not None and d.scope.start <= at < d.scope.end]
    declared = any(d.start <= at for d in around)
    kernel, template = (
        kernel_of_expression(kernel_of_variable(around[0]))
        if len(around) == 1 and not around[0].conditions
        else ("", None)
    )
    if declared and kernel and not (template is None and kernel in known):
        return kernel, template
    kernel, template = _kernel_of_auto_variable(name, code)
    return (kernel, template) if kernel or declared else (name, None)


_MADE = regex(rb"\bauto\s*[*&]?\s*(\w+)\s*=(?!=)\s*([^;]{1,2000});")
_SET_UP = regex(rb"\b(?:cuda|hip)Func[SG]et\w+\s*\([^;,]{0,99}\b(\w+)\s*,|\b(\w+)\s*<<<")


def _kernel_of_auto_variable(variable: str, code: bytes) -> tuple[str, tuple[str, ...] | None]:
    """What `auto kernel = k<M, N>;` says among a macro's arguments, where the grammar does not see it: if the text has
    the variable nowhere else but to launch it or to set the kernel up."""
    name = variable.encode()
    made = _auto_initializers(code).get(name) if b"auto" in code else None
    if made is None:
        return "", None
    known = [it for it in _SET_UP.findall(code) if name in it]
    if len(re.findall(rb"\b%b\b" % name, code)) != 1 + len(known):
        return "", None
    kernel, template = kernel_of_expression(made.decode("utf-8", "replace"))
    return (kernel, template) if template is not None else ("", None)


@remembered(4)  # asked for each launch in it
def _auto_initializers(code: bytes) -> Mapping[bytes, bytes]:
    return {it[1]: it[2] for it in reversed([*_MADE.finditer(code)])}


def wrapper_call(nodes: NodeIndex, node: Node, regions: ConditionRegions, launchers: Set[bytes]) -> WrapperCall | None:
    """A call with an argument that may be a kernel's name, or of a macro that launches."""
    site = call_site(nodes, node)
    plain = bool(site.name) and (
        _BY_NAME.search(site.name)
        or any(map(_may_name_kernel, site.arguments or ()))
        or (bool(launchers) and site.name.encode() in launchers)
    )
    return WrapperCall(site, span(node), regions.at(node.start_byte)) if plain else None


def _may_name_kernel(said: str) -> bool:
    return said not in ("true", "false", "nullptr", "NULL") and kernel_of_expression(said)[0] != ""


def contains_launch(text: str) -> bool:
    """Whether a macro's text launches something itself."""
    return _LAUNCHES.search(text.encode()) is not None


def may_have_wrapper_calls(masked: MaskedCode, launchers: Set[bytes]) -> bool:
    """Whether host code may give a kernel to what launches it, or has a macro that launches."""
    if has_device_code(masked):
        return False
    if contains_possible_kernel_argument(masked.code) or any(b"<<<" in line.text for line in masked.lines):
        return True
    return any(True for _ in _name_occurrences(masked.code, launchers, 0, len(masked.code)))


def unread_launching_macro_uses(masked: MaskedCode, launchers: Set[bytes], function: Function) -> Iterator[CallSite]:
    """Yield where macros that launch stand in a function other than as whole statements or in calls that it shows."""
    code, known = masked.code, {it.start for it in (*function.mentions.alone, *function.mentions.calls)}
    for name, at in _name_occurrences(code, launchers, function.body.start, function.body.end):
        applied = _APPLIED.match(code, at + len(name))
        if applied is None or applied[1] == b"(":
            start, called = at, name
        elif (around := _GIVEN_TO.search(code, max(at - _LONGEST, 0), at)) is not None:
            start, called = around.start(), around[1]
        else:
            continue
        if start in known:
            continue
        known.add(start)
        opening = _OPENS.match(code, start + len(called)) if applied is not None else None
        given = (
            call_arguments_at(code[opening.end() : opening.end() + _LONGEST].decode(), 0)[0]
            if opening is not None
            else ()
        )
        yield CallSite(called.decode(), None, tuple(given), start)


def launches_parted_by_macros(
    masked: MaskedCode, launchers: Set[bytes], function: Function
) -> Iterator[tuple[CallSite, str]]:
    """Yield where macros that launch may stand for a part of a launch only, `k ARGS(64)(p)` or `CALL(k)(p)`: the kernel
    that is named before the macro, if one is, and the whole launch."""
    code = masked.code
    for name, at in _name_occurrences(code, launchers, function.body.start, function.body.end):
        opening = _OPENS.match(code, at + len(name))
        behind = at + len(name)
        if opening is not None:
            length = call_arguments_at(code[opening.end() : opening.end() + _LONGEST].decode(), 0)[1]
            behind = opening.end() + length
        named = _BEFORE.search(code, max(at - _LONGEST, function.body.start), at)
        kernel, template = kernel_of_expression(named[0].decode()) if named is not None else ("", None)
        kernel = "" if kernel in _KEYWORDS else kernel
        end = code.find(b";", behind, behind + _LONGEST)
        if end >= 0 and (kernel or _OPENS.match(code, behind)):
            start = named.start() if named is not None and kernel else at
            site = CallSite(kernel, template, None, at)
            yield site, masked.plain[start:end].decode("utf-8", "replace")


def _name_occurrences(code: bytes, names: Set[bytes], start: int, end: int) -> Iterator[tuple[bytes, int]]:
    for name in sorted(it for it in names if it in code):
        for match in re.finditer(rb"(?<!\w)%b(?!\w)" % name, code[start:end]):
            yield name, start + match.start()


def contains_possible_kernel_argument(code: bytes) -> bool:
    lowered = code.lower()
    return (
        (any(it in lowered for it in _SAYS) and _SAID.search(lowered) is not None)
        or (any(it in code for it in _RUNS) and _RUN.search(code) is not None)
        or (_CLOSES.search(code) is not None and _INSTANCE.search(code) is not None)
    )


def has_device_code(masked: MaskedCode) -> bool:
    """Whether something in the text is for devices, other than lambdas that a host makes."""
    marks = (it.start for it in masked.marks if it.name in _ON_DEVICE)
    return any(_OF_LAMBDA.search(masked.plain, max(0, at - 60), at) is None for at in marks)


def unreadable_launches(
    masked: MaskedCode, launched: Sequence[Launch], regions: ConditionRegions, cut: bool
) -> Iterator[Launch]:
    """Yield those whose text cannot be read beyond the kernel's name: nothing else is known of them. `cut`: parts of
    the code were not looked at, which may launch by a call."""
    read = {it.configuration.start for it in launched} | {it.span.start for it in launched}
    for it in (_LAUNCHES if cut else _CHEVRONS).finditer(masked.code):
        if it.start() in read:
            continue
        named = _BEFORE.search(masked.code, max(it.start() - _LONGEST, 0), it.start())
        said = named[0].decode("utf-8", "replace") if named is not None else ""
        kernel, template = kernel_of_expression(said)
        macro = _MADE_BEFORE.search(masked.code, max(it.start() - _LONGEST, 0), it.start()) if named is None else None
        made = macro[0].decode("utf-8", "replace").strip() if macro is not None else ""
        where, start = Span(*it.span()), next((one.start() for one in (named, macro) if one is not None), it.start())
        given = Argument(where, UnreadableExpression("the launch cannot be read"))
        span_, conditions = Span(start, it.end()), regions.at(it.start())
        yield Launch(kernel, span_, where, given, given, given, conditions, template, made=made)


def count_launches(code: bytes) -> int:
    return len(_LAUNCHES.findall(code))


def _argument_of_node(masked: MaskedCode, node: Node) -> Argument:
    return Argument(span(node), parse(masked.plain, node.start_byte, node.end_byte))
