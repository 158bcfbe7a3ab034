"""Kernels of numba-hip: functions under `@hip.jit`, or under `@cuda.jit` where `hip.pose_as_cuda()` is called.

They are Numba's but for the names, and for what AMD's compiler makes of them. A kernel has the attributes that clang
gives one that states nothing (`get_llvm_kernel_attributes` in `numba.hip.util.comgrutils`): it is built for groups of
1024 threads. There are neither launch bounds nor `max_registers`. Each `hip.shared.array` is a variable of its own
(`_generic_array` in `numba.hip.typing_lowering.hip.lowering`), and none is dynamic.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from occupancy_lsp.languages.python.module import Found, Module
from occupancy_lsp.languages.python.names import Meaning, Names
from occupancy_lsp.languages.python.numba import found_in, poses
from occupancy_lsp.languages.python.shared_arrays import SharedArray
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import NO_ATTRIBUTES
from occupancy_lsp.source.kernels.local_memory import LocalMemory
from occupancy_lsp.source.sema.builtin_layout import round_up

_OWN, _POSED, _OTHER = "numba.hip", "numba.cuda", "numba.cuda of NVIDIA"
_ALIGNED = 16  # bytes, at most: no type of Numba's asks for more, and LLVM raises it no further (superAlignLDSGlobals)
_COUNTING = b"syncthreads_"  # barriers that reduce over LDS of their own
_ANY_ARRAY = (1, None)


def resolve(module: Module) -> Found:
    """The kernels and launches of a file."""
    names = _Posing(module.names, poses(module.statements))
    own = Module.of(module.statements, names, module.before)
    found = found_in(replace(own, made=module.made, specialising=module.specialising), _laid_out)
    counts = any(_COUNTING in it.statement.text for it in module.statements)
    return Found(tuple(_kernel(it, counts) for it in found.kernels), found.launches)


def _kernel(kernel: Kernel, counts: bool) -> Kernel:
    """Numba may keep arrays of a thread's own where no text shows them, and AMD's compiler may move any to LDS.

    `counts`: it may wait at barriers that count."""
    unseen = (*kernel.summary.local.unseen, *(("syncthreads_count",) if counts else ()))
    local = replace(kernel.summary.local, private=(_ANY_ARRAY,), unseen=unseen)
    return replace(kernel, attributes=NO_ATTRIBUTES, summary=replace(kernel.summary, local=local))


def _laid_out(arrays: Sequence[SharedArray], unseen: tuple[str, ...], doubt: str) -> LocalMemory:
    """How LLVM lays several out hangs on which functions it keeps apart: they stand side by side at best, and each at
    the next multiple of the strictest alignment at worst."""
    variables = tuple(dict.fromkeys(it.variable for it in arrays))
    known = [(it.layout.size, it.sure) for it in arrays if it.layout is not None and not it.dynamic]
    lowest = sum(size for size, sure in known if sure)
    highest = known[0][0] if len(known) == 1 else sum(round_up(size, _ALIGNED) for size, _ in known)
    reasons = [it.variable.bytes.reason for it in arrays if it.layout is None]
    doubt = next(filter(None, (doubt, *reasons)), "")
    if any(it.dynamic for it in arrays):
        doubt = "numba-hip has no dynamic shared memory"
    return LocalMemory(variables, lowest, None if doubt else highest, doubt, False, unseen, (), None)


class _Posing(Names):
    """The names of a file as if what numba-hip has were Numba's; `all_of_it`: what goes by `numba.cuda` is, too."""

    def __init__(self, names: Names, all_of_it: bool) -> None:
        self._own = names
        self._all = all_of_it

    def of(self, name: str) -> Meaning:
        meaning = self._own.of(name)
        return meaning if meaning.imported is None else replace(meaning, imported=self._posed(meaning.imported))

    def given(self) -> Iterator[str]:
        return self._own.given()

    def _posed(self, full: str) -> str:
        if _is_in(_OWN, full):
            return _POSED + full.removeprefix(_OWN)
        return full if self._all or not _is_in(_POSED, full) else _OTHER + full.removeprefix(_POSED)


def _is_in(module: str, full: str) -> bool:
    return full == module or full.startswith(f"{module}.")
