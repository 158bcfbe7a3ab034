"""How large types are: members, alignment, packing, unions, bit-fields, bases, and where attributes may stand."""

from __future__ import annotations

from ..sketch import Sketch
from .showing import show_bytes, sized

SCALARS = (
    "char",
    "signed char",
    "unsigned char",
    "bool",
    "short",
    "int",
    "unsigned",
    "long",
    "long long",
    "float",
    "double",
    "void *",
    "char16_t",
    "wchar_t",
    "size_t",
)
VECTORS = (
    "float2",
    "float3",
    "float4",
    "int3",
    "double2",
    "char4",
    "uchar3",
    "short2",
    "longlong2",
    "ulonglong3",
    "dim3",
)
BITS = (("int", 32), ("unsigned", 32), ("char", 8), ("short", 16), ("long long", 64), ("unsigned char", 8), ("bool", 1))


def plain_struct(d: Sketch) -> None:
    sized(d, struct(d))


def struct(d: Sketch, depth: int = 2) -> str:
    """Say a struct or a union, and return its name."""
    name = d.name("S")
    word = d.pick("struct", "struct", "struct", "union", "class")
    d.say(f"{word} {name} {{", *([" public:"] if word == "class" else []), *members(d, depth), "};")
    return name


def members(d: Sketch, depth: int) -> list[str]:
    return [f"  {member(d, depth)}" for _ in range(1 + d.below(5))]


def member(d: Sketch, depth: int) -> str:
    name = d.local("m")
    way = d.below(12)
    if way == 0 and depth:
        return f"{struct(d, depth - 1)} {name}{extent(d)};"
    if way == 1 and depth:
        inner = " ".join(f"{d.pick(*SCALARS)} {d.local('m')}{extent(d)};" for _ in range(1 + d.below(3)))
        return f"{d.pick('struct', 'union')} {{ {inner} }}{d.pick('', f' {name}')};"
    if way == 2:
        return f"{d.pick('char', 'int', 'double')} {name}, {name}_b{extent(d)}, *{name}_c;"
    if way == 3:
        aligned = d.pick("alignas(8)", "alignas(16)", "alignas(double)", "__align__(8)")
        return f"{aligned} {d.pick('char', 'int')} {name}{extent(d)};"
    if way == 4:
        return f"{vector(d)} {name}{extent(d)};"
    if way == 5:
        return d.pick(
            f"static constexpr int {name} = 7;",
            f"int {name}_f(int x) {{ return x; }}",
            f"using {name}_t = double;",
            f"enum {{ {name} }};",
        )
    return f"{d.pick(*SCALARS)} {name}{extent(d)};"


def vector(d: Sketch) -> str:
    """Of three, HIP's are not those of the headers that stand in for ROCm's."""
    return d.pick(*(VECTORS if d.language == "cuda" else ("float2", "float4", "double2", "int2", "int4")))


def extent(d: Sketch) -> str:
    return d.pick("", "", f"[{1 + d.below(5)}]", f"[{1 + d.below(3)}][{1 + d.below(3)}]")


GNU = (
    "__attribute__((packed))",
    "__attribute__((aligned(16)))",
    "__attribute__((packed, aligned(4)))",
    "__align__(32)",
    "__attribute__((__packed__))",
)
ALIGNED = ("__attribute__((aligned(64)))", "__attribute__((__aligned__(8)))", "__align__(16)")
STANDARD = ("alignas(16)", "alignas(8)", "alignas(double)", "[[gnu::packed]]", "[[gnu::aligned(32)]]")


def attributes(d: Sketch) -> None:
    """`packed` and `aligned` in every place that takes them."""
    name = d.name("S")
    body = f"{{ {' '.join(plain_members(d))} }}"
    gnu = d.pick(*GNU)
    over_aligned = d.pick(
        f"typedef struct {name}_tag {body} {name} {d.pick(*ALIGNED)};",
        f"typedef {d.pick('int', 'float', 'char')} {name} {d.pick(*ALIGNED)};",
        f"typedef struct {body} {name} {d.pick(*ALIGNED)};",
        f"struct {name}_plain {body}; using {name} {d.pick(*ALIGNED[:2])} = {name}_plain;",
    )
    written = d.pick(
        f"struct {gnu} {name} {body};",
        f"struct {name} {body} {gnu};",
        f"struct {d.pick(*STANDARD)} {name} {body};",
        f"typedef struct {gnu} {body} {name};",
        f"typedef struct {body} {gnu} {name};",
        f"typedef {gnu} struct {name}_tag {body} {name};",
        over_aligned,
        over_aligned,
    )
    d.say(written)
    if written is over_aligned:  # arrays of a type whose alignment is above its size are not allowed
        holder = d.name("Holder")
        d.say(f"struct {holder} {{ char c; {name} x; }};")
        name = holder
    sized(d, name)


def plain_members(d: Sketch) -> list[str]:
    return [f"{d.pick(*SCALARS)} m{at}{extent(d)};" for at in range(1 + d.below(4))]


