"""Constants, variables and types that an item defines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.syntax.expressions import (
    Binary,
    Call,
    Expression,
    Name,
    Number,
    Opaque,
    Unread,
    parse,
    template_arguments,
)
from occupancy_lsp.syntax.facts import Definition, Field, Span, TypeDefinition, TypeUse
from occupancy_lsp.syntax.masks import Mark, Masked
from occupancy_lsp.syntax.preprocessor import Regions
from occupancy_lsp.syntax.tree import ancestor, span, text

_BRACED = (
    "compound_statement",
    "for_statement",
    "for_range_loop",
    "if_statement",
    "while_statement",
    "switch_statement",
)
# The grammar knows `uint32_t` for a type, even where a typedef makes it one.
_NAMES = ("identifier", "field_identifier", "type_identifier", "primitive_type")
_AGGREGATES = ("struct_specifier", "class_specifier", "union_specifier")
_QUALIFIER = re.compile(r"\b(?:const|volatile|typename|struct|class|union|enum)\b")
# A launch configuration's type, and those of its members, in their order, that are followed as variables of their own.
CONFIGURATIONS = ("cudaLaunchConfig_t", "hipLaunchConfig_t")
CONFIGURATION = {"gridDim": "dim3", "blockDim": "dim3", "dynamicSmemBytes": "size_t"}
FRACTIONAL = re.compile(r"\b(?:float|double|_*half|__nv_bfloat16)\b")
_ALIGNING = ("alignas", "__align__")


def value_of(masked: Masked, node: Node) -> Expression:
    return parse(masked.plain, node.start_byte, node.end_byte)


def declarator_name(node: Node | None) -> Node | None:
    """The identifier under pointers, arrays and initialisers."""
    while node is not None and node.type not in _NAMES:
        node = node.child_by_field_name("declarator") or (
            node.named_children[-1]
            if node.type in ("reference_declarator", "pointer_declarator") and node.named_children
            else None
        )
    return node


def extents(masked: Masked, node: Node) -> tuple[Expression, ...]:
    """Array extents from the outermost in; `[]` is opaque."""
    found: list[Expression] = []
    inner: Node | None = node
    while inner is not None:
        if inner.type == "array_declarator":
            size = inner.child_by_field_name("size")
            found.append(value_of(masked, size) if size else Opaque("no extent is given"))
        inner = inner.child_by_field_name("declarator")
    return tuple(reversed(found))


def is_pointer(node: Node) -> bool:
    inner: Node | None = node
    while inner is not None:
        if inner.type in ("pointer_declarator", "reference_declarator", "function_declarator"):
            return True
        inner = inner.child_by_field_name("declarator") or (
            inner.named_children[-1] if inner.type == "parenthesized_declarator" else None
        )
    return False


def type_use(masked: Masked, declaration: Node, pointer: bool) -> TypeUse:
    node = declaration.child_by_field_name("type")
    if node is None:
        return TypeUse("", pointer)
    body = node.child_by_field_name("body")
    if node.type in _AGGREGATES and body is not None:
        return TypeUse(
            text(node.child_by_field_name("name") or node)[:80],
            pointer,
            fields(masked, node),
            node.type == "union_specifier",
        )
    return TypeUse(" ".join(_QUALIFIER.sub(" ", text(node)).split()), pointer)


def declared_type(declaration: Node, declarator: Node | None) -> str:
    """The type of one declarator as written, without qualifiers, with `*` for each pointer or array and `&`."""
    kind = declaration.child_by_field_name("type")
    if kind is None or (kind.type in _AGGREGATES and kind.child_by_field_name("body") is not None):
        return ""
    marks = ""
    while declarator is not None:
        if declarator.type in ("pointer_declarator", "abstract_pointer_declarator", "array_declarator"):
            marks += "*"
        elif declarator.type in ("reference_declarator", "abstract_reference_declarator"):
            marks += "&"
        elif declarator.type == "function_declarator":
            return ""
        declarator = declarator.child_by_field_name("declarator") or (
            declarator.named_children[-1]
            if declarator.type == "reference_declarator" and declarator.named_children
            else None
        )
    return " ".join(_QUALIFIER.sub(" ", text(kind)).split()) + marks


def alignment(masked: Masked, start: int, end: int) -> Expression | None:
    """The alignment asked for by `alignas` or `__align__` between two offsets; opaque if several are."""
    found = [mark for mark in masked.marks_between(start, end) if mark.name in _ALIGNING and mark.arguments]
    if len(found) > 1:
        return Opaque("several alignments")
    return parse(masked.plain, *found[0].arguments) if found and found[0].arguments else None


def declared_fields(masked: Masked, node: Node, start: int) -> Iterator[tuple[Node, Field]]:
    """Each declarator of a declaration; annotations between `start` and its end belong to it."""
    align = alignment(masked, start, node.end_byte)
    for declarator in node.children_by_field_name("declarator"):
        name = declarator_name(declarator)
        if name is None or declarator.type == "function_declarator":
            continue
        pointer = is_pointer(declarator)
        yield (
            declarator,
            Field(text(name), span(name), type_use(masked, node, pointer), extents(masked, declarator), align),
        )


def fields(masked: Masked, node: Node) -> tuple[Field, ...] | None:
    """Members of a struct or union after its bases; None if its layout is not plain (virtual functions, bit-fields)."""
    body = node.child_by_field_name("body")
    if body is None:
        return None
    found: list[Field] = []
    previous = body.start_byte
    for member in body.named_children:
        if member.type == "field_declaration":
            words = {text(c) for c in member.children if c.type in ("storage_class_specifier", "virtual")}
            if "virtual" in words or any(c.type == "bitfield_clause" for c in member.children):
                return None
            if "static" not in words:
                if not member.children_by_field_name("declarator") and not _is_enum(member):
                    found.append(Field("", span(member), type_use(masked, member, False), (), None))
                found += [field for _, field in declared_fields(masked, member, previous)]
        elif member.has_error or b"virtual" in (member.text or b""):
            return None
        previous = member.end_byte
    return tuple(found)


def _is_enum(member: Node) -> bool:
    kind = member.child_by_field_name("type")
    return kind is not None and kind.type == "enum_specifier"


def scope_of(node: Node) -> Span | None:
    braced = ancestor(node.parent, *_BRACED, "function_definition")
    return span(braced) if braced else None


def owner_of(node: Node) -> tuple[str, ...]:
    """Classes, and namespaces inside the item, around `node`, from the outermost in."""
    names: list[str] = []
    outer = node.parent
    while outer is not None:
        if outer.type in (*_AGGREGATES, "namespace_definition"):
            name = outer.child_by_field_name("name")
            names += reversed(text(name).split("<")[0].split("::")) if name else [""]
        outer = outer.parent
    return tuple(reversed(names))


def enumerators(masked: Masked, node: Node, regions: Regions) -> Iterator[Definition]:
    name = node.child_by_field_name("name")
    scoped = any(not c.is_named and c.type in ("class", "struct") for c in node.children)
    owner = (*owner_of(node), *((text(name),) if scoped and name else ()))
    body = node.child_by_field_name("body")
    previous: str | None = None
    for member in body.named_children if body else ():
        label, value = member.child_by_field_name("name"), member.child_by_field_name("value")
        if member.type != "enumerator" or label is None:
            continue
        following: Expression = Binary("+", Name((previous,)), Number(1, 0, 0)) if previous else Number(0, 0, 0)
        expression = value_of(masked, value) if value else following
        previous = text(label)
        yield Definition(
            previous, "constant", expression, member.start_byte, scope_of(node), owner, regions.at(member.start_byte)
        )


def _initial(masked: Masked, node: Node, declarator: Node) -> Expression:
    """The initial value; `dim3 b(16, 16)` and `dim3 b{16, 16}` read as the call `dim3(16, 16)`."""
    value = declarator.child_by_field_name("value") or node.child_by_field_name("default_value")
    if declarator.type == "function_declarator":
        value = declarator.child_by_field_name("parameters")
    if value is None:
        return Call(Name(("dim3",)), ()) if _type_name(node) == "dim3" else Opaque("has no initial value")
    if value.type not in ("argument_list", "initializer_list", "parameter_list"):
        whole = Unread(masked.plain[value.start_byte : value.end_byte], value.start_byte)
        return Call(Name(("dim3",)), (whole,)) if _type_name(node) == "dim3" else whole
    read = parse(b"_" + masked.plain[value.start_byte : value.end_byte], base=value.start_byte - 1)
    if not isinstance(read, Call):
        return Opaque("not an integer constant expression")
    if _type_name(node) == "dim3":
        return Call(Name(("dim3",)), read.arguments)
    return read.arguments[0] if len(read.arguments) == 1 else Opaque("not an integer")


def _is_function(node: Node, declarator: Node, local: bool) -> bool:
    """`dim3 block(x, y);` among statements reads like a function's declaration to the grammar, but is a variable."""
    return declarator.type == "function_declarator" and not (local and _type_name(node) == "dim3")


