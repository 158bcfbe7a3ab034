"""The tools that try what is not: other values, other bounds."""

from __future__ import annotations

from collections.abc import Mapping

from occupancy_lsp.cli.commands import Failed
from occupancy_lsp.cli.commands.agents import schemas as of
from occupancy_lsp.cli.commands.agents.tool import Arguments, Call, Reply, Schema, Tool
from occupancy_lsp.cli.commands.bounds import tried
from occupancy_lsp.cli.commands.kernel_argument import Named
from occupancy_lsp.cli.commands.kernel_point import without_size
from occupancy_lsp.cli.commands.sources import Projects
from occupancy_lsp.cli.commands.what_if import every_architecture, reports_of, unfit_for
from occupancy_lsp.cli.formats.ladders import as_json as ladder_json
from occupancy_lsp.cli.formats.what_if import as_json
from occupancy_lsp.core.problem import Problem

_ALL = "all"
# What can be tried, and the fields of Need that it replaces.
_VALUES: Mapping[str, tuple[str, Schema]] = {
    "block": ("group_size", of.whole("Threads per block.", 1)),
    "registers": ("registers", of.whole("Registers (VGPRs) per thread.")),
    "shared": ("static_local", of.whole("Static shared memory (LDS, SLM) in bytes per block.")),
    "dynamic_shared": ("dynamic_local", of.whole("Dynamic shared memory in bytes per block.")),
    "carveout": ("carveout", of.whole("NVIDIA: preferred share of memory used as shared memory, in percent.")),
    "barriers": ("barriers", of.whole("Named barriers per block.")),
    "agprs": ("accumulators", of.whole("AMD: accumulation registers per thread.")),
    "sgprs": ("scalars", of.whole("AMD: scalar registers per wave.")),
    "subgroup": ("sub_group", of.whole("Threads per wave on AMD (32 or 64), the SIMD width on Intel.", 1)),
    "grf": ("grf", of.whole("Intel: general registers per hardware thread.")),
    "mode": ("mode", of.text("AMD: the mode of the work-group processor.", enum=["cu", "wgp"])),
}


def _what_if(call: Call, asked: Arguments) -> Reply:
    values = {field: asked[name] for name, (field, _) in _VALUES.items() if name in asked}
    if not values:
        raise Failed(f"nothing to try: give at least one of {', '.join(_VALUES)}.")
    devices = list(asked.get("devices", ()))
    everywhere = _ALL in devices
    source = call.folder.source(asked["path"])
    project = Projects(every_architecture() if everywhere else devices, tell=call.reading).at(source.root)
    named = Named(source, project, asked.get("kernel", ""))
    reports = reports_of(named)
    unfit = [] if everywhere else unfit_for(devices, named, reports)
    if unfit and len(unfit) == len(devices):
        raise Failed(f"{source.shown} does not run on {' or '.join(unfit)}.")
    if "block" not in asked and not any(it.figure for it in reports):
        raise without_size(reports[0], "`block` gives one")
    names = {field: name for name, (field, _) in _VALUES.items()}
    told = [as_json(it, values, names) for it in reports]
    if all(it["refused"] for it in told):
        raise Failed(f"{told[0]['refused']}.")
    return {"kernel": reports[0].kernel.qualified, "on": told, "does_not_run_on": unfit}


def _bounds(call: Call, asked: Arguments) -> Reply:
    source = call.folder.source(asked["path"])
    device = asked.get("device")
    project = Projects([device] if device else [], tell=call.reading).at(source.root)
    steps, problems = [], []
    for found in tried(source, project, asked.get("kernel", ""), cancelled=call.cancelled, tell=call.tell):
        if isinstance(found, Problem):
            problems.append(str(found))
        else:
            steps.append(ladder_json(source.shown, *found))
    if problems and not steps:
        raise Failed(*(f"{it}." for it in problems))
    return {"kernels": steps, "problems": problems}


WHAT_IF = Tool(
    "what_if",
    "A kernel with other values",
    "A kernel's occupancy as it is, and with other values in the place of some of its inputs, all else equal: how many "
    "registers it may have, another block size, another device. Computes only; changes nothing. Register counts that "
    "you try are taken as given: whether a compiler reaches them without spilling, `bounds` tells.",
    of.taken(
        ("path",),
        path=of.PATH,
        kernel=of.KERNEL,
        devices={
            **of.DEVICES,
            "description": f"The devices to compare; '{_ALL}': every architecture that runs the file's language. "
            "Left out: those of the project's settings, or a default for the language.",
        },
        **{name: schema for name, (_, schema) in _VALUES.items()},
    ),
    of.given(
        kernel=of.text("Its qualified name."),
        on=of.several(
            of.given(
                device=of.DEVICE,
                now=of.SIDE,
                then=of.SIDE,
                refused=of.maybe(of.text("Why a value cannot be on this device; null: it can.")),
                without_meaning=of.several(of.text("Of what was tried."), "What the device does not have."),
                inputs=of.several(
                    of.given(
                        name=of.text("In the vendor's words."),
                        value=of.maybe(of.text("null: not known, or a range.")),
                        range=of.maybe(of.text("Between what it lies, or what it was before it was changed.")),
                        source=of.maybe(of.text("Who says so; null: nobody.")),
                        changed=of.yes("It was tried."),
                    )
                ),
            )
        ),
        does_not_run_on=of.several(of.text("A device of `devices`.")),
    ),
    _what_if,
)
BOUNDS = Tool(
    "bounds",
    "A kernel compiled with other launch bounds",
    "Compiles a kernel with other launch bounds, step by step, with a compiler of this machine, and tells what each "
    "makes of its registers, occupancy and spills. Takes seconds to minutes. The source is not changed: `head` says "
    "what to write.",
    of.taken(("path",), path=of.PATH, kernel=of.text("Only this kernel."), device=of.text("A device or architecture.")),
    of.given(
        kernels=of.several(
            of.given(
                file=of.text(""),
                kernel=of.text(""),
                device=of.text("Its id."),
                steps=of.several(
                    of.given("", **of.STEP),
                    "The first is the kernel as it stands.",
                ),
            )
        ),
        problems=of.several(of.text(""), "Why kernels were not tried."),
    ),
    _bounds,
    compiles=True,
)
