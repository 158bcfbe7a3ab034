"""Macros as the preprocessor expands them where they are used: in values, calls and statements."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from typing import TYPE_CHECKING

from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.dataflow.variable_uses import variable_use
from occupancy_lsp.source.lex.argument_text import call_arguments_at, is_parenthesised, template_aware_argument_spans
from occupancy_lsp.source.lower.item_facts import Definition, FunctionMacro, MacroChange
from occupancy_lsp.source.preprocessor.macro_expansion import LookUp, Macro, Unexpandable, expand, substitute
from occupancy_lsp.source.preprocessor.preprocessing_tokens import Token, lex_preprocessing_tokens, spell_tokens
from occupancy_lsp.source.sema.constant_evaluation import Scope, evaluate
from occupancy_lsp.source.sema.macro_history import Position, defining_meanings
from occupancy_lsp.source.syntax.expression_nodes import Binary, Call, Conditional, Name
from occupancy_lsp.source.syntax.expression_parser import PRECEDENCE, parse_detached
from occupancy_lsp.source.syntax.known_value import Value, unknown
from occupancy_lsp.source.syntax.node_index import NodeIndex, index_nodes

if TYPE_CHECKING:
    from occupancy_lsp.source.sema.scope import ItemScope
    from occupancy_lsp.source.sema.translation_unit_scope import Environment

_NAME = regex(r"[A-Za-z_][\w:]*")
_WORD = regex(r"[A-Za-z_]\w*")
_WORD_OR_PASTE = regex(r"[A-Za-z_]\w*|##|%:%:")
_NUMBER = regex(r"\.?\d(?:[eEpP][+-]|[\w.'])*")
_CALLED = regex(r"\b([A-Za-z_]\w*)\s*\(")
_STATEMENTS = regex(r"[;{]|\breturn\b")
_TIGHT = 99
_MOST_PUT_IN = 1 << 22  # letters of a body times those of an argument


def body_with_texts(parameters: Sequence[str], body: str, texts: Sequence[str]) -> str | None:
    """The body of a macro with these parameters with `texts` for them, of which it is not known what macros they have;
    None where they do not fit."""
    return _apply_macro(Macro("", tuple(parameters), body), texts, list)


def body_with_arguments(macro: FunctionMacro, given: Sequence[str], env: Environment, at: Position) -> str | None:
    """The macro's body with its arguments: the macros in both stand there still, but for those in arguments that a
    macro in the body makes a part of a name or a string, which come after what they stand for."""
    pastes = env.remember(("pastes", macro.name, macro.body), lambda: _may_paste_or_stringify(macro.body, env), False)
    look_up = macros_at(env, at)
    return _apply_macro(as_function_like_macro(macro), given, (lambda it: expand(it, look_up)) if pastes else list)


def _apply_macro(macro: Macro, given: Sequence[str], read: Callable[[Sequence[Token]], list[Token]]) -> str | None:
    if len(macro.body) * max(map(len, given), default=0) > _MOST_PUT_IN:
        return None
    try:
        return spell_tokens(substitute(macro, lex_preprocessing_tokens(", ".join(given)), read))
    except Unexpandable:
        return None


def _may_paste_or_stringify(body: str, env: Environment) -> bool:
    """Whether a macro in a macro's text, or in the text of such a one, makes names or strings of what it is given."""
    forms = (it for name in transitive_words(body, env) for it in env.all_function_macros_named(name))
    return any("#" in it.body for it in forms)


def as_function_like_macro(macro: FunctionMacro) -> Macro:
    return Macro(macro.name, macro.parameters, macro.body)


def macros_at(env: Environment, at: Position, but: Set[str] = frozenset()) -> LookUp:
    """What names mean there to the preprocessor. `but`: these it does not expand."""
    return lambda name: None if name in but else _macro_at(env, name, at)


def _macro_at(env: Environment, name: str, at: Position) -> Macro | None:
    """Raises `Unexpandable` where more than one meaning is possible."""
    meanings = env.in_force(name, at)
    found = defining_meanings(meanings)
    if not found:
        number = env.predefined(name)
        return Macro(name, None, str(number)) if number is not None else None
    if env.may_be_overridden(name) and any(it.is_ifndef_default for it in found):
        raise Unexpandable
    each = {
        as_function_like_macro(it.said) if isinstance(it.said, FunctionMacro) else Macro(name, None, it.said.type)
        for it in found
        if not isinstance(it.said, MacroChange)
    }
    otherwise = len(found) < len(meanings) and _has_other_meaning(env, name)
    if len(each) > 1 or otherwise:
        raise Unexpandable
    return each.pop()


def _has_other_meaning(env: Environment, name: str) -> bool:
    """Whether the name means something in sight where no text defines it as a macro."""
    predefined = env.predefined(name) is not None
    return predefined or env.has_function(name) or any(it.definition.kind != "macro" for it in env.definitions(name))


