"""Integer constant expressions as trees."""

from __future__ import annotations

from occupancy_lsp.core.record import Alternative
from occupancy_lsp.source.syntax.integer_types import Integer, IntegerType

ELEMENTS = 3  # of an array of sizes, that are followed
NOWHERE = 1 << 40  # beyond the end of every item


class Number(Alternative, frozen=True):
    """`suffix`: of its literal, `u` or `ll`; it gives the type, with the value and whether it is written in decimal."""

    value: int
    start: int
    end: int
    suffix: str = ""
    decimal: bool = True


GLOBAL = ""  # stands before a `::` that nothing stands before


class Name(Alternative, frozen=True):
    """`ns::Type<int, 4>::value`: its parts, and the text of each part's template arguments. Of `::value` the first part
    is `GLOBAL`."""

    parts: tuple[str, ...]
    arguments: tuple[tuple[str, ...] | None, ...] = ()  # of each part; empty: no part has any
    enclosed: bool = False  # in parentheses, behind which a macro takes no arguments

    def __str__(self) -> str:
        return "::".join(self.parts)

    @property
    def qualifier(self) -> str:
        """All but the last part, as written."""
        return self._written_parts(len(self.parts) - 1)

    @property
    def written(self) -> str:
        return self._written_parts(len(self.parts))

    def _written_parts(self, count: int) -> str:
        given = self.arguments or (None,) * len(self.parts)
        pairs = zip(self.parts[:count], given, strict=False)
        return "::".join(part if args is None else f"{part}<{', '.join(args)}>" for part, args in pairs)


class Member(Alternative, frozen=True):
    """`object.field`"""

    object: Expression
    field: str


class Unary(Alternative, frozen=True):
    operator: str  # "+", "-", "!", "~", "cast" (to an integer) or "real" (a cast to a floating-point number)
    operand: Expression
    type: str = ""  # of a cast to an integer, what to


class Binary(Alternative, frozen=True):
    operator: str
    left: Expression
    right: Expression


class Conditional(Alternative, frozen=True):
    condition: Expression
    then: Expression
    otherwise: Expression


class Call(Alternative, frozen=True):
    """`name(arguments)` or `name{arguments}`; a bare `{…}` has the name "{}". `texts`: the arguments as written."""

    name: Name
    arguments: tuple[Expression, ...]
    texts: tuple[str, ...] = ()


class SizeOf(Alternative, frozen=True):
    """`sizeof(text)` or `alignof(text)`: `text` names a type or an object."""

    operator: str
    text: str


class MacroOperand(Alternative, frozen=True):
    """What a macro stands for, with an operator outside of all parentheses: `16 * 2`."""

    expression: Binary | Conditional


class ConvertedTo(Alternative, frozen=True):
    """A value as a variable of that type holds it; None: the type is out of sight."""

    expression: Expression
    type: IntegerType | None


def literal_from_integer(value: Integer) -> ConvertedTo:
    """Return it as an expression, written nowhere."""
    return ConvertedTo(Number(value.number, 0, 0), value.type)


class Enumerator(Alternative, frozen=True):
    """Of an enumeration without a type of its own: the values of `deciding`, some of its enumerators, give it one."""

    value: Expression
    deciding: tuple[str, ...]


class UnreadableExpression(Alternative, frozen=True):
    """Of no value that is known, for `reason`. `said`: what a pointer or reference is made from and always is. `real`:
    what a floating-point literal is."""

    reason: str
    said: str = ""
    real: float | None = None

    @property
    def is_unsteady(self) -> bool:
        """Whether it may be another value at the next look."""
        return " may " in self.reason


class SpecializationConstant(UnreadableExpression, frozen=True):
    """A constant of a shader that a pipeline sets. `id`: what the pipeline calls it."""

    id: str = ""


UNSET = UnreadableExpression("has no initial value")


class UnknownObjectPart(Alternative, frozen=True):
    """`p->n`, `sizes[i]`, `tensor.size(0)`: no number that the text shows, made of these parts."""

    parts: tuple[Expression, ...]


class BranchTaken(Alternative, frozen=True):
    """A branch that is taken where `condition`, read at `tested`, is as `wanted`."""

    condition: UnparsedText
    tested: int
    wanted: bool


class OneOfAssignments(Alternative, frozen=True):
    """One of what the assignments to a variable gave it: which, depends on the way taken, for `reason`.

    `value`: what the assignment at `start`, which says so, gives it. `ways`: the branches that alone lead to it;
    nothing where something else decides, too.
    """

    reason: str
    value: Expression
    start: int
    ways: tuple[BranchTaken, ...] = ()


class ObjectWithMember(Alternative, frozen=True):
    """An object as it was, but for one member, or for one element of a member."""

    whole: Name
    member: str  # `threads`, `sizes[1]`
    value: Expression


class AfterCall(Alternative, frozen=True):
    """What a variable was before, unless the function it was given to, as argument `index`, may have changed it."""

    callee: str
    index: int


class OutParameterValue(Alternative, frozen=True):
    """What a call has given a variable when it returns, where the function's text shows that it gives it something."""

    call: AfterCall


class UnparsedText(Alternative, frozen=True):
    """Text of an expression that is parsed when somebody asks; most variables' values nobody does."""

    text: bytes
    base: int


Expression = (
    UnparsedText
    | AfterCall
    | OutParameterValue
    | Number
    | Name
    | Member
    | Unary
    | Binary
    | Conditional
    | Call
    | SizeOf
    | MacroOperand
    | ConvertedTo
    | Enumerator
    | UnknownObjectPart
    | OneOfAssignments
    | ObjectWithMember
    | UnreadableExpression
)


def array_element_name(array: str, index: int) -> str:
    """What an element of an array is called where it is followed as a variable of its own."""
    return f"{array}[{index}]"
