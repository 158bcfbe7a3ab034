"""The values of expressions in the text of a kernel, and what assignments to them do, for each of its threads."""

from __future__ import annotations

from dataclasses import field, replace
from math import frexp

from tree_sitter import Node

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.polynomials import Polynomial, constant, number, symbol
from occupancy_lsp.source.kernels.thread_value_graph import Array, Computed, Graph, Unfollowable
from occupancy_lsp.source.lower.calls import split_name
from occupancy_lsp.source.sema.constant_evaluation import evaluate
from occupancy_lsp.source.sema.scope import ItemScope
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.sema.types import layout_of, resolve_type
from occupancy_lsp.source.syntax.expression_nodes import Name
from occupancy_lsp.source.syntax.parser import indices_of, text

_MOST_STEPS = 1000  # expressions and statements, in every turn of a loop
_MOST_DEEP = 100
_BEYOND = 1 << 64
_REAL = regex(r"((?:\d+\.\d*|\.\d+|\d+(?=[eE]|[fFhH]\Z))(?:[eE][-+]?\d+)?)([fFhH]?)\Z")
_WHOLE = regex(r"(0[xX][0-9a-fA-F]+|0|[1-9]\d*)[uUlL]*\Z")
_INTEGER = regex(r"(?:(?:un)?signed )?(?:char|short|int|long(?: long)?)|u(?:char|short|int|long)|bool|size_t")
_NARROW = regex(r"char|short|bool|int(?:8|16)_t")
_PRECISIONS = {"float": "fp32", "double": "fp64"}
_SUFFIXES = {"f": "fp32", "h": "fp16", "": "fp64"}
_PLACES = {"threadIdx": "@t", "blockIdx": "@b", "blockDim": "#d", "gridDim": "#n"}
_NUMBERS = {
    "get_global_id": ("@g",),
    "get_local_id": ("@t",),
    "get_group_id": ("@b",),
    "get_local_size": ("#d",),
    "get_num_groups": ("#n",),
    "get_global_size": ("#d", "#n"),
}
_FUSED = frozenset(("fma", "fmaf", "__fmaf_rn", "__fma_rn", "mad"))
_ARITHMETIC = frozenset("+-*/")


