"""All languages. A new one is its file or folder, its dialect, and its name here."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence, Set
from typing import TYPE_CHECKING, Literal

from occupancy_lsp.core.query import remembered
from occupancy_lsp.languages.cuda import CUDA
from occupancy_lsp.languages.cute import CUTE
from occupancy_lsp.languages.cutile import CUTILE
from occupancy_lsp.languages.glsl import GLSL
from occupancy_lsp.languages.hip import HIP
from occupancy_lsp.languages.hlsl import HLSL, SLANG
from occupancy_lsp.languages.language import Language
from occupancy_lsp.languages.metal import METAL
from occupancy_lsp.languages.numba import NUMBA
from occupancy_lsp.languages.numba_hip import NUMBA_HIP
from occupancy_lsp.languages.opencl import OPENCL
from occupancy_lsp.languages.sycl import SYCL
from occupancy_lsp.languages.tilelang import TILELANG
from occupancy_lsp.languages.triton import TRITON
from occupancy_lsp.languages.warp import WARP
from occupancy_lsp.languages.wgsl import WGSL
from occupancy_lsp.source.lex.dialect import Dialect, fragment_dialect_if_quoted
from occupancy_lsp.source.lex.non_code_patterns import without_comments_and_strings

if TYPE_CHECKING:
    from occupancy_lsp.source.incremental.kernel_text import KernelText

LanguageName = Literal[
    "cuda",
    "hip",
    "opencl",
    "triton",
    "numba",
    "numba-hip",
    "warp",
    "cutile",
    "cute",
    "tilelang",
    "glsl",
    "hlsl",
    "slang",
    "wgsl",
    "metal",
    "sycl",
]
# In the order in which a file is asked: CUDA's mark is in HIP's files, too.
LANGUAGES = {
    it.name: it
    for it in (
        *(TRITON, NUMBA, NUMBA_HIP, WARP, CUTILE, CUTE, TILELANG),
        *(GLSL, HLSL, SLANG, WGSL, METAL, OPENCL, HIP, CUDA, SYCL),
    )
}
# Of a macro that makes a function a kernel it is not said in which language.
USUAL = CUDA

SUFFIXES = tuple(suffix for it in LANGUAGES.values() if it.preprocessed for suffix in it.suffixes)
ALONE = tuple({suffix for it in LANGUAGES.values() if not it.preprocessed for suffix in it.suffixes})  # read alone
HOSTED_SUFFIXES = tuple(suffix for it in LANGUAGES.values() if it.hosted for suffix in it.suffixes)
UNHOSTED = tuple(suffix for it in LANGUAGES.values() if not it.hosted for suffix in it.suffixes)
UNITS = tuple(suffix for it in LANGUAGES.values() for suffix in it.units)
FLAGS = {flag: it.name for it in LANGUAGES.values() for flag in it.flags}


def language_of(dialect: Dialect) -> Language:
    return LANGUAGES[dialect.name]


def read(content: bytes, dialect: Dialect) -> KernelText:
    return language_of(dialect).read(content, dialect)


@remembered(8)
def dialect_of(name: str, editors: str, content: bytes) -> Dialect | None:
    """Of a file by its name, what the editor calls it and what it includes; None: no kernels in it."""
    found = next((it for it in LANGUAGES.values() if it.is_of(name, editors, content)), None)
    return fragment_dialect_if_quoted(found.dialect, content) if found else None


def dialect_of_units(units: Iterable[str], content: bytes) -> Dialect | None:
    """Return that of a header with kernels by the names of the translation units that include it."""
    for it in LANGUAGES.values():
        if any(name.endswith(it.units) for name in units) and _has_word(it.dialect.telling, content):
            return fragment_dialect_if_quoted(it.dialect, content)
    return None


def dialect_by_headers(content: bytes, included: Callable[[], Set[str]]) -> Dialect | None:
    """Return that of a file which has the words of a language whose headers its translation unit includes."""
    for it in LANGUAGES.values():
        if it.told_by_headers and any(word in content for word in it.needs):
            return it.dialect if any(map(it.headers.match, included())) else None
    return None


def _has_word(words: Sequence[bytes], content: bytes) -> bool:
    """Return whether the code, comments and strings aside, has one of the words."""
    if not any(word in content for word in words):
        return False
    return re.search(rb"\b(?:%b)\b" % b"|".join(words), without_comments_and_strings(content)) is not None


def read_alone(name: str, editors: str) -> bool:
    """Whether a file may be in several languages at once, none of which includes others."""
    return name.endswith(ALONE) or any(editors in it.editors for it in LANGUAGES.values() if not it.preprocessed)


def alone_in(name: str, editors: str, content: bytes) -> tuple[Language, ...]:
    """Those of them that such a file is in."""
    return tuple(it for it in LANGUAGES.values() if not it.preprocessed and it.is_of(name, editors, content))


_TELLING = tuple({word for it in LANGUAGES.values() if not it.preprocessed for word in (*it.needs, *it.marks)})


def tells_alone(lines: bytes) -> bool:
    """Whether lines that went or came have a say in which of them a file is in."""
    return any(it in lines for it in _TELLING)


def by_headers(language: Language, included: Set[str]) -> Language:
    """The language of a file that its text takes to be `language`, by what its translation unit includes."""
    other = LANGUAGES.get(language.becomes)
    if other is None or any(map(language.headers.match, included)):
        return language
    return other if any(map(other.headers.match, included)) else language
