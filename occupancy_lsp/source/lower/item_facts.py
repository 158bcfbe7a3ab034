"""What the text of one item says, before any name in it is looked up. Spans count from the item's first byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property
from typing import Literal

from occupancy_lsp.core.defects import Defect
from occupancy_lsp.core.query import Beside
from occupancy_lsp.core.record import Record
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.syntax.expression_nodes import BranchTaken, Expression, UnparsedText

_NONE = Span(0, 0)


class Argument(Record, frozen=True):
    """An expression and where it stands. `text`: as written, of an annotation's."""

    span: Span
    value: Expression
    text: str = ""


# Preprocessor conditions under which something stands: each is the text of an #if and whether it must hold.
Conditions = tuple[tuple[str, bool], ...]
# A header that is not in sight: under which conditions it is included, and before which item.
AbsentHeader = tuple[Conditions, int]


class Attribute(Record, frozen=True):
    """`__launch_bounds__(256, 2)` and its like."""

    name: str
    span: Span
    arguments: tuple[Argument, ...]
    conditions: Conditions


class TypeUse(Record, frozen=True):
    """A type as written, without qualifiers; `pointer`: a pointer or reference to it.

    `refers`: a reference. `method`: a pointer to a method. `made`: the struct or union that is defined on the spot.
    """

    text: str
    pointer: bool = False
    refers: bool = False
    method: bool = False
    made: TypeDefinition | None = None


class Field(Record, frozen=True):
    """A member or variable: its type, its array extents, and the attributes that may align it, as written.

    `width`: of a bit-field. `overlaps`: others may stand in its padding, as `[[no_unique_address]]` allows. `hidden`:
    it is private or protected. `macro`: its type is the use of a macro, which may make members.
    """

    name: str
    span: Span
    type: TypeUse
    extents: tuple[Expression, ...]
    attributes: tuple[str, ...] = ()
    width: Expression | None = None
    initial: str = ""  # of a member, the text of its default, in braces where it is written so
    hidden: bool = False
    conditions: Conditions = ()  # of a member, those inside its class
    macro: bool = False


class LocalArray(Record, frozen=True):
    """A `__shared__` variable. `dynamic`: sized at launch. `uses`: how often its name stands elsewhere.

    `uses`: where its name stands elsewhere. `reads`: those that are not plain assignments to it; what is only written,
    the compiler leaves out. `stored`: something may be written to it; what is never, AMD's leaves out too.
    """

    field: Field
    dynamic: bool
    uses: tuple[int, ...]
    reads: tuple[int, ...]
    conditions: Conditions
    points: bool = False  # a pointer to what is so annotated, as OpenCL reads it, rather than a variable there
    stored: bool = True
    volatile: bool = False


Effect = Literal["", "written", "changed", "volatile"]
# Where values go, beside names: to what can be observed, and to the caller.
EFFECT, RESULT = "()", "return"


def call_destination(name: str) -> str:
    """Return what stands for a call, whose result nothing takes, among the places where values go."""
    return name + EFFECT


def pointee_destination(parameter: str) -> str:
    """Return what stands for what a parameter points or refers to, among the places where values go."""
    return f"*{parameter}"


def reaches_caller(place: str) -> bool:
    """Return whether a value goes there that the caller gets, or a part of it."""
    return place.startswith(RESULT) and place[len(RESULT) : len(RESULT) + 1] in ("", "{", "[", ".")


class ValueDestination(Record, frozen=True):
    """Where a value goes, as in `ArrayAccess.reaches`, if the text at each of the places `under` is compiled."""

    to: str
    under: tuple[int, ...]


# Where a value goes, and where else it does if other text is compiled.
Destinations = tuple[frozenset[str], tuple[ValueDestination, ...]]


def _no_destinations() -> Destinations:
    return frozenset(), ()


