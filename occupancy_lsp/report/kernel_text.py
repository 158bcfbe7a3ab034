"""The facts of one kernel as text: what is proved, and what is not with the reason and the place."""

from __future__ import annotations

from occupancy_lsp.report.as_text import printable
from occupancy_lsp.report.kernel_facts import Facts

_LABEL = 16


def kernel_text(facts: Facts) -> str:
    kind = " (template)" if facts["template"] else ""
    lines = [f"{facts['file']}:{facts['line']}:{facts['column']}: {facts['name']}{kind}"]
    for label, text in [*_annotations(facts), *_shared(facts), *_launches(facts)]:
        lines.append(f"    {label:<{_LABEL}} {text}")
    return "\n".join(map(printable, lines)) + "\n"


def _value(value: Facts, unit: str) -> str:
    if value["value"] is None:
        return f"{unit}: not known, {value['reason']} ({value['line']}:{value['column']})"
    return f"{value['value']} {unit}" if value["value"] != 1 else f"1 {unit.replace('s', '', 1)}"


def _annotations(facts: Facts) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    if bounds := facts["bounds"]:
        parts = {"max_threads": "threads", "min_blocks": "blocks/SM", "max_cluster": "blocks/cluster"}
        given = [_value(bounds[key], unit) for key, unit in parts.items() if bounds[key]]
        found.append(("launch bounds", ", ".join(given)))
    if facts["block_size"]:
        found.append(("block size", _value(facts["block_size"], "threads")))
    if facts["max_registers"]:
        found.append(("register limit", _value(facts["max_registers"], "registers per thread")))
    return found


def _shared(facts: Facts) -> list[tuple[str, str]]:
    shared, dynamic = facts["shared"], " and more at launch" if facts["dynamic_shared"] else ""
    low, high = shared["lowest"], shared["highest"]
    text = f"{low} bytes" if low == high else f"at least {low} bytes" if high is None else f"{low} to {high} bytes"
    found = [("shared memory", f"{text}{dynamic}")]
    if shared["reason"]:
        places = ", ".join(f"{it['line']}:{it['column']}" for it in facts["shared_unknown"])
        found.append(("", f"not known: {shared['reason']}" + (f" ({places})" if places else "")))
    if facts["calls_unseen"]:
        found.append(("", f"calls out of sight: {', '.join(facts['calls_unseen'])}"))
    return found


def _launches(facts: Facts) -> list[tuple[str, str]]:
    found = []
    for launch in facts["launches"]:
        dynamic = launch["dynamic_shared"]
        bytes_ = "" if dynamic["value"] == 0 else f", {_value(dynamic, 'bytes dynamic')}"
        found.append((f"launch at {launch['line']}", f"{_value(launch['block'], 'threads')}{bytes_}"))
    return found or [("launch", "none in this file")]
