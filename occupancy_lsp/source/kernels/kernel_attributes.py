"""What a kernel's attributes say, in one instance of the templates around it.

A kernel may be declared several times. The functions that take declarations want them as `declarations.heeded` has
them: first the one that its compiler heeds most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace

from msgspec import structs

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.lex.argument_text import template_aware_argument_spans
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.item_facts import Argument, Attribute, Function
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.preprocessor.annotation_macros import library_macro
from occupancy_lsp.source.sema import macro_uses
from occupancy_lsp.source.sema.constant_evaluation import evaluate, evaluate_dimensions
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings
from occupancy_lsp.source.syntax.expression_parser import parse_detached
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Place, Value, as_unsigned, unknown

PERHAPS = "is under an #if that may be false"
_BOUNDS = "__launch_bounds__"
# For which argument of the bounds HIP has these attributes on AMD.
_OF_BOUNDS = {"amdgpu_flat_work_group_size": 0, "amdgpu_waves_per_eu": 1}


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """A value that stands in the text as one argument."""

    place: Place
    value: Value


@dataclass(frozen=True, slots=True)
class Bounds:
    """`__launch_bounds__(max_threads, min_groups, max_cluster)`; an argument not given is None."""

    place: Place
    max_threads: AttributeValue
    min_groups: AttributeValue | None
    max_cluster: AttributeValue | None


@dataclass(frozen=True, slots=True)
class KernelAttributes:
    """What the attributes of a kernel state."""

    bounds: Bounds | None = None
    max_registers: AttributeValue | None = None  # __maxnreg__
    block: tuple[Place, Dimensions] | None = None  # __block_size__: exact
    cluster: tuple[Place, Dimensions] | None = None  # __cluster_dims__, or the second part of __block_size__
    other_cluster: tuple[Place, Dimensions] | None = None  # the latter, where there are both
    waves: AttributeValue | None = None  # AMD's amdgpu_waves_per_eu: at least so many
    most_waves: AttributeValue | None = None  # its second argument
    num_vgpr: AttributeValue | None = None  # AMD's amdgpu_num_vgpr
    flat_size: AttributeValue | None = None  # AMD's amdgpu_flat_work_group_size: at most so many threads
    least_flat_size: AttributeValue | None = None
    sub_group: AttributeValue | None = None  # intel_reqd_sub_group_size
    wave: str = ""  # qcom_reqd_sub_group_size: "half", "full", or "" where there is none
    asked_groups: AttributeValue | None = None  # that are to reside on a unit: a hint, which its compiler need not meet

    @property
    def max_threads(self) -> AttributeValue | None:
        return self.bounds.max_threads if self.bounds is not None else None

    @property
    def min_groups(self) -> AttributeValue | None:
        return self.bounds.min_groups if self.bounds is not None else None


NO_ATTRIBUTES = KernelAttributes()


def common_attributes(general: KernelAttributes, each: Sequence[KernelAttributes]) -> KernelAttributes:
    """The attributes that all instances of a template have in common, and `general` where they differ."""
    first = {it.name: getattr(each[0], it.name) for it in fields(KernelAttributes)}
    common = {name: value for name, value in first.items() if all(getattr(it, name) == value for it in each)}
    return replace(general, **common)


def place_of(placed: LocatedItem, span: Span) -> Place:
    return Place(placed.slot, span.start, span.end)


@dataclass(frozen=True, slots=True, eq=False)
class InstanceContext:
    """Where a kernel or launch stands, and in which instance of the templates around it."""

    env: Environment
    placed: LocatedItem
    function: Function | None
    bindings: Bindings
    scopes: Callable[[int], ItemScope] | None = None  # of text that is reached from there

    def scope(self, offset: int) -> ItemScope:
        if self.scopes is not None:
            return self.scopes(offset)
        owner = self.function.owner if self.function else ()
        return ItemScope(self.env, self.placed, offset, owner, self.bindings)

    def evaluate_argument(self, argument: Argument) -> AttributeValue:
        value = evaluate(argument.value, self.scope(argument.span.start))
        return AttributeValue(place_of(self.placed, argument.span), value)


@dataclass(frozen=True, slots=True, eq=False)
class AttributedDeclaration:
    """Attributes of a kernel that stand together, at its definition (`own`) or at another declaration.

    `name`: the kernel's, at its definition. `doubt`: why they may be another kernel's; "": they are this one's.
    """

    inside: InstanceContext
    attributes: tuple[Attribute, ...]
    start: int
    own: bool
    name: Place
    doubt: str = ""


@dataclass(frozen=True, slots=True)
class EffectiveAttribute:
    """An attribute that may hold, and its arguments.

    `place`: of the kernel's name where it stands at another declaration, as `AttributeValue.place` then is: no edit
    changes it.
    """

    attribute: Attribute
    place: Place
    given: tuple[AttributeValue, ...]


def last_attribute_wins(env: Environment) -> bool:
    """Whether of two attributes of a kind the last one in the text counts, wherever it stands, as nvcc has it. With
    clang it is the first of the definition, else of a declaration before it."""
    return env.dialect.grammar.last_attribute_wins and "__AMDGCN__" not in env.macros


def _attributes_named(declaration: AttributedDeclaration, name: str) -> list[tuple[Attribute, str]]:
    """Those of that name that may hold, each with why that is not sure."""
    env, order = declaration.inside.env, declaration.inside.placed.order
    found: list[tuple[Attribute, str]] = []
    for attribute in declaration.attributes:
        holds = env.holds(attribute.conditions, order) if attribute.name == name else False
        if holds is not False:
            found.append((attribute, declaration.doubt or ("" if holds else PERHAPS)))
    return found


def _effective_attributes_of_declaration(declaration: AttributedDeclaration, name: str) -> Sequence[EffectiveAttribute]:
    """What one declaration says by attributes of that name, first what counts most."""
    inside = declaration.inside
    found = _attributes_named(declaration, name)
    if not found:
        return _effective_attributes_by_macro(declaration, name)
    each = [_effective_attribute(declaration, it, _evaluate_arguments(inside, it), doubt) for it, doubt in found]
    return each[::-1] if last_attribute_wins(inside.env) else each


def _evaluate_arguments(inside: InstanceContext, attribute: Attribute) -> Sequence[AttributeValue]:
    """The arguments of an attribute, of which macros may make more than are written."""
    given = [inside.evaluate_argument(it) for it in attribute.arguments]
    text = ", ".join(it.text for it in attribute.arguments)
    if attribute.name != _BOUNDS or all(it.value.number is not None for it in given):
        return given
    if not macro_uses.may_split_argument(text, inside.env):
        return given
    place, scope = place_of(inside.placed, attribute.span), inside.scope(attribute.span.start)
    made = macro_uses.expanded_text(text, scope)
    if made is None:
        return [AttributeValue(place, unknown("what macros make of its arguments"))] * 3
    said = made.encode()
    texts = [said[slice(*it)].decode() for it in template_aware_argument_spans(said, 0, len(said))]
    if len(texts) == len(given):
        return given
    values = (evaluate(parse_detached(it), scope) for it in texts)
    return [AttributeValue(place, Value(it.number, it.reason)) for it in values]


def _effective_attribute(
    declaration: AttributedDeclaration, attribute: Attribute, given: Iterable[AttributeValue], doubt: str
) -> EffectiveAttribute:
    if doubt:
        given = (AttributeValue(it.place, unknown(doubt)) for it in given)
    if declaration.own:
        return EffectiveAttribute(attribute, place_of(declaration.inside.placed, attribute.span), tuple(given))
    values = (Value(it.value.number, it.value.reason) for it in given)
    return EffectiveAttribute(attribute, declaration.name, tuple(AttributeValue(declaration.name, it) for it in values))


@dataclass(frozen=True, slots=True)
class _OfMacro:
    """An attribute, and what the macro stands for that is written there; a value: why that is not known.

    `texts`: in place of what is not known, the definitions that may be in force.
    """

    attribute: Attribute
    text: str | Value | None
    texts: tuple[str, ...] = ()


def _attributes_by_macros(declaration: AttributedDeclaration) -> Sequence[_OfMacro]:
    """The attributes that macros stand for: the same in every instance."""
    placed = declaration.inside.placed
    key = ("attributes of macros", placed.item, placed.order, declaration.start)
    return declaration.inside.env.remember(key, lambda: tuple(_find_attributes_by_macros(declaration)), ())


def _find_attributes_by_macros(declaration: AttributedDeclaration) -> Iterator[_OfMacro]:
    inside = declaration.inside
    for attribute in declaration.attributes:
        text = _expand_attribute_macro(inside, attribute)
        texts = () if isinstance(text, str) else _possible_macro_texts(inside, attribute)
        if text is not None or texts:
            yield _OfMacro(attribute, text, texts)


def _effective_attributes_by_macro(declaration: AttributedDeclaration, name: str) -> Sequence[EffectiveAttribute]:
    """Of an attribute that a macro stands for."""
    inside = declaration.inside
    for of_macro in _attributes_by_macros(declaration):
        values = _argument_values_by_macro(inside, of_macro, name)
        if values is not None:
            place = place_of(inside.placed, of_macro.attribute.span)
            given = (AttributeValue(place, it) for it in values)
            return (_effective_attribute(declaration, of_macro.attribute, given, declaration.doubt),)
    return ()


def _argument_values_by_macro(inside: InstanceContext, of_macro: _OfMacro, name: str) -> list[Value] | None:
    """The arguments of the attribute of that name that a macro stands for; None: it stands for none."""
    attribute, text = of_macro.attribute, of_macro.text
    if text is None or isinstance(text, Value):
        if isinstance(text, Value) and not of_macro.texts:
            return [text]
        if any(macro_uses.may_contain_name(it, name, inside.env) for it in of_macro.texts):
            return [text or unknown(f"what {attribute.name} stands for")]
        return None
    if not macro_uses.may_contain_name(text, name, inside.env):
        return None
    scope = inside.scope(attribute.span.start)
    made = macro_uses.expanded_text(text, scope)
    given = macro_uses.call_arguments_in(made, name) if made is not None else None
    if given is None:
        return [unknown(f"what {attribute.name} stands for")]
    values = [evaluate(parse_detached(it), scope) for it in given]
    return [Value(value.number, value.reason) for value in values]


def _expand_attribute_macro(inside: InstanceContext, attribute: Attribute) -> str | Value | None:
    """What the macro stands for that is written there; a value: why that is not known; None: it is no macro."""
    scope = inside.scope(attribute.span.start)
    macro = inside.env.function_macro_in_force(attribute.name, *scope.position)
    if isinstance(macro, str):
        return unknown(macro)
    given = tuple(it.text for it in attribute.arguments)
    if macro is not None:
        return macro_uses.body_with_arguments(macro, given, inside.env, scope.position)
    known = library_macro(attribute.name) if not inside.env.definitions(attribute.name) else None
    if known is not None:
        return macro_uses.body_with_texts(*known, given)
    texts = scope.macro_texts(attribute.name)
    if not texts and attribute.name.encode() not in inside.env.dialect.annotations.carrying:
        return None
    return texts.pop() if len(texts) == 1 else unknown(f"{attribute.name} has several definitions")


def _possible_macro_texts(inside: InstanceContext, attribute: Attribute) -> tuple[str, ...]:
    """The texts of those definitions of a macro that may be in force; empty: none is in sight."""
    scope = inside.scope(attribute.span.start)
    forms = inside.env.possible_function_macros(attribute.name, *scope.position)
    return (*(it.body for it in forms), *scope.macro_texts(attribute.name))


def effective_attributes(each: Sequence[AttributedDeclaration], *names: str) -> list[EffectiveAttribute]:
    """All that attributes of these names say, first what counts most."""
    return [
        it for declaration in each for name in names for it in _effective_attributes_of_declaration(declaration, name)
    ]


def effective_argument(each: Sequence[AttributedDeclaration], name: str, index: int) -> AttributeValue | None:
    """The argument at `index` of an attribute; the last one given where it has fewer."""
    for declaration in each:
        if said := _effective_attributes_of_declaration(declaration, name):
            given = said[0].given
            return given[min(index, len(given) - 1)] if given else None
        if name in _OF_BOUNDS and _bounds_argument_count(declaration) > _OF_BOUNDS[name]:
            return None
    return None


def _bounds_argument_count(declaration: AttributedDeclaration) -> int:
    """Return how many arguments the bounds have there."""
    counts = [len(it.arguments) for it, _ in _attributes_named(declaration, _BOUNDS)]
    return max(counts or [len(it.given) for it in _effective_attributes_by_macro(declaration, _BOUNDS)], default=0)


def effective_word(each: Sequence[AttributedDeclaration], name: str) -> str:
    """The word in quotes that is the attribute's argument, where it surely holds."""
    found = [it for declaration in each for it in _attributes_named(declaration, name)]
    attribute, doubt = found[0] if found else (None, "")
    return (
        attribute.arguments[0].text.strip(' "') if attribute is not None and not doubt and attribute.arguments else ""
    )


