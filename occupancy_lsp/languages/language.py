"""What the rest asks of a language. What the reader must know of it is its dialect in `source.lex.dialect`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Set
from typing import TYPE_CHECKING

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.dialect import Dialect
from occupancy_lsp.source.preprocessor.conditional_includes import optional_includes

if TYPE_CHECKING:
    from occupancy_lsp.languages.python.importing import FarKernelLaunch, Importing
    from occupancy_lsp.source.incremental.kernel_text import KernelText


def names_no_macro(content: bytes, macros: Set[str]) -> bool:
    """Whether nothing in the file can tell compilers apart that differ in these macros."""
    return b"#include" not in content and not any(it.encode() in content for it in macros)


def _read_cpp(content: bytes, dialect: Dialect) -> KernelText:
    from occupancy_lsp.source.incremental.document import Source  # a parser, which not every command needs

    return Source(content, dialect)


@dataclass(frozen=True, slots=True)
class Language:
    """`suffixes`: of its files; `units`: of those that are compiled alone. `marks`: texts that only its files have; a
    header says nothing that is included only where a macro asks for it.

    `run_by`: the vendors whose devices run it, in order of preference; (): any device does. `becomes`: the language of
    a file, after all, that includes that one's `headers` and none of this one's. `opting_in`: what a host calls before
    it launches `{kernel}` with `{bytes}` of dynamic local memory that are more than any launch may have. `needs`: of
    these each file with kernels says one. `comment`: what opens one that ends with the line. `read`: a text of it.
    `signs`: what its compiler writes says, by its form or in its symbols, that it wrote it.
    `sized_by`: what fixes the size of a kernel's groups. `resizes`: its code shows what hangs on that size,
    so that another can be offered.
    """

    name: str  # in settings and in what is printed
    title: str
    dialect: Dialect
    suffixes: tuple[str, ...]
    units: tuple[str, ...]
    editors: tuple[str, ...]  # what editors call it
    flags: tuple[str, ...]  # what a compiler's `-x` calls it
    run_by: tuple[str, ...] = ()
    marks: tuple[bytes, ...] = ()
    launch_bounds: bool = False  # a kernel may state the largest group and how many reside; else its very size
    bounds: str = "__launch_bounds__"  # what states the largest group in its kernels' heads
    headers: re.Pattern[str] = regex(r"(?!)")  # of its own runtime
    told_by_headers: bool = False  # a file that names none of `marks`, by those headers in its translation unit
    becomes: str = ""
    opting_in: str = ""
    needs: tuple[bytes, ...] = (b"",)
    preprocessed: bool = True  # its files include others, which are read with them
    opts_in: bool = False  # what launches its kernels asks for more dynamic local memory, and larger clusters, itself
    signs: bool = False
    sized_by: str = "its annotation"
    resizes: bool = True
    comment: str = "//"
    by_driver: bool = False  # a device's driver compiles its kernels, and heeds no rule of its vendor's compilers
    sized_at_launch: bool = False  # each launch states the size of its groups, though the kernel's head may fix it
    fastest_last: bool = False  # of a size's dimensions, the one that numbers neighbours is written last
    counts_local: bool = True  # of local memory that is no launch's, compilers count all
    width_attribute: str = "intel_reqd_sub_group_size(N)"  # what fixes the size of sub-groups on Intel's devices
    asks_groups: str = ""  # the option with which its kernels ask for a number of resident groups
    # Of a file that is called as one of it, but not with a suffix of `sure`: whether its text is of a kernel.
    has_kernels: Callable[[bytes], bool] | None = None
    sure: tuple[str, ...] = ()
    local_origin: str = "declared in the source"  # of static local memory
    read: Callable[[bytes, Dialect], KernelText] = _read_cpp
    # Launches of a kernel in a file that imports it, given the name that it has there and the device's macros.
    launched_in: Callable[[Importing, str, str, Mapping[str, int]], tuple[FarKernelLaunch, ...]] | None = None
    # Functions of a file with which kernels of other files have more threads than are asked for.
    specialising: Callable[[bytes], frozenset[str]] | None = None
    reads_alike: Callable[[bytes, Set[str]], bool] = names_no_macro  # of a file, given the macros that may tell

    @property
    def compiles(self) -> bool:
        """Whether a compiler may be run on its files to count what kernels take."""
        return bool(self.units) and not self.by_driver

    @property
    def hosted(self) -> bool:
        """Whether a host program in another language builds and launches its kernels, and may define macros."""
        return self.dialect.hosted

    def is_of(self, name: str, editors: str, content: bytes) -> bool:
        """Whether a file is in it, by its name, what the editor calls it and what it says."""
        called = editors in self.editors or name.endswith(self.suffixes)
        if not called and not self.marks:
            return False
        if self.has_kernels is not None and not name.endswith(self.sure):
            return self.has_kernels(content)
        return any(it in content for it in self.needs) and (called or self._is_marked(content))

    def _is_marked(self, content: bytes) -> bool:
        marks = [it for it in self.marks if it in content]
        return bool(marks) and not {it.decode() for it in marks} <= optional_includes(content)