class ArrayAccess(Record, frozen=True):
    """A place where a function names a shared array, a pointer parameter, a pointer made of one, or a macro.

    `path`: the members and indices behind it, `.x`, `[i + 1]`, `[*]` for a `*` before; `added`: the texts of what is
    added to it behind these, as far as they name something; `address`: its address is taken; `callee`: the function or
    macro in whose arguments it stands, `asm` for an operand. `effect`: it is written to and not read, it is read and
    written to, or it is `volatile`. `destinations`: where the value of what it is part of goes, worked out when
    somebody asks: `EFFECT`, `RESULT` with the part of it that it is, `call_destination` the statement's call,
    `pointee_destination` a parameter, or shared arrays and pointers that it is stored to.
    """

    name: str
    start: int
    path: tuple[str, ...]
    added: tuple[str, ...]
    address: bool
    callee: str
    effect: Effect = ""
    destinations: Callable[[], Destinations] = _no_destinations

    @property
    def sure_destinations(self) -> frozenset[str]:
        return self.destinations()[0]

    @property
    def indices(self) -> tuple[str, ...]:
        return tuple(it for it in self.path if it.startswith("["))

    def is_address(self, extents: int) -> bool:
        """Return whether it is an address, of a variable of so many extents, and no element."""
        return self.address or len(self.indices) < extents


class VariableAssignment(Record, frozen=True):
    """What a variable is given there: the names in it, none where it is a constant. `points`: it declares a pointer.
    `literal`: the number, if all of it gets nothing else; `texts`: the expressions that its value hangs on."""

    name: str
    start: int
    words: frozenset[str]
    points: bool
    literal: float | None = None
    texts: tuple[str, ...] = ()


class ElementHandling(Record, frozen=True):
    """What a text does with the elements of an array.

    `picked`: by an index that may vary; `recast`: their bytes read as these types; `given`: to these functions or
    macros, as the argument at an index; `lost`: out of sight.
    """

    picked: bool = False
    recast: tuple[str, ...] = ()
    given: tuple[tuple[str, int], ...] = ()
    lost: bool = False


class PrivateArray(Record, frozen=True):
    """A variable of a function that is, or may hold, an array."""

    field: Field
    handling: ElementHandling
    conditions: Conditions


class DynamicallyIndexedArray(Record, frozen=True):
    """A kernel's own array that is surely picked by an index which only the running kernel knows."""

    field: Field
    conditions: Conditions


class Definition(Record, frozen=True):
    """A name with a constant value: macro, constexpr, const or enumerator.

    `scope`: the braces within which it holds; None: the whole file. `owner`: the class or enum around what holds in the
    whole file. What is "narrowed" was tested: no new value, but what the one before turned out to be.
    """

    name: str
    kind: Literal["macro", "constant", "variable", "parameter", "narrowed"]
    value: Expression
    start: int
    scope: Span | None
    owner: tuple[str, ...]
    conditions: Conditions
    type: str = (
        ""  # of a variable or parameter, with a star for each pointer; of a template parameter or macro its text
    )
    declares: bool = True  # not only tells of a change
    array: str = ""  # of an array its own type, `float[8]`, where `type` is that of a pointer to its elements


class ClassTraits(Record, frozen=True):
    """What of a class decides its layout besides its fields. `virtual`: which of the bases are virtual, by index.

    `constructors`: the parameter lists of those declared in it; None: an #if decides what it consists of.
    `dynamic`: it declares virtual functions. `pod`: whether its own text leaves it plain old data, whose padding is its
    own; None: that hangs on the language's version, or on which compiler it is.
    """

    bases: tuple[str, ...] = ()
    virtual: tuple[int, ...] = ()
    constructors: tuple[str, ...] | None = ()
    dynamic: bool = False
    pod: bool | None = True


_NO_CLASS = ClassTraits()