def _type_name(node: Node) -> str:
    return text(node.child_by_field_name("type") or node).removeprefix("const ").strip()


def variables(masked: Masked, node: Node, regions: Regions, changed: frozenset[str] | None) -> Iterator[Definition]:
    """What a declaration (of a variable or a static member) says about its names.

    `changed`: the names that are assigned somewhere; None: any may be.
    """
    words = {text(c) for c in node.children if c.type in ("type_qualifier", "storage_class_specifier")}
    scope = scope_of(node)
    owner = owner_of(node)
    fixed = bool(words & {"const", "constexpr", "constinit"})
    local = scope is not None and node.type == "declaration"
    lasting = bool(words & {"static", "extern", "thread_local", "volatile"})
    for declarator in node.children_by_field_name("declarator"):
        yield from _bindings(declarator, scope, regions)
        name = declarator_name(declarator)
        if name is None or _is_function(node, declarator, local):
            continue
        label = text(name)
        if _type_name(node) in CONFIGURATIONS and local:
            for member, given in _configuration(masked, declarator):
                yield Definition(
                    f"{label}.{member}", "variable", given, name.start_byte, scope, (), regions.at(name.start_byte),
                    CONFIGURATION[member],
                )  # fmt: skip
        value: Expression
        if (
            extents(masked, declarator)
            or (is_pointer(declarator) and declarator.type != "function_declarator")
            or FRACTIONAL.search(_type_name(node))
        ):
            value = Opaque(f"{label} is no integer")
        elif fixed or (local and not lasting and changed is not None and label not in changed):
            value = _initial(masked, node, declarator)
        else:
            value = Opaque(f"{label} may change at run time")
        yield Definition(
            label,
            "constant" if fixed else "variable",
            value,
            name.start_byte,
            scope,
            owner,
            regions.at(name.start_byte),
            "[]"
            if _is_lambda(declarator)
            else declared_type(node, declarator) or ("dim3" if _type_name(node) == "dim3" else ""),
        )


