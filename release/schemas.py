"""`python -m release.schemas`: the JSON schemas of what the commands print, into the package.

Objects may get more properties in later versions; none goes, and none changes its meaning.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path

import occupancy_lsp
from occupancy_lsp.cli.commands.agents import schemas as of
from occupancy_lsp.cli.commands.agents.tool import Schema
from occupancy_lsp.counts.usage import Usage
from occupancy_lsp.findings.records import SEVERITIES

FOLDER = Path(occupancy_lsp.__file__).parent / "schemas"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"


def _nothing_or(said: str) -> Schema:
    return of.maybe(of.text(said))


_CHECK = of.also(
    of.given(
        "What `check --format json` prints.",
        version={"const": 1},
        interrupted=of.yes("Ctrl-C ended the check; `files` are those that were done."),
        files=of.several(
            of.given(
                "",
                path=of.text("As the user wrote it, or as it was found."),
                skipped=of.SKIPPED,
                device=of.also(of.CHOSEN, chosen_by=of.text("Where the choice comes from.")),
                kernels=of.several(of.KERNEL_ENTRY),
                findings=of.several(of.FINDING_ON),
                unread_kernels=of.UNREAD,
            )
        ),
        problems=of.PROBLEMS,
    ),
    comparison=of.COMPARISON,
)

# What a compiler counted: all but where that was read.
_INTERNAL = ("kernel", "path", "line", "source", "mtime", "language", "at", "device_name")
_KINDS = {"str": "string", "int": "integer"}


def _count(kind: str) -> Schema:
    names = [_KINDS[it] for it in kind.split(" | ") if it in _KINDS]
    null = ["null"] if "None" in kind or not names else []
    return {"type": [*(names or ["object", "array"]), *null]}


_COUNTS = of.given(
    "null: the compiler did not say.",
    name=of.text("The kernel, demangled."),
    **{it.name: _count(str(it.type)) for it in fields(Usage) if it.name not in _INTERNAL},
)
_MESSAGES = of.several(of.text("FILE:LINE:COLUMN: what is wrong."))
_COMPILE = of.given(
    "What `compile --format json` prints.",
    kernels=of.several(of.also(_COUNTS, file=of.text("The source."), device=of.text("Its id."))),
    problems=_MESSAGES,
)
_STEP = of.given(
    "The kernel with some launch bounds.",
    **of.STEP,
    ceiling=of.maybe(of.whole("Registers per thread that they allow.")),
    counts=of.several(_COUNTS, "Of each instance."),
)
_BOUNDS = of.given(
    "What `bounds --format json` prints.",
    kernels=of.several(
        of.given("", file=of.text(""), kernel=of.text(""), device=of.text("Its id."), steps=of.several(_STEP))
    ),
    problems=_MESSAGES,
)

_VALUE: Schema = {
    "type": "object",
    "description": "A number, or null with the reason and where it stands in this file.",
    "properties": {
        "value": of.maybe(of.whole("")),
        "reason": of.text("Why it is not known."),
        "line": of.maybe(of.whole("")),
        "column": of.maybe(of.whole("")),
    },
    "required": ["value"],
}
_LAUNCH = of.also(
    of.given(
        "",
        kernel=of.text("As the launch names it."),
        line=of.maybe(of.whole("")),
        arguments=_nothing_or("Of the kernel's template. null: not known, or none."),
        block=of.also(_VALUE, dimensions={"type": "array"}),
        dynamic_shared=_VALUE,
    ),
    column=of.maybe(of.whole("Of a launch in this file.")),
    file=of.text("Of a launch in another file."),
)
_PROVED = {
    "bounds": of.maybe(
        of.given(
            "Launch bounds.",
            max_threads=_VALUE,
            min_blocks=of.maybe(_VALUE),
            max_cluster=of.maybe(_VALUE),
        )
    ),
    "max_registers": of.maybe(_VALUE),
    "block_size": of.maybe(_VALUE),
    "shared": of.given("", lowest=of.whole(""), highest=of.maybe(of.whole("")), reason=_nothing_or("")),
    "shared_unknown": {"type": "array"},
    "dynamic_shared": of.yes("It uses memory that is sized at launch."),
    "calls_unseen": of.several(of.text("A function.")),
}
_KERNELS: Schema = {
    "description": "A line of what `kernels --format jsonl` prints: a kernel, or launches of other files' kernels.",
    "anyOf": [
        of.also(
            of.given(
                "",
                name=of.text("Qualified name."),
                file=of.text(""),
                line=of.maybe(of.whole("")),
                column=of.maybe(of.whole("")),
                language=of.text("", enum=["cuda", "hip", "opencl"]),
                template=of.yes(""),
                **_PROVED,
                instances=of.several(of.given("", arguments=of.text(""), **_PROVED)),
                launches=of.several(_LAUNCH),
            ),
            compiled=of.several(_COUNTS, "With `--compile` only."),
        ),
        of.given("", name={"type": "null"}, file=of.text(""), launches=of.several(_LAUNCH)),
    ],
}

_LIMIT = of.maybe(of.whole("Blocks that it allows. null: no limit."))
_CALC: Schema = {
    "description": "A line of what `calc --jsonl` answers.",
    "anyOf": [
        of.given("", error=of.text("Why there is no answer.")),
        of.also(
            of.given(
                "",
                groups=of.whole("Blocks (work-groups) per compute unit."),
                subgroups=of.whole("Warps, waves or hardware threads per compute unit."),
                percent=of.number(""),
                limits=of.also(
                    of.given(
                        "",
                        subgroups=_LIMIT,
                        groups=_LIMIT,
                        registers=_LIMIT,
                        local_memory=_LIMIT,
                        barriers=_LIMIT,
                    ),
                    sgprs=_LIMIT,
                ),
                limiters=of.several(of.text("A key of `limits`.")),
            ),
            per_limiter_subgroups={"type": "object"},
            assumed_simd={"type": "integer"},
            percent_by_simd={"type": "object"},
            fill={"type": ["object", "null"]},
        ),
    ],
}

_SPAN: Schema = {
    "description": "A number, or the lowest and the highest.",
    "anyOf": [{"type": "number"}, {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}],
}
_BASELINE_ENTRY: Schema = {
    "type": "object",
    "properties": {
        "groups": _SPAN,
        "percent": _SPAN,
        "registers": _SPAN,
        "bytes": _SPAN,
        "threads": of.several(of.whole("")),
        "source": of.text(""),
        "sure": of.yes(""),
        "stale": of.yes(""),
        "findings": {
            "type": "object",
            "additionalProperties": {
                "type": "object",
                "propertyNames": {"enum": list(SEVERITIES)},
                "additionalProperties": {"type": "integer"},
            },
            "description": "How many, by rule and severity.",
        },
    },
}
_BASELINE = of.given(
    "What `check --write-baseline` writes.",
    format={"const": 1},
    version=of.text("Of the program that wrote it."),
    kernels=of.several(
        {
            "type": "object",
            "properties": {
                "path": of.text("Relative to the folder that the baseline is in."),
                "kernel": of.text("Qualified name."),
                "instance": of.text("Its template arguments."),
                "on": {"type": "object", "additionalProperties": _BASELINE_ENTRY, "description": "By architecture."},
            },
        },
        "The last is empty.",
    ),
)

SCHEMAS: Mapping[str, Schema] = {
    "baseline": _BASELINE,
    "bounds": _BOUNDS,
    "calc": _CALC,
    "check": _CHECK,
    "compile": _COMPILE,
    "kernels": _KERNELS,
}


def text_of(name: str) -> str:
    return json.dumps({"$schema": _DIALECT, "title": f"occupancy-lsp {name}", **SCHEMAS[name]}, indent=1) + "\n"


if __name__ == "__main__":
    for name in SCHEMAS:
        (FOLDER / f"{name}.json").write_text(text_of(name), "utf-8")