class TypeDefinition(Record, frozen=True):
    """A struct, union, enum or alias. `fields` None: they cannot be read, so its size is not known.

    `attributes`: those that may align or pack it, as written. `template`: the texts of its template parameters;
    `specialises`: the arguments that a specialisation is for. `text`: of a class, as written but for what its functions
    do. `split`: preprocessor lines stand in it, and `text` lacks the members that are macros.
    """

    name: str
    fields: tuple[Field, ...] | None
    union: bool
    alias: TypeUse | None
    attributes: tuple[str, ...]
    scope: Span | None
    conditions: Conditions
    owner: tuple[str, ...] = ()
    template: tuple[str, ...] | None = None
    specialises: tuple[str, ...] | None = None
    traits: ClassTraits = _NO_CLASS
    body: Span = _NONE
    enum: bool = False
    extents: tuple[Expression, ...] = ()  # of an alias for an array
    tag: bool = False  # the name stands behind `struct`, `union` or `enum`: in C another may be a typedef's
    enumerators: tuple[str, ...] = ()  # whose values decide the type of an enum, of those that are no plain numbers
    text: str = ""
    split: bool = False

    @property
    def repeats_tag(self) -> bool:
        """Whether it names a type as its tag does, and says no more of it."""
        alias = self.alias
        plain = alias is not None and alias.text == self.name and not (alias.pointer or alias.made)
        return plain and not (self.tag or self.extents or self.attributes)


class CallSite(Record, frozen=True):
    """A call, a launch or a mention of `name<template>(arguments)`, all as written.

    `name` has no template arguments; a method's starts with a dot. `arguments` None: not called here.
    `on`: the class before `::`, or the object before the dot, with its template arguments, or the call whose result
    is called.
    """

    name: str
    template: tuple[str, ...] | None
    arguments: tuple[str, ...] | None
    start: int
    on: str = ""

    @property
    def unqualified_name(self) -> str:
        """The last part of the name."""
        return self.name.rsplit("::", 1)[-1].lstrip(".")


class Branch(Record, frozen=True):
    """Text that runs only if `condition` comes out as `wanted`. `hidden`: that is the macro which may govern it.

    `tested`: where that is known of the variables in it which holds when it is worked out, and nothing that it tells.
    """

    span: Span
    condition: UnparsedText
    tested: int
    wanted: bool
    constexpr: bool  # text that does not run is not compiled either
    at_run_time: bool = False  # only the running kernel knows
    hidden: bool = False


class Jump(Record, frozen=True):
    """A statement at `start` that leaves what is around it. `passed`: what it passes over, but for what branches tell
    so."""

    start: int
    passed: Span


class LeavingStatement(Record, frozen=True):
    """Text behind a statement at `start` that leaves what is around it: it is passed over where all `ways` to that are
    taken, and none of `calls`, of functions or macros, returns. `returns`: the statement leaves the function itself."""

    span: Span
    start: int
    ways: tuple[BranchTaken, ...]
    calls: tuple[CallSite, ...]
    returns: bool


class GivenToMacro(Record, frozen=True):
    """Text that a macro may leave out, or run under conditions: the macro's use, with a mark in its place."""

    span: Span
    use: str
    start: int


class ConditionalRegion(Record, frozen=True):
    """Text that may never run, other than under an `if`: a loop's body, a case, what follows `?`, `&&` or a return.

    `condition`: what comes out true where it runs, of a loop before its first round; None: none that could be worked
    out. `at_run_time`: only the running kernel knows whether. `conditions`: of the preprocessor, where that decides.
    """

    span: Span
    condition: Expression | None = None
    at_run_time: bool = False
    conditions: Conditions = ()


class NumberedBarrier(Record, frozen=True):
    """A hardware barrier that inline assembly names, `bar.sync 1, 64;`. `number` None: out of sight.

    `sure` False: it may take none.
    """

    start: int
    number: Expression | None
    sure: bool = True


class Parameter(Record, frozen=True):
    """A function's parameter: its type as written, with `*` and `&`; `default`: the text of its default.

    `alters`: what is given for it may be changed through it, being a reference to what is not const. `uses`: where its
    name stands in the body, but for plain assignments to it.
    """

    name: str
    type: str
    default: str | None
    alters: bool
    uses: tuple[int, ...] = ()
    volatile: bool = False

    @property
    def may_be_written(self) -> bool:
        """Whether the function may write to what is given for it, or to what that points to."""
        return self.alters or (self.type.endswith("*") and "const" not in self.type)


