"""What a kernel's attributes say, in one instance of the templates around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.facts.facts import Argument, Attribute, Function
from occupancy_lsp.source.facts.names import PlacedItem
from occupancy_lsp.source.meaning import macros
from occupancy_lsp.source.meaning.constants import dimensions, evaluate
from occupancy_lsp.source.meaning.environment import Environment
from occupancy_lsp.source.meaning.scope import ItemScope
from occupancy_lsp.source.meaning.types import Bindings
from occupancy_lsp.source.text.aliases import library_macro
from occupancy_lsp.source.text.parsing import parse_apart
from occupancy_lsp.source.text.span import Span
from occupancy_lsp.source.text.values import ONE, Dimensions, Place, Value, unknown, unsigned

PERHAPS = "is under an #if that may be false"


@dataclass(frozen=True, slots=True)
class Given:
    """A value that stands in the text as one argument."""

    place: Place
    value: Value


@dataclass(frozen=True, slots=True)
class Bounds:
    """`__launch_bounds__(max_threads, min_groups, max_cluster)`; an argument not given is None."""

    place: Place
    max_threads: Given
    min_groups: Given | None
    max_cluster: Given | None


def place_of(placed: PlacedItem, span: Span) -> Place:
    return Place(placed.slot, span.start, span.end)


@dataclass(frozen=True, slots=True, eq=False)
class Inside:
    """Where a kernel or launch stands, and in which instance of the templates around it."""

    env: Environment
    placed: PlacedItem
    function: Function | None
    bindings: Bindings
    scopes: Callable[[int], ItemScope] | None = None  # of text that is reached from there

    def scope(self, offset: int) -> ItemScope:
        if self.scopes is not None:
            return self.scopes(offset)
        owner = self.function.owner if self.function else ()
        return ItemScope(self.env, self.placed, offset, owner, self.bindings)

    def given(self, argument: Argument) -> Given:
        value = evaluate(argument.value, self.scope(argument.span.start))
        return Given(place_of(self.placed, argument.span), value)


def _attributes(inside: Inside, name: str) -> list[tuple[Attribute, bool]]:
    """The kernel's attributes of that name that may hold, each with whether it surely does."""
    found: list[tuple[Attribute, bool]] = []
    for attribute in inside.function.attributes if inside.function else ():
        holds = inside.env.holds(attribute.conditions, inside.placed.order) if attribute.name == name else False
        if holds is not False:
            found.append((attribute, bool(holds)))
    return found


def arguments_given(inside: Inside, name: str) -> tuple[Attribute, list[Given]] | None:
    """Of the attribute in force: of two of a kind nvcc heeds the last, clang for AMD the first."""
    found = _attributes(inside, name)
    if not found:
        return _by_macro(inside, name)
    attribute, sure = found[0 if "__AMDGCN__" in inside.env.macros else -1]
    given = [inside.given(argument) for argument in attribute.arguments]
    return attribute, given if sure else [Given(it.place, unknown(PERHAPS)) for it in given]


@dataclass(frozen=True, slots=True)
class _OfMacro:
    """An attribute, and what the macro stands for that is written there; a value: why that is not known.

    `texts`: in place of what is not known, the definitions that may be in force.
    """

    attribute: Attribute
    text: str | Value | None
    texts: tuple[str, ...] = ()


def _of_macros(inside: Inside) -> Sequence[_OfMacro]:
    """The attributes that macros stand for: the same in every instance."""
    function, placed = inside.function, inside.placed
    if function is None:
        return ()
    key = ("attributes of macros", placed.item, placed.order, function.body.start)
    return inside.env.remember(key, lambda: tuple(_find_macros(inside, function)), ())


def _find_macros(inside: Inside, function: Function) -> Iterator[_OfMacro]:
    for attribute in function.attributes:
        text = _expansion(inside, attribute)
        texts = () if isinstance(text, str) else _definitions(inside, attribute)
        if text is not None or texts:
            yield _OfMacro(attribute, text, texts)


def _by_macro(inside: Inside, name: str) -> tuple[Attribute, list[Given]] | None:
    """Of an attribute that a macro stands for."""
    for of_macro in _of_macros(inside):
        attribute, text = of_macro.attribute, of_macro.text
        place = place_of(inside.placed, attribute.span)
        if text is None or isinstance(text, Value):
            if isinstance(text, Value) and not of_macro.texts:
                return attribute, [Given(place, text)]
            if any(macros.may_have(it, name, inside.env) for it in of_macro.texts):
                return attribute, [Given(place, text or unknown(f"what {attribute.name} stands for"))]
            continue
        if not macros.may_have(text, name, inside.env):
            continue
        scope = inside.scope(attribute.span.start)
        given = macros.call(macros.unfolded(text, scope), name)
        if given is None:
            return attribute, [Given(place, unknown(f"what {attribute.name} stands for"))]
        values = [evaluate(parse_apart(it), scope) for it in given]
        return attribute, [Given(place, Value(value.number, value.reason)) for value in values]
    return None


