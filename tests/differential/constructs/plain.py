"""Kernels with arrays, bounds, barriers and launches as most code writes them."""

from __future__ import annotations

from ..sketch import Sketch

TYPES = ("float", "int", "double", "char", "short", "unsigned", "long long", "float4", "int2", "bool", "char2")


def draw(d: Sketch) -> None:
    for _ in range(1 + d.below(2)):
        bound = d.threads()
        arrays = [array(d) for _ in range(d.below(3))]
        barrier = ["__syncthreads();"] if d.chance() else []
        dynamic = d.chance(0.3)
        if dynamic:
            arrays.append(f"extern __shared__ {d.pick(*TYPES[:6])} {d.name('dyn')}[];")
        kernel = d.kernel(arrays, behind=bounds(d, bound), body=barrier)
        d.run(d.launch(kernel, block(d, bound), 4 * d.count(1024) if dynamic else None))


def array(d: Sketch) -> str:
    """A declaration of at most 4 KiB."""
    extents = "".join(f"[{d.count(16)}]" for _ in range(1 + d.below(2)))
    return f"__shared__ {d.pick(*TYPES)} {d.name('tile')}{extents};"


def bounds(d: Sketch, most: int) -> str:
    return d.pick("", f"__launch_bounds__({most})", f"__launch_bounds__({most}, {1 + d.below(2)})")


def block(d: Sketch, most: int) -> str:
    """A size of at most as many threads."""
    rows = d.random.choice([it for it in (1, 2, 4, 8) if it <= most])
    return d.pick(str(most), str(d.count(most)), f"dim3({most // rows}, {rows})", f"dim3({most // rows}, 1, {rows})")