class Lambda(Record, frozen=True):
    """A lambda with `auto` parameters, of which each type of argument makes an instance.

    `parameters`: its list, whose start is where they are defined; `autos`: by index, those whose type is deduced;
    `names`: of all before a pack.
    What becomes of it: `called` with these arguments where it stands; `handed` to the call that starts there, as the
    argument at an index; or stored in `variable`, by its name and where that is defined, which stands at `uses`, too.
    """

    body: Span
    parameters: Span
    autos: tuple[tuple[int, str], ...]
    called: tuple[str, ...] | None
    handed: tuple[int, int] | None
    variable: tuple[str, int] | None
    uses: tuple[int, ...]
    names: tuple[str, ...] = ()


class Prototype(Record, frozen=True):
    """A function declared at file level without its body.

    `host_only`: as of `Function`. `kernel`: marked `__global__`. `static`: it means one of its own translation unit.
    `leaves`: as of `Function`.
    """

    name: str
    parameters: tuple[Parameter, ...]
    host_only: bool = False
    kernel: bool = False
    static: bool = False
    leaves: bool = False


class KernelDeclaration(Record, frozen=True):
    """A kernel declared without its body anywhere, or instantiated, with attributes.

    `site`: its name where it stands, and its template arguments where they are written. `owner`: the scopes around it
    inside the item. `template`: as of `Function`. `instantiates`: `template __global__ void k<int>(int*);`.
    `parameters`: None where a type stands for them.
    """

    site: CallSite
    owner: tuple[str, ...]
    template: tuple[str, ...] | None
    instantiates: bool
    parameters: tuple[Parameter, ...] | None
    attributes: tuple[Attribute, ...]


Space = Literal["host", "device", "both"]  # where a function runs: its execution space
TensorMemory = Literal["", "used", "allocated"]  # what a function's own text does with NVIDIA's tensor memory


class LocalAccessor(Record, frozen=True):
    """SYCL: local memory that the host asks for beside a launch: `extents` elements of a type as written.

    `extents` None: one. `named`: the text of the kernel or of its group names it; else a macro may. `stores`: where the
    kernel writes to an element, which no compiler leaves out if it may run.
    """

    name: str
    span: Span
    type: str
    extents: Argument | None
    conditions: Conditions
    named: bool = True
    stores: tuple[int, ...] = ()


class CommandGroup(Record, frozen=True):
    """What a SYCL command group hands its kernel. `opaque`: why there may be more local memory; "": there is not.

    `handler`: the name of the handler that it is made with; `names`: all that stand in it besides the kernel, and
    `calls` those that look like macros with arguments.
    """

    accessors: tuple[LocalAccessor, ...] = ()
    opaque: str = ""
    handler: str = ""
    names: frozenset[str] = frozenset()
    calls: frozenset[str] = frozenset()


class FunctionMemory(Record, frozen=True):
    """What a function's own text says of arrays and of memory that a work-group shares."""

    arrays: tuple[LocalArray, ...] = ()
    unread: str = ""  # why memory that it declares may not be among `arrays`; "": nothing makes that doubtful
    private: tuple[PrivateArray, ...] = ()
    pointers: tuple[tuple[str, ElementHandling], ...] = ()  # of parameters, what they point to
    picked: tuple[DynamicallyIndexedArray, ...] = ()  # of OpenCL's kernels
    indexed: frozenset[str] = frozenset()  # members that stand in it with an index behind them, and only so
    local_parameters: bool = False  # OpenCL: a parameter points to local memory that the host sizes
    shares_globals: bool = False  # what is in local memory stands outside of its language's functions
    tensor_memory: TensorMemory = ""


