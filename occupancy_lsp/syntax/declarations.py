"""Constants, variables and types that an item defines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tree_sitter import Node

from occupancy_lsp.syntax.expressions import Binary, Call, Expression, Name, Number, Opaque, Unread, parse
from occupancy_lsp.syntax.facts import Definition, Field, Span, TypeDefinition, TypeUse
from occupancy_lsp.syntax.masks import Mark, Masked
from occupancy_lsp.syntax.preprocessor import Regions
from occupancy_lsp.syntax.tree import ancestor, span, text

_BRACED = ("compound_statement", "for_statement")
_AGGREGATES = ("struct_specifier", "class_specifier", "union_specifier")
_QUALIFIER = re.compile(r"\b(?:const|volatile|typename|struct|class|union|enum)\b")
_ALIGNING = ("alignas", "__align__")


def value_of(masked: Masked, node: Node) -> Expression:
    return parse(masked.plain, node.start_byte, node.end_byte)


def declarator_name(node: Node | None) -> Node | None:
    """The identifier under pointers, arrays and initialisers."""
    while node is not None and node.type not in ("identifier", "field_identifier", "type_identifier"):
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
    """Members of a struct or union; None if its layout is not plain (bases, virtual functions, bit-fields)."""
    body = node.child_by_field_name("body")
    if body is None or any(c.type == "base_class_clause" for c in node.children):
        return None
    found: list[Field] = []
    previous = body.start_byte
    for member in body.named_children:
        if member.type == "field_declaration":
            words = {text(c) for c in member.children if c.type in ("storage_class_specifier", "virtual")}
            if "virtual" in words or any(c.type == "bitfield_clause" for c in member.children):
                return None
            if "static" not in words:
                if not member.children_by_field_name("declarator"):
                    found.append(Field("", span(member), type_use(masked, member, False), (), None))
                found += [field for _, field in declared_fields(masked, member, previous)]
        elif member.has_error or b"virtual" in (member.text or b""):
            return None
        previous = member.end_byte
    return tuple(found)


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
            names += reversed(text(name).split("::")) if name else [""]
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
        return Opaque("has no initial value")
    if value.type not in ("argument_list", "initializer_list", "parameter_list"):
        return Unread(masked.plain[value.start_byte : value.end_byte], value.start_byte)
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
    local = scope is not None and not owner
    for declarator in node.children_by_field_name("declarator"):
        name = declarator_name(declarator)
        if name is None or _is_function(node, declarator, local):
            continue
        label = text(name)
        value: Expression
        if extents(masked, declarator) or (is_pointer(declarator) and declarator.type != "function_declarator"):
            value = Opaque(f"{label} is no integer")
        elif fixed or (local and "static" not in words and changed is not None and label not in changed):
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
        )


def parameters(node: Node) -> Iterator[Definition]:
    """Function and template parameters hide outer names and have no value that the text shows."""
    template = node.type == "template_parameter_list"
    holder = node.parent
    whole = span(
        holder
        if template and holder
        else ancestor(node, "function_definition", "lambda_expression", "template_declaration") or node
    )
    for parameter in node.named_children:
        name = declarator_name(parameter.child_by_field_name("declarator"))
        if name is None and template:
            name = next((c for c in parameter.named_children if c.type == "type_identifier"), None)
        if name is not None:
            what = "template parameter" if template else "parameter"
            yield Definition(text(name), "parameter", Opaque(f"{what} {text(name)}"), node.start_byte, whole, (), ())


def aggregate(masked: Masked, node: Node, regions: Regions, name: str, marks: tuple[Mark, ...]) -> TypeDefinition:
    parent = node.parent
    generic = parent is not None and parent.type == "template_declaration"
    body = node.child_by_field_name("body")
    head_end = body.start_byte if body else node.end_byte
    packed = any(m.name == "__attribute__" and node.start_byte <= m.start <= node.end_byte + 64 for m in marks)
    members = None if generic or packed else fields(masked, node)
    align = alignment(masked, node.start_byte, head_end)
    return TypeDefinition(
        name, members, node.type == "union_specifier", None, align, scope_of(node), regions.at(node.start_byte)
    )


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
            yield TypeDefinition(text(name), None, False, alias, None, scope_of(node), conditions)
    elif node.type == "alias_declaration":
        target = node.child_by_field_name("type")
        if name is not None and target is not None:
            alias = TypeUse(
                " ".join(_QUALIFIER.sub(" ", text(target)).split()), "*" in text(target) or "&" in text(target)
            )
            yield TypeDefinition(text(name), None, False, alias, None, scope_of(node), conditions)
    elif node.type == "type_definition":
        for declarator in node.children_by_field_name("declarator"):
            label = declarator_name(declarator)
            if label is None:
                continue
            if extents(masked, declarator):
                yield TypeDefinition(text(label), None, False, None, None, scope_of(node), conditions)
                continue
            use = type_use(masked, node, is_pointer(declarator))
            yield TypeDefinition(
                text(label), use.fields, use.union, None if use.fields else use, None, scope_of(node), conditions
            )