def launch_bounds(each: Sequence[AttributedDeclaration]) -> Bounds | None:
    """Each number by itself is the one that counts most. Clang for AMD ignores its own attribute."""
    if not each:
        return None
    ignored = "__AMDGCN__" in each[0].inside.env.macros
    names = (_BOUNDS,) if ignored else (_BOUNDS, "launch_bounds")
    stated = [it for it in effective_attributes(each, *names) if it.given]
    if not stated:
        return None
    used = [next((it for it in stated if len(it.given) > index), None) for index in range(3)]
    place, together = stated[0].place, all(it in (None, stated[0]) for it in used)
    numbers = [_normalized_bound(it.given[index]) if it is not None else None for index, it in enumerate(used)]
    if not together:  # no one edit changes them
        place = each[0].name
        numbers = [it and AttributeValue(place, Value(it.value.number, it.value.reason)) for it in numbers]
    first, second, third = numbers
    return Bounds(place, first, second, third) if first is not None else None


def _normalized_bound(given: AttributeValue) -> AttributeValue:
    """Compilers read a signed number of 32 bits, and ignore a negative one as they do 0."""
    if given.value.number is None or 0 <= given.value.number < 1 << 31:
        return given
    read = as_unsigned(given.value, 32)
    return replace(given, value=structs.replace(read, number=0) if read.number and read.number >= 1 << 31 else read)


