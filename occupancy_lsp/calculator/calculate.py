"""One point of the model: as an answer to a JSON request, and as text for people."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace

from occupancy_lsp.analysis.what_if import what_if
from occupancy_lsp.calculator.fill import at_once_text, fill_json, fill_text, threads_text, unit_word
from occupancy_lsp.calculator.request import read_request
from occupancy_lsp.calculator.widths import widths_json, widths_text
from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.table import aligned
from occupancy_lsp.core.wording import bytes_text, percent_text
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.full import budget
from occupancy_lsp.model.lanes import lanes
from occupancy_lsp.model.nouns import Nouns
from occupancy_lsp.model.occupancy import Limits, Need, Occupancy

# The answer says "subgroups" in one word, as the request says "workgroup", and "sgprs" like the request.
_WRITTEN = {field.name: field.name for field in fields(Limits)} | {"sub_groups": "subgroups", "scalars": "sgprs"}


def answer(request: object, find: Callable[[str], Device]) -> dict[str, object]:
    """The occupancy of one request, or {"error": why not}. `find` raises LookupError for an unknown device."""
    try:
        asked = read_request(request, find)
        result, printed = asked.arch.occupancy(asked.need), asked.arch.per_limiter(asked.need)
    except ValueError as refused:
        return {"error": str(refused)}
    limits = {name: getattr(result.limits, name) for name in _WRITTEN if shown(name, result)}
    reply: dict[str, object] = {
        "groups": result.groups,
        "subgroups": result.sub_groups,
        "percent": result.percent,
        "limits": {_WRITTEN[name]: limit for name, limit in limits.items()},
        "limiters": [_WRITTEN[name] for name in result.limiters],
    }
    if printed:
        reply["per_limiter_subgroups"] = {_WRITTEN[name]: figure for name, figure in printed.items()}
    reply |= widths_json(asked.arch, asked.need)
    if asked.grid is not None:
        reply["fill"] = fill_json(asked.device, result, asked.grid)
    return reply


def shown(limit: str, result: Occupancy) -> bool:
    """Whether a field of Limits is worth a word: what few architectures have only where it limits."""
    return limit not in ("scalars", "tensor_memory") or getattr(result.limits, limit) is not None


def ladder(device: Device, need: Need, grid: int | None = None, fit: int | None = None) -> str:
    """One point for people: the figure in a sentence, every limit, the binding ones first, and the way to the next.

    `grid`: work-groups, to say how they fill the device. `fit`: as many as shall be resident on a unit, not as can be.
    """
    words, result = device.nouns, device.arch.occupancy(need)
    lines = [*widths_text(device, need), _sentence(device, need, result, words), ""]
    lines += _table(rungs(device.arch, need, result, words))
    ways = what_if(device.arch, counted(need), words)
    ways += lanes_text(device, need, words) if not result.fault else []
    ways.append(budget_text(device, need, words, fit))
    ways += _resident(device, need, result, grid, words)
    return "\n".join([*lines, "", *filter(None, ways)]) + "\n"


def _resident(device: Device, need: Need, result: Occupancy, grid: int | None, words: Nouns) -> list[str]:
    """How much is resident at once, and how `grid` work-groups fill the device."""
    whole = result.groups and not device.arch.traits.starts_in_parts
    said = [threads_text(need, result, words)] if whole else []
    if grid is not None and result.groups:
        return [*said, fill_text(device, result, grid, words)]
    return [*said, at_once_text(device, result, words)] if whole else []


def counted(need: Need) -> Need:
    """`need` with registers of 4 bytes where only their bytes are given, if they are whole ones."""
    if need.registers is not None or not need.register_bytes or need.register_bytes % 4:
        return need
    return replace(need, registers=need.register_bytes // 4, register_bytes=None)


def budget_text(device: Device, need: Need, words: Nouns, fit: int | None = None) -> str:
    """What each work-group may have for `fit` of them to fit, or for as many as ever can; "" if none can."""
    most = budget(device.arch, need)
    found = most if fit is None else budget(device.arch, need, fit)
    if most is None:
        return ""
    if found is None:
        return f"never {fit} {words.groups}: at most {most.groups} fit"
    count = f"{found.groups} {words.groups if found.groups > 1 else words.group}"
    fits = f"{count} fit{'s' * (found.groups == 1)} ({percent_text(found.percent)})"
    registers = f"{found.registers} {words.registers} per thread and " if found.registers else ""
    share = f"{registers}{bytes_text(found.local)} of {words.local_memory} per {words.group}"
    return f"{'at most ' if fit is None else ''}{fits}, with up to {share}"


def lanes_text(device: Device, need: Need, words: Nouns) -> list[str]:
    """How many lanes have a thread, where not all have; always on the generic devices, whose notebook prints it."""
    used = lanes(device.arch, need)
    if used.percent == 100 and not device.arch.traits.tells_lanes:
        return []
    return [
        f"{used.threads} of {used.lanes} lanes of its {words.sub_groups} have a thread ({percent_text(used.percent)})"
    ]


def _sentence(device: Device, need: Need, result: Occupancy, words: Nouns) -> str:
    if result.fault:
        return f"{device.name}: cannot launch: {fault_text(result, need, words)}."
    count = f"{result.groups} {words.groups if result.groups > 1 else words.group}"
    limiters = " and ".join(names_of(words)[name] for name in result.limiters)
    return (
        f"{device.name}: {percent_text(result.percent)} occupancy, {count} of {need.group_size} threads per "
        f"{unit_word(result, words)} ({result.sub_groups} of {result.max_sub_groups} {words.sub_groups}), "
        f"limited by {limiters}."
    )


def fault_text(result: Occupancy, need: Need, words: Nouns) -> str:
    """Why not one work-group fits, with the numbers. For a result that has a fault."""
    assert result.fault
    if result.fault.says:
        return result.fault.says
    needs, allows = result.fault.needs, result.fault.allows
    unit = {
        "group_size": f"threads per {words.group}",
        "bounds": f"threads per {words.group}",
        "registers_per_thread": f"{words.registers} per thread",
        "registers": f"{words.registers} per {words.group}",
        "scalars": f"{words.scalars} per {words.group}",
        "local_memory": f"bytes of {words.local_memory} per {words.group}",
        "barriers": f"barriers per {words.group}",
        "resident": f"{words.groups} that must be resident at once",
    }[result.fault.resource]
    note = ""
    if result.fault.resource == "local_memory" and not need.opt_in and need.static_local <= allows:
        note = " without opting in to more"
    if result.fault.resource == "bounds":
        note = " by its launch bounds"
    if result.fault.resource == "scalars":
        note = ", counted as they are allocated"
    if result.fault.resource == "registers" and need.group_size * (need.registers or 0) <= allows:
        note = ", counted as they are allocated"
    return f"{needs} {unit}, at most {allows}{note}"


def names_of(words: Nouns) -> dict[str, str]:
    """The resources as their users call them; also the order in which they are listed."""
    return {
        "sub_groups": words.sub_groups,
        "groups": words.groups,
        "registers": words.registers,
        "scalars": words.scalars,
        "local_memory": words.local_memory,
        "barriers": "barriers",
        "tensor_memory": "tensor memory",
    }


@dataclass(frozen=True, slots=True)
class Rung:
    """One line of the ladder: a limit, what the work-group needs of it, how many groups it allows; as text."""

    resource: str  # a field of Limits
    limit: str
    needs: str
    allows: str
    binds: bool


def rungs(arch: Architecture, need: Need, result: Occupancy, words: Nouns) -> list[Rung]:
    """Every limit, the binding ones first."""
    names, needs = names_of(words), _needs(arch, need, words)
    found = []
    for name in sorted(names, key=lambda name: name not in result.limiters):
        if not shown(name, result):
            continue
        limit = getattr(result.limits, name)
        allows = "no limit" if limit is None else f"{limit} {words.groups if limit != 1 else words.group}"
        found.append(Rung(name, names[name], needs[name], allows, name in result.limiters))
    return found


def _table(rows: list[Rung]) -> list[str]:
    """Aligned columns; ">" marks what binds."""
    lines = aligned([("limit", "needs", "allows"), *((row.limit, row.needs, row.allows) for row in rows)])
    binds = [False, *(row.binds for row in rows)]
    return [f"{'>' if it else ' '} {line}" for it, line in zip(binds, lines, strict=True)]


def _needs(arch: Architecture, need: Need, words: Nouns) -> dict[str, str]:
    each = f"per {words.group}"
    parts = {"static": need.static_local, "dynamic": need.dynamic_local, "reserved": arch.local_reserved}
    used = {what: amount for what, amount in parts.items() if amount}
    listed = ", ".join(f"{bytes_text(amount)} {what}" if len(used) > 1 else what for what, amount in used.items())
    total = f"{bytes_text(sum(used.values()))} {each}"
    return {
        "sub_groups": f"{lanes(arch, need).sub_groups} {each}",
        "groups": "1",
        "registers": _registers(arch, need, words),
        "scalars": _scalars(arch, need, words),
        "local_memory": f"{total} ({listed})" if listed else total,
        "barriers": f"{need.barriers} {each}",
        "tensor_memory": f"{need.tensor_columns} columns {each}",
    }


def _registers(arch: Architecture, need: Need, words: Nouns) -> str:
    """What is asked for, and what is set aside for it where that is more: `122 per thread, 128 allocated (124 + 4)`."""
    if need.registers is None and need.register_bytes:
        return f"{need.register_bytes} B per thread"
    taken = arch.allocated(need)
    if taken is not None and taken.of == "hardware thread":
        return f"{taken.registers} per hardware thread"
    counts = {"": need.registers, f" {words.accumulators}": need.accumulators}
    given = " and ".join(f"{count}{kind}" for kind, count in counts.items() if count)
    if not given:
        return "not given"
    if taken is None or (taken.of == "thread" and taken.registers == (need.registers or 0) + need.accumulators):
        return f"{given} per thread"
    per = f" per {words.group}" if taken.of == "group" else ""
    own = taken.registers - (taken.accumulators or 0)
    parts = f" ({own} + {taken.accumulators} {words.accumulators})" if taken.accumulators else ""
    return f"{given} per thread, {taken.registers} allocated{per}{parts}"


def _scalars(arch: Architecture, need: Need, words: Nouns) -> str:
    if need.scalars is None:
        return "not given"
    given, taken = f"{need.scalars} per {words.sub_group}", arch.allocated_scalars(need)
    if taken is None:
        return given
    whole, reserve = taken
    return f"{given}, {whole} allocated" + (f" ({whole - reserve} + {reserve} for traps)" if reserve else "")
