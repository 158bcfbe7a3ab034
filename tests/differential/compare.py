"""A program's claims beside its truth, figure by figure.

A figure is stated where it is one number (or surely nothing), and open where it is a range, a bound or unknown. A
stated figure must be true, and an open one must hold the truth.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from .claims import Claims, Data
from .sketch import SITE
from .truth import UNKNOWN, KernelTruth, LaunchTruth, Truth

FAR = 1 << 62
MOST_DYNAMIC = 227 << 10  # no device takes more


@dataclass(frozen=True)
class Figure:
    """`what`: "shared", "block", … `wrong`: the claim cannot be true."""

    what: str
    kernel: str
    truth: object
    claim: object
    stated: bool
    wrong: bool

    @property
    def told(self) -> str:
        return f"{self.what} of {self.kernel}: {self.truth} is true, {self.claim} is claimed"


def figures(truth: Truth, claims: Claims) -> list[Figure]:
    return list(_figures(truth, claims))


def _figures(truth: Truth, claims: Claims) -> Iterator[Figure]:
    compiled = grouped(truth.kernels, lambda it: it.name)
    ran = grouped(truth.launches, lambda it: it.kernel)
    yield from _which(compiled, claims)
    for name, told in grouped(claims.kernels, lambda it: it["name"]).items():
        if name in compiled:
            yield from _of_source(name, told, compiled[name])
    yield from _of_launches(truth, ran, claims)
    checked = [kernel for file in claims.checked for kernel in file["kernels"]]
    for name, kernels in grouped(checked, lambda it: it["name"]).items():
        yield from _of_check(name, [on for it in kernels for on in it["on"]], compiled.get(name, []), ran.get(name, []))
    yield from _errors(truth, claims)


_T = TypeVar("_T")


def grouped(of: Iterable[_T], key: Callable[[_T], str]) -> dict[str, list[_T]]:
    found: dict[str, list[_T]] = {}
    for it in of:
        found.setdefault(key(it), []).append(it)
    return found


def _errors(truth: Truth, claims: Claims) -> Iterator[Figure]:
    """What compiles and launches within the limits has no Error."""
    for finding in (it for file in claims.checked for it in file["findings"]):
        if finding["severity"] == "error" and _within_limits(truth):
            claim = f"line {finding['line']}: {finding['code']}: {finding['message']}"
            yield Figure("error", finding["code"], "compiles and runs", claim, True, True)
    for problem in claims.broken:
        yield Figure("internal error", "", "", problem, True, True)


def _within_limits(truth: Truth) -> bool:
    bounds = {it.name: it.max_threads or it.block_size or 1024 for it in truth.kernels}
    for launch in truth.launches:
        x, y, z = launch.block
        if not 0 < x * y * z <= bounds.get(launch.kernel, 1024) or z > 64 or launch.dynamic > 48 << 10:
            return False
    return all(it.shared <= 48 << 10 for it in truth.kernels)


def _which(compiled: dict[str, list[KernelTruth]], claims: Claims) -> Iterator[Figure]:
    """Which kernels there are: all that are compiled are told, and no others, but for templates that nothing uses.

    One may be left out where it is told that there is what looks like a kernel.
    """
    told = {it["name"]: it for it in claims.kernels if it["name"] is not None}
    unread = any(it["unread_kernels"] for it in claims.checked)
    for name in compiled:
        known = name in told
        yield Figure("kernel", name, "compiled", "told" if known else None, known, not known and not unread)
    for name, it in told.items():
        if name not in compiled and not it["template"]:
            yield Figure("kernel", name, None, "told", True, True)


def _of_source(name: str, told: list[Data], compiled: list[KernelTruth]) -> Iterator[Figure]:
    """`told`: several where a template has specialisations."""
    instances = [one for it in told for one in it["instances"] or [it]]
    spans = [_span(it["shared"]["lowest"], it["shared"]["highest"]) for it in instances]
    yield _held("shared", name, (it.shared for it in compiled), spans)
    for key in ("max_threads", "min_blocks", "max_cluster", "max_registers", "block_size"):
        spans = [_given({**it, **(it["bounds"] or {})}.get(key)) for it in instances]
        numbers = [_or_none(getattr(it, key)) for it in compiled]
        if UNKNOWN in numbers:
            continue
        if key == "max_threads":
            spans = [
                (it.default, it.default) if span == (NOTHING, NOTHING) else span
                for span in spans
                for it in compiled[:1]
            ]
        if any(numbers) or any(it != (NOTHING, NOTHING) for it in spans):
            yield _held(key.replace("_", " "), name, numbers, spans)


Span = tuple[int, int]
NOTHING = 0  # no bound


def _or_none(number: int | None) -> int:
    return NOTHING if number is None else number


def _given(claim: Data | None) -> Span:
    if claim is None:
        return NOTHING, NOTHING
    return _span(claim["value"], claim["value"])


def _span(lowest: int | None, highest: int | None) -> Span:
    return (0 if lowest is None else lowest), (FAR if highest is None else highest)


def _held(what: str, kernel: str, truth: Iterable[int], claims: list[Span]) -> Figure:
    """Every true number must be in one of the spans, and every stated number must be true."""
    numbers = set(truth)
    stated = all(low == high for low, high in claims)
    lost = any(not any(low <= it <= high for low, high in claims) for it in numbers)
    false = any(low == high and low not in numbers for low, high in claims) and len(claims) <= len(numbers)
    return Figure(what, kernel, sorted(numbers), [_shown(it) for it in claims], stated, lost or false)


def _shown(span: Span) -> str:
    low, high = span
    return str(low) if low == high else f"{low}…{'' if high == FAR else high}"


def _of_launches(truth: Truth, ran: dict[str, list[LaunchTruth]], claims: Claims) -> Iterator[Figure]:
    """Each launch that is told beside what ran at its site; where its line has none, beside all of the kernel.

    One is told of several kernels where it cannot be known of which.
    """
    told = [(it["name"] or launch["kernel"], it["file"], launch) for it in claims.kernels for launch in it["launches"]]
    places = grouped(told, lambda it: f"{_file(it[2], it[1])} {it[2]['line']} {it[2].get('column')}")
    for each in places.values():
        name, file, launch = each[0]
        lines = claims.lines.get(_file(launch, file), [])
        line = launch["line"]
        sites = [int(it) for it in SITE.findall(lines[line - 1])] if line and line <= len(lines) else []
        at = [it for it in truth.launches if it.site in sites]
        names = {it[0] for it in each}
        if at:
            yield _launched(names, {it.kernel for it in at}, {it.name for it in truth.kernels})
        if len(sites) == 1:
            yield from _at_site(name, launch, at)
        elif ran.get(name):
            yield from _anywhere(name, launch, ran[name])


def _launched(told: set[str], meant: set[str], compiled: set[str]) -> Figure:
    """Of which kernel a launch is told to be. Of one in another file the name is told as it is written; it may be that
    of a variable, and then nothing is known."""
    plain = {it.rpartition("::")[2] for it in compiled}
    known = told & (compiled | plain)
    wrong = bool(known) and not known & (meant | {it.rpartition("::")[2] for it in meant})
    return Figure("launched", min(meant), sorted(meant), sorted(told), len(known) == 1, wrong)


def _file(launch: Data, file: str) -> str:
    """Where it stands: in another file than the kernel's, that is said."""
    return str(launch.get("file") or file).rpartition("/")[2]


