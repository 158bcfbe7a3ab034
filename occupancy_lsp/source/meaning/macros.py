"""Macros with parameters, expanded as text as the preprocessor does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from occupancy_lsp.core.query import remembered
from occupancy_lsp.source.facts.facts import FunctionMacro
from occupancy_lsp.source.host.touches import touch
from occupancy_lsp.source.meaning.constants import Scope, evaluate
from occupancy_lsp.source.text.arguments import arguments_at, is_enclosed, split_arguments, template_arguments
from occupancy_lsp.source.text.expressions import Expression, Loose, Unary
from occupancy_lsp.source.text.nodes import Nodes, read
from occupancy_lsp.source.text.parsing import parse_apart
from occupancy_lsp.source.text.values import Value, unknown

if TYPE_CHECKING:
    from occupancy_lsp.source.meaning.environment import Environment
    from occupancy_lsp.source.meaning.scope import ItemScope

_NAME = re.compile(r"[A-Za-z_][\w:]*")
_APPLIED = re.compile(r"([A-Za-z_]\w*)\s*\(([^()]*)\)")
_OPTIONAL = re.compile(r"__VA_OPT__\s*\(([^()]*)\)")
_NO_MORE = re.compile(r",\s*##\s*__VA_ARGS__")
_STRING_OF = re.compile(r"(?<!#)#\s*([A-Za-z_]\w*)")
_PASTE = re.compile(r"\s*##\s*")
_WORD = re.compile(r"[A-Za-z_]\w*")
_CALLED = re.compile(r"\b([A-Za-z_]\w*)\s*\(")
_OPENING = re.compile(r"\s*\(")
_STATEMENTS = re.compile(r"[;{]|\breturn\b")
_DEEPEST, _MOST_MADE = 8, 1 << 17
_MOST_PUT_IN = 1 << 22  # letters of a body times those of an argument


def expanded(macro: FunctionMacro, texts: tuple[str, ...]) -> str | None:
    """The macro's body with `texts` for its parameters; None where they do not fit or are made strings."""
    return filled_in(macro.parameters, macro.body, texts)


def filled_in(parameters: Sequence[str], body: str, texts: tuple[str, ...]) -> str | None:
    """As `expanded`, of a macro with these parameters."""
    if len(texts) != len([p for p in parameters if p]) or "..." in parameters:
        return None
    if len(body) * max(map(len, texts), default=0) > _MOST_PUT_IN:
        return None
    given = dict(zip(parameters, texts, strict=False))
    put_in = _WORD.sub(lambda match: given.get(match[0], match[0]), body)
    pasted = _PASTE.sub("", put_in) if "#" in put_in else put_in
    return None if "#" in pasted else pasted


def filled(macro: FunctionMacro, given: tuple[str, ...]) -> str | None:
    """As `expanded`, of any macro: with what `__VA_ARGS__` and `__VA_OPT__` are, and strings left empty."""
    texts = tuple(part for text in given for part in split_at_commas(text))
    named = [it for it in macro.parameters if it and not it.endswith("...")]
    rest = next((it.removesuffix("...") or "__VA_ARGS__" for it in macro.parameters if it.endswith("...")), None)
    if len(texts) < len(named) or (rest is None and len(texts) > len(named)):
        return None
    if len(macro.body) * max(map(len, texts), default=0) > _MOST_PUT_IN:
        return None
    more = ", ".join(texts[len(named) :])
    words = dict(zip(named, texts, strict=False)) | ({rest: more} if rest is not None else {})
    body = _OPTIONAL.sub(lambda match: match[1] if more else "", macro.body)
    if "#" in body:
        body = _PASTE.sub("##", _NO_MORE.sub("", body) if rest is not None and not more else body)
        body = _STRING_OF.sub(lambda match: '""' if match[1] in words else match[0], body)
    return _WORD.sub(lambda match: words.get(match[0], match[0]), body).replace("##", "")


def keeps(macro: FunctionMacro, index: int, env: Environment, order: int) -> bool:
    """Whether the variable that it is given as the argument at `index` surely has the same value after it."""
    count = max(index + 1, len([it for it in macro.parameters if it and not it.endswith("...")]))
    given = tuple(f"argument{at}_{macro.name}" for at in range(count))
    text = filled(macro, given)
    return text is not None and not changes(text, given[index], env, order)


def changes(text: str, name: str, env: Environment, order: int) -> bool:
    """Whether the statements of a macro may give a variable of that name another value."""
    if name not in text:
        return False
    nodes = _read(text)
    places = [node for node in nodes.of("identifier") if nodes.text(node) == name]
    if len(places) != len(re.findall(rf"\b{re.escape(name)}\b", text)):
        return True
    touches = [it for node in places if (it := touch(nodes, node)) is not None]
    return not all(it.call is not None and env.changes_nothing(it.call, order) for it in touches)


@remembered(64)
def _read(text: str) -> Nodes:
    code = text.replace("\\\r\n", " ").replace("\\\n", " ").encode()
    return read(b"void f() {" + code + b";}")


def split_at_commas(text: str) -> tuple[str, ...]:
    """An argument as the preprocessor splits it, which heeds no angle brackets."""
    if "," not in text:
        return (text.strip(),)
    found, nesting, begin = [], 0, 0
    for at, letter in enumerate(text):
        if letter == "," and not nesting:
            found.append(text[begin:at].strip())
            begin = at + 1
        nesting += {"(": 1, ")": -1}.get(letter, 0)
    return (*found, text[begin:].strip())