def _expansion(inside: Inside, attribute: Attribute) -> str | Value | None:
    """What the macro stands for that is written there; a value: why that is not known; None: it is no macro."""
    macro = inside.env.macro(attribute.name, inside.placed.order)
    if isinstance(macro, str):
        return unknown(macro)
    given = tuple(it.text for it in attribute.arguments)
    if macro is not None:
        return macros.expanded(macro, given)
    known = library_macro(attribute.name) if not inside.env.definitions(attribute.name) else None
    if known is not None:
        return macros.filled_in(*known, given)
    texts = inside.scope(attribute.span.start).macro_texts(attribute.name)
    if not texts and attribute.name.encode() not in inside.env.dialect.carrying:
        return None
    return texts.pop() if len(texts) == 1 else unknown(f"{attribute.name} has several definitions")


def _definitions(inside: Inside, attribute: Attribute) -> tuple[str, ...]:
    """The texts of those definitions of a macro that may be in force; empty: none is in sight."""
    forms = inside.env.macro_forms(attribute.name, inside.placed.order)
    return (*(it.body for it in forms), *inside.scope(attribute.span.start).macro_texts(attribute.name))


def argument_at(inside: Inside, name: str, index: int) -> Given | None:
    """The argument at `index` of an attribute; the last one given where it has fewer."""
    found = arguments_given(inside, name)
    return found[1][min(index, len(found[1]) - 1)] if found and found[1] else None


def word_given(inside: Inside, name: str) -> str:
    """The word in quotes that is the attribute's argument, where it surely holds."""
    found = _attributes(inside, name)
    attribute, sure = found[-1] if found else (None, False)
    return attribute.arguments[0].text.strip(' "') if attribute is not None and sure and attribute.arguments else ""


def launch_bounds(inside: Inside) -> Bounds | None:
    found = arguments_given(inside, "__launch_bounds__")
    if found is None or not found[1]:
        return _bounds_elsewhere(inside)
    attribute, given = found
    first, second, third = (*map(_bound, given), None, None, None)[:3]
    return None if first is None else Bounds(place_of(inside.placed, attribute.span), first, second, third)


def _bound(given: Given | None) -> Given | None:
    """Compilers read a signed number of 32 bits, and ignore a negative one as they do 0."""
    if given is None or given.value.number is None or 0 <= given.value.number < 1 << 31:
        return given
    read = unsigned(given.value, 32)
    return replace(given, value=structs.replace(read, number=0) if read.number and read.number >= 1 << 31 else read)


def _bounds_elsewhere(inside: Inside) -> Bounds | None:
    """Unknown ones, where another declaration of the kernel, or the template it specialises, states bounds."""
    function = inside.function
    if function is None:
        return None
    stated = any(it.bounded for it in inside.env.prototypes(function.name))
    if function.template == () and not stated:
        others = [it for _, it in inside.env.functions(function.name) if it is not function]
        stated = any(it.name == "__launch_bounds__" for other in others for it in other.attributes)
    if not stated:
        return None
    place = place_of(inside.placed, function.name_span)
    return Bounds(place, Given(place, unknown("bounds are stated at another declaration")), None, None)


def dimensions_given(inside: Inside, name: str) -> list[tuple[Place, Dimensions]]:
    """The dimensions that `__cluster_dims__(x, y, z)` or each part of `__block_size__((x, y, z), (…))` gives."""
    found = _attributes(inside, name)
    if not found:
        by_macro = inside.env.dialect.sizes_by_macro or _has_in_macro(inside, name)
        return _dims_by_macro(inside, name) if by_macro else []
    attribute, sure = found[-1]
    place = place_of(inside.placed, attribute.span)
    if not sure:
        return [(place, (unknown(PERHAPS),) * 3)]
    return [(place, values) for values in _tuples(inside, attribute)]


def _has_in_macro(inside: Inside, name: str) -> bool:
    """Whether a macro that annotates the kernel stands for that attribute, in any definition that may be in force."""
    for it in _of_macros(inside):
        texts = it.texts if isinstance(it.text, Value) else (it.text or "",)
        if any(macros.may_have(text, name, inside.env) for text in texts):
            return True
    return False


def _dims_by_macro(inside: Inside, name: str) -> list[tuple[Place, Dimensions]]:
    found = _by_macro(inside, name)
    if found is None:
        return []
    attribute, given = found
    values = [it.value for it in given]
    not_known = len(values) == 1 and values[0].number is None
    x, y, z = values * 3 if not_known else (*values, ONE, ONE, ONE)[:3]
    return [(place_of(inside.placed, attribute.span), (x, y, z))]


def _tuples(inside: Inside, attribute: Attribute) -> list[Dimensions]:
    if attribute.name == "__block_size__":
        return [dimensions(it.value, inside.scope(it.span.start)) for it in attribute.arguments]
    given = [inside.given(argument).value for argument in attribute.arguments]
    x, y, z = (*given, ONE, ONE, ONE)[:3]
    return [(x, y, z)]
