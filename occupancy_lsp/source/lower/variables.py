"""Constants, variables and parameters that an item defines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set

from msgspec import structs
from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import CONSTANT
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.declarations import (
    array_type,
    declaration_start,
    declarator_name,
    declared_type,
    enclosing_block_span,
    enclosing_classes,
    is_array,
    is_bodiless_parameter_list,
    is_pointer,
    parse_expression_node,
)
from occupancy_lsp.source.lower.enumerations import enumerator_definitions
from occupancy_lsp.source.lower.item_facts import Conditions, Definition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode
from occupancy_lsp.source.syntax.expression_nodes import (
    UNSET,
    Call,
    Expression,
    Name,
    Number,
    UnreadableExpression,
)
from occupancy_lsp.source.syntax.expression_parser import parse, parse_detached
from occupancy_lsp.source.syntax.node_index import NodeIndex
from occupancy_lsp.source.syntax.parser import span

# A launch configuration's type, and those of its members, in their order, that are followed as variables of their own.
_OF_RUNTIMES = {"gridDim": "dim3", "blockDim": "dim3", "dynamicSmemBytes": "size_t"}
_OF_CUTLASS = {"grid_dims": "dim3", "block_dims": "dim3", "cluster_dims": "dim3", "smem_size_in_bytes": "int"}
CONFIGURATIONS: Mapping[str, Mapping[str, str]] = {
    **dict.fromkeys(("cudaLaunchConfig_t", "hipLaunchConfig_t"), _OF_RUNTIMES),
    **dict.fromkeys(("ClusterLaunchParams", "cutlass::ClusterLaunchParams"), _OF_CUTLASS),
}
TO_ANY = ("void*", "void&")  # as which kernels are held, too
# SYCL's sizes, as `blanking` has them in one word: the last dimension is that of neighbours.
SYCL_RANGES = tuple(
    f"{outer}{word}"
    for outer in ("", "sycl::", "cl::sycl::", "::sycl::")
    for word in ("range_1_", "range_2_", "range_3_", *(("range",) if outer else ()))
)
# Of OpenCL's C++ bindings, and SYCL's: sizes that stay as they are made.
RANGES = ("NDRange", "cl::NDRange", *SYCL_RANGES)
ALL_OF_NAMESPACE = "using namespace"  # what makes the names of a namespace visible goes by this name
ALIAS_OF_NAMESPACE = "namespace "  # before the name of one
# What the grammar may take for a variable's name in a text that it does not understand.
_FUNCTION_CONSTANT = regex(rb"\[\[\s*function_constant\b")  # of Metal, whose value is given when a pipeline is made
_NO_NAMES = frozenset(
    [
        "auto",
        "bool",
        "char",
        "const",
        "double",
        "float",
        "int",
        "long",
        "short",
        "signed",
        "unsigned",
        "void",
        "volatile",
    ]
)
# Kinds of nodes: those that declare, and all that define something.
DECLARING = ("declaration", "field_declaration")
DEFINING = frozenset(
    (
        *DECLARING,
        "enum_specifier",
        "for_range_loop",
        "lambda_capture_specifier",
        "namespace_alias_definition",
        "parameter_list",
        "template_parameter_list",
        "using_declaration",
    )
)
_NO_INTEGER = UnreadableExpression("not an integer")
_FRACTIONAL = regex(r"\b(?:float|double|_*half|__nv_bfloat16)\b")


@remembered(1024)  # the same few in every file
def is_floating_point_type(kind: str) -> bool:
    return _FRACTIONAL.search(kind) is not None


def definitions_of_node(
    masked: MaskedCode,
    nodes: NodeIndex,
    kind: str,
    node: Node,
    scope: Span | None,
    regions: ConditionRegions,
    changed: frozenset[str] | None,
) -> Iterator[Definition]:
    """What a node defines that is of a kind of `DEFINING`. `scope`, `changed`: as `variables` takes them."""
    if kind in DECLARING:
        return variable_definitions(masked, nodes, node, scope, regions, changed)
    if kind == "using_declaration":
        return using_declarations(nodes, node, regions)
    if kind == "namespace_alias_definition":
        return namespace_alias(nodes, node, regions)
    if kind == "for_range_loop":
        return range_loop_variable(nodes, node, regions)
    if kind == "lambda_capture_specifier":
        return init_captures(masked, nodes, node, regions)
    return (
        enumerator_definitions(masked, nodes, node, regions)
        if kind == "enum_specifier"
        else parameter_definitions(nodes, node)
    )


@dataclass(frozen=True, slots=True)
class _Declaration:
    """A declaration of variables or static members, and what its words say of all of them."""

    node: Node
    scope: Span | None
    owner: tuple[str, ...]
    words: Set[str]  # its qualifiers and storage classes
    kind: str  # the type that stands before its names
    changed: frozenset[str] | None  # the names that are assigned somewhere; None: any may be

    @property
    def fixed(self) -> bool:
        return not self.words.isdisjoint(("const", "constexpr", "constinit", CONSTANT))

    @property
    def local(self) -> bool:
        return self.scope is not None and self.node.type == "declaration"

    def keeps_initial_value(self, name: str) -> bool:
        """Whether a variable keeps its first value."""
        lasting = not self.words.isdisjoint(("static", "extern", "thread_local", "volatile"))
        return self.fixed or (self.local and not lasting and self.changed is not None and name not in self.changed)


def variable_definitions(
    masked: MaskedCode,
    nodes: NodeIndex,
    node: Node,
    scope: Span | None,
    regions: ConditionRegions,
    changed: frozenset[str] | None,
) -> Iterator[Definition]:
    """What a declaration (of a variable or a static member) in `scope` says about its names.

    `changed`: the names that are assigned somewhere; None: any may be.
    """
    words = {nodes.text(c) for c in node.named_children if c.type in ("type_qualifier", "storage_class_specifier")}
    words |= _annotations_before_type(masked, nodes, node)
    owner = enclosing_classes(nodes, node) if scope is None else ()
    said = _Declaration(node, scope, owner, words, _type_name(nodes, node), changed)
    for declarator in node.children_by_field_name("declarator"):
        name = declarator_name(declarator)
        if name is None:
            yield from _structured_bindings(nodes, declarator, scope, regions)
        elif not _declares_function(nodes, node, declarator, said.local, changed is not None):
            yield from _definitions_of_declarator(masked, nodes, said, declarator, name, regions)


def _annotations_before_type(masked: MaskedCode, nodes: NodeIndex, node: Node) -> Set[str]:
    kind = node.child_by_field_name("type")
    start = declaration_start(nodes, node) if kind is not None and masked.marks else 0
    return {it.name for it in masked.marks_between(start, kind.start_byte)} if kind is not None else frozenset()


def _definitions_of_declarator(
    masked: MaskedCode, nodes: NodeIndex, said: _Declaration, declarator: Node, name: Node, regions: ConditionRegions
) -> Iterator[Definition]:
    label, conditions = nodes.text(name), regions.at(name.start_byte)
    if label in _NO_NAMES:
        return
    members = CONFIGURATIONS.get(said.kind) if said.local else None
    if members is not None:
        listed = declarator.child_by_field_name("value")
        for member, given in launch_configuration_members(masked, nodes, listed, members):
            yield Definition(
                f"{label}.{member}", "variable", given, name.start_byte, said.scope, (), conditions, members[member]
            )
    type_said = declared_type(nodes.text, said.node, declarator)
    whole = said.kind if said.kind == "dim3" or declarator.type == "function_declarator" else ""
    yield Definition(
        label,
        "constant" if said.fixed else "variable",
        _declared_value(masked, nodes, said, declarator, label, type_said),
        name.start_byte,
        said.scope,
        said.owner,
        conditions,
        "[]" if _holds_lambda(declarator) else type_said or whole,
        array=array_type(nodes.text, said.node, declarator),
    )


def _declared_value(
    masked: MaskedCode, nodes: NodeIndex, said: _Declaration, declarator: Node, label: str, type_said: str
) -> Expression:
    """Return what a variable is given where it is declared, or why its value is not known."""
    pointer = is_pointer(declarator) and declarator.type != "function_declarator" and type_said not in TO_ANY
    stays = said.keeps_initial_value(label)
    if is_floating_point_type(said.kind) or is_array(declarator) or pointer:
        made_from = declarator.child_by_field_name("value") if stays else None
        return UnreadableExpression(
            f"{label} is not an integer", nodes.text(made_from) if made_from is not None else ""
        )
    member = said.fixed and said.node.type == "field_declaration"
    if member and _may_be_overridden_by_constructor(nodes, said.node, said.words, label):
        return UnreadableExpression(f"{label} may be given another value by a constructor")
    if _FUNCTION_CONSTANT.search(masked.plain, said.node.start_byte, said.node.end_byte):
        return UnreadableExpression(f"the pipeline sets the function constant {label}")
    if stays:
        return _initial_expression(masked, nodes, said.node, declarator)
    return _unreadable_expression(f"{label} may change at run time")


def _may_be_overridden_by_constructor(nodes: NodeIndex, member: Node, words: Set[str], name: str) -> bool:
    """Whether a const member's initial value is a mere default: of an aggregate, or where a constructor gives another
    or is defined elsewhere."""
    body = nodes.parent(member)
    kind = nodes.parent(body) if body is not None else None
    if "static" in words or "constexpr" in words or body is None or kind is None:
        return False
    named = kind.child_by_field_name("name")
    makers = list(_constructors_of_class(nodes, body, nodes.text(named).split("<")[0] if named is not None else ""))
    if not makers:
        return kind.type != "class_specifier"
    return any(not _leaves_member_unset(nodes, it, name) for it in makers)


def _constructors_of_class(nodes: NodeIndex, body: Node, label: str) -> Iterator[Node]:
    for child in body.named_children:
        inner = child.named_children[-1] if child.type == "template_declaration" else child
        made = declarator_name(inner.child_by_field_name("declarator"))
        if made is not None and nodes.text(made) == label:
            yield inner


def _leaves_member_unset(nodes: NodeIndex, constructor: Node, member: str) -> bool:
    """Whether a constructor that stands in the class gives a member nothing; a copy has what it is a copy of."""
    if constructor.type != "function_definition" or constructor.has_error:
        return False
    given = next((it for it in constructor.named_children if it.type == "field_initializer_list"), None)
    return given is None or not re.search(rf"\b{member}\s*[({{]", nodes.text(given))


def _initial_expression(masked: MaskedCode, nodes: NodeIndex, node: Node, declarator: Node) -> Expression:
    """The initial value; `dim3 b(16, 16)` and `dim3 b{16, 16}` read as the call `dim3(16, 16)`."""
    value = declarator.child_by_field_name("value") or _default_member_initializer(node, declarator)
    if declarator.type == "function_declarator":
        value = declarator.child_by_field_name("parameters")
    if value is None:
        return Call(Name(("dim3",)), ()) if _type_name(nodes, node) == "dim3" else UNSET
    if value.type not in ("argument_list", "initializer_list", "parameter_list"):
        whole = masked.unparsed_expression(value)
        return Call(Name(("dim3",)), (whole,)) if _type_name(nodes, node) == "dim3" else whole
    read = parse(b"_" + masked.plain[value.start_byte : value.end_byte], base=value.start_byte - 1)
    if not isinstance(read, Call):
        return UnreadableExpression("not an integer constant expression")
    kind = _type_name(nodes, node)
    if kind == "dim3" or (kind in RANGES and read.arguments):
        return Call(Name(("dim3",)), read.arguments[:: -1 if kind in SYCL_RANGES else 1])
    if len(read.arguments) == 1:
        return read.arguments[0]
    made = parse_detached(_type_name(nodes, node) + "{}") if read.arguments else None
    return structs.replace(made, arguments=read.arguments, texts=read.texts) if isinstance(made, Call) else _NO_INTEGER


def _default_member_initializer(member: Node, declarator: Node) -> Node | None:
    """The initial value of one declarator of a class's member, before the declarator that follows it."""
    end = declarator.end_byte
    values = [it for it in member.children_by_field_name("default_value") if it.start_byte >= end]
    others = [it.start_byte for it in member.children_by_field_name("declarator") if it.start_byte >= end]
    return values[0] if values and (not others or values[0].start_byte < others[0]) else None