class FunctionSpecifiers(Record, frozen=True):
    """What a function's head says besides its name and its type."""

    attributes: tuple[Attribute, ...] = ()
    space: Space = "host"
    apart: bool = False  # never put in place of its call: what it is handed stays
    inlined: bool = False  # always put in place of its call
    static: bool = False  # at file level: no other translation unit can call it
    copied: bool = False  # each translation unit has its own: it is static, inline or a template, or in a class
    host: bool = False  # it has no shared arrays, and nothing in its head makes it one for devices
    host_only: bool = False  # its head says that code on a device cannot call it; another declaration may say more
    leaves: bool = False  # its head says that it never returns


class ControlFlow(Record, frozen=True):
    """What decides which of a function's text runs."""

    branches: tuple[Branch, ...] = ()
    passages: tuple[ConditionalRegion, ...] = ()
    jumps: tuple[Jump, ...] = ()  # of device code
    stops: tuple[LeavingStatement, ...] = ()  # of host code
    in_macros: tuple[GivenToMacro, ...] = ()  # of host code that is followed


class MentionsInBody(Record, frozen=True):
    """What a function calls and names."""

    names: frozenset[str] = frozenset()  # every identifier in it
    calls: tuple[CallSite, ...] = ()
    alone: tuple[CallSite, ...] = ()  # names that stand as statements: macros, where they are any
    loose: tuple[CallSite, ...] = ()  # what has a macro's name and arguments, and the grammar takes for something else
    otherwise: frozenset[str] = frozenset()  # names that it calls, and has in other places besides
    lambdas: tuple[Lambda, ...] = ()  # the generic ones in its body
    numbered: tuple[NumberedBarrier, ...] = ()


class FunctionTexts(Record, frozen=True):
    """The texts of a function off which more is read when somebody asks."""

    shown: tuple[tuple[bytes, Conditions], ...] = ()  # the body in pieces, where it is short enough to be worked out
    code: bytes | None = None  # of a short kernel without preprocessor lines, the body without comments and annotations
    device_code: bytes = b""  # unless `host`: its head and body, off which is read how it picks elements of arrays


class Function(Record, frozen=True, dict=True):
    """A function with a body. `kernel`: marked `__global__`.

    `returns`: its type as written, "" of a constructor. `initial`: of a constructor, what it gives its members: the
    texts in the parentheses or braces after each one's name, None where its body names it; None: any may be changed.
    """

    name: str
    owner: tuple[str, ...]
    kernel: bool
    name_span: Span
    head: Span  # from its first word to before the body's brace
    body: Span
    template: tuple[str, ...] | None  # parameter names of its template
    parameters: tuple[Parameter, ...]
    conditions: Conditions
    specifiers: FunctionSpecifiers
    memory: FunctionMemory
    flow: ControlFlow
    mentions: MentionsInBody
    texts: FunctionTexts
    returns: str = ""
    initial: tuple[tuple[str, tuple[str, ...] | None], ...] | None = None
    vendors: tuple[tuple[str, str], ...] = ()  # of OpenCL's kernels: whose extensions it uses, each with a word of them
    choosing: frozenset[str] = frozenset()  # of its template's parameters, those that stand in nothing but conditions
    in_place: bool = False  # a lambda that is a kernel: it is launched where it stands, and nothing else calls it
    group: CommandGroup | None = None  # of such a kernel

    @cached_property
    def remembered_answers(self) -> Beside:
        """What was worked out of it."""
        return Beside()

    def takes(self, count: int) -> bool:
        """Whether it can be called with so many arguments, those of a pack aside."""
        return len([p for p in self.parameters if p.default is None]) <= count <= len(self.parameters)


class FunctionMacro(Record, frozen=True):
    """A macro with parameters: what its body calls and names, and whether it declares local memory."""

    name: str
    parameters: tuple[str, ...]
    body: str
    calls: frozenset[str]
    names: frozenset[str]
    local_memory: bool
    start: int = 0
    conditions: Conditions = ()