def expand_text(text: str, env: Environment, at: Position, but: Set[str] = frozenset()) -> Sequence[Token] | None:
    """What the preprocessor makes of a text there; None: that is not known."""
    try:
        return expand(lex_preprocessing_tokens(text), macros_at(env, at, but))
    except Unexpandable:
        return None


def _without_number_macros(macros: LookUp) -> LookUp:
    """The same but for names of plain numbers, which mean the same when they are read later, and then have a place."""

    def look_up_other_macro(name: str) -> Macro | None:
        macro = macros(name)
        is_number = macro is not None and macro.parameters is None and _NUMBER.fullmatch(macro.body.strip())
        return None if is_number else macro

    return look_up_other_macro


def painted_token_names(tokens: Sequence[Token]) -> frozenset[str]:
    """The names in an expansion that are macros no more."""
    return frozenset(it.text for it in tokens if it.painted)


def expanded_text(text: str, scope: ItemScope) -> str | None:
    """With what the macros in it stand for; None: that is not known."""
    found = expand_text(text, scope.env, scope.position, scope.expanding)
    return None if found is None else spell_tokens(found)


def _spell_call(name: str, texts: Sequence[str]) -> str:
    return f"{name}({', '.join(texts)})"


def leaves_argument_unchanged(macro: FunctionMacro, index: int, env: Environment, order: int) -> bool:
    """Whether the variable that it is given as the argument at `index` surely has the same value after it."""
    count = max(index + 1, len([it for it in macro.parameters if it and not it.endswith("...")]))
    given = tuple(f"argument{at}_{macro.name}" for at in range(count))
    text = body_with_arguments(macro, given, env, (order, 0))
    return text is not None and not may_change_variable(text, given[index], env, order)


def first_macro_changing(name: str, words: Iterable[str], env: Environment, order: int) -> str | None:
    """The first of these macros whose text, or that of a macro in it, may give a variable of that name another value
    without being given it."""
    for word in words:
        named = name in transitive_words(word, env) - {word}
        if named and any(
            may_change_variable(text, name, env, order) for text in _transitive_macro_texts(word, env, name)
        ):
            return word
    return None


def _transitive_macro_texts(word: str, env: Environment, name: str) -> Iterator[str]:
    """The texts of a macro, and of those in it, in which a name is none of its parameters'."""
    for inner in sorted(transitive_words(word, env)):
        for it in env.macro_history(inner):
            if isinstance(it.said, FunctionMacro) and name not in it.said.parameters:
                yield it.said.body
            elif isinstance(it.said, Definition):
                yield it.said.type


def may_change_variable(text: str, name: str, env: Environment, order: int) -> bool:
    """Whether the statements of a macro may give a variable of that name another value."""
    if name not in text:
        return False
    nodes = _parse_macro_statements(text)
    places = [node for node in nodes.nodes_of_kind("identifier") if nodes.text(node) == name]
    if len(places) != len(re.findall(rf"\b{re.escape(name)}\b", text)):
        return True
    touches = [it for node in places if (it := variable_use(nodes, node)) is not None]
    return not all(it.call is not None and env.callee_leaves_argument(it.call, order) for it in touches)


@remembered(64)
def _parse_macro_statements(text: str) -> NodeIndex:
    code = text.replace("\\\r\n", " ").replace("\\\n", " ").encode()
    return index_nodes(b"void f() {" + code + b";}")


def with_expanded_statements(code: bytes, env: Environment, order: int) -> bytes:
    """The code with what its macros stand for, if one of them stands for statements."""
    said = code.decode("utf-8", "replace")
    forms = (it for name in set(_CALLED.findall(said)) for it in env.possible_function_macros(name, order))
    if not any(_STATEMENTS.search(it.body) for it in forms):
        return code
    found = expand_text(said, env, (order, 0))
    return code if found is None else spell_tokens(found).encode()


def call_arguments_in(text: str, name: str) -> tuple[str, ...] | None:
    """The arguments of the call of `name` in a macro's expansion; None: there is none."""
    found = re.search(rf"\b{name}\b", text)
    if found is None:
        return None
    opening = text.find("(", found.end())
    _, end = call_arguments_at(text, opening + 1) if opening >= 0 else ((), 0)
    said = text[opening + 1 : end - 1].encode()
    return tuple(said[slice(*it)].decode() for it in template_aware_argument_spans(said, 0, len(said))) if end else None


def may_contain_name(text: str, name: str, env: Environment) -> bool:
    """Whether the text has the name, or a macro in it, in whichever of its definitions."""
    return name in cached_transitive_words(text, env)


def may_split_argument(text: str, env: Environment) -> bool:
    """Whether a macro in the text may make several arguments of one."""
    return any("," in it or "__VA_ARGS__" in it for it in env.macro_texts(cached_transitive_words(text, env)))


def cached_transitive_words(text: str, env: Environment) -> frozenset[str]:
    """`transitive_words` of a text that is asked about again."""
    return env.remember(("words within", "", text), lambda: transitive_words(text, env), frozenset[str]())