def _declares_function(nodes: NodeIndex, node: Node, declarator: Node, local: bool, host: bool) -> bool:
    """`dim3 block(x, y);` among statements reads like a function's declaration to the grammar, but is a variable; in a
    host's code so is what else is made of a class with nothing but names."""
    if declarator.type != "function_declarator" or not local:
        return declarator.type == "function_declarator"
    if _type_name(nodes, node) in ("dim3", *RANGES) or not host:
        return _type_name(nodes, node) not in ("dim3", *RANGES)
    kind, listed = node.child_by_field_name("type"), declarator.child_by_field_name("parameters")
    given = listed.named_children if listed is not None else []
    classes = kind is not None and kind.type in ("type_identifier", "qualified_identifier", "template_type")
    return not (
        classes
        and given
        and all(
            it.named_child_count == 1
            and it.type == "parameter_declaration"
            and it.named_children[0].type == "type_identifier"
            for it in given
        )
    )


def _type_name(nodes: NodeIndex, node: Node) -> str:
    return nodes.text(node.child_by_field_name("type") or node).removeprefix("const ").strip()


def launch_configuration_members(
    masked: MaskedCode, nodes: NodeIndex, value: Node | None, members: Mapping[str, str]
) -> Iterator[tuple[str, Expression]]:
    """What `cudaLaunchConfig_t config = {grid, block}` sets; the rest is zero, and no sizes."""
    listed = value is not None and value.type == "initializer_list"
    given: dict[str, Node] = {}
    for member, part in zip(members, value.named_children if value is not None and listed else (), strict=False):
        named = part.type == "initializer_pair"
        label = nodes.text(part.child_by_field_name("designator") or part).lstrip(".") if named else member
        given[label] = (part.child_by_field_name("value") or part) if named else part
    for member, kind in members.items():
        unset: Expression = (
            UnreadableExpression(f"{member} is not set") if kind == "dim3" or not listed else Number(0, 0, 0)
        )
        said = parse_expression_node(masked, given[member]) if member in given else unset
        yield member, Call(Name(("dim3",)), (said,)) if kind == "dim3" else said