def _configuration(masked: Masked, declarator: Node) -> Iterator[tuple[str, Expression]]:
    """What `cudaLaunchConfig_t config = {grid, block}` sets; the rest is zero, and no sizes."""
    value = declarator.child_by_field_name("value")
    given: dict[str, Node] = {}
    for member, part in zip(CONFIGURATION, value.named_children if value is not None else (), strict=False):
        named = part.type == "initializer_pair"
        label = text(part.child_by_field_name("designator") or part).lstrip(".") if named else member
        given[label] = (part.child_by_field_name("value") or part) if named else part
    for member, kind in CONFIGURATION.items():
        unset: Expression = Opaque(f"{member} is not set") if kind == "dim3" or value is None else Number(0, 0, 0)
        said = value_of(masked, given[member]) if member in given else unset
        yield member, Call(Name(("dim3",)), (said,)) if kind == "dim3" else said


def _bindings(declarator: Node, scope: Span | None, regions: Regions) -> Iterator[Definition]:
    """The names of `auto [a, b] = …`"""
    whole = declarator.child_by_field_name("declarator")
    if whole is None or whole.type != "structured_binding_declarator":
        return
    for name in whole.named_children:
        reason = Opaque(f"{text(name)} may change at run time")
        yield Definition(
            text(name), "variable", reason, name.start_byte, scope, (), regions.at(name.start_byte), "auto&"
        )


def loop_variable(node: Node, regions: Regions) -> Iterator[Definition]:
    """The variable of `for (int n : sizes)`"""
    name = declarator_name(node.child_by_field_name("declarator"))
    if name is not None:
        reason = Opaque(f"{text(name)} changes in a loop")
        kind = declared_type(node, node.child_by_field_name("declarator"))
        yield Definition(
            text(name), "variable", reason, name.start_byte, span(node), (), regions.at(name.start_byte), kind
        )


