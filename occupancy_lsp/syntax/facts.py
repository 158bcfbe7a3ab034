"""What the text of one item says, before any name in it is looked up. Spans count from the item's first byte."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from occupancy_lsp.syntax.expressions import Expression


@dataclass(frozen=True, slots=True)
class Span:
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Argument:
    """An expression and where it stands."""

    span: Span
    value: Expression


# Preprocessor conditions under which something stands: each is the text of an #if and whether it must hold.
Conditions = tuple[tuple[str, bool], ...]


@dataclass(frozen=True, slots=True)
class Attribute:
    """`__launch_bounds__(256, 2)` and its like."""

    name: str
    span: Span
    arguments: tuple[Argument, ...]
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class TypeUse:
    """A type as written, without qualifiers; `pointer`: a pointer or reference to it."""

    text: str
    pointer: bool = False
    fields: tuple[Field, ...] | None = None  # of a struct or union defined on the spot
    union: bool = False


@dataclass(frozen=True, slots=True)
class Field:
    """A member or variable: its type, array extents, requested alignment."""

    name: str
    span: Span
    type: TypeUse
    extents: tuple[Expression, ...]
    alignment: Expression | None
    bits: bool = False


@dataclass(frozen=True, slots=True)
class LocalArray:
    """A `__shared__` variable. `dynamic`: sized at launch. `uses`: how often its name stands elsewhere.

    `reads`: uses other than being assigned to; what is only written, the compiler leaves out.
    """

    field: Field
    dynamic: bool
    uses: int
    reads: int
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class Definition:
    """A name with a constant value: macro, constexpr, const or enumerator.

    `scope`: the braces within which it holds; None: the whole file. `owner`: the class or enum around it.
    """

    name: str
    kind: Literal["macro", "constant", "variable", "parameter"]
    value: Expression
    start: int
    scope: Span | None
    owner: tuple[str, ...]
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """A struct, union, enum or alias. `fields` None: not a plain aggregate, so its size is not known."""

    name: str
    fields: tuple[Field, ...] | None
    union: bool
    alias: TypeUse | None
    alignment: Expression | None
    scope: Span | None
    conditions: Conditions
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Function:
    """A function with a body. `kernel`: marked `__global__`."""

    name: str
    owner: tuple[str, ...]
    kernel: bool
    name_span: Span
    head: Span  # from its first word to before the body's brace
    body: Span
    template: tuple[str, ...] | None  # parameter names of its template
    attributes: tuple[Attribute, ...]
    arrays: tuple[LocalArray, ...]
    unread_arrays: int  # `__shared__` declarations that could not be read
    calls: frozenset[str]  # what it calls, without template arguments; a method starts with a dot
    names: frozenset[str]  # every identifier in it
    conditions: Conditions
    local_parameters: bool = False  # OpenCL: a parameter points to local memory that the host sizes


@dataclass(frozen=True, slots=True)
class FunctionMacro:
    """A macro with parameters: what its body calls and names, and whether it declares local memory."""

    name: str
    calls: frozenset[str]
    names: frozenset[str]
    local_memory: bool


@dataclass(frozen=True, slots=True)
class Launch:
    """`kernel<<<grid, block, bytes, stream>>>(…)`; `configuration` spans the text between the chevrons."""

    kernel: str
    span: Span
    configuration: Span
    grid: Argument
    block: Argument
    dynamic: Argument | None
    conditions: Conditions


@dataclass(frozen=True, slots=True)
class Comment:
    """A comment that speaks to us: the text after `occupancy:` and where that text stands."""

    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class OptIn:
    """A kernel is allowed more dynamic local memory; `kernel` "" where it cannot be told which."""

    kernel: str
    bytes: Argument | None


@dataclass(frozen=True, slots=True)
class ItemFacts:
    functions: tuple[Function, ...] = ()
    launches: tuple[Launch, ...] = ()
    unread_launches: int = 0
    definitions: tuple[Definition, ...] = ()  # that hold in the whole file
    locals: Mapping[str, tuple[Definition, ...]] = field(default_factory=dict)  # by name, that hold within braces
    types: tuple[TypeDefinition, ...] = ()
    macros: tuple[FunctionMacro, ...] = ()
    arrays: tuple[LocalArray, ...] = ()  # `__shared__` outside of any function
    comments: tuple[Comment, ...] = ()
    opt_ins: tuple[OptIn, ...] = ()
    undefined: tuple[str, ...] = ()  # names that #undef takes away
    opened: tuple[str, ...] = ()  # the namespaces that this item opens
    branches: tuple[tuple[str, str], ...] = ()  # ("if"|"elif"|"else"|"endif", condition) lines left unmatched
    packs: bool = False  # `#pragma pack`: structs are not laid out as usual