def transitive_words(text: str, env: Environment) -> frozenset[str]:
    """The words of a text and of the macros in it, in whichever of their definitions; `##` where these make names."""
    todo, seen = [text], set[str]()
    while todo:
        words = set(_WORD_OR_PASTE.findall(todo.pop())) - seen
        seen |= words
        todo += env.macro_texts(words)
    return frozenset("##" if it == "%:%:" else it for it in seen)


def name_after_expansion(text: str, scope: ItemScope) -> str | None:
    """The name that a macro's text comes to, `logf` of `MATHFN(log)`; None: it is no name."""
    made = (expanded_text(text, scope) or "").replace(" ", "")
    return made if _NAME.fullmatch(made) else None


def expanded_name(written: str, env: Environment, at: Position) -> str | None:
    """What something is called that has this name there, which a macro may make; None: that is not known."""
    made = "(" in written
    if not made and not env.macro_history(written):
        return written
    found = expand_text(written, env, at)
    if found is not None and len(found) == 1 and found[0].kind == "name":
        return found[0].text
    return None if made else written


def expanded_call(name: Name, texts: Sequence[str], scope: ItemScope) -> tuple[str, ItemScope] | str | None:
    """What the preprocessor makes of a call, and where that stands; text: why that is not known; None: the name is no
    macro there."""
    label, env = name.parts[0], scope.env
    meanings = env.in_force(label, scope.position) if label not in scope.expanding else ()
    if len(name.parts) > 1 or not defining_meanings(meanings):
        return None
    said = _spell_call(f"({label})" if name.enclosed else label, texts)
    none: Sequence[Token] | None = None
    key = ("expansion", "", said, *scope.position, scope.expanding)  # the same in all instances of a function
    found = env.remember(key, lambda: _expand_call(said, scope), none)
    if found is None:
        return f"the value of {name}(…)"
    text = spell_tokens(found)
    return None if _expands_to_itself(found, said) else (text, scope.in_expansion(painted_token_names(found), -1))


def _expand_call(said: str, scope: ItemScope) -> Sequence[Token] | None:
    macros = macros_at(scope.env, scope.position, scope.expanding)
    try:
        return expand(
            lex_preprocessing_tokens(said),
            macros if _may_paste_or_stringify(said, scope.env) else _without_number_macros(macros),
        )
    except Unexpandable:
        return None


def _expands_to_itself(found: Sequence[Token], said: str) -> bool:
    return [it.text for it in found] == [it.text for it in lex_preprocessing_tokens(said)]


def value_of_macro_call(
    name: str, texts: Sequence[str], env: Environment, at: Position, scope: Scope, depth: int
) -> Value:
    """Of a macro with arguments in a condition."""
    text = expanded_condition_call(name, texts, env, at)
    if text is None or depth > 16:
        return unknown(f"the value of {name}(…)")
    said = evaluate(parse_detached(text), scope, depth)
    return Value(said.number, said.reason, type=said.type)


def expanded_condition_call(name: str, texts: Sequence[str], env: Environment, at: Position) -> str | None:
    """What the preprocessor makes of a call there; None: the name is no macro, or what comes of it is not known."""
    found = expand_text(_spell_call(name, texts), env, at) if defining_meanings(env.in_force(name, at)) else None
    return spell_tokens(found) if found is not None else None


@remembered(256)
def constants_defined_by(macro: FunctionMacro, parameter: str) -> tuple[tuple[str, str], ...] | None:
    """The types and values of the constants that it defines by the name of a parameter, `constexpr int N = 64; …`;
    None: it does something else with it."""
    text = macro.body.replace("\\\r\n", " ").replace("\\\n", " ")
    name = re.escape(parameter)
    found = re.findall(rf"\b(?:constexpr|const)\s+(?:static\s+)?([\w:\s]*?)\s*\b{name}\s*=\s*([^;{{}}]+);", text)
    made = len(re.findall(rf"\b{name}\s*(?:=(?!=)|\{{|\(|\[)", text))
    others = {*macro.parameters} - {parameter, "..."}
    plain = all(others.isdisjoint(_WORD.findall(value)) for _, value in found)
    return tuple((kind, value) for kind, value in found) if found and len(found) == made and plain else None


def macro_may_contain_name(macro: FunctionMacro, label: str, env: Environment) -> bool:
    """Whether the text of a macro, or of one that it uses, has the name."""
    seen, todo = {macro.name}, [macro]
    while todo:
        names = todo.pop().names
        if label in names:
            return True
        inner = names - seen
        seen |= inner
        todo += (form for name in inner for form in env.all_function_macros_named(name))
    return False


def bare_operator_precedence(call: Call, scope: ItemScope) -> int:
    """The precedence of the operator that a macro leaves outside of parentheses; a high number if there is none."""
    found = expanded_call(call.name, call.texts, scope)
    if found is None or isinstance(found, str) or is_parenthesised(found[0]):
        return _TIGHT
    read = parse_detached(found[0])
    if isinstance(read, Conditional):
        return 0
    return PRECEDENCE[read.operator] if isinstance(read, Binary) else _TIGHT
