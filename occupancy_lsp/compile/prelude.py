"""What stands before a source: macros that no command line can carry, and the files to be included first.

They go by a header of ours. So the names of files are on no command line, and no compiler looks for a precompiled
one beside them, as clang does for its own `-include`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from occupancy_lsp.compile.request import Request
from occupancy_lsp.compile.words import NotPlain
from occupancy_lsp.core.regex import regex
from occupancy_lsp.core.writing import write

_NAME = "prelude.h"
_PLAIN = regex(r"[A-Za-z0-9_.+=:/-]*")


def write_prelude(request: Request, folder: Path) -> list[str]:
    """The options that stand for it, of nvcc and clang. `folder`: where they are started. NotPlain: a file's name."""
    options, header = macro_options(request.all_macros())
    header += includes(request.arguments.files)
    write(folder / _NAME, header.encode("utf-8", "surrogateescape"))
    # By its name alone: the path of the folder would get into the preprocessed text.
    return [*options, "-include", _NAME] if header else options


def macro_options(macros: Sequence[tuple[str, str | None]]) -> tuple[list[str], str]:
    """-D and -U where all is plain. A header for the rest: nvcc hands its arguments to a shell."""
    last: dict[str, tuple[str, str | None]] = {}
    for name, text in macros:
        last[name.partition("(")[0]] = (name, text)
    options: list[str] = []
    lines: list[str] = []
    for plain, (name, text) in last.items():
        if not _PLAIN.fullmatch(f"{name}={text}"):
            lines.append(f"#undef {plain}\n" + ("" if text is None else f"#define {name} {text}\n"))
        elif text is None:
            options.append(f"-U{plain}")
        else:
            options.append(f"-D{name}={text}")
    return options, "".join(lines)


def includes(files: Sequence[Path]) -> str:
    """NotPlain: a name that no #include can have."""
    for it in map(str, files):
        if '"' in it or "\n" in it or "\r" in it:
            raise NotPlain(it)
    return "".join(f'#include "{it}"\n' for it in files)
