"""What the source alone proves of kernels, as data for JSON and as text. No device has a say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from occupancy_lsp.report.result import place
from occupancy_lsp.syntax.dialects import CUDA
from occupancy_lsp.syntax.kernels import Bounds, Given, Kernel, KernelLaunch
from occupancy_lsp.syntax.source import FileFacts, Source
from occupancy_lsp.syntax.values import Place, Value, product
from occupancy_lsp.text import Text

Facts = dict[str, Any]


def kernel_facts(path: str, content: bytes) -> Iterator[Facts]:
    """One object per kernel, in the order of the file."""
    source = Source(content, CUDA)
    return _Writer(path, Text(content), source, source.facts({})).kernels()


class _Writer:
    def __init__(self, path: str, text: Text, source: Source, facts: FileFacts) -> None:
        self.path = path
        self.text = text
        self.source = source
        self.facts = facts

    def kernels(self) -> Iterator[Facts]:
        names = Counter(kernel.name for kernel in self.facts.kernels)
        for kernel in self.facts.kernels:
            # Of kernels that share a name it cannot be told which one is launched.
            launches = self.facts.launches if names[kernel.name] == 1 else ()
            yield {
                "name": kernel.qualified,
                "file": self.path,
                **self.at(kernel.name_place),
                "template": kernel.template is not None,
                "bounds": self.bounds(kernel.bounds) if kernel.bounds else None,
                "max_registers": self.given(kernel.max_registers) if kernel.max_registers else None,
                "block_size": self.value(product(kernel.block[1]), kernel.block[0]) if kernel.block else None,
                **self.local(kernel),
                "launches": [self.launch(it) for it in launches if _is_of(it, kernel)],
            }

    def at(self, where: Place) -> Facts:
        line, column = place(self.text, self.source.start_of(where.item) + where.start)
        return {"line": line, "column": column}

    def value(self, value: Value, where: Place) -> Facts:
        """The number; or null, with why it is not known and where it stands."""
        if value.number is not None:
            return {"value": value.number}
        return {"value": None, "reason": value.reason, **self.at(where)}

    def given(self, given: Given) -> Facts:
        return self.value(given.value, given.place)

    def bounds(self, bounds: Bounds) -> Facts:
        return {
            "max_threads": self.given(bounds.max_threads),
            "min_blocks": self.given(bounds.min_groups) if bounds.min_groups else None,
            "max_cluster": self.given(bounds.max_cluster) if bounds.max_cluster else None,
        }

    def local(self, kernel: Kernel) -> Facts:
        """Bytes of shared memory. `highest` null: no upper bound is known."""
        memory = kernel.local
        unknown = [
            {"name": it.name, "reason": it.bytes.reason, **self.at(it.place)}
            for it in memory.variables
            if it.bytes.number is None
        ]
        return {
            "shared": {"lowest": memory.lowest, "highest": memory.highest, "reason": memory.reason or None},
            "shared_unknown": unknown,
            "dynamic_shared": memory.dynamic,
            "calls_unseen": list(memory.unseen),
        }

    def launch(self, launch: KernelLaunch) -> Facts:
        return {
            **self.at(launch.place),
            "block": self.value(launch.size, launch.block[0]),
            "dynamic_shared": self.given(launch.dynamic) if launch.dynamic else {"value": 0},
        }


def _is_of(launch: KernelLaunch, kernel: Kernel) -> bool:
    return launch.kernel.rsplit("::", 1)[-1] == kernel.name