def _structured_bindings(
    nodes: NodeIndex, declarator: Node, scope: Span | None, regions: ConditionRegions
) -> Iterator[Definition]:
    """The names of `auto [a, b] = …`"""
    whole = declarator.child_by_field_name("declarator")
    if whole is None or whole.type != "structured_binding_declarator":
        return
    for name in whole.named_children:
        reason = UnreadableExpression(f"{nodes.text(name)} may change at run time")
        yield Definition(
            nodes.text(name), "variable", reason, name.start_byte, scope, (), regions.at(name.start_byte), "auto&"
        )


def range_loop_variable(nodes: NodeIndex, node: Node, regions: ConditionRegions) -> Iterator[Definition]:
    """The variable of `for (int n : sizes)`"""
    name = declarator_name(node.child_by_field_name("declarator"))
    if name is not None:
        reason = UnreadableExpression(f"{nodes.text(name)} changes in a loop")
        kind = declared_type(nodes.text, node, node.child_by_field_name("declarator"))
        yield Definition(
            nodes.text(name), "variable", reason, name.start_byte, span(node), (), regions.at(name.start_byte), kind
        )


def init_captures(masked: MaskedCode, nodes: NodeIndex, node: Node, regions: ConditionRegions) -> Iterator[Definition]:
    """`[n = 2 * n]` of a lambda: in its body a variable of its own, made where the lambda is."""
    made = nodes.parent(node)
    body = made.child_by_field_name("body") if made is not None else None
    if made is None or body is None:
        return
    inside = Span(node.end_byte, made.end_byte)
    changes = b"mutable" in masked.code[node.end_byte : body.start_byte]
    for it in node.named_children:
        name = next((word for word in nodes.walk(it) if word.type in ("identifier", "type_identifier")), None)
        if it.type not in ("lambda_capture_initializer", "ERROR") or name is None:
            continue
        label, plain = nodes.text(name), it.type != "ERROR" and nodes.text(it)[:1] not in ("&", ".")
        followed = plain and not changes
        value = (
            parse_expression_node(masked, it.named_children[-1])
            if followed
            else UnreadableExpression(f"{label} may change at run time")
        )
        yield Definition(
            label, "variable", value, name.start_byte, inside, (), regions.at(name.start_byte),
            "auto" if plain else "auto&",
        )  # fmt: skip