def _is_lambda(declarator: Node) -> bool:
    value = declarator.child_by_field_name("value")
    return value is not None and value.type == "lambda_expression"


def parameters(node: Node) -> Iterator[Definition]:
    """Function and template parameters hide outer names and have no value that the text shows."""
    template = node.type == "template_parameter_list"
    holder = node.parent
    whole = span(
        holder
        if template and holder
        else ancestor(node, "function_definition", "lambda_expression", "template_declaration", "catch_clause") or node
    )
    for parameter in node.named_children:
        name = declarator_name(parameter.child_by_field_name("declarator"))
        if name is None and template:
            name = next((c for c in parameter.named_children if c.type == "type_identifier"), None)
        if name is not None:
            what = "template parameter" if template else "parameter"
            said = (
                text(parameter) if template else declared_type(parameter, parameter.child_by_field_name("declarator"))
            )
            reason = Opaque(f"{what} {text(name)}")
            yield Definition(text(name), "parameter", reason, node.start_byte, whole, (), (), said)


def aggregate(masked: Masked, node: Node, regions: Regions, name: str, marks: tuple[Mark, ...]) -> TypeDefinition:
    body = node.child_by_field_name("body")
    head_end = body.start_byte if body else node.end_byte
    packed = any(m.name == "__attribute__" and node.start_byte <= m.start <= node.end_byte + 64 for m in marks)
    members = None if packed else fields(masked, node)
    align = alignment(masked, node.start_byte, head_end)
    label, opening, rest = name.partition("<")
    return TypeDefinition(
        label.strip(), members, node.type == "union_specifier", None, align,
        scope_of(node), regions.at(node.start_byte),
        owner=owner_of(node), template=template_texts(node),
        specialises=template_arguments(rest.rsplit(">", 1)[0]) if opening else None,
        bases=_bases(node), body=span(body) if body else span(node),
    )  # fmt: skip


def template_texts(node: Node) -> tuple[str, ...] | None:
    """The texts of the template parameters of what `node` defines; None: it is no template."""
    parent = node.parent
    if parent is None or parent.type != "template_declaration":
        return None
    parameters = parent.child_by_field_name("parameters")
    return tuple(text(p) for p in parameters.named_children) if parameters else ()


def _bases(node: Node) -> tuple[str, ...]:
    clause = next((c for c in node.children if c.type == "base_class_clause"), None)
    wanted = ("type_identifier", "template_type", "qualified_identifier")
    return tuple(text(c) for c in clause.named_children if c.type in wanted) if clause else ()


def type_definitions(masked: Masked, node: Node, regions: Regions) -> Iterator[TypeDefinition]:
    """The types that a struct, enum, alias or typedef node names."""
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    conditions = regions.at(node.start_byte)
    if node.type in _AGGREGATES:
        if name is not None and body is not None:
            yield aggregate(masked, node, regions, text(name), masked.marks)
    elif node.type == "enum_specifier":
        if name is not None and body is not None:
            base = node.child_by_field_name("base")
            alias = TypeUse(text(base) if base else "int")
            yield TypeDefinition(
                text(name),
                None,
                False,
                alias,
                None,
                scope_of(node),
                conditions,
                owner=owner_of(node),
                enum=True,
                body=span(node),
            )
    elif node.type == "alias_declaration":
        target = node.child_by_field_name("type")
        if name is not None and target is not None:
            said = " ".join(_QUALIFIER.sub(" ", text(target)).split())
            alias = TypeUse(said.rstrip("*& "), said.endswith(("*", "&")))
            yield TypeDefinition(
                text(name), None, False, alias, None, scope_of(node), conditions,
                owner=owner_of(node), template=template_texts(node), body=span(node),
            )  # fmt: skip
    elif node.type == "type_definition":
        for declarator in node.children_by_field_name("declarator"):
            label = declarator_name(declarator)
            if label is None:
                continue
            if extents(masked, declarator):
                yield TypeDefinition(
                    text(label), None, False, None, None, scope_of(node), conditions, owner=owner_of(node)
                )
                continue
            use = type_use(masked, node, is_pointer(declarator))
            body = (node.child_by_field_name("type") or node).child_by_field_name("body")
            yield TypeDefinition(
                text(label), use.fields, use.union, None if use.fields else use, None, scope_of(node), conditions,
                owner=owner_of(node), body=span(body if body else node),
            )  # fmt: skip
