"""The functions, classes and variables that a program's text defines, as an abstract interpreter looks them up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.abstract_values import unqualified_type
from occupancy_lsp.source.syntax.parser import text

_CLASSES = ("class_specifier", "struct_specifier", "union_specifier")
_AROUND = ("linkage_specification", "declaration_list", "translation_unit")
_DEVICE = regex(r"__global__|__device__|\b__kernel\b|\bkernel\b")


@dataclass(frozen=True, slots=True)
class ParameterOutline:
    name: str
    type: str
    refers: bool
    default: Node | None


@dataclass(frozen=True, slots=True)
class FunctionOutline:
    """`owner`: the class that it is a method of, or ""; `own`: no other file can call it."""

    name: str
    path: str
    owner: str
    node: Node
    parameters: Sequence[ParameterOutline]
    template: Sequence[str]
    own: bool
    device: bool

    @property
    def body(self) -> Node | None:
        return self.node.child_by_field_name("body")

    def takes(self, count: int) -> bool:
        if "..." in [it.type for it in self.parameters]:
            return True
        return sum(it.default is None for it in self.parameters) <= count <= len(self.parameters)


@dataclass(frozen=True, slots=True)
class MemberOutline:
    name: str
    type: str
    declarator: Node
    initial: Node | None


@dataclass(frozen=True, slots=True)
class ClassOutline:
    name: str
    node: Node
    bases: Sequence[str]
    members: Sequence[MemberOutline]


@dataclass(frozen=True, slots=True)
class Variable:
    """Outside of functions. `own`: no other file can name it."""

    path: str
    declaration: Node
    declarator: Node
    initial: Node | None
    own: bool


@dataclass(slots=True)
class ProgramOutline:
    functions: dict[str, list[FunctionOutline]] = field(default_factory=dict)
    classes: dict[str, list[ClassOutline]] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    enumerations: list[Node] = field(default_factory=list)
    leaving: set[str] = field(default_factory=set)  # functions declared as such that never return

    def bases_of(self, name: str) -> Iterator[ClassOutline]:
        """The class and what it inherits from, as far as that is in sight."""
        todo, seen = [name], set[str]()
        while todo:
            label = todo.pop(0)
            for it in self.classes.get(label, ()) if label not in seen else ():
                yield it
                todo += it.bases
            seen.add(label)

    def methods_by_name(self, kind: str, name: str) -> list[FunctionOutline]:
        for it in self.bases_of(kind):
            found = [each for each in self.functions.get(name, ()) if each.owner == it.name]
            if found:
                return found
        return []


def outline_of(root: Node) -> ProgramOutline:
    found = ProgramOutline()
    _collect_definitions(root, "", "", False, (), found)
    return found


def _collect_definitions(
    node: Node, path: str, owner: str, own: bool, template: Sequence[str], found: ProgramOutline
) -> None:
    """`node`: what stands at file level, in a namespace or in a class."""
    if node.type == "template_declaration":
        parameters = node.child_by_field_name("parameters")
        named = [_unqualified_declared_name(it) for it in parameters.named_children] if parameters is not None else []
        for it in node.named_children[1:]:
            _collect_definitions(it, path, owner, own, named, found)
    elif node.type == "namespace_definition":
        name = node.child_by_field_name("name")
        body = node.child_by_field_name("body")
        for it in body.named_children if body is not None else ():
            _collect_definitions(
                it, f"{path}{text(name)}::" if name is not None else path, owner, own or name is None, (), found
            )
    elif node.type in _AROUND:
        for it in node.named_children:
            _collect_definitions(it, path, owner, own, template, found)
    elif node.type == "function_definition":
        _add_function(node, path, owner, own, template, found)
    elif node.type in _CLASSES:
        _add_class(node, path, own, found)
    elif node.type == "enum_specifier":
        found.enumerations.append(node)
    elif node.type in ("declaration", "field_declaration", "type_definition"):
        _add_declaration(node, path, owner, own, found)
    if node.type != "function_definition":
        return
    todo = [node]
    while todo:  # the classes of functions
        inner = todo.pop()
        if inner.type in _CLASSES:
            _add_class(inner, path, True, found)
        elif inner.type == "enum_specifier":
            found.enumerations.append(inner)
        else:
            todo += inner.named_children


def _add_function(node: Node, path: str, owner: str, own: bool, template: Sequence[str], found: ProgramOutline) -> None:
    declarator = node.child_by_field_name("declarator")
    named = _function_declarator_and_name(declarator)
    if named is None:
        return
    declarator, said = named
    *outer, name = said.split("::")
    if outer and outer[-1] in found.classes:
        owner = outer[-1]
    start = text(node)[: max(declarator.start_byte - node.start_byte, 0)]
    listed = declarator.child_by_field_name("parameters")
    parameters = (
        [_parameter_outline(it) for it in listed.named_children if "parameter" in it.type] if listed is not None else []
    )
    found.functions.setdefault(name, []).append(
        FunctionOutline(
            name=name,
            path=f"{path}{said}",
            owner=owner,
            node=node,
            parameters=[it for it in parameters if it.type != "void" or it.name],
            template=template,
            own=own or bool(owner) or "static" in start.split(),
            device=_DEVICE.search(start) is not None and "__host__" not in start,
        )
    )
    if "noreturn" in start:
        found.leaving.add(name)


def _function_declarator_and_name(declarator: Node | None) -> tuple[Node, str] | None:
    """The declarator that has a function's parameters, and its name as written."""
    found: Node | None = None
    while declarator is not None:  # what is called returns a pointer to a function if there are several
        if declarator.type == "operator_cast":
            return declarator, "operator " + unqualified_type(text(declarator).split("(")[0].removeprefix("operator"))
        if declarator.type == "function_declarator":
            found = declarator
        declarator = declarator.child_by_field_name("declarator") or next(
            (it for it in declarator.named_children if it.type.endswith("declarator")), None
        )
    named = found.child_by_field_name("declarator") if found is not None else None
    if found is None or named is None:
        return None
    said = "".join(text(named).split())
    before, operator, sign = said.partition("operator")
    return found, f"{before}{operator}{sign}" if operator else said.split("<")[0]