def statements(code: bytes, env: Environment, order: int) -> bytes:
    """The code with each macro that stands for statements in it replaced by what it stands for."""
    said = code.decode("utf-8", "replace")
    for _ in range(_DEEPEST):
        made = _once(said, env, order)
        if made == said or len(made) > _MOST_MADE:
            break
        said = made
    return said.encode()


def _once(said: str, env: Environment, order: int) -> str:
    pieces: list[str] = []
    done = size = 0
    for match in _CALLED.finditer(said):
        if size > _MOST_MADE:
            return said
        macro = env.macro(match[1], order) if match.start() >= done else None
        if not isinstance(macro, FunctionMacro) or not _STATEMENTS.search(macro.body):
            continue
        texts, end = arguments_at(said, match.end())
        text = expanded(macro, texts) if end else None
        if text is not None:
            pieces += [said[done : match.start()], text.replace("\\\r\n", " ").replace("\\\n", " ")]
            size += len(text)
            done = end
    return "".join((*pieces, said[done:]))


def call(text: str, name: str) -> tuple[str, ...] | None:
    """The arguments of the call of `name` in a macro's expansion; None: there is none."""
    found = re.search(rf"\b{name}\b", text)
    if found is None:
        return None
    opening = text.find("(", found.end())
    _, end = arguments_at(text, opening + 1) if opening >= 0 else ((), 0)
    said = text[opening + 1 : end - 1].encode()
    return tuple(said[slice(*it)].decode() for it in split_arguments(said, 0, len(said))) if end else None


def unfolded(text: str, scope: ItemScope) -> str:
    """With the macros in it replaced by what they stand for, and those in that; one that is not known stays."""
    for _ in range(_DEEPEST):
        made = _unfolded_once(text, scope)
        if made == text or len(made) > _MOST_MADE:
            break
        text = made
    return text


def _unfolded_once(said: str, scope: ItemScope) -> str:
    pieces: list[str] = []
    done = 0
    for match in _WORD.finditer(said):
        if match.start() < done:
            continue
        macro, end, text = scope.env.macro(match[0], scope.placed.order), match.end(), None
        if macro is None:
            text = scope.macro_text(match[0])
        elif isinstance(macro, FunctionMacro) and (opening := _OPENING.match(said, end)) is not None:
            texts, end = arguments_at(said, opening.end())
            text = expanded(macro, texts) if end else None
        if text is not None:
            pieces += [said[done : match.start()], text]
            done = end
    return "".join((*pieces, said[done:]))


def may_have(text: str, name: str, env: Environment) -> bool:
    """Whether the text has the name, or a macro in it, in whichever of its definitions."""
    nothing = frozenset[str]()
    return name in env.remember(("words within", "", text), lambda: _words_within(text, env), nothing)


def _words_within(text: str, env: Environment) -> frozenset[str]:
    todo, seen = [text], set[str]()
    while todo:
        words = set(_WORD.findall(todo.pop())) - seen
        seen |= words
        for word in words:
            todo += (it.body for it in env.every_form(word))
            todo += (it.definition.type for it in env.definitions(word) if it.definition.kind == "macro")
    return frozenset(seen)


def stands_for(text: str, scope: ItemScope) -> str | None:
    """The name that an object-like macro's text comes to, `logf` of `MATHFN(log)`; None: it is no name."""
    made = text.strip()
    for _ in range(_DEEPEST):
        called = _APPLIED.fullmatch(made)
        if called is None:
            break
        macro = scope.env.macro(called[1], scope.placed.order)
        given = expanded(macro, template_arguments(called[2])) if isinstance(macro, FunctionMacro) else None
        made = (given or "").strip()
    return made if _NAME.fullmatch(made) else None


def value(macro: FunctionMacro, texts: tuple[str, ...], scope: Scope, depth: int) -> Value:
    text = expanded(macro, texts)
    if text is None or depth > 16:
        return unknown(f"the value of {macro.name}(…)")
    found = evaluate(parse_apart(text), scope, depth)
    return Value(found.number, found.reason, type=found.type)


@remembered(256)
def constants(macro: FunctionMacro, parameter: str) -> tuple[tuple[str, str], ...] | None:
    """The types and values of the constants that it defines by the name of a parameter, `constexpr int N = 64; …`;
    None: it does something else with it."""
    text = macro.body.replace("\\\r\n", " ").replace("\\\n", " ")
    name = re.escape(parameter)
    found = re.findall(rf"\b(?:constexpr|const)\s+(?:static\s+)?([\w:\s]*?)\s*\b{name}\s*=\s*([^;{{}}]+);", text)
    made = len(re.findall(rf"\b{name}\s*(?:=(?!=)|\{{|\(|\[)", text))
    others = {*macro.parameters} - {parameter, "..."}
    plain = all(others.isdisjoint(_WORD.findall(value)) for _, value in found)
    return tuple((kind, value) for kind, value in found) if found and len(found) == made and plain else None


@remembered(256)
def body(macro: FunctionMacro) -> Expression | None:
    """What the body is made of, if an operator stands outside of its parentheses."""
    text = macro.body.strip()
    read = parse_apart(text)
    return None if is_enclosed(text) or isinstance(read, Unary | Loose) else read
