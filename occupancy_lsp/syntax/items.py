"""One item's text to its facts. Pure: the same bytes give the same facts, so they are remembered by their bytes."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from tree_sitter import Node

from occupancy_lsp.syntax.declarations import enumerators, parameters, type_definitions, variables
from occupancy_lsp.syntax.dialects import LOCAL, Dialect
from occupancy_lsp.syntax.facts import Comment, Definition, ItemFacts, Launch, LocalArray, OptIn, Span, TypeDefinition
from occupancy_lsp.syntax.functions import callee, function, identifiers, local_arrays
from occupancy_lsp.syntax.launches import launch, opt_in
from occupancy_lsp.syntax.masks import Masked, Piece, mask
from occupancy_lsp.syntax.outline import Item
from occupancy_lsp.syntax.preprocessor import Regions, line_facts
from occupancy_lsp.syntax.tree import Nodes, parse, text

_SPEAKS = re.compile(rb"(?://|/\*)[/*!\s]*occupancy:[ \t]*")
_NAMESPACE = re.compile(rb"namespace\b\s*(?:\[\[.*?\]\]\s*)?([\w:\s]*)\{\Z")
# What launches a kernel or sets one up: only where one of these stands do host variables matter.
_CONFIGURES = (b"<<<", b"hipLaunchKernelGGL", b"FuncSetAttribute", b"_DYNAMIC_SHARED_SIZE_BYTES")
_BY_VALUE = frozenset(["dim3", "min", "max", "printf", "sizeof", "std::min", "std::max", "assert"])
_TYPES = (
    "struct_specifier",
    "class_specifier",
    "union_specifier",
    "enum_specifier",
    "alias_declaration",
    "type_definition",
)


def comments(masked: Masked) -> tuple[Comment, ...]:
    """What comments say to us; a block comment ends before its `*/`."""
    found: list[Comment] = []
    for piece in masked.comments:
        match = _SPEAKS.match(piece.text)
        if match:
            said = piece.text[match.end() :].removesuffix(b"*/").rstrip()
            start = piece.start + match.end()
            found.append(Comment(Span(start, start + len(said)), said.decode("utf-8", "replace")))
    return tuple(found)


def changed_names(nodes: Sequence[Node]) -> frozenset[str]:
    """Names that are assigned, incremented, have their address taken or may be changed by a call."""
    found: set[str] = set()
    for node in nodes:
        target: Node | None = None
        if node.type == "assignment_expression":
            target = node.child_by_field_name("left")
        elif node.type == "update_expression" or (
            node.type == "pointer_expression" and (node.text or b"").startswith(b"&")
        ):
            target = node.child_by_field_name("argument")
        elif node.type == "binary_expression" and node.child_by_field_name("operator") and text(node).count(">>"):
            target = node.child_by_field_name("right")
        elif node.type == "call_expression" and callee(node) not in _BY_VALUE:
            launched = any(c.type == "kernel_call_syntax" for c in node.children)
            arguments = node.child_by_field_name("arguments")
            if arguments is not None and not launched:
                found.update(text(a) for a in arguments.named_children if a.type == "identifier")
        elif node.type == "init_declarator":
            declarator = node.child_by_field_name("declarator")
            if declarator is not None and declarator.type == "reference_declarator":
                target = node.child_by_field_name("value")
        while target is not None and target.type in (
            "field_expression",
            "subscript_expression",
            "parenthesized_expression",
        ):
            target = target.child_by_field_name("argument") or (
                target.named_children[0] if target.named_children else None
            )
        if target is not None and target.type == "identifier":
            found.add(text(target))
    return frozenset(found)


def _closed(code: bytes) -> bytes:
    """A function whose body is one macro without a semicolon looks like an initialiser to the grammar: give it one."""
    body = code.rstrip()
    if not body.endswith((b" }", b"\n}")):
        return code
    return body[:-2] + b";}" + code[len(body) :]


def _code_facts(item_text: bytes, dialect: Dialect) -> ItemFacts:
    masked = mask(item_text, dialect)
    regions = Regions(masked.lines)
    root = parse(_closed(masked.code))
    nodes = Nodes(root)
    # In device code a variable's value decides nothing here: only names that it hides matter.
    changed = changed_names(nodes.all) if any(word in masked.code for word in _CONFIGURES) else None
    definitions: list[Definition] = []
    types: list[TypeDefinition] = []
    launches: list[Launch] = []
    opt_ins: list[OptIn] = []
    functions = []
    for node, kind in zip(nodes.all, nodes.kinds, strict=True):
        if kind in ("declaration", "field_declaration"):
            definitions += variables(masked, node, regions, changed)
        elif kind in ("parameter_list", "template_parameter_list"):
            definitions += parameters(node)
        elif kind in _TYPES:
            types += type_definitions(masked, node, regions)
            if kind == "enum_specifier":
                definitions += enumerators(masked, node, regions)
        elif kind == "call_expression" and changed is not None:
            launches += [found] if (found := launch(masked, node, regions)) else []
            opt_ins += [allowed] if (allowed := opt_in(masked, node)) else []
        elif kind == "function_definition" and (defined := function(masked, root, node, nodes, regions)):
            functions.append(defined)
    arrays = _outer_arrays(masked, root, regions, [f.body for f in functions])
    inner = [line_facts(piece, regions.at(piece.start)) for piece in masked.lines]
    facts = ItemFacts(
        functions=tuple(functions),
        launches=tuple(launches),
        unread_launches=masked.code.count(b"<<<") + masked.code.count(b"hipLaunchKernelGGL") - len(launches),
        definitions=tuple(d for d in definitions if d.scope is None),
        locals=_by_name(d for d in definitions if d.scope is not None),
        types=tuple(types),
        arrays=arrays,
        comments=comments(masked),
        opt_ins=tuple(opt_ins),
        branches=regions.unmatched,
    )
    return _with_lines(facts, inner) if inner else facts


def _by_name(definitions: Iterable[Definition]) -> Mapping[str, tuple[Definition, ...]]:
    found: dict[str, list[Definition]] = {}
    for definition in definitions:
        found.setdefault(definition.name, []).append(definition)
    return {name: tuple(several) for name, several in found.items()}


def _outer_arrays(masked: Masked, root: Node, regions: Regions, bodies: Sequence[Span]) -> tuple[LocalArray, ...]:
    inside = {mark for body in bodies for mark in masked.marks_between(body.start, body.end)}
    outer = [mark for mark in masked.marks if mark.name == LOCAL and mark not in inside]
    if not outer:
        return ()
    return local_arrays(masked, root, outer, regions, identifiers(masked.code), Counter())[0]


def _with_lines(facts: ItemFacts, lines: Sequence[ItemFacts]) -> ItemFacts:
    """Add what preprocessor lines inside the item say; their branches are already followed."""
    return replace(
        facts,
        definitions=(*facts.definitions, *(it for line in lines for it in line.definitions)),
        macros=(*facts.macros, *(it for line in lines for it in line.macros)),
        undefined=(*facts.undefined, *(it for line in lines for it in line.undefined)),
        packs=facts.packs or any(line.packs for line in lines),
    )


def _opening_facts(item_text: bytes, dialect: Dialect) -> ItemFacts:
    masked = mask(item_text, dialect)
    match = _NAMESPACE.search(masked.code.strip())
    names = tuple("".join(match[1].decode().split()).split("::")) if match else ()
    return ItemFacts(opened=names, comments=comments(masked), branches=Regions(masked.lines).unmatched)


def read_item(item: Item, dialect: Dialect) -> ItemFacts:
    if item.kind == "code":
        return _code_facts(item.text, dialect) if item.text.strip() else ItemFacts()
    if item.kind == "open":
        return _opening_facts(item.text, dialect)
    masked = mask(item.text, dialect)
    if item.kind == "directive" and masked.lines:
        line: Piece = masked.lines[-1]
        return replace(line_facts(line), comments=comments(masked))
    return ItemFacts(comments=comments(masked))
