"""The facts of one kernel as text: what is proved, and what is not with the reason and the place."""

from __future__ import annotations

from occupancy_lsp.cli.formats.kernel_facts import Facts

_LABEL = 16
_MOST_INSTANCES = 16


def kernel_text(facts: Facts) -> list[str]:
    kind = " (template)" if facts["template"] else ""
    lines = [f"{facts['file']}:{facts['line']}:{facts['column']}: {facts['name']}{kind}"]
    lines += _lines([*_annotations(facts), *_shared(facts), *_launches(facts), *_compiled(facts)], "    ")
    return lines + _instances(facts)


def _lines(parts: list[tuple[str, str]], indent: str) -> list[str]:
    return [f"{indent}{label:<{_LABEL}} {text}" for label, text in parts]


def _instances(facts: Facts) -> list[str]:
    """Each instance by its arguments; with its own facts where they differ from one to the next."""
    shown = [(it["arguments"], [*_annotations(it), *_shared(it)]) for it in facts["instances"]]
    differ = any(said != shown[0][1] for _, said in shown)
    lines: list[str] = []
    for arguments, said in shown[:_MOST_INSTANCES]:
        lines.append(f"    <{arguments}>")
        lines += _lines(said, "        ") if differ else []
    left = len(shown) - _MOST_INSTANCES
    return [*lines, f"    and {left} more instances"] if left > 0 else lines


def _value(value: Facts, unit: str) -> str:
    if value["value"] is None:
        return f"{unit}: not known, {value['reason']}{_places([value])}"
    return f"{value['value']} {unit}" if value["value"] != 1 else f"1 {unit.replace('s', '', 1)}"


def _places(found: list[Facts]) -> str:
    """Of what stands in this file."""
    places = [f"{it['line']}:{it['column']}" for it in found if it["line"] is not None]
    return f" ({', '.join(places)})" if places else ""


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
        found.append(("", f"not known: {shared['reason']}{_places(facts['shared_unknown'])}"))
    if facts["calls_unseen"]:
        found.append(("", f"calls without visible source: {', '.join(facts['calls_unseen'])}"))
    return found


def _launches(facts: Facts) -> list[tuple[str, str]]:
    found = []
    for launch in facts["launches"]:
        dynamic = launch["dynamic_shared"]
        bytes_ = "" if dynamic["value"] == 0 else f", {_value(dynamic, 'bytes dynamic')}"
        text = f"{_value(launch['block'], 'threads')}{bytes_}"
        if "file" in launch:
            found.append(("launched in", f"{launch['file']}:{launch['line']} with {text}"))
        else:
            found.append((f"launch at {launch['line']}", text))
    return found or [("launch", "none found")]


def _compiled(facts: Facts) -> list[tuple[str, str]]:
    """Each instance's counts; of those that say nothing of a kind there is nothing."""
    found = [(it["name"], it["registers"], it["arch"]) for it in facts.get("compiled", ())]
    shown = [f"{name}: {registers} registers on {arch}" for name, registers, arch in found if registers is not None]
    left = [f"and {len(shown) - _MOST_INSTANCES} more"] if len(shown) > _MOST_INSTANCES else []
    return [("compiled", it) for it in (*shown[:_MOST_INSTANCES], *left)]
