"""Barriers: the block's, named ones, in functions, in branches, in macros, and those that nothing executes."""

from __future__ import annotations

from ..sketch import Sketch

STATEMENTS = (
    "__syncthreads();",
    "if (threadIdx.y < 4) __syncthreads();",
    "__syncthreads_or(threadIdx.x > 3);",
    "__syncthreads_count(1);",
    "__syncwarp();",
    "__threadfence_block();",
    'asm volatile("bar.sync 0;");',
    'asm volatile("bar.sync 1, 64;");',
    'asm volatile("bar.sync %0, 64;" :: "n"({id}));',
    'asm volatile("barrier.sync {id};");',
    'asm volatile("bar.arrive {id}, 128;");',
    'asm volatile("bar.sync %0, 64;" :: "r"({id}));',
    "for (int i = 0; i < n; ++i) __syncthreads();",
    "if (false) __syncthreads();",
    "if (sizeof(int) == 8) { __syncthreads(); }",
    "",
)


def draw(d: Sketch) -> None:
    lines = [statement(d) for _ in range(1 + d.below(3))]
    if d.chance(0.3):
        lines.append(through_function(d))
    if d.chance(0.2):
        lines.append(through_macro(d))
    kernel = d.kernel(parameters="int n", body=lines)
    d.run(d.launch(kernel, d.threads(), None, "3"))


def statement(d: Sketch) -> str:
    return d.pick(*STATEMENTS).replace("{id}", str(d.below(16)))


def through_function(d: Sketch) -> str:
    name = d.name("sync")
    way = d.below(4)
    if way == 0:
        d.say("template <int I>", f'__device__ void {name}() {{ asm volatile("bar.sync %0, 64;" :: "n"(I)); }}')
        return f"{name}<{d.below(16)}>();"
    if way == 1:
        d.say("template <bool B>", f"__device__ void {name}() {{ if constexpr (B) __syncthreads(); }}")
        return f"{name}<{d.pick('true', 'false')}>();"
    d.say(f"static __device__ {d.pick('', '__forceinline__', 'inline')} void {name}(int n) {{ {statement(d)} }}")
    return f"{name}(n);" if d.chance(0.8) else ""


def through_macro(d: Sketch) -> str:
    name = d.name("SYNC")
    d.say(f"#define {name}{d.pick('', '(x)')} {d.pick('__syncthreads()', '{ __syncthreads(); }', '')}")
    return f"{name}(1);" if "(x)" in d.text[-1] else f"{name};"
