"""What `ptxas -v`, `nvcc --resource-usage`, NVRTC and `nvlink -v` print; read from CUDA 11.8 to 13.5.

A kernel takes four lines: its entry, the heading of its properties, the properties, the registers. Only the first two
name it. Other text may stand before them on the line, and other lines between them. Where the lines of two compilations
mix so that it cannot be told whose a line is, neither kernel is read. With -rdc=true the counts are nvlink's to say:
ptxas then does not know what called functions use, and leaves out the shared memory of some kernels.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field, replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.naming import canonical
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.regex import regex
from occupancy_lsp.counts.formats.nvidia_link import UNLINKED, declared
from occupancy_lsp.counts.usage import Reading, Remark, Usage

# Names have anything in them where a log went through c++filt.
_ENTRY = regex(r"ptxas info\s*: Compiling entry function '(.{1,4096})' for '(\w{1,16})'")
_HEADING = regex(r"(ptxas|nvlink) info\s*: Function properties for (?:'(.{1,4096})'|([^'\s].{0,4096}))")
_PROPERTIES = regex(r"(\d{1,9}) bytes stack frame, (\d{1,9}) bytes spill stores, (\d{1,9}) bytes spill loads")
_USED = regex(r"(?:ptxas|nvlink) info\s*: [Uu]sed (\d{1,9}) registers(.*)")
_WARNING = regex(r"ptxas (?:warning|error)\s*: (.*)")
_TELLING = ("minnctapersm", "maxnreg", "register count", "Stack size", "too much")
_WARNED_OF = regex(r"(?:[Ee]ntry function|for entry(?! function)) (?:'(.{1,4096})'|((?:(?! is ).){1,4096}))")
_RELOCATABLE = regex(r"\s(?:-rdc|--relocatable-device-code)[= ]true\b|\s(?:-dc|--device-c|--compile-only)\s")
_COLOUR = regex(r"\x1b\[[0-9;]*[mK]")
_SAYING = (b"ptxas info", b"nvlink info")  # one of them is in each such log, and is sought faster than a pattern
_SAYS = regex(rb"(?:ptxas|nvlink) info\s*: (?:Compiling entry|Function properties|[Uu]sed \d)")
_JOB = regex(r"\s*(\d+)>")  # MSBuild tells its parallel jobs apart
_TARGET = regex(r"\(target: (sm_\w{1,8})\)")  # nvlink says it where it links for several
_ANY_ARCH = regex(r"\bsm_\d{2,3}[af]?\b")
_MOST_OPEN = 64  # kernels under way at once; more come only from damaged logs, and would take time in their square
_MOST_TOLD = 200  # problems, and remarks
_MIXED_WITHIN = 80  # lines: how long the register line of a kernel that was given up may still come


@dataclass(slots=True)
class _Open:
    """A kernel whose registers have not been seen. Without `properties` neither has been its stack."""

    kernel: str
    arch: str | None
    properties: tuple[int, int | None, int | None] | None = None  # bytes of stack, spill stores, spill loads
    linked: bool = False


@dataclass(slots=True)
class _Job:
    """The lines of one compilation, or of several if nothing tells them apart."""

    open: list[_Open] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)  # whose properties have not been seen
    owed: int = 0  # register lines of kernels that were given up
    owed_until: int = 0


def looks_like(data: bytes) -> bool:
    """Whether a file with this content is such a log."""
    return any(it in data for it in _SAYING) and _SAYS.search(data) is not None


def read(data: bytes, path: str) -> Reading:
    """The kernels in the order of their register lines; `line` is that line. Never raises."""
    reader = _Reader(path, data.decode("utf-8", "replace"))
    reader.run()
    endless = {remark.kernel for remark in reader.remarks if remark.message.startswith("Stack size")}
    usages = tuple(replace(u, stack=None) if u.kernel in endless else u for u in reader.final())
    return Reading(usages, tuple(reader.problems), tuple(reader.remarks))


class _Reader:
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        archs = {canonical(name) for name in _ANY_ARCH.findall(text)}
        self.only_arch = archs.pop() if len(archs) == 1 else None
        self.jobs: dict[str, _Job] = {}
        self.usages: list[tuple[Usage, bool]] = []  # and whether nvlink says so
        self.problems: list[Problem] = []
        self.remarks: list[Remark] = []

    def run(self) -> None:
        for number, line in _lines(self.text):
            job = self.jobs.setdefault(match[1] if (match := _JOB.match(line)) else "", _Job())
            if match := _ENTRY.search(line):
                self.entry(job, match[1], canonical(match[2]), number)
            elif match := _HEADING.search(line):
                self.heading(job, match[1], match[2] or match[3].strip(), line)
            elif match := _PROPERTIES.search(line):
                self.properties(job, (int(match[1]), int(match[2]), int(match[3])), number)
            elif match := _USED.search(line):
                self.used(job, int(match[1]), match[2], number)
            elif match := _WARNING.search(line):
                self.warning(job, match[1].strip(), number)

    def final(self) -> Iterator[Usage]:
        """Without what ptxas says of kernels that are linked later."""
        relocatable = _RELOCATABLE.search(self.text) is not None
        linked = {(usage.kernel, usage.arch) for usage, by_linker in self.usages if by_linker}
        for usage, by_linker in self.usages:
            told_later = not linked.isdisjoint({(usage.kernel, usage.arch), (usage.kernel, None)})
            if by_linker or not (told_later or relocatable):
                yield usage
            elif not told_later and not any(problem.message == UNLINKED for problem in self.problems):
                self.problems.append(Problem(self.path, usage.line, 1, UNLINKED))

    def entry(self, job: _Job, kernel: str, arch: str, number: int) -> None:
        twice = [o for o in job.open if (o.kernel, o.arch) == (kernel, arch)]
        self.give_up(job, twice, number)
        self.begin(job, _Open(kernel, arch))

    def begin(self, job: _Job, opened: _Open) -> None:
        job.open = [*job.open[-_MOST_OPEN + 1 :], opened]

    def heading(self, job: _Job, tool: str, name: str, line: str) -> None:
        """nvlink has no entry line, says no spills, and for what architecture it links only if there are several."""
        if tool == "nvlink":
            target = _TARGET.search(line)
            arch = canonical(target[1]) if target else self.only_arch
            self.begin(job, _Open(name, arch, (0, None, None), linked=True))
        else:
            job.headings = [*job.headings[-_MOST_OPEN + 1 :], name]

    def properties(self, job: _Job, figures: tuple[int, int, int], number: int) -> None:
        """Of a kernel, or of a function that kernels call and that is of no interest."""
        owners = [o for o in job.open if o.kernel in job.headings and o.properties is None]
        if len(job.headings) == 1 and len(owners) == 1:
            owners[0].properties = figures
        else:
            self.give_up(job, owners, number)
        job.headings.clear()

    def used(self, job: _Job, registers: int, rest: str, number: int) -> None:
        waiting = [o for o in job.open if o.properties is not None]
        if number > job.owed_until:
            job.owed = 0
        if job.owed or len(waiting) > 1:
            self.give_up(job, waiting, number)
            job.owed -= 1
        elif waiting:
            job.open.remove(waiting[0])
            self.usages.append((self.usage(waiting[0], registers, rest, number), waiting[0].linked))

    def usage(self, opened: _Open, registers: int, rest: str, number: int) -> Usage:
        """ptxas leaves out what is 0, except for barriers, which it does not count before CUDA 12.6."""
        frame, stores, loads = opened.properties or (0, None, None)
        shared = _figure(rest, "bytes smem") or 0
        return Usage(
            opened.kernel,
            "compiled",
            self.path,
            number,
            opened.arch,
            registers=registers,
            static_local=declared(shared, opened.arch) if opened.linked else shared,
            barriers=_figure(rest, "barriers"),
            stack=max(frame, _figure(rest, "bytes cumulative stack size") or _figure(rest, "stack") or 0),
            spill_stores=stores,
            spill_loads=loads,
        )

    def give_up(self, job: _Job, mixed: list[_Open], number: int) -> None:
        if not mixed:
            return
        if job.owed == 0:
            job.owed_until = number + _MIXED_WITHIN
        job.owed += len(mixed)
        job.open = [o for o in job.open if o not in mixed]
        if len(self.problems) == _MOST_TOLD:
            return
        names = ", ".join(o.kernel[:80] for o in mixed[:4])
        message = f"lines of several compilations are mixed here, not read: {names}"
        self.problems.append(Problem(self.path, number, 1, message))

    def warning(self, job: _Job, message: str, number: int) -> None:
        if len(self.remarks) == _MOST_TOLD or not any(word in message for word in _TELLING):
            return
        named = _WARNED_OF.search(message)
        kernel = (named[1] or named[2].strip()) if named else job.open[-1].kernel if len(job.open) == 1 else None
        self.remarks.append(Remark(message, self.path, number, kernel))


def _lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of the tools, with their numbers from 1."""
    for number, line in enumerate(text.split("\n"), 1):
        if "ptxas" in line or "nvlink" in line or "bytes stack frame" in line:
            yield number, _COLOUR.sub("", line)


def _figure(rest: str, what: str) -> int | None:
    match = re.search(rf"(\d{{1,9}}) {what}\b", rest)
    return int(match[1]) if match else None
