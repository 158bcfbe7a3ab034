"""What became of kernels since an earlier time, as rows that text and Markdown lay out, and as data."""

from __future__ import annotations

from occupancy_lsp.findings.changes import KINDS, Change
from occupancy_lsp.findings.comparing import Comparison, difference
from occupancy_lsp.findings.totals import counted
from occupancy_lsp.findings.was import Was
from occupancy_lsp.model.nouns import NEUTRAL

HEAD = ("", "where", "kernel", "on", "occupancy")


def summary(it: Comparison) -> str:
    """`compared with main: 1 lost, 2 new, 40 same; 3 findings that were there are not shown`."""
    counts = [f"{it.count(kind)} {kind}" for kind in KINDS if it.count(kind)]
    hidden = f"; {counted(it.known, 'finding')} from before not shown" if it.known else ""
    if not counts and it.changed_only:
        return f"nothing that changed since {it.title} bears on a kernel{hidden}"
    return f"compared with {it.title}: {', '.join(counts) or 'no kernels'}{hidden}"


def rows(it: Comparison) -> list[tuple[str, str, str, str, str]]:
    """Of all kernels that are not the same as before, what was lost first."""
    ordered = sorted((change for change in it.changes if change.kind != "same"), key=lambda one: KINDS.index(one.kind))
    return [_row(it, change) for change in ordered]


def _row(it: Comparison, change: Change) -> tuple[str, str, str, str, str]:
    key, words = change.key, it.nouns.get(change.key.arch, NEUTRAL)
    renamed = [] if change.before is None else [f"was {change.before.name}"]
    if change.before is not None and change.before.path != key.path:
        renamed = [f"was in {change.before.path}"]
    text = ", ".join((difference(change, words), *renamed))
    return change.kind, it.places[key], key.name, key.arch, text


def as_data(it: Comparison) -> dict[str, object]:
    changes = [
        {
            "kind": change.kind,
            "path": change.key.path,
            "kernel": change.key.kernel,
            "instance": change.key.instance or None,
            "arch": change.key.arch,
            "before": {"path": change.before.path, "kernel": change.before.kernel} if change.before else None,
            "was": _was(change.was),
            "now": _was(change.now),
        }
        for change in it.changes
    ]
    return {"with": it.title, "findings_known": it.known, "findings_fixed": it.fixed, "kernels": changes}


def _was(it: Was | None) -> dict[str, object] | None:
    if it is None:
        return None
    spans = {"groups": it.groups, "percent": it.percent, "registers": it.registers, "local": it.local}
    return {
        **{name: {"lowest": ends[0], "highest": ends[1]} if ends else None for name, ends in spans.items()},
        "source": it.source or None,
    }