class MacroChange(Record, frozen=True):
    """A directive that changes what a macro's name means other than to define it: `#undef`, `#pragma push_macro` or
    `#pragma pop_macro`."""

    name: str
    kind: Literal["undef", "push", "pop"]
    start: int
    conditions: Conditions


class ObjectExpression(Record, frozen=True):
    """An expression that is a variable, `k`, or a member of one, `p->k`.

    `local`: where the variable is declared in its item, and `kind` its type without stars; None: elsewhere. `owner`:
    the class of the function around it.
    """

    name: str
    members: str
    local: int | None
    kind: str
    owner: tuple[str, ...]

    @property
    def last(self) -> str:
        """The last part of its name, which every expression has that may mean the same object."""
        return (self.members or self.name).rpartition(".")[2]


class HeldKernelObject(Record, frozen=True):
    """OpenCL: what a variable or member is given: the kernel of that name, or what another holds; "", None: unknown."""

    holder: ObjectExpression
    kernel: str
    copied: ObjectExpression | None


class LaunchedCluster(Record, frozen=True):
    """The clusters that a launch may ask for. `sizes`: each under conditions: in x, y and z, or all in one, or None.

    Of a launch attribute, `around` are the words of the function that sets it up, `set_up` those that it hangs on.
    """

    sizes: tuple[tuple[Conditions, tuple[Argument, ...] | None], ...] = ()
    around: frozenset[str] = frozenset()
    set_up: frozenset[str] = frozenset()


_NO_CLUSTER = LaunchedCluster()


class Launch(Record, frozen=True):
    """`kernel<<<grid, block, bytes, stream>>>(…)`; `configuration` spans the text between the chevrons.

    `template`, `arguments`: the texts of the callee's template arguments (None: it has none) and of what it is given.
    `made`: the text of the callee where a macro with arguments makes its name; `kernel` is then "". `holder`:
    OpenCL's kernel object, which `kernel` is but the name of; `items`: OpenCL's global size. `by_units`: the grid is
    counted by the device's compute units. `variable`: the local variable or parameter that holds the kernel, or the
    choice between several, where more than its text is asked for; `kernel` is then "". `packed`: the text between the
    chevrons where a macro makes several arguments of it. `local`: the sizes that the statements before surely give to
    parameters. `body`: where that of the lambda begins that stands in it and is the kernel.
    """

    kernel: str
    span: Span
    configuration: Span
    grid: Argument
    block: Argument
    dynamic: Argument | None
    conditions: Conditions
    template: tuple[str, ...] | None = None
    arguments: tuple[str, ...] = ()
    made: str = ""
    holder: ObjectExpression | None = None
    cooperative: bool = False
    by_units: bool = False
    items: Argument | None = None
    variable: str = ""
    cluster: LaunchedCluster = _NO_CLUSTER
    packed: str = ""
    local: tuple[Argument, ...] = ()
    body: int | None = None


class WrapperCall(Record, frozen=True):
    """A call that may be given a kernel to launch it, or of a macro that launches one; `span`: the whole call.

    `kernels`: the names in quotes that what is called was made from, where they are that of what it launches.
    `statement`: of a macro that may stand for a part of a launch only, the whole of it.
    """

    site: CallSite
    span: Span
    conditions: Conditions
    kernels: tuple[str, ...] = ()
    statement: str = ""


class DirectiveComment(Record, frozen=True):
    """A comment that speaks to us: the text after `occupancy:` and where that text stands."""

    span: Span
    text: str


MAY_SPILL = "registers may be spilled there (enable_smem_spilling)"  # what makes a function's local memory open


class OptIn(Record, frozen=True):
    """A kernel is allowed more dynamic local memory; `kernel` "" where it cannot be told which."""

    kernel: str
    bytes: Argument | None
    conditions: Conditions
    template: tuple[str, ...] | None = None


