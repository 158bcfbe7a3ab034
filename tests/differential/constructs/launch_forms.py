"""How kernels are launched: `<<<>>>`, the runtime's functions, through pointers, wrappers and macros."""

from __future__ import annotations

from collections.abc import Callable

from ..sketch import Sketch


def draw(d: Sketch) -> None:
    for _ in range(1 + d.below(2)):
        d.random.choice(RECIPES)(d)


def block(d: Sketch) -> str:
    return d.pick(
        str(d.threads()),
        f"dim3({d.count(64)}, {1 + d.below(8)})",
        f"dim3({d.count(32)}, {1 + d.below(4)}, {1 + d.below(4)})",
    )


def dim3(d: Sketch) -> str:
    text = block(d)
    return text if text.startswith("dim3") else f"dim3({text})"


def dynamic(d: Sketch) -> str:
    return d.pick("0", str(4 * d.count(1000)), f"{d.count()} * sizeof(float)", f"sizeof(double[{d.count()}])")


def chevrons(d: Sketch) -> None:
    kernel, site = d.kernel(parameters="int *p, int n"), d.site()
    first = d.pick(str(site), f"dim3({site})", f"dim3({site}, 1, 1)")
    more = d.pick("", f", {dynamic(d)}", f", {dynamic(d)}, 0", f", {dynamic(d)}, (cudaStream_t)0")
    d.run(
        d.pick(
            f"{kernel}<<<{first}, {block(d)}{more}>>>(nullptr, 3); /*@{site}*/",
            f"({kernel})<<<{first}, {block(d)}{more}>>>(nullptr, 3); /*@{site}*/",
        )
    )


def over_lines(d: Sketch) -> None:
    kernel, site = d.kernel(), d.site()
    d.run(f"{kernel} /*@{site}*/", f"    <<<{site}, /* of */ {block(d)},", f"       {dynamic(d)}>>>", "    ();")


def by_function(d: Sketch) -> None:
    kernel, site = d.kernel(parameters="int n"), d.site()
    grid, size, extra = f"dim3({site})", dim3(d), dynamic(d)
    name = d.pick("cudaLaunchKernel", "cudaLaunchKernel", "cudaLaunchCooperativeKernel")
    if d.language == "hip":
        name = "cudaLaunchKernel"  # named as HIP's own in the end
    target = d.pick(
        f"(void *){kernel}",
        f"(const void *){kernel}",
        f"reinterpret_cast<void *>(&{kernel})",
        kernel,
        f"(void *)&{kernel}",
    )
    arguments = d.local("args")
    d.run(f"int {arguments}_n = 3; void *{arguments}[] = {{&{arguments}_n}};")
    if d.chance(0.3):
        variable = d.local("size")
        d.run(f"dim3 {variable} = {size};")
        size = variable
    d.run(f"{name}({target}, {grid}, {size}, {arguments}, {extra}, 0); /*@{site}*/")


def extended(d: Sketch) -> None:
    if d.language != "cuda":
        return chevrons(d)
    kernel, site = d.kernel(parameters="int n"), d.site()
    config = d.local("config")
    d.run(
        d.pick(
            f"cudaLaunchConfig_t {config} = {{}};",
            f"cudaLaunchConfig_t {config}{{}};",
            f"cudaLaunchConfig_t {config} = {{0}};",
        )
    )
    fields = [
        f"{config}.gridDim = {site};",
        f"{config}.blockDim = {block(d)};",
        f"{config}.dynamicSmemBytes = {dynamic(d)};",
    ]
    d.random.shuffle(fields)
    if d.chance(0.3):
        fields = [it for it in fields if "dynamicSmemBytes" not in it]
    if d.chance(0.2):
        fields = [f"{config} = {{dim3({site}), {dim3(d)}, {dynamic(d)}}};"]
    d.run(*fields, f"cudaLaunchKernelEx(&{config}, {kernel}, 3); /*@{site}*/")
    if d.chance(0.3):
        site = d.site()
        d.run(
            f"{config}.gridDim = {site};",
            f"{config}.blockDim.{d.pick('x', 'y')} = 2;",
            f"cudaLaunchKernelEx(&{config}, {kernel}, 3); /*@{site}*/",
        )


