"""Arrays that are written, and read or not: by an index, a pointer, a function, a macro. What nothing reads, compilers
leave out."""

from __future__ import annotations

from collections.abc import Callable

from ..sketch import Sketch

INDICES = ("n", "n + 1", "n * 2", "n & 7", "i", "out[n]")


def draw(d: Sketch) -> None:
    opencl = d.language == "opencl"
    local = d.pick("__local", "local") if opencl else "__shared__"
    parameters = f"{'__global ' if opencl else ''}int *out, int n"
    type_ = d.pick("int", "float", "char", "short")
    tiles = [d.name("tile") for _ in range(1 + d.chance(0.4))]
    type_ = d.pick("", "", "", "volatile ") + type_
    declared = [f"{local} {type_} {it}[{d.count(256)}];" for it in tiles]
    if not opencl and d.chance(0.15):
        d.say(*declared)
        declared = []
    uses = [d.random.choice(WAYS)(d, it, type_, tiles) for it in tiles for _ in range(1 + d.below(3))]
    d.random.shuffle(uses)
    thread = "get_local_id(0)" if opencl else "threadIdx.x"
    lines = [*declared, f"int i = {thread};", *(_under(d, it) for it in uses)]
    if d.chance(0.5):
        barrier = "barrier(CLK_LOCAL_MEM_FENCE);" if opencl else "__syncthreads();"
        lines.insert(len(declared) + 1 + d.below(len(uses) + 1), barrier)
    if opencl:
        d.say(f"__kernel void {d.name('kern')}({parameters}) {{", *(f"  {it}" for it in lines), "}")
        return
    d.run(d.launch(d.kernel(parameters=parameters, body=lines), d.threads(), None, "nullptr, 1"))


def _under(d: Sketch, statements: str) -> str:
    """These as they are, or under a condition or in a loop."""
    around = d.pick("{}", "{}", "{}", "{{ {} }}", "if (out[1] > 3) {{ {} }}", "for (int j = 0; j < n; ++j) {{ {} }}")
    return around.format(statements)


def _index(d: Sketch) -> str:
    return d.pick(*INDICES, str(d.below(4)))


def _pointer(d: Sketch, type_: str) -> str:
    return f"{d.pick('__local', 'local') + ' ' if d.language == 'opencl' else ''}{type_} *"


def _element(d: Sketch, array: str) -> str:
    at = _index(d)
    return d.pick(f"{array}[{at}]", f"{array}[{at}]", f"*({array} + ({at}))", f"({array}[{at}])", f"({array})[{at}]")


def _own(d: Sketch) -> str:
    """A place that nothing else is stored to."""
    d.names += 1
    return f"out[i + {1024 * d.names}]"


def _used(d: Sketch, element: str) -> str:
    """A store, or a load that is used or not."""
    return d.pick(
        f"{element} = i;",
        f"{element} = n;",
        f"{element} = i;",
        f"{element} += n;",
        f"{_own(d)} = {element};",
        f"{_own(d)} += {element} + 1;",
        f"if ({element} > 2) {_own(d)} = 3;",
        f"int {d.local('unused')} = {element};",
        f"(void)({element});",
        f"(void)&{element};" if element[0] != "(" else f"{element};",
        f"for (int k = 0; k < 4; ++k) {element} = k;",
    )


def direct(d: Sketch, tile: str, type_: str, tiles: list[str]) -> str:
    return _used(d, _element(d, tile))


def pointer(d: Sketch, tile: str, type_: str, tiles: list[str]) -> str:
    name = d.local("ptr")
    other = d.random.choice(tiles)
    start = d.pick(tile, tile, f"&{tile}[{d.below(3)}]", f"{tile} + {d.pick('n', '1')}", f"n > 2 ? {tile} : {other}")
    type_ = type_ if d.chance(0.9) else f"volatile {type_.removeprefix('volatile ')}"
    constant = d.pick("", "", "const ") if d.language != "opencl" else ""
    said = [f"{_pointer(d, type_)}{constant}{name} = {start};"]
    if d.chance(0.3):
        said, name = [*said, f"{_pointer(d, type_)}{name}b = {name} + 1;"], f"{name}b"
    elif d.chance(0.2) and not constant:
        said.append(f"{name} = {other};")
    return " ".join((*said, *(_used(d, _element(d, name)) for _ in range(1 + d.below(2)))))


def function(d: Sketch, tile: str, type_: str, tiles: list[str]) -> str:
    name, at = d.name("help"), d.pick("at", "0", "at + 1")
    plain = type_.removeprefix("volatile ")
    body, result = d.random.choice(
        (
            (f"p[{at}] = at;", "void"),
            (f"p[{at}] = at;", "void"),
            (f"return p[{at}];", plain),
            (f"{plain} before = p[{at}]; p[at] = 2; return before;", plain),
            (f"int unused = p[{at}];", "void"),
            ("if (at > 5) p[1] = 1;", "void"),
        )
    )
    words = (
        "static inline" if d.language == "opencl" else d.pick("__device__", "__device__ inline", "static __device__")
    )
    taken = _pointer(d, d.pick("", "", "const ") + type_ if "] = " not in body else type_)
    d.say(f"{words} {result} {name}({taken}p, int at) {{ {body} }}")
    call = f"{name}({d.pick(tile, tile, f'&{tile}[1]', f'{tile} + n')}, {_index(d)})"
    if result == "void":
        return f"{call};"
    return d.pick(f"{call};", f"(void){call};", f"{_own(d)} = {call};", f"int {d.local('got')} = {call};")


def macro(d: Sketch, tile: str, type_: str, tiles: list[str]) -> str:
    name = d.name("AT")
    text = d.pick(f"{tile}[k]", f"({tile}[(k)])", f"*({tile} + (k))")
    d.say(f"#define {name}(k) {text}")
    return _used(d, f"{name}({_index(d)})")


def cast(d: Sketch, tile: str, type_: str, tiles: list[str]) -> str:
    other = type_ if "volatile" in type_ else d.pick("char", "unsigned char", type_)
    return _used(d, f"(({_pointer(d, other)}){tile})[{_index(d)}]")


WAYS: tuple[Callable[[Sketch, str, str, list[str]], str], ...] = (
    direct,
    direct,
    pointer,
    pointer,
    function,
    macro,
    cast,
)