def _at_site(name: str, launch: Data, ran: list[LaunchTruth]) -> Iterator[Figure]:
    """All that ran must be as is told."""
    if not ran:
        return
    block, dynamic = launch["block"], launch["dynamic_shared"]
    sizes = {it.block for it in ran}
    wrong = block["value"] is not None and {x * y * z for x, y, z in sizes} != {block["value"]}
    for at, one in enumerate(block["dimensions"]):
        wrong = wrong or (one is not None and {it[at] for it in sizes} != {one})
    yield Figure("block", name, sorted(sizes), block, block["value"] is not None, wrong)
    amounts, told = {it.dynamic for it in ran}, dynamic["value"]
    yield Figure("dynamic", name, sorted(amounts), dynamic, told is not None, told is not None and amounts != {told})


def _anywhere(name: str, launch: Data, ran: list[LaunchTruth]) -> Iterator[Figure]:
    """What is told must be of one that ran."""
    sizes = {x * y * z for x, y, z in (it.block for it in ran)}
    amounts = {it.dynamic for it in ran}
    for what, claim, truth in (("block", launch["block"], sizes), ("dynamic", launch["dynamic_shared"], amounts)):
        told = claim["value"]
        yield Figure(what, name, sorted(truth), claim, told is not None, told is not None and told not in truth)


def _of_check(name: str, told: list[Data], compiled: list[KernelTruth], ran: list[LaunchTruth]) -> Iterator[Figure]:
    """`told`: several where a template has specialisations; then a figure is of one of them."""
    inputs = [it["inputs"] for it in told]
    for it in told:
        if it["error"]:
            yield Figure("internal error", name, "", it["error"], True, True)
    if compiled:
        yield _within("static bytes", name, {it.shared for it in compiled}, [it["static_local"] for it in inputs])
        if barriers := {it.barriers for it in compiled if it.barriers is not None}:
            yield _within("barriers", name, barriers, [it["barriers"] for it in inputs])
        if registers := {it.registers for it in compiled if it.registers is not None}:
            yield replace(_within("registers", name, registers, [it["registers"] for it in inputs]), stated=False)
    if ran:
        yield _sizes(name, [it["workgroup"] for it in inputs], {x * y * z for x, y, z in (it.block for it in ran)})
        told_bytes, amounts = [it["dynamic_local"] for it in inputs], {it.dynamic for it in ran}
        if any(it["lowest"] != it["highest"] for it in told_bytes):  # a range leaves out launches that fail for it
            amounts = {it for it in amounts if it <= MOST_DYNAMIC}
        if amounts:
            yield _within("dynamic bytes", name, amounts, told_bytes)


def _within(what: str, name: str, numbers: set[Any], claims: list[Data]) -> Figure:
    """Ranges that instances and launches of a kernel share: stated where they are no wider than these need."""
    spans = [_span(it["lowest"], it["highest"]) for it in claims]
    wrong = any(not any(low <= it <= high for low, high in spans) for it in numbers)
    false = len(spans) == 1 and spans[0][0] == spans[0][1] and {spans[0][0]} != numbers
    stated = all(low == high for low, high in spans) or spans == [(min(numbers, default=0), max(numbers, default=0))]
    return Figure(what, name, sorted(numbers), [_shown(it) for it in spans], stated, wrong or (bool(numbers) and false))


def _sizes(name: str, claims: list[Data], ran: set[int]) -> Figure:
    sizes = {size for it in claims for size in it["sizes"]}
    if not all(it["sizes"] for it in claims) or any(it["assumed"] for it in claims):
        return Figure("sizes", name, sorted(ran), claims, False, False)
    bounded = any(it["upper_bound"] for it in claims)
    wrong = max(ran) > max(sizes) if bounded else not ran <= sizes
    return Figure("sizes", name, sorted(ran), claims, not bounded, wrong)