def using_directive(
    parts: Sequence[str], start: int = 0, where: Span | None = None, conditions: Conditions = ()
) -> Definition:
    """Make what a namespace has visible where it is said: by a directive, or because the namespace is inline."""
    return Definition(ALL_OF_NAMESPACE, "constant", Name(tuple(parts)), start, where, (), conditions, "auto")


def namespace_alias(nodes: NodeIndex, node: Node, regions: ConditionRegions) -> Iterator[Definition]:
    """`namespace a = b::c;`"""
    name, said = node.named_children[0], node.named_children[-1]
    parts = nodes.text(said).removeprefix("::").split("::")
    if name != said and all(it.isidentifier() for it in parts):
        start, scope = node.start_byte, enclosing_block_span(nodes, node)
        owner = enclosing_classes(nodes, node) if scope is None else ()
        label = ALIAS_OF_NAMESPACE + nodes.text(name)
        yield Definition(label, "constant", Name(tuple(parts)), start, scope, owner, regions.at(start), "auto")


def using_declarations(nodes: NodeIndex, node: Node, regions: ConditionRegions) -> Iterator[Definition]:
    """`using sizes::threads;` outside of classes: the name stands for the other; `using namespace sizes;` anywhere."""
    said = nodes.text(node).removeprefix("using").rstrip(";").strip()
    whole = said.startswith("namespace") and not said[len("namespace") :][:1].isidentifier()
    parts = said.removeprefix("namespace" if whole else "").strip().removeprefix("::").split("::")
    around = nodes.parent(node)
    if whole and all(it.isidentifier() for it in parts):
        where = enclosing_block_span(nodes, node)
        start, conditions = node.start_byte, regions.at(node.start_byte)
        yield using_directive(parts, start, where, conditions)
        return
    plain = len(parts) > 1 and all(it.isidentifier() for it in parts)
    if not plain or around is None or around.type == "field_declaration_list":
        return
    value, scope, conditions = Name(tuple(parts)), enclosing_block_span(nodes, node), regions.at(node.start_byte)
    owner = enclosing_classes(nodes, node) if scope is None else ()
    yield Definition(parts[-1], "constant", value, node.start_byte, scope, owner, conditions, "auto")


