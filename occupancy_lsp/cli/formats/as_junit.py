"""A check as JUnit's XML: a suite for each file, a case for each kernel on each device that it is judged for.

A case fails where something of severity error was found.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timezone
from typing import TextIO
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from occupancy_lsp.cli.formats.matrix import cell
from occupancy_lsp.cli.formats.result import About, Line, nearby
from occupancy_lsp.core.problem import Problem
from occupancy_lsp.core.visible import visible
from occupancy_lsp.findings.records import FileRecord, FindingRecord

_NAME = "occupancy-lsp"


class AsJUnit:
    tells_problems = True

    def __init__(self, about: About) -> None:
        self._about = about
        self._suites: list[Element] = []
        self._now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")

    def file(self, record: FileRecord) -> Iterable[Line]:
        path = self._about.relative(record.absolute)
        figures = [f"{it.name} on {on.device.id}: {cell(on)}" for it in record.kernels for on in it.on]
        if cases := [*_cases(path, record)]:
            self._suite(path, cases, "\n".join(figures))
        return ()

    def end(self, problems: Sequence[Problem], interrupted: bool, out: TextIO) -> None:
        if problems:
            remarks = (nearby(str(it)) for it in problems if not it.grave)
            self._suite("problems", [_fault(it) for it in problems if it.grave], "\n".join(remarks))
        root = Element("testsuites")
        for order, suite in enumerate(self._suites):
            suite.set("id", str(order))
            root.append(suite)
        indent(root)
        out.write(f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n')

    def _suite(self, path: str, cases: Sequence[Element], figures: str) -> None:
        failures, errors = (sum(it.find(kind) is not None for it in cases) for kind in ("failure", "error"))
        suite = Element("testsuite", name=visible(path), package=_NAME, timestamp=self._now, hostname="localhost")
        for name, count in (("tests", len(cases)), ("failures", failures), ("errors", errors)):
            suite.set(name, str(count))
        suite.set("time", "0")
        SubElement(suite, "properties")
        suite.extend(cases)
        SubElement(suite, "system-out").text = "\n".join(map(visible, figures.split("\n")))
        SubElement(suite, "system-err")
        self._suites.append(suite)


def _cases(path: str, record: FileRecord) -> Iterator[Element]:
    errors = [it for it in record.findings if it.severity == "error"]
    judged = {it.id for it in record.judged}
    for index, kernel in enumerate(record.kernels):
        name = f"{kernel.name} (line {kernel.place.start.line})" if kernel.order else kernel.name
        for on in kernel.on:
            broken = [it for it in errors if it.kernel == index and on.device.id in it.devices]
            if on.device.id in judged or broken or on.error:
                yield _case(path, f"{name} on {on.device.id}", broken, on.error)
    elsewhere: dict[str, list[FindingRecord]] = {}
    for it in errors:
        if it.kernel is None:
            for name in [f"{it.about} on {device}" for device in it.devices] if it.about else ["comments"]:
                elsewhere.setdefault(name, []).append(it)
    for name, broken in elsewhere.items():
        yield _case(path, name, broken)


def _case(path: str, name: str, broken: Sequence[FindingRecord], error: str = "") -> Element:
    case = Element("testcase", name=visible(name), classname=visible(path), time="0")
    if error:
        SubElement(case, "error", type="internal error", message=visible(error))
    elif broken:
        failure = SubElement(case, "failure", type=broken[0].rule, message=visible(broken[0].message))
        places = (f"{path}:{it.place.start.line}:{it.place.start.column}" for it in broken)
        lines = (f"{at}: {it.message} [{it.rule}]" for at, it in zip(places, broken, strict=True))
        failure.text = "\n".join(map(visible, lines))
    return case


def _fault(problem: Problem) -> Element:
    case = Element("testcase", name=visible(nearby(problem.path)), classname=_NAME, time="0")
    SubElement(case, "error", type="problem", message=visible(nearby(str(problem))))
    return case
