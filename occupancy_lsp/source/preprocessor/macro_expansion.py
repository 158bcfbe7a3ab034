"""Macro expansion over preprocessing tokens, by the rules of C and C++ as GCC carries them out.

Arguments are expanded before they are put in, but for those beside `#` and `##`; the result is read again together with
what follows it; a macro is not expanded within itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.preprocessor.preprocessing_tokens import (
    Token,
    lex_preprocessing_tokens,
    paste_tokens,
    stringify,
)

_MOST_TOKENS = 1 << 16  # read in one expansion
_DEEPEST = 64  # arguments expanded within arguments, and macros within macros
_ELLIPSIS, _VARIADIC, _OPTIONAL = "...", "__VA_ARGS__", "__VA_OPT__"
_MARKS = ("#", "%:", _OPTIONAL)  # a body has one of them where more is to be done than to put arguments in
_PLACEMARKER = Token("placemarker", "")


class Unexpandable(Exception):
    """The text does not show what comes of it: arguments that do not fit, a paste that is no token, too much of it."""


@dataclass(frozen=True, slots=True)
class Macro:
    """`parameters` None: it is object-like. The last one may be `...` or a name with that behind it."""

    name: str
    parameters: tuple[str, ...] | None
    body: str

    @property
    def variadic_name(self) -> str | None:
        """What its variable arguments are called in the body."""
        last = self.parameters[-1] if self.parameters else ""
        return (last.removesuffix(_ELLIPSIS).strip() or _VARIADIC) if last.endswith(_ELLIPSIS) else None


# The macro that a name is; None: none. May raise `Unexpandable` where that is not known.
LookUp = Callable[[str], Macro | None]
_Arguments = dict[str, "_Argument"]


def expand(tokens: Sequence[Token], look_up: LookUp) -> list[Token]:
    """Return the tokens that macro expansion makes of these."""
    return list(_Expansion(cache(look_up)).expanded(tokens))


def substitute(macro: Macro, given: Sequence[Token], read: Callable[[Sequence[Token]], list[Token]]) -> list[Token]:
    """Return the macro's body with its arguments, not read again. `given`: what stands between the parentheses.

    `read`: what becomes of an argument before it is put in, but for those beside `#` and `##`.
    """
    found: list[list[Token]] = [[]]
    nesting = 0
    for token in given:
        _add_to_arguments(macro, found, token, nesting)
        nesting += token.is_operator("(") - token.is_operator(")")
    return _substitute_body(macro, _bind_arguments(macro, found, read))


class _Argument:
    """What a macro is given. `expanded` is worked out for those alone that do not stand beside `#` and `##`."""

    def __init__(self, tokens: Sequence[Token], read: Callable[[Sequence[Token]], list[Token]], omitted: bool) -> None:
        self.tokens = tokens
        self.omitted = omitted
        self._read = read
        self._expanded: list[Token] | None = None

    @property
    def expanded(self) -> list[Token]:
        if self._expanded is None:
            self._expanded = self._read(self.tokens)
        return self._expanded


@dataclass(slots=True)
class _Context:
    """Tokens that are being read. `macro`: the one that made them, which is not expanded as long as they last."""

    tokens: Sequence[Token]
    macro: str = ""
    at: int = 0


class _Expansion:
    def __init__(self, look_up: LookUp) -> None:
        self._look_up = look_up
        self._contexts: list[_Context] = []
        self._bottom = 0  # the context of the text, or of the argument, that is being expanded
        self._steps = 0

    def expanded(self, tokens: Sequence[Token]) -> Iterator[Token]:
        around, self._bottom = self._bottom, len(self._contexts)
        if self._bottom > _DEEPEST:
            raise Unexpandable
        self._contexts.append(_Context(tokens))
        while (token := self._next_token()) is not None:
            made = self._expand_name(token) if token.kind == "name" and not token.painted else token
            if made is not None:
                yield made
        self._contexts.pop()
        self._bottom = around

    def _next_token(self) -> Token | None:
        """Read a token; contexts that are used up end."""
        self._steps += 1
        if self._steps > _MOST_TOKENS:
            raise Unexpandable
        while (context := self._contexts[-1]).at >= len(context.tokens):
            if len(self._contexts) == self._bottom + 1:
                return None
            self._contexts.pop()
        context.at += 1
        return context.tokens[context.at - 1]

    def _expand_name(self, token: Token) -> Token | None:
        """Begin to read what a name stands for; the name itself where it is no macro."""
        macro = self._look_up(token.text)
        if macro is None:
            return token
        if any(it.macro == token.text for it in self._contexts):
            return token._replace(painted=True)
        if macro.parameters is None:
            body = _substitute_body(macro, {})
        else:
            if not self._take_opening_parenthesis():
                return token
            body = _substitute_body(macro, self._read_arguments(macro))
        if len(self._contexts) > _DEEPEST:
            raise Unexpandable
        first = [body[0].with_space(token.spaced), *body[1:]] if body else body
        self._contexts.append(_Context(first, token.text))
        return None

    def _take_opening_parenthesis(self) -> bool:
        """Whether the next token is `(`, which is then passed over."""
        while True:
            context = self._contexts[-1]
            if context.at < len(context.tokens):
                opens = context.tokens[context.at].is_operator("(")
                context.at += opens
                return opens
            if len(self._contexts) == self._bottom + 1:
                return False
            self._contexts.pop()

    def _read_arguments(self, macro: Macro) -> _Arguments:
        found: list[list[Token]] = [[]]
        nesting = 0
        while True:
            token = self._next_token()
            if token is None:
                raise Unexpandable
            if token.is_operator(")") and not nesting:
                return _bind_arguments(macro, found, lambda it: list(self.expanded(it)))
            _add_to_arguments(macro, found, self._paint_if_expanding(token), nesting)
            nesting += token.is_operator("(") - token.is_operator(")")

    def _paint_if_expanding(self, token: Token) -> Token:
        within = token.kind == "name" and any(it.macro == token.text for it in self._contexts)
        return token._replace(painted=True) if within else token


def _add_to_arguments(macro: Macro, found: list[list[Token]], token: Token, nesting: int) -> None:
    """Add a token to the arguments: a comma outside of parentheses parts them, but for variable arguments."""
    takes_all = macro.variadic_name is not None and len(found) == len(macro.parameters or ())
    if token.is_operator(",") and not nesting and not takes_all:
        found.append([])
    else:
        found[-1].append(token)


def _bind_arguments(
    macro: Macro, given: list[list[Token]], read: Callable[[Sequence[Token]], list[Token]]
) -> _Arguments:
    """The arguments by parameter. `read`: what they are expanded by."""
    parameters = [it.removesuffix(_ELLIPSIS).strip() or _VARIADIC for it in macro.parameters or () if it]
    omitted = False
    if not parameters and given == [[]]:
        given = []
    if macro.variadic_name is not None:
        omitted = len(given) < len(parameters) or (len(parameters) == 1 and given == [[]])
        given += [[]] * (len(given) == len(parameters) - 1)
    if len(given) != len(parameters):
        raise Unexpandable
    last = len(parameters) - 1
    return {
        name: _Argument(tokens, read, omitted and index == last)
        for index, (name, tokens) in enumerate(zip(parameters, given, strict=True))
    }


def _substitute_body(macro: Macro, given: _Arguments) -> list[Token]:
    """Put the arguments in, and paste what `##` stands between."""
    body = lex_preprocessing_tokens(macro.body.strip())
    if not any(mark in macro.body for mark in _MARKS):
        return _replace_parameters(body, given) if given else [*body]
    return [it for it in _Substitution(macro, given).substituted_tokens(body) if it.kind != "placemarker"]


def _replace_parameters(body: Sequence[Token], given: _Arguments) -> list[Token]:
    """Put the arguments into a body without operators of the preprocessor."""
    found: list[Token] = []
    for token in body:
        argument = given.get(token.text) if token.kind == "name" else None
        if argument is None:
            found.append(token)
        elif came := argument.expanded:
            found.append(came[0].with_space(token.spaced))
            found += came[1:]
    return found


class _Substitution:
    def __init__(self, macro: Macro, given: _Arguments) -> None:
        self._given = given
        self._strings = macro.parameters is not None
        self._variadic = macro.variadic_name

    def substituted_tokens(self, body: Sequence[Token]) -> list[Token]:
        """What a replacement list comes to, with placemarkers."""
        if body and (body[0].is_operator("##") or body[-1].is_operator("##")):
            raise Unexpandable
        found: list[Token] = []
        at, pastes = 0, False
        while at < len(body):
            token = body[at]
            if token.is_operator("##"):
                pastes, at = True, at + 1
                continue
            end = self._end_of_operand(body, at)
            beside = pastes or (end < len(body) and body[end].is_operator("##"))
            came = self._substitute_body_element(body[at:end], beside) or [_PLACEMARKER]
            came = [came[0].with_space(token.spaced), *came[1:]]
            if not pastes:
                found += came
            elif not self._handle_gnu_comma_paste(found, token, came):
                found[-1:] = [*_paste_operands(found[-1], came[0]), *came[1:]]
            at, pastes = end, False
        return found

    def _end_of_operand(self, body: Sequence[Token], at: int) -> int:
        """Where the operand ends that begins there: one token, `#x`, or `__VA_OPT__(…)` with all in it."""
        if self._strings and body[at].is_operator("#"):
            at += 1
            if at >= len(body):
                raise Unexpandable
        if (
            self._variadic is None
            or body[at].text != _OPTIONAL
            or at + 1 >= len(body)
            or not body[at + 1].is_operator("(")
        ):
            return at + 1
        nesting = 0
        for end in range(at + 1, len(body)):
            nesting += body[end].is_operator("(") - body[end].is_operator(")")
            if not nesting:
                return end + 1
        raise Unexpandable

    def _substitute_body_element(self, tokens: Sequence[Token], beside: bool) -> list[Token]:
        first = tokens[0]
        if self._strings and first.is_operator("#"):
            return [Token("string", stringify(self._tokens_to_stringify(tokens[1:])))]
        if len(tokens) > 1:
            return self._va_opt_tokens(tokens)
        argument = self._given.get(first.text) if first.kind == "name" else None
        if argument is None:
            return [first]
        return list(argument.tokens if beside else argument.expanded)

    def _tokens_to_stringify(self, tokens: Sequence[Token]) -> Sequence[Token]:
        if len(tokens) > 1:
            return [it for it in self._va_opt_tokens(tokens) if it.kind != "placemarker"]
        if (argument := self._given.get(tokens[0].text)) is None:
            raise Unexpandable
        return argument.tokens

    def _va_opt_tokens(self, tokens: Sequence[Token]) -> list[Token]:
        """`__VA_OPT__(…)`: what is in it, where there are variable arguments."""
        rest = self._given.get(self._variadic or "")
        return self.substituted_tokens(tokens[2:-1]) if rest is not None and rest.expanded else []

    def _handle_gnu_comma_paste(self, found: list[Token], token: Token, came: list[Token]) -> bool:
        """GNU's `, ## __VA_ARGS__`: no comma where those are omitted, and nothing is pasted where they are not."""
        if token.text != self._variadic or not found or not found[-1].is_operator(","):
            return False
        if self._given[token.text].omitted:
            found[-1] = _PLACEMARKER
        else:
            found += [came[0].with_space(False), *came[1:]]
        return True


def _paste_operands(left: Token, right: Token) -> list[Token]:
    if "placemarker" in (left.kind, right.kind):
        return [right.with_space(left.spaced) if left.kind == "placemarker" else left]
    made = paste_tokens(left, right)
    if made is None:
        raise Unexpandable
    return [made]