def _holds_lambda(declarator: Node) -> bool:
    value = declarator.child_by_field_name("value")
    return value is not None and value.type == "lambda_expression"


@remembered(1024)
def _unreadable_expression(reason: str) -> UnreadableExpression:
    """One object for the variables of all functions that have the name."""
    return UnreadableExpression(reason)


def parameter_definitions(nodes: NodeIndex, node: Node) -> Iterator[Definition]:
    """Function and template parameters hide outer names and have no value that the text shows."""
    template = node.type == "template_parameter_list"
    holder = nodes.parent(node)
    if not template and is_bodiless_parameter_list(nodes, node):
        return
    whole = span(
        holder
        if template and holder
        else nodes.ancestor(node, "function_definition", "lambda_expression", "template_declaration", "catch_clause")
        or node
    )
    for parameter in node.named_children:
        declarator = parameter.child_by_field_name("declarator")
        name = declarator_name(declarator)
        if name is None and template:
            name = next((c for c in parameter.named_children if c.type == "type_identifier"), None)
        if name is not None:
            label, what = nodes.text(name), "template parameter" if template else "parameter"
            said = nodes.text(parameter) if template else declared_type(nodes.text, parameter, declarator)
            yield Definition(
                label, "parameter", _unreadable_expression(f"{what} {label}"), node.start_byte, whole, (), (), said
            )
