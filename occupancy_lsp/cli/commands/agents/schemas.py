"""What tools take and answer, as JSON schemas whose descriptions are written for an agent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from occupancy_lsp.cli.commands.agents.tool import Schema
from occupancy_lsp.findings.changes import KINDS
from occupancy_lsp.findings.records import SEVERITIES


def _kind(kind: str, said: str, **more: object) -> Schema:
    return {"type": kind, **({"description": said} if said else {}), **more}


def text(said: str, **more: object) -> Schema:
    return _kind("string", said, **more)


def whole(said: str, least: int = 0) -> Schema:
    return _kind("integer", said, minimum=least)


def number(said: str) -> Schema:
    return _kind("number", said)


def yes(said: str) -> Schema:
    return _kind("boolean", said)


def several(item: Schema, said: str = "") -> Schema:
    return _kind("array", said, items=item)


def taken(required: tuple[str, ...], **properties: Schema) -> Schema:
    """What a tool takes: nothing beside `properties`."""
    return {**_kind("object", "", properties=properties, required=list(required)), "additionalProperties": False}


def given(said: str = "", **properties: Schema) -> Schema:
    """What a tool gives: all of `properties`; later versions may give more."""
    return _kind("object", said, properties=properties, required=list(properties))


def also(schema: Schema, **optional: Schema) -> Schema:
    """With what is there in some answers only."""
    properties = cast(Mapping[str, Schema], schema["properties"])
    return {**schema, "properties": {**properties, **optional}}


def maybe(schema: Schema) -> Schema:
    """Or null; its description says what that means."""
    return {**schema, "type": [schema["type"], "null"]}


PATH = text("A source file, relative to the folder that the server was started for.")
PLACE = text("A source file or a folder, relative to the folder that the server was started for; '.' is all of it.")
KERNEL = text("The kernel's name, qualified with its namespaces or not. May be left out if the file has one kernel.")
DEVICES = {
    **several(
        text("A device or architecture, such as 'h100', 'rtx4090', 'sm_90', 'mi300x' or 'gfx942'."),
        "The devices to look at. Left out: those of the project's settings, or a default for the language.",
    ),
    "maxItems": 100,
}

_POINT = given(
    "What fits on one compute unit: an SM, CU, WGP or Xe-core.",
    groups=whole("Resident blocks (work-groups) per compute unit; 0: a launch fails."),
    subgroups=whole("Resident warps, waves or hardware threads per compute unit."),
    percent=number("Theoretical occupancy in percent: subgroups as a share of the most that the unit holds."),
)
FIGURE = maybe(
    given(
        "A range. Its ends differ where an input is unknown: the true figure lies between them, and neither end is an "
        "estimate of it. null: the block size is unknown, so nothing can be said.",
        lowest=_POINT,
        highest=_POINT,
    )
)
_SOURCE = maybe(
    text(
        "The weakest source among the figure's inputs, from best to worst: measured, compiled, declared (by a person), "
        "bounded (only limited by annotations), estimated, assumed; 'what if': values were tried. null: no figure."
    )
)
DEVICE = given("", id=text("For `devices`."), name=text("As its vendor calls it."), arch=text("Its architecture."))
_SPAN = given("", lowest=maybe(whole("In bytes.")), highest=maybe(whole("In bytes. null: no upper bound is known.")))
_INPUTS = given(
    "What the figure rests on, and who says so.",
    workgroup=given(
        "Threads per block.",
        sizes=several(whole("Threads per block of a launch."), "All sizes in sight; empty: unknown."),
        upper_bound=yes("The size is the most that launch bounds allow, not a size that is launched."),
        assumed=yes("The settings name the size, because launches choose theirs at run time."),
        origin=maybe(text("Where the size comes from.")),
        reason=maybe(text("Why the size is unknown.")),
    ),
    registers=given(
        "Registers per thread.",
        lowest=maybe(whole("null: no count is known; `highest` is then what bounds and device allow.")),
        highest=maybe(whole("null: no upper bound is known.")),
        source=text("As the figure's `source`."),
        origin=maybe(text("The log, object or comment that says so.")),
        freshness=text("fresh; maybe (the source was written after the count); stale (the kernel changed since)."),
    ),
    static_local=_SPAN,
    dynamic_local=_SPAN,
    local_origin=text("Where the bytes of shared memory (LDS, SLM) come from."),
    local_reason=maybe(text("Why the number of bytes is unknown.")),
    calls_unseen=several(text("A function."), "Functions without visible source; memory that they use is not counted."),
    barriers=given(
        "Barriers per block.",
        lowest=maybe(whole("")),
        highest=maybe(whole("")),
        origin=maybe(text("")),
        reason=maybe(text("Why the number is unknown.")),
    ),
)
KERNEL_ENTRY = given(
    "",
    name=text("Qualified name."),
    line=whole("From 1."),
    column=whole("From 1, in characters."),
    on=several(
        given(
            "",
            device=text("The device's id."),
            hint=maybe(text("What an editor shows: '50% · 4 blk/SM · regs'; the last is the limit.")),
            figure=FIGURE,
            source=_SOURCE,
            error=maybe(text("The tool's own internal error, because of which nothing is known.")),
            inputs=_INPUTS,
        ),
        "One for each device, the first chosen one first.",
    ),
)
FINDING = given(
    "",
    line=whole("From 1."),
    column=whole("From 1, in characters."),
    end_line=whole("From 1."),
    end_column=whole("Of the first character behind it."),
    code=text("The rule, such as OCC005; `explain` has its page."),
    severity=text("", enum=list(SEVERITIES)),
    message=text("What is wrong."),
    related=several(given("", line=whole(""), column=whole(""), message=text(""))),
)
PROBLEMS = several(
    given("", path=text(""), line=whole("0: the whole file."), column=whole(""), message=text("")),
    "Faults in settings, sidecars and files because of which less is known.",
)
CHOSEN = maybe(
    {
        **DEVICE,
        "description": "The device that findings are for; null: none of the chosen devices runs the file's language.",
    }
)
SKIPPED = maybe(text("Why the file was not looked at; null: it was."))
HIDDEN = several(whole("From 1."), "Lines of kernels or launches under an #if that nothing in sight makes true.")
UNREAD = several(whole("From 1."), "Lines of what looks like a kernel and could not be read: nothing is known of it.")
SIDE = maybe(
    given(
        "null: not known.",
        text=text("In words, such as '75%, 12 blocks per SM'; says if the kernel cannot launch."),
        figure=FIGURE,
        limited_by=maybe(text("What limits it, in the vendor's words.")),
        source=_SOURCE,
    )
)
ENDS = given("", lowest=number(""), highest=number(""))
_WAS = maybe(
    given(
        "null: the kernel was not there, or nothing was known.",
        groups=maybe({**ENDS, "description": "Blocks (work-groups) per compute unit. null: not known."}),
        percent=maybe(ENDS),
        registers=maybe(ENDS),
        local=maybe({**ENDS, "description": "Bytes of shared memory (LDS, SLM) per block."}),
        source=maybe(text("The weakest source of the figure's inputs.")),
    )
)
COMPARISON = given(
    "What became of kernels since an earlier time.",
    **{"with": text("The baseline or the revision.")},
    findings_known=whole("Findings that were there before, and are left out."),
    findings_fixed=whole("Findings that were there before, and are gone."),
    kernels=several(
        given(
            "",
            kind=text("What became of it.", enum=list(KINDS)),
            path=text(""),
            kernel=text("Qualified name."),
            instance=maybe(text("Its template arguments.")),
            arch=text("The architecture."),
            before=maybe(given("null: its name and its file are the same.", path=text(""), kernel=text(""))),
            was=_WAS,
            now=_WAS,
        )
    ),
)
FINDING_ON = also(
    FINDING,
    devices=several(text("Its id."), "The devices on which it was found. There where several were asked for."),
)
_HEAD = given(
    "What stands at the kernel in this step; null: nothing.",
    threads=maybe(whole("The most threads per block: the first of `__launch_bounds__`.")),
    second=maybe(whole("The second of `__launch_bounds__`: the fewest blocks per SM, on AMD waves per EU.")),
    registers=maybe(whole("`__maxnreg__`, or `amdgpu_num_vgpr`: the most registers per thread.")),
    waves=maybe(whole("`amdgpu_waves_per_eu`.")),
    width=maybe(whole("The required sub-group size.")),
)
# What is told of each step of other launch bounds.
STEP: Mapping[str, Schema] = {
    "head": _HEAD,
    "size": maybe(whole("Threads per block, where the step changes them.")),
    "registers": given("Per thread.", lowest=maybe(whole("null: unknown.")), highest=whole("")),
    "percent": maybe({**ENDS, "description": "Occupancy; null: unknown."}),
    "spills": maybe(
        given(
            "What the compiler spills, over all instances. null: it did not say.",
            lowest=whole("In bytes per thread, or registers."),
            highest=whole(""),
            registers=yes("Registers are counted, not bytes."),
        )
    ),
    "improves": yes("More occupancy than as it stands, or fewer spills."),
    "preferred": yes("The one to take: most occupancy without spills. No step: leave it as it is."),
}