def effective_dimensions(each: Sequence[AttributedDeclaration], name: str) -> list[tuple[Place, Dimensions]]:
    """The dimensions that `__cluster_dims__(x, y, z)` or each part of `__block_size__((x, y, z), (…))` gives."""
    return next(filter(None, (_declared_dimensions(it, name) for it in each)), [])


def _declared_dimensions(declaration: AttributedDeclaration, name: str) -> list[tuple[Place, Dimensions]]:
    inside, found = declaration.inside, _attributes_named(declaration, name)
    if not found:
        by_macro = inside.env.dialect.grammar.sizes_by_macro or _may_be_in_macro(declaration, name)
        return _dimensions_by_macro(declaration, name) if by_macro else []
    attribute, doubt = found[-1]
    place = place_of(inside.placed, attribute.span) if declaration.own else declaration.name
    if doubt:
        return [(place, (unknown(doubt),) * 3)]
    return [(place, values) for values in _dimensions_of_attribute(inside, attribute)]


def _may_be_in_macro(declaration: AttributedDeclaration, name: str) -> bool:
    """Whether a macro that annotates the kernel stands for that attribute, in any definition that may be in force."""
    for it in _attributes_by_macros(declaration):
        texts = it.texts if isinstance(it.text, Value) else (it.text or "",)
        if any(macro_uses.may_contain_name(text, name, declaration.inside.env) for text in texts):
            return True
    return False


def _dimensions_by_macro(declaration: AttributedDeclaration, name: str) -> list[tuple[Place, Dimensions]]:
    found = _effective_attributes_by_macro(declaration, name)
    if not found:
        return []
    values = [it.value for it in found[0].given]
    not_known = len(values) == 1 and values[0].number is None
    x, y, z = values * 3 if not_known else (*values, ONE, ONE, ONE)[:3]
    return [(found[0].place, (x, y, z))]


def _dimensions_of_attribute(inside: InstanceContext, attribute: Attribute) -> list[Dimensions]:
    if attribute.name == "__block_size__":
        return [evaluate_dimensions(it.value, inside.scope(it.span.start)) for it in attribute.arguments]
    given = [inside.evaluate_argument(argument).value for argument in attribute.arguments]
    x, y, z = (*given, ONE, ONE, ONE)[:3]
    return [(x, y, z)]
