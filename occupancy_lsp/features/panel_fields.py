"""The inputs of a figure as the fields of a form: what each is, who says so, and what a person tries in its place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from occupancy_lsp.analysis.built import stated_width
from occupancy_lsp.analysis.inputs import STATED
from occupancy_lsp.analysis.report import KernelReport
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.model.variant import Variant

Changes = Mapping[str, int | str]  # by the fields of Need

NOT_STATED = "not stated"  # the range of what nobody says anything of
_COUNTED = ("registers", "accumulators", "scalars", "mode", "grf")  # said by the same count
_DEFAULT = "the default"
_FLAGS = "by the flags that it is compiled with"
_NONE = "none in the source"
_MODES = ("cu", "wgp")
_GRF = (32, 64, 96, 128, 160, 192, 256)
_MOST = 2**31 - 1


@dataclass(frozen=True, slots=True)
class Field:
    """`key`: the field of Need. `value` "": open, and `range` says between what. `choices`: none for any number."""

    key: str
    label: str
    value: str
    range: str
    source: str
    changed: bool
    choices: tuple[str, ...] = ()


class Impossible(ValueError):
    """No such field, or no such value, in words for who typed it."""


def read_changes(arch: Architecture, given: Mapping[str, object]) -> Changes:
    """What a person typed; what the vendor does not have is left out. Impossible: no value of its field."""
    known = dict(_inputs(arch))
    read: dict[str, int | str] = {}
    for key, value in given.items():
        if key not in known:
            continue
        label, choices = known[key]
        text = str(value).strip()
        if choices and text not in choices:
            raise Impossible(f"{label}: one of {', '.join(choices)}, not {text[:20]}")
        if not choices and not (
            text.isascii() and text.isdecimal() and len(text) <= len(str(_MOST)) and int(text) <= _MOST
        ):
            raise Impossible(f"{label}: a whole number, not {text[:20]}")
        read[key] = text if choices and not text.isdecimal() else int(text)
    return read


def changed(need: Need, changes: Changes) -> Need:
    values: dict[str, Any] = dict(changes)
    return replace(need, **values)


def fields_of(report: KernelReport, least: Need | None, most: Need | None, changes: Changes) -> tuple[Field, ...]:
    """`least`, `most`: what the kernel may need, unchanged; None: its size is not known."""
    found = []
    for key, (label, choices) in _inputs(report.arch):
        low, high = (None if it is None else _stated(report.arch, it, key) for it in (least, most))
        if key == "accumulators" and not report.counted:
            low = high = None  # the figure takes them for none, and nobody says so
        if key == "group_size" and (report.figure is None or report.size.bounded):
            low = None  # what is known is the most that it can be
            high = high if report.figure is not None else None
        if key in changes:
            found.append(Field(key, label, str(changes[key]), _range(low, high), "what if", True, choices))
        else:
            value = "" if low is None or low != high else str(low)
            between = "" if value else _range(low, high)
            found.append(Field(key, label, value, between, _source(report, key), False, choices))
    return tuple(found)


def _inputs(arch: Architecture) -> Iterator[tuple[str, tuple[str, tuple[str, ...]]]]:
    """Those that the vendor has, in the words of its users."""
    words, traits = arch.nouns, arch.traits
    yield "group_size", (f"Threads per {words.group}", ())
    if traits.counts_registers:
        yield "registers", (f"Registers per thread{' (VGPRs)' if traits.other_registers else ''}", ())
    if traits.accumulates:
        yield "accumulators", ("Accumulation registers (AGPRs)", ())
    if arch.scalars_limit:
        yield "scalars", (f"Scalar registers per {words.sub_group} (SGPRs)", ())
    yield "static_local", (f"Static {words.local_memory} (bytes)", ())
    yield "dynamic_local", (f"Dynamic {words.local_memory} (bytes)", ())
    if traits.opts_in:
        yield "carveout", (f"{words.local_memory.capitalize()} carve-out (%)", ())
    if traits.counts_barriers:
        yield "barriers", (f"Barriers per {words.group}", ())
    widths = arch.built_widths or arch.chosen_widths
    if len(widths) > 1:
        yield "sub_group", (f"{words.width[0].upper()}{words.width[1:]}", tuple(map(str, sorted(widths))))
    modes = tuple(it for it in _MODES if arch.known_variant(Variant(mode=it)).mode == it)
    if len(modes) > 1:
        yield "mode", ("CU or WGP mode", modes)
    files = tuple(str(it) for it in _GRF if arch.known_variant(Variant(grf=it)).grf == it)
    if len(files) > 1:
        yield "grf", ("Registers per hardware thread (GRF)", files)


def _stated(arch: Architecture, need: Need, key: str) -> object:
    return arch.width(need) if key == "sub_group" else getattr(need, key)


def _range(low: object, high: object) -> str:
    if low is None and high is None:
        return NOT_STATED
    if low == high:
        return str(low)
    if isinstance(low, int) and isinstance(high, int):
        low, high = sorted((low, high))  # the least of the groups may have the widest sub-groups
    return f"at most {high}" if low is None else f"{low} to {high}"


def _source(report: KernelReport, key: str) -> str:
    """Where the value comes from; "" where the architecture's own stands."""
    if key == "group_size":
        return report.size.origin or report.size.reason
    if key == "registers" or (key in _COUNTED and report.counted):
        return _counted(report)
    if key == "sub_group":
        return _width_source(report)
    if key in ("mode", "grf"):
        return _FLAGS if any(getattr(it, key) for it in report.options.variants_on(report.arch)) else _DEFAULT
    memory = report.local
    return {
        "static_local": (memory.origin if memory.static[1] else _NONE) or memory.reason,
        "dynamic_local": memory.dynamic_reason or ("" if memory.dynamic[1] else _NONE),
        "barriers": report.built.barriers.origin or report.built.barriers.reason,
    }.get(key, "")


def _counted(report: KernelReport) -> str:
    count = report.registers
    age = "" if count.freshness == "fresh" else ", older than the source"
    return f"{count.told}{age}" if count.lowest is not None else count.origin


def _width_source(report: KernelReport) -> str:
    if not any(it.sub_group for it in report.built.variants):
        return _DEFAULT
    if report.built.open_width:
        return "chosen by the compiler"
    if stated_width(report.arch, report.directives) is not None:
        return STATED
    if report.counted:
        return _counted(report)
    fixed = (
        report.kernel.attributes.sub_group is not None
        or report.arch.named_width(report.kernel.attributes.wave) is not None
    )
    return "fixed by its annotation" if fixed else _FLAGS
