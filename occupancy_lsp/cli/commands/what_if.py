"""`what-if`: a kernel as it is, and with other values in the place of some of its inputs."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.kernel_argument import Named, named_kernel
from occupancy_lsp.cli.commands.kernel_point import without_size
from occupancy_lsp.cli.commands.point import add_value_arguments, given_values, option_of
from occupancy_lsp.cli.commands.workspace import device, devices_here
from occupancy_lsp.cli.formats.what_if import TRIED, compared, inputs
from occupancy_lsp.core.terminal import say_lines
from occupancy_lsp.features.tried import Comparison, comparison

_ALL = "all"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kernel", metavar="FILE:KERNEL", help="a kernel, or a file that has but one")
    parser.add_argument(
        "--device",
        action="append",
        default=[],
        metavar="D",
        help="a device or architecture, or all; may be repeated (default: those of the settings)",
    )
    add_value_arguments(parser)


def run(options: argparse.Namespace) -> int:
    given = given_values(options)
    if not given:
        raise Failed("what-if needs a value to try, such as --regs 40 or --block 128.")
    everywhere = _ALL in options.device
    named = named_kernel(options.kernel, every_architecture() if everywhere else options.device)
    reports = reports_of(named)
    unfit = [] if everywhere else unfit_for(options.device, named, reports)
    if unfit and len(unfit) == len(options.device):
        raise Failed(f"{named.source.shown} does not run on {' or '.join(unfit)}.")
    if options.block is None and not any(it.figure for it in reports):
        raise without_size(reports[0])
    found = [comparison(it, given) for it in reports]
    if all(it.fault for it in found):
        raise Failed(f"{found[0].fault}.")
    lines = [f"{reports[0].kernel.qualified}, all else equal:", "", *compared(found), ""]
    if not everywhere:
        lines += [f"On {reports[0].device.name} ({reports[0].arch.id}):", "", *inputs(found[0].fields), ""]
    say_lines(
        "\n".join(
            [*lines, f"{TRIED} tried, in the place of what the kernel has", *_notes(named, found, unfit, options)]
        )
    )
    return 0


def every_architecture() -> list[str]:
    """Devices of one architecture are alike."""
    return [it.id for it in devices_here().all() if it.id == it.arch.id]


def reports_of(named: Named) -> list[KernelReport]:
    """Of each chosen device; where the text depends on the architecture, it is read anew for each."""
    view, index = named.find()
    found = {row[index].device.id: row[index] for row in (view.reports, *view.others)}
    order = [it.id for it in named.project.devices_for(view.source.dialect.name)]
    for id in order:
        if id not in found:
            named.project.select_device(id)
            again, at = named.find()
            found[id] = again.reports[at]
    return [found[it] for it in dict.fromkeys((*order, *found))]


def unfit_for(devices: Sequence[str], named: Named, reports: Sequence[KernelReport]) -> list[str]:
    """Those that do not run its language."""
    running = {it.device.id for it in reports}
    return [it for it in devices if device(named.project.catalogue, it).id not in running]


def _notes(named: Named, found: Sequence[Comparison], unfit: Sequence[str], options: argparse.Namespace) -> list[str]:
    """What is left out, and what means nothing on some of the devices."""
    without: dict[tuple[str, ...], list[str]] = {}
    for it in found:
        if it.without:
            without.setdefault(it.without, []).append(it.device.name)
    said = [f"{named.source.shown} does not run on {' or '.join(unfit)}"] if unfit else []
    for keys, names in without.items():
        stated = " and ".join(option_of(key, options) for key in keys)
        said.append(f"{stated} {'has' if len(keys) == 1 else 'have'} no meaning on {', '.join(names)}")
    return said
