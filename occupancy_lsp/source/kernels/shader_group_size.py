"""The size of a work-group that a shader's text says itself: GLSL's `layout(local_size_x = …) in;`, wherever it stands.

An axis that nothing is said of has 1. One that a specialization constant gives is open, as a pipeline sets it; what the
text has for it by default is told as such. `local_size_x_id` alone has 1 by default, which nobody means.
"""

from __future__ import annotations

from collections.abc import Sequence

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.source.kernels.kernel_attributes import PERHAPS, EffectiveAttribute
from occupancy_lsp.source.lex.dialect import given_constant_name
from occupancy_lsp.source.lower.glsl_globals import specialization_constant_name
from occupancy_lsp.source.lower.symbol_table import FoundDefinition
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.expression_nodes import Number
from occupancy_lsp.source.syntax.known_value import ONE, Dimensions, Place, Value, product_of_dimensions, unknown

_AXES = ("local_size_x", "local_size_y", "local_size_z")
_WORDS = frozenset((*_AXES, *(f"{axis}_id" for axis in _AXES)))
_UNSAID = "no layout in sight says it"
_OUT_OF_SIGHT = "a header that is not in sight, or a macro, may say it"


@dataclass(frozen=True, slots=True)
class DefaultSize:
    """Threads of a work-group where a pipeline leaves the specialization constants as the text has them."""

    threads: int
    constants: tuple[str, ...]  # their ids

    @property
    def origin_text(self) -> str:
        several = len(self.constants) > 1
        return f"the default of constant{'s' if several else ''} {', '.join(self.constants)}"


def group_size_of_shader(env: Environment, name: Place) -> tuple[Place, Dimensions]:
    """`name`: where the entry point's stands, which is the place of a size that is not written out in the file."""
    own = (it for axis in _AXES for it in env.own.definitions.get(axis, ()) if it in _definitions_in_force(env, axis))
    written = ((it.placed.slot, it.definition.value) for it in own if isinstance(it.definition.value, Number))
    place = next((Place(slot, value.start, value.end) for slot, value in written), name)
    x, y, z = (_axis_size(env, axis) for axis in _AXES) if _is_size_declared(env) else (unknown(_UNSAID),) * 3
    return place, (x, y, z)


def default_size_of_shader(env: Environment) -> DefaultSize | None:
    """None: no constant decides it, or its default is not known."""
    ids = {axis: _constant_of_axis(env, axis) for axis in _AXES}
    constants = tuple(dict.fromkeys(str(it.number) for it in ids.values() if it is not None))
    x, y, z = (_axis_size(env, axis) if it is None else _default_axis_size(env, axis, it) for axis, it in ids.items())
    return _default_if_known((x, y, z), constants)


def default_size_by_attribute(env: Environment, size: EffectiveAttribute, block: Dimensions) -> DefaultSize | None:
    """The same of a size whose axes are overrides by themselves; None also where more decides it."""
    named = [it.text.strip() for it in size.attribute.arguments]
    opened = [name for name, axis in zip(named, block, strict=False) if axis.number is None]
    each = [
        axis
        if axis.number is not None
        else _common_value(env, _definitions_in_force(env, specialization_constant_name(name)))
        for name, axis in zip((*named, "", ""), block, strict=False)
    ]
    x, y, z = (it or unknown("it has no default") for it in each)
    return _default_if_known((x, y, z), tuple(dict.fromkeys(opened)))


def _default_if_known(block: Dimensions, constants: tuple[str, ...]) -> DefaultSize | None:
    threads = product_of_dimensions(block).number
    told = bool(constants and threads) and all((it.number or 0) > 0 for it in block)
    return DefaultSize(threads, constants) if threads and told else None


def _is_size_declared(env: Environment) -> bool:
    """Whether anything is said of the size. If not, it is 1 by the language, which nobody means: a host puts what says
    it before the text, as ncnn's does."""
    return any(_definitions_in_force(env, name) for name in _WORDS)


def _axis_size(env: Environment, axis: str) -> Value:
    constant = _common_value(env, _definitions_in_force(env, f"{axis}_id"))
    if constant is not None:
        given = env.predefined(given_constant_name(str(constant.number)))
        if given is not None:
            return Value(given)
        which = "a specialization constant" if constant.number is None else f"specialization constant {constant.number}"
        return unknown(f"{axis} is {which}")
    said = _common_value(env, _definitions_in_force(env, axis))
    return said or (
        ONE if not env.may_miss_headers and not env.macros_containing_words(_WORDS) else unknown(_OUT_OF_SIGHT)
    )


def _default_axis_size(env: Environment, axis: str, constant: Value) -> Value:
    said = _common_value(env, _definitions_in_force(env, specialization_constant_name(str(constant.number))))
    said = said or _common_value(env, _definitions_in_force(env, axis))
    return said or unknown("its default is 1, which is not meant")


def _constant_of_axis(env: Environment, axis: str) -> Value | None:
    """The id of the constant that gives an axis, if it is not said what pipelines set it to."""
    found = _common_value(env, _definitions_in_force(env, f"{axis}_id"))
    given = found is not None and env.predefined(given_constant_name(str(found.number))) is not None
    return None if given else found


def _definitions_in_force(env: Environment, name: str) -> Sequence[FoundDefinition]:
    """Those that may hold."""
    return [
        it
        for it in env.definitions(name)
        if env.holds((*it.placed.conditions, *it.definition.conditions), it.placed.order) is not False
    ]


def _common_value(env: Environment, said: Sequence[FoundDefinition]) -> Value | None:
    """What all of them say together; None: there are none."""
    if not said:
        return None
    sure = all(env.holds((*it.placed.conditions, *it.definition.conditions), it.placed.order) for it in said)
    values = [evaluate(it.definition.value, ItemScope(env, it.placed, it.definition.start)) for it in said]
    open_one = next((it for it in values if it.number is None), None)
    if open_one is not None:
        return open_one
    if not sure:
        return Value(None, PERHAPS)
    return values[0] if len({it.number for it in values}) == 1 else unknown("it is said twice, and differently")