def pointer(d: Sketch) -> None:
    """Through a variable, which may be one of several kernels."""
    first, second, variable = d.kernel(), d.kernel(), d.local("f")
    way = d.below(4)
    if way == 0:
        d.run(f"auto {variable} = {first};")
    elif way == 1:
        d.run(f"void (*{variable})() = {d.pick('', '&')}{first};")
    elif way == 2:
        flag = d.name("flag")
        d.say(f"static volatile bool {flag} = {d.pick('true', 'false')};")
        d.run(f"auto {variable} = {flag} ? {first} : {second};")
    else:
        d.run(f"void (*{variable})() = {first};", f"{variable} = {second};")
    d.run(d.launch(variable, block(d), dynamic(d)))
    if d.chance():
        d.run(d.launch(second, block(d)))


def table(d: Sketch) -> None:
    first, second, variable = d.kernel(), d.kernel(), d.local("all")
    site = d.site()
    d.run(
        f"void (*{variable}[])() = {{{first}, {second}}};",
        f"{variable}[{d.below(2)}]<<<{site}, {block(d)}>>>(); /*@{site}*/",
    )


def wrapper(d: Sketch) -> None:
    """A function template that launches what it is given."""
    kernel, name = d.kernel(), d.name("launch")
    site = d.site()
    d.say(
        "template <typename K>",
        f"void {name}(K kernel, {d.pick('int size', 'dim3 size', 'unsigned size')}, size_t bytes = 0) {{",
    )
    d.say(f"  kernel<<<{site}, size, bytes>>>(); /*@{site}*/", "}")
    for _ in range(1 + d.below(2)):
        d.run(f"{name}({kernel}, {d.threads()}{d.pick('', ', 64')});")


def wrapper_of_one(d: Sketch) -> None:
    """A function that launches one kernel with its parameters, called with several."""
    kernel, name = d.kernel(), d.name("go")
    d.say(f"static void {name}(int threads, size_t bytes) {{", f"  {d.launch(kernel, 'threads', 'bytes')}", "}")
    for _ in range(1 + d.below(3)):
        d.run(f"{name}({d.threads()}, {dynamic(d)});")


def by_macro(d: Sketch) -> None:
    kernel, name, site = d.kernel(parameters="int n"), d.name("LAUNCH"), d.site()
    d.say(f"#define {name}(kernel, size, ...) kernel<<<{site}, size>>>(__VA_ARGS__)")
    d.run(f"{name}({kernel}, {d.pick(str(d.threads()), '(dim3(8, 4))')}, 3); /*@{site}*/")


def in_lambda(d: Sketch) -> None:
    kernel, name = d.kernel(), d.local("go")
    site = d.site()
    d.run(f"auto {name} = [&](int threads) {{ {kernel}<<<{site}, threads>>>(); }}; /*@{site}*/")
    for _ in range(1 + d.below(2)):
        d.run(f"{name}({d.threads()});")


def of_class(d: Sketch) -> None:
    """A member function that launches with the object's members."""
    kernel, type_, it = d.kernel(), d.name("Launcher"), d.local("it")
    d.say(
        f"struct {type_} {{",
        f"  int threads = {d.threads()};",
        f"  void run() {{ {d.launch(kernel, 'threads')} }}",
        "};",
    )
    d.run(f"{type_} {it};", *([f"{it}.threads = {d.threads()};"] if d.chance() else []), f"{it}.run();")


RECIPES: tuple[Callable[[Sketch], None], ...] = (
    chevrons,
    over_lines,
    by_function,
    extended,
    pointer,
    table,
    wrapper,
    wrapper_of_one,
    by_macro,
    in_lambda,
    of_class,
)
