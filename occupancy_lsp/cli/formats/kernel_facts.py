"""What the source alone proves of kernels, as data for JSON and as text. A device says what its compiler defines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from occupancy_lsp.analysis.inputs import MOVED
from occupancy_lsp.analysis.predefined import predefined
from occupancy_lsp.builds.attribution import in_language, of_text, on_architecture
from occupancy_lsp.cli.formats.result import nearby, place
from occupancy_lsp.cli.formats.usages import counts_json
from occupancy_lsp.core.text import Text
from occupancy_lsp.languages.registry import language_of, read
from occupancy_lsp.model.device import Device
from occupancy_lsp.session.project import Project
from occupancy_lsp.source.incremental.kernel_text import FileFacts, KernelText
from occupancy_lsp.source.kernels.kernel import Kernel
from occupancy_lsp.source.kernels.kernel_attributes import AttributeValue, Bounds
from occupancy_lsp.source.kernels.launch_resolution import KernelLaunch, Namesakes, kernels_meant_by
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.syntax.known_value import Place, Value, product_of_dimensions
from occupancy_lsp.vendors.registry import vendor_of
from occupancy_lsp.workspace.callers import FarLaunch

Facts = dict[str, Any]


def kernel_facts(
    shown: str, path: Path, content: bytes, dialect: Dialect, project: Project, device: Device | None, compiled: bool
) -> Iterator[Facts]:
    """One object per kernel, in the order of the file; at the end one for its launches of other files' kernels.

    `device`: what its compiler defines holds, and what its compiler may do to local memory is said.
    `compiled`: with what compilers say that the kernel uses on it, one entry per instance.
    """
    source = read(content, dialect)
    macros = predefined(device, dialect.name)
    facts = source.facts(macros, project.around(path, source))
    writer = _Writer(shown, Text(content), source, facts, device)
    for kernel in facts.kernels:
        told = writer.kernel(kernel, project.far_launches(kernel, path, dialect, macros))
        if compiled:
            language = language_of(dialect)
            found = in_language(project.results.joined(kernel.qualified, path), language.name, language.signs)
            found = of_text(found, kernel.digest)
            told["compiled"] = [counts_json(it) for it in on_architecture(found, device.arch.id).used] if device else []
        yield told
    if left := writer.launches_of_others():
        yield {"name": None, "file": shown, "launches": left}


class _Writer:
    def __init__(self, path: str, text: Text, source: KernelText, facts: FileFacts, device: Device | None) -> None:
        self.device = device
        self.path = path
        self.text = text
        self.source = source
        self.facts = facts
        named: dict[str, list[Kernel]] = {}
        for kernel in facts.kernels:
            named.setdefault(kernel.name, []).append(kernel)
        self.named = {name: Namesakes(several) for name, several in named.items()}

    def kernel(self, kernel: Kernel, far: tuple[FarLaunch, ...]) -> Facts:
        return {
            "name": kernel.qualified,
            "file": self.path,
            **self.at(kernel.name_place),
            "language": self.source.dialect.name,
            "template": kernel.template is not None,
            **self.proved(kernel),
            "instances": [{"arguments": it.arguments, **self.proved(it)} for it in kernel.instances],
            "launches": [
                *(self.launch(it) for it in self.facts.launches if self.means(it, kernel)),
                *(self.far_launch(it) for it in far if not it.unread and self.means(it.launch, kernel)),
            ],
        }

    def means(self, launch: KernelLaunch, kernel: Kernel) -> bool:
        """Whether it is a launch of the kernel; where it cannot be told of which of several, of each."""
        namesakes = self.named.get(launch.name)
        return namesakes is not None and any(it is kernel for it, _ in kernels_meant_by(launch, namesakes))

    def proved(self, kernel: Kernel) -> Facts:
        """Of the kernel in all instances that are in sight, or of one of them."""
        return {
            "bounds": self.bounds(kernel.attributes.bounds) if kernel.attributes.bounds else None,
            "max_registers": self.given(kernel.attributes.max_registers) if kernel.attributes.max_registers else None,
            "block_size": self.value(product_of_dimensions(kernel.attributes.block[1]), kernel.attributes.block[0])
            if kernel.attributes.block
            else None,
            **self.local(kernel),
        }

    def launches_of_others(self) -> list[Facts]:
        return [self.launch(it) for it in self.facts.launches if it.name not in self.named]

    def at(self, where: Place) -> Facts:
        """Line and column in this file; of what stands in a header there are none."""
        if not self.source.holds(where):
            return {"line": None, "column": None}
        line, column = place(self.text, self.source.start_of(where.item) + where.start)
        return {"line": line, "column": column}

    def value(self, value: Value, where: Place) -> Facts:
        """The number; or null, with why it is not known and where it stands."""
        if value.number is not None:
            return {"value": value.number}
        return {"value": None, "reason": value.reason, **self.at(where)}

    def given(self, given: AttributeValue) -> Facts:
        return self.value(given.value, given.place)

    def bounds(self, bounds: Bounds) -> Facts:
        return {
            "max_threads": self.given(bounds.max_threads),
            "min_blocks": self.given(bounds.min_groups) if bounds.min_groups else None,
            "max_cluster": self.given(bounds.max_cluster) if bounds.max_cluster else None,
        }

    def local(self, kernel: Kernel) -> Facts:
        """Bytes of shared memory. `highest` null: no upper bound is known."""
        memory = kernel.summary.local
        unknown = [
            {"name": it.name, "reason": it.bytes.reason, **self.at(it.place)}
            for it in memory.variables
            if it.bytes.number is None
        ]
        highest, reason = memory.highest, memory.reason
        if self.device is not None and highest is not None:
            span = memory.lowest, highest
            moved = vendor_of(self.device.arch).moved_arrays(self.device.arch, kernel, self.source.dialect.name, span)
            highest, reason = max(highest, moved), MOVED if moved > highest else reason
        return {
            "shared": {"lowest": memory.lowest, "highest": highest, "reason": reason or None},
            "shared_unknown": unknown,
            "dynamic_shared": memory.dynamic,
            "calls_unseen": list(memory.unseen),
        }

    def launch(self, launch: KernelLaunch) -> Facts:
        return {"kernel": launch.name, **self.at(launch.target), **self.configuration(launch)}

    def far_launch(self, far: FarLaunch) -> Facts:
        return {"kernel": far.launch.name, "file": nearby(far.path), "line": far.line, **self.configuration(far.launch)}

    def configuration(self, launch: KernelLaunch) -> Facts:
        return {
            "arguments": launch.arguments,
            "block": {
                **self.value(launch.size, launch.configuration.block[0]),
                "dimensions": [it.number for it in launch.configuration.block[1]],
            },
            "dynamic_shared": self.given(launch.configuration.dynamic)
            if launch.configuration.dynamic
            else {"value": 0},
        }