class CarveoutCall(Record, frozen=True):
    """A share of a unit's memory that host code prefers as local memory; `kernel` None: for all, "": not known which.

    `percent`: -1 is no preference. `call`: the function that says it.
    """

    kernel: str | None
    span: Span
    call: str
    percent: Argument
    conditions: Conditions


class Include(Record, frozen=True):
    """`#include "path"` or, not `quoted`, `#include <path>`. `inside`: of a function, an enumeration or a type."""

    path: str
    quoted: bool
    conditions: Conditions
    inside: bool = False


class KernelMacroUse(Record, frozen=True):
    """Where a macro is used outside of functions that may make kernels, or functions that launch some, and the text
    there."""

    span: Span
    text: str
    conditions: Conditions


class LaunchingFacts(Record, frozen=True):
    """What host code in an item says of launches and of what they need."""

    launches: tuple[Launch, ...] = ()
    handings: tuple[WrapperCall, ...] = ()
    unread_launches: int = 0
    opt_ins: tuple[OptIn, ...] = ()
    carve_outs: tuple[CarveoutCall, ...] = ()
    held: tuple[HeldKernelObject, ...] = ()
    by_macros: tuple[KernelMacroUse, ...] = ()  # where macros may make functions that launch some


class DirectiveFacts(Record, frozen=True):
    """What preprocessor lines in an item say, but for the macros without parameters, which are definitions."""

    macros: tuple[FunctionMacro, ...] = ()
    macro_changes: tuple[MacroChange, ...] = ()
    includes: tuple[Include, ...] = ()
    branches: tuple[tuple[str, str], ...] = ()  # ("if"|"elif"|"else"|"endif", condition) lines left unmatched


_NO_LAUNCHES, NO_DIRECTIVES = LaunchingFacts(), DirectiveFacts()


class ItemFacts(Record, frozen=True, dict=True):
    """`defect`: why none of it could be read."""

    functions: tuple[Function, ...] = ()
    prototypes: tuple[Prototype, ...] = ()
    announced: tuple[KernelDeclaration, ...] = ()
    launching: LaunchingFacts = _NO_LAUNCHES
    directives: DirectiveFacts = NO_DIRECTIVES
    unread_kernels: tuple[tuple[Span, Conditions], ...] = ()  # what looks like one
    made: tuple[KernelMacroUse, ...] = ()  # where macros may make some
    definitions: tuple[Definition, ...] = ()  # that hold in the whole file
    scoped: tuple[Definition, ...] = ()  # that hold within braces, in the order of where they start
    types: tuple[TypeDefinition, ...] = ()
    arrays: tuple[LocalArray, ...] = ()  # `__shared__` outside of any function
    comments: tuple[DirectiveComment, ...] = ()
    mentions: tuple[CallSite, ...] = ()  # template functions named outside of calls: instantiated, or passed on
    special: tuple[int, ...] = ()  # the starts of those that name a full specialisation, without its body
    opened: tuple[str, ...] = ()  # the namespaces that this item opens
    lends: bool = False  # OpenCL: another kernel may call one of its kernels, and needs its local memory and barriers
    followed: tuple[Span, ...] = ()  # the functions in which changes of variables are followed
    narrows: bool = False  # a test tells the value of a variable in the text that it guards
    defect: Defect | None = None

    @cached_property
    def locals(self) -> Mapping[str, tuple[Definition, ...]]:
        """The definitions that hold within braces, by name."""
        return definitions_by_name(self.scoped)

    @cached_property
    def remembered_answers(self) -> Beside:
        """What was worked out of it."""
        return Beside()

    def forget(self) -> None:
        """Let go of what was worked out of it and of its functions, which can be worked out again."""
        for it in (self, *self.functions):
            vars(it).clear()


def definitions_by_name(definitions: Iterable[Definition]) -> Mapping[str, tuple[Definition, ...]]:
    found: dict[str, list[Definition]] = {}
    for definition in definitions:
        found.setdefault(definition.name, []).append(definition)
    return {name: tuple(several) for name, several in found.items()}