def _add_class(node: Node, path: str, own: bool, found: ProgramOutline) -> None:
    name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
    if body is None:
        return
    label = text(name) if name is not None else ""
    bases = [_unqualified_name(text(each)) for it in node.named_children if it.type == "base_class_clause"
             for each in it.named_children if "identifier" in each.type or each.type == "template_type"]  # fmt: skip
    members: list[MemberOutline] = []
    for it in body.named_children:
        words = [text(each) for each in it.named_children if each.type == "storage_class_specifier"]
        if it.type == "field_declaration" and "static" not in words and "friend" not in words:
            kind = it.child_by_field_name("type")
            initial = it.child_by_field_name("default_value")
            members += [
                MemberOutline(_unqualified_declared_name(each), text(kind) if kind is not None else "", each, initial)
                for each in it.children_by_field_name("declarator")
                if each.type != "function_declarator" or "parenthesized" in str(each.child_by_field_name("declarator"))
            ]
    found.classes.setdefault(label, []).append(ClassOutline(label, node, bases, members))
    for it in body.named_children:
        _collect_definitions(it, f"{path}{label}::", label, own, (), found)


def _add_declaration(node: Node, path: str, owner: str, own: bool, found: ProgramOutline) -> None:
    kind = node.child_by_field_name("type")
    if kind is not None and (kind.type in _CLASSES or kind.type == "enum_specifier"):
        _collect_definitions(kind, path, owner, own, (), found)
    words = [text(it) for it in node.named_children if it.type in ("storage_class_specifier", "type_qualifier")]
    if node.type == "type_definition" or (node.type == "field_declaration" and "static" not in words):
        return
    own = own or bool(owner) or not {"static", "const", "constexpr"}.isdisjoint(words)
    for it in node.children_by_field_name("declarator"):
        if it.type == "function_declarator":
            if "noreturn" in text(node):
                found.leaving.add(_unqualified_declared_name(it))
            continue
        initial = it.child_by_field_name("value") or node.child_by_field_name("default_value")
        inner = it.child_by_field_name("declarator") if it.type == "init_declarator" else it
        defined = node.type == "declaration" or initial is not None or "inline" in words or "constexpr" in words
        if inner is not None and "extern" not in words and defined:
            found.variables.append(Variable(f"{path}{declared_name(inner)}", node, inner, initial, own))


def _parameter_outline(node: Node) -> ParameterOutline:
    kind, declarator = node.child_by_field_name("type"), node.child_by_field_name("declarator")
    if node.type.startswith("variadic"):
        return ParameterOutline(declared_name(declarator) if declarator is not None else "", "...", False, None)
    name = declared_name(declarator) if declarator is not None and "abstract" not in declarator.type else ""
    said = text(declarator) if declarator is not None else ""
    return ParameterOutline(
        name, f"{text(kind) if kind is not None else ''}{'*' if '*' in said or '[' in said else ''}", said[:1] == "&",
        node.child_by_field_name("default_value"),
    )  # fmt: skip


def declared_name(declarator: Node) -> str:
    """The variable that a declarator names."""
    while declarator.type not in ("identifier", "field_identifier", "qualified_identifier", "type_identifier"):
        inner = declarator.child_by_field_name("declarator") or next(iter(declarator.named_children), None)
        if inner is None:
            return ""
        declarator = inner
    return text(declarator)


def _unqualified_declared_name(node: Node) -> str:
    return _unqualified_name(declared_name(node))


def _unqualified_name(said: str) -> str:
    return said.split("<")[0].split("::")[-1].strip()
