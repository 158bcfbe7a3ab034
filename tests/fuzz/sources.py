"""Sources of every language, changed by their tokens, through all that a command or an editor asks of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random

from occupancy_lsp.cli.formats.kernel_facts import kernel_facts
from occupancy_lsp.cli.formats.kernel_text import kernel_text
from occupancy_lsp.cli.formats.registry import FORMATS
from occupancy_lsp.cli.formats.result import About
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions, resolve
from occupancy_lsp.features.completion import completions
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints, tooltip
from occupancy_lsp.features.hover import hover
from occupancy_lsp.findings.recording import record
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View
from tests.fuzz import workers
from tests.fuzz.mutations import mutate, tokens

ROOT = Path(__file__).parents[2]
_LARGEST = 1_500  # bytes of an original; of a larger one some lines are taken
_MOST_OFFSETS = 12
_EXAMPLE = re.compile(r"^```(cuda|hip|opencl)[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)
# Devices of every model, and pairs that are compared.
_DEVICES = {
    "cuda": (("h100",), ("sm_75", "h100"), ("b200",), ("sm_20",)),
    "hip": (("mi300x",), ("rx-7900-xtx", "mi100"), ("h100",)),
    "opencl": (("arc-b580",), ("mali-g78",), ("mi300x", "h100"), ("adreno-740",), ("m1",), ("hd-5870",)),
}
_SUFFIXES = {".cu": "cuda", ".hip": "hip", ".cl": "opencl"}


@dataclass(frozen=True)
class Changed:
    language: str
    devices: tuple[str, ...]
    content: bytes

    @property
    def parts(self) -> Sequence[bytes]:
        return tokens(self.content)

    def of(self, parts: Sequence[bytes]) -> Changed:
        return Changed(self.language, self.devices, b"".join(parts))

    def text(self) -> bytes:
        return self.content


@cache
def originals() -> tuple[tuple[str, bytes], ...]:
    """Each with its language."""
    files = [*(ROOT / "tests" / "data").rglob("*"), *(ROOT / "examples").iterdir()]
    found = [(_SUFFIXES[it.suffix], it.read_bytes()) for it in sorted(files) if it.suffix in _SUFFIXES]
    for page in sorted((ROOT / "docs" / "rules").iterdir()):
        found += [(match[1], match[2].encode()) for match in _EXAMPLE.finditer(page.read_text("utf-8"))]
    return tuple(found)


@cache
def _launching() -> tuple[tuple[str, bytes], ...]:
    return tuple(it for it in originals() if any(word in it[1] for word in (b"<<<", b"GGL", b"work_group_size")))


@cache
def project(devices: tuple[str, ...]) -> Project:
    return Project(None, None, {"devices": list(devices)})


def original(random: Random) -> tuple[str, bytes]:
    language, content = random.choice(random.choice((originals(), _launching())))
    if len(content) > _LARGEST:
        lines = content.splitlines(keepends=True)
        start = random.randrange(len(lines))
        content = b"".join(lines[start:])[:_LARGEST]
    return language, content


def make(random: Random) -> Changed:
    language, content = original(random)
    others = [original(random)[1] for _ in range(3)]
    if random.random() < 0.03:
        language = random.choice(list(_DEVICES))
    return Changed(language, random.choice(_DEVICES[language]), mutate(random, content, others))


def opened(case: Changed) -> OpenFile:
    return OpenFile(None, case.language, Text(case.content), project(case.devices))


def look(case: Changed) -> None:
    view = opened(case).view()
    if view is None:
        return
    whole = len(case.content)
    told, found = hints(view, 0, whole), diagnostics(view)
    assert all(0 <= it.offset <= whole for it in told)
    assert all(0 <= it.start <= it.end <= whole for it in found)
    for hint in islice(told, 8):
        tooltip(view, hint.key or "")
    recorded = record("a", Path("/a"), view, instances=True, charts=True)
    for form in FORMATS.values():
        list(form(About(Path("/"), hints=True, table=True, coloured=True)).file(recorded))
    for offset in _offsets(view, [it.start for it in found]):
        hover(view, offset)
        completions(view, offset)
    for key in {it.key.partition(":")[0]: it.key for it in actions(view, 0, whole)}.values():
        resolve(view, key)
    if whole % 4 == 0:
        _of_command(case, view)


def _offsets(view: View, starts: Sequence[int]) -> list[int]:
    """Where there is something to say: names, bounds, launches, variables, directives, findings."""
    places = [place for report in view.reports[:4] for place in (report.kernel.name_place, report.kernel.body)]
    places += [report.kernel.attributes.bounds.place for report in view.reports[:4] if report.kernel.attributes.bounds]
    places += [it.place for it in view.facts.launches[:4] if view.source.holds(it.place)]
    places += [it.place for report in view.reports[:4] for it in report.kernel.summary.local.variables[:2]]
    places += [it.place for it in (*view.facts.file_directives, *view.facts.stray_directives)[:4]]
    offsets = [view.span(it)[0] for it in places if view.source.holds(it)]
    return sorted({*offsets, *starts})[:_MOST_OFFSETS]


def _of_command(case: Changed, view: View) -> None:
    """What `kernels` tells."""
    path, home = Path("a"), project(case.devices)
    for facts in kernel_facts("a", path, case.content, view.source.dialect, home, view.device, False):
        if facts["name"] is not None:
            kernel_text(facts)


run = partial(workers.run, "sources", make, look)