def member_attributes(d: Sketch) -> None:
    name = d.name("S")
    lines = []
    for at in range(2 + d.below(3)):
        attribute = d.pick(
            "", "", "__attribute__((packed))", "__attribute__((aligned(8)))", "__attribute__((packed, aligned(2)))"
        )
        lines.append(f"  {d.pick(*SCALARS)} m{at}{extent(d)} {attribute};")
    d.say(f"struct {name} {{", *lines, "};")
    sized(d, name)


def pragma_pack(d: Sketch) -> None:
    """`#pragma pack` and `_Pragma`, pushed and popped, around several structs."""
    number = d.pick("1", "2", "4", "8")
    push = d.pick(
        f"#pragma pack(push, {number})",
        f'_Pragma("pack(push, {number})")',
        f"#pragma pack(push)\n#pragma pack({number})",
        f"#pragma pack({number})",
    )
    pop = (
        d.pick("#pragma pack(pop)", '_Pragma("pack(pop)")')
        if "push" in push
        else d.pick("#pragma pack()", '_Pragma("pack()")')
    )
    if d.chance(0.2):
        macro = d.name("PACK")
        d.say(f'#define {macro} _Pragma("pack(push, {number})")')
        push, pop = macro, "#pragma pack(pop)"
    d.say(push)
    packed = struct(d, 1)
    d.say(pop)
    plain = struct(d, 1)
    holder = d.name("Holder")
    d.say(f"struct {holder} {{ char c; {packed} a; {plain} b; }};")
    for it in (packed, d.pick(plain, holder)):
        sized(d, it)


def bit_fields(d: Sketch) -> None:
    name = d.name("Bits")
    lines = []
    for at in range(1 + d.below(7)):
        type_, most = d.random.choice(BITS)
        way = d.below(8)
        if way == 0:
            lines.append(f"  {type_} : {d.pick('0', str(1 + d.below(most)))};")
        elif way == 1:
            lines.append(f"  {d.pick('char', 'short', 'int', 'double')} m{at};")
        else:
            lines.append(f"  {type_} b{at} : {1 + d.below(most)};")
    d.say(
        f"{d.pick('struct', 'struct', 'union')} {d.pick('', '__attribute__((packed)) ', '')}{name} {{",
        "  char first;",
        *lines,
        "};",
    )
    sized(d, name)


def bases(d: Sketch) -> None:
    """Bases: empty, several, twice the same, virtual; tail padding that is used again."""
    made = [base(d)]
    for _ in range(1 + d.below(3)):
        name = d.name("Derived")
        chosen = d.random.sample(made, min(len(made), 1 + d.below(2)))
        written = ", ".join(f"{d.pick('', 'virtual ') if d.chance(0.3) else ''}{it}" for it in chosen)
        body = " ".join(f"{d.pick(*SCALARS)} m{at};" for at in range(d.below(3)))
        first = d.pick("", "", f"{d.random.choice(made)} head; ")
        d.say(f"struct {name} : {written} {{ {first}{body} }};")
        made += [name, base(d)]
    show_bytes(d, f"sizeof({made[-2]})")
    show_bytes(d, f"sizeof({d.random.choice(made)})")


def base(d: Sketch) -> str:
    name = d.name("Base")
    d.say(
        d.pick(
            f"struct {name} {{}};",
            f"struct {name} {{ int f() {{ return 1; }} static int s; using t = int; }};",
            f"struct {name} {{ {d.pick(*SCALARS)} a; char b; }};",
            f"struct {name} {{ {name}() {{}} double a; char b; }};",
            f"struct {name} {{ virtual void f() {{}} char b; }};",
            f"class {name} {{ int a; char b; }};",
        )
    )
    return name


def no_unique_address(d: Sketch) -> None:
    empty, other, name = d.name("Empty"), d.name("Other"), d.name("S")
    d.say(
        f"struct {empty} {{}};",
        f"struct {other} {d.pick('{}', '{ int a; char b; }', '{ ' + 'double a; char b; ' + other + '() {} }')};",
    )
    lines = []
    for at in range(1 + d.below(4)):
        attribute = d.pick("[[no_unique_address]] ", "[[no_unique_address]] ", "")
        lines.append(f"  {attribute}{d.pick(empty, other, 'char', 'int')} m{at};")
    d.say(f"struct {name} {{", *lines, "};")
    show_bytes(d, f"sizeof({name})")


def offsets(d: Sketch) -> None:
    name, ways = struct_with_names(d)
    last = ways[-1]
    show_bytes(
        d,
        d.pick(
            f"(8 + __builtin_offsetof({name}, {last}))",
            f"(sizeof({name}) * alignof({name}))",
            f"sizeof({name}::{last})",
        ),
    )


def struct_with_names(d: Sketch) -> tuple[str, list[str]]:
    name, names = d.name("S"), [f"m{at}" for at in range(2 + d.below(4))]
    lines = [f"  {d.pick(*SCALARS, vector(d))} {it}{extent(d)};" for it in names]
    d.say(f"struct {name} {{", *lines, "};")
    return name, names
