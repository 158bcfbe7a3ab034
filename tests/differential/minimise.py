"""Make programs that differ smaller, line by line, as long as the same figure is wrong.

All candidates of all programs are compiled as one batch, under numbers of their own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from .batch import Compared, compared
from .sketch import Program

_OWN = 10_000_000  # numbers from here on are those of candidates


@dataclass
class Shrinking:
    """`lines`: of all files, each with its file's name. `parts`: into how many they are cut; 0: it is done."""

    whole: Compared
    what: str
    lines: list[tuple[str, str]]
    parts: int = 2

    def without(self, spans: Sequence[range]) -> list[tuple[str, str]]:
        dropped = {at for span in spans for at in span}
        return [it for at, it in enumerate(self.lines) if at not in dropped]

    def spans(self) -> list[range]:
        step = max(1, -(-len(self.lines) // self.parts))
        cut = [range(at, min(at + step, len(self.lines))) for at in range(0, len(self.lines), step)]
        return [*cut, *self.groups()] if step == 1 else cut

    def groups(self) -> Iterator[range]:
        """What stands between a line that opens something and that which closes it."""
        opened: list[int] = []
        for at, (_, line) in enumerate(self.lines):
            if re.match(r"#\s*endif|[^{]*}", line) and opened:
                yield range(opened.pop(), at + 1)
            if re.match(r"#\s*if", line) or line.rstrip().endswith("{"):
                opened.append(at)

    def finer(self) -> None:
        self.parts = 0 if self.parts >= len(self.lines) else min(2 * self.parts, len(self.lines))

    def program(self, lines: Sequence[tuple[str, str]]) -> Program:
        files = dict.fromkeys(self.whole.program.files, "")
        for name, line in lines:
            files[name] += f"{line}\n"
        return replace(self.whole.program, files=files)


def minimised(found: Sequence[tuple[Compared, str]], language: str) -> list[Compared]:
    """Of programs and what is wrong in them, small ones in which that is wrong."""
    work = [Shrinking(it, what, _lines(it.program)) for it, what in found]
    while any(it.parts for it in work):
        busy = [it for it in work if it.parts]
        good = _wrong([(it, it.without([span])) for it in busy for span in it.spans()], language)
        at, together = 0, []
        for it in busy:
            spans = it.spans()
            fine = [span for span, wrong in zip(spans, good[at : at + len(spans)], strict=True) if wrong]
            at += len(spans)
            together.append(fine)
        chosen = [(it, it.without(fine)) for it, fine in zip(busy, together, strict=True)]
        both = _wrong([pair for pair, fine in zip(chosen, together, strict=True) if len(fine) > 1], language)
        for it, fine in zip(busy, together, strict=True):
            if not fine:
                it.finer()
            elif len(fine) == 1 or both.pop(0):
                it.lines = it.without(fine)
            else:
                it.lines = it.without(fine[:1])
    return compared([it.program(it.lines) for it in work], language)


def _lines(program: Program) -> list[tuple[str, str]]:
    return [(name, line) for name, text in program.files.items() for line in text.splitlines() if line.strip()]


def _wrong(candidates: Sequence[tuple[Shrinking, Sequence[tuple[str, str]]]], language: str) -> list[bool]:
    """Whether each still has the figure wrong."""
    programs = [numbered(it.program(lines), _OWN + at) for at, (it, lines) in enumerate(candidates)]
    done = compared(programs, language) if programs else []
    return [
        not one.truth.failed and any(figure.what == it.what for figure in one.wrong)
        for one, (it, _) in zip(done, candidates, strict=True)
    ]


def numbered(program: Program, number: int) -> Program:
    """The same under another number."""

    def renamed(text: str) -> str:
        text = re.sub(rf"_p{program.number}(?!\d)", f"_p{number}", text)
        return re.sub(rf"\bp{program.number}(?=[._])", f"p{number}", text)

    files = {renamed(name): renamed(text) for name, text in program.files.items()}
    return Program(number, program.construct, files, renamed(program.entry))


def cases(done: Sequence[Compared], most: int) -> Iterator[tuple[Compared, str]]:
    """Of each construct and figure, the shortest programs in which it is wrong."""
    kinds: dict[tuple[str, str], list[Compared]] = {}
    for it in done:
        for what in dict.fromkeys(figure.what for figure in it.wrong):
            kinds.setdefault((it.program.construct, what), []).append(it)
    seen = set()
    for (_, what), programs in kinds.items():
        for it in sorted(programs, key=lambda one: sum(map(len, one.program.files.values())))[:most]:
            if it.program.number not in seen:
                seen.add(it.program.number)
                yield it, what


def write(it: Compared, folder: Path) -> Path:
    """The program with what is true and what is claimed before it; headers beside it."""
    wrong = it.wrong[0].what if it.wrong else ""
    kind = re.sub(r"\W+", "-", f"{it.program.construct} {wrong}").strip("-")
    main = folder / f"{kind}-{it.program.number}{Path(it.program.main).suffix}"
    told = "".join(f"// {one.told}\n" for one in it.wrong)
    for name, text in it.program.files.items():
        if name == it.program.main:
            main.write_text(told + text)
        else:
            (folder / name).write_text(text)
    return main
