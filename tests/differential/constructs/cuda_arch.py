"""`__CUDA_ARCH__`, which only the device's pass has, and macros that hang on it."""

from __future__ import annotations

from ..sketch import Sketch

CONDITIONS = (
    "#ifdef __CUDA_ARCH__",
    "#ifndef __CUDA_ARCH__",
    "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800",
    "#if __CUDA_ARCH__ >= 700",
    "#if __CUDA_ARCH__ >= 1000",
    "#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 900",
    "#if !defined(__CUDA_ARCH__)",
    "#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ == 860)",
    "#if __CUDA_ARCH__",
    "#if __CUDA_ARCH__ - 900 > 0",
    "#ifdef __CUDACC__",
    "#if defined(__CUDACC__) && !defined(__CUDA_ARCH__)",
    "#if defined(__NVCC__) && defined __CUDA_ARCH__",
)


def draw(d: Sketch) -> None:
    threads = macro(d) if d.chance(0.8) else str(d.threads())
    room = macro(d)
    kernel = d.kernel(
        [f"__shared__ char {d.name('room')}[{room}];"],
        behind=f"__launch_bounds__({d.pick('1024', threads)})",
        body=in_branches(d) if d.chance() else [],
    )
    block = d.pick("32", size_function(d, room), constant(d, room), f"{room} < 32 ? {room} : 32")
    d.run(*(block_in_branches(d) if d.chance(0.3) else []))
    d.run(d.launch(kernel, block, d.pick("0", room, f"{room} * 2")))


def macro(d: Sketch) -> str:
    """A number from 32 on that may differ between the passes."""
    name = d.name("PASS")
    d.say(d.pick(*CONDITIONS), f"#define {name} {d.threads()}", "#else", f"#define {name} {d.threads()}", "#endif")
    return name


def size_function(d: Sketch, room: str) -> str:
    name = d.name("size")
    d.say(f"{d.pick('static', 'inline', '__host__ __device__ inline', 'constexpr')} int {name}() {{")
    d.say(
        d.pick(*CONDITIONS),
        f"  return {d.threads(32)};",
        "#else",
        f"  return {d.pick('8', '16', '24')};",
        "#endif",
        "}",
    )
    return f"{name}()"


def constant(d: Sketch, room: str) -> str:
    name = d.name("limit")
    d.say(f"static const int {name} = {room} > 256 ? 16 : {d.pick('8', '24', '32')};")
    return name


def in_branches(d: Sketch) -> list[str]:
    """Arrays and barriers of a branch."""
    name, condition = d.name("part"), d.pick(*CONDITIONS)
    keep = f'reinterpret_cast<volatile char *>(&{name})[threadIdx.x] = 1; asm volatile("" :: "l"(&{name}));'
    return [
        f"\n{condition}\n  __shared__ int {name}[{d.count()}]; {keep}",
        f"\n#else\n  __shared__ double {name}[{d.count()}]; {keep} __syncthreads();\n#endif",
    ]


def block_in_branches(d: Sketch) -> list[str]:
    kernel = d.kernel()
    return [
        f"\n{d.pick(*CONDITIONS)}\n  {d.launch(kernel, d.threads())}",
        f"\n#else\n  {d.launch(kernel, d.threads())}\n#endif",
    ]
