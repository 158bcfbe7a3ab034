"""Which declarations of a kernel its compiler heeds, and which of them most: attributes of one hold for the others.

Measured with nvcc 13.0 and 13.5: of all declarations in the unit, behind the definition too, the last one counts; a
full specialisation starts from what its template says up to there, an explicit instantiation adds to it. With clang 22,
which compiles for AMD, and OpenCL: what the definition says, else the last declaration before it; an explicit
instantiation counts only where the template says nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.instantiations import Specialised, instance_of_call, specialized_template
from occupancy_lsp.source.kernels.kernel_attributes import (
    PERHAPS,
    AttributedDeclaration,
    InstanceContext,
    last_attribute_wins,
    place_of,
)
from occupancy_lsp.source.lower.item_facts import Function, KernelDeclaration, Parameter
from occupancy_lsp.source.lower.symbol_table import LocatedItem
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.templates import bind_template, parse_template_parameter
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import Bindings, Type, resolve_type

_WORD = regex(r"[A-Za-z_]\w*")
_WHICH = "the declaration that states it may be another kernel's"
_AGAIN = "its template is declared again behind its definition"
_IN_TEMPLATE = "clang does not fill in what another declaration of a template states"


def effective_declarations(inside: InstanceContext, function: Function) -> Sequence[AttributedDeclaration]:
    """The declarations of a kernel, first the one that its compiler heeds most."""
    env, name = inside.env, place_of(inside.placed, function.name_span)
    own = AttributedDeclaration(inside, function.specifiers.attributes, function.name_span.start, True, name)
    if function.template != () and not env.bodiless_kernel_declarations(function.name):
        return (own,)
    found = [*_OtherDeclarations(own, function).find_declarations()]
    plain = sorted((it for it, instantiates in found if not instantiates), key=_position)
    made = [it for it, instantiates in found if instantiates]
    before = [it for it in reversed(plain) if _position(it) < _position(own)]
    start = _declarations_of_specialized_template(own, function) if function.template == () else ()
    if not last_attribute_wins(env):
        return [own, *before, *start, *made]
    after = [it for it in reversed(plain) if _position(it) > _position(own)]
    if function.template:
        after = [replace(it, doubt=it.doubt or _AGAIN) for it in after]
    return [*reversed(made), *after, own, *before, *start]


def _position(it: AttributedDeclaration) -> tuple[int, int]:
    return it.inside.placed.order, it.start


@dataclass(frozen=True, slots=True, eq=False)
class _OtherDeclarations:
    """The declarations of a kernel without its body, and its explicit instantiations."""

    own: AttributedDeclaration
    function: Function

    def find_declarations(self) -> Iterator[tuple[AttributedDeclaration, bool]]:
        """Each with whether it is an instantiation."""
        env, function, placed = self.own.inside.env, self.function, self.own.inside.placed
        special = specialized_template(env, placed, function)
        for there, it in env.bodiless_kernel_declarations(function.name):
            holds = env.holds(there.conditions, there.order)
            if holds is False or there.scope_path(it.owner) != placed.scope_path(function.owner):
                continue
            if it.instantiates or it.template == ():
                means = self._doubt_as_instantiation(there, it, special)
            elif (it.template is None) == (function.template is None) and function.template != ():
                means = self._doubt_as_declaration(there, it)
            else:
                continue
            if means is not None:
                doubt = means or ("" if holds else PERHAPS)
                yield (
                    _attributed_declaration(self.own, there, it, self._bindings_for_declaration(it), doubt),
                    it.instantiates,
                )

    def _bindings_for_declaration(self, it: KernelDeclaration) -> Bindings:
        """By the names that it has for the parameters of its template."""
        names = zip(
            _template_parameter_names(it.template), _template_parameter_names(self.function.template), strict=False
        )
        bindings = self.own.inside.bindings
        return {its: bindings[ours] for its, ours in names if ours in bindings}

    def _doubt_as_instantiation(
        self, there: LocatedItem, it: KernelDeclaration, special: Specialised | None
    ) -> str | None:
        """Why it may be of another instance, "": it is of this one; None: it is not."""
        inside, function = self.own.inside, self.function
        if it.instantiates == (function.template == ()) or function.template is None:
            return None
        placed, general, bindings = inside.placed, function, inside.bindings
        if not function.template:
            if special is None:
                return _WHICH
            placed, general, bindings = special.placed, special.function, special.instance.bindings
        made = instance_of_call(ItemScope(inside.env, there, it.site.start, it.owner), None, it.site, placed, general)
        if made is None or not bindings:
            return _WHICH
        return "" if made.bindings == bindings else None

    def _doubt_as_declaration(self, there: LocatedItem, it: KernelDeclaration) -> str | None:
        """Why it may declare another kernel or say nothing, "": it declares this one; None: it does not."""
        env, function = self.own.inside.env, self.function
        if len(it.template or ()) != len(function.template or ()):
            return None
        same = self._has_same_parameters(there, it, self.own.inside.placed, function)
        # What specialises a template is none that a declaration of a template means.
        each = (it for it in env.functions(function.name) if it[1].template != ())
        rivals = [(s, f) for s, f in each if f.kernel and f is not function]
        others = [(s, f) for s, f in rivals if self._has_same_parameters(there, it, s, f)]
        if same is False or (same is None and others):
            return None
        alone = it.parameters is None and not rivals
        if (same is None and not alone) or any(_is_surely_compiled(env, *each) for each in others):
            return _WHICH
        dependent = any(
            _WORD.findall(a.text) and not {*_WORD.findall(a.text)}.isdisjoint(_template_parameter_names(it.template))
            for attribute in it.attributes
            for a in attribute.arguments
        )
        return _IN_TEMPLATE if dependent and not last_attribute_wins(env) else ""

    def _has_same_parameters(
        self, there: LocatedItem, it: KernelDeclaration, placed: LocatedItem, function: Function
    ) -> bool | None:
        """Whether it declares what the function takes; None: that is not known."""
        if it.parameters is None:
            return None
        if there.scope_path(it.owner) != placed.scope_path(function.owner) or len(it.parameters) != len(
            function.parameters
        ):
            return False
        if _normalized_parameter_types(it.parameters, it.template) == _normalized_parameter_types(
            function.parameters, function.template
        ):
            return True
        if function.template:
            return None
        env = self.own.inside.env
        ours = _resolve_parameter_types(
            function.parameters, ItemScope(env, placed, function.body.start, function.owner)
        )
        its = _resolve_parameter_types(it.parameters, ItemScope(env, there, it.site.start, it.owner))
        return ours == its if ours is not None and its is not None else None


def _attributed_declaration(
    own: AttributedDeclaration, there: LocatedItem, it: KernelDeclaration, bindings: Bindings, doubt: str
) -> AttributedDeclaration:
    env = own.inside.env
    inside = InstanceContext(
        env, there, None, bindings, lambda offset: ItemScope(env, there, offset, it.owner, bindings)
    )
    return AttributedDeclaration(inside, it.attributes, it.site.start, False, own.name, doubt)


def _declarations_of_specialized_template(
    own: AttributedDeclaration, function: Function
) -> Iterator[AttributedDeclaration]:
    """What the template of a full specialisation says before it."""
    env = own.inside.env
    found = specialized_template(env, own.inside.placed, function)
    if found is None:
        yield from _declarations_of_undefined_template(own, function)
        return
    inside = InstanceContext(env, found.placed, found.function, found.instance.bindings)
    for it in effective_declarations(inside, found.function):
        if _position(it) < _position(own):
            yield replace(it, own=False, name=own.name)


def _declarations_of_undefined_template(
    own: AttributedDeclaration, function: Function
) -> Iterator[AttributedDeclaration]:
    """The same of a template that is not defined in sight."""
    env, placed = own.inside.env, own.inside.placed
    sites = (it.site for it in env.uses(function.name) if it.placed is placed and it.site.start == own.start)
    given = next((it.template for it in sites), None) or ()
    here = ItemScope(env, placed, own.start, function.owner)
    path = placed.scope_path(function.owner)
    each = [
        (s, it)
        for s, it in env.bodiless_kernel_declarations(function.name)
        if it.template and s.scope_path(it.owner) == path
    ]
    several = len({_normalized_parameter_types(it.parameters or (), it.template) for _, it in each}) > 1
    for there, it in reversed(each):
        bindings = bind_template(it.template or (), given, here, ItemScope(env, there, it.site.start, it.owner))
        declared = _attributed_declaration(own, there, it, bindings, _WHICH if several else "")
        if env.holds(there.conditions, there.order) is not False and _position(declared) < _position(own):
            yield declared


def _is_surely_compiled(env: Environment, placed: LocatedItem, function: Function) -> bool:
    return env.holds((*placed.conditions, *function.conditions), placed.order) is True


def _template_parameter_names(template: Sequence[str] | None) -> list[str]:
    return [parse_template_parameter(it).name for it in template or ()]


def _normalized_parameter_types(parameters: Sequence[Parameter], template: Sequence[str] | None) -> tuple[str, ...]:
    """As written, with a number for each parameter of the template."""
    numbers = {name: f"{index}T" for index, name in enumerate(_template_parameter_names(template)) if name}
    texts = (_WORD.sub(lambda match: numbers.get(match[0], match[0]), it.type) for it in parameters)
    return tuple("".join(it.split()) for it in texts)


def _resolve_parameter_types(parameters: Sequence[Parameter], scope: ItemScope) -> list[Type] | None:
    """None: one of them is not known."""
    found = [resolve_type(it.type, scope) for it in parameters]
    known = [it for it in found if isinstance(it, Type)]
    return known if len(known) == len(found) else None