@dataclass(slots=True)
class Thread:
    """`known`: what variables hold, and `kinds` their types. `steps`: what was followed, and `deep` in how much."""

    env: Environment
    body: FunctionInstance
    graph: Graph = field(default_factory=Graph)
    known: dict[str, Computed | Array] = field(default_factory=dict)
    kinds: dict[str, str] = field(default_factory=dict)
    steps: int = 0
    deep: int = 0

    @property
    def scope(self) -> ItemScope:
        return self.body.scope(self.env, self.body.function.body.start)

    def given(self, name: str, kind: str) -> Computed | Array:
        """What a parameter is."""
        if not kind.endswith("*"):
            precision = self._precision(kind)
            return Computed(precision, name=name) if precision else Computed(whole=symbol(name))
        element = resolve_type(kind[:-1], self.scope)
        layout = element if isinstance(element, str) else layout_of(element, self.scope)
        if isinstance(layout, str):
            raise Unfollowable(f"{layout} is not known")
        return Array(name, layout.size, self._precision(kind[:-1]))

    def _precision(self, kind: str) -> str:
        """Of a type; "" of whole numbers."""
        found = resolve_type(kind, self.scope)
        if isinstance(found, str):
            raise Unfollowable(f"{found} is not known")
        if self.scope.builtins and found.name == "half":
            return "fp16"
        if found.name not in _PRECISIONS and not found.enum and not _INTEGER.fullmatch(found.name):
            raise Unfollowable(f"operations with {found.name} are not followed")
        return _PRECISIONS.get(found.name, "")

    def declare(self, name: str, kind: str, value: Computed | Array) -> None:
        if name in self.known or self.scope.macro_texts(name):
            raise Unfollowable(f"{name} is defined twice")
        self.kinds[name] = kind
        self.known[name] = value

    def _set(self, name: str, value: Computed) -> None:
        kind = self.kinds.get(name, "")
        if not isinstance(self.known.get(name), Computed) or kind.endswith(("*", "&")):
            raise Unfollowable(f"{name} is not a number of its own")
        self.known[name] = value if kind == "auto" else self.converted(value, kind)

    def converted(self, value: Computed, kind: str) -> Computed:
        precision = self._precision(kind)
        if precision == value.precision:
            return replace(value, whole=None) if _NARROW.search(kind) else value
        if not precision:
            return Computed(node=value.node, name=value.name)
        fixed = constant(value.whole) if value.whole is not None else None
        return replace(value, precision=precision, fixed=value.fixed if fixed is None else float(fixed))

    def effect(self, node: Node) -> None:
        """Of an expression that stands for itself."""
        self.step()
        if node.type == "comma_expression":
            for it in node.named_children:
                self.effect(it)
        elif node.type == "update_expression":
            target = node.child_by_field_name("argument")
            self._assign(target, "+" if "++" in text(node) else "-", Computed(whole=number(1)))
        elif node.type == "assignment_expression":
            operator = text(node.child_by_field_name("operator") or node).removesuffix("=")
            self._assign(node.child_by_field_name("left"), operator, self.value(node.child_by_field_name("right")))
        else:
            raise Unfollowable(f"what {text(node)[:40]} does is not followed")

    def _assign(self, target: Node | None, operator: str, value: Computed) -> None:
        """`operator`: of `+=` and the like; "": none."""
        if target is not None and target.type == "identifier":
            name = text(target)
            self._set(name, self._combined(operator, self.value(target), value) if operator else value)
            return
        array, index, said = self._element(target)
        if operator:
            value = self._combined(operator, self.graph.read(array, index, said), value)
        self.graph.write(array, index, value, said)

    def _element(self, node: Node | None) -> tuple[Array, Polynomial | None, str]:
        name = (
            node.child_by_field_name("argument") if node is not None and node.type == "subscript_expression" else None
        )
        array = self.known.get(text(name)) if name is not None else None
        indices = indices_of(node) if node is not None else []
        if node is None or not isinstance(array, Array) or len(indices) != 1:
            raise Unfollowable(f"what {text(node)[:40] if node is not None else 'it'} stands for is not followed")
        index = self.value(indices[0])
        return array, None if index.precision or index.node is not None else index.whole, text(node)

    def value(self, node: Node | None) -> Computed:
        self.step()
        self.deep += 1
        found = self._expression(node) if node is not None else Computed()
        self.deep -= 1
        return found

    def _expression(self, node: Node) -> Computed:
        match node.type:
            case "number_literal":
                return _literal(text(node))
            case "identifier":
                return self._named(text(node))
            case "parenthesized_expression" if node.named_child_count == 1:
                return self.value(node.named_children[0])
            case "binary_expression":
                left, right, operator = operands(node)
                return self._combined(operator, self.value(left), self.value(right))
            case "unary_expression":
                return self._signed(text(node)[0], self.value(node.child_by_field_name("argument")))
            case "cast_expression":
                kind = node.child_by_field_name("type")
                return self.converted(self.value(node.child_by_field_name("value")), text(kind) if kind else "")
            case "subscript_expression":
                return self.graph.read(*self._element(node))
            case "field_expression":
                return _place(text(node))
            case "call_expression":
                return self._called(node)
        raise Unfollowable(f"what {text(node)[:40]} stands for is not followed")

    def _named(self, name: str) -> Computed:
        found = self.known.get(name)
        if isinstance(found, Computed):
            return found
        macro = self.scope.macro_text(name) if found is None else None
        if macro is not None and _REAL.match(macro.strip()):
            return _literal(macro.strip())
        value = evaluate(Name((name,)), self.scope).number if found is None else None
        if value is None:
            raise Unfollowable(f"the value of {name} is not known")
        return Computed(whole=number(value))

    def _signed(self, sign: str, value: Computed) -> Computed:
        """A change of sign is part of the operation that takes the value."""
        if sign == "-" and not value.precision:
            return self.graph.whole("-", Computed(whole=number(0)), value)
        if sign not in "+-":
            return Computed(node=value.node)
        fixed = -value.fixed if value.fixed is not None and sign == "-" else value.fixed
        return replace(value, fixed=fixed)

    def _called(self, node: Node) -> Computed:
        name, _ = split_name(text, node.child_by_field_name("function"))
        given = node.child_by_field_name("arguments")
        arguments = given.named_children if given is not None else []
        if self.env.has_function(name) or self.env.macro_forms(name, self.body.placed.order):
            raise Unfollowable(f"what {name} does is not followed")
        if name in _NUMBERS and self.scope.builtins:
            dimension = constant_of(self.value(arguments[0])) if len(arguments) == 1 else None
            if dimension not in (0, 1, 2):
                return Computed()
            parts = [Computed(whole=symbol(f"{part}{dimension}")) for part in _NUMBERS[name]]
            return parts[0] if len(parts) == 1 else self.graph.whole("*", *parts)
        if name in _FUSED and len(arguments) == 3:
            values = [_real(self.value(it)) for it in arguments]
            if any(it.precision for it in values) and not all(it.fixed is not None for it in values):
                return self.graph.arithmetic("fma", values, 2)
        raise Unfollowable(f"how many operations {name} takes is not known")

    def _combined(self, operator: str, a: Computed, b: Computed) -> Computed:
        if not a.precision and not b.precision:
            return self.graph.whole(operator, a, b)
        if operator not in _ARITHMETIC:
            raise Unfollowable("what it does depends on its data")
        a, b = _real(a), _real(b)
        if a.fixed is not None and b.fixed is not None:
            raise Unfollowable("it computes with constants alone")
        if operator == "/" and (b.fixed is None or abs(frexp(b.fixed)[0]) != 0.5):
            raise Unfollowable("how many operations a division takes is not known")
        return self.graph.arithmetic(operator, (a, b))

    def step(self) -> None:
        self.steps += 1
        if self.steps > _MOST_STEPS or self.deep > _MOST_DEEP:
            raise Unfollowable("it is too long to be followed")


def operands(node: Node) -> tuple[Node | None, Node | None, str]:
    left, right, operator = (node.child_by_field_name(it) for it in ("left", "right", "operator"))
    return left, right, text(operator) if operator is not None else ""


def constant_of(value: Computed) -> int | None:
    return constant(value.whole) if value.whole is not None and not value.precision else None


def _real(value: Computed) -> Computed:
    """With the number that a whole constant becomes."""
    known = constant_of(value)
    return value if known is None else replace(value, fixed=float(known))


def _place(said: str) -> Computed:
    """`threadIdx.x`"""
    built_in, _, dimension = said.partition(".")
    if built_in not in _PLACES or dimension not in ("x", "y", "z"):
        raise Unfollowable(f"the value of {said[:40]} is not known")
    return Computed(whole=symbol(f"{_PLACES[built_in]}{'xyz'.index(dimension)}"))


def _literal(said: str) -> Computed:
    if whole := _WHOLE.match(said):
        if (value := int(whole[1], 0)) >= _BEYOND:
            raise Unfollowable("it has a number that no integer can hold")
        return Computed(whole=number(value))
    if real := _REAL.match(said):
        return Computed(_SUFFIXES[real[2].lower()], fixed=float(real[1]))
    raise Unfollowable(f"the value of {said[:40]} is not known")
