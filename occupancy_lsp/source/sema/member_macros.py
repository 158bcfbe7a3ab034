"""Classes with what macros make of them: members, parts of their declarators, whole lists of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from msgspec import structs

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.lower.class_members import class_definition
from occupancy_lsp.source.lower.declarations import AGGREGATES
from occupancy_lsp.source.lower.item_facts import Definition, Field, FunctionMacro, TypeDefinition
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.preprocessor.preprocessing_tokens import lex_preprocessing_tokens, spell_tokens
from occupancy_lsp.source.sema import macro_uses
from occupancy_lsp.source.sema.macro_history import Position, defining_meanings
from occupancy_lsp.source.syntax.blanking import mask_for_grammar
from occupancy_lsp.source.syntax.node_index import index_nodes

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_WORD = regex(r"[A-Za-z_]\w*")
_EXTENT = regex(r"\[[^][;{}]*\]")
# What stands before the end of a declarator, or is called: it may be what is declared, or all of a declaration.
_DECLARING = regex(r"\b([A-Za-z_]\w*)\s*(?=[;,:={}(])")
_ATTRIBUTE = regex(
    r"(?:__attribute__|__attribute|__align__|alignas|_Alignas|__declspec|_Pragma|__pragma)\s*"
    r"\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[\[.*?\]\]"
)
_STRUCTURE = frozenset((*";{}*&[],=:#", "##"))
_SPECIFIER = regex(
    r"virtual|static|typedef|friend|public|private|protected|(?:__)?(?:local|private)|struct|class|union|enum"
)


def class_with_macro_members(definition: TypeDefinition, scope: ItemScope) -> TypeDefinition:
    """The class with what macros make members of, or parts of their declarators; without fields where that is not
    known."""
    at = scope.placed.order, definition.body.start
    making = _member_making_macros(definition, scope.env, at)
    if not making:
        return _with_members_of_macros(definition, scope)
    others = frozenset(it for it in macro_uses.transitive_words(definition.text, scope.env) if it not in making)
    plain = frozenset(it for it in others if not _may_declare_member(it, True, scope.env))
    text = None if definition.split else macro_uses.expand_text(definition.text, scope.env, at, plain)
    made = _parse_class(spell_tokens(text), scope.env.dialect, at[1]) if text is not None else None
    if made is None:
        return structs.replace(definition, fields=None)
    traits = structs.replace(definition.traits, dynamic=made.traits.dynamic, pod=made.traits.pod)
    return structs.replace(definition, fields=made.fields, traits=traits)


def _member_making_macros(definition: TypeDefinition, env: Environment, at: Position) -> frozenset[str]:
    """The macros in a class's text that may be more there than the names, attributes and numbers they are read as."""
    words = env.all_macros_among(frozenset(_WORD.findall(definition.text)))
    if not words:
        return frozenset()
    outside = _EXTENT.sub(" ", definition.text)
    declaring, standing = frozenset(_DECLARING.findall(outside)), frozenset(_WORD.findall(outside))
    found = (it for it in words & standing if _may_declare_member(it, it in declaring, env))
    return frozenset(it for it in found if defining_meanings(env.in_force(it, at)))


def _may_declare_member(name: str, declaring: bool, env: Environment) -> bool:
    """Whether what a macro stands for may be a declaration or change what one declares. `declaring`: it stands where
    the declared name does."""
    tokens = [
        token
        for body in _transitive_macro_bodies(name, env)
        for token in lex_preprocessing_tokens(_ATTRIBUTE.sub(" ", body))
    ]
    structure = any(it.text in _STRUCTURE for it in tokens if it.kind == "operator")
    said = {it.text for it in tokens if it.kind == "name"}
    return structure or any(map(_SPECIFIER.fullmatch, said)) or (declaring and bool(said))


def _transitive_macro_bodies(name: str, env: Environment) -> Iterator[str]:
    """What the macro, and those in it, stand for in each of their definitions."""
    for word in macro_uses.transitive_words(name, env):
        for it in env.macro_history(word):
            if isinstance(it.said, FunctionMacro):
                yield it.said.body
            elif isinstance(it.said, Definition):
                yield it.said.type


def _with_members_of_macros(definition: TypeDefinition, scope: ItemScope) -> TypeDefinition:
    """With the members of its macros, each looked up where it stands."""
    if not any(it.macro for it in definition.fields or ()):
        return definition
    found: list[Field] | None = []
    for it in definition.fields or ():
        made = _members_from_macro(it, scope) if it.macro else (it,)
        found = [*found, *made] if found is not None and made is not None else None
    return structs.replace(definition, fields=None if found is None else tuple(found))


def _members_from_macro(it: Field, scope: ItemScope) -> tuple[Field, ...] | None:
    """Those that the use of a macro makes; None: these are not known."""
    text = macro_uses.expand_text(it.type.text, scope.env, (scope.placed.order, it.span.start))
    made = _parse_class("struct made {" + spell_tokens(text) + "}", scope.env.dialect, 0) if text is not None else None
    if made is None or made.fields is None or made.traits.dynamic or any(one.macro for one in made.fields):
        return None
    return made.fields


@remembered(256)
def _parse_class(text: str, dialect: Dialect, start: int) -> TypeDefinition | None:
    """The class that a text defines; what is in it stands behind `start`, as what it is made of did."""
    masked = mask_for_grammar(b" " * start + text.encode() + b";", dialect)
    nodes = index_nodes(masked.code)
    node = next((it for kind in AGGREGATES for it in nodes.nodes_of_kind(kind) if it.start_byte == start), None)
    return class_definition(masked, nodes, node, ConditionRegions(())) if node is not None else None
