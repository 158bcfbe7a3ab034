"""`configure_file`: the headers that configuring a project makes of templates in it (cmake-commands(7)).

With the defaults of the project's options. What these do not tell is left out of the text, and named.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.workspace.cmake.values import UNKNOWN, is_open, is_true

_SWITCH = regex(r"^([ \t]*#[ \t]*)cmakedefine(01)?[ \t]+(\w+)[ \t]*(.*)$")
_DEFINED = regex(r"^[ \t]*#[ \t]*define[ \t]+(\w+)")
_NAMED = regex(r"@([\w./+-]+)@")
_BRACED = regex(r"\$\{([\w./+-]+)\}")


@dataclass(frozen=True, slots=True)
class Configured:
    """`text`: with a line for each of the template. `open`: macros that it may define besides. `switches`: those of
    them that are only defined or not, each with what it then is; None: either 0 or 1."""

    text: str
    open: frozenset[str]
    switches: Mapping[str, str | None]


def configured(template: str, variable: Callable[[str], str | None], only_at: bool) -> Configured:
    """`variable`: its value, None where it is not known to be set. `only_at`: `${NAME}` stands for itself."""
    lines: list[str] = []
    left: set[str] = set()
    switches: dict[str, str | None] = {}

    def value(match: re.Match[str]) -> str:
        said = variable(match[1])
        return UNKNOWN if said is None else said

    def filled(line: str) -> str:
        line = _NAMED.sub(value, line)
        return line if only_at else _BRACED.sub(value, line)

    for line in template.split("\n"):
        if match := _SWITCH.match(line):
            start, zero, name, rest = match.groups()
            said, text = variable(name), filled(rest)
            known = None if said is None or is_open(said) else is_true(said)
            if known is None or (known and is_open(text)):
                left.add(name)
                if zero or not is_open(text):
                    switches[name] = None if zero else text
                lines.append("")
            elif zero:
                lines.append(f"{start}define {name} {int(known)}")
            else:
                lines.append(f"{start}define {name} {text}" if known else "")
            continue
        made = filled(line)
        if is_open(made):
            left.update(_DEFINED.findall(line))
        lines.append("" if is_open(made) else made)
    return Configured("\n".join(lines), frozenset(left), switches)


def merged(one: Configured, other: Configured) -> Configured:
    """What both have, of one template."""
    pairs = list(zip(one.text.split("\n"), other.text.split("\n"), strict=True))
    unlike = {match[1] for pair in pairs if pair[0] != pair[1] for it in pair if (match := _DEFINED.match(it))}
    left = one.open | other.open | unlike
    switches: dict[str, str | None] = {}
    for name in left:
        values = (_values(name, one), _values(name, other))
        every = values[0] | values[1] if values[0] and values[1] else set[str | None]()
        if every and every <= {"0", "1"}:
            switches[name] = None
        elif len(defined := every - {None}) == 1:
            switches[name] = defined.pop()
    return Configured("\n".join(it if it == same else "" for it, same in pairs), frozenset(left), switches)


def _values(name: str, made: Configured) -> set[str | None]:
    """What it may be; None: not defined. Empty: that is not known."""
    if name in made.open:
        said = made.switches.get(name, "?")
        return {"0", "1"} if said is None else {None, said} if name in made.switches else set()
    lines = ((it, _DEFINED.match(it)) for it in made.text.split("\n"))
    found: set[str | None] = {it[match.end() :].strip() for it, match in lines if match and match[1] == name}
    return found or {None}
